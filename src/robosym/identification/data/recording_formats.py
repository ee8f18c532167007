"""The file formats of recordings, by the ending of the file's name.

CSV and text, Parquet (needs pyarrow), MAT (of version 7.3: needs h5py), NumPy's .npy and .npz, HDF5 (needs h5py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from .recording_csv import TextFile
from .recording_errors import RecordingError, twice
from .recording_files import Source, npy, npz
from .recording_hdf5 import hdf5
from .recording_mat import mat
from .recording_parquet import ParquetColumns

READERS: dict[str, Callable[[Path], Source]] = {
    ".csv": TextFile,
    ".txt": TextFile,
    ".dat": TextFile,
    ".tsv": TextFile,
    ".parquet": ParquetColumns,
    ".mat": mat,
    ".npy": npy,
    ".npz": npz,
    ".h5": hdf5,
    ".hdf5": hdf5,
}


def open_source(path: Path) -> Source:
    """The source that a file's ending says."""
    if path.is_dir():
        raise RecordingError(path, "expected a file, this is a folder")
    if not path.is_file():
        raise RecordingError(path, "there is no such file" if not path.exists() else "expected an ordinary file")
    if path.stat().st_size == 0:
        raise RecordingError(path, "the file is empty")
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise RecordingError(path, f"a recording ends in one of {', '.join(READERS)}")
    source = reader(path)
    repeated = sorted(name for name, count in Counter(source.names).items() if count > 1)
    if repeated:
        raise twice(path, repeated[0])
    if not source.names:
        for name, reason in source.unread.items():
            raise RecordingError(path, f"column '{name}': {reason}")
        raise RecordingError(path, "there are no columns of numbers in it")
    return source
