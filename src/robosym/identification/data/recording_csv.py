"""Recordings as text: cells between commas, semicolons, tabs or spaces, with or without a line of names.

A block of lines is read by NumPy when every line has as many cells as the first; any other block is read cell by cell, which
is slower and knows comments, empty lines, quotes and missing numbers, and names the line and the column of what is wrong.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from .recording_errors import RecordingError
from .signals import Array

BLOCK = 4 * 1024 * 1024  # bytes read at once
LONGEST_LINE = 1024 * 1024  # a longer one is not a line of numbers
COMMENTS = ("#", "%")
MISSING = ("", "nan", "na", "n/a", "null", "none")
SEPARATORS = ("\t", ";", ",")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # of UTF-8, as spreadsheets write it


class TextFile:
    """A text file of columns. ``names`` are those of its header, or c1, c2, ..."""

    cheap = False  # to read it again takes as long as the first time

    def __init__(self, path: Path) -> None:
        self.path = path
        self.unread: dict[str, str] = {}
        self._open_header()

    def blocks(self, columns: Sequence[int]) -> Iterator[Array]:
        """The columns, some thousand rows at a time."""
        line = self._skip + 1
        for text in self._texts(self._skip):
            yield self._numbers(text, line, columns)
            line += text.count(b"\n")

    # --- the header ------------------------------------------------------------------------------------------------------

    def _open_header(self) -> None:
        remarks: list[str] = []
        self._skip = 0
        first = ""
        for line in self._lines():
            self._skip += 1
            if line.startswith(COMMENTS):
                remarks.append(line.lstrip("".join(COMMENTS)).strip())
            elif line.strip():
                first = line
                break
        if not first:
            raise RecordingError(self.path, "there are no numbers in it: expected a line for each sample")
        self._separator = next((s for s in SEPARATORS if s in first), " ")
        cells = self._cells(first)
        if all(_number(cell) is not None for cell in cells):  # no header
            self._skip -= 1
            titles = self._cells(remarks[-1]) if remarks else []
            named = len(titles) == len(cells) and all(title and _number(title) is None for title in titles)
            cells = titles if named else [f"c{k}" for k in range(1, len(cells) + 1)]
        if cells[-1] == "":  # a separator at the end of each line
            cells = cells[:-1]
        self._width = len(self._cells(first))
        self.names = tuple(cells)

    def _lines(self) -> Iterator[str]:
        for text in self._texts(0):
            for line in text.decode("latin-1").removesuffix("\n").split("\n"):
                try:
                    yield line.encode("latin-1").decode()
                except UnicodeDecodeError:
                    yield line

    def _cells(self, line: str) -> list[str]:
        if self._separator == " ":
            return line.split()
        try:
            cells = next(csv.reader([line.strip("\r\n")], delimiter=self._separator), [])
        except csv.Error as error:
            raise RecordingError(self.path, f"cannot be read as text: {error}") from error
        return [cell.strip() for cell in cells]

    # --- the numbers -----------------------------------------------------------------------------------------------------

    def _texts(self, skip: int) -> Iterator[bytes]:
        """Whole lines, without the first ``skip``; the last line is ended if it is not."""
        rest = held = b""
        try:
            with open(self.path, "rb") as file:
                while block := file.read(BLOCK):
                    if file.tell() == len(block):
                        block = block.removeprefix(BYTE_ORDER_MARK)
                    block = held + block
                    held = (
                        b"\r" if block.endswith(b"\r") else b""
                    )  # the next block may begin with the "\n" of this line's end
                    block = block.removesuffix(held)
                    if b"\0" in block:
                        raise RecordingError(self.path, "expected text, found bytes that are none")
                    if b"\r" in block:
                        block = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
                    block = rest + block
                    end = block.rfind(b"\n") + 1
                    rest, block = block[end:], block[:end]
                    if len(rest) > LONGEST_LINE:
                        raise RecordingError(self.path, f"a line is longer than {LONGEST_LINE} bytes")
                    at = 0
                    while skip and at < len(block):
                        at = block.find(b"\n", at) + 1
                        skip -= 1
                    if at < len(block):
                        yield block[at:] if at else block
        except OSError as error:
            raise RecordingError(self.path, f"cannot be read: {error.strerror or error}") from error
        if rest and not skip:
            yield rest + b"\n"

    def _numbers(self, text: bytes, line: int, columns: Sequence[int]) -> Array:
        if self._is_regular(text):
            try:
                return np.loadtxt(
                    io.BytesIO(text),
                    delimiter=None if self._separator == " " else self._separator,
                    comments=None,
                    usecols=tuple(columns),
                    ndmin=2,
                    encoding="latin-1",
                )
            except ValueError:  # the cells one by one say where and why
                pass
        return self._cell_by_cell(text, line, columns)

    def _is_regular(self, text: bytes) -> bool:
        """Whether every line has as many separators as the first of the file, and nothing is quoted."""
        if self._separator == " " or b'"' in text:
            return False
        letters = np.frombuffer(text, dtype=np.uint8)
        ends = np.flatnonzero(letters == ord("\n"))
        separators = np.flatnonzero(letters == ord(self._separator))
        counts = np.diff(np.searchsorted(separators, ends), prepend=0)
        return bool((counts == self._width - 1).all())

    def _cell_by_cell(self, text: bytes, start: int, columns: Sequence[int]) -> Array:
        rows: list[list[float]] = []
        for number, line in enumerate(text.decode("latin-1").split("\n"), start):
            if not line.strip() or line.startswith(COMMENTS):
                continue
            cells = self._cells(line)
            if len(cells) != self._width:
                cut = " (is the file complete?)" if len(cells) < self._width else ""
                raise RecordingError(self.path, f"line {number}: expected {self._width} cells, got {len(cells)}{cut}")
            row = []
            for place in columns:
                amount = _number(cells[place])
                if amount is None:
                    raise RecordingError(
                        self.path, f"line {number}, column '{self.names[place]}': {_wrong(cells[place])}"
                    )
                row.append(amount)
            rows.append(row)
        return np.array(rows, dtype=float).reshape(len(rows), len(columns))


def _number(cell: str) -> float | None:
    """The number in a cell, nan for a missing one, None for a text."""
    if cell.lower() in MISSING:
        return math.nan
    try:
        return None if "_" in cell else float(cell)
    except ValueError:
        return None


def _wrong(cell: str) -> str:
    comma = " (decimals are written with a point)" if _number(cell.replace(",", ".")) is not None else ""
    return f"expected a number, got {cell[:40]!r}{comma}"
