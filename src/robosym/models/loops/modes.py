"""The assembly modes of a robot with closed loops: the positions of its passive joints, in closed form.

Each loop has as many modes as its equations have solutions. Where the angles of a loop can add up (a parallelogram), the mode
in which they do is ``parallel`` and the other one ``crossed``; if two links then lie upon each other (a kite), ``folded`` and
``open``. Else they are named by the joint that bends to either side: ``cut+`` and ``cut-``; a single one is ``only``. The modes of
several loops are those of each, together.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from ...expr import VARIABLE, Expr, absolute, cos, evaluate, expr, free_symbols, number, sin, step, substitute
from ...reals import finite_array
from ...robot import PRISMATIC, Robot, RobotError
from ...robot.problems import Problem
from ..draws import Draws
from ..inverse_geometry.chain.chain import Group, given_symbol
from ..inverse_geometry.chain.pose import pose_symbols
from ..inverse_geometry.chain.random_positions import symbol_of
from ..inverse_geometry.closed_form.equation_types import Size
from ..inverse_geometry.closed_form.exact import exact_leaves, joint_positions
from ..inverse_geometry.closed_form.program import Leaf, both
from .chains import target_rows
from .dead_centres import dead_centres
from .linear import linear_solutions
from .residual import (
    CLOSED,
    always_closes,
    gap,
    is_closed,
    is_nearly_closed,
    lengths_of,
    nearly_closes,
    numbers_at,
)
from .signs import bend
from .solutions import SolvedLoop
from .structure import driven, passive, variable_of
from .symmetric_centres import Fork

PARALLEL, CROSSED, OPEN, FOLDED, ONLY = "parallel", "crossed", "open", "folded", "only"
WORDS = (PARALLEL, CROSSED, OPEN, FOLDED)
Positions = dict[int, Expr]
DRAWS, ELSEWHERE = 40, 1e-6  # positions at which ways are compared, and how far apart others are


@dataclass(frozen=True)
class Mode:
    """The position of every joint that follows, of the variables of the driven ones, and whether it is defined there."""

    name: str
    positions: Mapping[int, Expr]
    exists: Expr
    meaning: str = ""  # of the name, in a formula
    closes: bool = True  # False: of one loop, and whether it closes depends on how those before it are closed


def modes_of(robot: Robot, solved: Sequence[SolvedLoop], iterated: Collection[int] = ()) -> list[Mode]:
    """Those in which angles add up first. ``iterated`` are frames of joints that an iteration finds: of loops that hold such a
    joint it is not known here whether they close."""
    choices = [ways_of(robot, one) for one in solved]
    made = (_together(robot, solved, chosen, iterated) for chosen in product(*choices))
    found = [one for one in made if one is not None]
    if not found:
        cuts = ", ".join(robot.frame(one.loop.cut).joint.name for one in solved)
        problem = f"the loops of {cuts} cannot be assembled together with the values given"
        raise RobotError([Problem("loops", problem)], robot.name)
    return found


def _together(
    robot: Robot, solved: Sequence[SolvedLoop], chosen: Sequence[Mode], iterated: Collection[int]
) -> Mode | None:
    """All loops, each closed in one of its ways; None if one of them does not close with those before it. One with more
    equations than unknown joints after an iteration closes where that went: it is checked at every position."""
    positions: Positions = {}
    exists = number(1)
    for one, way in zip(solved, chosen, strict=True):
        known = {variable_of(robot, j): x for j, x in positions.items()}
        *made, there = substitute([*way.positions.values(), way.exists], known)
        positions |= dict(zip(way.positions, made, strict=True))
        exists = both(exists, there)
        if not way.closes:
            proved = _proved(robot, one, Mode("", positions, exists))
            if proved is not None:
                exists = proved.exists
            elif any(j in iterated for j in one.loop.joints(robot)):
                exists = both(exists, is_closed(robot, one.loop, positions))
            else:
                return None
    return Mode(_name(robot, solved, chosen), positions, exists)


def _name(robot: Robot, solved: Sequence[SolvedLoop], chosen: Sequence[Mode]) -> str:
    """The names of what was chosen in each loop: a word that all share once, else with the joint where the loop was cut."""
    words = [way.name for way in chosen if way.name]
    if len(set(words)) == 1 and words[0].startswith(WORDS):
        return words[0]
    cuts = [robot.frame(one.loop.cut).joint.name for one in solved]
    named = [
        f"{cut} {way.name}" if way.name.startswith(WORDS) else way.name for cut, way in zip(cuts, chosen, strict=True)
    ]
    return ", ".join(name for name in named if name) or ONLY


def ways_of(robot: Robot, one: SolvedLoop) -> list[Mode]:
    """The ways of closing a loop."""
    leaves = _exact(robot, one)
    branches = [
        Mode(name, _positions(robot, one, leaf.atoms), leaf.exists)
        for name, leaf in zip(one.branches, leaves, strict=True)
    ]
    known = [j for j in one.loop.joints(robot) if j not in one.frames]
    sums = linear_solutions(robot, [one.loop], known, one.rows(robot)[0], one.frames)
    if sums:
        return _with_sums(robot, one, leaves, branches, sums)
    found = _closing(robot, one, branches)
    if found:
        return _up_to_dead_centres(robot, known, _named(robot, found), _fork(robot, one, leaves))
    gaps = [gap(robot, one.loop, way.positions, way.exists) for way in branches]
    said = "its links do not reach each other" if math.inf in gaps else f"it stays open by {min(gaps):.1g} of its size"
    problem = f"cannot be assembled with the values given: {said}"
    raise RobotError([Problem(f"loop of joint {robot.frame(one.loop.cut).joint.name}", problem)], robot.name)


def _with_sums(
    robot: Robot, one: SolvedLoop, leaves: Sequence[Leaf], branches: Sequence[Mode], sums: Sequence[Positions]
) -> list[Mode]:
    """The ways in which angles add up, and those of the branches that are ever anywhere else; folded ones last."""
    words = [_of_sums(made) for made in sums]
    names = [f"{w} {words[: k + 1].count(w)}" if words.count(w) > 1 else w for k, w in enumerate(words)]
    straight = [Mode(name, made, number(1)) for name, made in zip(names, sums, strict=True)]
    crossed = _crossed(robot, one, leaves, sums[0]) if len(leaves) == 2 and len(sums) == 1 else None
    if crossed is not None:
        others = [replace(crossed, name=OPEN) if FOLDED in words else crossed]
    else:
        others = [way for way in _closing(robot, one, branches) if _elsewhere(robot, way, straight)]
    return sorted([*straight, *others], key=lambda way: way.name.startswith(FOLDED))


def _elsewhere(robot: Robot, way: Mode, others: Sequence[Mode]) -> bool:
    """Whether a way is anywhere but at one of the others: with the robot's own numbers, or with any."""
    roots = [way.exists, *way.positions.values(), *(x for other in others for x in other.positions.values())]
    n = len(way.positions)
    for draws in (Draws(robot, 13), Draws(robot, 13, {})):
        for _ in range(DRAWS):
            numbers = numbers_at(roots, draws)
            if numbers is not None and numbers[0]:
                here, *there = (numbers[k : k + n] for k in range(1, len(numbers), n))
                if all(_distance(robot, way.positions, here, one) > ELSEWHERE for one in there):
                    return True
    return False


