"""How motors beside a route follow: sums solved for them, and loops that give them, at positions where the loops close."""

from __future__ import annotations

import numpy as np
import pytest
from models.inverse_geometry.closed_loops import five_bar, linked_arm, palletizer
from models.loops.described_places import frame_matrix, values_at

import robosym
from robosym import models
from robosym.expr import cos, evaluate, expr, number, pi, variable
from robosym.models.loops.assembled import assembled
from robosym.models.loops.inverse.motors import _solved_for, following
from robosym.models.loops.inverse.route import Route, route_of
from robosym.robot import Robot


def route(robot: Robot, frame: int = 6, mode: str | None = None) -> Route:
    tree = assembled(robot, mode)
    return route_of(tree, frame, 0, "auto", [])


def test_a_sum_solved_for_one_of_its_joints() -> None:
    a, b, total = (variable(name) for name in "abt")
    for sign in (1, -1):
        found = _solved_for(expr(pi / 3 - b + sign * a), total, a)
        assert found is not None
        at = {a: 0.7, b: 0.2}
        at[total] = float(evaluate([expr(pi / 3 - b + sign * a)], at)[0])
        assert float(evaluate([found], at)[0]) == pytest.approx(0.7)
    for other in (expr(2 * a + b), expr(a * b), expr(cos(b) + a), expr(b + number(1))):
        assert _solved_for(other, total, a) is None


@pytest.mark.parametrize(("make", "frame"), [(lambda: robosym.load("sr400"), 6), (palletizer, 5)])
def test_motors_are_sums_where_links_stay_parallel(make, frame: int) -> None:
    robot = make()
    way = route(robot, frame)
    plan = following(way)
    assert plan.loops == ()
    names = [robot.frame(j).joint.name for j in plan.sums]
    assert names == ["crank"]
    geometry = models.loop_geometry(robot)
    q = np.random.default_rng(0).uniform(-1, 1, robot.nq)
    at = {n: float(x) for n, x in geometry.by_name(geometry.evaluate(q=q)).items()}
    values = values_at(robot, at)
    for j, x in plan.sums.items():
        apart = float(evaluate([x], values)[0]) - at[robot.frame(j).joint.name]
        assert abs(np.sin(apart / 2)) < 1e-12


@pytest.mark.parametrize("make", [five_bar, linked_arm])
def test_loops_give_the_motors(make) -> None:
    """The chain of such a loop ends where the known joints put its end, at every position of the model."""
    robot = make()
    way = route(robot, mode="cut+")
    plan = following(way)
    assert plan.sums == {}
    (one,) = plan.loops
    motor = next(j for j in robot.moving if j not in way.known)
    assert motor in one.frames
    assert set(one.frames) | set(way.known) >= set(one.loop.joints(robot))
    geometry = models.loop_geometry(robot, mode="cut+")
    rng = np.random.default_rng(1)
    found = None
    while found is None or not found["assembled"]:
        found = geometry.evaluate(q=rng.uniform(-1, 1, robot.nq))
    values = values_at(robot, {n: float(x) for n, x in geometry.by_name(found).items()})
    target = np.eye(4)
    target[:3] = np.array([float(x) for x in evaluate([x for row in one.target(robot) for x in row], values)]).reshape(
        3, 4
    )
    around = list(one.loop.around)
    unknown = [k for k, p in enumerate(around) if p.frame in one.frames]
    best = None
    for start in range(len(around)):  # the product of the passages of the chain, wherever it begins
        turned = [around[(start + k) % len(around)] for k in range(len(around))]
        for count in range(1, len(around) + 1):
            T = np.eye(4)
            for p in turned[:count]:
                own = frame_matrix(robot, p.frame, values)
                T = T @ (np.linalg.inv(own) if p.back else own)
            if {p.frame for p in turned[:count]} >= {around[k].frame for k in unknown}:
                error = float(np.abs(T - target).max())
                best = error if best is None else min(best, error)
    assert best is not None
    assert best < 1e-10
