"""What a law shall follow, at the ticks of the controller: from trajectories, motions in space, targets and functions of time."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..control.law import Law
from ..errors import RobosymError
from ..reals import Floats, finite_array
from ..robot import Robot
from ..robot.joint_entries import JointEntry, places_by_name, speed_entries
from ..trajectory import TaskMotion, Trajectory
from ..trajectory.task_space_rates import rates
from .plant import SimulationError

Sampler = Callable[[Floats], dict[str, Floats]]  # from times to the arrays a law wants, a row for each time

EXPECTED = {
    "joints": "a Trajectory, a position of all joints to hold, or a function of t that gives q, qd and qdd",
    "task": "a TaskMotion, a pose (4, 4) to hold, or a function of t that gives T (4, 4), V (6) and A (6)",
}


def sampler_of(reference: Any, law: Law, joints: tuple[str, ...]) -> Sampler:
    """How the reference of a law is sampled."""
    if reference is None:
        raise SimulationError(f"reference: {law.name} follows a motion, expected {EXPECTED[law.reference]}")
    return (_task if law.reference == "task" else _joints)(reference, law, joints)


def duration_of(reference: Any) -> float | None:
    found = getattr(reference, "duration", None)
    return float(found) if isinstance(found, (int, float)) and math.isfinite(found) else None


def of_time(what: str, function: Callable[..., Any]) -> Callable[[float], Any]:
    """The function, whose errors name the argument that it is; it must take the time alone."""
    try:
        inspect.signature(function).bind(0.0)
    except ValueError:  # a function without a signature
        pass
    except TypeError as reason:
        raise SimulationError(
            f"{what}: expected a function of t alone, got one that takes {inspect.signature(function)}. "
            "Torques that depend on q and qd come from a control law (robosym.control)."
        ) from reason

    def called(t: float) -> Any:
        try:
            return function(t)
        except RobosymError:
            raise
        except Exception as reason:
            raise SimulationError(
                f"{what}: the function raised {type(reason).__name__} at {t:g} s: {reason}"
            ) from reason

    return called


# --- joints ------------------------------------------------------------------------------------------------------------


def _joints(reference: Any, law: Law, joints: tuple[str, ...]) -> Sampler:
    n = len(joints)
    if isinstance(reference, Trajectory):
        return _trajectory(reference, joints)
    if isinstance(reference, TaskMotion):
        raise SimulationError(
            f"reference: {law.name} follows joints, and this is a motion in space: trajectory.to_joints converts it"
        )
    if callable(reference):
        function = of_time("reference", reference)
        return lambda t: _called(function, t, {"q_d": (n,), "qd_d": (n,), "qdd_d": (n,)})
    held = by_joint("reference", reference, speed_entries(law.robot))
    return lambda t: {
        "q_d": np.broadcast_to(held, (len(t), n)),
        "qd_d": np.zeros((len(t), n)),
        "qdd_d": np.zeros((len(t), n)),
    }


def _trajectory(move: Trajectory, joints: tuple[str, ...]) -> Sampler:
    """After its end the joints stay where they are."""
    if len(move.joints) != len(joints):
        raise SimulationError(f"reference: the trajectory moves {len(move.joints)} joints, the robot has {len(joints)}")
    order = (
        [move.joints.index(name) for name in joints] if set(move.joints) == set(joints) else list(range(len(joints)))
    )

    def sampled(t: Floats) -> dict[str, Floats]:
        q, qd, qdd = (x[:, order] for x in move(t))
        over = t > move.duration * (1 + 1e-12)
        if over.any():
            qd, qdd = qd.copy(), qdd.copy()
            qd[over], qdd[over] = 0.0, 0.0
        return {"q_d": q, "qd_d": qd, "qdd_d": qdd}

    return sampled


def by_joint(what: str, given: Any, entries: Sequence[JointEntry], missing: float | None = None) -> Floats:
    """A number for each entry of the joints: a list in their order, or by name; joints of several entries have a list of numbers.
    ``missing`` is the number of those without one; None: each needs one."""
    if isinstance(given, Mapping):
        given = _by_name(what, given, entries, missing)
    found = finite_array(what, given, SimulationError)
    if found.shape != (len(entries),):
        each = "joint" if _alone(entries) else "entry of the joints"
        raise SimulationError(
            f"{what}: expected {len(entries)} numbers, one for each {each}, got the shape {found.shape}"
        )
    return found


def _by_name(what: str, given: Mapping[Any, Any], entries: Sequence[JointEntry], missing: float | None) -> list[Any]:
    places, joints = places_by_name(entries), ", ".join(dict.fromkeys(entry.joint for entry in entries))
    unknown = [name for name in given if name not in places]
    if unknown:
        raise SimulationError(f"{what}: there is no joint {', '.join(map(repr, unknown))} (joints: {joints})")
    values: list[Any] = [missing] * len(entries)
    for name, value in given.items():
        own = places[name]
        if len(own) == 1 and np.ndim(value) == 0:
            values[own[0]] = value
            continue
        numbers = finite_array(f"{what}, '{name}'", value, SimulationError)
        if numbers.shape != (len(own),):
            expected = _numbers_of([entries[k] for k in own])
            raise SimulationError(f"{what}, '{name}': expected {expected}, got the shape {numbers.shape}")
        for k, x in zip(own, numbers.tolist(), strict=True):
            values[k] = x
    without = [entry.name for entry, value in zip(entries, values, strict=True) if value is None]
    if without:
        raise SimulationError(f"{what}: no number for {', '.join(without)} (joints: {joints})")
    return values


def _numbers_of(entries: Sequence[JointEntry]) -> str:
    names = ", ".join(entry.name for entry in entries)
    return f"{len(entries)} numbers ({names})" if len(entries) > 1 else "a number"


def _alone(entries: Sequence[JointEntry]) -> bool:
    """Whether every joint has one entry."""
    return len({entry.frame for entry in entries}) == len(entries)


# --- space -------------------------------------------------------------------------------------------------------------


def _task(reference: Any, law: Law, joints: tuple[str, ...]) -> Sampler:
    if isinstance(reference, TaskMotion):

        def sampled(t: Floats) -> dict[str, Floats]:
            T, V, A = rates(reference, t)
            return {"T_d": T, "V_d": V, "A_d": A}

        return sampled
    if isinstance(reference, Trajectory):
        raise SimulationError(
            f"reference: {law.name} follows a pose, expected {EXPECTED['task']}, got a trajectory of joints"
        )
    if callable(reference):
        function = of_time("reference", reference)
        return lambda t: _called(function, t, {"T_d": (4, 4), "V_d": (6,), "A_d": (6,)})
    pose = finite_array("reference", reference, SimulationError)
    if pose.shape != (4, 4):
        raise SimulationError(f"reference: expected {EXPECTED['task']}, got the shape {pose.shape}")
    if not _is_rigid(pose):
        raise SimulationError("reference: the matrix is no pose: expected rotation and translation, last row 0 0 0 1")
    return lambda t: {
        "T_d": np.broadcast_to(pose, (len(t), 4, 4)),
        "V_d": np.zeros((len(t), 6)),
        "A_d": np.zeros((len(t), 6)),
    }


def _is_rigid(T: Floats) -> bool:
    R = T[:3, :3]
    return bool(np.allclose(R.T @ R, np.eye(3), atol=1e-6) and np.linalg.det(R) > 0 and np.allclose(T[3], [0, 0, 0, 1]))


def _called(function: Callable[..., Any], t: Floats, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Floats]:
    """A function of one time, called at each."""
    found = {name: np.empty((len(t), *shape)) for name, shape in shapes.items()}
    for k, moment in enumerate(t.tolist()):
        made = function(moment)
        if not isinstance(made, (tuple, list)) or len(made) != len(shapes):
            raise SimulationError(
                f"reference: the function gave {made!r:.60} at {moment:g} s, expected {', '.join(shapes)}"
            )
        for (name, shape), value in zip(shapes.items(), made, strict=True):
            array = finite_array(f"reference at {moment:g} s, {name}", value, SimulationError)
            if array.shape != shape:
                raise SimulationError(
                    f"reference at {moment:g} s, {name}: got the shape {array.shape}, expected {shape}"
                )
            found[name][k] = array
    return found


# --- torques and disturbances --------------------------------------------------------------------------------------------


def torques(what: str, given: Any, robot: Robot) -> Callable[[Floats], Floats]:
    """Torques of the joints as functions of time, (N, nv): from numbers that stay, a function of one time, or by joint with numbers or
    functions. Of a free base the wrench on it may come first; without it nothing acts there."""
    entries, nv = speed_entries(robot), robot.nv
    n, places = len(entries), places_by_name(entries)

    def placed(values: Floats, where: str) -> Floats:
        if values.shape == (nv,):
            return values
        if values.shape == (n,):
            return np.concatenate([np.zeros(nv - n), values])
        raise SimulationError(f"{where}: expected {n} torques, got the shape {values.shape}")

    if isinstance(given, Mapping):
        unknown = [name for name in given if name not in places]
        if unknown:
            raise SimulationError(
                f"{what}: there is no joint {', '.join(map(repr, unknown))} (joints: {', '.join(robot.joint_names)})"
            )

        def by_name(t: Floats) -> Floats:
            found = np.zeros((len(t), nv))
            for name, value in given.items():
                own = [nv - n + k for k in places[name]]
                shape = (len(own),) if len(own) > 1 else ()
                found[:, own] = _in_time(f"{what}, '{name}'", value, t, shape).reshape(len(t), len(own))
            return found

        by_name(np.zeros(1))
        return by_name
    if callable(given):
        function = of_time(what, given)
        return lambda t: np.array(
            [
                placed(finite_array(f"{what} at {x:g} s", function(x), SimulationError), f"{what} at {x:g} s")
                for x in t.tolist()
            ]
        ).reshape(len(t), nv)
    held = placed(finite_array(what, given, SimulationError), what)
    return lambda t: np.broadcast_to(held, (len(t), nv))


def wrenches(given: Any, links: tuple[str, ...], robot: Robot) -> Callable[[Floats], Floats]:
    """What links exert on the environment, (N, links, 6): six numbers, or a function of time, by link."""
    expected = f"expected six numbers or a function of t that gives them, by link ({', '.join(links)})"
    if not isinstance(given, Mapping):
        if len(links) != 1:
            raise SimulationError(f"wrench: {expected}")
        given = {links[0]: given}
    unknown = [name for name in given if name not in links]
    if unknown:
        raise SimulationError(f"wrench: {robot.name} has no such link {', '.join(map(repr, unknown))}; {expected}")

    def sampled(t: Floats) -> Floats:
        found = np.zeros((len(t), len(links), 6))
        for name, value in given.items():
            found[:, links.index(name)] = _in_time(f"wrench of '{name}'", value, t, (6,))
        return found

    sampled(np.zeros(1))
    return sampled


def _in_time(what: str, given: Any, t: Floats, shape: tuple[int, ...]) -> Floats:
    """(N, ...): what stays, or a function of one time called at each."""
    if not len(t):
        return np.zeros((0, *shape))
    values = [of_time(what, given)(x) for x in t.tolist()] if callable(given) else given
    found = finite_array(what, values, SimulationError)
    if callable(given) and found.shape[1:] == shape:
        return found
    if callable(given) or found.shape != shape:
        expected = f"{'six' if shape == (6,) else shape[0]} numbers" if shape else "a number"
        raise SimulationError(f"{what}: expected {expected}, or a function of t that gives them, got {given!r:.60}")
    return np.broadcast_to(found, (len(t), *shape))