def _distance(robot: Robot, frames: Iterable[int], a: Sequence[float], b: Sequence[float]) -> float:
    return max(_apart(robot, j, x, y) for j, x, y in zip(frames, a, b, strict=True))


def _closing(robot: Robot, one: SolvedLoop, branches: Sequence[Mode]) -> list[Mode]:
    """Those that close the loop, or may do so: joints that follow from other loops are not anywhere, but where these have them."""
    followers = {j for j in one.loop.joints(robot) if j not in one.frames} - set(driven(robot))
    found = []
    for way in branches:
        proved = _proved(robot, one, way)
        if proved is not None or followers:
            found.append(replace(way, closes=False) if proved is None else proved)
    return found


def _named(robot: Robot, ways: list[Mode]) -> list[Mode]:
    """Two ways by the side to which a joint bends, the positive one first."""
    seen = bend(robot, [(way.positions, way.exists) for way in ways]) if len(ways) == 2 else None
    if seen is None:
        return ways
    named = [replace(way, name=seen.name(k), meaning=seen.meaning(k)) for k, way in enumerate(ways)]
    return sorted(named, key=lambda way: way.name)


def _fork(robot: Robot, one: SolvedLoop, leaves: Sequence[Leaf]) -> Fork | None:
    """The equation that has two solutions, if only one has."""
    forks = [move for move in one.form.plan.moves if move.branches > 1]
    if len(forks) != 1 or forks[0].kind not in ("one angle", "square"):
        return None
    (move,) = forks
    moves = one.form.plan.moves
    before = {joint.joint for joint in moves[: moves.index(move)]}
    found = {symbol_of(name): value for name, value in leaves[0].atoms.items() if name[1:] in before}
    coefficients = substitute(substitute(list(move.coefficients), found), _known(robot, one))
    size = _exactly(robot, one)
    if move.kind == "one angle":
        X, Y, Z = coefficients
        return Fork(tuple(coefficients), expr(X * X + Y * Y - Z * Z), size.to(2 * move.degrees[0]))
    A, B, C = coefficients
    return Fork(tuple(coefficients), expr(B * B - 4 * A * C), expr(4 * A * A * size.to(2)))


