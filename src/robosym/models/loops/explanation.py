"""How the loops of a robot are closed, in words: the joints around each, its equations, its modes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...expr import VARIABLE, Expr, derivative, evaluate, free_symbols, number, substitute, text
from ...robot import Robot
from ..inverse_geometry.chain.pose import pose_symbols
from ..inverse_geometry.solver.explanation import move_lines, notation
from .chains import target_rows
from .modes import CROSSED, FOLDED, OPEN, PARALLEL, Mode, ways_of
from .plan import Plan
from .solutions import SIGNS, SolvedLoop


def explanation(robot: Robot, solved: Sequence[SolvedLoop], modes: Sequence[str], mode: str) -> str:
    """A few lines a loop, and the mode that was chosen."""
    count = f"{robot.loops} closed loop{'s' if robot.loops > 1 else ''}"
    motors = f"driven joint{'s' if len(robot.joint_names) > 1 else ''} {', '.join(robot.joint_names)}"
    lines = [f"{robot.name}: {count}, from the {motors}"]
    for one in solved:
        lines += ["", *_loop(robot, one)]
    return "\n".join([*lines, "", f"assembly modes: {'; '.join(modes)}", f"in this model: {mode}", ""])


def _loop(robot: Robot, one: SolvedLoop) -> Iterator[str]:
    names = {j: robot.frame(j).joint.name for j in one.loop.joints(robot)}
    yield f"loop cut at {names[one.loop.cut]}: {', '.join(names.values())}"
    known = [name for j, name in names.items() if j not in one.frames]
    yield f"   known: {', '.join(known) or 'nothing'}; found: {', '.join(names[j] for j in one.frames)}"
    ways = ways_of(robot, one)
    for way in ways:
        word = way.name.partition(" ")[0]  # several of one kind are numbered
        if word in (PARALLEL, FOLDED):
            yield from _sums(robot, way)
        elif word in (CROSSED, OPEN):
            yield f"   mode {way.name}: the other solution of the equations below"
        elif way.meaning:
            yield f"   mode {way.name}: {way.meaning}"
        elif way.name.endswith(tuple(SIGNS)):
            yield f"   mode {way.name}: + the first value of the joint's equation below, - the second"
    chain = ", ".join(f"{joint.number} {joint.name}" for joint in one.way.chain.joints)
    yield f"   the known joints make the pose T that the others ({chain}) have to reach:"
    for names_, entries in zip(pose_symbols(), target_rows(one.way), strict=True):
        yield f"      {' '.join(map(text, names_))} = {', '.join(map(text, entries))}"
    for line in notation(one.way.chain):
        yield f"   {line}"
    for k, move in enumerate(one.form.plan.moves, 1):
        for line in move_lines(one.way.chain, k, move):
            yield f"   {line}"
    failing = [way.name for way in ways if way.exists.level == VARIABLE]
    if failing:
        which = "it" if len(failing) == len(ways) else f"mode {', '.join(failing)}"
        yield f"   {which} cannot be assembled where a root is of a negative number or a divisor is zero"


def _sums(robot: Robot, way: Mode) -> Iterator[str]:
    yield f"   mode {way.name}: the angles add up"
    for j, x in way.positions.items():
        joint = robot.frame(j).joint
        yield f"      {joint.name}: {joint.variable} = {_sum(robot, x)}"


def _sum(robot: Robot, total: Expr) -> str:
    """The constant first, then the joints in the order of their frames: pi/2 - q2 + q7."""
    used = [v for frame in robot.frames if (v := frame.joint.variable) in free_symbols(total)]
    rest = substitute([total], dict.fromkeys(used, number(0)))[0]
    words = [] if rest.is_zero else [text(rest)]
    for v in used:
        c = float(evaluate([derivative(total, v)], {})[0])
        words.append(f"{'-' if c < 0 else '+'} {'' if abs(c) == 1 else f'{abs(c):g}*'}{text(v)}")
    first, *others = words or ["0"]
    return " ".join([first.removeprefix("+ ").replace("- ", "-", 1), *others])


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
    if plan.groups:
        yield ""
