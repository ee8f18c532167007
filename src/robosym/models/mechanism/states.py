"""States of a robot in numbers, many at once: positions, a basis of the motions there, one of them and its rate.

The motions are those of the coordinates where joints follow these; else those that closures leave open, with rates that keep them
closed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...expr import Expr, evaluate, expr, free_symbols, text, variable
from ...program import Unmarked
from ...reals import Floats
from ...robot import PRISMATIC, Robot, RobotError
from ...robot.problems import Problem
from ...spatial.ranks import null_space
from ...spatial.screws import from_left
from ..tree.bodies import Tree, tree
from ..tree.coordinates import BASE_AXES
from .frames import Linkage, MovingFrame, linkage_of

FASTEST = 2.0  # speeds and accelerations, on a basis of the motions that is orthonormal with lengths over the size
RANK = 1e-7  # of closures, with rows and columns of the size of one

Closing = tuple[int, int, bool]  # two frames that coincide, or of which only the origins do


@dataclass(frozen=True)
class States:
    """``T`` and ``x`` are the poses of the root of the linkage and the positions of its joints, ``motions`` the basis of all motions
    at each state, ``u`` and ``ud`` one of them and its rate. Gravity is in the axes of frame 0, there."""

    linkage: Linkage
    T: Floats  # (N, 4, 4)
    x: Floats  # (N, n)
    motions: Floats  # (N, 6 + n, k)
    u: Floats  # (N, 6 + n)
    ud: Floats
    gravity: Floats  # (N, 3) or (3,)

    def __len__(self) -> int:
        return len(self.T)

    @property
    def joints(self) -> tuple[int, ...]:
        return self.linkage.joints

    @cached_property
    def moving(self) -> dict[int, MovingFrame]:
        """All frames, by their numbers."""
        return self.linkage.moving(self.T, self.x, self.motions, self.u, self.ud)


def table(entries: Sequence[Any], values: Mapping[Any, Any], count: int) -> Floats:
    """Expressions (count, entries) where symbols have numbers, or one for each row."""
    found = evaluate([expr(x) for x in entries], values)
    return np.array([np.broadcast_to(x, count) for x in found], dtype=float).reshape(len(found), count).T


def require_values(robot: Robot, entries: Sequence[Expr]) -> None:
    """Raise an error unless all parameters in these entries of geometry and gravity have a value."""
    if missing := missing_values(robot, entries):
        problem = f"needs numbers for its geometry and gravity; {', '.join(missing[:10])} have none"
        raise RobotError([Problem("values", problem)], robot.name)


def missing_values(robot: Robot, entries: Sequence[Expr]) -> list[str]:
    """The parameters in these entries that have no value."""
    return sorted({s.name for s in free_symbols(*entries) if s.kind == "parameter"} - set(robot.values))


# --- where joints follow coordinates ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TreeMotion:
    """The motion of a tree in its coordinates, also of one that closed loops are assembled to."""

    robot: Robot

    @cached_property
    def bodies(self) -> Tree:
        return tree(self.robot)

    @property
    def joints(self) -> list[int]:
        return [body.j for body in self.bodies.bodies]

    @cached_property
    def motion(self) -> list[Expr]:
        """Gravity, positions, speeds and accelerations, those of the base first; the velocity of a base that is not free makes no
        difference to the others."""
        own, bodies = self.bodies.coordinates, self.bodies
        linear = [own.speed(axis) for axis in BASE_AXES[:3]] if bodies.free else [0] * 3
        parts = [
            *bodies.gravity,
            *(own.position(j) for j in self.joints),
            *(*linear, *bodies.angular_velocity, *(own.speed(j) for j in self.joints)),
            *(*bodies.acceleration, *bodies.angular_acceleration, *(own.acceleration(j) for j in self.joints)),
        ]
        return [expr(x) for x in parts]

    @cached_property
    def rows(self) -> dict[tuple[int, int], Expr]:
        """How the motion follows from the rates of the coordinates: the entries that are not zero, by their places."""
        axes = [*(BASE_AXES if self.bodies.free else ()), *self.joints]
        own, first = self.bodies.coordinates, 6 + len(self.joints) - len(axes)
        return {(i, k): expr(x) for i, axis in enumerate(axes, first) for k, x in own.row(axis)}

    @cached_property
    def changing(self) -> list[Expr]:
        """The symbols that change in time, those of a motion of the base that is given among them, in an order of their own."""
        base = (*self.bodies.angular_velocity, *self.bodies.angular_acceleration, *self.bodies.acceleration)
        used = free_symbols(*self.motion, *self.rows.values(), *self._placed_by)
        return sorted(
            {s for s in used if s.kind == "variable"} | set(free_symbols(*map(expr, base))), key=lambda s: s.key
        )

    @cached_property
    def constant(self) -> list[Expr]:
        """The parameters of geometry, gravity and of how joints follow others."""
        geometry = [x for frame in self.robot.frames for x in frame.geometry]
        used = free_symbols(*geometry, *self.motion, *self.rows.values(), *self._placed_by)
        return [s for s in used if s.kind == "parameter" and s not in self.changing]

    @cached_property
    def _placed_by(self) -> list[Expr]:
        """The entries of q that place frames, as the quaternion of a ball joint does."""
        return [x for chain in self.robot.chains.values() if chain.placed for x in chain.q]

    def _placements(self, numbers: Mapping[Expr, Any], count: int) -> dict[int, Floats]:
        """The placements (count, 4, 4) of such frames."""
        poses = {}
        for chain in (chain for chain in self.robot.chains.values() if chain.placed):
            columns, position = from_left(chain.placement, Unmarked())
            entries = [x for column in (*columns, position) for x in column]
            T = np.tile(np.eye(4), (count, 1, 1))
            T[:, :3] = table(entries, numbers, count).reshape(count, 4, 3).swapaxes(1, 2)
            poses[chain.placed] = T
        return poses

    def _with_unit_quaternions(self, numbers: Mapping[Expr, Any]) -> dict[Expr, Any]:
        """The same numbers, where the quaternions of joints have length one."""
        scaled = dict(numbers)
        for block in self.bodies.coordinates.blocks:
            if block.quaternion is not None and (part := block.q[block.quaternion :][:4])[0] in numbers:
                length = np.sqrt(sum(np.square(numbers[x]) for x in part))
                scaled |= {x: numbers[x] / length for x in part}
        return scaled

    def _separate(self) -> Robot:
        """The robot whose elementary joints have a variable each, where those of one joint of several axes share some."""
        frames = list(self.robot.frames)
        for i in (i for chain in self.robot.chains.values() for i in chain.frames):
            frame, own = frames[i - 1], variable(f"elementary_joint_{i}")
            moving = "r" if frame.sigma == PRISMATIC else "theta"
            place = getattr(frame, moving) - self.bodies.coordinates.position(i) + own
            frames[i - 1] = replace(frame, joint=replace(frame.joint, variable=own), **{moving: place})
        return self.robot.replace(frames=tuple(frames))

    def states(self, numbers: Mapping[Expr, Any], count: int) -> States:
        """So many, where symbols have numbers, or one for each state."""
        numbers = self._with_unit_quaternions(numbers) if self.robot.chains else numbers
        entries, n, joints = [*self.motion, *self.rows.values()], len(self.joints), self.joints
        columns = table(entries, numbers, count)
        for entry, column in zip(entries, columns.T, strict=True):
            if not np.isfinite(column).all():
                raise RobotError([Problem("", f"{text(entry)} has no value with the robot's values")], self.robot.name)
        gravity, x, u, ud, rows = np.split(columns, np.cumsum([3, n, 6 + n, 6 + n]), axis=1)
        motions = np.zeros((count, 6 + n, self.bodies.coordinates.nv))
        for (i, k), column in zip(self.rows, rows.T, strict=True):
            motions[:, i, k] = column
        robot = self._separate() if self.robot.chains else self.robot
        still = dict.fromkeys((v for f in self.robot.frames if (v := f.joint.variable) is not None), 0.0)
        still |= {x: 0.0 for chain in self.robot.chains.values() for x in chain.q}
        values = {s: float(numbers[s]) for s in self.constant}
        linkage = linkage_of(robot, robot.order, joints, {**still, **values}, 0, self._placements(numbers, count))
        return States(linkage, np.tile(np.eye(4), (count, 1, 1)), x, motions, u, ud, gravity)


# --- where closures leave motions ------------------------------------------------------------------------------------------


def closed_motions(
    linkage: Linkage, closings: Sequence[Closing], size: float, T: Floats, x: Floats, rng: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """The motions that keep these frames together at positions at which they are, a random one and a rate of it that does so too.
    They are orthonormal with lengths over ``size``: whatever the unit of length, points are about as fast as angles."""
    count, n = len(T), 6 + x.shape[1]
    still, units = np.zeros((count, n)), np.concatenate([[size] * 3, [1.0] * 3, np.where(linkage.sliding, size, 1.0)])
    basis = np.tile(np.diag(units), (count, 1, 1))
    slopes = _differences(linkage.moving(T, x, basis, still, still), closings, size)[0]
    motions = units[:, None] * np.array([null_space(slope, RANK) for slope in slopes])
    u, free = (
        np.einsum("bij,bj->bi", motions, rng.uniform(-FASTEST, FASTEST, (count, motions.shape[2]))) for _ in range(2)
    )
    late = _differences(linkage.moving(T, x, motions, u, still), closings, size)[1]
    return motions, u, free - units * np.einsum("bij,bj->bi", np.linalg.pinv(slopes, rcond=RANK), late)


def _differences(frames: Mapping[int, MovingFrame], closings: Sequence[Closing], size: float) -> tuple[Floats, Floats]:
    """How much the twists and the accelerations of the ones differ from those of the others."""
    twists, accelerations = [], []
    for end, other, in_a_point in closings:
        one, two = frames[end], frames[other]
        rows = 3 if in_a_point else 6
        difference = one.twists - two.twists
        difference[:, :3] /= size
        twists.append(difference[:, :rows])
        accelerations.append(np.concatenate([(one.a - two.a) / size, one.wd - two.wd], axis=1)[:, :rows])
    return np.concatenate(twists, axis=1), np.concatenate(accelerations, axis=1)
