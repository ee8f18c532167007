"""What bounds a motion along a path: limits of the joints as users give them, and the torques the robot needs."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .. import models
from ..errors import RobosymError
from ..reals import Floats, real_array
from ..robot import Robot
from .trajectory import TrajectoryError

REMEMBERED = 8  # compiled models
FIELDS = {"velocity": "velocity", "acceleration": "acceleration", "torque": "effort"}

Given = Any  # None or False: no limit; True: as in the description; a number; a number a joint; a mapping by joint
Torques = Callable[[Floats, Floats, Floats], Floats]


def joint_limits(robot: Robot, what: str, given: Given) -> Floats | None:
    """A number above zero for each driven joint, infinite where there is none; None if there are none at all."""
    if given is None or given is False:
        return None
    names = robot.joint_names
    if given is True:
        described = [getattr(robot.frame(j).joint.limits, FIELDS[what], None) for j in robot.moving]
        missing = [name for name, limit in zip(names, described, strict=True) if not limit]
        if missing:
            raise TrajectoryError(
                f"{robot.name}: {what}: the description has no limit for {', '.join(missing)}: give {what}=..."
            )
        return np.array(described, dtype=float)
    if isinstance(given, Mapping):
        unknown = [str(name) for name in given if name not in names]
        if unknown:
            raise TrajectoryError(f"{robot.name}: {what}: no joint {', '.join(unknown)} (joints: {', '.join(names)})")
        given = [given.get(name, math.inf) for name in names]
    found = real_array(what, given, TrajectoryError)
    if found.shape not in ((), (len(names),)):
        raise TrajectoryError(
            f"{what}: got shape {found.shape}, expected a number or one for each of {', '.join(names)}"
        )
    found = np.broadcast_to(found, (len(names),)).astype(float)
    if not (found > 0).all():
        raise TrajectoryError(f"{what}: got {given!r:.80}, expected limits above zero")
    return found


# --- torques -----------------------------------------------------------------------------------------------------------


_remembered: list[tuple[weakref.ref[Robot], bool, Torques]] = []


def torques_of(robot: Robot, friction: bool = False) -> Torques:
    """The compiled inverse dynamic model as a function of many q, qd and qdd; the last few robots are remembered."""
    for place, (known, kind, function) in enumerate(_remembered):
        if known() is robot and kind is friction:
            _remembered.insert(0, _remembered.pop(place))
            return function
    made = _torques(robot, friction)
    _remembered.insert(0, (weakref.ref(robot), friction, made))
    del _remembered[REMEMBERED:]
    return made


def _torques(robot: Robot, friction: bool) -> Torques:
    if robot.base.floating:
        raise TrajectoryError(f"{robot.name}: torques along a path: the base is free, and its motion is not given")
    name, joints = robot.name, robot.joint_names
    function = models.inverse_dynamics(robot, friction=friction).compile()

    def tau(q: Floats, qd: Floats, qdd: Floats) -> Floats:
        found = function(q=q, qd=qd, qdd=qdd)
        assembled = True
        if isinstance(found, dict):
            assembled, found = found["assembled"] != 0, found["tau"]
        if not (np.all(assembled) and np.isfinite(found).all()):
            apart = ~(np.isfinite(found).all(axis=1) & assembled)
            raise TrajectoryError(f"{name}: {at(q[apart.argmax()], joints)}: the loops do not close, or not in one way")
        return np.asarray(found)

    return tau


def along(tau: Torques, q: Floats, q1: Floats, q2: Floats) -> tuple[Floats, Floats, Floats]:
    """a, b and c of tau = a sdd + b sd^2 + c at places of a path (N, n each): torques are linear in the accelerations and
    quadratic in the speeds, so three states a place, in one call, give all of them."""
    N, rest = len(q), np.zeros_like(q)
    states = (np.concatenate(parts) for parts in ((q, q, q), (rest, rest, q1), (rest, q1, q2)))
    found = tau(*states)
    c = found[:N]
    return found[N : 2 * N] - c, found[2 * N :] - c, c


def friction_along(robot: Robot, q: Floats, q1: Floats, squares: Floats) -> tuple[Floats, Floats]:
    """Friction at the path speeds with these squares x, and its slope by x. At rest it is that of setting off along q'."""
    x = np.maximum(squares, 1e-9 * max(1.0, float(squares.max(initial=0.0))))
    here, there = (_friction(robot, q, q1 * np.sqrt(y)[:, None]) for y in (x, x * (1 + 1e-6)))
    slope = (there - here) / (x * 1e-6)[:, None]
    return here, np.where(np.abs(there - here) > 1e-12 * np.abs(here), slope, 0.0)


def _friction(robot: Robot, q: Floats, qd: Floats) -> Floats:
    none = np.zeros_like(q)
    return torques_of(robot, True)(q, qd, none) - torques_of(robot)(q, qd, none)


def held_still(robot: Robot, q: Floats, hold: Floats, torque: Floats, where: Callable[[int], str]) -> None:
    """Refuse torques that cannot even hold the robot still at one of its positions: (N, n) each."""
    excess = np.abs(hold) / torque
    if excess.max(initial=0.0) > 1:
        i, j = np.unravel_index(int(excess.argmax()), excess.shape)
        name = robot.joint_names[j]
        raise TrajectoryError(
            f"{robot.name}: joint '{name}' needs {abs(hold[i, j]):.6g} to hold still {where(int(i))}, at most "
            f"{torque[j]:.6g} is allowed; {at(q[i], robot.joint_names)}"
        )


def at(q: Floats, joints: tuple[str, ...]) -> str:
    """A position in words."""
    return "at " + ", ".join(f"{name} = {x:.6g}" for name, x in zip(joints, np.round(q, 9) + 0.0, strict=True))


def check_joints(robot: Robot, joints: tuple[str, ...]) -> None:
    if len(joints) != len(robot.joint_names):
        raise RobosymError(
            f"{robot.name} has {len(robot.joint_names)} driven joints ({', '.join(robot.joint_names)}), "
            f"the path has {len(joints)}"
        )
