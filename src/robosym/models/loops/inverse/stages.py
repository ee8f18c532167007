"""The routine of a robot with closed loops: the route is solved by its own method, and what follows is found for each solution.

    in    T, given, seed, seeded, limits as of an arm, for the motors; passive_limits (2, k) if passive joints have limits
    out   solutions, count, status

Every solution of the route is proved to make the pose, every solution of a loop to close it. A row is kept if the assembly mode
has the joints of the route where they were found: then the pose is that of the robot in this mode.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from ....expr import (
    Expr,
    absolute,
    expr,
    floor,
    free_symbols,
    logical_and,
    logical_or,
    number,
    select,
    substitute,
    variable,
)
from ....program import Array, Graph, Program, optimised
from ....program.routine import Collect, Each, Fill, Routine, Run, Slot, Stage, relabelled
from ....robot import PRISMATIC
from ...common import vector
from ...inverse_geometry.closed_form.derivation import LEAST_ROOM
from ...inverse_geometry.closed_form.stages import closed_stages
from ...inverse_geometry.solver.routine import inverse_routine
from ...inverse_geometry.special_poses.limits import TURN, UNLIMITED, between, whole_turns
from ...inverse_geometry.special_poses.stages import SAME
from ...mechanism.chain import variable_of
from ..solutions import SolvedLoop
from .motors import Following
from .route import Route

IN_MODE = 1e-7  # how far a joint may be from where the mode has it: where two modes meet they are no better known
NO_LIMIT = 10 * UNLIMITED
PASSIVE_LIMITS = "passive_limits"


def limited_passive(route: Route) -> tuple[int, ...]:
    """The frames of the passive joints that have limits and move with the frame."""
    moved = {variable_of(route.robot, joint.frame) for joint in route.motors.joints}
    found = []
    for j, position in route.closure.positions.items():
        limits = route.robot.frame(j).joint.limits
        if (limits.lower is not None or limits.upper is not None) and moved & set(free_symbols(position)):
            found.append(j)
    return tuple(found)


def most(branches: int, plan: Following) -> int:
    """How many solutions there are at most, of a route with so many."""
    return branches * math.prod(len(one.form.choices) for one in plan.loops)


def routine_of(
    route: Route, plan: Following, method: Sequence[Stage], branches: int, notes: Sequence[str], *, in_order: bool
) -> Routine:
    """The routine around the stages of a method for the route, which has so many solutions."""
    n = len(route.motors.joints)
    room = max(LEAST_ROOM, 2 * most(branches, plan))
    path = relabelled(method, _of_route)
    stages = (
        Fill("solutions", (room, n)),
        Fill("count"),
        Fill("every", (room, n)),
        Fill("every_count"),
        Run(_prepared(route, plan)),
        *path,
        Each("route_solutions", "route", _each(route, plan, 0), "route_count"),
    )
    names = [route.robot.frame(j).joint.name for j in limited_passive(route)]
    about = f"the same of {', '.join(names)}, which are not driven"
    more = [Slot(PASSIVE_LIMITS, (2, len(names)), about)] if names else []
    given = [route.robot.frame(j).joint.name for j in route.chain.given]
    return inverse_routine(
        route.motors, stages, room, given, notes, in_order=in_order, more=more, counted="every_count"
    )


def _of_route(name: str) -> str:
    """What the arrays of the route's method are called: the plain names are those of the motors."""
    return name if name in ("T", "given", "seeded", "moving") else f"route_{name}"


def _each(route: Route, plan: Following, k: int) -> tuple[Stage, ...]:
    """The stages for what is known so far: the next loop, and for each of its solutions those after it; then the verdict."""
    if k < len(plan.loops):
        one = plan.loops[k]
        solved = relabelled(closed_stages(one.form), _of_loop(k))
        rows = Each(f"loop{k}_solutions", f"loop{k}", _each(route, plan, k + 1), f"loop{k}_count")
        return (Run(_aimed(route, plan, k)), *solved, rows)
    motors = route.motors
    turns = tuple(not joint.prismatic for joint in motors.joints)
    within = tuple(SAME * unit for unit in motors.units)
    judged = _judged(route, plan)
    return (
        Run(judged, {"moving_now": "moving"}),
        Collect("q_found", "in_mode", "every", "every_count", within, turns),
        Collect("q_found", "wanted", "solutions", "count", within, turns),
    )


def _of_loop(k: int) -> Callable[[str], str]:
    return lambda name: name if name == "seeded" else f"loop{k}_{name}"


# --- programs --------------------------------------------------------------------------------------------------------


def _own(route: Route, name: str, frames: Sequence[int]) -> Array:
    """An array of the positions of joints, which are called by their variables."""
    return Array(name, (len(frames),), tuple(variable_of(route.robot, j) for j in frames))


def _given(route: Route) -> list[Array]:
    return [_own(route, "given", route.chain.given)] if route.chain.given else []


def _known(route: Route, plan: Following, loops: int) -> list[Array]:
    """The joints that are known when so many loops are solved."""
    path = _own(route, "route", [joint.frame for joint in route.chain.joints])
    return [path, *_given(route), *(_own(route, f"loop{k}", one.frames) for k, one in enumerate(plan.loops[:loops]))]