def _up_to_dead_centres(robot: Robot, known: Sequence[int], ways: list[Mode], fork: Fork | None = None) -> list[Mode]:
    """Ways that end where they meet another one and would go on as that."""
    centres = dead_centres(robot, known, [(way.positions, way.exists) for way in ways], fork)
    if centres is None:
        return ways
    words = centres.meaning(robot)
    return [
        replace(
            way,
            exists=both(way.exists, centres.reached),
            meaning=", ".join(text for text in (way.meaning, words) if text),
        )
        for way in ways
    ]


def _of_sums(positions: Positions) -> str:
    """What a way is called in which angles add up: folded, if two links lie upon each other and turn as one."""
    return FOLDED if any(x.level < VARIABLE for x in positions.values()) else PARALLEL


def _proved(robot: Robot, one: SolvedLoop, way: Mode) -> Mode | None:
    """A way that closes its loop: for all values of the parameters, or for some and then checked at every position. None if
    it does not with the robot's own."""
    if always_closes(robot, one.loop, way.positions, way.exists):
        symbols = free_symbols(way.exists, *way.positions.values())
        unknown = any(s.kind == "parameter" and s.name not in robot.values for s in symbols)
        reached = unknown or gap(robot, one.loop, way.positions, way.exists) < math.inf
        return way if reached else None
    if gap(robot, one.loop, way.positions, way.exists) <= CLOSED:
        condition = is_closed(robot, one.loop, way.positions)
    elif nearly_closes(robot, one.loop, way.positions, way.exists):
        condition = is_nearly_closed(robot, one.loop, way.positions)
    else:
        return None
    return replace(way, exists=both(way.exists, condition))


def _exact(robot: Robot, one: SolvedLoop) -> list[Leaf]:
    """The branches without provisions for special positions, of the variables of the joints known."""
    return exact_leaves(one.form, _exactly(robot, one), _known(robot, one))


def _exactly(robot: Robot, one: SolvedLoop) -> Size:
    """Equations are measured with the lengths around the loop, in the unit of its chain."""
    lengths = [x for x in lengths_of(robot, one.loop) if not x.is_zero]
    unit = number(1 / one.way.chain.unit)
    return Size(expr(sum((absolute(x) for x in lengths), number(0)) * unit) if lengths else number(1), exact=True)


def _known(robot: Robot, one: SolvedLoop) -> dict[Expr, Expr]:
    """What the closed form calls the pose and the joints given, of the variables of the joints known."""
    known = _given(robot, one)
    unit = number(1 / one.way.chain.unit)
    for symbols, values in zip(pose_symbols(), target_rows(one.way), strict=True):
        known.update(zip(symbols, (*values[:3], expr(values[3] * unit)), strict=True))
    return known


def _positions(robot: Robot, one: SolvedLoop, atoms: Mapping[str, Expr]) -> Positions:
    return joint_positions(one.way.chain, atoms, _given(robot, one))


def _given(robot: Robot, one: SolvedLoop) -> dict[Expr, Expr]:
    """The variables of joints that are known and stand between unknown ones."""
    return {given_symbol(j): variable_of(robot, j) for j in one.way.chain.given}


def _turns(robot: Robot, one: SolvedLoop, group: Group) -> list[Expr]:
    """The angles between joints of parallel axes, of the variables of the joints known: one of these may stand between."""
    return substitute(list(group.turns), _given(robot, one))


def _crossed(robot: Robot, one: SolvedLoop, leaves: Sequence[Leaf], straight: Positions) -> Mode | None:
    """The mode beside one in which angles add up. Of the two values of an equation X S + Y C + Z = 0 one is known, and
    S + S' = -2 X Z / (X^2 + Y^2) has no root: nor has the other value."""
    plan = one.form.plan
    forks = [move for move in plan.moves if move.branches > 1]
    if len(forks) != 1 or forks[0].kind != "one angle":
        return None
    j = forks[0].joint
    turned = _absolute_angles(robot, one, straight)[j]
    both_values = {name: leaves[0].atoms[name] + leaves[1].atoms[name] for name in (f"S{j}", f"C{j}")}
    atoms = {f"S{j}": step(both_values[f"S{j}"] - sin(turned)), f"C{j}": step(both_values[f"C{j}"] - cos(turned))}
    known = _known(robot, one)
    for move in plan.moves:
        if move.joint != j:
            found = {symbol_of(name): value for name, value in atoms.items()}
            coefficients = substitute(substitute(list(move.coefficients), found), known)
            (branch,) = move.values(coefficients, _exactly(robot, one), lambda stem, value: value)
            atoms |= branch.atoms
    made = Mode(CROSSED, _positions(robot, one, atoms), leaves[0].exists)
    return made if always_closes(robot, one.loop, made.positions, made.exists) else None


