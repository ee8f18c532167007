"""Columns that depend on others: which, by which factors, and what the parameters that stay mean then."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.inertial_parameters.tied_robots import tied

import robosym
from robosym.expr import cos, expr, number, parameter, sin, variable
from robosym.models.regressors.independent import dependent, dependent_in, joined_in
from robosym.models.regressors.parameters import inertial_parameters
from robosym.models.regressors.terms import Term
from robosym.robot import RobotError, Value

x, y = variable("q1"), variable("q2")


def test_columns_that_depend_on_those_before() -> None:
    robot = robosym.load("planar-2r")
    columns = {
        "a": [sin(x), y],
        "b": [x * x, 0],
        "twice": [2 * sin(x), 2 * y],
        "c": [cos(x), 1],
        "sum": [sin(x) - 3 * x * x, y],
        "none": [0, 0],
    }
    found = dependent(robot, columns)
    assert set(found) == {"twice", "sum", "none"}
    assert found["twice"] == pytest.approx({"a": 2.0})
    assert found["sum"] == pytest.approx({"a": 1.0, "b": -3.0})
    assert found["none"] == {}
    assert dependent(robot, {"a": columns["a"], "c": columns["c"]}) == {}
    assert dependent(robot, {}) == {}


def test_values_of_parameters_count() -> None:
    robot = robosym.load("planar-2r").replace(values={"K": Value(4.0)})
    K, unknown = parameter("K"), parameter("unknown")
    assert dependent(robot, {"a": [x], "b": [K * x]}) == {"b": pytest.approx({"a": 4.0})}
    assert dependent(robot, {"a": [x], "b": [unknown * x * y]}) == {}
    with pytest.raises(RobotError, match="how depends on unknown, which have no value"):
        dependent(robot, {"a": [x], "b": [unknown * x]})


def test_states_without_a_value_are_left_out() -> None:
    robot = robosym.load("planar-2r")
    found = dependent(robot, {"a": [1 / (x - x + y) ** expr(1)], "root": [3 / y]})
    assert found == {"root": pytest.approx({"a": 3.0})}
    from robosym.expr import sqrt

    half = dependent(robot, {"a": [sqrt(x)], "b": [2 * sqrt(x)]})
    assert half == {"b": pytest.approx({"a": 2.0})}
    with pytest.raises(RobotError, match="has values at 0 of"):
        dependent(robot, {"a": [sqrt(-1 - x * x)], "b": [x]})


def test_closed_loops_close() -> None:
    """Their passive joints follow: in a rhombus two links turn alike."""
    robot = tied("five-bar")
    closure = robot.closure
    assert closure is not None
    one, other = (closure.positions[j] for j in list(closure.positions)[:2])
    found = dependent(robot, {"sin": [sin(one)], "again": [5 * sin(one)], "other": [sin(other)]})
    assert found["again"] == pytest.approx({"sin": 5.0})


def test_columns_in_numbers() -> None:
    def rows(batch: int) -> np.ndarray:
        W = np.random.default_rng(batch).normal(size=(30, 2))
        return np.column_stack([W[:, 0], 0 * W[:, 0], W[:, 1], 2 * W[:, 0] - W[:, 1]])

    found = dependent_in(robosym.load("planar-2r"), ["a", "zero", "b", "sum"], rows)
    assert found == {"zero": {}, "sum": pytest.approx({"a": 2.0, "b": -1.0})}


def test_parameters_that_stay_take_over() -> None:
    """Of a link's parameter that joins another one, and of a term that joins one and that one joins."""
    robot = robosym.load("planar-2r")
    own = inertial_parameters(robot, "standard", False, False)
    own = replace(own, described={**own.described, "ZZ1": number(5), "ZZ2": number(7), "MX1": number(11)})
    further = [Term("offset1", {1: 1}, value=number(2)), Term("Fv1", {1: 1}, value=number(3))]
    gone = {"ZZ2": {"ZZ1": 2.0, "offset1": 3.0}, "Fv1": {"MX1": 0.5, "offset1": -1.0}, "MY1": {}}
    left, terms = joined_in(own, further, gone)
    assert left.meaning["ZZ1"] is parameter("ZZ1") + 2 * parameter("ZZ2")
    assert left.meaning["MX1"] is parameter("MX1") + 0.5 * parameter("Fv1")
    assert left.meaning["offset1"] is parameter("offset1") + 3 * parameter("ZZ2") - parameter("Fv1")
    assert left.described["ZZ1"] is number(19)
    assert float(left.described["MX1"].value) == 12.5
    assert [(one.name, float(one.value.value)) for one in terms] == [("offset1", 2 + 21 - 3)]
    for there in (left.names.values(), left.meaning, left.described):
        assert not {"ZZ2", "Fv1", "MY1"} & set(there)
    assert left.described["MZ1"] is own.described["MZ1"]
