"""Errors about arguments."""

from __future__ import annotations

from typing import Any

from ..errors import RobosymError
from .guesses import guess
from .kinds import Kind, Word


class ArgumentError(RobosymError, TypeError):
    """An argument of another kind than a function takes, or one that it does not have."""


def mismatch(name: str, value: Any, kind: Kind) -> str:
    """The error message for a value of another kind; empty if it fits."""
    if kind.fits(value):
        return ""
    words = [one.value for one in kind.alternatives if isinstance(one, Word) and isinstance(one.value, str)]
    near = guess(value, words) if isinstance(value, str) else ""
    return f"{name}: got {shown(value)}, expected {kind.phrase()}{f' (did you mean {near!r}?)' if near else ''}"


def shown(value: Any, longest: int = 60) -> str:
    """A value in a message, on one line."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # a representation may fail in any way, and the message must not
        text = f"a {type(value).__name__}"
    return text if len(text) <= longest else text[: longest - 1] + "…"
