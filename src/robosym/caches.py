"""Results kept with the robot they were derived from.

    _MODELS: Kept[Model] = Kept()
    model = _MODELS.of(robot, mode, lambda: forward_dynamics(robot, mode=mode))

Whoever derives something owns a ``Kept``, which says what kind of result it is and how many there may be for one robot. The
robot holds them, so that they live as long as it does; copies of the robot, and other processes, begin without them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

Made = TypeVar("Made")

PLACE = "_kept"  # in the dictionary of the robot
_lock = threading.RLock()  # of all dictionaries, but never while something is made


class Kept(Generic[Made]):
    """The last ``most`` results for a robot (or any other object that lives on), by a key."""

    def __init__(self, most: int = 32) -> None:
        self.most = most

    def of(self, robot: object, key: Hashable, make: Callable[[], Made]) -> Made:
        """The result for this robot and key, derived now if there is none. Threads that derive it at once all get the first one."""
        known: dict[Hashable, Made] = vars(robot).setdefault(PLACE, {}).setdefault(self, {})
        with _lock:
            if key in known:
                known[key] = known.pop(key)  # the last used comes last
                return known[key]
        made = make()
        with _lock:
            made = known.setdefault(key, made)
            while len(known) > self.most:
                del known[next(iter(known))]
        return made


def without_kept(state: dict[str, Any]) -> dict[str, Any]:
    """The state of an object for copies and other processes."""
    return {name: value for name, value in state.items() if name != PLACE}
