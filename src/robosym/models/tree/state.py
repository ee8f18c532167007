"""The inputs of a model: the coordinates and their rates, torques, and the wrenches on the environment."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from typing import Literal

from ...expr import VARIABLE, Expr, variable
from ...program import Array
from ...robot import FIXED, WRENCH, Link, Robot, RobotError
from ...robot.problems import Problem
from .coordinates import coordinates
from .paths import FrameName

# The frames whose wrench on the environment is an input.
Wrenches = Literal["terminal", "all", "none"] | Sequence[FrameName]

MOST_LISTED = 12


def wrench_symbols(j: int) -> tuple[Expr, ...]:
    return tuple(variable(f"{name}{j}") for name in WRENCH)


def wrench_frames(robot: Robot, which: Wrenches) -> tuple[int, ...]:
    """The frames whose wrench is an input, by row; 0 is the base.

    "terminal": the terminal links; "all": every moving link; both with the frames whose wrench the description makes symbolic.
    Names of frames: these, in their order.
    """
    if not isinstance(which, str):
        return _named_frames(robot, which)
    if which == "none":
        return ()
    if which not in ("terminal", "all"):
        one = any(which == frame.name for frame in robot.frames)
        hint = f"; for one frame give [{which!r:.60}]" if one else ""
        raise _problem(robot, f"got {which!r:.60}, expected {_expected(robot)}{hint}")
    if robot.base.floating and _is_symbolic(robot.base.link):
        message = "is a variable: expected numbers or parameters (tau begins with the wrench that acts on a free base)"
        raise RobotError([Problem("base, wrench", message)], robot.name)
    moving = [j for j in robot.order if _moves(robot, j)]
    links = [j for j in moving if robot.frame(j).sigma != FIXED]
    chosen = set(links if which == "all" else _terminal(robot, links))
    described = (j for j in moving if j <= robot.n_frames)  # without the frames inside of joints
    return tuple(j for j in described if j in chosen or _is_symbolic(robot.frame(j).link))


def _terminal(robot: Robot, links: Sequence[int]) -> list[int]:
    """The ends of the tree; those where loops were cut are left out, unless there are no others. Of a parallel robot its platform."""
    if robot.platforms:
        return [platform.frame for platform in robot.platforms]
    carriers = {robot.carrier(robot.frame(j).antecedent) for j in links}
    ends = [j for j in links if j not in carriers]
    in_loops = {robot.carrier(robot.frame(cut).antecedent) for cut in _cut_frames(robot)}
    return [j for j in ends if j not in in_loops] or ends


def _named_frames(robot: Robot, names: Sequence[FrameName]) -> tuple[int, ...]:
    if isinstance(names, (Mapping, Set, bytes)) or not isinstance(names, Collection):
        raise _problem(robot, f"got {names!r:.60}, expected {_expected(robot)}")
    found: list[int] = []
    for name in names:
        j = robot.number(name, "wrench")
        if not _moves(robot, j):
            rests = "which does not move: a wrench there changes no torque"
            fault = "where a loop is cut: no link is there" if j in _cut_frames(robot) else rests
            raise _problem(robot, f"got {name!r:.60}, {fault}, expected frames that move ({_listed(robot)})")
        if j in found:
            raise _problem(robot, f"got {name!r:.60} twice, expected each frame once")
        found.append(j)
    if not found:
        raise _problem(robot, f"got no frame, expected {_expected(robot)}")
    return tuple(found)


def _moves(robot: Robot, j: int) -> bool:
    """Whether a frame moves with a joint or a floating base, so that a wrench on it changes torques; a cut joint has no link."""
    return j not in _cut_frames(robot) and (robot.base.floating or robot.carrier(j) != 0)


def _cut_frames(robot: Robot) -> set[int]:
    return {cut for pair in robot.closure.cuts for cut in pair} if robot.closure is not None else set()


def _is_symbolic(link: Link) -> bool:
    return any(x.level == VARIABLE for x in link.wrench)


def _name(robot: Robot, j: int) -> str:
    return robot.frame(j).name if j else robot.base.name


def _expected(robot: Robot) -> str:
    return f"'terminal', 'all' or 'none', or a list of frame names ({_listed(robot)})"


def _listed(robot: Robot) -> str:
    """Frames that can be named."""
    names = [_name(robot, j) for j in (0, *robot.order) if j <= robot.n_frames and _moves(robot, j)]
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return ", ".join(f"{name!r:.60}" for name in names[:MOST_LISTED]) + more


def _problem(robot: Robot, message: str) -> RobotError:
    return RobotError([Problem("wrench", message)], robot.name)


def wrench_option(robot: Robot, which: Wrenches) -> Wrenches:
    """The option as models record it: the word, or the names of the frames."""
    return which if isinstance(which, str) else tuple(_name(robot, j) for j in wrench_frames(robot, which))


def state_inputs(
    robot: Robot, names: tuple[str, ...], wrenches: Wrenches = "none", more: Sequence[Array] = ()
) -> tuple[Array, ...]:
    """The input arrays of a dynamic model: q, qd, qdd, tau as requested, ``more``, and the wrenches, one row a frame.

    Where the description sets a velocity, an acceleration or a torque to a number, the array still has its place, unread.
    """
    found = [*coordinates(robot).inputs(names), *more, *wrench_array(wrench_frames(robot, wrenches))]
    seen: set[Expr] = set()
    for array in found:
        for entry in array.entries:
            if entry in seen:
                problem = f"'{entry}' stands for two things in the state: give one of them another name"
                raise RobotError([Problem(array.name, problem)], robot.name)
            seen.add(entry)
    return tuple(found)


def wrench_array(frames: Sequence[int]) -> tuple[Array, ...]:
    """The input of the wrenches on these frames; none if there are none."""
    entries = tuple(s for j in frames for s in wrench_symbols(j))
    return (Array("wrench", (len(frames), 6), entries),) if frames else ()


def zero_unless_given(robot: Robot, wrench: Wrenches) -> Mapping[str, tuple[str, ...]]:
    """The inputs a call may leave out, with the names of their rows: the wrenches, by frame."""
    return named_rows(robot, wrench_frames(robot, wrench))


def named_rows(robot: Robot, frames: Sequence[int]) -> Mapping[str, tuple[str, ...]]:
    return {"wrench": tuple(_name(robot, j) for j in frames)} if frames else {}
