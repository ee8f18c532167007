"""The assembly modes of loops without a closed form: found in numbers at one position of the driven joints.

That position, the reference, is that of the description, or the nearest at which the loops close. The modes are numbered from
1 by the positions there of the passive joints, the first of them first; where other loops are solved in closed form, the names
of their modes stand before. At other positions a mode is what the straight way from the reference leads to (``path``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...expr import Expr
from ...reals import Floats
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ..draws import values_at
from .modes import Mode, modes_of, positions_given
from .plan import Plan, closed_with_motors
from .structure import driven, passive

MATCHES = 1e-6  # a position in closed form and one found in numbers
NEAR, STARTED = "near", "as started"


@dataclass(frozen=True)
class FoundMode(Mode):
    """``at``: numbers for the geometry's parameters and all joints of loops with which they close. ``start`` is what the
    iteration begins with unless it is told; nothing where the robot has no numbers."""

    at: Mapping[Expr, float] = field(default_factory=dict)
    start: tuple[float, ...] | None = None


def found_modes(robot: Robot, plan: Plan) -> list[FoundMode]:
    """At the reference position; of a robot without numbers the mode is that of the start it is given."""
    assert plan.closed is not None
    closed = modes_of(robot, plan.solved, plan.found)
    if not plan.closed.own:
        return [_mode(robot, plan, one, _name(plan, one, STARTED), plan.closed.x, None) for one in closed]
    return [mode for one in closed for mode in _numbered(robot, plan, one, plan.closed.all)]


def reference(robot: Robot, plan: Plan) -> dict[str, float]:
    """The positions of the driven joints of the loops at which the modes were found; nothing where none was searched for."""
    if plan.closed is None or not plan.closed.own:
        return {}
    joints = zip(plan.closed.mechanism.joints, plan.closed.x, strict=True)
    return {robot.frame(j).joint.name: float(x) for j, x in joints if j in driven(robot)}


def chosen_start(
    robot: Robot, plan: Plan, modes: Sequence[Mode], mode: str | None, near: Mapping[str, float] | None
) -> FoundMode:
    """The mode named, or the one nearest to these positions; by default to those of the description, else the first."""
    if near is not None:
        return _nearest(robot, plan, near)
    found = [one for one in modes if isinstance(one, FoundMode)]
    names = [one.name for one in found]
    if mode is not None:
        if mode in names:
            return found[names.index(mode)]
        raise RobotError([Problem("mode", f"got {mode!r}, expected one of {', '.join(map(repr, names))}")], robot.name)
    if not found:
        raise RobotError([Problem("loops", "cannot be assembled: no mode was found")], robot.name)
    assert plan.closed is not None
    mechanism = plan.closed.mechanism
    given = [j for j in mechanism.joints if robot.frame(j).joint.position is not None and j in passive(robot)]
    if not given or found[0].start is None:
        return found[0]
    return min(found, key=lambda one: mechanism.distance(_row(plan, one), mechanism.described, given))


def _nearest(robot: Robot, plan: Plan, near: Mapping[str, float]) -> FoundMode:
    """Of the modes at the position of the driven joints that is given; by default at the reference."""
    assert plan.closed is not None
    given = positions_given(robot, near)
    if not plan.closed.own:
        names = [s.name for s in plan.closed.mechanism.values if s.name not in robot.values]
        problem = f"no value for {', '.join(names)}: give the iteration its start in the call"
        raise RobotError([Problem("near", problem)], robot.name)
    joints = plan.closed.mechanism.joints
    x = np.array([given.get(j, here) for j, here in zip(joints, plan.closed.x, strict=True)])
    wanted = [j for j in joints if j in given]
    there = closed_with_motors(
        plan.closed.mechanism, x, [j for j in wanted if j not in driven(robot)], np.random.default_rng(17)
    )
    modes = [mode for one in modes_of(robot, plan.solved, plan.found) for mode in _numbered(robot, plan, one, there)]
    if not modes:
        own = [(robot.frame(j).joint.name, v) for j, v in zip(joints, x, strict=True) if j in driven(robot)]
        problem = f"the loops cannot be assembled at {', '.join(f'{name} = {v:.6g}' for name, v in own)}: give other positions"
        raise RobotError([Problem("near", problem)], robot.name)
    mechanism = plan.closed.mechanism
    best = min(modes, key=lambda one: mechanism.distance(_row(plan, one), x, wanted))
    return FoundMode(NEAR, best.positions, best.exists, at=best.at, start=best.start)


# --- in numbers -------------------------------------------------------------------------------------------------------


def _numbered(robot: Robot, plan: Plan, closed: Mode, found: Sequence[Floats]) -> Iterator[FoundMode]:
    """Those in which the loops in closed form are in this mode."""
    assert plan.closed is not None
    count = 0
    for x in found:
        mode = _mode(robot, plan, closed, _name(plan, closed, str(count + 1)), x, x)
        if _agrees(plan, closed, mode.at, x):
            count += 1
            yield mode


def _name(plan: Plan, closed: Mode, own: str) -> str:
    return f"{closed.name}, {own}" if plan.solved else own


def _mode(robot: Robot, plan: Plan, closed: Mode, name: str, x: Floats, start: Floats | None) -> FoundMode:
    assert plan.closed is not None
    mechanism = plan.closed.mechanism
    positions = {j: closed.positions[j] if j in closed.positions else mechanism.variable(j) for j in passive(robot)}
    at = mechanism.values_at(x)
    own = None if start is None else tuple(float(start[mechanism.joints.index(j)]) for j in plan.found)
    return FoundMode(name, positions, closed.exists, at=at, start=own)


def _agrees(plan: Plan, closed: Mode, at: Mapping[Expr, float], x: Floats) -> bool:
    """Whether the positions in closed form are these."""
    assert plan.closed is not None
    mechanism = plan.closed.mechanism
    numbers = values_at([closed.exists, *closed.positions.values()], at)
    if numbers is None or not numbers[0]:
        return False
    other = np.array(x)
    other[mechanism.places(closed.positions)] = numbers[1:]
    return mechanism.distance(x, other) < MATCHES


def _row(plan: Plan, mode: FoundMode) -> Floats:
    assert plan.closed is not None
    mechanism = plan.closed.mechanism
    return np.array([mode.at[mechanism.variable(j)] for j in mechanism.joints])
