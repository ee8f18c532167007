"""The workspace of a platform on legs: where its origin can be, on a grid, at an orientation or at any.

At every point of the grid the legs are solved in closed form; a point counts if all legs reach, all their joints are within their limits,
and the platform is far enough from singularities. Where the platform's motions hang together (it tilts as it moves), no
orientation can be chosen: poses that the legs allow are found by iteration from poses spread over the grid.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..brief import brief
from ..errors import RobosymError
from ..models.resolve import Near
from ..options.markers import NotNegative, Positive, Range
from ..options.validate import validated
from ..reals import Floats, finite_array
from ..robot import Robot, RobotError
from ..robot.problems import Problem
from ..spatial.floats import quaternion_of, quaternion_rotations, rotations
from .platform_limits import LegRanges, leg_ranges, reach_box
from .platform_motion import AT_ONCE, PlatformMotion, pose_batch

Progress = Callable[[float], None]  # told how much is done, from 0 to 1
Orientation = Literal["any"] | float | Sequence[float] | Floats
MOST_SAMPLES = 2_000_000
TURNS = 24  # orientations tried for each point, of a platform that turns about one axis, where any will do
TIGHTENED = 6  # times that the box of the grid is drawn closer to what is reached
UNITS = {1: "m", 2: "m^2", 3: "m^3"}
TILTED = 0.5  # rad, of the orientations from which coupled motions are sought


@dataclass(frozen=True, repr=False)
class PlatformWorkspace:
    """Workspace of a parallel robot: positions of its platform in frame 0.

    Attributes
    ----------
    motion
        Compiled legs of the robot.
    ranges
        Ranges of the leg joints.
    orientation
        Orientation of the platform as a quaternion x y z w; None for several.
    clearance
        Least distance from singularity.
    axes
        Directions of the grid: 0, 1, 2 for x, y, z.
    ticks
        Coordinates of the grid along each axis [m]; empty without a grid (coupled motions).
    spacing
        Distance between neighbours on the grid [m].
    poses
        Poses of the platform (k, 7).
    q
        Positions of the actuated joints (k, motors) [rad or m].
    distance
        Distance from singularity (k,).
    condition
        Condition number (k,).
    turns
        Number of the tried orientations at which a point is reached (k,).
    cells
        Place of each point on the grid (k, axes).
    tried
        Number of poses that were tried.
    stopped
        Number of poses by the reason that excludes them: a leg that does not reach, a joint limit, a singularity.
    """

    motion: PlatformMotion
    ranges: LegRanges
    orientation: tuple[float, ...] | None
    clearance: float
    axes: tuple[int, ...]
    ticks: tuple[Floats, ...]
    spacing: float
    poses: Floats
    q: Floats
    distance: Floats
    condition: Floats
    turns: NDArray[np.int_]
    cells: NDArray[np.int_]
    tried: int
    stopped: Mapping[str, int]

    def __repr__(self) -> str:
        size = "" if self.measure is None else f", {self.measure:.4g} {self.unit}"
        return brief(f"workspace of {self.robot.name!r:.42}, its platform: {len(self.points)} points{size}")

    @property
    def robot(self) -> Robot:
        """Robot."""
        return self.motion.robot

    @property
    def points(self) -> Floats:
        """Positions of the platform's origin in frame 0 (k, 3) [m]."""
        return np.asarray(self.poses[:, :3])

    @property
    def box(self) -> tuple[Floats, Floats]:
        """Lower and upper corner of the points, in the axes of frame 0 [m]."""
        return self.points.min(axis=0), self.points.max(axis=0)

    @property
    def measure(self) -> float | None:
        """Length, area or volume, from the points of the grid; None without a grid."""
        return len(self.points) * self.spacing ** len(self.axes) if self.ticks else None

    @property
    def unit(self) -> str:
        """Unit of the measure."""
        return UNITS[len(self.axes)]

    @property
    def fraction(self) -> float | None:
        """Reached part of the box of the points; None without a grid."""
        if self.measure is None:
            return None
        sides = [
            high - low + self.spacing
            for low, high in zip(*(corner[list(self.axes)] for corner in self.box), strict=True)
        ]
        return float(self.measure / math.prod(sides))

    @property
    def connected(self) -> NDArray[np.bool_]:
        """Whether the grid connects a point with the one nearest to home (k,).

        The connection is by neighbours on the grid. Other points may need another assembly.
        """
        if not self.ticks:
            return np.ones(len(self.points), dtype=bool)
        there, reached = np.zeros((2, *(len(t) + 2 for t in self.ticks)), dtype=bool)
        places = tuple(self.cells.T + 1)
        there[places] = True
        first = int(np.linalg.norm(self.points - self.motion.home.T[:3, 3], axis=1).argmin())
        reached[tuple(place[first] for place in places)] = True
        count = 0
        while count < (count := int(reached.sum())):
            grown = reached.copy()
            for axis in range(len(self.ticks)):
                grown |= np.roll(reached, 1, axis) | np.roll(reached, -1, axis)
            reached = grown & there
        return np.asarray(reached[places])

    def as_dict(self) -> dict[str, Any]:
        """Summary as plain data, without the points."""
        finite = self.condition[np.isfinite(self.condition)]
        return {
            "robot": self.robot.name,
            "mode": self.motion.mode,
            "orientation": None if self.orientation is None else list(self.orientation),
            "axes": ["xyz"[k] for k in self.axes],
            "tried": self.tried,
            "points": len(self.points),
            "spacing": self.spacing if self.ticks else None,
            "measure": self.measure,
            "unit": self.unit,
            "fraction": self.fraction,
            "connected": float(self.connected.mean()),
            "box": [corner.tolist() for corner in self.box],
            "distance": [float(f(self.distance)) for f in (np.min, np.mean, np.max)],
            "condition": [float(f(finite)) for f in (np.min, np.median, np.max)] if len(finite) else None,
            "clearance": self.clearance,
            "length": float(self.motion.length),
            "limits": self.ranges.as_dict(),
            "stopped": dict(self.stopped),
        }


