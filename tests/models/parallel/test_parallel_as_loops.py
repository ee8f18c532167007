"""Models that are not written from the pose of a platform have the parallel robot as closed loops, in the coordinates of its motors:
against the models from the platform, by differences of them, and against the closed loops themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import robosym
from robosym import models
from robosym.robot import Robot, RobotError

STEP = 1e-6
NAMES = ("planar-3rrr", "delta")


def state_of(robot: Robot) -> dict[str, Any]:
    """Near the described position."""
    rng = np.random.default_rng(3)
    q = np.array([robot.frame(j).joint.position for j in robot.moving])
    qd, tau = rng.uniform(-1, 1, (2, len(q)))
    return {"q": q + rng.uniform(-0.05, 0.05, len(q)), "qd": qd, "tau": tau}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_linearised_model_is_the_slope_of_the_model_from_the_platform(name: str) -> None:
    robot = robosym.load(name)
    state, n = state_of(robot), len(robot.moving)
    forward = models.forward_dynamics(robot, coordinates="motors").compile()
    at = models.linearised(robot).compile()(**state)
    assert at["assembled"] == 1
    here = forward(**state)
    np.testing.assert_allclose(at["xd"], [*state["qd"], *here["qdd"]], rtol=1e-7, atol=1e-7)
    slopes = []
    for key in ("q", "qd", "tau"):
        rows = []
        for unit in np.eye(n):
            ahead, behind = (
                forward(**{**state, key: state[key] + s * STEP * unit}, start=here["pose"]) for s in (1, -1)
            )
            assert ahead["assembled"] == behind["assembled"] == 1
            rows.append((ahead["qdd"] - behind["qdd"]) / (2 * STEP))
        slopes.append(np.array(rows).T)
    size = np.abs(np.hstack(slopes)).max()
    np.testing.assert_allclose(at["A"][n:], np.hstack(slopes[:2]), atol=1e-6 * size)
    np.testing.assert_allclose(at["B"][n:], slopes[2], atol=1e-6 * size)
    np.testing.assert_allclose(at["A"][:n], np.hstack([np.zeros((n, n)), np.eye(n)]), atol=1e-12)


@pytest.mark.slow
def test_poses_on_legs_are_those_of_the_closed_loops() -> None:
    robot = robosym.load("planar-3rrr")
    loops, q = robot.closed_loops(), state_of(robot)["q"]
    for function in (models.geometric, models.centre_of_mass, models.jacobian_rate, models.constraint_wrenches):
        model, expected = (function(one) for one in (robot, loops))  # type: ignore[operator]
        state = {key: x for key, x in model.random_state(np.random.default_rng(1)).items() if key in ("qd", "qdd")}
        found, other = (one.compile()(q=q, **state) for one in (model, expected))
        assert found.assembled == other.assembled == 1
        names = [array.name for array in expected.code.outputs]
        for key in names:
            np.testing.assert_array_equal(found[key], other[key])
        assert model.operations == expected.operations


@pytest.mark.slow
def test_a_simulation_is_that_of_the_closed_loops() -> None:
    robot = robosym.load("planar-3rrr")
    q = state_of(robot)["q"]
    runs = [robosym.simulate(one, q=q, duration=0.02, step=1e-3) for one in (robot, robot.closed_loops())]
    np.testing.assert_array_equal(runs[0].q, runs[1].q)
    assert np.abs(runs[0].q[-1] - q).max() > 1e-6


def test_a_law_holds_the_motors() -> None:
    """Computed torque: the error of each motor falls as that of a double integrator."""
    robot = robosym.load("planar-3rrr")
    q = state_of(robot)["q"]
    law = robosym.control.computed_torque(robot, bandwidth=40.0)
    run = robosym.simulate(robot, law, reference=q, q=q + 0.02, duration=0.3, friction=False)
    assert np.abs(run.q[-1] - q).max() < 1e-5


def test_the_platform_is_no_coordinate_there() -> None:
    robot = robosym.load("planar-3rrr")
    with pytest.raises(
        RobotError, match="coordinates: got 'platform': this model of the robot is in the motors' coordinates only"
    ):
        models.linearised(robot, coordinates="platform")
    assert models.centre_of_mass(robot, coordinates="motors").operations == models.centre_of_mass(robot).operations


def test_every_model_of_closed_loops_is_there() -> None:
    robot = robosym.load("planar-3rrr")
    names = models.models_of(robot)
    assert set(names) == {*models.models_of(robot.closed_loops()), "direct-geometric"}
    assert names == [name for name in models.MODELS if name in names]
