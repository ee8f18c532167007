"""A robot with one platform in numbers: its legs with the motors where they are, for many positions of the passive joints at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....errors import RobosymError
from ....expr import Expr, evaluate, free_symbols
from ....reals import Floats, finite_array
from ....robot import FIXED, FREE, PRISMATIC, REVOLUTE, Robot
from ....robot.parts import RIGID, SPHERICAL, Leg
from ....spatial.floats import wrapped
from ...common import numbers_given
from ...mechanism.chain import Chain, geometry_of, variable_of
from ...mechanism.closure import Closure, Pair
from ...mechanism.newton import Truths


@dataclass(frozen=True)
class Limb(Chain):
    """A leg by the positions of all passive joints of the robot; ``uses`` are those of this leg. ``seat`` is in the platform."""

    name: str
    spherical: bool
    turns: Truths  # (f,): revolute, also those of motors
    seat: Floats  # (4, 4)

    @property
    def uses(self) -> list[int]:
        """The passive joints that move this leg, in the order from the base."""
        moved = np.abs(self.slope).sum(axis=1) > 0  # (f, n)
        return list(dict.fromkeys(int(k) for row in moved for k in np.flatnonzero(row)))


@dataclass(frozen=True)
class Mechanism:
    """All legs with the motors at q. Lengths are over ``size``; poses are in the base frame until ``placed`` puts them in world."""

    robot: Robot
    limbs: tuple[Limb, ...]
    passive: tuple[int, ...]  # frames
    size: float
    location: Floats  # Z (4, 4)

    @property
    def passive_names(self) -> tuple[str, ...]:
        return tuple(self.robot.frame(j).joint.name for j in self.passive)

    @property
    def tangled(self) -> bool:
        """Whether legs have passive joints in common."""
        uses = [k for limb in self.limbs for k in limb.uses]
        return len(set(uses)) < len(uses)

    @property
    def slides(self) -> Truths:
        """Which passive joints are prismatic."""
        return np.array([self.robot.frame(j).sigma == PRISMATIC for j in self.passive], bool)

    @property
    def units(self) -> Floats:
        """Half the range in which passive joints are looked for: a half turn, or the size."""
        return np.where(self.slides, 1.0, np.pi)

    @property
    def home(self) -> Floats:
        """The passive joints as the robot stands by its description; nan where that does not say."""
        own = [self.robot.frame(j).joint.position for j in self.passive]
        given = np.array([np.nan if x is None else x for x in own], float)
        return np.where(self.slides, given / self.size, given)

    def part(self, limbs: Sequence[Limb], uses: list[int]) -> Mechanism:
        """Some of the legs, with the passive joints that move them."""
        own = tuple(replace(limb, slope=limb.slope[:, :, uses]) for limb in limbs)
        return replace(self, limbs=own, passive=tuple(self.passive[k] for k in uses))

    def equations(self, x: Floats) -> tuple[Floats, Floats]:
        """The residuals of all legs in states (R, p, passive), and their slopes."""
        return Closure(tuple(Pair(limb, limb.seat, limb.spherical) for limb in self.limbs)).equations(x)

    def placed(self, poses: Floats) -> Floats:
        """Poses in the base frame, lengths over the size, as poses in world."""
        T = np.array(poses)
        T[:, :3, 3] *= self.size
        return np.asarray(self.location @ T)

    def joints(self, x: Floats) -> Floats:
        """Positions of passive joints over the size as they are, angles from -pi to pi."""
        return np.where(self.slides, x * self.size, wrapped(x))


def mechanism_of(robot: Robot, q: object, parameters: Mapping[str, Any] | None = None) -> Mechanism:
    """The robot with its motors at q (in the order of ``robot.moving``) and numbers for its parameters."""
    frame = _platform(robot)
    values = _values(robot, q, parameters)
    legs = robot.platforms[0].legs
    joints = dict.fromkeys(j for leg in legs for j in robot.path(leg.end) if robot.frame(j).sigma != FIXED)
    own = {j: robot.master(j)[0] for j in joints}
    passive = tuple(j for j in robot.order if j in own.values() and j not in robot.moving)
    used: list[tuple[Leg, tuple[int, ...], tuple[int, ...]]] = []
    for leg in legs:
        if leg.joint not in (SPHERICAL, RIGID):
            raise RobosymError(
                f"{robot.name}: leg '{leg.name}', joint: expected '{SPHERICAL}' or '{RIGID}', got {leg.joint!r}"
            )
        path = robot.path(leg.end)
        if not path:
            raise RobosymError(f"{robot.name}: leg '{leg.name}', end: expected a frame, got the base")
        if frame in path:
            raise RobosymError(f"{robot.name}: leg '{leg.name}' stands on the platform that it should carry")
        used.append((leg, path, _on_platform(robot, leg.seat, frame, leg.name)))
    entries = {j: robot.geometry(j) for _, path, seat in used for j in (*path, *seat)}
    geometry = geometry_of(robot, entries, passive, values)
    size = max(geometry.length(frames) for _, path, seat in used for frames in (path, seat)) or 1.0
    limbs = []
    for leg, path, seat in used:
        chain, turns = geometry.chain(path, size), np.array([robot.frame(j).sigma == REVOLUTE for j in path], bool)
        fixed = geometry.still(seat, size)
        limbs.append(Limb(chain.before, chain.slope, chain.level, leg.name, leg.joint == SPHERICAL, turns, fixed))
    location = np.array([float(x) for x in evaluate(list(robot.base.location), values)]).reshape(4, 4)
    return Mechanism(robot, tuple(limbs), passive, size, location)


def _platform(robot: Robot) -> int:
    if len(robot.platforms) != 1:
        raise RobosymError(f"{robot.name}: expected a robot with one platform on legs, it has {len(robot.platforms)}")
    frame = robot.platforms[0].frame
    if robot.frame(frame).sigma != FREE or robot.frame(frame).antecedent != 0:
        raise RobosymError(f"{robot.name}: expected the platform to be a free frame on the base")
    if robot.base.floating or robot.loops:
        raise RobosymError(f"{robot.name}: expected a base at rest and no closed loops beside the legs")
    return frame


def _values(robot: Robot, q: object, parameters: Mapping[str, Any] | None) -> dict[Expr, float]:
    at = finite_array("q", q)
    if at.shape != (len(robot.moving),):
        names = ", ".join(robot.joint_names[:12])
        raise RobosymError(
            f"q: expected {len(robot.moving)} numbers, one for each motor ({names}), got the shape {at.shape}"
        )
    given = numbers_given(robot, parameters) or {}
    for name, value in given.items():
        if np.ndim(value):
            raise RobosymError(f"parameter '{name}': expected one number, got the shape {np.shape(value)}")
    entries = [x for j in robot.order for x in robot.geometry(j)] + list(robot.base.location)
    values: dict[Expr, float] = {}
    for symbol in free_symbols(*entries):
        if symbol.kind != "parameter":
            continue
        if symbol.name in given:
            values[symbol] = float(given[symbol.name])
        elif symbol.name in robot.values:
            values[symbol] = robot.values[symbol.name].number
        else:
            raise RobosymError(f"{robot.name}: parameter '{symbol.name}' has no value: give one in parameters")
    values.update(zip((variable_of(robot, j) for j in robot.moving), map(float, at), strict=True))
    return values


def _on_platform(robot: Robot, seat: int, frame: int, leg: str) -> tuple[int, ...]:
    path = robot.path(seat)
    if frame not in path or any(robot.frame(j).sigma != FIXED for j in path[path.index(frame) + 1 :]):
        raise RobosymError(f"{robot.name}: leg '{leg}', seat: expected a frame that is fixed to the platform")
    return path[path.index(frame) + 1 :]
