"""Tables on the screen: as wide as the terminal, and complete in a file or a pipe."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .screen import console, say, terminal_width, visible

EMPTY = ("", "0", "-")
NARROWEST = 16  # to which a column of prose may shrink


def table(head: Sequence[str], rows: Sequence[Sequence[str]], title: str | None = None) -> None:
    """Print a table. One that is too wide for the terminal loses the columns in which nothing stands, then is folded where it has
    words, and comes in several parts as the last resort."""
    columns = [Column(visible(name, lines=False), tuple(_cells(rows, k))) for k, name in enumerate(head)]
    width = terminal_width()
    if width is None or _width(columns) <= width:
        _draw(columns, title, None)
        return
    shown, silent = _without_empty(columns, width)
    parts = _parts(shown, width)
    for k, part in enumerate(parts, 1):
        _draw(part, (f"{title}, " if title else "") + f"part {k} of {len(parts)}" if len(parts) > 1 else title, width)
    if silent:
        names = ", ".join(column.name for column in silent)
        say(f"left out, because every row has {silent[0].cells[0] or 'nothing'} there: {names}\n")


@dataclass(frozen=True)
class Column:
    """A name and what stands below it."""

    name: str
    cells: tuple[str, ...]

    @property
    def widest(self) -> int:
        return max(map(_length, (self.name, *self.cells)))

    @property
    def narrowest(self) -> int:
        """Of prose, to which it may be folded: its longest word."""
        words = [word for text in (self.name, *self.cells) for word in text.split(" ")]
        return min(self.widest, max(NARROWEST, *map(_length, words)))


def _cells(rows: Sequence[Sequence[str]], k: int) -> list[str]:
    return [visible(row[k], lines=False) for row in rows]


def _length(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _width(columns: Sequence[Column], narrow: bool = False) -> int:
    """Of the whole table: two blanks and a rule a column."""
    return 1 + sum(3 + (column.narrowest if narrow else column.widest) for column in columns)


def _without_empty(columns: Sequence[Column], width: int) -> tuple[list[Column], list[Column]]:
    """The columns that are shown, and those left out, which say the same nothing in every row; one is enough where it is."""
    words = {cell for column in columns[1:] for cell in column.cells[:1] if cell in EMPTY}
    silent: list[Column] = []
    for word in sorted(words, reverse=True):  # 0 before a dash before nothing, and one kind at a time to be named
        silent = [column for column in columns[1:] if set(column.cells) == {word}]
        if silent:
            break
    return [column for column in columns if column not in silent], silent


def _parts(columns: list[Column], width: int) -> list[list[Column]]:
    """As many tables as it takes, each begins with the first column."""
    if _width(columns, narrow=True) <= width or len(columns) < 3:
        return [columns]
    first, parts = columns[0], [[columns[0]]]
    for column in columns[1:]:
        if len(parts[-1]) > 1 and _width([*parts[-1], column], narrow=True) > width:
            parts.append([first])
        parts[-1].append(column)
    return parts


def _draw(columns: Sequence[Column], title: str | None, width: int | None) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=box.SIMPLE_HEAD)
    for column in columns:
        folds = width is not None and column.narrowest < column.widest
        drawn.add_column(
            Text(column.name), no_wrap=not folds, overflow="fold", min_width=None if folds else column.widest
        )
    for row in zip(*(column.cells for column in columns), strict=True):
        drawn.add_row(*map(Text, row))
    screen = console(width=width or max(200, _width(columns), _length(title or "")))
    if title is not None:  # not the table's own, which would be folded to its width
        screen.print(Text(visible(title, lines=False), style="italic"))
    screen.print(drawn)


def short(written: str) -> str:
    """Long floats are shortened on the screen; the files keep every digit."""
    try:
        return f"{float(written):.6g}"
    except ValueError:
        return written


# --- positions of joints ---------------------------------------------------------------------------------------------


def joint_tables(
    joints: Sequence[str], turning: Sequence[bool], rows: Any, last: tuple[str, Sequence[str]] | None = None
) -> None:
    """Angles in degrees first, then all in the units of the models: a row for each position. ``last`` is one more column, its title and
    its words."""
    for unit, scale, digits in (("deg", math.degrees(1), 4), ("rad", 1.0, 9)) if any(turning) else (("rad", 1.0, 9),):
        head = [f"{name} ({unit if turns else 'm'})" for name, turns in zip(joints, turning, strict=True)]
        factors = [scale if turns else 1.0 for turns in turning]
        body = [[f"{x * factor:.{digits}f}" for x, factor in zip(row, factors, strict=True)] for row in rows]
        if last is not None:
            head, body = [*head, last[0]], [[*row, word] for row, word in zip(body, last[1], strict=True)]
        table(["", *head], [[str(i), *row] for i, row in enumerate(body, 1)])
