"""Builds robots with platforms from the axes of their joints in space, at the home position, in which all legs are closed.

A leg is a list of axes from the ground to the platform. Its frames follow the rule of the modified Denavit-Hartenberg notation,
x_j along the common normal of z_j and z_j+1, so that joints that intersect or are parallel have zeros in the table and every
joint variable stands alone. The seats on the platform are where the legs end at home, so that nothing is left to be solved.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from models.loops.mechanism_builder import GEOMETRY, Builder
from models.reference import dh_matrix
from random_robots import random_inertia

from robosym.expr import number, pi
from robosym.robot import (
    FIXED,
    FREE,
    INERTIA,
    PRISMATIC,
    REVOLUTE,
    Actuator,
    Base,
    Frame,
    Joint,
    Leg,
    Link,
    Platform,
    Robot,
)
from robosym.robot.parts import RIGID, SPHERICAL

ROUND = 1e-12  # what is as near to zero, or to a quarter turn, is meant to be it


@dataclass(frozen=True)
class Axis:
    """A joint at home: the line through a point, in world axes."""

    point: np.ndarray
    direction: np.ndarray
    sigma: int = REVOLUTE
    active: bool = False
    mass: bool = True  # whether its link has inertia

    @property
    def unit(self) -> np.ndarray:
        return np.asarray(self.direction / np.linalg.norm(self.direction))


def revolute(point: Any, direction: Any, active: bool = False, mass: bool = True) -> Axis:
    return Axis(np.asarray(point, dtype=float), np.asarray(direction, dtype=float), REVOLUTE, active, mass)


def prismatic(point: Any, direction: Any, active: bool = False, mass: bool = True) -> Axis:
    return Axis(np.asarray(point, dtype=float), np.asarray(direction, dtype=float), PRISMATIC, active, mass)


@dataclass
class PlatformBuilder(Builder):
    """``home`` is the pose of the platform as a matrix. Legs first, then ``seated``, which adds the platform and its seats."""

    home: np.ndarray = field(default_factory=lambda: np.eye(4))
    ends: list[tuple[str, int, np.ndarray, str]] = field(default_factory=list)
    massless: set[int] = field(default_factory=set)
    platform: int = 0

    # --- legs --------------------------------------------------------------------------------------------------------

    def leg(self, axes: list[Axis], tip: np.ndarray | None = None) -> None:
        """With a spherical seat at ``tip``; without it, the last axis is the joint with the platform, and the seat rigid."""
        name = f"leg{len(self.ends) + 1}"
        poses = _frames_along(axes, tip, float(self.rng.uniform(-2.5, 2.5)))
        on, place = 0, np.eye(4)
        for k, (axis, pose) in enumerate(zip(axes, poses, strict=True), 1):
            on = self._joint(f"{name}_{k}", on, np.linalg.inv(place) @ pose, axis)
            place = pose
        if tip is None:
            self.massless.add(on)
        elif np.abs(tip - place[:3, 3]).max() > ROUND:
            relative = np.linalg.inv(place) @ _at(place[:3, :3], tip)
            on = self.add(f"{name}_tip", on, FIXED, **_table(relative))
            place = place @ relative
        self.ends.append((name, on, place, RIGID if tip is None else SPHERICAL))

    def _joint(self, name: str, on: int, relative: np.ndarray, axis: Axis) -> int:
        """A frame whose joint variable is all there is of theta, or of r."""
        table = _table(relative)
        moving = "r" if axis.sigma == PRISMATIC else "theta"
        position = self.number(table.pop(moving))
        j = self.add(name, on, axis.sigma, position, axis.active, **table)
        if not axis.mass:
            self.massless.add(j)
        return j

    # --- the platform ------------------------------------------------------------------------------------------------

    def seated(self) -> tuple[Leg, ...]:
        """The platform, and a seat where each leg ends."""
        self.frames.append(Frame("platform", 0, Joint("platform", active=False), FREE))
        self.platform = len(self.frames)
        legs = []
        for name, end, place, kind in self.ends:
            relative = np.linalg.inv(self.home) @ place
            if kind == SPHERICAL:
                relative = _at(np.eye(3), relative[:3, 3])
            seat = self.add(f"{name}_seat", self.platform, FIXED, **_table(relative))
            legs.append(Leg(name, end, seat, kind))
        return tuple(legs)

    def carry(self, axes: list[Axis]) -> None:
        """Driven joints on the platform, one on the other."""
        on, place = self.platform, self.home
        for k, (axis, pose) in enumerate(zip(axes, _frames_along(axes, None, 0.4), strict=True), 1):
            on = self._joint(f"wrist{k}", on, np.linalg.inv(place) @ pose, axis)
            place = pose

    def robot(self, name: str, legs: tuple[Leg, ...], base: Base) -> Robot:
        """With inertias, rotors and friction, and gravity in any direction."""
        frames = [self._with_mass(j, frame) for j, frame in enumerate(self.frames, 1)]
        down = self.rng.normal(size=3)
        g = [number(float(x)) for x in 9.81 * down / np.linalg.norm(down)]
        return Robot(
            name,
            tuple(frames),
            gravity=(g[0], g[1], g[2]),
            base=base,
            values=self.values,
            platforms=(Platform(self.platform, legs),),
        )

    def _with_mass(self, j: int, frame: Frame) -> Frame:
        if frame.sigma == FIXED:
            return frame
        link, actuator = Link(), Actuator()
        if j not in self.massless:
            made = zip(INERTIA, random_inertia(self.rng), strict=True)
            link = Link(**{key: self.entry(f"{key}{j}", value) for key, value in made})
        if frame.sigma != FREE:
            drawn = self.rng.uniform(0.05, 0.5, 3)
            drawn[0] *= frame.joint.active  # rotors are in motors
            actuator = Actuator(*(self.entry(f"{key}{j}", x) for key, x in zip(("IA", "FV", "FS"), drawn, strict=True)))
        return replace(frame, link=link, actuator=actuator)


# --- frames from axes ------------------------------------------------------------------------------------------------


def _frames_along(axes: list[Axis], tip: np.ndarray | None, last: float) -> list[np.ndarray]:
    """Poses of the joints' frames. ``last`` is the position of a last joint that nothing else determines."""
    poses: list[np.ndarray] = []
    before = axes[0].point  # the foot of the normal from the axis before
    x = _across(axes[0].unit, np.array([1.0, 0.0, 0.0]))
    for k, axis in enumerate(axes):
        z = axis.unit
        if k + 1 < len(axes):
            origin, foot, x = _normal(axis, axes[k + 1], before, x)
        elif tip is not None:
            origin = axis.point + z * (z @ (tip - axis.point))
            x = tip - origin if np.linalg.norm(tip - origin) > ROUND else _across(z, x)
            if axis.sigma == REVOLUTE and np.linalg.norm(tip - origin) <= ROUND:
                origin = before
        else:
            origin = before if axis.sigma == REVOLUTE else axis.point
            x = _across(z, x)
            x = np.cos(last) * x + np.sin(last) * np.cross(z, x)
        x = x / np.linalg.norm(x)
        poses.append(_at(np.array([x, np.cross(z, x), z]).T, origin))
        if k + 1 < len(axes):
            before = foot
    return poses


