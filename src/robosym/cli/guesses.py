"""What a mistyped word may have been."""

from __future__ import annotations

from collections.abc import Iterable

from ..options.guesses import guess


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
