"""What every model takes under the same names: which frame or frames, and in whose axes (``tool.py``: with which tool)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Annotated, Any, Literal

from ..options.markers import AXES
from ..robot import FIXED, Robot, RobotError
from ..robot.parts import Closure
from ..robot.problems import Problem
from .tree.paths import WORLD, FrameName

# The three ways of writing the velocity of a frame (Pinocchio's names):
#   local                in the axes of the frame, of its origin: the body twist
#   world                in the axes of the world, of the point that passes the world's origin: the spatial twist
#   local-world-aligned  in the axes of the world, of the frame's origin: the textbooks' 0J, "mixed"
Convention = Literal["local", "world", "local-world-aligned"]
CONVENTIONS: tuple[Convention, ...] = ("local", "world", "local-world-aligned")
ALIGNED: Convention = "local-world-aligned"
# What others call them; capitals and underscores make no difference (LOCAL_WORLD_ALIGNED).
ALIASES: dict[str, Convention] = {"body": "local", "spatial": "world", "mixed": "local-world-aligned"}

# What a person may give: a convention, or a frame whose axes are wanted. Of a frame that has the name of a convention the
# number is given.
AxesName = Annotated[Convention | int | str, AXES]
Axes = Convention | int  # what is meant
Frames = Sequence[FrameName] | Literal["all"]

MOST_LISTED = 12


def tips(robot: Robot) -> tuple[int, ...]:
    """The ends of the chains, each by the moving frame that carries no other moving frame.

    Where one fixed frame alone is mounted there (a flange, the end of a planar arm), it is the end of the chain; of several
    (a URDF's names for the same place) none is. Of a free base that carries no joint it is the base.
    """
    carried: dict[int, list[int]] = {}
    for j, frame in enumerate(robot.frames, 1):
        carried.setdefault(frame.antecedent, []).append(j)
    moving = [j for j in range(1, len(robot.frames) + 1) if robot.frame(j).sigma != FIXED]
    carriers = {robot.carrier(robot.frame(j).antecedent) for j in moving}
    found = []
    alone = [0] if robot.base.floating and not moving else []  # a free body without joints
    for end in (*alone, *(j for j in moving if j not in carriers)):
        while len(own := _without_cuts(robot, carried.get(end, []))) == 1:
            (end,) = own
        found.append(end)
    return tuple(found) if robot.closure is None else _outside_loops(robot, robot.closure, found)


def _without_cuts(robot: Robot, frames: list[int]) -> list[int]:
    """What a frame carries beside the places where loops were cut, if there is anything else."""
    twins = [twin for _, twin in robot.closure.cuts] if robot.closure is not None else []
    return [j for j in frames if j not in twins] or frames


def _outside_loops(robot: Robot, closure: Closure, found: Sequence[int]) -> tuple[int, ...]:
    """The ends that are not where a loop was cut; if there are no others, the cuts, of which both frames are one. A cut on the
    base does not move: the link on its other side does."""
    pairs = {end: pair for pair in closure.cuts for end in pair}
    free = [end for end in found if end not in pairs]
    if free:
        return tuple(free)
    ends: dict[int, None] = {}
    for cut, twin in (pairs[end] for end in found):
        carriers = [robot.carrier(robot.frame(j).antecedent) for j in (cut, twin)]
        ends[cut if all(carriers) else max(carriers)] = None
    return tuple(ends)


def target(robot: Robot, frame: FrameName | None) -> int:
    """The number of the frame a model is about: by default the tip of the chain."""
    if frame is not None:
        return _number(robot, frame, "frame")
    found = tips(robot)
    if len(found) == 1:
        return found[0]
    if not found:
        raise _problem(robot, "frame", "the robot has no moving frame: say which frame, by number or name")
    names = ", ".join(f"'{robot.frame(j).name}'" for j in found[:MOST_LISTED])
    more = f" and {len(found) - MOST_LISTED} more" if len(found) > MOST_LISTED else ""
    raise _problem(robot, "frame", f"the robot has {len(found)} tips: say which frame ({names}{more})")


def targets(robot: Robot, frame: FrameName | None, frames: Frames | None) -> tuple[int, ...]:
    """The numbers of the frames a model gives: one by default, those listed, or all."""
    if frames is None:
        return (target(robot, frame),)
    if frame is not None:
        raise _problem(robot, "frames", "give one frame or several frames, not both")
    if isinstance(frames, str) and frames == "all":
        return tuple(range(1, robot.n_frames + 1)) or (0,)
    expected = "expected a list of frames by number or name, or 'all'"
    if isinstance(frames, (str, Mapping, Set)) or not isinstance(frames, Iterable):
        raise _problem(robot, "frames", f"got {frames!r}, {expected}")
    listed = list(frames)
    if not listed or any(one is None for one in listed):
        raise _problem(robot, "frames", f"got {listed!r}, {expected}")
    return tuple(_number(robot, one, "frames") for one in listed)


def _number(robot: Robot, frame: FrameName, field: str) -> int:
    if frame == WORLD and robot.base.name != WORLD:
        raise _problem(robot, field, "the world does not move: expected a frame of the robot")
    return robot.number(frame, field)


def one_frame(robot: Robot, frames: Sequence[int]) -> int:
    """The frame that carries a tool, of those a model gives."""
    if len(frames) != 1:
        raise _problem(robot, "tool", "a tool is mounted on one frame: expected frame=..., not several frames")
    return frames[0]


def axes_named(robot: Robot, axes: AxesName) -> Axes:
    """The convention the user means, by its name or by one of the others in use; or the number of a frame."""
    known: dict[str, Convention] = ALIASES | {name: name for name in CONVENTIONS}
    word = axes.lower().replace("_", "-") if isinstance(axes, str) else ""
    if word in known:
        return known[word]
    try:
        return robot.number(axes)
    except RobotError:
        raise _problem(robot, "axes", f"got {axes!r}, expected {AXES.phrase}") from None


def reference_named(robot: Robot, reference: FrameName) -> FrameName:
    """The frame that positions are given in: "world", or the number of a frame."""
    return WORLD if reference == WORLD else robot.number(reference, "reference")


def frame_name(robot: Robot, frame: FrameName) -> str:
    """The name of a frame given by number; "world" stays."""
    if isinstance(frame, str):
        return frame
    return robot.frame(frame).name if frame else robot.base.name


def axes_option(robot: Robot, axes: Axes) -> Axes | str:
    """Axes as the options of a model record them: the name of a frame, unless it would be taken for a convention."""
    if isinstance(axes, str):
        return axes
    name = frame_name(robot, axes)
    return axes if name in CONVENTIONS or name.lower().replace("_", "-") in ALIASES else name


def names_in(robot: Robot, option: str, value: object) -> list[str]:
    """An option that names joints: a list, or one name."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, Sequence):
        raise _problem(robot, option, f"got {value!r:.60}, expected a list of names")
    return list(value)


def _problem(robot: Robot, field: str, message: Any) -> RobotError:
    return RobotError([Problem(field, message)], robot.name)
