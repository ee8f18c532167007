"""Arrays of arrays, as most languages write them in brackets: indices and literals."""

from __future__ import annotations

from collections.abc import Sequence

from .layout import WIDTH, wrap

INDENT = " " * 4


def indices(flat: int, shape: tuple[int, ...]) -> list[int]:
    """The index along each axis of an entry counted by rows."""
    places = []
    for size in reversed(shape):
        flat, place = divmod(flat, size)
        places.append(place)
    return places[::-1]


def subscript(flat: int, shape: tuple[int, ...]) -> str:
    """``[1][2]`` for an entry counted by rows; nothing for a scalar."""
    return "".join(f"[{i}]" for i in indices(flat, shape))


def nested(
    texts: Sequence[str],
    shape: tuple[int, ...],
    indent: str,
    head: str = "",
    tail: str = "",
    *,
    step: str = INDENT,
    width: int = WIDTH,
    brackets: str = "[]",
    last: str = ",",
) -> list[str]:
    """``head``, nested literals with a line for each row, ``tail``; a scalar stands alone.

    A row too long for a line has a line for each entry, or is filled into several where all entries are names and
    numbers. ``step`` is a level of indentation, ``last`` what follows the last row.
    """
    opened, closed = brackets[0], brackets[1]
    line = f"{indent}{head}{opened}{', '.join(texts)}{closed}{tail}" if shape else f"{indent}{head}{texts[0]}{tail}"
    is_plain = not any(" " in text for text in texts)
    if not shape or (not texts and shape[0] == 0) or (len(shape) == 1 and (len(line) <= width or is_plain)):
        return wrap(line, indent + step, width)
    size = len(texts) // shape[0]
    lines = [f"{indent}{head}{opened}"]
    for row in range(shape[0]):
        part, comma = texts[row * size : (row + 1) * size], "," if row < shape[0] - 1 else last
        lines += nested(
            part, shape[1:], indent + step, tail=comma, step=step, width=width, brackets=brackets, last=last
        )
    return [*lines, f"{indent}{closed}{tail}"]
