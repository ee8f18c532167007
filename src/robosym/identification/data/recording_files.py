"""Columns of recordings in files: what all formats share, and NumPy's formats.

A source has named columns and gives them in blocks of rows. Only the columns that are requested are read. A file whose
columns unpack to far more than its own size is no recording: it raises an error before anything is allocated.
"""

from __future__ import annotations

import math
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from .recording_errors import RecordingError, twice
from .signals import Array

ROWS = 32768  # read at once
LARGE, DENSE = 1 << 30, 100  # bytes that columns unpack to, and times the file's size: both together are no recording
WIDEST = 1024  # columns of one array
DOUBLE = 8  # bytes of a number once it is read


class Source(Protocol):
    """Named columns of numbers, read in blocks of any number of rows.

    ``unread`` are the arrays that cannot be columns, each with the reason.
    """

    path: Path
    names: tuple[str, ...]
    cheap: bool  # to read again
    unread: dict[str, str]

    def blocks(self, columns: Sequence[int]) -> Iterator[Array]: ...


# --- limits and errors -------------------------------------------------------------------------------------------------


def too_large(path: Path, unpacked: float) -> str | None:
    """Why columns that unpack to so many bytes are no recording, or None."""
    if unpacked <= LARGE:
        return None
    size = path.stat().st_size
    if unpacked <= DENSE * size:
        return None
    return (
        f"unpacks to {unpacked / 1e9:.3g} GB from a file of {size / 1e6:.2g} MB, which no recording of this size does. "
        "Expected measured samples: is the file damaged?"
    )


def check_sizes(path: Path, unpacked: Mapping[str, float]) -> None:
    """Raise an error if these columns together are no recording; it names the largest."""
    reason = too_large(path, sum(unpacked.values()))
    if reason is not None:
        largest = max(unpacked, key=lambda name: unpacked[name])
        others = f" and {len(unpacked) - 1} more" if len(unpacked) > 1 else ""
        raise RecordingError(path, f"column '{largest}'{others}: {reason}")


def guarded(path: Path, what: str, load: Callable[[], Any], column: str | None = None) -> Any:
    """What ``load`` returns; its error, whatever it is, as one that names the file and the column."""
    try:
        return load()
    except RecordingError:
        raise
    except Exception as error:  # each library has its own
        raise RecordingError(path, (f"column '{column}': " if column else "") + reason_of(error, what)) from error


def reason_of(error: Exception, what: str) -> str:
    """Why a file or an array cannot be read as what it should be."""
    if "allow_pickle" in str(error) or "Python objects" in str(error):
        return "holds Python objects, which are never unpacked: expected numbers only"
    words = " ".join(str(error).split())[:200] or type(error).__name__
    return f"cannot be read as {what}: {words}"


# --- columns that can be sliced ----------------------------------------------------------------------------------------


class Sliced:
    """Columns whose rows can be taken from anywhere: arrays in memory or mapped to it, and arrays that are read when needed.

    An array has one or two dimensions, rows first; MATLAB's vectors lie or stand, and the longer side of its matrices is
    time. An array that is read when needed has ``held``, the bytes that reading takes.
    """

    cheap = True

    def __init__(
        self,
        path: Path,
        arrays: Mapping[str, Any],
        what: str = "",
        *,
        matlab: bool = False,
        unread: Mapping[str, str] | None = None,
    ) -> None:
        self.path, self.what = path, what
        self.unread = dict(unread or {})
        self._columns: dict[str, tuple[str, Any, int | None, bool]] = {}  # array's name, array, place in it, turned
        for name, array in arrays.items():
            self._add(name, array, matlab)
        self.names = tuple(self._columns)

    def _add(self, name: str, array: Any, matlab: bool) -> None:
        if len(array.shape) == 1:
            self._put(name, name, array, None, False)
            return
        turned = matlab and lies(array)
        width = array.shape[0 if turned else 1]
        if matlab and width == 1:
            self._put(name, name, array, 0, turned)
        elif width > WIDEST:
            sides = " x ".join(map(str, array.shape))
            self.unread[name] = f"has {sides} numbers: expected a row for each sample and at most {WIDEST} columns"
        else:
            for k in range(width):
                self._put(f"{name}.{k}" if name else f"c{k + 1}", name, array, k, turned)

    def _put(self, column: str, name: str, array: Any, place: int | None, turned: bool) -> None:
        if column in self._columns:  # an array q.0 beside an array q of two dimensions
            raise twice(self.path, column)
        self._columns[column] = (name, array, place, turned)

    def blocks(self, columns: Sequence[int]) -> Iterator[Array]:
        chosen = [self._columns[self.names[place]] for place in columns]
        lengths = [array.shape[1 if turned else 0] for _, array, _, turned in chosen]
        if len(set(lengths)) > 1:
            listed = ", ".join(f"'{self.names[p]}' {n}" for p, n in zip(columns, lengths, strict=True))
            raise RecordingError(self.path, f"columns of different lengths: {listed}")
        check_sizes(self.path, {name: self._held(name, array) for name, array, _, _ in chosen})
        for start in range(0, lengths[0] if lengths else 0, ROWS):
            found = np.empty((len(chosen), min(ROWS, lengths[0] - start))).T
            read: dict[str, Any] = {}
            for k, (name, array, place, turned) in enumerate(chosen):
                if name not in read:
                    read[name] = self._rows(name, array, slice(start, start + ROWS), turned)
                found[:, k] = read[name] if place is None else read[name][:, place]
            yield found

    def _held(self, name: str, array: Any) -> float:
        if isinstance(array, np.ndarray):
            return 0.0
        held: float = guarded(self.path, self.what, lambda: array.held, name)
        return held

    def _rows(self, name: str, array: Any, rows: slice, turned: bool) -> Any:
        def load() -> Any:
            return np.asarray(array[:, rows].T if turned else array[rows])

        return guarded(self.path, self.what or "numbers", load, name or None)


