"""From the columns of a recording to the joints: units, signs, reductions and couplings, offsets.

    q = J (unit column) + offset,    qd = J (unit column),    tau = J^-T (unit gain column)

with q = J q_m of the robot's description or of the recipe (Khalil, course 2014, equations 7.31 to 7.33), and J = 1 for columns
that are of the joints already. The seven or six columns of a free base are taken as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...expr import Expr, evaluate
from ...models.tree.drives import motor_constants, transmission_of
from ...robot import Robot
from ...robot.problems import Problem
from .recipe import OF_MOTORS, UNITS, Recipe, RecipeError, Signal, Torque
from .recording import Recording
from .signals import Array, Mask, saturated


@dataclass(frozen=True)
class Linear:
    """Entries = columns @ matrix + offset."""

    columns: tuple[str, ...]
    matrix: Array
    offset: Array

    def __call__(self, block: Array) -> Array:
        diagonal = np.diag(self.matrix)
        if self.matrix.shape == (len(diagonal),) * 2 and not (self.matrix - np.diag(diagonal)).any():
            return np.asarray(block * diagonal + self.offset)
        return np.asarray(block @ self.matrix + self.offset)


@dataclass(frozen=True)
class AtJoints:
    """What a block of the recording says about the joints. Velocities and accelerations only where they are measured."""

    q: Array
    qd: Array | None
    qdd: Array | None
    tau: Array
    saturated: Mask  # (N, nv)


@dataclass(frozen=True)
class JointSide:
    """The columns of a recording that a recipe needs, and how they become those of the joints."""

    position: Linear
    velocity: Linear | None
    acceleration: Linear | None
    torque: Linear
    limits: Array | None  # of the torque's columns
    base: int  # entries of qd of a free base

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(name for part in self._parts for name in part.columns)

    @property
    def _parts(self) -> list[Linear]:
        return [part for part in (self.position, self.velocity, self.acceleration, self.torque) if part is not None]

    def __call__(self, block: Array) -> AtJoints:
        """Of rows with ``columns``."""
        found: list[Array] = []
        start = 0
        for part in self._parts:
            found.append(part(block[:, start : start + len(part.columns)]))
            start += len(part.columns)
        raw = block[:, start - len(self.torque.columns) :]
        if self.limits is None:
            at_limit = np.zeros(found[-1].shape, dtype=bool)
        else:  # a joint whose torque several motors make is saturated with any of them
            at_limit = (saturated(raw, self.limits) @ (self.torque.matrix != 0)) > 0
        given = iter(found)
        q = next(given)
        qd = next(given) if self.velocity is not None else None
        qdd = next(given) if self.acceleration is not None else None
        return AtJoints(q, qd, qdd, next(given), at_limit)


def joint_side(recipe: Recipe, recording: Recording) -> JointSide:
    """How this recording's columns become the joints'. Missing columns and wrong numbers of them are named together."""
    robot = recipe.robot
    base = robot.nv - len(robot.moving)
    motors = J_of(recipe)
    problems: list[Problem] = []
    for name in ("position", "velocity", "acceleration", "torque"):
        signal: Signal | Torque | None = getattr(recipe, name)
        if signal is not None:
            problems += _column_problems(recipe, recording, name, signal.columns)
    if problems:
        raise RecipeError(problems, recipe.source)

    def motion(name: str, before: int) -> Linear | None:
        signal: Signal | None = getattr(recipe, name)
        if signal is None:
            return None
        J = motors if signal.side == "motor" else np.eye(len(motors))
        scaled = np.diag(_factors(signal, name, len(motors))) @ J.T
        offset = np.concatenate((np.zeros(before), np.broadcast_to(signal.offset, len(motors))))
        return Linear(_expanded(recording, signal.columns), _beside(before, scaled), offset)

    position = motion("position", base and 7)
    assert position is not None
    torque = _torque(recipe, recording, motors, base)
    limits = None
    if recipe.torque.limit is not None:
        of_base = np.full(len(torque.columns) - len(motors), np.inf)
        limits = np.concatenate((of_base, np.broadcast_to(recipe.torque.limit, len(motors))))
    return JointSide(position, motion("velocity", base), motion("acceleration", base), torque, limits, base)


def _torque(recipe: Recipe, recording: Recording, motors: Array, base: int) -> Linear:
    given, n = recipe.torque, len(motors)
    factors = _factors(given, "torque", n) * _gains(recipe, n)
    inverse = np.linalg.inv(motors) if given.side == "motor" else np.eye(n)
    matrix = np.diag(factors) @ inverse
    columns = _expanded(recording, given.columns)
    measured = len(columns) - n  # of the base's wrench, which is zero otherwise
    whole = _beside(measured, matrix)
    if base and not measured:
        whole = np.concatenate((np.zeros((n, base)), matrix), axis=1)
    return Linear(columns, whole, np.zeros(n + base))


def J_of(recipe: Recipe) -> Array:
    """J of q = J q_m, from the recipe or else from the robot's description."""
    given = recipe.transmission
    if given is not None and given.coupling is not None:
        return np.asarray(np.linalg.inv(np.array(given.coupling)))
    n = len(recipe.robot.moving)
    if given is not None and given.ratio is not None:
        return np.diag(1 / np.broadcast_to(given.ratio, n))
    if not _of_motors(recipe):
        return np.eye(n)
    return described_J(recipe.robot)


