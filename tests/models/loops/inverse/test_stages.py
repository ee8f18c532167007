"""What stands around the method of a route: how many solutions, passive limits, and the verdict on a row."""

from __future__ import annotations

import math

import numpy as np
import pytest
from models.loops.inverse.solvers import solver_of

import robosym
from robosym import models
from robosym.expr import evaluate, variable
from robosym.models.loops.inverse import stages
from robosym.models.loops.inverse.solver import ThroughLoops


def test_angles_are_turned_back() -> None:
    x = variable("x")
    for angle in (0.3, 3.5, -3.5, 9.0, -20.0):
        found = float(evaluate([stages._turned_back(x)], {x: angle})[0])
        assert found == pytest.approx(math.remainder(angle, math.tau), abs=1e-12)


def test_how_many_solutions_and_which_limits() -> None:
    five = solver_of("five-bar with limits")
    loops = [len(one.form.choices) for one in five.plan.loops]
    assert stages.most(3, five.plan) == 3 * math.prod(loops)
    assert loops == [2]
    robot = five.route.robot
    assert [robot.frame(j).joint.name for j in stages.limited_passive(five.route)] == ["left_elbow"]
    limits = stages.no_passive_limits(five.route)[stages.PASSIVE_LIMITS]
    np.testing.assert_array_equal(limits, [[-np.inf], [np.inf]])
    assert stages.no_passive_limits(solver_of("five-bar").route) == {}
    sr400 = solver_of("sr400")
    assert stages.most(4, sr400.plan) == 4


def test_within_limits() -> None:
    x, low, high = (variable(name) for name in ("x", "low", "high"))
    five = solver_of("five-bar with limits")
    (j,) = stages.limited_passive(five.route)
    inside = stages._within(five.route, j, x, low, high)
    for angle, there in ((1.0, 1), (2.5, 0), (1.0 + 2 * math.pi, 1), (-0.5, 0), (1.0 - 2 * math.pi, 1)):
        assert bool(evaluate([inside], {x: angle, low: 0.0, high: 2.0})[0]) == there
    slide = solver_of("slider-crank")
    length = stages._within(slide.route, 3, x, low, high)
    for at, there in ((0.3, 1), (0.5, 0), (0.3 + 2 * math.pi, 0), (-0.3, 0)):
        assert bool(evaluate([length], {x: at, low: 0.0, high: 0.4})[0]) == there


def test_a_row_is_kept_in_its_mode_only() -> None:
    """Of a four-bar: where the mode has the rocker, and beside it."""
    robot = robosym.load("four-bar")
    solver = models.inverse_geometric(robot, frame="link3", mode="cut-", task="pose")
    assert isinstance(solver, ThroughLoops)
    judged = stages._judged(solver.route, solver.plan)
    geometry = models.loop_geometry(robot, mode="cut-")
    at = geometry.by_name(geometry.evaluate(q=[0.7]))
    names = [joint.name for joint in solver.chain.joints]
    given = {array.name: np.zeros(array.shape) for array in judged.inputs}
    for one in solver.plan.loops:
        given["loop0"] = np.array([at[robot.frame(j).joint.name] for j in one.frames])
    parameters = {s.name: robot.values[s.name].number for s in judged.parameter_symbols}
    for off, there in ((0.0, 1), (2 * math.pi, 1), (1e-5, 0), (0.5, 0)):
        given["route"] = np.array([at[name] for name in names]) + off
        found = judged.call(**given, parameters=parameters)
        assert found["in_mode"] == there
        assert found["wanted"] == there
        assert abs(math.remainder(float(np.ravel(found["q_found"])[0]) - 0.7, math.tau)) < 1e-9


def test_names_of_arrays() -> None:
    assert [stages._of_route(n) for n in ("T", "seeded", "solutions")] == ["T", "seeded", "route_solutions"]
    assert [stages._of_loop(2)(n) for n in ("T", "seeded", "solutions")] == ["loop2_T", "seeded", "loop2_solutions"]
