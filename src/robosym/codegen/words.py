"""What the comments of every language say: text made harmless, and arrays with what their entries are.

Names come from files. Whatever they hold, no comment or string of any language may end with it: letters, digits and a few signs
stay, everything else becomes ``_``; ``/`` stays only between letters or digits, as in ``rad/s``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..program.documentation import Documentation
from .layout import NO_BREAK, paragraph

PARAMETERS = "parameters"
SAID_WIDTH = 96  # columns of what is said of a model: with the signs of a comment at most 100


def one_line(text: str) -> str:
    """Text that cannot end a comment or a string of any language."""
    return re.sub(r"[^A-Za-z0-9 _.,:;()\[\]+=-]+", "_", text)


def prose(text: str) -> str:
    """The same with the units that words have: ``m/s``."""
    parts = re.split(r"(?<=[A-Za-z0-9])/(?=[A-Za-z0-9])", text)
    return "/".join(map(one_line, parts))


def shape_text(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape)) if shape else "scalar"


def indexed(names: Iterable[str], first: int) -> str:
    """``[0] q1, [1] q2``: the name behind every index, counted from ``first``."""
    return ", ".join(f"[{i}]{NO_BREAK}{name}" for i, name in enumerate(names, first))


def introduced(said: Documentation | None) -> Iterator[str]:
    """What the code computes and how it was made, in lines."""
    if said is not None:
        for sentence in (said.about, *said.made):
            yield from paragraph(prose(sentence), SAID_WIDTH, "", "  ")


def vector_entries(said: Documentation | None, name: str, symbols: Sequence[str], size: int) -> list[str]:
    """The entries of a vector: their symbols, if there are any, and what these are; nothing if nothing is known."""
    labels = list(map(prose, said.labels(name))) if said is not None and name in said.arrays else []
    if len(labels) != size:
        return list(symbols)
    if not symbols:
        return [label.replace(" ", NO_BREAK) for label in labels]
    pairs = zip(symbols, labels, strict=True)
    return [(a if _alike(a, b) else f"{a} {b}").replace(" ", NO_BREAK) for a, b in pairs]


def _alike(symbol: str, label: str) -> bool:
    """Whether a label says no more than the symbol."""
    return symbol.replace("_", " ") == label.replace("_", " ")


def parameter_entries(said: Documentation | None, symbols: Sequence[str]) -> list[str]:
    """Parameters with their units, where these are known."""
    known = said.arrays.get(PARAMETERS) if said is not None else None
    units = {entry.name: prose(entry.unit) for entry in known.rows} if known is not None else {}
    return [f"{name} ({units[name]})".replace(" ", NO_BREAK) if units.get(name) else name for name in symbols]


def parameters_about(said: Documentation | None) -> str:
    known = said.arrays.get(PARAMETERS) if said is not None else None
    return "" if known is None else prose(known.about)


def array_words(said: Documentation | None, name: str) -> str:
    """An array in a sentence, if it is known."""
    return prose(said.words(name)) if said is not None and name in said.arrays else ""


def listed(
    head: str,
    said: Documentation | None,
    name: str,
    shape: tuple[int, ...],
    width: int,
    first: int = 0,
    symbols: Sequence[str] = (),
    fallback: str = "",
) -> list[str]:
    """``head``: what the array is: its entries, counted from ``first``. ``symbols`` are those of the code; ``fallback`` is said
    of what nothing is known of."""
    words = array_words(said, name) or fallback
    own = vector_entries(said, name, symbols, shape[0]) if len(shape) == 1 else []
    entries = indexed(own, first) if len(shape) == 1 else ", ".join(symbols)
    return said_lines([head, words, entries], said, width)


def said_lines(parts: Sequence[str], said: Documentation | None, width: int) -> list[str]:
    """Parts of a sentence, those that are there, in lines."""
    return paragraph(": ".join(filter(None, parts)), width if said is None else min(width, SAID_WIDTH))
