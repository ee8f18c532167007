"""Parquet files, of which only the requested columns are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from . import recording_files as files
from .recording_errors import RecordingError, twice
from .recording_files import DOUBLE, WIDEST, check_sizes, guarded, reason_of, too_large
from .signals import Array

WHAT = "a Parquet file"


class ParquetColumns:
    """The columns of a Parquet file. A column of lists is name.0, name.1, ..."""

    cheap = True

    def __init__(self, path: Path) -> None:
        try:
            import pyarrow as arrow
            from pyarrow import parquet
        except ImportError as error:
            raise RecordingError(path, "Parquet files need pyarrow: pip install robosym[data]") from error
        self.path = path
        self._file = guarded(path, WHAT, lambda: parquet.ParquetFile(path, buffer_size=1 << 18, pre_buffer=False))
        self._columns: dict[str, tuple[str, int | None]] = {}
        self._widths: dict[str, int] = {}
        self.unread: dict[str, str] = {}
        kinds = arrow.types
        for field in self._file.schema_arrow:
            if kinds.is_list(field.type) or kinds.is_fixed_size_list(field.type) or kinds.is_large_list(field.type):
                self._add_lists(field.name)
            elif kinds.is_integer(field.type) or kinds.is_floating(field.type) or kinds.is_boolean(field.type):
                self._put(field.name, field.name, None)
        self.names = tuple(self._columns)

    def _add_lists(self, name: str) -> None:
        """The columns of lists, as many as the first list has numbers; or the reason why they are not read."""
        reason = too_large(self.path, self._held(name))
        if reason is None:
            try:
                width = self._width(name)
            except Exception as error:  # pyarrow has its own
                reason = reason_of(error, WHAT)
            else:
                if width > WIDEST:
                    reason = f"has lists of {width} numbers: expected at most {WIDEST}"
        if reason is not None:
            self.unread[name] = reason
            return
        self._widths[name] = width
        for k in range(width):
            self._put(f"{name}.{k}", name, k)

    def _put(self, column: str, name: str, place: int | None) -> None:
        if column in self._columns:
            raise twice(self.path, column)
        self._columns[column] = (name, place)

    def _width(self, name: str) -> int:
        first = next(self._file.iter_batches(batch_size=1, columns=[name]), None)
        values = first.column(0)[0].values if first is not None and first.num_rows else None
        if values is None or len(values) > WIDEST:
            return 0 if values is None else len(values)
        return len(values) if all(isinstance(x, int | float) for x in values.to_pylist()) else 0

    def _held(self, name: str) -> float:
        """The bytes that a column unpacks to, by the file's own account."""
        about = self._file.metadata
        leaves = [k for k in range(about.num_columns) if about.schema.column(k).path.partition(".")[0] == name]
        parts = [about.row_group(i).column(k) for i in range(about.num_row_groups) for k in leaves]
        numbers = max(about.num_rows, sum(part.num_values for part in parts))
        return float(max(DOUBLE * numbers, sum(part.total_uncompressed_size for part in parts)))

    def blocks(self, columns: Sequence[int]) -> Iterator[Array]:
        chosen = [self._columns[self.names[place]] for place in columns]
        needed = list(dict.fromkeys(name for name, _ in chosen))
        check_sizes(self.path, {name: guarded(self.path, WHAT, partial(self._held, name), name) for name in needed})
        batches = self._batches(needed)
        while (batch := self._next(batches, needed)) is not None:
            found = np.empty((len(chosen), batch.num_rows)).T  # by columns, as they come and as filters go through them
            for k, (name, place) in enumerate(chosen):
                found[:, k] = self._column(batch.column(needed.index(name)), name, place)
            yield found

    def _batches(self, needed: list[str]) -> Iterator[Any]:
        batches: Iterator[Any] = self._file.iter_batches(batch_size=files.ROWS, columns=needed, use_threads=False)
        return batches

    def _next(self, batches: Iterator[Any], needed: list[str]) -> Any:
        try:
            return next(batches, None)
        except Exception as error:  # pyarrow has its own
            bad = [name for name in needed if len(needed) == 1 or not self._is_readable(name)]
            listed = ", ".join(f"'{name}'" for name in bad or needed)
            raise RecordingError(self.path, f"column {listed}: {reason_of(error, WHAT)}") from error

    def _is_readable(self, name: str) -> bool:
        try:
            for _ in self._batches([name]):
                pass
        except Exception:  # pyarrow has its own
            return False
        return True

    def _column(self, column: Any, name: str, place: int | None) -> Any:
        if place is None:
            return guarded(self.path, WHAT, lambda: _numbers(column), name)
        values = guarded(self.path, WHAT, lambda: _numbers(column.flatten()), name)
        if column.null_count or len(values) != len(column) * self._widths[name]:
            raise RecordingError(self.path, f"column '{name}': expected lists of the same length in all rows")
        return values.reshape(len(column), -1)[:, place]


def _numbers(column: Any) -> Any:
    """As they lie in memory, if all are there. The other way may import pandas, which takes longer than reading."""
    if column.null_count or column.type == "bool" or not len(column):
        return column.cast("float64").to_numpy(zero_copy_only=False)
    return np.from_dlpack(column)
