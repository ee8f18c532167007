"""MOVE.json: what shall be followed, as commands take it; and the options that say how it is planned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import RobosymError
from .choices import choice
from .options import each
from .pose import pose_from, read_json

if TYPE_CHECKING:
    from ..robot import Robot
    from ..trajectory import TaskMotion, Trajectory

EACH = "A number for all joints, or JOINT=NUMBER,...; by default the description's."


@dataclass(frozen=True)
class Kind:
    """What a file may hold: the first ``needed`` of its fields must be there."""

    fields: tuple[str, ...]
    needed: int
    such: str


POINT_TO_POINT = Kind(("from", "to", "v0", "vf", "a0", "af", "duration"), 2, '{"from": [...], "to": [...]}')
THROUGH = Kind(("through", "times"), 1, '{"through": [[...], ...]}')
STRAIGHT = Kind(("straight", "linear", "angular", "profile"), 1, '{"straight": [POSE, POSE], "linear": [v, a]}')
HOLD = Kind(("hold",), 1, '{"hold": [...]}')
OF_JOINTS = (POINT_TO_POINT, THROUGH)
ANY = (*OF_JOINTS, STRAIGHT, HOLD)

OF_A_MOVE, OF_POINTS = "trajectory.point_to_point", "trajectory.through"
ProfileOption = Annotated[Any, choice("--profile", OF_A_MOVE, "profile", "Velocity profile.")]
MethodOption = Annotated[Any, choice("--method", OF_POINTS, "method", "Curve through points.")]
DegreeOption = Annotated[Any, choice("--degree", OF_POINTS, "degree", "Degree of a spline.")]
SynchroniseOption = Annotated[
    Any, choice("--synchronise", OF_A_MOVE, "synchronise", "Synchronisation of the joints.", show_default=False)
]
Velocity = Annotated[str | None, typer.Option("--velocity", help=f"Limit, rad/s or m/s. {EACH}")]
Acceleration = Annotated[str | None, typer.Option("--acceleration", help=f"Limit, rad/s^2 or m/s^2. {EACH}")]
Jerk = Annotated[str | None, typer.Option("--jerk", help=f"Limit, rad/s^3 or m/s^3. {EACH}")]


@dataclass(frozen=True)
class Planning:
    """How a motion of the joints is planned, as the options of a command say."""

    profile: str
    method: Any
    degree: Any
    synchronise: Any
    velocity: str | None
    acceleration: str | None
    jerk: str | None

    @property
    def limits(self) -> dict[str, Any]:
        return {name: each(f"--{name}", getattr(self, name)) for name in ("velocity", "acceleration", "jerk")}


def read_move(path: str, kinds: tuple[Kind, ...] = OF_JOINTS) -> dict[str, Any]:
    """The content of a file, one of these kinds."""
    found = read_json(path)
    expected = f"expected {' or '.join(kind.such for kind in kinds)}"
    if not isinstance(found, dict):
        raise RobosymError(f"{path}: {expected}, got {type(found).__name__}")
    kind = next((kind for kind in kinds if kind.fields[0] in found), kinds[0])
    unknown = [key for key in found if key not in kind.fields]
    if unknown:
        raise RobosymError(f"{path}: unknown field {', '.join(map(repr, unknown))} (fields: {', '.join(kind.fields)})")
    missing = [key for key in kind.fields[: kind.needed] if key not in found]
    if missing:
        raise RobosymError(f"{path}: no {' and no '.join(map(repr, missing))}: {expected}")
    return found


# --- motions of the joints -----------------------------------------------------------------------------------------------


def planned(robot: Robot, asked: Mapping[str, Any], how: Planning, duration: float | None = None) -> Trajectory:
    """The motion from point to point or through points. ``duration`` stands in the place of the file's."""
    limits = how.limits
    if "through" in asked:
        return _through(robot, asked, limits, how, duration)
    from ..trajectory import point_to_point

    ends = {key: asked.get(key) for key in ("v0", "vf", "a0", "af")}
    return point_to_point(
        asked["from"],
        asked["to"],
        how.profile,
        duration=asked.get("duration") if duration is None else duration,
        robot=robot,
        synchronise=how.synchronise,
        **ends,
        **limits,
    )


def _through(
    robot: Robot, asked: Mapping[str, Any], limits: Mapping[str, Any], how: Planning, duration: float | None
) -> Trajectory:
    from ..trajectory import through

    if duration is not None:
        raise typer.BadParameter('--duration: a motion through points takes "times" in its file')
    points = asked["through"]
    if not isinstance(points, list):
        raise RobosymError("through: expected a list of positions")
    return through(points, asked.get("times"), method=how.method, degree=how.degree, robot=robot, **limits)


# --- motions of a frame --------------------------------------------------------------------------------------------------


def straight_line(asked: Mapping[str, Any], path: str) -> TaskMotion:
    """The motion of a frame from pose to pose."""
    from ..trajectory import straight, timed

    ends = asked["straight"]
    if not isinstance(ends, list) or len(ends) != 2:
        raise RobosymError(f"{path}: straight: expected two poses, of which each is a matrix or has a position")
    line = straight(*(pose_from(f"{path}: straight", end) for end in ends))
    limits = {key: asked.get(key) for key in ("linear", "angular")}
    return timed(line, profile=asked.get("profile", "quintic"), **limits)
