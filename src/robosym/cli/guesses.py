"""What a mistyped word may have been."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def guess(word: str, known: Iterable[str], most: int = 1) -> str:
    """The nearest of the known words; nothing where none is near. Capitals and _ for - do not count."""
    words = {_plain(one): one for one in reversed(list(known))}
    near = difflib.get_close_matches(_plain(word)[:60], words, most, 0.6)
    return " or ".join(words[one] for one in near)


def _plain(word: str) -> str:
    return word.lower().replace("_", "-")


def no_such(kind: str, word: str, known: Iterable[str], where: str = "") -> str:
    """There is none of this name, but there is a similar one; else all are listed. ``where`` says how to list them."""
    names = list(known)
    if near := guess(word, names):
        return f"there is no {kind} '{word}' (did you mean {near}?){f'; {where}' if where else ''}"
    return f"there is no {kind} '{word}' ({kind}s: {', '.join(names)})"


def no_model(word: str, known: Iterable[str]) -> str:
    """The same of a model; a robot in its place says that the two have changed places."""
    from ..library import robot_names

    if word in robot_names():
        return f"there is no model '{word}', which is a robot: the robot comes first, then the model"
    return no_such("model", word, known, "robosym models lists them all")
