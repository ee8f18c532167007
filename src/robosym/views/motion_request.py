"""What is asked of a motion: points and how to go through them, as JSON says it, checked field by field.

Positions are in rad and m throughout; poses of the tip are x, y, z, roll, pitch, yaw with R = Rz(yaw) Ry(pitch) Rx(roll).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..errors import RobosymError
from ..options.kinds import fits
from ..options.numbers import is_finite, is_whole
from ..options.signatures import options_of
from ..reals import Floats
from ..robot import PRISMATIC, Robot
from ..trajectory import point_to_point, through, timed

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
PROFILES: list[str] = options_of(point_to_point)["profile"].words
TIP_PROFILES: list[str] = options_of(timed)["profile"].words
SYNCHRONISATIONS: list[str] = options_of(point_to_point)["synchronise"].words
DEGREES: list[int] = options_of(through)["degree"].words
LIMITS = ("velocity", "acceleration", "jerk", "torque")
MOST_POINTS = 200
MOST_SECONDS = 3600.0


class MotionError(RobosymError):
    """A motion that was asked for in words that mean nothing, with the field."""


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
        own = {name: getattr(self, name) for name in ("lower", "upper", *LIMITS)}
        return {"name": self.name, "unit": self.unit, **{k: x if math.isfinite(x) else None for k, x in own.items()}}


def coordinates(robot: Robot) -> list[Coordinate]:
    """The joints that are driven; of a platform on legs the coordinates of the platform, where it has some."""
    if robot.platforms:
        from ..scene import scene

        found = scene(robot)["controls"]
        return [Coordinate(one["name"], one["unit"], *_ends(one["lower"], one["upper"])) for one in found]
    return [_of_joint(robot, j) for j in robot.moving]


def _of_joint(robot: Robot, j: int) -> Coordinate:
    frame = robot.frame(j)
    limits = frame.joint.limits
    most = [float(x) if x else math.inf for x in (limits.velocity, limits.acceleration, limits.jerk, limits.effort)]
    unit = "m" if frame.sigma == PRISMATIC else "rad"
    return Coordinate(frame.joint.name, unit, *_ends(limits.lower, limits.upper), *most)


def _ends(lower: float | None, upper: float | None) -> tuple[float, float]:
    return -math.inf if lower is None else float(lower), math.inf if upper is None else float(upper)


@dataclass(frozen=True)
class Request:
    """A motion, as it was asked for."""

    robot: Robot
    coordinates: tuple[Coordinate, ...]  # with the limits that count
    space: str
    way: Any
    timing: str
    points: Floats  # (N, n) of the coordinates, or (N, 6) of poses
    seed: Floats | None  # where the joints are at the first pose
    profile: str
    synchronise: Any
    degree: Any
    seconds: float | None  # of each leg
    linear: tuple[float, float]
    angular: tuple[float, float]
    blend: float
    friction: bool
    given: frozenset[str] = field(default=frozenset())  # limits that are not the description's

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
    """The request, or a ``MotionError`` that names what is wrong with it."""
    if not isinstance(asked, Mapping):
        raise MotionError(f"move: got {type(asked).__name__}, expected points and how to go through them")
    space = _one_of(asked, "space", WAYS, "joints")
    way = _one_of(asked, "way", WAYS[space], next(iter(WAYS[space])))
    own = coordinates(robot)
    if space == "tip" and (robot.platforms or robot.base.floating):
        what = (
            "a platform on legs: its points are poses already" if robot.platforms else "free: only its joints are led"
        )
        raise MotionError(f"space: {robot.name} is {what}")
    if not own:
        raise MotionError(f"{robot.name}: nothing moves")
    return Request(
        robot,
        tuple(_limited(own, asked.get("limits") or {})),
        space,
        way,
        _one_of(asked, "timing", TIMING, "planned"),
        _points(asked, "points", 6 if space == "tip" else len(own), "x, y, z, roll, pitch, yaw" if space == "tip" else ", ".join(one.name for one in own)),
        None if asked.get("seed") is None else _row("seed", asked["seed"], len(own), "a number for each joint"),
        _one_of(asked, "profile", PROFILES, "quintic"),
        None if asked.get("synchronise") in (None, "") else _one_of(asked, "synchronise", SYNCHRONISATIONS, ""),
        _degree(asked.get("degree")),
        _seconds(asked.get("seconds")),
        _pair(asked, "linear", (0.25, 1.0)),
        _pair(asked, "angular", (1.0, 4.0)),
        number("blend", asked.get("blend", 0.25), above=0.0),
        _flag("friction", asked.get("friction")),
        frozenset(asked.get("limits") or {}),
    )  # fmt: skip


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


# --- fields --------------------------------------------------------------------------------------------------------------


def _one_of(asked: Mapping[str, Any], name: str, known: Any, first: str) -> str:
    found = asked.get(name, first)
    if not isinstance(found, str) or found not in known:
        raise MotionError(f"{name}: got {found!r:.40}, expected one of {', '.join(known)}")
    return found


def _limited(own: list[Coordinate], given: Any) -> list[Coordinate]:
    """With the limits that were given in the place of the description's."""
    names = [one.name for one in own]
    if not isinstance(given, Mapping) or not all(isinstance(rows, Mapping) for rows in given.values()):
        raise MotionError("limits: expected {velocity: {joint: number}, ...}")
    unknown = [f"{what}" for what in given if what not in LIMITS]
    unknown += [f"{what} of {name}" for what, rows in given.items() for name in rows if name not in names]
    if unknown:
        raise MotionError(
            f"limits: there is no {', '.join(unknown):.200} (limits: {', '.join(LIMITS)}; {', '.join(names)})"
        )
    found = []
    for one in own:
        rows = {what: rows[one.name] for what, rows in given.items() if rows.get(one.name) is not None}
        numbers: dict[str, Any] = {
            what: number(f"limits, {what} of {one.name}", x, above=0.0) for what, x in rows.items()
        }
        found.append(replace(one, **numbers))
    return found


