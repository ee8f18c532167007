"""A model at one state in numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import robosym
from robosym import models
from robosym.errors import RobosymError
from robosym.views.values import _plain, model_values

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
    assert _plain(np.array([[1.0, np.nan], [np.inf, 2]])) == [[1.0, None], [None, 2.0]]
    assert _plain(np.float64(3)) == 3.0
