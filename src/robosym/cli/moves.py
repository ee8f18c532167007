"""MOVE.json: the motion to follow, as commands take it, and the options of its planners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import RobosymError
from .options import each
from .pose import pose_from, read_json

if TYPE_CHECKING:
    from ..robot import Robot
    from ..trajectory import TaskMotion, Trajectory


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

# Where commands read the options of planners; limits are numbers for all joints, or by joint.
THROUGH_POINTS, TO_A_POINT = ("method", "degree"), ("profile", "synchronise")
LIMITS = ("velocity", "acceleration", "jerk")
PLANNERS = (
    f"trajectory:through:{' '.join(THROUGH_POINTS)}",
    f"trajectory:point_to_point:{' '.join((*TO_A_POINT, *LIMITS))}",
)
EACH = "NUMBER,...|JOINT=NUMBER,..."
Velocity = Annotated[str | None, typer.Option("--velocity", metavar=EACH)]
Acceleration = Annotated[str | None, typer.Option("--acceleration", metavar=EACH)]
Jerk = Annotated[str | None, typer.Option("--jerk", metavar=EACH)]
Picture = Annotated[
    str | None, typer.Option("--plot", metavar="FILE.png", help="Picture to write: .png, .svg or .pdf.")
]


def planning_of(chosen: dict[str, Any], *limits: str | None) -> dict[str, Any]:
    """The options of planners, which are removed from those that a line chose; ``limits`` in the order of LIMITS."""
    planning = {name: chosen.pop(name) for name in (*THROUGH_POINTS, *TO_A_POINT) if name in chosen}
    return planning | {name: each(f"--{name}", x) for name, x in zip(LIMITS, limits, strict=True) if x is not None}


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


def planned(
    robot: Robot, move: Mapping[str, Any], planning: Mapping[str, Any], duration: float | None = None
) -> Trajectory:
    """The motion from point to point or through points. ``duration`` stands in the place of the file's."""
    if "through" in move:
        return _through(robot, move, {k: x for k, x in planning.items() if k not in TO_A_POINT}, duration)
    from ..trajectory import point_to_point

    options: dict[str, Any] = {key: move.get(key) for key in ("v0", "vf", "a0", "af")}
    options |= {k: x for k, x in planning.items() if k not in THROUGH_POINTS}
    options["duration"] = move.get("duration") if duration is None else duration
    return point_to_point(move["from"], move["to"], robot=robot, **options)


def _through(robot: Robot, move: Mapping[str, Any], planning: Mapping[str, Any], duration: float | None) -> Trajectory:
    from ..trajectory import through

    if duration is not None:
        raise typer.BadParameter('--duration: a motion through points takes "times" in its file')
    points = move["through"]
    if not isinstance(points, list):
        raise RobosymError("through: expected a list of positions")
    return through(points, move.get("times"), robot=robot, **planning)


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
