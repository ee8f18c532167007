"""An arm for the judge of the inverse geometric model: the product of its modified Denavit-Hartenberg frames, and the axes
of its joints as derivatives. Lengths are divided by the size of the arm, so that every tolerance is a share of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from robosym.expr import evaluate, variable
from robosym.robot import FIXED, PRISMATIC, Robot

Floats = np.ndarray[Any, np.dtype[np.float64]]
Truths = np.ndarray[Any, np.dtype[np.bool_]]

TURN = 2 * math.pi
ACROSS = 1e-2  # singular values below this share of the largest are directions along a valley, not across it


def rotation_z(angle: float) -> Floats:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])


def rotation_x(angle: float) -> Floats:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1.0]])


def shift(x: float, z: float) -> Floats:
    T = np.eye(4)
    T[0, 3], T[2, 3] = x, z
    return T


# --- the arm ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Arm:
    """T = K1 Z(q1) K2 Z(q2) ... Zn(qn) end: joints about or along z with constant motions between, lengths by ``size``."""

    name: str
    before: Floats  # (n, 4, 4)
    end: Floats  # (4, 4)
    signs: Floats  # (n,): the joint moves by sign q
    prismatic: Truths
    size: float
    position: bool  # the task is the position alone
    lengths: tuple[float, ...]  # those of the table that are not zero

    @property
    def n(self) -> int:
        return len(self.signs)

    @property
    def units(self) -> Floats:
        """What a joint's position is divided by."""
        return np.where(self.prismatic, self.size, 1.0)

    @classmethod
    def of(cls, robot: Robot, position: bool = False, scale: float = 1.0) -> Arm:
        """The way to the last frame of a robot with numbers; all its lengths times ``scale``."""
        known = {variable(name): value.number for name, value in robot.values.items()}
        known |= {
            symbol: robot.values[symbol.name].number
            for symbol in robot.parameter_symbols
            if symbol.name in robot.values
        }
        before, prismatic, signs, lengths = [], [], [], []
        K = np.eye(4)
        for j in robot.path(len(robot.frames)):
            q = robot.frame(j).joint.variable
            at = [evaluate(robot.geometry(j), known | ({} if q is None else {q: x})) for x in (0.0, 1.0)]
            gamma, b, alpha, d, theta, r = map(float, at[0])
            b, d, r = b * scale, d * scale, r * scale
            lengths += [x for x in (b, d, r) if x]
            K = K @ rotation_z(gamma) @ shift(0, b) @ rotation_x(alpha) @ shift(d, 0) @ rotation_z(theta)
            kind = robot.frame(j).sigma
            if kind == FIXED:
                K = K @ shift(0, r)
                continue
            slides = kind == PRISMATIC
            before.append(K @ shift(0, r) if slides else K)
            prismatic.append(slides)
            signs.append(float(at[1][5] - at[0][5]) if slides else float(at[1][4] - at[0][4]))
            K = np.eye(4) if slides else shift(0, r)
        size = sum(map(abs, lengths)) or scale
        constants = np.array([*before, K])
        constants[:, :3, 3] /= size
        return cls(
            robot.name,
            constants[:-1],
            constants[-1],
            np.array(signs),
            np.array(prismatic),
            size,
            position,
            tuple(lengths),
        )

    # --- lengths divided by the size ---------------------------------------------------------------------------------

    def forward(self, Q: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """R (M, 3, 3), p (M, 3), and the axes and points of the joints (n, M, 3)."""
        M = len(Q)
        R, p = np.broadcast_to(np.eye(3), (M, 3, 3)), np.zeros((M, 3))
        axes, points = np.empty((self.n, M, 3)), np.empty((self.n, M, 3))
        for k, K in enumerate(self.before):
            p = p + R @ K[:3, 3]
            R = R @ K[:3, :3]
            axes[k], points[k] = R[:, :, 2], p
            moved = self.signs[k] * Q[:, k]
            if self.prismatic[k]:
                p = p + R[:, :, 2] * moved[:, None]
                continue
            c, s = np.cos(moved)[:, None], np.sin(moved)[:, None]
            R = np.stack([c * R[:, :, 0] + s * R[:, :, 1], c * R[:, :, 1] - s * R[:, :, 0], R[:, :, 2]], axis=2)
        return R @ self.end[:3, :3], p + R @ self.end[:3, 3], axes, points

    def errors(self, Q: Floats, R: Floats, p: Floats) -> tuple[Floats, Floats]:
        """The twist from each position's pose to its target (M, 6 or 3), and the Jacobian (M, 6 or 3, n)."""
        own, place, axes, points = self.forward(Q)
        axes = axes * self.signs[:, None, None]
        turning = ~self.prismatic[:, None, None]
        linear = np.where(turning, cross(axes, place - points), axes)
        if self.position:
            return p - place, np.ascontiguousarray(linear.transpose(1, 2, 0))
        half = 0.5 * cross(own.transpose(2, 0, 1), R.transpose(2, 0, 1)).sum(axis=0)  # the axis by the sine
        sine = np.sqrt((half * half).sum(axis=1))
        cosine = 0.5 * ((own * R).sum(axis=(1, 2)) - 1)
        angle = np.arctan2(sine, cosine)
        stretch = np.where(sine > 1e-6, angle / np.maximum(sine, 1e-6), 1.0)
        J = np.concatenate([linear, np.where(turning, axes, 0.0)], axis=2).transpose(1, 2, 0)
        return np.concatenate([p - place, half * stretch[:, None]], axis=1), np.ascontiguousarray(J)

    # --- as people give it -------------------------------------------------------------------------------------------

    def poses(self, q: Floats) -> Floats:
        R, p, _, _ = self.forward(np.atleast_2d(q) / self.units)
        T = np.tile(np.eye(4), (len(R), 1, 1))
        T[:, :3, :3], T[:, :3, 3] = R, p * self.size
        return T

    def misses(self, q: Floats, T: Floats) -> Floats:
        """By how much positions miss a pose (or each its own): the largest entry, lengths by the size of the arm."""
        R, p, _, _ = self.forward(np.atleast_2d(q) / self.units)
        apart = np.abs(p - T[..., :3, 3] / self.size).max(axis=1)
        if self.position:
            return np.asarray(apart)
        return np.asarray(np.maximum(apart, np.abs(R - T[..., :3, :3]).max(axis=(1, 2))))

    def apart(self, a: Floats, b: Floats) -> Floats:
        """The way from b to a: angles round the circle, lengths by the size of the arm."""
        way = (a - b) / self.units
        return np.where(self.prismatic, way, wrapped(way))

    def distance(self, a: Floats, b: Floats) -> Floats:
        return np.asarray(np.abs(self.apart(a, b)).max(axis=-1))

    def between(self, a: Floats, b: Floats, T: Floats) -> float:
        """The largest miss on the way between two positions: what tells them apart.

        The way is straight, then corrected across itself: a valley of positions that make the pose may be curved.
        """
        way = self.apart(a, b)
        Q = b / self.units + np.linspace(0, 1, 5)[:, None] * way
        straight = self.misses(Q * self.units, T)
        R, p = np.broadcast_to(T[:3, :3], (5, 3, 3)), np.broadcast_to(T[:3, 3] / self.size, (5, 3))
        for _ in range(2):
            e, J = self.errors(Q, R, p)
            Q = Q + (np.linalg.pinv(J, rcond=ACROSS) @ e[:, :, None])[:, :, 0]
        moved = np.abs(Q - b / self.units - np.linspace(0, 1, 5)[:, None] * way).max(axis=1)
        curved = np.where(moved < 0.3 * np.abs(way).max(), self.misses(Q * self.units, T), np.inf)
        inner = np.minimum(straight, curved)[1:-1]
        return float(max(inner.max(), straight[0], straight[-1]))


def cross(a: Floats, b: Floats) -> Floats:
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    u, v, w = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=-1)


def wrapped(angle: Floats) -> Floats:
    return np.asarray((angle + math.pi) % TURN - math.pi)