def _normal(one: Axis, other: Axis, before: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The common normal of two lines: its foot on each, and its direction."""
    z, Z, way = one.unit, other.unit, other.point - one.point
    across = np.cross(z, Z)
    if np.linalg.norm(across) > 1e-9:
        s, t, _ = np.linalg.solve(np.array([z, -Z, across]).T, way)
        return one.point + s * z, other.point + t * Z, across
    # Parallel: any normal will do, and that which needs no shift along the axis is the simplest.
    origin = one.point if one.sigma == PRISMATIC else before
    foot = other.point + Z * (Z @ (origin - other.point))
    apart = foot - origin
    return origin, foot, apart if np.linalg.norm(apart) > 1e-9 else _across(z, x)


def _across(z: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The part of x across z, or another vector across z."""
    found = x - z * (z @ x)
    if np.linalg.norm(found) < 1e-6:
        found = np.cross(z, [0.0, 0.0, 1.0] if abs(z[2]) < 0.9 else [0.0, 1.0, 0.0])
    return np.asarray(found / np.linalg.norm(found))


def _at(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    found = np.eye(4)
    found[:3, :3], found[:3, 3] = R, p
    return found


# --- the table of a placement ----------------------------------------------------------------------------------------


def _entries(T: np.ndarray) -> tuple[float, ...]:
    """gamma, b, alpha, d, theta, r of any placement: Rz(gamma) Tz(b) Rx(alpha) Tx(d) Rz(theta) Tz(r)."""
    x, p, z = T[:3, 0], T[:3, 3], T[:3, 2]
    flat = np.hypot(z[0], z[1]) < ROUND
    gamma = np.arctan2(z[0], -z[1])
    if flat:  # parallel axes: gamma points to the other, b is not needed
        gamma = np.arctan2(p[1], p[0]) if np.hypot(p[0], p[1]) > ROUND else 0.0
    if not -np.pi / 2 + 1e-9 < gamma <= np.pi / 2 + 1e-9:  # half a turn of gamma is a sign of alpha and d
        gamma -= np.pi * np.sign(gamma)
    c, s = np.cos(gamma), np.sin(gamma)
    alpha = np.arctan2(z[0] * s - z[1] * c, z[2])
    if flat:
        alpha = 0.0 if z[2] > 0 else np.pi
        b, d, r = 0.0, p[0] * c + p[1] * s, p[2] * np.sign(z[2])
    else:
        b, d, r = np.linalg.solve(np.array([[0, 0, 1.0], [c, s, 0], z]).T, p)
    side = np.array([c, s, 0.0])  # x after gamma, which alpha leaves
    theta = np.arctan2(np.cross(side, x) @ z, side @ x)
    return tuple(float(value) for value in (gamma, b, alpha, d, theta, r))


def _table(T: np.ndarray) -> dict[str, Any]:
    """The same without rounding errors: zeros and quarter turns are exact."""
    found: dict[str, Any] = {}
    for key, value in zip(GEOMETRY, _entries(T), strict=True):
        quarters = round(value / (np.pi / 2))
        if key in ("gamma", "alpha", "theta") and abs(value - quarters * np.pi / 2) < ROUND:
            found[key] = quarters * pi / 2
        else:
            found[key] = value if abs(value) > ROUND else 0.0
    assert np.abs(dh_matrix(*_entries(T)) - T).max() < 1e-11
    return found
