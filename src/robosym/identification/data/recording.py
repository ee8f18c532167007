"""A recording: named columns of numbers, from one file or from several that lie side by side, read in blocks of rows."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ...brief import brief
from .recording_errors import RecordingError
from .recording_files import ROWS, Source, in_memory
from .recording_formats import open_source
from .signals import Array

KEPT = 256 * 1024 * 1024  # bytes of columns from text that are kept, so that the text is read only once


@dataclass(frozen=True, repr=False)
class Recording:
    """Recording: named columns of numbers, from one file or from several side by side.

    If files have a column name in common, the column is called file.column, with the stem of the file name.

    Attributes
    ----------
    sources
        Files or arrays of the recording.
    """

    sources: tuple[Source, ...]
    _kept: dict[tuple[str, ...], Array] = field(default_factory=dict, compare=False)

    @classmethod
    def read(cls, *paths: str | Path) -> Recording:
        """Recording of one file, or of several with the same number of rows.

        Parameters
        ----------
        *paths
            Files of the recording.
        """
        if not paths:
            raise RecordingError("", "expected at least one file of a recording")
        return cls(tuple(open_source(Path(path)) for path in paths))

    @classmethod
    def from_arrays(cls, columns: Mapping[str, Any], name: str = "recording") -> Recording:
        """Recording of arrays in memory.

        Parameters
        ----------
        columns
            Arrays by column name. An array of two dimensions is the columns name.0, name.1, and so on.
        name
            Title of the recording.
        """
        return cls((in_memory(columns, name),))

    def __repr__(self) -> str:
        return brief(f"Recording {self.title}: {', '.join(self.names)}")

    @property
    def title(self) -> str:
        """File names, for messages."""
        return ", ".join(source.path.name for source in self.sources)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        count = Counter(name for source in self.sources for name in source.names)
        return tuple(
            name if count[name] == 1 else f"{source.path.stem}.{name}"
            for source in self.sources
            for name in source.names
        )

    def place(self, name: str) -> tuple[int, int]:
        """File of a column, and its place there.

        Parameters
        ----------
        name
            Name of the column.
        """
        found = {
            (s, source.names.index(own)): None
            for s, source in enumerate(self.sources)
            for own in (name, name.removeprefix(f"{source.path.stem}."))
            if own in source.names
        }
        if len(found) == 1:
            return next(iter(found))
        if found:
            choices = " or ".join(f"'{self.sources[s].path.stem}.{name}'" for s, _ in found)
            raise RecordingError(self.title, f"column '{name}' is in several files: expected {choices}")
        for source in self.sources:
            for array, reason in source.unread.items():
                if any(
                    own == array or own.startswith(f"{array}.")
                    for own in (name, name.removeprefix(f"{source.path.stem}."))
                ):
                    raise RecordingError(source.path, f"column '{name}': {reason}")
        close = difflib.get_close_matches(name, self.names, 3, 0.5)
        known = ", ".join(self.names[:20]) + (", ..." if len(self.names) > 20 else "")
        hint = f"did you mean {' or '.join(map(repr, close))}?" if close else f"columns: {known}"
        raise RecordingError(self.title, f"there is no column '{name}' ({hint})")

    def expanded(self, name: str) -> tuple[str, ...]:
        """Columns name.0, name.1, ... of a two-dimensional array, or the column itself.

        Parameters
        ----------
        name
            Name of the array or column.
        """
        many = [
            other for other in self.names if other.rpartition(".")[0] == name and other.rpartition(".")[2].isdigit()
        ]
        return (name,) if name in self.names or not many else tuple(many)

    def blocks(self, columns: Sequence[str]) -> Iterator[Array]:
        """Columns in blocks of rows.

        Parameters
        ----------
        columns
            Names of the columns.
        """
        key = tuple(columns)
        if key in self._kept:
            whole = self._kept[key]
            yield from (whole[start : start + ROWS] for start in range(0, len(whole), ROWS))
            return
        keep = not all(source.cheap for source in self.sources)
        parts: list[Array] = []
        for block in self._read(key):
            keep = keep and sum(part.nbytes for part in parts) + block.nbytes <= KEPT
            parts = [*parts, block] if keep else []
            yield block
        if keep:
            self._kept[key] = np.concatenate(parts) if parts else np.empty((0, len(key)))

    def columns(self, names: Sequence[str]) -> Array:
        """Columns in full, one row per sample.

        Parameters
        ----------
        names
            Names of the columns.
        """
        return np.concatenate([np.empty((0, len(names))), *self.blocks(names)])

    def _read(self, names: tuple[str, ...]) -> Iterator[Array]:
        places = [self.place(name) for name in names]
        used = [s for s in range(len(self.sources)) if any(file == s for file, _ in places)]
        streams = [_in_steps(self.sources[s].blocks([place for file, place in places if file == s])) for s in used]
        order = np.argsort([k for s in used for k, (file, _) in enumerate(places) if file == s])
        in_order = len(used) == 1 and bool(np.all(order == np.arange(len(order))))
        lengths = [0] * len(used)
        while True:
            parts = [next(stream, None) for stream in streams]
            rows = [0 if part is None else len(part) for part in parts]
            lengths = [a + b for a, b in zip(lengths, rows, strict=True)]
            if len(set(rows)) > 1:
                self._refuse(used, lengths, streams)
            if not any(rows):
                return
            there = [part for part in parts if part is not None]
            yield there[0] if in_order else np.concatenate(there, axis=1)[:, order]

    def _refuse(self, used: Sequence[int], lengths: Sequence[int], streams: Sequence[Iterator[Array]]) -> None:
        totals = [n + sum(map(len, stream)) for n, stream in zip(lengths, streams, strict=True)]
        listed = ", ".join(f"{self.sources[s].path.name} {n}" for s, n in zip(used, totals, strict=True))
        raise RecordingError(self.title, f"files side by side need the same number of rows, got {listed}")


def _in_steps(blocks: Iterator[Array]) -> Iterator[Array]:
    """The same rows, always ``ROWS`` of them but for the last."""
    held: list[Array] = []
    for block in blocks:
        held.append(block)
        if sum(map(len, held)) >= ROWS:
            joined = held[0] if len(held) == 1 else np.concatenate(held)
            whole = len(joined) - len(joined) % ROWS
            yield from (joined[start : start + ROWS] for start in range(0, whole, ROWS))
            held = [joined[whole:]] if whole < len(joined) else []
    rest = np.concatenate(held) if held else np.empty((0, 0))
    if len(rest):
        yield rest
