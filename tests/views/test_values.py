"""A model at one state in numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import robosym
from robosym import load, models
from robosym.errors import RobosymError
from robosym.simulation.files import plain
from robosym.views.values import model_values

RX90 = robosym.load("rx90")
Q = [0.1, 0.2, -0.3, 0.4, 0.5, 0.6]


def inputs(found: dict[str, Any]) -> dict[str, tuple[Any, str]]:
    return {one["name"]: (one["values"], one["how"]) for one in found["inputs"]}


def test_a_jacobian_matrix() -> None:
    found = model_values(RX90, "jacobian", {}, {"q": Q})
    (J,) = found["outputs"]
    np.testing.assert_allclose(J["values"], models.jacobian(RX90).evaluate(q=Q, parameters=None), atol=1e-12)
    assert J["shape"] == [6, 6]
    assert inputs(found) == {"q": (Q, "position")}
    assert found["missing"] == []


def test_missing_and_entered_parameters() -> None:
    robot = robosym.Robot.from_table("x", [{"joint": "a", "ZZ": "J", "M": 1}], gravity=[0, 0, -9.81])
    found = model_values(robot, "inverse-dynamics", {}, {"qdd": [2.0]})
    assert [one["name"] for one in found["missing"]] == ["J"]
    assert found["outputs"] == []
    found = model_values(robot, "inverse-dynamics", {}, {"qdd": [2.0]}, {"J": 0.5, "K": "other"})
    assert found["outputs"][0]["values"] == [1.0]
    assert [one["value"] for one in found["entered"]] == [0.5]
    assert inputs(found)["qd"] == ([0.0], "zero")
    assert inputs(found)["qdd"] == ([2.0], "given")
    for wrong in (True, "1", math.inf):
        with pytest.raises(RobosymError, match="parameter J: got"):
            model_values(robot, "inverse-dynamics", {}, {}, {"J": wrong})
    with pytest.raises(RobosymError, match="qdd: got 2 numbers, expected 1"):
        model_values(robot, "inverse-dynamics", {}, {"qdd": [1, 2]})
    with pytest.raises(RobosymError, match="state: got 3, expected values by name"):
        model_values(robot, "inverse-dynamics", {}, 3)  # type: ignore[arg-type]


def test_the_pose_follows_from_the_position() -> None:
    found = model_values(RX90, "inverse-geometric", {}, {"q": Q})
    T, how = inputs(found)["T"]
    assert how == "position"
    np.testing.assert_allclose(T, models.geometric(RX90).evaluate(q=Q), atol=1e-12)
    by_name = {one["name"]: one for one in found["outputs"]}
    rows = np.array(by_name["solutions"]["values"])
    assert len(rows) == by_name["count"]["values"]
    assert np.abs(np.sin((rows - Q) / 2)).max(axis=1).min() < 1e-7


def test_what_is_no_number_is_null() -> None:
    assert plain(np.array([[1.0, np.nan], [np.inf, 2]])) == [[1.0, None], [None, 2.0]]
    assert plain(np.float64(3)) == 3.0


def test_values_are_those_of_the_model() -> None:
    robot, q = load("rx90"), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    found = model_values(robot, "inverse-dynamics", {}, {"q": q, "qdd": [1, 0, 0, 0, 0, 0]})
    expected = models.inverse_dynamics(robot).evaluate(q=q, qd=np.zeros(6), qdd=[1, 0, 0, 0, 0, 0])
    (tau,) = found["outputs"]
    assert tau["values"] == pytest.approx(expected.tolist())
    assert tau["rows"][0] == ["waist", "N m"]
    assert {one["name"]: one["how"] for one in found["inputs"]} == {
        "q": "position",
        "qd": "zero",
        "qdd": "given",
        "wrench": "default",
    }


def test_the_pose_of_inverse_geometry_follows_from_the_position() -> None:
    q = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    solutions, *_ = model_values(load("rx90"), "inverse-geometric", {}, {"q": q})["outputs"]
    assert min(np.abs(np.array(one) - q).max() for one in solutions["values"]) < 1e-9


def test_a_regressor_times_its_parameters_is_what_the_torques_are() -> None:
    robot, state = load("rx90"), {"q": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], "qd": [1.0] * 6, "qdd": [0.5] * 6}
    (D,) = model_values(robot, "regressor", {}, state)["outputs"]
    values = models.regressor(robot).described_values()
    torques = np.array(D["values"]) @ [values[name] for name, _ in D["columns"]]
    assert torques == pytest.approx(models.inverse_dynamics(robot).evaluate(**state))


def test_parameters_without_a_value_are_named_and_can_be_given() -> None:
    robot = load("rx90").replace(values={})
    state = {"q": [0.1] * 6}
    found = model_values(robot, "geometric", {}, state)
    assert [one["name"] for one in found["missing"]] == ["D3", "RL4"]
    assert found["outputs"] == []
    given = model_values(robot, "geometric", {}, state, {"D3": 0.45, "RL4": 0.45, "of_another": 1})
    assert [(one["name"], one["value"]) for one in given["entered"]] == [("D3", 0.45), ("RL4", 0.45)]
    with pytest.raises(RobosymError, match="parameters: got True, expected values by name"):
        model_values(robot, "geometric", {}, state, True)  # type: ignore[arg-type]
    assert given["outputs"][0]["values"][0][0] == pytest.approx(
        models.geometric(robot).evaluate(q=[0.1] * 6, parameters={"D3": 0.45, "RL4": 0.45})[0, 0]
    )
    with pytest.raises(RobosymError, match="parameter D3: got 'x', expected a finite number"):
        model_values(robot, "geometric", {}, state, {"D3": "x"})
    with pytest.raises(RobosymError, match="q: got 2 numbers, expected 6"):
        model_values(robot, "geometric", {}, {"q": [1, 2]})


def test_a_platform_is_at_the_pose_of_its_tip() -> None:
    pose = [[1, 0, 0, 0.1], [0, 1, 0, 0], [0, 0, 1, 0.9], [0, 0, 0, 1]]
    found = model_values(load("gough-stewart"), "gravity", {}, {"T": pose})
    assert next(one for one in found["inputs"] if one["name"] == "pose")["values"] == [0.1, 0, 0.9, 0, 0, 0, 1]