def is_numeric(array: Any) -> bool:
    """Whether an array can be columns of a recording."""
    shape: Any = getattr(array, "shape", None)  # none of an empty dataset of HDF5
    return (
        bool(shape) and len(shape) <= 2 and min(shape) > 0 and getattr(array, "dtype", np.dtype(object)).kind in "fiub"
    )


def in_memory(columns: Mapping[str, Any], name: str = "") -> Sliced:
    """Arrays as a source; one of two dimensions is the columns name.0, name.1, ..."""
    arrays = {key: np.asarray(value) for key, value in columns.items()}
    for key, array in arrays.items():
        if not is_numeric(array):
            raise RecordingError(name, f"column '{key}': expected an array of numbers of one or two dimensions")
    return Sliced(Path(name), arrays)


def lies(array: Any) -> bool:
    """Whether the samples of a matrix of MATLAB go from left to right, as ``array`` has it: the longer side is time. A square one
    stands, and lies where the file has columns first."""
    rows, columns = array.shape
    return bool(rows < columns or (rows == columns > 1 and getattr(array, "columns_first", False)))


class Unpacked:
    """An array of a file that is read whole when a row of it is needed first."""

    def __init__(
        self, shape: tuple[int, ...], dtype: Any, held: float | Callable[[], float], load: Callable[[], Any]
    ) -> None:
        self.shape, self.dtype, self._held, self._load = shape, np.dtype(dtype), held, load
        self._array: Any = None

    @property
    def held(self) -> float:
        """The bytes that reading takes."""
        if callable(self._held):
            self._held = self._held()
        return self._held

    def __getitem__(self, rows: Any) -> Any:
        if self._array is None:
            array = np.asarray(self._load())
            if array.shape != self.shape or not is_numeric(array):
                raise ValueError(f"expected {self.shape} real numbers, got {array.dtype} of {array.shape}")
            self._array = array
        return self._array[rows]


# --- NumPy -------------------------------------------------------------------------------------------------------------


def npy(path: Path) -> Sliced:
    array = guarded(path, "a NumPy file", lambda: np.load(path, mmap_mode="r", allow_pickle=False))
    if array.dtype.names:
        return Sliced(path, {name: array[name] for name in array.dtype.names if is_numeric(array[name])})
    if not is_numeric(array):
        raise RecordingError(path, f"expected numbers in one or two dimensions, got {array.dtype} in {array.ndim}")
    return Sliced(path, {"": array if array.ndim == 2 else array[:, None]})


def npz(path: Path) -> Sliced:
    what = "a NumPy archive"

    def load() -> Sliced:
        arrays: dict[str, Unpacked] = {}
        unread: dict[str, str] = {}
        with zipfile.ZipFile(path) as packed:
            for member in packed.infolist():
                name = member.filename.removesuffix(".npy")
                reason = too_large(path, member.file_size)
                if reason is not None:
                    unread[name] = reason
                    continue
                try:
                    array = _packed(path, packed, member)
                except Exception as error:  # zlib, zipfile and NumPy have their own
                    unread[name] = reason_of(error, what)
                    continue
                if is_numeric(array):
                    arrays[name] = array
        return Sliced(path, arrays, what, unread=unread)

    found: Sliced = guarded(path, what, load)
    return found


def _packed(path: Path, packed: zipfile.ZipFile, member: zipfile.ZipInfo) -> Unpacked:
    """A member of an archive by its header alone."""
    form = np.lib.format
    with packed.open(member) as file:
        version = form.read_magic(file)
        header = form.read_array_header_1_0 if version == (1, 0) else form.read_array_header_2_0
        shape, _, dtype = header(file)
    if dtype.hasobject:
        raise ValueError("Python objects")
    count = math.prod(shape)
    if count * dtype.itemsize > member.file_size:
        raise ValueError(f"its header promises {shape} numbers, more than it holds")

    def load() -> Any:
        with zipfile.ZipFile(path) as archive, archive.open(member.filename) as file:
            return form.read_array(file, allow_pickle=False)

    return Unpacked(shape, dtype, DOUBLE * count, load)
