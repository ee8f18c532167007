"""States of a platform on legs as ``robosym eval`` meets them: what is wrong with one, in a sentence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import RobosymError
from ..generated import Model
from ..models.common import ASSEMBLED
from ..models.parallel.pose import POSE, TWIST, TWIST_RATE
from ..models.parallel.status import ALLOWED

if TYPE_CHECKING:
    from ..analysis import PlatformSingularities

START = "start"
UNIT = 1e-6  # by how much the length of a quaternion may differ from one
HUGE = 1e9  # a result beyond this is looked at twice


def check_quaternions(state: Mapping[str, Any], where: str) -> None:
    """A pose whose quaternion is not of length one is no pose: the models would not notice."""
    for name in (POSE, START):
        given = state.get(name)
        if isinstance(given, list) and len(given) == 7 and all(isinstance(x, (int, float)) for x in given):
            length = math.sqrt(sum(x * x for x in given[3:]))
            if abs(length - 1) > UNIT:
                raise RobosymError(
                    f"{where}: {name}: the quaternion qx qy qz qw has length {length:.6g}, expected 1 "
                    f"({name} is x y z qx qy qz qw)"
                )


def judge(model: Model, state: Mapping[str, Any], outputs: Mapping[str, Any]) -> None:
    """Raise, in words, if the outputs of a model of a platform mean nothing at a state."""
    robot = model.robot
    if ASSEMBLED in outputs and not np.all(outputs[ASSEMBLED]):
        by_motors = POSE not in state
        raise RobosymError(f"{robot.name}: {_not_found(model, state) if by_motors else _no_state(model, state)}")
    broken = [name for name, value in outputs.items() if not np.all(np.abs(value) < HUGE)]
    if not broken:
        return
    where = state.get(POSE, outputs.get(POSE))
    found = None if where is None else _singularities(model, state, where)
    why = "" if found is None or not (found.singular or not found.reached) else f": {found.message}"
    finite = all(np.isfinite(outputs[name]).all() for name in broken)
    if finite and not why:
        return  # large numbers, and nothing is wrong
    verb = "is" if len(broken) == 1 else "are"
    what = "without meaning" if finite else "not finite"
    raise RobosymError(f"{robot.name}: {', '.join(broken)} {verb} {what} at this state{why}")


def _singularities(model: Model, state: Mapping[str, Any], pose: Any) -> PlatformSingularities:
    from ..analysis import PlatformMotion, platform_singularities

    motion = PlatformMotion(model.robot, parameters=state.get("parameters") or None, mode=model.options.get("mode"))
    return platform_singularities(motion, pose)


def _not_found(model: Model, state: Mapping[str, Any]) -> str:
    begun = "the given start" if START in state else "the pose of the description"
    return (
        f"no pose of the platform with these motor positions was found from {begun}: legs out of reach, a singular pose on the "
        f"way, or a start too far away (robosym fk {model.robot.name} --q ... lists all poses)"
    )


def _no_state(model: Model, state: Mapping[str, Any]) -> str:
    """A pose out of reach, or a motion that the legs do not let the platform make."""
    from ..models.parallel.space import space_of
    from ..models.parallel.structure import module_of

    found = _singularities(model, state, state[POSE])
    if not found.reached:
        return found.message
    space = space_of(module_of(model.robot))
    for name in (TWIST, TWIST_RATE):
        given = np.asarray(state.get(name, np.zeros(6)), dtype=float)
        if space.constant and any(abs(x) > ALLOWED for k, x in enumerate(given) if k not in space.places):
            return f"the {name} is no motion of the platform, which has {space.words} alone"
    if found.singular:
        return found.message
    names = [name for name in (POSE, TWIST, TWIST_RATE) if name in state]
    listed = " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    return (
        f"the legs leave the platform {space.words}, and {listed} is off by more than {ALLOWED:g} from what they allow"
    )
