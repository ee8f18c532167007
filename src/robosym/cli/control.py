"""``controller`` in place of a model: a control law, with the keyword arguments of its Python function as options."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import typer

from .guesses import no_such

if TYPE_CHECKING:
    from ..generated import Model

OF_LAWS = (
    "controller is a control law: --law computed-torque (by default), pid, pd-gravity, feed-forward, ...; further options are those of the "
    "law's Python function: --bandwidth 20 --period 0.001 --velocity 500 --limits 90,180,90,20,20,20 (--no-limits) ..."
)


def named_law(words: Sequence[str]) -> tuple[Callable[..., Model], list[str]]:
    """The function that makes a model of the law that ``--law`` names, and the other words of the line."""
    from ..control import LAWS

    rest, name = [], "computed-torque"
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        if word == "--law":
            if not waiting:
                raise typer.BadParameter("option --law needs a value")
            name = waiting.pop(0)
        elif word.startswith("--law="):
            name = word.removeprefix("--law=")
        else:
            rest.append(word)
    if name not in LAWS:
        raise typer.BadParameter(no_such("law", name, LAWS, f"laws: {', '.join(LAWS)}"))
    law = LAWS[name]

    @functools.wraps(law)
    def made(*args: Any, **options: Any) -> Any:
        return law(*args, **options).model

    return made, rest
