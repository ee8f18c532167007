"""Joint positions at which the loops of a robot close, in numbers, from the positions of its description.

The iteration is Levenberg's, with damping of the size of the squared gap: it stays near its start and is quadratic at the end,
also where rows are redundant. Lengths are divided by the size of the loops.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from ..expr import Expr, ExprError, evaluate, free_symbols
from ..spatial.floats import nearest_rotations, poses_of_rows, rotation_vectors
from .parts import FIXED, FREE, PRISMATIC, SPHERICAL, Platform
from .robot import Robot

Floats = NDArray[np.float64]
CLOSED = 1e-11  # gap of closed loops, over their size
EXACT = 4e-16
RANK = 1e-6  # singular values and gaps that lengths written with few digits leave
STILL = 1e-14  # a step that changes nothing
STEPS, LONGEST = 150, 0.5  # iterations; the longest step in rad, or in parts of the size
LENGTHS = (1, 3, 5)  # b, d, r among the geometric parameters


class NumericGeometry:
    """The frames of a robot in numbers. ``positions`` are those of the joints by frame, zero where none is given."""

    def __init__(self, robot: Robot) -> None:
        """Raises ``KeyError`` if a parameter of the geometry has no value."""
        self.robot = robot
        symbols = free_symbols(*(x for frame in robot.frames for x in frame.geometry))
        self._values = {s: robot.values[s.name].number for s in symbols if s.kind == "parameter"}

    def rows(self, positions: Mapping[int, float]) -> dict[int, list[float]]:
        """gamma, b, alpha, d, theta, r of every frame."""
        robot = self.robot
        at: dict[Expr, float] = dict(self._values)
        for j, frame in enumerate(robot.frames, 1):
            if frame.joint.variable is not None:
                at[frame.joint.variable] = positions.get(j, 0.0)
        numbers = evaluate([x for j in robot.order for x in robot.geometry(j)], at)
        return {j: [float(x) for x in numbers[6 * k : 6 * k + 6]] for k, j in enumerate(robot.order)}

    def poses(self, positions: Mapping[int, float], platforms: Mapping[int, Floats] | None = None) -> dict[int, Floats]:
        """The pose of every frame in frame 0; without the pose of a platform, of the frames that do not stand on it."""
        made: dict[int, Floats] = {0: np.eye(4)}
        rows = self.rows(positions)
        for j, own in zip(rows, poses_of_rows(np.array([*rows.values()]).reshape(-1, 6)), strict=True):
            before = made.get(self.robot.frame(j).antecedent)
            step = (platforms or {}).get(j) if self.robot.frame(j).sigma == FREE else own
            if before is not None and step is not None:
                made[j] = before @ step
        return made


def closed_positions(robot: Robot, start: Mapping[int, float], held: Collection[int]) -> dict[int, float] | None:
    """Positions near ``start`` of all joints of loops, by frame; the joints ``held`` stay. None if the loops do not close."""
    try:
        return _Closure(robot).closed(start, held)
    except (KeyError, ExprError, ArithmeticError, ValueError):
        return None


def standing_positions(robot: Robot) -> dict[int, float] | None:
    """Positions of all joints of loops, by frame, at which the described robot stands; None if its loops do not close from there.

    Described positions of motors stay as they are, if the loops close with them.
    """
    start = {j: frame.joint.position for j, frame in enumerate(robot.frames, 1) if frame.joint.position is not None}
    motors = [j for j in start if robot.frame(j).joint.active]
    return closed_positions(robot, start, motors) or closed_positions(robot, start, ())


class _Closure:
    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.geometry = NumericGeometry(robot)
        cuts = range(robot.n_links + 1, robot.n_links + robot.loops + 1)
        self.pairs = [(cut, cut + robot.loops) for cut in cuts]
        self.frames = {j for pair in self.pairs for end in pair for j in robot.path(end)}
        moving = [j for j in robot.order if j in self.frames and robot.frame(j).sigma != FIXED]
        self.joints = [j for j in moving if robot.frame(j).joint.mimic is None]
        zero, unit = self.geometry.rows({}), self.geometry.rows(dict.fromkeys(self.joints, 1.0))
        self.slopes = {j: unit[j][self._entry(j)] - zero[j][self._entry(j)] for j in moving}
        self.masters = {j: self.joints.index(robot.master(j)[0]) for j in moving}
        self.size = math.fsum(abs(zero[j][k]) for j in self.frames for k in LENGTHS) or 1.0

    def _slides(self, j: int) -> bool:
        return self.robot.frame(j).sigma == PRISMATIC

    def _entry(self, j: int) -> int:
        return 5 if self._slides(j) else 4

    def closed(self, start: Mapping[int, float], held: Collection[int]) -> dict[int, float] | None:
        units = np.array([self.size if self._slides(j) else 1.0 for j in self.joints])
        x = np.array([start.get(j, 0.0) for j in self.joints])
        free = [k for k, j in enumerate(self.joints) if j not in held]
        gap, slope = self._gap(x)
        left, damping = float(gap @ gap), 1e-2
        for _ in range(STEPS):
            if math.sqrt(left) <= EXACT or not free:
                break
            A = (slope * units)[:, free]
            damped = np.vstack([A, math.sqrt(damping * left) * np.eye(len(free))])
            # Inexact lengths make free motions stiff: no steps along these.
            small = 1e-14 if left > RANK**2 else RANK if left > CLOSED**2 else 1e-9
            step = -np.linalg.lstsq(damped, np.concatenate([gap, np.zeros(len(free))]), rcond=small)[0]
            longest = float(np.abs(step).max())
            if longest <= STILL:  # where loops of inexact lengths miss least
                break
            tried = x.copy()
            tried[free] += units[free] * step * min(1.0, LONGEST / longest) if longest else 0.0
            gap_there, slope_there = self._gap(tried)
            left_there = float(gap_there @ gap_there)
            if left_there < left:
                x, gap, slope, left, damping = tried, gap_there, slope_there, left_there, max(damping / 10, 1e-8)
            elif damping > 1e8 or math.sqrt(left) <= CLOSED / 100:
                break
            else:
                damping *= 10
        return dict(zip(self.joints, map(float, x), strict=True)) if math.sqrt(left) <= CLOSED else None

    def _gap(self, x: Floats) -> tuple[Floats, Floats]:
        """Six entries for each loop and their slopes by the joints, lengths over the size."""
        poses = self.geometry.poses(dict(zip(self.joints, x, strict=True)))
        gaps, slopes = [], []
        for cut, twin in self.pairs:
            K, T = poses[cut], poses[twin]
            R = K[:3, :3].T
            gaps += [R @ (K[:3, 3] - T[:3, 3]) / self.size, rotation_vectors(T[:3, :3].T @ K[:3, :3])]
            twist = self._jacobian(poses, cut) - self._jacobian(poses, twin)
            slopes += [R @ twist[:3] / self.size, R @ twist[3:]]
        return np.concatenate(gaps), np.vstack(slopes)

    def _jacobian(self, poses: Mapping[int, Floats], end: int) -> Floats:
        J = np.zeros((6, len(self.joints)))
        for j in self.robot.path(end):
            if j not in self.slopes:
                continue
            z = self.slopes[j] * poses[j][:3, 2]
            if self._slides(j):
                J[:3, self.masters[j]] += z
            else:
                J[:3, self.masters[j]] += np.cross(z, poses[end][:3, 3] - poses[j][:3, 3])
                J[3:, self.masters[j]] += z
        return J


# --- platforms --------------------------------------------------------------------------------------------------------


def described_poses(robot: Robot) -> dict[int, Floats]:
    """The pose of every frame in frame 0 with the joints as described, platforms where they fit the ends of their legs best;
    nothing if a parameter of the geometry has no value."""
    at = {j: frame.joint.position or 0.0 for j, frame in enumerate(robot.frames, 1)}
    try:
        geometry = NumericGeometry(robot)
        unmoved = geometry.poses(at, {one.frame: np.eye(4) for one in robot.platforms})
        placed: dict[int, Floats] = {}
        while True:
            poses = geometry.poses(at, placed)
            ready = [one for one in robot.platforms if one.frame not in placed and _has_legs(one, poses)]
            if not ready:
                return poses
            for platform in ready:
                base = poses[robot.frame(platform.frame).antecedent]
                placed[platform.frame] = np.linalg.inv(base) @ _fitted(platform, poses, unmoved)
    except (KeyError, ExprError, ArithmeticError, ValueError, np.linalg.LinAlgError):
        return {}


def _has_legs(platform: Platform, poses: Mapping[int, Floats]) -> bool:
    return all(leg.end in poses for leg in platform.legs)


def _fitted(platform: Platform, poses: Mapping[int, Floats], unmoved: Mapping[int, Floats]) -> Floats:
    """The pose whose seats are nearest to the ends of the legs (Kabsch 1976); rigid legs say how the platform is turned."""
    origin = np.linalg.inv(unmoved[platform.frame])
    seats = [origin @ unmoved[leg.seat] for leg in platform.legs]
    ends = [poses[leg.end] for leg in platform.legs]
    at, to = (np.array([T[:3, 3] for T in side]) for side in (seats, ends))
    rigid = [k for k, leg in enumerate(platform.legs) if leg.joint != SPHERICAL]
    if rigid:
        M = np.sum([ends[k][:3, :3] @ seats[k][:3, :3].T for k in rigid], axis=0)
    else:
        M = (to - to.mean(0)).T @ (at - at.mean(0))
    T = np.eye(4)
    T[:3, :3] = nearest_rotations(M)
    T[:3, 3] = to.mean(0) - T[:3, :3] @ at.mean(0)
    return T
