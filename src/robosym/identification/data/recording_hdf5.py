"""HDF5 files, and MAT files of version 7.3, which are HDF5: datasets that are read block by block."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from .recording_errors import RecordingError
from .recording_files import DOUBLE, Sliced, guarded, is_numeric, lies

USUAL_CACHE = 1 << 20  # bytes of chunks that HDF5 keeps
SLOTS = 10007  # of its table of chunks


class Dataset:
    """A dataset by its header; it is opened when a row of it is needed first.

    HDF5 unpacks whole chunks: as many are kept as a block of rows goes through, so that none is unpacked twice.
    """

    def __init__(self, file: Any, item: Any, matlab: bool) -> None:
        self.file, self.name = file, item.name
        self.shape: tuple[int, ...] = item.shape
        self.dtype: np.dtype[Any] = item.dtype
        self.columns_first = matlab
        chunk = item.chunks or (0,) * len(self.shape)
        time = 1 if matlab and len(self.shape) == 2 and lies(self) else 0
        sides = enumerate(zip(self.shape, chunk, strict=True))
        across = [math.ceil(n / c) if c and k != time else 1 for k, (n, c) in sides]
        self.band = (
            math.prod(chunk) * self.dtype.itemsize * math.prod(across)
        )  # bytes of the chunks of one block of rows
        self.held = max(DOUBLE * math.prod(self.shape), self.band)
        self._opened: Any = None

    def __getitem__(self, rows: Any) -> Any:
        if self._opened is None:
            import h5py

            access = h5py.h5p.create(h5py.h5p.DATASET_ACCESS)
            access.set_chunk_cache(SLOTS, max(USUAL_CACHE, self.band), 1.0)
            self._opened = h5py.Dataset(h5py.h5d.open(self.file.id, self.name.encode(), access))
        return self._opened[rows]


def hdf5(path: Path, matlab: bool = False) -> Sliced:
    """The datasets of numbers in a file and its groups."""
    try:
        import h5py
    except ImportError as error:
        raise RecordingError(path, "HDF5 files need h5py: pip install robosym[data]") from error
    what = "a MAT file" if matlab else "an HDF5 file"

    def load() -> Sliced:
        arrays: dict[str, Dataset] = {}
        unread: dict[str, str] = {}
        file = h5py.File(path, "r")

        def visit(name: str, item: Any) -> None:
            if not isinstance(item, h5py.Dataset) or name.startswith("#") or not is_numeric(item):
                return
            title = name.replace("/", ".") if matlab else name
            if item.external or item.is_virtual:
                unread[title] = "is kept in another file, which is not opened"
            else:
                arrays[title] = Dataset(file, item, matlab)

        file.visititems(visit)
        return Sliced(path, arrays, what, matlab=matlab, unread=unread)

    found: Sliced = guarded(path, what, load)
    return found
