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
    misfit = kind.misfit(value)
    if misfit is None:
        return ""
    words = [one.value for one in misfit.kind.alternatives if isinstance(one, Word) and isinstance(one.value, str)]
    near = guess(misfit.value, words) if isinstance(misfit.value, str) else ""
    hint = f" (did you mean {near!r}?)" if near else ""
    return f"{name}{misfit.where}: got {shown(misfit.value)}, expected {misfit.kind.phrase()}{hint}"


def shown(value: Any, longest: int = 60) -> str:
    """A value in a message, on one line."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # a representation may fail in any way, and the message must not
        text = f"a {type(value).__name__}"
    return text if len(text) <= longest else text[: longest - 1] + "…"
