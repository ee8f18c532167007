"""Arrays of arrays, as most languages write them in brackets: indices and literals."""

from __future__ import annotations

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
    texts: tuple[str, ...],
    shape: tuple[int, ...],
    indent: str,
    head: str = "",
    tail: str = "",
    *,
    step: str = INDENT,
    width: int = WIDTH,
    spread: bool = False,
) -> list[str]:
    """``head``, nested literals with a line for each row, ``tail``; ``step`` is a level of indentation.

    A row too long for a line is filled into several, or ``spread`` with a line for each entry.
    """
    if len(shape) <= 1:
        written = f"[{', '.join(texts)}]" if shape else texts[0]
        line = f"{indent}{head}{written}{tail}"
        if not (shape and spread) or len(line) <= width:
            return wrap(line, indent + step, width)
    size = len(texts) // shape[0] if shape[0] else 0
    lines = [f"{indent}{head}["]
    for row in range(shape[0]):
        part = texts[row * size : (row + 1) * size]
        lines += nested(part, shape[1:], indent + step, tail=",", step=step, width=width, spread=spread)
    return [*lines, f"{indent}]{tail}"]
