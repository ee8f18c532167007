"""Random robots with motors, coupled transmissions and friction, and what these are in plain NumPy."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from models.reference import loaded_robot, numbers

from robosym.expr import Expr, number, parameter
from robosym.robot import FIXED, Coupling, Friction, Motor, Robot, Value


def driven_robot(rng: np.random.Generator, n: int, symbolic: bool = True, couplings: int = 2) -> Robot:
    """A random tree with mimic joints, whose joints have motors; some of the independent ones are coupled."""
    robot = loaded_robot(rng, n, symbolic, moving_base=False)
    values = dict(robot.values)

    def entry(name: str, value: float) -> Expr:
        if not symbolic:
            return number(value)
        values[name] = Value(value)
        return parameter(name)

    groups = _groups(rng, robot, couplings)
    together = {j for group in groups for j in group}
    frames = []
    for j, frame in enumerate(robot.frames, 1):
        if frame.sigma != FIXED:
            motor = Motor(*(entry(f"{name}{j}", float(rng.uniform(0.1, 1))) for name in ("JM", "KT", "KA")))
            ratio = None if j in together else entry(f"N{j}", float(rng.uniform(-9, -2)))
            frame = replace(frame, actuator=replace(frame.actuator, motor=motor, ratio=ratio))
        frames.append(frame)
    made = []
    for k, group in enumerate(groups):
        J = rng.uniform(-1, 1, (len(group),) * 2) + 1.5 * np.eye(len(group))[:, rng.permutation(len(group))]
        rows = tuple(tuple(entry(f"J{k}_{i}_{c}", float(x)) for c, x in enumerate(row)) for i, row in enumerate(J))
        made.append(Coupling(group, rows))
    return robot.replace(frames=tuple(frames), couplings=tuple(made), values=values)


def _groups(rng: np.random.Generator, robot: Robot, most: int) -> list[tuple[int, ...]]:
    """Disjoint groups of two to four independent joints, in any order."""
    free = list(rng.permutation(robot.moving))
    found = []
    for _ in range(most):
        size = int(rng.integers(2, 5))
        if len(free) >= size:
            found.append(tuple(int(j) for j in free[:size]))
            free = free[size:]
    return found


def jacobian_of_motors(robot: Robot) -> np.ndarray:
    """J of q = J q_m, of the independent joints."""
    places = {j: k for k, j in enumerate(robot.moving)}
    J = np.eye(len(places))
    for j, k in places.items():
        if (N := robot.frame(j).actuator.ratio) is not None:
            J[k, k] = 1 / numbers(robot, [N])[0]
    for coupling in robot.couplings:
        at = [places[j] for j in coupling.frames]
        J[np.ix_(at, at)] = np.reshape(numbers(robot, [x for row in coupling.matrix for x in row]), (len(at),) * 2)
    return J


def rotors_of_motors(robot: Robot) -> np.ndarray:
    """J^-T Jm J^-1, with the motors of dependent joints (which are on no coupling) as N^2 Jm of their own speeds."""
    inverse = np.linalg.inv(jacobian_of_motors(robot))
    Jm = np.diag([numbers(robot, [robot.frame(j).actuator.motor.Jm])[0] for j in robot.moving])
    total = inverse.T @ Jm @ inverse
    for j, frame in enumerate(robot.frames, 1):
        if frame.sigma != FIXED and j not in robot.moving:
            master, ratio = robot.master(j)
            own = number(1) if frame.actuator.ratio is None else frame.actuator.ratio
            N, Jm_j, G = numbers(robot, [own, frame.actuator.motor.Jm, ratio])
            place = robot.moving.index(master)
            total[place, place] += G * N**2 * Jm_j * G
    return total


# --- friction ----------------------------------------------------------------------------------------------------------


def random_friction(rng: np.random.Generator) -> Friction:
    """Any of the terms, each with its own numbers."""

    def x(low: float = 0.1, high: float = 3) -> Expr:
        return number(float(rng.uniform(low, high)))

    def perhaps(value: Expr) -> Expr | None:
        return value if rng.random() < 0.5 else None

    stribeck, points = rng.random() < 0.6, rng.random() < 0.6
    return Friction(
        Fst=x() if stribeck else None,
        B=x(1, 9) if stribeck else None,
        Fv_negative=perhaps(x()),
        Fs_negative=perhaps(x()),
        Fst_negative=perhaps(x()) if stribeck else None,
        points=_points(rng) if points else (),
        points_negative=_points(rng) if points and rng.random() < 0.5 else (),
        offset=x(-1, 1) if rng.random() < 0.5 else number(0),
        width=x(0.01, 0.3),
    )


def _points(rng: np.random.Generator) -> tuple[tuple[Expr, Expr], ...]:
    speeds = np.sort(rng.uniform(0.05, 2, int(rng.integers(1, 5))))
    if rng.random() < 0.5:
        speeds[0] = 0
    return tuple((number(float(v)) if v else number(0), number(float(rng.uniform(0, 4)))) for v in speeds)


def friction_of(Fv: float, Fs: float, law: Friction, qd: float) -> float:
    """The torque of friction from its definition, case by case."""

    def value(entry: Expr | None, otherwise: float = 0.0) -> float:
        return otherwise if entry is None else float(entry.value)

    if qd == 0:
        return value(law.offset)
    if qd < 0:
        Fv, Fs = value(law.Fv_negative, Fv), value(law.Fs_negative, Fs)
    static = value(law.Fst)
    points = law.points
    if qd < 0:
        static = value(law.Fst_negative, static)
        points = law.points_negative or points
    speed = abs(qd)
    level = Fs if law.Fst is None else Fs + (static - Fs) * np.exp(-value(law.B) * speed)
    level += Fv * speed + curve_of([(value(v), value(f)) for v, f in points], speed)
    return value(law.offset) + (level if qd > 0 else -level)


def curve_of(points: list[tuple[float, float]], speed: float) -> float:
    if not points:
        return 0.0
    if points[0][0] > 0:
        points = [(0.0, 0.0), *points]
    if len(points) == 1:
        return points[0][1]
    for (v, f), (w, g) in pairwise(points):
        if speed <= w or (w, g) == points[-1]:
            return f + (g - f) / (w - v) * (speed - v)
    raise AssertionError
