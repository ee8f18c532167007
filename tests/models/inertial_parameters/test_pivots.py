"""Regrouping divides: by what is large with the robot's values, never by what a value given late makes zero."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from robosym.models import base_parameters, forward_dynamics, inertia_matrix, inverse_dynamics
from robosym.models.inertial_parameters.base_parameters import base_parameters_model
from robosym.program import ProgramError
from robosym.robot import Robot

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

LINK = {"XX": 0.4, "XY": 0.05, "XZ": -0.1, "YY": 0.5, "YZ": 0.07, "ZZ": 0.6, "MX": 0.1, "MY": 0.5, "MZ": 0.7, "M": 3}
STATE = {"q": [0.3, 0.2, 0.5], "qd": [1, 2, 3], "qdd": [0.4, 0.5, 0.6]}


def turned_slides(values: dict[str, float]) -> Robot:
    """R-P-P: the slides stand at the angles A and B to the axis that turns them."""
    first, second = {"sigma": 1, "alpha": "A", "theta": 0.3}, {"sigma": 1, "alpha": "B"}
    rows: list[dict[str, Any]] = [LINK, {**first, **LINK}, {**second, **LINK}]
    return Robot.from_table("r-p-p", rows, gravity=[0, 1, -9.81], values=values)


def error(robot: Robot, parameters: dict[str, float] | None = None) -> float:
    """Of torques, inertia matrix and accelerations in base parameters, over the largest of each."""
    worst = 0.0
    asked = {"parameters": parameters} if parameters else {}
    for make, state in (
        (inverse_dynamics, STATE),
        (inertia_matrix, {"q": STATE["q"]}),
        (forward_dynamics, {"q": STATE["q"], "qd": STATE["qd"], "tau": [1.0, 2.0, 3.0]}),
    ):
        models = (make(robot, parameters=one) for one in ("standard", "base"))
        expected, got = (np.asarray(model.evaluate(**state, **asked)) for model in models)
        worst = max(worst, float(np.abs(got - expected).max() / np.abs(expected).max()))
    return worst


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("A", [math.pi / 2, math.pi / 2 - 1e-8, math.pi / 2 + 1e-5, 0.0, 0.3, math.pi])
@pytest.mark.parametrize("B", [math.pi / 2, 0.7, 0.0])
def test_the_pivot_is_one_that_the_robots_values_allow(A: float, B: float) -> None:
    assert error(turned_slides({"A": A, "B": B})) < 1e-12


def test_a_late_value_is_used_where_no_pivot_vanishes() -> None:
    robot = turned_slides({"A": 0.3, "B": 0.7})
    assert error(robot, {"A": 1.2}) < 1e-12
    assert error(turned_slides({}), {"A": 1.2, "B": -0.4}) < 1e-12


@pytest.mark.parametrize("near", [0.0, 1e-9, -1e-7])
@pytest.mark.parametrize("values", [{"A": 0.3, "B": 0.7}, {}])
def test_a_late_value_that_makes_a_pivot_vanish_is_refused(near: float, values: dict[str, float]) -> None:
    robot = turned_slides(values)
    bad = {"A": math.pi / 2 + near, "B": 0.7}
    refused = pytest.raises(ProgramError, match=r"dividing by cos\(A\), which is zero with A = 1\.57")
    model = inverse_dynamics(robot, parameters="base")
    compiled = model.compile()
    with refused:
        model.evaluate(**STATE, parameters=bad)
    with refused:
        compiled(**STATE, parameters=bad)
    with pytest.raises(ProgramError, match="which is zero"):  # one of a batch
        compiled(**STATE, parameters={**bad, "A": np.array([0.3, bad["A"]])})
    with refused:
        base_parameters_model(robot).compile()(parameters=bad)
    names = [symbol.name for symbol in model.program.parameter_symbols]
    with pytest.raises(ProgramError, match="which is zero"):
        compiled(**STATE, parameters=np.array([bad.get(name, 1.0) for name in names]))


def test_what_was_divided_by_is_told() -> None:
    found = base_parameters(turned_slides({"A": 0.3, "B": 0.7}))
    assert "none of these is zero: " in found.explain()
    assert "cos(A)" in found.explain()
    assert not base_parameters(Robot.from_table("r", [{}])).pivots


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("tilt", [1e-3, 1e-5, 1e-7, 1e-9, 1e-10, 1e-12])
def test_axes_that_almost_meet_or_are_almost_parallel(tilt: float) -> None:
    """Plain numbers: an axis at a tiny angle to the next, of a prismatic joint across it, and of one that crosses it."""
    slide = {"sigma": 1, "theta": 0.3, **LINK}
    slides = [LINK, {"alpha": math.pi / 2 - tilt, **slide}, {"alpha": 0.4, **slide}]
    cone = [LINK, {"alpha": tilt, **LINK}, {"alpha": tilt, "r": 0.4, **LINK}]
    for rows, gravity in ((slides, [0, 1, -9.81]), (cone, [0, 0, 0])):
        robot = Robot.from_table("almost", rows, gravity=gravity)
        models = (inverse_dynamics(robot, parameters=one) for one in ("standard", "base"))
        expected, got = (np.asarray(model.evaluate(**STATE)) for model in models)
        assert np.abs(got - expected).max() < 2e-10 * np.abs(expected).max()


@pytest.mark.parametrize("tilt", [1e-8, 4e-11, 1.1e-11, 1e-12])
def test_slides_that_are_almost_parallel_turn_nothing(tilt: float) -> None:
    """The second direction that two almost parallel slides span is tiny, and rounding in it is no rotation."""
    slide = {"sigma": 1, "theta": 0.3, **LINK}
    for first in (0.5, "B"):
        rows = [{"theta": 1e-10, **slide}, {"alpha": first, **slide}, {"alpha": math.pi - tilt, "d": -0.17, **slide}]
        robot = Robot.from_table(
            "slides", [*rows, {"alpha": "pi", **slide}], gravity=[-2.2, 0.06, 2.0], values={"B": 0.5}
        )
        found = base_parameters(robot)
        assert found.inertial_count == 4  # the masses