def described_J(robot: Robot) -> Array:
    """J of the robot's description."""
    n, J = len(robot.moving), transmission_of(robot).J
    return _numbers(robot, [x for row in J for x in row], "transmission").reshape(n, n)


def _without_ratio(robot: Robot) -> list[str]:
    """The joints of which the description does not say how the motor turns."""
    coupled = {j for coupling in robot.couplings for j in coupling.frames}
    frames = {j: robot.frame(j) for j in robot.moving if j not in coupled}
    return [frame.joint.name for frame in frames.values() if frame.actuator.ratio is None]


def _of_motors(recipe: Recipe) -> bool:
    signals = (recipe.position, recipe.velocity, recipe.acceleration, recipe.torque)
    return any(one is not None and one.side == "motor" for one in signals)


def doubts(recipe: Recipe) -> Iterator[str]:
    """What is strange about the transmission: none where there must be one, or two that differ."""
    unknown = _without_ratio(recipe.robot)
    if recipe.transmission is None and unknown and _of_motors(recipe):
        yield (
            f"transmission: columns are of motors and the robot has no ratio of {', '.join(unknown)}: taken as 1; give [transmission] "
            "ratio, or the ratio in the description"
        )
    if recipe.transmission is not None and not unknown:
        try:
            described = described_J(recipe.robot)
        except RecipeError:  # symbols without values: the recipe says what they are
            return
        if not np.allclose(J_of(recipe), described, rtol=1e-6, atol=1e-12):
            yield (
                "transmission: the recipe's is not that of the robot's description; columns follow the recipe, coupled rotors and "
                "friction the description: give it in one place"
            )


def _gains(recipe: Recipe, n: int) -> Array:
    """N m for one unit of the columns."""
    if recipe.torque.gain is not None:
        return np.array(np.broadcast_to(recipe.torque.gain, n))
    units = np.broadcast_to(np.array(recipe.torque.unit), n)
    if not any(unit in OF_MOTORS for unit in units):
        return np.ones(n)
    constants = motor_constants(recipe.robot, "KT")
    if not constants or any(c is None for c in constants):
        raise RecipeError(
            [Problem("torque, gain", "expected N m/A for each motor (the robot has no KT)")], recipe.source
        )
    return _numbers(recipe.robot, [c for c in constants if c is not None], "torque, gain")


def _numbers(robot: Robot, entries: Sequence[Expr], where: str) -> Array:
    values: Mapping[str, float] = {name: value.number for name, value in robot.values.items()}
    try:
        return np.array(evaluate(entries, values), dtype=float)
    except ValueError as error:
        raise RecipeError([Problem(where, f"the robot's description has no number for it: {error}")]) from error


def _factors(signal: Signal | Torque, name: str, n: int) -> Array:
    units = np.array([UNITS[name][unit] for unit in signal.unit])
    return np.array(np.broadcast_to(units, n) * np.broadcast_to(signal.scale, n) * np.broadcast_to(signal.sign, n))


def _beside(before: int, matrix: Array) -> Array:
    """The columns of a base, as they are, and those of the joints."""
    n = len(matrix)
    found = np.zeros((before + n, before + n))
    found[:before, :before] = np.eye(before)
    found[before:, before:] = matrix
    return found


def _expanded(recording: Recording, columns: Sequence[str]) -> tuple[str, ...]:
    return tuple(each for name in columns for each in recording.expanded(name))


def _column_problems(recipe: Recipe, recording: Recording, name: str, columns: Sequence[str]) -> list[Problem]:
    problems = []
    found = _expanded(recording, columns)
    for column in found:
        try:
            recording.place(column)
        except ValueError as error:
            problems.append(Problem(f"{name}, columns", str(error)))
    n = len(recipe.robot.moving)
    base = 0 if not recipe.robot.base.floating else 7 if name == "position" else 6
    allowed = {n + base, n} if name == "torque" else {n + base}
    if len(found) not in allowed:
        problems.append(Problem(f"{name}, columns", f"expected {n + base} columns, got {len(found)}"))
    return problems
