"""A robot with closed loops as the tree of its links, whose passive joints follow from the driven ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from ...caches import Kept
from ...expr import Expr, expr, free_symbols, number, step, variable
from ...expr.derive import derivative, tangents
from ...program import Scope
from ...program.choice import estimate
from ...robot import Robot, RobotError
from ...robot.parts import Closure
from ...robot.problems import Problem
from ..draws import Draws, values_at
from .angles import loop_angles, sprung
from .constraints import Group, Rates, SingularLoopsError, passive_rates
from .found import FoundMode, chosen_start, found_modes
from .modes import Mode, chosen, modes_of, positions_given
from .plan import Plan, check_driven, plan_of
from .solutions import SolvedLoop
from .structure import driven, loops_of, variable_of

_SOLUTIONS: Kept[tuple[Plan, Sequence[Mode]]] = Kept()
_TREES: Kept[Robot] = Kept()  # by mode

TRIES = 200
PLACES = 12  # at which the rank of the constraints is seen


def assembled(robot: Robot, mode: str | None = None, near: Mapping[str, float] | None = None) -> Robot:
    """The tree, in the mode named or the one that is near to some positions; by default those of the description."""
    plan, modes = solutions(robot)
    only = robot.regrouping.mode if robot.regrouping is not None else None
    mode = only if mode is None and near is None else mode
    if plan.groups:
        start = chosen_start(robot, plan, modes, mode, near)
        if near is not None and only is not None:
            problem = f"the robot is written in the base parameters of mode {only!r}, and stays in it"
            raise RobotError([Problem("near", problem)], robot.name)
        if near is not None:  # not one of those that have a name
            return by_iteration(robot, plan, start)
        made = _TREES.of(robot, start.name, lambda: by_iteration(robot, plan, start))
    else:
        found = chosen(robot, _beside(robot, plan, modes, near), mode, near)
        if found not in modes:  # on another side of its dead centres
            return in_mode(robot, plan.solved, found)
        made = _TREES.of(robot, found.name, lambda: in_mode(robot, plan.solved, found))
    if only is not None and made.closure is not None and made.closure.mode != only:
        problem = f"the robot is written in the base parameters of mode {only!r}, got {made.closure.mode!r}"
        raise RobotError([Problem("mode" if near is None else "near", problem)], robot.name)
    return made


def solutions(robot: Robot) -> tuple[Plan, Sequence[Mode]]:
    """How the loops are solved, and their modes: found once."""
    return _SOLUTIONS.of(robot, (), lambda: _solved(robot))


def _solved(robot: Robot) -> tuple[Plan, Sequence[Mode]]:
    plan = plan_of(robot)
    return plan, found_modes(robot, plan) if plan.groups else _modes(robot, plan)


def _modes(robot: Robot, plan: Plan) -> list[Mode]:
    """Of loops in closed form. Where they do not close, too many motors may be why: that is said first."""
    try:
        return modes_of(robot, plan.solved)
    except RobotError:
        check_driven(robot)
        raise


def _beside(robot: Robot, plan: Plan, modes: Sequence[Mode], near: Mapping[str, float] | None) -> Sequence[Mode]:
    """The modes on the side of their dead centres that the driven joints are on in ``near``."""
    given = {} if near is None else positions_given(robot, near)
    if not any(j in given for j in driven(robot)):
        return modes
    frames = [
        replace(frame, joint=replace(frame.joint, position=given[j])) if j in given and frame.joint.active else frame
        for j, frame in enumerate(robot.frames, 1)
    ]
    return modes_of(robot.replace(frames=tuple(frames)), plan.solved)


def by_iteration(robot: Robot, plan: Plan, mode: FoundMode) -> Robot:
    """The tree with passive joints at positions that come with the state: an iteration finds them."""
    q, qd = _driven(robot)
    symbols = tuple(plan.closed.mechanism.variable(j) for j in plan.found) if plan.closed is not None else ()
    placed = robot.replace(loops=0, closure=Closure(mode.name, mode.positions, {}, {}, {}, mode.exists, found=symbols))
    try:
        rates = passive_rates(placed, plan.all_groups, qd, [mode.at], Scope())
    except SingularLoopsError:
        problem = (
            f"mode '{mode.name}' was found at a singular position: give another one in the description or by near="
        )
        raise RobotError([Problem("loops", problem)], robot.name) from None
    made = closed(mode, rates, q, qd, dict(zip(plan.found, symbols, strict=True)))
    groups = tuple((tuple(loop.cut for loop in group.loops), group.frames) for group in plan.groups)
    how = replace(made, found=symbols, iterated=groups, at=mode.at, start=mode.start, reasons=plan.reasons)
    return placed.replace(closure=replace(how, cuts=_cuts(robot), angles=_angles(robot, how)))


def in_mode(robot: Robot, solved: Sequence[SolvedLoop], mode: Mode) -> Robot:
    """The tree with the joints where this mode has them."""
    q, qd = _driven(robot)
    placed = robot.replace(loops=0, closure=Closure(mode.name, mode.positions, {}, {}, {}, mode.exists))
    ways = [_by_derivatives(mode.positions, q, qd)]
    groups = [Group((one.loop,), one.frames) for one in solved]
    with suppress(SingularLoopsError):
        ways.append(passive_rates(placed, groups, qd, places_of(robot, mode), Scope()))
    best = min(ways, key=lambda way: (not way.steady, _cost(way)))
    made = closed(mode, best, q, qd)
    return placed.replace(closure=replace(made, cuts=_cuts(robot), angles=_angles(robot, made)))


def _angles(robot: Robot, made: Closure) -> dict[int, Expr]:
    """As springs read them."""
    return loop_angles(robot, made, sprung(robot, made.positions))


def _cost(way: Rates) -> int:
    return estimate([*(x for row in way.rows.values() for x in row), *way.drifts.values()])


def _driven(robot: Robot) -> tuple[dict[Expr, int], dict[int, Expr]]:
    """The frames of the driven joints by their variables, and their speeds."""
    q = {variable_of(robot, j): j for j in driven(robot)}
    return q, {j: _speed(robot, j) for j in q.values()}


def _cuts(robot: Robot) -> tuple[tuple[int, int], ...]:
    return tuple((loop.cut, loop.twin) for loop in loops_of(robot))


def closed(
    chosen: Mode,
    found: Rates,
    q: Mapping[Expr, int],
    qd: Mapping[int, Expr],
    iterated: Mapping[int, Expr] | None = None,
) -> Closure:
    """What models are told of the loops. ``iterated`` are the variables of joints that have no closed form: they move too."""
    rows = {j: tuple((k, step(x)) for k, x in enumerate(row) if not x.is_zero) for j, row in found.rows.items()}
    drifts = {j: step(x) for j, x in found.drifts.items()}
    motion = {symbol: qd[j] for symbol, j in q.items()}
    speeds = list(qd.values())
    for j, symbol in (iterated or {}).items():
        motion[symbol] = step(expr(sum((x * speeds[k] for k, x in rows[j]), number(0))))
    moved = iter(tangents([x for row in rows.values() for _, x in row], motion))
    rates = {}
    for j, row in rows.items():
        made = [(k, next(moved)) for k, _ in row]
        rates[j] = tuple((k, rate) for k, rate in made if not rate.is_zero)
    return Closure(chosen.name, chosen.positions, rows, rates, drifts, chosen.exists)


def _by_derivatives(positions: Mapping[int, Expr], q: Mapping[Expr, int], qd: Mapping[int, Expr]) -> Rates:
    """The derivatives of the positions."""
    rows = {j: [derivative(x, symbol) for symbol in q] for j, x in positions.items()}
    motion = {symbol: qd[j] for symbol, j in q.items()}
    drifts = {}
    for j, row in rows.items():
        rates = tangents(row, motion)
        drifts[j] = expr(sum((rate * speed for rate, speed in zip(rates, qd.values(), strict=True)), number(0)))
    return Rates(rows, drifts)


def places_of(robot: Robot, chosen: Mode, count: int = PLACES) -> list[dict[Expr, float]]:
    """Numbers for all symbols of a mode with which the loops close: the robot's own values, else what fits. After the first
    place driven joints are at quarters of a turn, where most special positions are."""
    draws = Draws(robot, 5)
    made = [chosen.exists, *chosen.positions.values()]
    symbols = free_symbols(*made, *robot.entries().values())
    found: list[dict[Expr, float]] = []
    for _ in range(TRIES):
        at = draws.numbers(symbols)
        if found:
            at |= {v: draws.quarter(v, at[v]) for v in (variable_of(robot, j) for j in driven(robot)) if v in at}
        numbers = values_at(made, at)
        if numbers is not None and numbers[0]:
            found.append(at)
        if len(found) == count:
            break
    if not found:
        problem = (
            f"no position was found at which mode '{chosen.name}' can be assembled: "
            "check the lengths, or give positions of the joints in the description"
        )
        raise RobotError([Problem("loops", problem)], robot.name)
    return found


def _speed(robot: Robot, j: int) -> Expr:
    own = robot.frame(j).joint.velocity
    return variable(f"qd{j}") if own is None else own
