"""The laws by their names on the command line, and the one function that makes a model of any of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..generated import Model
from ..robot import Robot
from .computed_torque import computed_torque
from .law import ControlError, Law
from .pid import pid

LAWS: dict[str, Callable[..., Law]] = {
    "computed-torque": computed_torque,
    "pid": pid,
}


def controller(robot: Robot, law: str = "computed-torque", **options: Any) -> Model:
    """The law of this name as a model: what is counted, printed, compiled and called every period."""
    return law_named(law)(robot, **options).model


def law_named(name: Any) -> Callable[..., Law]:
    found = LAWS.get(name) if isinstance(name, str) else None
    if found is None:
        raise ControlError(f"law: got {name!r:.60}, expected {', '.join(LAWS)}")
    return found
