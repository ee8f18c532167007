"""Robots, models, functions and results in another process, and copied."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import robosym
from robosym import load, models
from robosym.expr import variable
from robosym.runtime import CompiledFunction


def pickled(one):
    return pickle.loads(pickle.dumps(one))


@pytest.fixture(params=[pickled, copy.deepcopy, copy.copy], ids=["pickled", "deep copy", "copy"])
def again(request):
    return request.param


@pytest.mark.mostly_slow(fast=7)
@pytest.mark.parametrize("name", robosym.robot_names())
def test_robots(name, again):
    robot = load(name)
    models_before = models.transform(robot) if not robot.platforms else None
    assert again(robot) == robot
    if models_before is not None:
        assert again(models_before).program == models_before.program


def test_models_and_their_functions(again):
    model = models.energy(load("planar-2r"))
    state = model.random_state(np.random.default_rng(0))
    f = model.compile()
    expected = f(**state)
    for one in (again(model).compile(), again(f)):
        assert isinstance(one, CompiledFunction)
        np.testing.assert_array_equal(one(**state).total, expected.total)
        assert again(f).__name__ == f.__name__
    np.testing.assert_array_equal(again(expected).total, expected.total)


@pytest.mark.slow
def test_solvers_and_solutions(again):
    solver = models.inverse_geometric(load("rx90"))
    transform = models.transform(load("rx90")).compile()
    poses = [transform(q=np.full(6, 0.3)), transform(q=np.zeros(6)), np.diag([1.0, 1, 1, 1])]
    poses[2][0, 3] = 9.0
    for T in poses:
        found = solver(T)
        other = again(found)
        np.testing.assert_array_equal(other.solutions, found.solutions)
        np.testing.assert_array_equal(other.residuals, found.residuals)
        assert other.as_dict() == found.as_dict()
        assert other.message == found.message
    np.testing.assert_array_equal(again(solver)(poses[0]).solutions, solver(poses[0]).solutions)
    many = solver.batch(np.array(poses))
    np.testing.assert_array_equal(again(many).solutions, many.solutions)
    np.testing.assert_array_equal(again(many).free, many.free)


def test_a_pickled_result_leaves_its_solver_behind():
    solver = models.inverse_geometric(load("rx90"))
    T = models.transform(load("rx90")).compile()(q=np.full(6, 0.3))
    assert len(pickle.dumps(solver(T))) < 3000


def test_expressions_are_the_same_objects(again):
    x = variable("x")
    assert again(x + 1) is x + 1