@validated
def platform_workspace(
    robot: Robot,
    *,
    orientation: Any = None,
    samples: Annotated[int, Range(1, MOST_SAMPLES)] = 20000,
    limits: Mapping[str, Any] | None = None,
    clearance: NotNegative = 0.0,
    box: Any = None,
    turns: Annotated[int, Range(1, 3600)] = TURNS,
    parameters: Mapping[str, float] | None = None,
    mode: str | None = None,
    near: Near = None,
    length: Positive | None = None,
    progress: Progress | None = None,
) -> PlatformWorkspace:
    """Workspace of a parallel robot: positions that the platform's origin reaches.

    Parameters
    ----------
    robot
        Parallel robot.
    orientation
        Orientation of the platform: a quaternion x y z w, a matrix (3, 3), an angle [rad], or "any". An angle and
        "any" are for platforms that turn about one axis. "any" is the maximal workspace: it keeps the best of several
        orientations. None: the orientation in the description.
    samples
        Largest number of samples. At most 2 million. They are the points of an even grid.
    limits
        Joint ranges by joint name, (lower, upper) [rad or m], which replace those of the description. All leg joints
        have limits, passive ones too. The name of a joint without that of its leg stands for all legs. Joints without
        limits are free.
    clearance
        Least distance from singularity, dimensionless. It is ``PlatformMeasures.distance``, with lengths divided by
        length.
    box
        Box that holds the grid [m]: ((x, y, z), (x, y, z)), the lower corner first. None: the box that the legs can
        reach.
    turns
        Number of orientations for orientation "any", evenly spread over a turn.
    parameters
        Values of parameters by name, which replace those of the description.
    mode
        Working mode of the legs, by name. One name stands for all legs; "leg1 elbow-, leg2 elbow+" has one for each.
        None: the mode of the description.
    near
        Positions of leg joints by joint name, near which the working mode is chosen [rad or m]. It takes the place of
        a mode by name.
    length
        Length by which lengths are divided, so that all numbers are dimensionless [m]. None: the size of the robot,
        which is the length of a leg and of the way to its seat, averaged over the legs.
    progress
        Function that is called with the completed part, from 0 to 1.

    Returns
    -------
    PlatformWorkspace
        Points, with their distances from singularity.
    """
    motion = PlatformMotion(robot, parameters=parameters, mode=mode, near=near, length=length)
    ranges = leg_ranges(motion, limits)
    axes = tuple(k for k in motion.space.places if k < 3)
    if not axes:
        problem = "its origin does not move: the platform turns about it, and has no workspace of positions"
        raise RobotError([Problem("platform", problem)], motion.robot.name)
    search = _Search(motion, ranges, axes, clearance, progress or (lambda part: None))
    if not motion.space.constant:
        if orientation is not None:
            problem = f"got {orientation!r:.60}: it follows from the position ({motion.space.words}), expected none"
            raise RobotError([Problem("orientation", problem)], motion.robot.name)
        return search.coupled(samples, _box(motion, box) or reach_box(motion, ranges, None))
    quaternions = _orientations(motion, orientation, turns)
    given = _box(motion, box)
    R = quaternion_rotations(quaternions)
    corners = given or search.tightened(reach_box(motion, ranges, R), quaternions, samples)
    return search.on_grid(corners, quaternions, samples)