def _absolute_angles(robot: Robot, one: SolvedLoop, positions: Mapping[int, Expr]) -> dict[str, Expr]:
    """The angle whose sine and cosine are the atoms of each joint: what ``_positions`` takes apart."""
    found = {}
    for group in one.way.chain.groups:
        before, turns = number(0), _turns(robot, one, group)
        for k, joint in enumerate(group.joints):
            turn = turns[k - 1] if k else number(0)
            before = expr(before + turn + joint.offset + joint.sign * positions[joint.frame])
            found[str(joint.number)] = before
    return found


# --- which one --------------------------------------------------------------------------------------------------------


def chosen(robot: Robot, found: Sequence[Mode], mode: str | None, near: Mapping[str, float] | None) -> Mode:
    """The mode named, or the nearest to these positions of joints; by default to those in the description, else the first.
    Driven joints of which nothing is said are where the description has them, or at zero."""
    names = [one.name for one in found]
    if mode is not None:
        if mode in names:
            return found[names.index(mode)]
        raise RobotError([Problem("mode", f"got {mode!r}, expected one of {', '.join(map(repr, names))}")], robot.name)
    described = {one.joint.name: one.joint.position for one in robot.frames if one.joint.position is not None}
    following = {robot.frame(j).joint.name for j in passive(robot)}
    if near is None and not following & set(described):  # where the driven joints are says nothing of the mode
        return found[0]
    field = "near" if near is not None else "position"
    given = positions_given(robot, described if near is None else near)
    motors = {j: given.get(j, robot.frame(j).joint.position or 0.0) for j in driven(robot)}
    nearest = _nearest(robot, found, motors | given, field)
    if nearest is None:
        where = ", ".join(f"{robot.frame(j).joint.name} = {x:.6g}" for j, x in motors.items())
        other = f"give other positions, or the mode by name ({', '.join(map(repr, names))})"
        problem = f"the loops cannot be assembled at {where}, or are at a dead centre there: {other}"
        raise RobotError([Problem(field, problem)], robot.name)
    return nearest


def positions_given(robot: Robot, near: Mapping[str, float]) -> dict[int, float]:
    """By frame."""
    frames = {robot.frame(j).joint.name: j for j in (*driven(robot), *passive(robot))}
    expected = f"expected positions of joints by name ({', '.join(frames)})"
    if not isinstance(near, Mapping):
        raise RobotError([Problem("near", f"got {near!r:.60}, {expected}")], robot.name)
    unknown = [name for name in near if name not in frames]
    if unknown:
        raise RobotError([Problem("near", f"there is no joint {unknown[0]!r}, {expected}")], robot.name)
    given = {frames[name]: float(finite_array(f"near, {name}", x)) for name, x in near.items()}
    if not any(j in given for j in passive(robot)):
        raise RobotError(
            [Problem("near", "no joint that follows from the loops is in it, so all modes are as near")], robot.name
        )
    return given


def _nearest(robot: Robot, found: Sequence[Mode], near: Mapping[int, float], field: str) -> Mode | None:
    """Of the modes that exist at these positions of the driven joints, if any does."""
    values: dict[Expr, float] = {variable_of(robot, j): near[j] for j in driven(robot)}
    own = {name: value.number for name, value in robot.values.items()}
    best: tuple[float, Mode] | None = None
    for one in found:
        symbols = [s for s in free_symbols(one.exists, *one.positions.values()) if s not in values]
        missing = [s.name for s in symbols if s.name not in own]
        if missing:
            names = ", ".join(repr(mode.name) for mode in found)
            problem = f"no value for {', '.join(missing)}, so what is near is not known: give values, or the mode by name ({names})"
            raise RobotError([Problem(field, problem)], robot.name)
        exists, *numbers = evaluate([one.exists, *one.positions.values()], values | {s: own[s.name] for s in symbols})
        if not exists or not all(map(math.isfinite, numbers)):
            continue
        apart = sum(_apart(robot, j, x, near[j]) for j, x in zip(one.positions, numbers, strict=True) if j in near)
        if best is None or apart < best[0] - 1e-9:
            best = (apart, one)
    return None if best is None else best[1]


def _apart(robot: Robot, j: int, a: float, b: float) -> float:
    if robot.frame(j).sigma == PRISMATIC:
        return abs(a - b)
    return abs(math.remainder(a - b, 2 * math.pi))


__all__ = ["CROSSED", "PARALLEL", "Mode", "chosen", "modes_of", "positions_given"]