def _program(name: str, inputs: Sequence[Array], outputs: Sequence[Array]) -> Program:
    return optimised(Graph(name, tuple(inputs), tuple(outputs), {}))


def _prepared(route: Route, plan: Following) -> Program:
    """Seeds and limits of the route and the loops, from those of the motors. Where the seed cannot be assembled, the joints that
    follow are at zero."""
    motors, passive = [joint.frame for joint in route.motors.joints], limited_passive(route)
    inputs = [_own(route, "seed", motors), *_given(route), _limits("limits", len(motors))]
    inputs += [_limits(PASSIVE_LIMITS, len(passive))] if passive else []
    arrays = {array.name: array for array in inputs}
    ranges: dict[int, tuple[Expr, Expr]] = {}
    for name, frames in (("limits", motors), (PASSIVE_LIMITS, passive)):
        for k, j in enumerate(frames):
            entries = arrays[name].entries
            ranges[j] = (entries[k], entries[len(frames) + k])
    chains = {"route": route.chain} | {f"loop{k}": one.way.chain for k, one in enumerate(plan.loops)}
    known = {*motors, *route.chain.given}
    outputs = []
    for name, chain in chains.items():
        frames = [joint.frame for joint in chain.joints]
        there = [route.position(j) for j in frames]
        seeds = [x if j in known else select(route.exists, x, 0) for j, x in zip(frames, there, strict=True)]
        outputs.append(vector(f"{name}_seed", seeds))
        sides = [ranges.get(j, (number(-NO_LIMIT), number(NO_LIMIT)))[side] for side in (0, 1) for j in frames]
        outputs.append(Array(f"{name}_limits", (2, len(frames)), tuple(sides)))
    return _program("prepared", inputs, outputs)


def _limits(name: str, count: int) -> Array:
    return Array(name, (2, count), tuple(variable(f"{name}_{i}") for i in range(2 * count)))


def _aimed(route: Route, plan: Following, k: int) -> Program:
    """Where the end of the k-th loop's chain has to be, and its joints that are given."""
    one: SolvedLoop = plan.loops[k]
    sums = _sums(route, plan)
    rows = one.target(route.robot)
    made = substitute([x for row in rows for x in row], sums)
    outputs = [Array(f"loop{k}_T", (4, 4), (*map(expr, made), *map(number, (0, 0, 0, 1))))]
    if one.way.chain.given:
        held = substitute([variable_of(route.robot, j) for j in one.way.chain.given], sums)
        outputs.append(vector(f"loop{k}_given", held))
    return _program(f"loop {k + 1}", _known(route, plan, k), outputs)


def _sums(route: Route, plan: Following) -> dict[Expr, Expr]:
    return {variable_of(route.robot, j): x for j, x in plan.sums.items()}


def _judged(route: Route, plan: Following) -> Program:
    """The positions of the motors, whether the mode has the joints of the route where they are, and passive limits."""
    robot, sums = route.robot, _sums(route, plan)
    passive = limited_passive(route)
    inputs = _known(route, plan, len(plan.loops))
    inputs += [_limits(PASSIVE_LIMITS, len(passive))] if passive else []
    q = [
        _turned_back(sums[v]) if (v := variable_of(robot, joint.frame)) in sums else v for joint in route.motors.joints
    ]
    in_mode = substitute([route.exists], sums)[0]
    for joint in route.chain.joints:
        if joint.frame in route.closure.positions:
            (there,) = substitute([route.closure.positions[joint.frame]], sums)
            apart = expr(there - variable_of(robot, joint.frame))
            unit = route.chain.unit if joint.prismatic else 1.0
            near = absolute(apart if joint.prismatic else _turned_back(apart)) <= IN_MODE * unit
            in_mode = logical_and(in_mode, near)
    wanted = in_mode
    if passive:
        bounds = inputs[-1].entries
        for k, j in enumerate(passive):
            (there,) = substitute([route.closure.positions[j]], sums)
            wanted = logical_and(wanted, _within(route, j, there, bounds[k], bounds[len(passive) + k]))
    inputs.append(Array("moving", (), (variable("moving"),)))
    moving = variable("moving")
    for k in range(len(plan.loops)):
        inputs.append(Array(f"loop{k}_moving", (), (variable(f"loop{k}_moving"),)))
        moving = logical_or(moving, logical_and(wanted, variable(f"loop{k}_moving")))
    outputs = [
        vector("q_found", q),
        Array("in_mode", (), (expr(in_mode),)),
        Array("wanted", (), (expr(wanted),)),
        Array("moving_now", (), (expr(moving),)),
    ]
    return _program("judged", inputs, outputs)


def _turned_back(angle: Expr) -> Expr:
    """Between minus and plus half a turn."""
    return expr(angle - TURN * floor(angle * (1 / TURN) + 0.5))


def _within(route: Route, j: int, x: Expr, low: Expr, high: Expr) -> Expr:
    if route.robot.frame(j).sigma == PRISMATIC:
        return between(x, low, high, route.chain.unit)
    least, greatest = whole_turns(x, low, high)
    return least <= greatest


def no_passive_limits(route: Route) -> Mapping[str, object]:
    """The default of the input for them, if there is one."""
    import numpy as np

    n = len(limited_passive(route))
    return {PASSIVE_LIMITS: np.array([np.full(n, -np.inf), np.full(n, np.inf)])} if n else {}
