"""How the loops of a robot are solved: in closed form one after the other where they have one, the others by iteration.

A loop that has no closed form, or several that say something only together, are a group for Newton's iteration: the
smallest set of loops that determines its unknown joints. What it finds is known to the loops after it, which may have a
closed form again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from ...expr import Expr
from ...reals import Floats
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ..inverse_geometry.closed_form.plan import NoClosedFormError
from ..mechanism.generic_rank import generic_rank
from ..mechanism.newton import INEXACT
from .constraints import Group
from .mechanism import RANK, LoopMechanism, mechanism_of, numbers_for
from .solutions import OVERACTUATED, SolvedLoop, solved_loop
from .structure import Loop, check, driven, loops_of, passive

SAMPLES = (8, 64)  # random positions for a rank
ROUNDS, OFTEN = 4, 2  # of random starts; times that each position is reached
TRIES = 8  # draws of the parameters that have no value, for a position with closed loops
NEARER = (
    0.1  # of the distance of other modes: a position that is the described one, with motors moved to close the loops
)
SUGGESTED = "robosym.mobility suggests which to drive"


@dataclass(frozen=True)
class Plan:
    """``steps`` in their order: loops in closed form, and groups for Newton's iteration. ``reasons`` say by the cut joint
    why a loop of such a group has no closed form."""

    steps: tuple[SolvedLoop | Group, ...]
    reasons: Mapping[int, str] = field(default_factory=dict)
    closed: Closed | None = None  # where there is a group

    @property
    def solved(self) -> tuple[SolvedLoop, ...]:
        return tuple(one for one in self.steps if isinstance(one, SolvedLoop))

    @property
    def groups(self) -> tuple[Group, ...]:
        return tuple(one for one in self.steps if isinstance(one, Group))

    @property
    def found(self) -> tuple[int, ...]:
        """The frames of the joints that the iteration finds."""
        return tuple(j for group in self.groups for j in group.frames)

    @property
    def all_groups(self) -> tuple[Group, ...]:
        """Every step as a group, for its rates."""
        return tuple(one if isinstance(one, Group) else Group((one.loop,), one.frames) for one in self.steps)


@dataclass(frozen=True)
class Closed:
    """A position in numbers at which all loops close."""

    mechanism: LoopMechanism
    x: Floats
    own: bool  # all parameters have the robot's own values
    all: tuple[Floats, ...]  # the positions that were found with the driven joints where they are

    @property
    def values(self) -> dict[Expr, float]:
        """Of every parameter of the geometry and every joint of the loops."""
        return self.mechanism.values_at(self.x)


def plan_of(robot: Robot) -> Plan:
    """All loops, each with what is known before it."""
    check(robot)
    waiting = list(loops_of(robot))
    known = set(driven(robot))
    steps: list[SolvedLoop | Group] = []
    reasons: dict[int, str] = {}
    closed: Closed | None = None
    while waiting:
        solved, why = _in_closed_form(robot, waiting, known)
        if solved is not None:
            steps.append(solved)
            waiting.remove(solved.loop)
        else:
            closed = closed or closed_position(robot)
            group = _together(robot, waiting, known, closed)
            steps.append(group)
            reasons |= {loop.cut: why[loop.cut] for loop in group.loops}
            waiting = [loop for loop in waiting if loop not in group.loops]
        known |= set(steps[-1].frames)
    left = [robot.frame(j).joint.name for j in passive(robot) if j not in known]
    if left:
        raise RobotError([Problem("loops", f"the loops leave {', '.join(left)} free")], robot.name)
    if closed is not None:
        _check_motors(robot, closed)
    return Plan(tuple(steps), reasons, closed)


def _in_closed_form(robot: Robot, waiting: Sequence[Loop], known: set[int]) -> tuple[SolvedLoop | None, dict[int, str]]:
    """The first of these loops that has a closed form, else why each of them has none."""
    reasons = {}
    for loop in sorted(waiting, key=lambda one: len(set(one.joints(robot)) - known)):
        unknown = [j for j in loop.joints(robot) if j not in known]
        if not unknown:
            raise RobotError([Problem(f"loop {loop.cut}", OVERACTUATED)], robot.name)
        most = _determined(robot, loop, unknown)
        if most < len(unknown):
            names = ", ".join(robot.frame(j).joint.name for j in unknown)
            reasons[loop.cut] = f"{names} are unknown, of which a loop like this determines {most}"
            continue
        try:
            solved = solved_loop(robot, loop, known)
        except NoClosedFormError as error:
            reasons[loop.cut] = _said(robot, error)
            continue
        exchanged = _exchanged(robot, solved)
        if exchanged is None:
            return solved, {}
        reasons[loop.cut] = exchanged
    return None, reasons


def _exchanged(robot: Robot, solved: SolvedLoop) -> str | None:
    """Why the branches of a closed form are no modes: the formulas for four roots give them in an order that changes as the
    driven joints move, and a mode would leap from one way of assembling the loop to another."""
    four = [move.joint for move in solved.form.plan.moves if move.kind == "quartic"]
    if not four:
        return None
    names = ", ".join(robot.frame(solved.frames[int(j) - 1]).joint.name for j in four)
    return f"{names} has up to four values, which exchange their places as the driven joints move"


def _said(robot: Robot, error: NoClosedFormError) -> str:
    """The reason alone."""
    text = str(error).removeprefix(f"{robot.name}: ").removeprefix("method: ")
    return text.removesuffix(" (method 'general' may)")


def _determined(robot: Robot, loop: Loop, unknown: Sequence[int]) -> int:
    """How many joints of a loop can be determined by it: the rank of their twists at random positions, open or closed."""
    draw = np.random.default_rng(7)
    mechanism = mechanism_of(robot, numbers_for(robot, draw)[0])
    for count in SAMPLES:
        x = mechanism.random_starts(draw, np.zeros(len(mechanism.joints)), mechanism.joints, count + 1)[1:]
        found = generic_rank(mechanism.part(x, [loop], unknown), RANK)
        if found.proved:
            break
    return found.rank


def _together(robot: Robot, waiting: Sequence[Loop], known: set[int], closed: Closed) -> Group:
    """The fewest loops that determine all of their unknown joints."""
    for loops in _subsets(waiting):
        unknown = tuple(j for j in passive(robot) if j not in known and any(j in one.joints(robot) for one in loops))
        if closed.mechanism.rank(closed.x, loops, unknown) == len(unknown):
            return Group(loops, unknown)
    unknown = tuple(j for j in passive(robot) if j not in known)
    free = len(unknown) - closed.mechanism.rank(closed.x, waiting, unknown)
    names = ", ".join(robot.frame(j).joint.name for j in unknown)
    problem = f"under-actuated by {free}: with all motors held, {names} can still move ({SUGGESTED})"
    raise RobotError([Problem("loops", problem)], robot.name)


def _subsets(waiting: Sequence[Loop]) -> Iterator[tuple[Loop, ...]]:
    for count in range(1, len(waiting) + 1):
        yield from combinations(waiting, count)


def check_driven(robot: Robot) -> None:
    """Whether loops that do not close with the motors anywhere would close and move with fewer of them."""
    try:
        closed = closed_position(robot)
    except RobotError:
        return
    mechanism = closed.mechanism
    if mechanism.rank(closed.x, mechanism.loops, mechanism.joints) < len(mechanism.joints):
        _check_motors(robot, closed)


def _check_motors(robot: Robot, closed: Closed) -> None:
    """Whether every driven joint can move by itself."""
    mechanism = closed.mechanism
    all_joints = mechanism.rank(closed.x, mechanism.loops, mechanism.joints)
    more = all_joints - mechanism.rank(closed.x, mechanism.loops, [j for j in passive(robot) if j in mechanism.joints])
    if more:
        motors = [j for j in driven(robot) if j in mechanism.joints]
        free = len(mechanism.joints) - all_joints
        left = f"{free} degree{'' if free == 1 else 's'} of freedom"
        are = "is" if len(motors) == 1 else "are"
        problem = f"over-actuated by {more}: the loops leave {left}, and {len(motors)} of their joints {are} driven ({SUGGESTED})"
        raise RobotError([Problem("loops", problem)], robot.name)


# --- a position -------------------------------------------------------------------------------------------------------


def closed_position(robot: Robot) -> Closed:
    """A position with closed loops: the described one if it closes, with the driven joints as in the description. Where that is
    none, the one that is reached from there with all joints free; else the one that is farthest from singular, also where the
    driven joints are described at a singular position and nothing is said of the others."""
    draw = np.random.default_rng(5)
    for _ in range(TRIES):
        values, drawn = numbers_for(robot, draw)
        for mechanism in (mechanism_of(robot, values), mechanism_of(robot, values, INEXACT)):
            closed = _closed(robot, mechanism, not drawn, draw)
            if closed is not None:
                return closed
        if not drawn:
            break
    raise RobotError([Problem("loops", "cannot be assembled: no position was found at which they close")], robot.name)


def _closed(robot: Robot, mechanism: LoopMechanism, own: bool, draw: np.random.Generator) -> Closed | None:
    near = mechanism.described
    follow = [j for j in mechanism.joints if j not in driven(robot)]
    given = [j for j in follow if robot.frame(j).joint.position is not None]
    there = closed_with_motors(mechanism, near, given, draw)
    nearest = min(there, key=lambda x: mechanism.distance(x, near, given or mechanism.joints)) if there else None
    if given:
        anchor = mechanism.closed(near[None], mechanism.joints)
        if len(anchor):
            far, moved = (math.inf if x is None else mechanism.distance(x, near, given) for x in (nearest, anchor[0]))
            if moved < NEARER * far:  # another mode, or none, with the motors exactly where they are described
                best = mechanism.different(anchor)[0]
                return Closed(mechanism, best, own, tuple(closed_with_motors(mechanism, best, given, draw)))
    if nearest is not None and (given or mechanism.regular(nearest[None], follow)[0] > RANK):
        return Closed(mechanism, nearest, own, tuple(there))
    found = mechanism.closed(mechanism.random_starts(draw, near, mechanism.joints), mechanism.joints)
    regular = mechanism.regular(found, follow)
    if nearest is not None and regular.max(initial=0.0) <= RANK:  # singular everywhere
        return Closed(mechanism, nearest, own, tuple(there))
    if not len(found):
        return None
    best = mechanism.different(found[int(np.argmax(regular))][None])[0]
    return Closed(mechanism, best, own, tuple(closed_with_motors(mechanism, best, given, draw)))


def closed_with_motors(
    mechanism: LoopMechanism, near: Floats, given: Sequence[int], draw: np.random.Generator
) -> list[Floats]:
    """All positions that are found with the driven joints as they are here: from here, from random positions of all other joints,
    and, where the description has some of them (``given``), of those that it does not have. In rounds, until each was reached
    often: one that was reached once leaves others to be expected."""
    follow = [j for j in mechanism.joints if j not in driven(mechanism.robot)]
    closed = np.zeros((0, len(near)))
    for _ in range(ROUNDS):
        starts = mechanism.random_starts(draw, near, follow)
        if 0 < len(given) < len(follow):
            few = len(starts) // 4
            kept = mechanism.places(given)
            starts[:few, kept] = near[kept]
        closed = np.concatenate([closed, mechanism.closed(starts, follow)])
        positions, times = mechanism.counted(closed)
        if min(times, default=OFTEN) >= OFTEN:
            break
    return positions
