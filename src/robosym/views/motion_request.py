"""Requests of motions: points and how to go through them, read from JSON.

Positions are in rad and m throughout; poses of the tip are x, y, z, roll, pitch, yaw with R = Rz(yaw) Ry(pitch) Rx(roll).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np

from ..generated.documentation.units import POSITION, of_joints
from ..options.errors import ArgumentError, mismatch
from ..options.groups import OptionGroup
from ..options.kinds import fits, kind_of, kinds_of
from ..options.markers import Finite, OneOf, Positive, Range
from ..options.signatures import options_of
from ..reals import Floats
from ..robot import Robot
from ..robot.parts import Limits
from ..trajectory import timed
from ..trajectory.point_to_point import Synchronisation
from ..trajectory.profiles import ProfileName

WAYS = {
    "joints": {
        "rest": "from point to point, at rest in each",
        "spline": "a spline through all points",
        "blend": "lines with parabolic blends near the points",
    },
    "tip": {
        "straight": "straight lines, at rest in each pose",
        "via": "straight lines, rounded near the poses between",
        "arc": "arcs of circles: start, a pose on the way, end",
    },
}
TIMING = {
    "planned": "as planned within the limits of the joints, or of the tip",
    "fastest": "the fastest along this path within the limits of the joints",
    "scaled": "the same motion, as fast as the torques allow",
}
LIMITS = ("velocity", "acceleration", "jerk", "torque")
TIP_PROFILES: list[str] = options_of(timed)["profile"].words
POSE = ("x", "y", "z", "roll", "pitch", "yaw")
MOST_POINTS = 200
MOST_SECONDS = 3600.0
Space = Annotated[str, OneOf(lambda: WAYS)]
Timing = Annotated[str, OneOf(lambda: TIMING)]


@dataclass(frozen=True)
class Coordinate:
    """A number that a motion changes: of a joint, or of the pose of a platform."""

    name: str
    unit: str  # "rad" or "m"
    lower: float = -math.inf
    upper: float = math.inf
    velocity: float = math.inf
    acceleration: float = math.inf
    jerk: float = math.inf
    torque: float = math.inf

    def as_dict(self) -> dict[str, Any]:
        return {name: None if value in (-math.inf, math.inf) else value for name, value in asdict(self).items()}


def coordinates(robot: Robot) -> list[Coordinate]:
    """Actuated joints; for a parallel robot, the coordinates of its platform."""
    if robot.platforms:
        from ..scene import scene

        return [Coordinate(one["name"], one["unit"], *_ends(one)) for one in scene(robot)["controls"]]
    return [
        Coordinate(*entry, *_limits(robot.frame(j).joint.limits))
        for j in robot.moving
        for entry in of_joints(robot, POSITION, [j])
    ]


def _limits(limits: Limits) -> tuple[float, ...]:
    """The limits of a description. A largest velocity, acceleration, jerk or effort of zero is none."""
    largest = (limits.velocity, limits.acceleration, limits.jerk, limits.effort)
    return (*_ends(vars(limits)), *(float(value) if value else math.inf for value in largest))


def _ends(limits: Mapping[str, Any]) -> tuple[float, float]:
    lower, upper = limits["lower"], limits["upper"]
    return -math.inf if lower is None else float(lower), math.inf if upper is None else float(upper)


@dataclass(frozen=True)
class MotionOptions(OptionGroup):
    """Options of a motion: fields of a form that have defaults.

    Parameters
    ----------
    space
        Space of the points: positions of the joints, or poses of the tip.
    way
        Path between the points, one of ``WAYS``; empty: the first of its space.
    timing
        Timing along the path.
    profile
        Velocity profile between two points at rest.
    synchronise
        Synchronisation of the joints.
    degree
        Degree of a spline.
    seconds
        Duration of each leg [s]; None: as the limits allow.
    blend
        Part of a leg that is rounded near a pose.
    friction
        Whether torques include friction.
    """

    space: Space = "joints"
    way: str = ""
    timing: Timing = "planned"
    profile: ProfileName = "quintic"
    synchronise: Synchronisation | None = None
    degree: Literal[3, 5] = 3
    seconds: Annotated[float, Range(above=0, most=MOST_SECONDS)] | None = None
    blend: Positive = 0.25
    friction: bool = False


@dataclass(frozen=True, kw_only=True)
class Request(MotionOptions):
    """A motion as a form requests it: its options, its points, and the limits that count."""

    robot: Robot
    coordinates: tuple[Coordinate, ...]  # with the limits that count
    points: Floats  # (N, n) of the coordinates, or (N, 6) of poses
    seed: Floats | None  # positions of the joints at the first pose
    linear: tuple[float, float]  # speed and acceleration of the tip
    angular: tuple[float, float]
    given: frozenset[str]  # limits that are not the description's

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.coordinates)

    @property
    def of_joints(self) -> bool:
        """Whether the library knows the joints of the coordinates, and with them their limits."""
        return not self.robot.base.floating and not self.robot.platforms

    def limit(self, what: str) -> Floats:
        return np.array([getattr(one, what) for one in self.coordinates])


def read_request(robot: Robot, asked: Any) -> Request:
    """The request, or an ``ArgumentError`` that names the field that is wrong. Empty fields have their defaults."""
    if not isinstance(asked, Mapping):
        raise ArgumentError(f"move: got {type(asked).__name__}, expected points and how to go through them")
    fields = {name: value for name, value in asked.items() if value is not None and value != ""}
    options = MotionOptions(**{name: fields[name] for name in kinds_of(MotionOptions) if name in fields})
    ways = WAYS[options.space]
    way = options.way or next(iter(ways))
    if way not in ways:
        raise ArgumentError(f"way: got {way!r:.40}, expected one of {', '.join(ways)}")
    tip, moving = options.space == "tip", coordinates(robot)
    if tip and (robot.platforms or robot.base.floating):
        why = "a platform on legs: its points are poses already" if robot.platforms else "free: only its joints are led"
        raise ArgumentError(f"space: {robot.name} is {why}")
    if not moving:
        raise ArgumentError(f"{robot.name}: nothing moves")
    entries = POSE if tip else [one.name for one in moving]
    seed = fields.get("seed")
    return Request(
        **vars(replace(options, way=way)),
        robot=robot,
        coordinates=tuple(_limited(moving, fields.get("limits", {}))),
        points=_points(fields.get("points"), len(entries), ", ".join(entries)),
        seed=None if seed is None else _row("seed", seed, len(moving), "a number for each joint"),
        linear=_speeds("linear", fields.get("linear", [0.25, 1.0])),
        angular=_speeds("angular", fields.get("angular", [1.0, 4.0])),
        given=frozenset(fields.get("limits", {})),
    )


def pose_matrix(pose: Floats) -> Floats:
    """(4, 4) of x, y, z, roll, pitch, yaw."""
    (a, b, c), (x, y, z) = np.cos(pose[3:]), np.sin(pose[3:])
    T = np.eye(4)
    T[:3, :3] = [
        [c * b, c * y * x - z * a, c * y * a + z * x],
        [z * b, z * y * x + c * a, z * y * a - c * x],
        [-y, b * x, b * a],
    ]
    T[:3, 3] = pose[:3]
    return T


# --- fields that depend on the robot, or hold several numbers ------------------------------------------------------------


def number(name: str, value: Any, kind: Any = Finite) -> float:
    """A number of the kind that an annotation stands for, or an ``ArgumentError``."""
    if problem := mismatch(name, value, kind_of(kind)):
        raise ArgumentError(problem)
    return float(value)


def _limited(moving: list[Coordinate], limits: Any) -> list[Coordinate]:
    """Coordinates with these limits in place of the description's."""
    if not fits(limits, Mapping[str, Mapping[str, Any]]):
        raise ArgumentError("limits: expected {velocity: {joint: number}, ...}")
    names = [one.name for one in moving]
    unknown = [what for what in limits if what not in LIMITS]
    unknown += [f"{what} of {name}" for what, rows in limits.items() for name in rows if name not in names]
    if unknown:
        listed = f"{', '.join(unknown):.200} (limits: {', '.join(LIMITS)}; {', '.join(names)})"
        raise ArgumentError(f"limits: there is no {listed}")
    changes: dict[str, dict[str, Any]] = {name: {} for name in names}
    for what, rows in limits.items():
        for name, value in rows.items():
            if value is not None:
                changes[name][what] = number(f"limits, {what} of {name}", value, Positive)
    return [replace(one, **changes[one.name]) for one in moving]


def _points(points: Any, count: int, entries: str) -> Floats:
    many = len(points) if isinstance(points, list) else 0
    if many < 2:
        raise ArgumentError(f"points: a motion takes two at least, got {many}")
    if many > MOST_POINTS:
        raise ArgumentError(f"points: got {many}, expected at most {MOST_POINTS}")
    return np.array([_row(f"points, {k}", row, count, entries) for k, row in enumerate(points, 1)])


def _row(name: str, row: Any, count: int, entries: str) -> Floats:
    if not isinstance(row, list) or len(row) != count:
        raise ArgumentError(f"{name}: expected {count} numbers: {entries:.300}")
    return np.array([number(name, x) for x in row])


def _speeds(name: str, pair: Any) -> tuple[float, float]:
    if not isinstance(pair, list) or len(pair) != 2:
        raise ArgumentError(f"{name}: expected a speed and an acceleration")
    return number(f"{name} speed", pair[0], Positive), number(f"{name} acceleration", pair[1], Positive)
