"""Models as a page asks for them, by name and options; the last ones are kept."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from ..errors import RobosymError
from ..generated import Model
from ..models import MODELS, models_of
from ..options.guesses import guess
from ..robot import Robot
from .controls import keywords

KEPT = 24


def made(robot: Robot, name: str, options: Any = None) -> Model:
    """The model; an error with words if there is none of this name, or an option is wrong."""
    known(robot, name)
    return _made(robot, name, json.dumps({} if options is None else options, sort_keys=True))


def known(robot: Robot, name: str) -> None:
    """An error if the robot has no such model."""
    if name not in (there := models_of(robot)):
        near = guess(str(name), there)
        why = f"{robot.name} is {robot.structure}" if name in MODELS else f"did you mean {near}" if near else "unknown"
        raise RobosymError(f"there is no model {name!r:.60} of this robot ({why}); there are {', '.join(there)}")


@lru_cache(maxsize=KEPT)
def _made(robot: Robot, name: str, options: str) -> Model:
    return MODELS[name](robot, **keywords(robot, name, json.loads(options)))
