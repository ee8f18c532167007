"""A plain Newton-Euler in floats, written from the laws of mechanics, everything in the axes of frame 0.

It shares nothing with the recursion it tests: no pseudo-inertia, no lumping of fixed links, no frames of the links.
``loaded_robot`` makes random robots that have everything it knows: dependent joints, rotors, friction, a moving base.
``tree_on_floats`` puts numbers into the bodies of a robot, so that an algorithm can be run on floats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from random_robots import random_robot

from robosym.expr import Expr, evaluate, number, parameter
from robosym.models.tree.bodies import Tree
from robosym.models.tree.coordinates import coordinates
from robosym.models.tree.reference import reference_inputs
from robosym.robot import FIXED, PRISMATIC, Actuator, Base, Mimic, Robot, Value

NOTHING = np.zeros(6)


# --- numbers of a robot ----------------------------------------------------------------------------------------------


def numbers(robot: Robot, entries: Any, q: np.ndarray | None = None) -> list[float]:
    """Expressions of a robot as floats, with its own values and a position (zero unless given)."""
    known: dict[Any, float] = {name: value.number for name, value in robot.values.items()}
    known.update({frame.joint.variable: 0.0 for frame in robot.frames if frame.joint.variable is not None})
    if q is not None:
        known.update(zip(robot.coordinates, q, strict=True))
    return [float(value) for value in evaluate(list(entries), known)]


def dh_matrix(gamma: float, b: float, alpha: float, d: float, theta: float, r: float) -> np.ndarray:
    """Equation (1b) of SYMORO+ 1997, written out."""
    cg, sg, ca, sa, ct, st = np.cos(gamma), np.sin(gamma), np.cos(alpha), np.sin(alpha), np.cos(theta), np.sin(theta)
    return np.array(
        [
            [cg * ct - sg * ca * st, -cg * st - sg * ca * ct, sg * sa, d * cg + r * sg * sa],
            [sg * ct + cg * ca * st, -sg * st + cg * ca * ct, -cg * sa, d * sg - r * cg * sa],
            [sa * st, sa * ct, ca, r * ca + b],
            [0, 0, 0, 1],
        ]
    )


def frame_poses(robot: Robot, q: np.ndarray) -> dict[int, np.ndarray]:
    """Every frame in frame 0, by multiplying matrices."""
    found = {0: np.eye(4)}
    for j in robot.order:
        found[j] = found[robot.frame(j).antecedent] @ dh_matrix(*numbers(robot, robot.geometry(j), q))
    return found


def random_states(rng: np.random.Generator, robot: Robot, count: int) -> dict[str, np.ndarray]:
    """q, qd, qdd in batches, ready for a compiled function."""
    return {name: rng.uniform(-2, 2, (count, robot.nv)) for name in ("q", "qd", "qdd")}


def relative_error(got: Any, expected: Any) -> float:
    """The largest error over the largest value."""
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.shape == expected.shape, (got.shape, expected.shape)
    scale = np.abs(expected).max(initial=0.0)
    return float(np.abs(got - expected).max(initial=0.0) / scale) if scale else float(np.abs(got).max(initial=0.0))


# --- the recursion ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """Torques of the independent joints, and the wrench through every moving joint in its frame, at its origin."""

    tau: np.ndarray
    force: np.ndarray
    moment: np.ndarray


@dataclass(frozen=True)
class _Body:
    """How a frame is and moves: rotation, position, angular velocity and acceleration, acceleration of the origin."""

    R: np.ndarray
    p: np.ndarray
    w: np.ndarray
    wd: np.ndarray
    a: np.ndarray


def newton_euler(
    robot: Robot,
    q: np.ndarray,
    qd: np.ndarray,
    qdd: np.ndarray,
    wrenches: Mapping[int, np.ndarray] | None = None,
    friction: bool = False,
    rotor: bool = True,
) -> Result:
    """``wrenches``: link -> force and moment it exerts on the environment, in its frame at its origin."""
    speed, acceleration = _joint_rates(robot, qd), _joint_rates(robot, qdd)
    bodies = _motion(robot, q, speed, acceleration)
    forces, moments = _loads(robot, bodies, wrenches or {})
    tau = np.zeros(robot.nv)
    moving = [j for j in robot.order if robot.frame(j).sigma != FIXED]
    for j in moving:
        frame = robot.frame(j)
        axis = bodies[j].R[:, 2]
        gamma = axis @ (forces[j] if frame.sigma == PRISMATIC else moments[j])
        Ia, Fv, Fs = numbers(robot, (frame.actuator.Ia, frame.actuator.Fv, frame.actuator.Fs))
        if rotor:
            gamma += Ia * acceleration[j]
        if friction:
            gamma += Fv * speed[j] + Fs * np.sign(speed[j])
        master, ratio = _master(robot, j)
        tau[robot.moving.index(master)] += ratio * gamma
    return Result(
        tau,
        np.array([bodies[j].R.T @ forces[j] for j in moving]),
        np.array([bodies[j].R.T @ moments[j] for j in moving]),
    )


def _motion(robot: Robot, q: np.ndarray, speed: dict[int, float], acceleration: dict[int, float]) -> dict[int, _Body]:
    """p_j = p_i + r differentiated twice: r turns with link i and grows along the axis of a prismatic joint."""
    base = robot.base
    w, wd, a = (
        np.array(numbers(robot, v)) for v in (base.angular_velocity, base.angular_acceleration, base.acceleration)
    )
    poses = frame_poses(robot, q)
    found = {0: _Body(np.eye(3), np.zeros(3), w, wd, a)}
    for j in robot.order:
        frame, R, p = robot.frame(j), poses[j][:3, :3], poses[j][:3, 3]
        i, z = found[frame.antecedent], R[:, 2]
        r = p - i.p
        a = i.a + np.cross(i.wd, r) + np.cross(i.w, np.cross(i.w, r))
        w, wd = i.w, i.wd
        if frame.sigma == PRISMATIC:
            a = a + acceleration[j] * z + 2 * np.cross(i.w, speed[j] * z)
        elif frame.sigma != FIXED:
            w = w + speed[j] * z
            wd = wd + acceleration[j] * z + np.cross(i.w, speed[j] * z)
        found[j] = _Body(R, p, w, wd, a)
    return found


def _loads(
    robot: Robot, bodies: dict[int, _Body], wrenches: Mapping[int, np.ndarray]
) -> tuple[dict[int, np.ndarray], dict[int, np.ndarray]]:
    """Force and moment about the origin of every frame that its antecedent exerts on it."""
    gravity = np.array(numbers(robot, robot.gravity))
    forces: dict[int, np.ndarray] = {}
    moments: dict[int, np.ndarray] = {}
    for j in reversed(robot.order):
        body = bodies[j]
        XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = numbers(robot, robot.frame(j).link.inertial)
        J = body.R @ np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]]) @ body.R.T
        S = body.R @ np.array([MX, MY, MZ])
        rise = body.a - gravity
        force = M * rise + np.cross(body.wd, S) + np.cross(body.w, np.cross(body.w, S))
        moment = J @ body.wd + np.cross(body.w, J @ body.w) + np.cross(S, rise)
        pushed = np.asarray(wrenches.get(j, NOTHING))
        force = force + body.R @ pushed[:3]
        moment = moment + body.R @ pushed[3:]
        for k in (k for k in robot.order if robot.frame(k).antecedent == j):
            force = force + forces[k]
            moment = moment + moments[k] + np.cross(bodies[k].p - body.p, forces[k])
        forces[j], moments[j] = force, moment
    return forces, moments


def _master(robot: Robot, j: int) -> tuple[int, float]:
    ratio = 1.0
    while (mimic := robot.frame(j).joint.mimic) is not None:
        ratio, j = ratio * numbers(robot, [mimic.ratio])[0], mimic.frame
    return j, ratio


def _joint_rates(robot: Robot, rates: np.ndarray) -> dict[int, float]:
    """qd (or qdd) of every moving joint."""
    masters = {j: _master(robot, j) for j in robot.order if robot.frame(j).sigma != FIXED}
    return {j: ratio * float(rates[robot.moving.index(master)]) for j, (master, ratio) in masters.items()}


# --- robots and trees to run it on -----------------------------------------------------------------------------------


def loaded_robot(rng: np.random.Generator, n: int, symbolic: bool, moving_base: bool = True) -> Robot:
    """A random tree with dependent joints, rotors and friction, on a base that moves."""
    robot = random_robot(rng, n, symbolic=symbolic)
    values = dict(robot.values)

    def entry(name: str, value: float) -> Expr:
        if not symbolic:
            return number(value)
        values[name] = Value(value)
        return parameter(name)

    frames = []
    for j, frame in enumerate(robot.frames, 1):
        masters = [i for i in range(1, j) if robot.frame(i).sigma != FIXED]
        mimic = frame.joint.mimic
        if frame.sigma != FIXED and masters and rng.random() < 0.2:
            mimic = Mimic(int(rng.choice(masters)), number(Fraction(-3, 2)), number(0.25))
        actuator = Actuator(*(entry(f"{name}{j}", float(rng.uniform(0, 1))) for name in ("IA", "FV", "FS")))
        frames.append(replace(frame, joint=replace(frame.joint, mimic=mimic), actuator=actuator))
    names = ("angular_velocity", "angular_acceleration", "velocity", "acceleration")
    motion = {n: tuple(entry(f"{n}{k}", float(rng.uniform(-1, 1))) for k in range(3)) for n in names}
    gravity = tuple(entry(f"G{k}", float(rng.uniform(-9, 9))) for k in (1, 2, 3))
    base = Base(**motion) if moving_base else Base()
    return robot.replace(frames=tuple(frames), base=base, gravity=gravity, values=values)


def tree_on_floats(tree: Tree, robot: Robot, state: Mapping[str, np.ndarray]) -> Tree:
    """The same bodies with a number for every expression: ``state`` holds q, qd, and qdd or v and a."""
    known: dict[Any, float] = {name: value.number for name, value in robot.values.items()}
    known.update(zip(robot.coordinates, state["q"], strict=True))
    arrays = [*coordinates(robot).inputs(["qd", "qdd", "tau"]), *reference_inputs(robot)]
    for array in {one.name: one for one in arrays if one.name != "q"}.values():
        numbers_of = state.get(array.name, np.zeros(array.shape))
        known.update({symbol: float(v) for symbol, v in zip(array.entries, numbers_of, strict=True)})
    numeric = _on_floats(tree, known)
    assert isinstance(numeric, Tree)
    return numeric


def _on_floats(value: Any, known: Mapping[Any, float]) -> Any:
    if isinstance(value, Expr):
        return float(evaluate([value], known)[0])
    if isinstance(value, tuple):
        return tuple(_on_floats(item, known) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: _on_floats(getattr(value, f.name), known) for f in fields(value)})
    return value
