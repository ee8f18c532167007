"""What bounds a motion along a path: limits of the joints as users give them, and the torques the robot needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import models
from ..caches import Kept
from ..errors import RobosymError
from ..program import Program
from ..reals import Floats, real_array
from ..robot import Robot
from ..robot.joint_entries import require_no_quaternion, speed_frames, speed_names
from .bounds import TURNING
from .path_programs import derivatives, limited
from .trajectory import TrajectoryError

if TYPE_CHECKING:
    from ..runtime import CompiledFunction

_TORQUES: Kept[Torques] = Kept()
_ALONG: Kept[Along] = Kept()

FIELDS = {"velocity": "velocity", "acceleration": "acceleration", "torque": "effort"}

Given = Any  # None or False: no limit; True: as in the description; a number; a number a joint; a mapping by joint
Torques = Callable[[Floats, Floats, Floats], Floats]
Along = Callable[[Floats, Floats], Floats]


def joint_limits(robot: Robot, what: str, given: Given) -> Floats | None:
    """A number above zero for each driven joint, infinite where there is none; None if there are none at all."""
    if given is None or given is False:
        return None
    names = speed_names(robot)
    if given is True:
        described = [getattr(robot.frame(j).joint.limits, FIELDS[what], None) for j in speed_frames(robot)]
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
    found = found * np.ones(len(names))
    if not (found > 0).all():
        raise TrajectoryError(f"{what}: got {given!r:.80}, expected limits above zero")
    return found


# --- torques -----------------------------------------------------------------------------------------------------------


def _on_a_base_at_rest(robot: Robot) -> Robot:
    if robot.base.floating:
        raise TrajectoryError(f"{robot.name}: torques along a path: the base is free, and its motion is not given")
    require_no_quaternion(robot, *TURNING)
    return robot


def torques_of(robot: Robot, friction: bool = False) -> Torques:
    """The compiled inverse dynamic model as a function of many q, qd and qdd."""
    return _TORQUES.of(_on_a_base_at_rest(robot), friction, lambda: _torques(robot, friction))


def _torques(robot: Robot, friction: bool) -> Torques:
    name, joints = robot.name, speed_names(robot)
    function = models.inverse_dynamics(robot, friction=friction).compile()

    def tau(q: Floats, qd: Floats, qdd: Floats) -> Floats:
        found = np.asarray(function(q=q, qd=qd, qdd=qdd))
        if not np.isfinite(found).all():
            raise _apart(name, joints, q, np.isfinite(found).all(axis=1))
        return found

    return tau


# --- along a path ------------------------------------------------------------------------------------------------------


def limits_along(robot: Robot, degree: int, acceleration: bool, torque: bool) -> Along:
    """a, b and c of the accelerations and torques a sdd + b sd^2 + c at N places of a path, (N, 3, n or 2 n), as a function of
    its polynomials and of where in them the places are."""
    if not torque:
        return _accelerations_along(degree, len(speed_names(robot)))
    return _ALONG.of(_on_a_base_at_rest(robot), (degree, acceleration), lambda: _along(robot, degree, acceleration))


@lru_cache(maxsize=8)
def _accelerations_along(degree: int, n: int) -> Along:
    from ..runtime import compile_program

    function = compile_program(limited(degree, n, True, None))
    return lambda curve, local: np.asarray(function(curve=curve, local=local))


def _along(robot: Robot, degree: int, acceleration: bool) -> Along:
    from ..runtime import compile_program

    name, joints = robot.name, speed_names(robot)
    where = derivatives(degree, len(joints))
    model = models.inverse_dynamics(robot)
    code = model.with_values() if isinstance(model.code, Program) else None
    if not isinstance(code, Program) or len(code.outputs) > 1:  # loops are closed on the way
        return _of_three_states(torques_of(robot), where, acceleration)
    function = compile_program(limited(degree, len(joints), acceleration, code))

    def along(curve: Floats, local: Floats) -> Floats:
        found = np.asarray(function(curve=curve, local=local))
        if not np.isfinite(found).all():
            q = where(curve=curve, local=local)["q"]
            raise _apart(name, joints, q, np.isfinite(found).all(axis=(1, 2)))
        return found

    return along


def _of_three_states(tau: Torques, where: CompiledFunction, acceleration: bool) -> Along:
    """As in ``path_programs.limited``, with a model that is no program."""

    def along(curve: Floats, local: Floats) -> Floats:
        q, q1, q2 = where(curve=curve, local=local).values()
        N, rest = len(q), np.zeros_like(q)
        found = tau(*(np.concatenate(parts) for parts in ((q, q, q), (rest, rest, q1), (rest, q1, q2))))
        c = found[:N]
        rows = np.stack([found[N : 2 * N] - c, found[2 * N :] - c, c], axis=1)
        return np.concatenate([np.stack([q1, q2, rest], axis=1), rows], axis=2) if acceleration else rows

    return along


def _apart(name: str, joints: tuple[str, ...], q: Floats, closed: Any) -> TrajectoryError:
    return TrajectoryError(f"{name}: {at(q[closed.argmin()], joints)}: the loops do not close, or not in one way")


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
        names = speed_names(robot)
        raise TrajectoryError(
            f"{robot.name}: joint '{names[j]}' needs {abs(hold[i, j]):.6g} to hold still {where(int(i))}, at most "
            f"{torque[j]:.6g} is allowed; {at(q[i], names)}"
        )


def at(q: Floats, joints: tuple[str, ...]) -> str:
    """A position in words."""
    return "at " + ", ".join(f"{name} = {x:.6g}" for name, x in zip(joints, np.round(q, 9) + 0.0, strict=True))


def check_joints(robot: Robot, joints: tuple[str, ...]) -> None:
    require_no_quaternion(robot, *TURNING)
    names = speed_names(robot)
    if len(joints) != len(names):
        raise RobosymError(
            f"{robot.name} has {len(names)} driven joints ({', '.join(names)}), the path has {len(joints)}"
        )
