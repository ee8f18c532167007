"""What is said of angles that are nearly exact: which they are, and what it would save to take them as they are meant."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ..generated import Model
from ..robot import Robot
from ..robot.angles import Near, near_angles


def hint(robot: Robot) -> str:
    """A sentence, empty where every angle is exact or its own."""
    found = near_angles(robot)
    return f"{_which(found)}: --snap {_snap(found):g} takes such angles as they are meant" if found else ""


def saving(robot: Robot, total: int, made: Callable[[float], Model]) -> str:
    """The same with what a model would cost: ``made`` is that model with this snap. Empty if nothing is saved."""
    found = near_angles(robot)
    if not found:
        return ""
    snap = _snap(found)
    shorter = made(snap).operations.total
    return f"{_which(found)}: with --snap {snap:g} it is {shorter} operations" if shorter < total else ""


def _which(found: Sequence[Near]) -> str:
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return f"{found[0]}{more}"


def _snap(found: Sequence[Near]) -> float:
    """The power of ten above all of them."""
    return float(10.0 ** math.ceil(math.log10(max(one.off for one in found))))
