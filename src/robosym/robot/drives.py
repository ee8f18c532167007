"""Friction, motors, flexibility and couplings of a description: how their tables are read, and what is wrong with them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

from ..expr import Expr, number
from ..expr.generic import Generic
from .entries import Entries, shown
from .keys import FLEXIBILITY_KEYS
from .parts import FIXED, KINDS, ZERO, Coupling, Flexibility, Friction, Motor, MotorLimits, Points
from .problems import Problem, RobotError
from .robot import Robot

COEFFICIENTS = ("Fst", "B", "Fv_negative", "Fs_negative", "Fst_negative", "offset", "width")
FRICTION_KEYS = (*COEFFICIENTS, "points", "points_negative")
CONSTANTS = ("Jm", "KT", "Ka", "Fv", "Fs")
MOTOR_KEYS = (*CONSTANTS, "limits", "axis", "link")
MOTOR_LIMIT_KEYS = ("torque", "speed", "current")
COUPLING_KEYS = ("frames", "matrix")

MOST_COUPLED = 10  # joints in one coupling: its inverse is written out by minors
SINGULAR = 1e-12  # the least ratio of the singular values of a coupling
LEAST_WIDTH = 1e-300  # below, dividing by it overflows

UPWARDS = (ZERO, ZERO, number(1))
FrameNumber = Callable[[str, Any, int], int]  # of a frame given by number or name


# --- reading -----------------------------------------------------------------------------------------------------------


def read_friction(entries: Entries, where: str, raw: Any) -> Friction:
    row = entries.table(f"{where}, friction", raw, FRICTION_KEYS)
    made: dict[str, Any] = {
        key: entries.expression(f"{where}, friction {key}", row[key], ZERO) for key in COEFFICIENTS if key in row
    }
    for key in ("points", "points_negative"):
        if key in row:
            made[key] = _points(entries, f"{where}, friction {key}", row[key])
    return Friction(**made)


def _points(entries: Entries, where: str, raw: Any) -> Points:
    pairs = [list(pair) if isinstance(pair, (list, tuple)) else [] for pair in raw] if _is_list(raw) else []
    if not pairs or any(len(pair) != 2 for pair in pairs):
        entries.problem(where, f"expected a list of [speed, torque], got {shown(raw)}")
        return ()
    words = ("speed", "torque")
    made = [
        tuple(entries.expression(f"{where} {k} {word}", x, ZERO) for word, x in zip(words, pair, strict=True))
        for k, pair in enumerate(pairs, 1)
    ]
    return cast(Points, tuple(made))


def read_motor(entries: Entries, where: str, raw: Any, frame_number: FrameNumber) -> Motor:
    row = entries.table(f"{where}, motor", raw, MOTOR_KEYS)
    made: dict[str, Any] = {
        key: entries.expression(f"{where}, motor {key}", row[key], ZERO) for key in CONSTANTS if key in row
    }
    limits = entries.table(f"{where}, motor limits", row.get("limits", {}), MOTOR_LIMIT_KEYS)
    numbers = {key: entries.number(f"{where}, motor limits {key}", value) for key, value in limits.items()}
    if "axis" in row:
        made["axis"] = entries.vector(f"{where}, motor axis", row["axis"], UPWARDS)
    if "link" in row:
        made["link"] = frame_number(f"{where}, motor link", row["link"], 0)
    return Motor(**made, limits=MotorLimits(**numbers))


def read_flexibility(entries: Entries, where: str, raw: Any) -> Flexibility:
    return Flexibility(**read_stiffness(entries, f"{where}, flexibility", raw, FLEXIBILITY_KEYS))


def read_stiffness(entries: Entries, where: str, raw: Any, keys: Sequence[str]) -> dict[str, Expr]:
    """The table of a spring or of a flexible joint: a stiffness, and what goes with it."""
    row = entries.table(where, raw, keys)
    if isinstance(raw, dict) and "stiffness" not in row:
        entries.problem(f"{where} stiffness", f"expected a number or a symbol in {{{', '.join(keys)}}}")
    return {"stiffness": ZERO} | {
        key: entries.expression(f"{where} {key}", row[key], ZERO) for key in keys if key in row
    }


def read_couplings(entries: Entries, raw: Any, frame_number: FrameNumber) -> tuple[Coupling, ...]:
    """The [[coupling]] tables. ``frame_number`` finds a frame by number or name."""
    if not _is_list(raw):
        entries.problem("coupling", f"expected [[coupling]] tables, got {shown(raw)}")
        return ()
    return tuple(_coupling(entries, f"coupling {k}", one, frame_number) for k, one in enumerate(raw, 1))


def _coupling(entries: Entries, where: str, raw: Any, frame_number: FrameNumber) -> Coupling:
    row = entries.table(where, raw, COUPLING_KEYS)
    for key in COUPLING_KEYS:
        if not _is_list(row.get(key)):
            entries.problem(f"{where}, {key}", f"expected a list, got {shown(row.get(key))}")
            row[key] = []
    frames = tuple(frame_number(f"{where}, frames", one, 0) for one in row["frames"])
    lines = [list(line) if isinstance(line, (list, tuple)) else [line] for line in row["matrix"]]
    matrix = tuple(
        tuple(entries.expression(f"{where}, matrix {i} {k}", x, ZERO) for k, x in enumerate(line, 1))
        for i, line in enumerate(lines, 1)
    )
    return Coupling(frames, matrix)


def _is_list(raw: Any) -> bool:
    return isinstance(raw, (list, tuple))


# --- checks ------------------------------------------------------------------------------------------------------------


def drive_problems(robot: Robot, amounts: Mapping[str, float]) -> Iterator[Problem]:
    """What is wrong with friction, motors and couplings. ``amounts`` are the entries that have numbers."""
    for j, frame in enumerate(robot.frames, 1):
        actuator, where = frame.actuator, f"frame {j}"
        if frame.sigma == FIXED and (actuator.friction, actuator.motor) != (Friction(), Motor()):
            yield Problem(where, "a fixed frame has neither friction nor a motor")
        yield from _friction_problems(actuator.friction, f"{where}, friction", amounts)
        yield from _motor_problems(actuator.motor, f"{where}, motor", amounts)
        yield from _mounting_problems(robot, actuator.motor, f"{where}, motor", amounts)
        yield from _flexibility_problems(robot, j, amounts)
        if amounts.get(f"{where}, ratio") == 0:
            yield Problem(f"{where}, ratio", "expected motor speed / joint speed, other than 0")
    yield from _coupling_problems(robot, amounts)


def _friction_problems(friction: Friction, where: str, amounts: Mapping[str, float]) -> Iterator[Problem]:
    if (friction.Fst is None) != (friction.B is None):
        given, other = ("Fst", "B") if friction.B is None else ("B", "Fst")
        yield Problem(f"{where} {other}", f"expected a number or a symbol beside {given}: both make equation [7.26]")
    if friction.Fst_negative is not None and friction.Fst is None:
        yield Problem(f"{where} Fst", "expected a number or a symbol beside Fst_negative")
    if friction.points_negative and not friction.points:
        yield Problem(f"{where} points", "expected those of positive speeds beside points_negative")
    if amounts.get(f"{where} B", 0) < 0:
        yield Problem(f"{where} B", f"expected a number that is not negative, got {amounts[f'{where} B']:g}")
    width = amounts.get(f"{where} width", 1)
    if friction.width is not None and (friction.width.is_zero or width < LEAST_WIDTH):
        yield Problem(f"{where} width", f"expected a positive speed, got {0 if friction.width.is_zero else width:g}")
    for name in ("points", "points_negative"):
        last = 0.0
        for k, (speed, _) in enumerate(getattr(friction, name), 1):
            amount = amounts.get(f"{where} {name} {k} speed", math.inf)
            if not (amount > last or (k == 1 and speed.is_zero)):
                yield Problem(
                    f"{where} {name}", f"expected speeds from 0 on, each above the one before, got {amount:g}"
                )
                break
            last = amount if math.isfinite(amount) else last


def _motor_problems(motor: Motor, where: str, amounts: Mapping[str, float]) -> Iterator[Problem]:
    if amounts.get(f"{where} Jm", 0) < 0:
        yield Problem(f"{where} Jm", f"expected an inertia that is not negative, got {amounts[f'{where} Jm']:g}")
    for name in ("KT", "Ka"):
        constant: Expr | None = getattr(motor, name)
        if constant is not None and (constant.is_zero or amounts.get(f"{where} {name}") == 0):
            yield Problem(f"{where} {name}", "expected a number other than 0")
    for name in MOTOR_LIMIT_KEYS:
        limit = getattr(motor.limits, name)
        if limit is not None and not (math.isfinite(limit) and limit > 0):
            yield Problem(f"{where} limits {name}", f"expected a positive number, got {limit:g}")


def _mounting_problems(robot: Robot, motor: Motor, where: str, amounts: Mapping[str, float]) -> Iterator[Problem]:
    """Where the motor is and how its rotor turns."""
    if motor.link is not None and not 0 <= motor.link <= robot.n_links:
        expected = f"expected the frame that carries the motor, from 0 (the base) to {robot.n_links}"
        yield Problem(f"{where} link", f"{expected}, got {motor.link}")
    if motor.axis is None:
        if motor.link is not None:
            yield Problem(f"{where} axis", "expected the direction of the rotor's axis beside link")
        return
    if motor.Jm.is_zero:
        yield Problem(
            f"{where} Jm", "expected the inertia of the rotor beside its axis (Ia has none: it is the joint's)"
        )
    lengths = [amounts.get(f"{where} axis {k}", 0.0 if x.is_zero else 1.0) for k, x in enumerate(motor.axis, 1)]
    if not any(lengths):
        yield Problem(f"{where} axis", "expected a direction, got 0, 0, 0")


def _flexibility_problems(robot: Robot, j: int, amounts: Mapping[str, float]) -> Iterator[Problem]:
    """A flexible joint has a motor of its own, at the other end of a spring."""
    frame, where = robot.frame(j), f"frame {j}, flexibility"
    soft, spring = frame.actuator.flexibility, "a spring between its links is spring = {stiffness, damping, rest}"
    if soft is None:
        return
    if frame.sigma in KINDS:
        yield Problem(where, f"a {KINDS[frame.sigma]} has no drive that could be flexible")
    elif frame.joint.mimic is not None:
        yield Problem(where, f"the joint follows that of frame {frame.joint.mimic.frame} and has no drive; {spring}")
    elif not frame.joint.active:
        yield Problem(where, f"the joint has no motor, so that it has no drive; {spring}")
    elif any(j in coupling.frames for coupling in robot.couplings):
        yield Problem(where, "the joint is coupled with others: a flexible drive moves one joint")
    stiffness = amounts.get(f"{where} stiffness", 0.0 if soft.stiffness.is_zero else 1.0)
    if not stiffness > 0:
        expected = "expected a positive number, or no flexibility for a rigid drive"
        yield Problem(f"{where} stiffness", f"{expected}, got {stiffness:g}")


def _coupling_problems(robot: Robot, amounts: Mapping[str, float]) -> Iterator[Problem]:
    seen: set[int] = set()
    try:
        moving = robot.moving if robot.couplings else ()
    except RobotError:  # the frames do not make a tree, which is said elsewhere
        return
    for k, coupling in enumerate(robot.couplings, 1):
        where, n = f"coupling {k}", len(coupling.frames)
        wrong = list(_frames_problems(robot, moving, coupling, where, seen))
        seen.update(coupling.frames)
        if len(coupling.matrix) != n or any(len(row) != n for row in coupling.matrix):
            shape = f"{len(coupling.matrix)} row(s) of {', '.join(str(len(row)) for row in coupling.matrix) or 'none'}"
            wrong.append(Problem(f"{where}, matrix", f"expected {n} x {n} entries, a row for each frame, got {shape}"))
        if not wrong and _is_singular(coupling, where, amounts):
            wrong.append(Problem(f"{where}, matrix", "J is singular: these motors do not determine the joints"))
        yield from wrong


def _frames_problems(
    robot: Robot, moving: Sequence[int], coupling: Coupling, where: str, seen: set[int]
) -> Iterator[Problem]:
    where = f"{where}, frames"
    if not 2 <= len(coupling.frames) <= MOST_COUPLED:
        yield Problem(
            where, f"expected 2 to {MOST_COUPLED} frames whose joints are coupled, got {len(coupling.frames)}"
        )
    for place, j in enumerate(coupling.frames):
        if not 1 <= j <= len(robot.frames):
            yield Problem(where, f"expected frames from 1 to {len(robot.frames)}, got {j}")
        elif j in seen or j in coupling.frames[:place]:
            yield Problem(where, f"frame {j} is named twice: a joint has one transmission")
        elif j not in moving or not robot.frame(j).joint.active:
            yield Problem(where, f"frame {j} has no joint that is a coordinate: expected driven, independent joints")
        elif robot.frame(j).actuator.ratio is not None:
            yield Problem(f"frame {j}, ratio", "its joint is coupled: the matrix of the coupling holds the reductions")


def _is_singular(coupling: Coupling, where: str, amounts: Mapping[str, float]) -> bool:
    """With the robot's values; symbols without one stand for any number."""
    entries = [x for row in coupling.matrix for x in row]
    drawn = Generic()(entries)
    n = len(coupling.frames)
    names = [f"{where}, matrix {i} {c}" for i in range(1, n + 1) for c in range(1, n + 1)]
    J = np.array([amounts.get(name, x) for name, x in zip(names, drawn, strict=True)], dtype=float).reshape(n, n)
    if not np.isfinite(J).all():
        return False  # said elsewhere
    J = J / (np.abs(J).max(axis=1, keepdims=True) + (J == 0).all(axis=1, keepdims=True))
    values = np.linalg.svd(J, compute_uv=False)
    return bool(values[-1] <= SINGULAR * values[0])
