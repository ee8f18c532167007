"""The joints of a robot as a controller knows them: by name, with limits, and those that follow others."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..expr import Expr, free_symbols
from ..expr.evaluate import evaluate
from ..robot import FIXED, FREE, PRISMATIC
from ..robot.blocks import entries_of
from ..robot.joints.kind import Entry
from .samples import robot_values

if TYPE_CHECKING:
    from ..robot import Robot

BASE_POSITION = ("base_x", "base_y", "base_z", "base_qx", "base_qy", "base_qz", "base_qw")


@dataclass(frozen=True)
class Bounds:
    """Limits of a joint in its own units; infinite where there is none, or none is known."""

    lower: float
    upper: float
    velocity: float
    effort: float
    acceleration: float
    jerk: float


@dataclass(frozen=True)
class Following:
    """How a dependent joint follows a coordinate: ``ratio`` * q[``master``] + ``offset``; nan where a symbol has no value."""

    master: int
    ratio: float
    offset: float


@dataclass(frozen=True)
class Named:
    """A joint, or an entry of a joint with several axes; ``following`` is set for joints that mimic a coordinate."""

    name: str
    is_prismatic: bool
    bounds: Bounds
    following: Following | None = None
    of_quaternion: bool = False

    def unit(self, rates: int = 0) -> str:
        """Of its position, or of a derivative of that."""
        if self.of_quaternion:
            return "unit quaternion"
        return ("m" if self.is_prismatic else "rad") + ("", "/s", "/s^2")[rates]

    @property
    def effort_unit(self) -> str:
        return "N" if self.is_prismatic else "N m"


@dataclass(frozen=True)
class Joints:
    """``driven`` are the entries of q and ``speeds`` those of qd, after a free base; ``all`` has the positions of every joint in
    the order of ``loop-geometry``, which is that of the tree. The entries of a joint with several axes are named JOINT.ENTRY."""

    driven: tuple[Named, ...]
    speeds: tuple[Named, ...]
    all: tuple[Named, ...]
    floating: bool

    @property
    def following(self) -> tuple[Named, ...]:
        """The joints that are no coordinates: passive ones of closed loops, and those that mimic."""
        own = {joint.name for joint in self.driven}
        return tuple(joint for joint in self.all if joint.name not in own)


def joints_of(robot: Robot) -> Joints:
    start = len(BASE_POSITION) if robot.base.floating else 0
    places = {block.frame: block.q.start - start for block in robot.blocks}
    named = {j: _named(robot, j, places) for j in robot.order if robot.frame(j).sigma not in (FIXED, FREE)}
    positions = {j: _entries(joint, entries_of(robot, j)[0]) for j, joint in named.items()}
    speeds = [_entries(named[j], entries_of(robot, j)[1]) for j in robot.moving]
    return Joints(
        tuple(entry for j in robot.moving for entry in positions[j]),
        tuple(entry for entries in speeds for entry in entries),
        tuple(entry for entries in positions.values() for entry in entries),
        robot.base.floating,
    )


def _entries(joint: Named, entries: tuple[Entry, ...]) -> tuple[Named, ...]:
    """The joint by its entries."""
    return tuple(
        replace(
            joint,
            name=f"{joint.name}.{entry.suffix}" if entry.suffix else joint.name,
            is_prismatic=entry.unit == "length",
            of_quaternion=entry.unit == "quaternion",
        )
        for entry in entries
    )


def _named(robot: Robot, j: int, places: Mapping[int, int]) -> Named:
    frame = robot.frame(j)
    limits, following = frame.joint.limits, None
    if frame.joint.mimic is not None:
        master, ratio = robot.master(j)
        if master in places:
            own = robot.frame(master).joint.variable
            at_zero = evaluate_or_nan(robot, robot.position(j), {own: 0.0} if own is not None else {})
            following = Following(places[master], evaluate_or_nan(robot, ratio, {}), at_zero)
    return Named(
        frame.joint.name,
        frame.sigma == PRISMATIC,
        Bounds(
            _or(limits.lower, -math.inf),
            _or(limits.upper, math.inf),
            _or(limits.velocity, math.inf),
            _or(limits.effort, math.inf),
            _or(limits.acceleration, math.inf),
            _or(limits.jerk, math.inf),
        ),
        following,
    )


def evaluate_or_nan(robot: Robot, expression: Expr, more: Mapping[Expr, float]) -> float:
    values = {**robot_values(robot), **{symbol.name: value for symbol, value in more.items()}}
    if any(symbol.name not in values for symbol in free_symbols(expression)):
        return math.nan
    return float(evaluate([expression], values)[0])


def _or(limit: float | None, otherwise: float) -> float:
    return otherwise if limit is None else float(limit)
