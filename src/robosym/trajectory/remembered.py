"""What was made for the last few robots: models take longer to build and to compile than motions to plan."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

from ..robot import Robot

MOST = 12

Made = TypeVar("Made")
_last: list[tuple[weakref.ref[Robot], Hashable, Any]] = []


def remembered(robot: Robot, kind: Hashable, make: Callable[[], Made]) -> Made:
    """What ``make`` gave for this robot and this kind of thing before, or gives now. If it holds the robot, that lives until
    it is forgotten."""
    for place, (known, of, found) in enumerate(_last):
        if of == kind and known() is robot:
            _last.insert(0, _last.pop(place))
            return cast(Made, found)
    made = make()
    _last.insert(0, (weakref.ref(robot), kind, made))
    del _last[MOST:]
    return made
