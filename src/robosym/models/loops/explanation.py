"""How the loops of a robot are closed, in words: the joints around each, its equations, its modes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...expr import VARIABLE, text
from ...robot import Robot
from ..inverse_geometry.solver.explanation import move_lines, notation
from .modes import FOLDED, PARALLEL, Mode, ways_of
from .plan import Plan
from .solutions import SIGNS, SolvedLoop


def explanation(robot: Robot, solved: Sequence[SolvedLoop], modes: Sequence[str], mode: str) -> str:
    """A few lines a loop, and the mode that was chosen."""
    count = f"{robot.loops} closed loop{'s' if robot.loops > 1 else ''}"
    lines = [f"{robot.name}: {count}, from the driven joints {', '.join(robot.joint_names)}"]
    for one in solved:
        lines += ["", *_loop(robot, one)]
    lines += ["", f"assembly modes: {'; '.join(modes)}", f"in this model: {mode}", ""]
    return "\n".join(lines)


def _loop(robot: Robot, one: SolvedLoop) -> Iterator[str]:
    names = {j: robot.frame(j).joint.name for j in one.loop.joints(robot)}
    yield f"loop cut at {names[one.loop.cut]}: {', '.join(names.values())}"
    known = [name for j, name in names.items() if j not in one.frames]
    yield f"   known: {', '.join(known) or 'nothing'}; found: {', '.join(names[j] for j in one.frames)}"
    for way in ways_of(robot, one):
        if way.name in (PARALLEL, FOLDED):
            yield from _sums(robot, way)
        elif way.meaning:
            yield f"   mode {way.name}: {way.meaning}"
        elif way.name.endswith(tuple(SIGNS)):
            yield f"   mode {way.name}: + the first value of the joint's equation below, - the second"
    yield "   " + "the known joints make the pose T that the others have to reach:"
    for line in notation(one.way.chain):
        yield f"   {line}"
    for k, move in enumerate(one.form.plan.moves, 1):
        for line in move_lines(one.way.chain, k, move):
            yield f"   {line}"
    if any(way.exists.level == VARIABLE for way in ways_of(robot, one)):
        yield "   it cannot be assembled where a root is of a negative number or a divisor is zero"


def _sums(robot: Robot, way: Mode) -> Iterator[str]:
    yield f"   mode {way.name}: the angles add up"
    for j, x in way.positions.items():
        yield f"      {robot.frame(j).joint.variable} = {text(x)}"


def by_iteration(robot: Robot, plan: Plan, reference: Mapping[str, float]) -> Iterator[str]:
    """The loops that have no closed form, and why."""
    for group in plan.groups:
        names = ", ".join(robot.frame(j).joint.name for j in group.frames)
        yield f"by Newton's iteration from a start: {names}"
        for loop in group.loops:
            yield f"   the loop cut at {robot.frame(loop.cut).joint.name} has no closed form: {plan.reasons[loop.cut]}"
    if reference:
        said = ", ".join(f"{name} = {x:.6g}" for name, x in reference.items())
        yield f"   modes found in numbers at {said}; elsewhere a mode is what the straight way from there leads to"
    yield ""
