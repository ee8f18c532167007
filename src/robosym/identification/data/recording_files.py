"""The file formats of recordings, each as a source of named columns that is read in blocks of rows.

CSV and text, Parquet (needs pyarrow), MAT (of version 7.3: needs h5py), NumPy's .npy and .npz, HDF5 (needs h5py).
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from .recording_csv import TextFile
from .recording_errors import RecordingError
from .signals import Array

ROWS = 32768  # read at once
LARGE, DENSE = 1 << 30, 100  # bytes that an archive unpacks to, and times its own size: both together are no recording


class Source(Protocol):
    """Named columns of numbers, read in blocks of any number of rows."""

    path: Path
    names: tuple[str, ...]
    cheap: bool  # to read again

    def blocks(self, columns: Sequence[int]) -> Iterator[Array]: ...


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
    twice = sorted({name for name in source.names if source.names.count(name) > 1})
    if twice:
        raise RecordingError(path, f"column '{twice[0]}' is there twice: expected columns with different names")
    if not source.names:
        raise RecordingError(path, "there are no columns of numbers in it")
    return source


# --- columns that can be sliced ----------------------------------------------------------------------------------------


class Sliced:
    """Columns whose rows can be taken from anywhere: arrays in memory or mapped to it, and datasets of HDF5.

    An entry is an array and the place of the column in it (None: it has one dimension), rows first unless ``turned``.
    """

    cheap = True

    def __init__(self, path: Path, arrays: Mapping[str, Any], turned: Mapping[str, bool] | None = None) -> None:
        self.path = path
        self._columns: dict[str, tuple[Any, int | None, bool]] = {}
        for name, array in arrays.items():
            is_turned = bool(turned and turned.get(name))
            if len(array.shape) == 1:
                self._columns[name] = (array, None, False)
            else:
                for k in range(array.shape[0 if is_turned else 1]):
                    self._columns[f"{name}.{k}" if name else f"c{k + 1}"] = (array, k, is_turned)
        self.names = tuple(self._columns)

    def blocks(self, columns: Sequence[int]) -> Iterator[Array]:
        chosen = [self._columns[self.names[place]] for place in columns]
        lengths = [array.shape[1 if turned else 0] for array, _, turned in chosen]
        if len(set(lengths)) > 1:
            listed = ", ".join(f"'{self.names[p]}' {n}" for p, n in zip(columns, lengths, strict=True))
            raise RecordingError(self.path, f"columns of different lengths: {listed}")
        for start in range(0, lengths[0] if lengths else 0, ROWS):
            found = np.empty((len(chosen), min(ROWS, lengths[0] - start))).T
            read: dict[int, Any] = {}
            for k, (array, place, turned) in enumerate(chosen):
                if id(array) not in read:
                    rows = slice(start, start + ROWS)
                    read[id(array)] = np.asarray(array[:, rows].T if turned else array[rows])
                block = read[id(array)]
                found[:, k] = block if place is None else block[:, place]
            yield found


def _is_numeric(array: Any) -> bool:
    return (
        getattr(array, "dtype", np.dtype(object)).kind in "fiub" and 1 <= len(array.shape) <= 2 and min(array.shape) > 0
    )


def in_memory(columns: Mapping[str, Any], name: str = "") -> Sliced:
    """Arrays as a source; one of two dimensions is the columns name.0, name.1, ..."""
    arrays = {key: np.asarray(value) for key, value in columns.items()}
    for key, array in arrays.items():
        if not _is_numeric(array):
            raise RecordingError(name, f"column '{key}': expected an array of numbers of one or two dimensions")
    return Sliced(Path(name), arrays)


def _npy(path: Path) -> Sliced:
    array = _guarded(path, "a NumPy file", lambda: np.load(path, mmap_mode="r", allow_pickle=False))
    if array.dtype.names:
        return Sliced(path, {name: array[name] for name in array.dtype.names if _is_numeric(array[name])})
    if not _is_numeric(array):
        raise RecordingError(path, f"expected numbers in one or two dimensions, got {array.dtype} in {array.ndim}")
    return Sliced(path, {"": array if array.ndim == 2 else array[:, None]})


def _npz(path: Path) -> Sliced:
    def load() -> dict[str, Any]:
        with zipfile.ZipFile(path) as packed:
            whole = sum(one.file_size for one in packed.infolist())
        if whole > LARGE and whole > DENSE * path.stat().st_size:
            raise ValueError(f"it unpacks to {whole / 1e9:.0f} GB, which no recording of this size does")
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}

    arrays = _guarded(path, "a NumPy archive", load)
    return Sliced(path, {name: array for name, array in arrays.items() if _is_numeric(array)})


def _mat(path: Path) -> Sliced:
    from scipy.io import loadmat

    def load() -> dict[str, Any] | None:
        try:
            return dict(loadmat(path, simplify_cells=True))
        except NotImplementedError:  # version 7.3 is HDF5
            return None

    found = _guarded(path, "a MAT file", load)
    if found is None:
        return _hdf5(path, matlab=True)
    arrays: dict[str, Any] = {}
    _flatten(found, "", arrays)
    return _long_first(path, arrays)


def _flatten(table: Mapping[str, Any], before: str, arrays: dict[str, Any]) -> None:
    for name, value in table.items():
        if isinstance(value, dict):
            _flatten(value, f"{before}{name}.", arrays)
        elif not name.startswith("__") and _is_numeric(value):
            arrays[before + name] = value


def _long_first(path: Path, arrays: Mapping[str, Any]) -> Sliced:
    """MATLAB's vectors lie or stand: the longer side is time."""
    plain: dict[str, Any] = {name: array.reshape(-1) if 1 in array.shape else array for name, array in arrays.items()}
    turned = {name: len(array.shape) == 2 and array.shape[0] < array.shape[1] for name, array in plain.items()}
    return Sliced(path, plain, turned)


