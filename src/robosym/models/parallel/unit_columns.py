"""The torques of a platform on legs for one inertial parameter 1 and all others 0, in numbers at random states.

They are on a basis of the motions that the legs leave, not on the motors: at each state the two are the same up to a regular matrix,
so that the same columns depend on each other, with the same factors (virtual work; Gautier 1990 for the columns).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...expr import evaluate, free_symbols
from ...reals import Floats
from ...robot import INERTIA, RobotError
from ...robot.problems import Problem
from ...spatial.floats import skew
from ..regressors.links import wrenches
from ..tree.motion import BeforeTurn, Motion, acceleration_matrix
from .owners import ROTOR, Key, Owners
from .states import States


def unit_columns(owners: Owners, states: States, keys: Sequence[Key]) -> Floats:
    """W: rows state by state, one for every motion of the basis; a column for each of the keys, legs that share it together."""
    gravity = _gravity(owners)
    place = {key: k for k, key in enumerate(keys)}
    W = np.zeros((len(states), states.motions.shape[2], len(keys)))
    for j in owners.entries:
        own = {k: place[key] for k, stem in enumerate(INERTIA) if (key := owners.of_key((j, stem))) in place}
        if own:
            W[:, :, list(own.values())] += _link(states, j, gravity)[:, :, list(own)]
    for k, j in enumerate(states.joints):
        if j in owners.rotors and (key := owners.of_key((j, ROTOR))) in place:
            W[:, :, place[key]] += states.motions[:, 6 + k] * states.ud[:, 6 + k, None]
    return W.reshape(-1, len(keys))


def _gravity(owners: Owners) -> Floats:
    """Refused without numbers, as is a geometry without them: the relations would hold for some others."""
    robot = owners.module.robot
    entries = [*robot.gravity, *(x for frame in robot.frames for x in frame.geometry)]
    used = [s.name for s in free_symbols(*entries) if s.kind == "parameter"]
    missing = sorted(set(used) - set(robot.values))
    if missing:
        problem = f"needs numbers for its geometry and gravity; {', '.join(missing[:10])} have none"
        raise RobotError([Problem("values", problem)], robot.name)
    numbers = {name: value.number for name, value in robot.values.items()}
    return np.array([float(x) for x in evaluate(list(robot.gravity), numbers)])


def _link(states: States, j: int, gravity: Floats) -> Floats:
    """Of the ten parameters of a body (states, motions, 10)."""
    at = states.moved[j]
    R = at.T[:, :3, :3]
    w, wd, vd = (tuple(np.einsum("bji,bj->ib", R, x)) for x in (at.w, at.wd, at.a - gravity))
    U = acceleration_matrix(w, wd)
    units = wrenches(Motion(w, wd, U, vd, BeforeTurn(w, U[2], 0)))
    found = np.zeros((len(states), 6, len(INERTIA)))
    for k, stem in enumerate(INERTIA):
        for i, x in enumerate((*units[stem][0], *units[stem][1])):
            found[:, i, k] = x
    rows = _twists(states, j)
    own = np.concatenate([np.swapaxes(R, 1, 2) @ rows[:, :3], np.swapaxes(R, 1, 2) @ rows[:, 3:]], axis=1)
    return np.asarray(np.swapaxes(own @ states.motions, 1, 2) @ found)


def _twists(states: States, j: int) -> Floats:
    """The twist of a frame at its origin, from that of the platform and the speeds of the joints."""
    module = states.module
    path = module.robot.path(j)
    to = states.moved[j].T[:, :3, 3]
    found = np.zeros((len(states), 6, states.motions.shape[1]))
    platform = module.platform.frame
    if platform in path:
        arm = to - states.moved[platform].T[:, :3, 3]
        found[:, :3, :3] = found[:, 3:, 3:6] = np.eye(3)
        found[:, :3, 3:6] = -skew(arm)
    for k, i in enumerate(states.joints, 6):
        if i not in path:
            continue
        slides, z, origin = states.axis(i)
        found[:, :3, k] = z if slides else np.cross(z, to - origin)
        found[:, 3:, k] = 0 if slides else z
    return found
