"""The inverse geometric model of a robot with closed loops, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....expr import Expr, derivative, evaluate, free_symbols
from ..solutions import SolvedLoop
from .motors import Following
from .route import Route
from .stages import limited_passive

if TYPE_CHECKING:
    from .solver import ThroughLoops


def explain(solver: ThroughLoops, of_the_route: str) -> str:
    """The derivation of the route, then that of the motors beside it."""
    route, plan = solver.route, solver.plan
    mode = route.closure.mode
    lines = [
        of_the_route.rstrip("\n"),
        "",
        f"closed loops, assembled in mode: {mode}" if mode else "closed loops, assembled in their only mode",
        f"passive on this way: {', '.join(_passive(route)) or 'none'}",
        f"motors: {', '.join(solver.joint_names)}",
        *beside(route, plan),
        f"A solution is kept if this mode has the joints of the way where they are found: up to {solver.most}.",
    ]
    return "\n".join([*lines, ""])


def beside(route: Route, plan: Following) -> list[str]:
    """How the motors that are not on the route follow, a line each."""
    robot = route.robot
    lines = [f"{robot.frame(j).joint.name} = {_sum(route, x)}" for j, x in plan.sums.items()]
    return [*lines, *(_loop(route, one) for one in plan.loops)]


def _sum(route: Route, total: Expr) -> str:
    """A sum with the names of joints, and its constant as a number: the heads of some languages have no room for pi/2."""
    names = {own: frame.joint.name for frame in route.robot.frames if (own := frame.joint.variable) is not None}
    used = [v for v in free_symbols(total) if v in names]
    found = [(float(evaluate([derivative(total, v)], {})[0]), names[v]) for v in used]
    rest = float(evaluate([total], dict.fromkeys(used, 0.0))[0])
    words = [f"{'-' if c < 0 else '+'} {'' if abs(c) == 1 else f'{abs(c):g} '}{name}" for c, name in found]
    words += [f"{'-' if rest < 0 else '+'} {abs(rest):.9g}"] if abs(rest) > 1e-12 else []
    return " ".join(words).removeprefix("+ ")


def _loop(route: Route, one: SolvedLoop) -> str:
    robot = route.robot
    names = ", ".join(joint.name for joint in one.way.chain.joints)
    moves = ", ".join(f"{one.way.chain.joints[int(m.joint) - 1].name} ({m.kind})" for m in one.form.plan.moves)
    cut = robot.frame(one.loop.cut).joint.name
    return f"{names} from the loop that is cut at {cut}, in closed form: {moves}; {len(one.form.choices)} solutions"


def _passive(route: Route) -> list[str]:
    return [joint.name for joint in route.chain.joints if joint.frame in route.closure.positions]


def as_dict(solver: ThroughLoops) -> dict[str, Any]:
    route, plan = solver.route, solver.plan
    return {
        "mode": route.closure.mode,
        "way": [joint.name for joint in route.chain.joints],
        "passive": _passive(route),
        "motors": beside(route, plan),
        "branches": solver.most,
    }


def notes(route: Route, plan: Following, of_the_route: Sequence[str]) -> list[str]:
    """For the head of generated source."""
    first, method, *rest = of_the_route
    way = ", ".join(joint.name for joint in route.chain.joints)
    lines = [first, f"The way to the frame: {way}. {method}"]
    lines += [f"Then {line}." for line in beside(route, plan)]
    limits = [
        f"{route.robot.frame(j).joint.name} from {_limit(own.lower)} to {_limit(own.upper)}"
        for j in limited_passive(route)
        if (own := route.robot.frame(j).joint.limits)
    ]
    lines += [f"Limits of joints that are not driven: {', '.join(limits)}."] if limits else []
    return [*lines, *rest]


def _limit(value: float | None) -> str:
    return "none" if value is None else f"{float(value):.9g}"
