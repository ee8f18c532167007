"""MAT files: of versions 4 and 5, variable by variable, by SciPy; version 7.3 is HDF5.

The headers of the variables are read here, so that one that is never named, damaged or huge, is never unpacked.
"""

from __future__ import annotations

import io
import math
import struct
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import recording_files as files
from .recording_errors import twice
from .recording_files import DOUBLE, Sliced, Unpacked, guarded, is_numeric, reason_of, too_large
from .recording_hdf5 import hdf5

WHAT = "a MAT file"
STRUCTURE, NUMBERS = 2, range(6, 16)  # classes of variables: doubles, singles and integers
MATRIX, COMPRESSED = 14, 15  # types of elements
HEADER, TAG = 128, 8  # bytes of a file's header, and of an element's
BEGINNING = 4096  # bytes of an element in which its shape and its name are
PIECE = 1 << 20  # bytes unpacked at once


def mat(path: Path) -> Sliced:
    """The variables of numbers in a file, and the fields of its structures."""
    with open(path, "rb") as file:
        head = file.read(HEADER)
    if len(head) == HEADER and 0 not in head[:4]:
        major = head[125] if head[126:128] == b"IM" else head[124]
        return hdf5(path, matlab=True) if major == 2 else _version_5(path, head)
    return _version_4(path)


def _version_4(path: Path) -> Sliced:
    """SciPy reads headers and rows from where they are: nothing is packed."""
    from scipy.io import loadmat, whosmat

    whole = path.stat().st_size
    arrays: dict[str, Any] = {}
    for name, shape, _ in guarded(path, WHAT, lambda: whosmat(path)):
        if len(shape) == 2 and min(shape) > 0 and math.prod(shape) <= whole:

            def load(name: str = name) -> Any:
                return loadmat(path, variable_names=[name])[name]

            arrays[name] = Unpacked(shape, float, DOUBLE * math.prod(shape), load)
    return Sliced(path, arrays, WHAT, matlab=True)


@dataclass(frozen=True)
class Variable:
    """A variable of a version 5 file: its header, and where its element is."""

    path: Path
    head: bytes  # of the file
    name: str
    kind: int  # class
    shape: tuple[int, ...]
    start: int  # of the element's tag
    count: int  # bytes of the element
    packed: bool

    def load(self, **options: Any) -> Any:
        """The variable, from a file that has no other."""
        from scipy.io import loadmat

        with open(self.path, "rb") as file:
            file.seek(self.start)
            alone = io.BytesIO(self.head + file.read(TAG + self.count))
        return loadmat(alone, **options)[self.name]

    def size(self) -> float:
        """The bytes that its numbers take."""
        return float(max(DOUBLE * math.prod(self.shape), self.unpacked()))

    def unpacked(self, times: int = 1) -> int:
        """So many times the bytes that it unpacks to; no more are counted than a recording can have."""
        return times * (self._unpacked(times) if self.packed else self.count)

    def _unpacked(self, times: int) -> int:
        most = max(files.LARGE, files.DENSE * self.path.stat().st_size) // times
        unpacker, total, left = zlib.decompressobj(), 0, self.count
        with open(self.path, "rb") as file:
            file.seek(self.start + TAG)
            while left > 0 and total <= most and not unpacker.eof:
                packed = file.read(min(left, PIECE))
                if not packed:
                    break
                left -= len(packed)
                while packed and total <= most:
                    total += len(unpacker.decompress(packed, PIECE))
                    packed = unpacker.unconsumed_tail
        return total


def _version_5(path: Path, head: bytes) -> Sliced:
    arrays: dict[str, Any] = {}
    unread: dict[str, str] = {}
    variables = guarded(path, WHAT, lambda: list(_variables(path, head)))
    for name, count in Counter(variable.name for variable in variables).items():
        if name and count > 1:
            raise twice(path, name)
    for variable in variables:
        if variable.kind in NUMBERS and len(variable.shape) == 2 and min(variable.shape) > 0:
            arrays[variable.name] = Unpacked(variable.shape, float, variable.size, variable.load)
        elif variable.kind == STRUCTURE and variable.name:
            _add_fields(variable, arrays, unread)
    return Sliced(path, arrays, WHAT, matlab=True, unread=unread)


def _add_fields(variable: Variable, arrays: dict[str, Any], unread: dict[str, str]) -> None:
    """The fields of a structure, which is read whole; or the reason why it is not."""
    try:
        reason = too_large(variable.path, variable.unpacked(DOUBLE))  # a byte in the file may be a double in memory
        if reason is None:
            _flatten({variable.name: variable.load(simplify_cells=True)}, "", arrays)
    except Exception as error:  # SciPy, zlib and NumPy have their own
        reason = reason_of(error, WHAT)
    if reason is not None:
        unread[variable.name] = reason


def _flatten(table: Mapping[str, Any], before: str, arrays: dict[str, Any]) -> None:
    for name, value in table.items():
        if isinstance(value, dict):
            _flatten(value, f"{before}{name}.", arrays)
        elif isinstance(value, np.ndarray) and is_numeric(value):
            arrays[before + name] = value


# --- headers of version 5 ----------------------------------------------------------------------------------------------


def _variables(path: Path, head: bytes) -> Iterator[Variable]:
    order, whole = "<" if head[126:128] == b"IM" else ">", path.stat().st_size
    at = HEADER
    with open(path, "rb") as file:
        while at + TAG <= whole:
            file.seek(at)
            kind, count = struct.unpack(f"{order}II", file.read(TAG))
            if kind not in (MATRIX, COMPRESSED) or at + TAG + count > whole:
                raise ValueError(f"expected a variable at byte {at}: is the file complete?")
            beginning = file.read(min(count, BEGINNING))
            if kind == COMPRESSED:
                beginning = zlib.decompressobj().decompress(beginning, BEGINNING)[TAG:]
            try:
                yield Variable(path, head, *_header(beginning, order), at, count, kind == COMPRESSED)
            except (struct.error, IndexError) as error:
                raise ValueError(f"the variable at byte {at} has no header") from error
            at += TAG + count


def _header(content: bytes, order: str) -> tuple[str, int, tuple[int, ...]]:
    """Name, class and shape at the beginning of a matrix element."""
    (flags,) = struct.unpack_from(f"{order}I", content, TAG)
    sides, at = _entry(content, 2 * TAG, order)
    name, _ = _entry(content, at, order)
    shape = struct.unpack(f"{order}{len(sides) // 4}i", sides)
    return name.decode("latin-1"), flags & 0xFF, shape


def _entry(content: bytes, at: int, order: str) -> tuple[bytes, int]:
    """The content of an element at a place, and the place of the next: up to four bytes stand in the tag itself."""
    kind, count = struct.unpack_from(f"{order}II", content, at)
    if kind >> 16:
        return content[at + 4 : at + 4 + (kind >> 16)], at + TAG
    if at + TAG + count > len(content):
        raise IndexError("longer than what is there")
    return content[at + TAG : at + TAG + count], at + TAG + count + -count % TAG