def _points(asked: Mapping[str, Any], name: str, count: int, of: str) -> Floats:
    given = asked.get(name)
    if not isinstance(given, list) or len(given) < 2:
        many = len(given) if isinstance(given, list) else 0
        raise MotionError(f"{name}: a motion takes two at least, got {many}")
    if len(given) > MOST_POINTS:
        raise MotionError(f"{name}: got {len(given)}, expected at most {MOST_POINTS}")
    return np.array([_row(f"{name}, {k}", row, count, of) for k, row in enumerate(given, 1)])


def _row(what: str, given: Any, count: int, of: str) -> Floats:
    if not isinstance(given, list) or len(given) != count:
        raise MotionError(f"{what}: expected {count} numbers: {of:.300}")
    return np.array([number(what, x) for x in given])


def number(what: str, given: Any, above: float = -math.inf) -> float:
    if not is_finite(given):
        raise MotionError(f"{what}: got {given!r:.40}, expected a number")
    if not given > above:
        raise MotionError(f"{what}: got {given:g}, expected a number above {above:g}")
    return float(given)


def _seconds(given: Any) -> float | None:
    if given is None or given == "":
        return None
    found = number("seconds", given, above=0.0)
    if found > MOST_SECONDS:
        raise MotionError(f"seconds: got {found:g}, expected at most {MOST_SECONDS:g}")
    return found


def _degree(given: Any) -> int:
    if given is None:
        return 3
    if not is_whole(given) or given not in DEGREES:
        raise MotionError(f"degree: got {given!r:.40}, expected {' or '.join(map(str, DEGREES))}")
    return int(given)


def _flag(what: str, given: Any) -> bool:
    if not fits(given, bool | None):
        raise MotionError(f"{what}: got {given!r:.40}, expected true or false")
    return given is True


def _pair(asked: Mapping[str, Any], name: str, first: tuple[float, float]) -> tuple[float, float]:
    given = asked.get(name)
    if given is None:
        return first
    if not isinstance(given, list) or len(given) != 2:
        raise MotionError(f"{name}: expected a speed and an acceleration")
    return number(f"{name} speed", given[0], above=0.0), number(f"{name} acceleration", given[1], above=0.0)