def _hdf5(path: Path, matlab: bool = False) -> Sliced:
    try:
        import h5py
    except ImportError as error:
        raise RecordingError(path, "HDF5 files need h5py: pip install robosym[data]") from error

    def load() -> dict[str, Any]:
        arrays: dict[str, Any] = {}

        def visit(name: str, item: Any) -> None:
            if isinstance(item, h5py.Dataset) and not name.startswith("#") and _is_numeric(item):
                if item.external or item.is_virtual:
                    raise ValueError(f"'{name}' is kept in another file, which is not opened")
                arrays[name.replace("/", ".") if matlab else name] = item

        h5py.File(path, "r").visititems(visit)
        return arrays

    arrays = _guarded(path, "an HDF5 file", load)
    if not matlab:
        return Sliced(path, arrays)
    return _long_first(path, {name: array[()] if 1 in array.shape else array for name, array in arrays.items()})


def _guarded(path: Path, what: str, load: Callable[[], Any]) -> Any:
    try:
        return load()
    except Exception as error:  # each library has its own
        if "allow_pickle" in str(error) or "Python objects" in str(error):
            raise RecordingError(
                path, "holds Python objects, which are never unpacked: expected numbers only"
            ) from error
        raise RecordingError(path, f"cannot be read as {what}: {str(error)[:200] or type(error).__name__}") from error


# --- Parquet -----------------------------------------------------------------------------------------------------------


class ParquetColumns:
    """A Parquet file, of which only the needed columns are read. A column of lists is name.0, name.1, ..."""

    cheap = True

    def __init__(self, path: Path) -> None:
        try:
            import pyarrow as arrow
            from pyarrow import parquet
        except ImportError as error:
            raise RecordingError(path, "Parquet files need pyarrow: pip install robosym[data]") from error
        self.path = path
        self._file = _guarded(
            path, "a Parquet file", lambda: parquet.ParquetFile(path, buffer_size=1 << 18, pre_buffer=False)
        )
        self._columns: dict[str, tuple[str, int | None]] = {}
        kinds = arrow.types
        for field in self._file.schema_arrow:
            if kinds.is_list(field.type) or kinds.is_fixed_size_list(field.type) or kinds.is_large_list(field.type):
                for k in range(self._length(field.name)):
                    self._columns[f"{field.name}.{k}"] = (field.name, k)
            elif kinds.is_integer(field.type) or kinds.is_floating(field.type) or kinds.is_boolean(field.type):
                self._columns[field.name] = (field.name, None)
        self.names = tuple(self._columns)

    def blocks(self, columns: Sequence[int]) -> Iterator[Array]:
        chosen = [self._columns[self.names[place]] for place in columns]
        needed = list(dict.fromkeys(name for name, _ in chosen))
        batches = self._file.iter_batches(batch_size=ROWS, columns=needed, use_threads=False)
        while (batch := _guarded(self.path, "a Parquet file", lambda: next(batches, None))) is not None:
            found = np.empty((len(chosen), batch.num_rows)).T  # by columns, as they come and as filters go through them
            for k, (name, place) in enumerate(chosen):
                found[:, k] = self._column(batch.column(needed.index(name)), name, place)
            yield found

    def _column(self, column: Any, name: str, place: int | None) -> Any:
        if place is None:
            return _numbers(column)
        values = _numbers(column.flatten())
        if column.null_count or len(values) % len(column) or len(values) // len(column) != self._length(name):
            raise RecordingError(self.path, f"column '{name}': expected lists of the same length in all rows")
        return values.reshape(len(column), -1)[:, place]

    def _length(self, name: str) -> int:
        first = next(self._file.iter_batches(batch_size=1, columns=[name]), None)
        entry = first.column(0)[0].as_py() if first is not None and first.num_rows else None
        numeric = isinstance(entry, list) and all(isinstance(x, int | float) for x in entry)
        return len(entry) if numeric and entry else 0


def _numbers(column: Any) -> Any:
    """As they lie in memory, if all are there. The other way may import pandas, which takes longer than reading."""
    if column.null_count or column.type == "bool" or not len(column):
        return column.cast("float64").to_numpy(zero_copy_only=False)
    return np.from_dlpack(column)


READERS: dict[str, Callable[[Path], Source]] = {
    ".csv": TextFile,
    ".txt": TextFile,
    ".dat": TextFile,
    ".tsv": TextFile,
    ".parquet": ParquetColumns,
    ".mat": _mat,
    ".npy": _npy,
    ".npz": _npz,
    ".h5": _hdf5,
    ".hdf5": _hdf5,
}
