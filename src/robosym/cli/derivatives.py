"""``--of`` and ``--by`` on any model: its derivative in its place."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import typer

OF_DERIVATIVES = (
    "For the derivative of a model: --by q (an input, parameters of the robot, or several: --by q,qd), --of tau (outputs; by default "
    "all), --order 2, --value to keep what is differentiated."
)
NAMES, FLAGS = ("by", "of", "order"), ("value",)


def derivative_asked(words: Sequence[str], own: Collection[str] = ()) -> tuple[dict[str, Any], list[str]]:
    """What is asked of the derivative of a model, and the other words of the line: all of them, unless it says by what. What is an
    option of the model itself, one of ``own``, stays with it, but for the outputs."""
    found: dict[str, Any] = {}
    rest: list[str] = []
    left = list(words)
    if not any(word == "--by" or word.startswith("--by=") for word in words):
        return {}, left
    while left:
        word = left.pop(0)
        key, equals, attached = word.removeprefix("--").partition("=")
        if not word.startswith("--") or key not in (*NAMES, *FLAGS) or (key in own and key not in ("by", "of")):
            rest.append(word)
            continue
        if key in FLAGS and not equals:
            found[key] = True
            continue
        if not equals and not left:
            raise typer.BadParameter(f"option --{key} needs a value")
        found[key] = _read(key, attached if equals else left.pop(0))
    return found, rest


def _read(key: str, text: str) -> Any:
    if key == "order":
        if text not in ("1", "2", "3"):
            raise typer.BadParameter(f"option --order: got '{text}', expected 1, 2 or 3")
        return int(text)
    if key == "value":
        if text not in ("true", "false"):
            raise typer.BadParameter(f"option --value is true or false, got '{text}'")
        return text == "true"
    names = [name.strip() for name in text.split(",")]
    return names[0] if len(names) == 1 else names