@dataclass(frozen=True)
class _Search:
    motion: PlatformMotion
    ranges: LegRanges
    axes: tuple[int, ...]
    clearance: float
    tell: Progress

    def grid(self, corners: tuple[Floats, Floats], samples: int) -> tuple[tuple[Floats, ...], float, Floats]:
        """Ticks along the axes in the middle of square cells, their spacing, and all positions (N, 3)."""
        low, high = (corner[list(self.axes)] for corner in corners)
        sides = np.maximum(high - low, 1e-9 * self.motion.mechanism.size)
        spacing = float(np.prod(sides) / samples) ** (1 / len(sides))
        while np.prod(counts := np.maximum(np.ceil(sides / spacing - 1e-9), 1).astype(int)) > samples:
            spacing *= 1.01
        spacing = float((sides / counts).max())
        middle = (low + high) / 2
        ticks = tuple(m + spacing * (np.arange(n) - (n - 1) / 2) for m, n in zip(middle, counts, strict=True))
        found = np.repeat(self.motion.home.T[None, :3, 3], int(np.prod(counts)), axis=0)
        found[:, list(self.axes)] = np.stack(np.meshgrid(*ticks, indexing="ij"), axis=-1).reshape(-1, len(ticks))
        return ticks, spacing, found

    def reached(self, poses: Floats) -> tuple[Floats, NDArray[np.bool_], NDArray[np.bool_]]:
        """Joints at poses (N, 7), which legs (N, legs) reach, which joints (N, n) are within their limits."""
        x, legs = self.motion.joints(poses)
        return self.ranges.wrapped(x), legs, self.ranges.within(x)

    def tightened(self, corners: tuple[Floats, Floats], quaternions: Floats, samples: int) -> tuple[Floats, Floats]:
        """A box around what is reached: the first holds all that legs could reach, often many times as much."""
        (outer, beyond), own = corners, list(self.axes)
        if not (beyond > outer)[own].all():
            raise self._nothing({}, "the legs have no place in common that all could reach")
        low, high = corners
        for _ in range(TIGHTENED):
            ticks, spacing, positions = self.grid((low, high), samples)
            some = quaternions[:: max(1, len(quaternions) // 8)]
            there = np.zeros(len(positions), dtype=bool)
            for q in some:
                _, legs, joints = self.reached(_posed(positions, q))
                there |= legs.all(axis=1) & joints.all(axis=1)
            edges = np.zeros(
                (2, 3), dtype=bool
            )  # where more may be beyond the box: a narrow end that a coarser grid has missed
            if there.any():
                least, most = positions[there].min(axis=0), positions[there].max(axis=0)
                edges[0, own] = least[own] < [tick[0] + spacing / 2 for tick in ticks]
                edges[1, own] = most[own] > [tick[-1] - spacing / 2 for tick in ticks]
                new = least - np.where(edges[0], 5, 1.5) * spacing, most + np.where(edges[1], 5, 1.5) * spacing
            else:  # a small place in a large box: it is sought around home
                middle, half = self.motion.home.T[:3, 3], (high - low) / 4
                new = middle - half, middle + half
            new = np.maximum(new[0], outer), np.minimum(new[1], beyond)
            closer = np.prod((new[1] - new[0])[own]) < 0.7 * np.prod((high - low)[own])
            wider = (edges & (np.array(new) != np.array([outer, beyond]))).any()
            low, high = new
            if not (closer or wider):
                break
        return low, high

    def on_grid(self, corners: tuple[Floats, Floats], quaternions: Floats, samples: int) -> PlatformWorkspace:
        ticks, spacing, positions = self.grid(corners, samples)
        N, n = len(positions), len(self.motion.module.joints)
        best, condition, turns = np.full(N, -np.inf), np.full(N, np.nan), np.zeros(N, dtype=int)
        x, poses = np.zeros((N, n)), np.zeros((N, 7))
        stopped: dict[str, int] = {}
        for q, part in self._parts(quaternions, N):
            tried = _posed(positions[part], q)
            own, distance, kappa = self._judged(tried, stopped)
            turns[part] += np.isfinite(distance)
            better = np.flatnonzero(np.nan_to_num(distance, nan=-np.inf) > best[part]) + part.start
            at = better - part.start
            best[better], condition[better], x[better], poses[better] = distance[at], kappa[at], own[at], tried[at]
        kept = np.flatnonzero(np.isfinite(best))
        if not len(kept):
            raise self._nothing(stopped, "no point of the grid is reached")
        cells = np.stack(np.unravel_index(kept, [len(t) for t in ticks]), axis=1)
        q = x[kept][:, self.motion.motor_places]
        one = tuple(map(float, quaternions[0])) if len(quaternions) == 1 else None
        return PlatformWorkspace(
            self.motion, self.ranges, one, self.clearance, self.axes, ticks, spacing, poses[kept], q,
            best[kept], condition[kept], turns[kept], cells, N * len(quaternions), stopped,
        )  # fmt: skip

    def _parts(self, quaternions: Floats, count: int) -> Iterator[tuple[Floats, slice]]:
        """All poses in parts, orientation by orientation; says how much is done."""
        done, every = 0, len(quaternions) * count
        for q in quaternions:
            for start in range(0, count, AT_ONCE):
                part = slice(start, min(start + AT_ONCE, count))
                yield q, part
                done += part.stop - part.start
                self.tell(done / every)

    def _judged(self, poses: Floats, stopped: dict[str, int]) -> tuple[Floats, Floats, Floats]:
        """Joints, distance and condition number at poses; nan where one does not count, and why in ``stopped``."""
        x, legs, joints = self.reached(poses)
        names = [leg.leg.name for leg in self.motion.module.legs]
        _count(stopped, {f"{name} does not reach": ~legs[:, k] for k, name in enumerate(names)})
        reach = legs.all(axis=1)
        _count(stopped, {f"limits of {name}": reach & ~joints[:, k] for k, name in enumerate(self.ranges.names)})
        good = np.flatnonzero(reach & joints.all(axis=1))
        distance, condition = np.full((2, len(poses)), np.nan)
        if len(good):
            found = self.motion.measures(poses[good], x[good])
            far = found.distance
            _count(stopped, {"the legs do not allow the pose": ~found.reached, "singularity": far < self.clearance})
            clear = found.reached & (far >= self.clearance)
            distance[good[clear]], condition[good[clear]] = far[clear], found.condition[clear]
        return x, distance, condition

    def coupled(self, samples: int, corners: tuple[Floats, Floats]) -> PlatformWorkspace:
        """Poses that the legs allow, sought from positions on a grid with some tilt."""
        motion, draw = self.motion, np.random.default_rng(0)
        _, _, positions = self.grid(corners, samples)
        stopped: dict[str, int] = {}
        rows: list[tuple[Floats, Floats, Floats, Floats]] = []
        for start in range(0, len(positions), AT_ONCE // 4):
            p = positions[start : start + AT_ONCE // 4]
            T = np.repeat(motion.home.T[None], len(p), axis=0)
            T[:, :3, 3] = p
            T[:, :3, :3] = rotations(draw.uniform(-TILTED, TILTED, (len(p), 3))) @ T[:, :3, :3]
            closed, _ = motion.mechanism.closed(T, np.repeat(motion.home.x[None], len(p), axis=0))
            _count(stopped, {"no pose was found": np.arange(len(p)) >= len(closed)})
            poses = pose_batch(motion.robot, closed)[0]
            x, distance, condition = (
                self._judged(poses, stopped) if len(poses) else (np.empty((0, 0)), *np.empty((2, 0)))
            )
            kept = np.isfinite(distance)
            rows.append((poses[kept], x[kept], distance[kept], condition[kept]))
            self.tell(min(1.0, (start + len(p)) / len(positions)))
        if not any(len(row[0]) for row in rows):
            raise self._nothing(stopped, "no pose that the legs allow was found")
        whole = [row for row in rows if len(row[0])]
        poses, x, distance, condition = (np.concatenate([row[i] for row in whole]) for i in range(4))
        ones, none = np.ones(len(poses), dtype=int), np.zeros((len(poses), 0), dtype=int)
        return PlatformWorkspace(
            motion, self.ranges, None, self.clearance, self.axes, (), math.nan, poses, x[:, motion.motor_places],
            distance, condition, ones, none, len(positions), stopped,
        )  # fmt: skip

    def _nothing(self, stopped: Mapping[str, int], what: str) -> RobotError:
        most = sorted(stopped, key=lambda name: -stopped[name])[:3]
        why = f" (most often stopped by: {', '.join(most)})" if most else ""
        problem = f"{what}{why}: expected wider limits, another orientation or mode, or a box where the platform can be"
        return RobotError([Problem("workspace", problem)], self.motion.robot.name)


def _count(stopped: dict[str, int], found: Mapping[str, NDArray[np.bool_]]) -> None:
    for name, which in found.items():
        if which.any():
            stopped[name] = stopped.get(name, 0) + int(which.sum())


def _posed(positions: Floats, quaternion: Floats) -> Floats:
    return np.hstack([positions, np.broadcast_to(quaternion, (len(positions), 4))])


# --- what callers give ------------------------------------------------------------------------------------------------


def _box(motion: PlatformMotion, box: Any) -> tuple[Floats, Floats] | None:
    if box is None:
        return None
    found = finite_array("box", box)
    if found.shape != (2, 3) or (found[0] > found[1]).any():
        problem = f"got {box!r:.80}, expected ((x, y, z), (x, y, z)), the lower corner first"
        raise RobotError([Problem("box", problem)], motion.robot.name)
    return found[0], found[1]


def _orientations(motion: PlatformMotion, orientation: Any, turns: int) -> Floats:
    """Quaternions (K, 4)."""
    space, R = motion.space, motion.home.T[:3, :3]
    axis = space.axis
    if orientation is None and space.orientation is not None:
        return np.array([[0.0, 0.0, 0.0, 1.0]])
    if orientation is None and axis is not None:
        i, j = (axis + 1) % 3, (axis + 2) % 3
        return _about(axis, np.array([math.atan2(R[j, i], R[i, i])]))
    if orientation is None:
        return quaternion_of(R)[None]
    expected = "a quaternion x y z w or a matrix (3, 3)"
    if axis is not None:
        expected += f", an angle about {'xyz'[axis]}, or 'any'"
        if isinstance(orientation, str) and orientation == "any":
            return _about(axis, 2 * math.pi * np.arange(turns) / turns)
    try:
        given = finite_array("orientation", orientation)
    except RobosymError:
        given = np.empty(0)
    if given.shape == () and axis is not None:
        return _about(axis, given[None])
    if given.shape == (4,) and abs(float(np.linalg.norm(given)) - 1) < 1e-6:
        return (given / np.linalg.norm(given))[None]
    if given.shape == (3, 3) and np.abs(given @ given.T - np.eye(3)).max() < 1e-6 and np.linalg.det(given) > 0:
        return quaternion_of(given)[None]
    raise RobotError([Problem("orientation", f"got {orientation!r:.80}, expected {expected}")], motion.robot.name)


def _about(axis: int, angles: Floats) -> Floats:
    found = np.zeros((len(angles), 4))
    found[:, axis], found[:, 3] = np.sin(angles / 2), np.cos(angles / 2)
    return found
