"""The loops of a robot: the joints around each of them, those that are driven and those that follow."""

from __future__ import annotations

from dataclasses import dataclass

from ...caches import Kept
from ...robot import FIXED, Robot, RobotError
from ...robot.problems import Problem
from ...spatial.screws import Motion, frame_motions
from ..mechanism.chain import variable_of as variable_of

_LOOPS: Kept[tuple[Loop, ...]] = Kept()


@dataclass(frozen=True)
class Passage:
    """A frame on the way around a loop, taken from its antecedent to itself or, ``back``, the other way."""

    frame: int
    back: bool


@dataclass(frozen=True)
class Loop:
    """``around``: from the link that both sides have in common, out to the cut joint, over it, and back. The product of all
    motions is the identity where the loop is closed."""

    cut: int
    twin: int
    around: tuple[Passage, ...]

    def joints(self, robot: Robot) -> tuple[int, ...]:
        """The frames around the loop whose joints move."""
        return tuple(one.frame for one in self.around if robot.frame(one.frame).sigma != FIXED)


def loops_of(robot: Robot) -> tuple[Loop, ...]:
    """The loops, one for each cut joint."""
    cuts = range(robot.n_links + 1, robot.n_links + robot.loops + 1)
    return _LOOPS.of(robot, (), lambda: tuple(loop_over(robot, cut, cut + robot.loops) for cut in cuts))


def loop_over(robot: Robot, cut: int, twin: int) -> Loop:
    """The loop that the two frames of a cut joint close."""
    out, back = robot.path(cut), robot.path(twin)
    shared = 0
    while shared < min(len(out), len(back)) and out[shared] == back[shared]:
        shared += 1
    around = [Passage(j, False) for j in out[shared:]]
    around += [Passage(j, True) for j in reversed(back[shared:])]
    return Loop(cut, twin, tuple(around))


def driven(robot: Robot) -> tuple[int, ...]:
    """The frames of the joints with motors, in the order of q: these are the coordinates of a robot with loops."""
    return robot.moving


def passive(robot: Robot) -> tuple[int, ...]:
    """The frames of the joints that follow, cut ones last."""
    own = driven(robot)
    moving = [j for j in robot.order if robot.frame(j).sigma != FIXED and j not in own]
    return (*(j for j in moving if j <= robot.n_links), *(j for j in moving if j > robot.n_links))


def check(robot: Robot) -> None:
    """What loops cannot be solved for."""
    followers = [one.joint.name for one in robot.frames if one.sigma != FIXED and one.joint.mimic is not None]
    if followers:
        what = "depends on another joint" if len(followers) == 1 else "depend on other joints"
        problem = f"{', '.join(followers)} {what}, which a robot with closed loops cannot have: leave out mimic"
        raise RobotError([Problem("joints", problem)], robot.name)
    ends = [robot.frame(loop.cut) for loop in loops_of(robot)]
    cut = [end.joint.name for end in ends if end.sigma != FIXED and end.joint.active]  # nothing drives a fixed one
    if cut:
        problem = f"{', '.join(cut)} {'is' if len(cut) == 1 else 'are'} driven and cut: cut the loop at a passive joint"
        raise RobotError([Problem("loops", problem)], robot.name)
    idle = [j for j in passive(robot) if not any(j in loop.joints(robot) for loop in loops_of(robot))]
    if idle:
        names = ", ".join(robot.frame(j).joint.name for j in idle)
        are, it = ("is", "it is") if len(idle) == 1 else ("are", "they are")
        problem = f"{names} {are} passive, and no loop says where {it}: drive or fix what no loop moves"
        raise RobotError([Problem("joints", problem)], robot.name)


def motions_of(robot: Robot, one: Passage) -> list[Motion]:
    """The screws of a passage."""
    screws = frame_motions(robot.geometry(one.frame), one.frame)
    return [screw.inverse for screw in reversed(screws)] if one.back else screws
