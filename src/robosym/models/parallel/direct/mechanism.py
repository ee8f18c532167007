"""A robot with one platform in numbers: its legs with the motors where they are, for many positions of the passive joints at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....errors import RobosymError
from ....expr import Expr, evaluate, free_symbols
from ....reals import Floats, finite_array
from ....robot import FIXED, FREE, PRISMATIC, REVOLUTE, Robot
from ....robot.parts import RIGID, SPHERICAL
from ...common import numbers_given
from .descent import ABOUT, skew


@dataclass(frozen=True)
class Limb:
    """A leg: frame k of its path is before[k], then turned by theta and moved by r along z; (theta, r) = slope x + level.

    x are the positions of all passive joints of the robot; ``uses`` are those of this leg. ``seat`` is in the platform frame.
    """

    name: str
    spherical: bool
    before: Floats  # (f, 4, 4)
    slope: Floats  # (f, 2, n)
    level: Floats  # (f, 2)
    turns: NDArray[np.bool_]  # (f,): revolute, also those of motors
    seat: Floats  # (4, 4)

    @property
    def uses(self) -> list[int]:
        """The passive joints that move this leg, in the order from the base."""
        moved = np.abs(self.slope).sum(axis=1) > 0  # (f, n)
        return list(dict.fromkeys(int(k) for row in moved for k in np.flatnonzero(row)))

    def frames(self, x: Floats) -> Floats:
        """The poses (n, f, 4, 4) of the frames."""
        own = (x @ self.slope.reshape(-1, x.shape[1]).T).reshape(len(x), *self.level.shape) + self.level
        c, s = np.cos(own[:, :, 0]), np.sin(own[:, :, 0])
        screw = np.zeros((*c.shape, 4, 4))
        screw[..., 0, 0], screw[..., 0, 1], screw[..., 1, 0], screw[..., 1, 1] = c, -s, s, c
        screw[..., 2, 2] = screw[..., 3, 3] = 1.0
        screw[..., 2, 3] = own[:, :, 1]
        local = self.before @ screw
        found = np.empty_like(local)
        T = np.broadcast_to(np.eye(4), (len(x), 4, 4))
        for k in range(local.shape[1]):
            T = T @ local[:, k]
            found[:, k] = T
        return found

    def end(self, x: Floats) -> tuple[Floats, Floats]:
        """The pose (n, 4, 4) of the end and its twist (n, 6, k) by the speeds of x: of its origin, and angular."""
        T = self.frames(x)
        z, arms = T[:, :, :3, 2], T[:, -1:, :3, 3] - T[:, :, :3, 3]
        lever, z = np.swapaxes(np.cross(z, arms), 1, 2), np.swapaxes(z, 1, 2)
        return T[:, -1], np.concatenate([lever @ self.slope[:, 0] + z @ self.slope[:, 1], z @ self.slope[:, 0]], axis=1)


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
    def slides(self) -> NDArray[np.bool_]:
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
        """What is left of the closures of all legs in states (R, p, passive), and its Jacobian matrix."""
        R, p, own = x[:, :9].reshape(-1, 3, 3), x[:, 9:ABOUT], x[:, ABOUT:]
        rest, parts = [], []
        for limb in self.limbs:
            T, W = limb.end(own)
            arm = R @ limb.seat[:3, 3]
            rest.append(p + arm - T[:, :3, 3])
            eye = np.broadcast_to(np.eye(3), (len(x), 3, 3))
            parts.append(np.concatenate([eye, -skew(arm), -W[:, :3]], axis=2))
            if not limb.spherical:  # the axes of the seat are those of the end: nine rows, which vanish only there
                seat = R @ limb.seat[:3, :3]
                for k in range(3):
                    rest.append((seat[:, :, k] - T[:, :3, k]) / 2)
                    turned = skew(T[:, :3, k]) @ W[:, 3:]
                    parts.append(np.concatenate([0 * eye, -skew(seat[:, :, k]), turned], axis=2) / 2)
        return np.concatenate(rest, axis=1), np.concatenate(parts, axis=1)

    def placed(self, poses: Floats) -> Floats:
        """Poses in the base frame, lengths over the size, as poses in world."""
        T = np.array(poses)
        T[:, :3, 3] *= self.size
        return np.asarray(self.location @ T)

    def joints(self, x: Floats) -> Floats:
        """Positions of passive joints over the size as they are, angles from -pi to pi."""
        turned = x - 2 * np.pi * np.floor(x / (2 * np.pi) + 0.5)
        return np.where(self.slides, x * self.size, turned)


def mechanism_of(robot: Robot, q: object, parameters: Mapping[str, Any] | None = None) -> Mechanism:
    """The robot with its motors at q (in the order of ``robot.moving``) and numbers for its parameters."""
    frame = _platform(robot)
    values = _values(robot, q, parameters)
    legs = robot.platforms[0].legs
    joints = dict.fromkeys(j for leg in legs for j in robot.path(leg.end) if robot.frame(j).sigma != FIXED)
    own = {j: robot.master(j)[0] for j in joints}
    passive = tuple(j for j in robot.order if j in own.values() and j not in robot.moving)
    variables = [_variable(robot, j) for j in passive]
    limbs = []
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
        slope, level = _affine(robot, path, variables, values)
        turns = np.array([robot.frame(j).sigma == REVOLUTE for j in path], bool)
        before = np.array([_before(*_numbers(robot, list(robot.geometry(j)[:4]), values)) for j in path])
        seat = np.eye(4)
        for j in _on_platform(robot, leg.seat, frame, leg.name):
            gamma, b, alpha, d, theta, r = _numbers(robot, list(robot.geometry(j)), values)
            seat = seat @ _before(gamma, b, alpha, d) @ _before(theta, r, 0.0, 0.0)
        limbs.append(Limb(leg.name, leg.joint == SPHERICAL, before, slope, level, turns, seat))
    lengths = [np.abs(one.before[:, :3, 3]).sum() + np.abs(one.level[:, 1]).sum() for one in limbs]
    lengths += [np.abs(one.seat[:3, 3]).max() for one in limbs]
    size = float(max(lengths)) or 1.0
    scaled = tuple(_scaled(one, size, [robot.frame(j).sigma == PRISMATIC for j in passive]) for one in limbs)
    location = np.array(_numbers(robot, list(robot.base.location), values)).reshape(4, 4)
    return Mechanism(robot, scaled, passive, size, location)


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
    values.update(zip((_variable(robot, j) for j in robot.moving), map(float, at), strict=True))
    return values


def _variable(robot: Robot, j: int) -> Expr:
    own = robot.frame(j).joint.variable
    if own is None:
        raise RobosymError(f"{robot.name}: joint '{robot.frame(j).joint.name}' has no variable")
    return own


def _numbers(robot: Robot, entries: list[Expr], values: Mapping[Expr, float]) -> list[float]:
    found = [float(x) for x in evaluate(entries, values)]
    if not np.isfinite(found).all():
        raise RobosymError(f"{robot.name}: its geometry has no value with these parameters")
    return found


def _before(gamma: float, b: float, alpha: float, d: float) -> Floats:
    """Rz(gamma) Tz(b) Rx(alpha) Tx(d)."""
    cg, sg, ca, sa = np.cos(gamma), np.sin(gamma), np.cos(alpha), np.sin(alpha)
    return np.array(
        [[cg, -sg * ca, sg * sa, d * cg], [sg, cg * ca, -cg * sa, d * sg], [0, sa, ca, b], [0, 0, 0, 1]], float
    )


def _affine(
    robot: Robot, path: tuple[int, ...], variables: list[Expr], values: Mapping[Expr, float]
) -> tuple[Floats, Floats]:
    """theta and r of the frames as slope x + level."""
    entries = [x for j in path for x in robot.geometry(j)[4:]]

    def at(x: Floats) -> Floats:
        return np.array(_numbers(robot, entries, {**values, **dict(zip(variables, map(float, x), strict=True))}))

    level = at(np.zeros(len(variables)))
    slope = np.array([at(one) - level for one in np.eye(len(variables))]).reshape(len(variables), -1).T
    slope = np.where(np.abs(slope) < 1e-13, 0.0, slope)
    probe = np.linspace(0.3, 1.7, len(variables))
    if np.abs(at(probe) - level - slope @ probe).max(initial=0.0) > 1e-9:
        raise RobosymError(f"{robot.name}: expected theta and r to be linear in the positions of the joints")
    return slope.reshape(len(path), 2, len(variables)), level.reshape(len(path), 2)


def _on_platform(robot: Robot, seat: int, frame: int, leg: str) -> tuple[int, ...]:
    path = robot.path(seat)
    if frame not in path or any(robot.frame(j).sigma != FIXED for j in path[path.index(frame) + 1 :]):
        raise RobosymError(f"{robot.name}: leg '{leg}', seat: expected a frame that is fixed to the platform")
    return path[path.index(frame) + 1 :]


def _scaled(limb: Limb, size: float, slides: list[bool]) -> Limb:
    before, level, seat, slope = (np.array(x) for x in (limb.before, limb.level, limb.seat, limb.slope))
    before[:, :3, 3] /= size
    level[:, 1] /= size
    seat[:3, 3] /= size
    sliding = np.array(slides, bool)
    slope[:, 1, ~sliding] /= size
    slope[:, 0, sliding] *= size
    return Limb(limb.name, limb.spherical, before, slope, level, limb.turns, seat)
