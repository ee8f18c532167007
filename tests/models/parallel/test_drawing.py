"""Random inputs of models of platforms: states that the legs allow, of every sort of motion space."""

from __future__ import annotations

import numpy as np
import pytest
from models.parallel.random_platforms import random_platform
from sweeps import many

import robosym
from robosym import models
from robosym.models.parallel.drawing import with_numbers

# Six degrees of freedom, in a plane, translations, and twists that change with the pose.
SOME = ("6-UPS", "planar-3-RRR", "3-RUU", "3-RPS") if many(1) > 1 else ("planar-3-RRR", "3-RUU", "3-RPS")


@pytest.mark.slow
@pytest.mark.parametrize("kind", SOME)
def test_states_are_states_of_the_robot(kind: str) -> None:
    robot = random_platform(kind, 3)[0]
    from_pose, from_motors = models.inverse_dynamics(robot), models.gravity(robot, coordinates="motors")
    rng = np.random.default_rng(0)
    drawn = [from_pose.random_state(rng) for _ in range(3)]
    for state in drawn:
        assert np.linalg.norm(state["pose"][3:]) == pytest.approx(1, abs=1e-14)
        found = from_pose.evaluate(**state)
        assert np.isfinite(found).all()
        assert found.assembled == 1
    assert np.abs(drawn[0]["pose"] - drawn[1]["pose"]).max() > 1e-3
    assert from_motors.evaluate(**from_motors.random_state(rng))["assembled"] == 1


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("kind", SOME)
def test_the_motors_of_inverse_geometry_reach_the_pose(kind: str) -> None:
    model = models.inverse_geometric(random_platform(kind, 4)[0])
    state = model.random_state(np.random.default_rng(1))
    assert model(state["T"])
    assert model.evaluate(**state)["valid"].max(axis=0).all()


def test_the_same_seed_draws_the_same() -> None:
    model = models.gravity(robosym.load("delta"))
    first, again = (model.random_state(np.random.default_rng(5)) for _ in range(2))
    np.testing.assert_array_equal(first["pose"], again["pose"])


def test_legs_that_are_given_fit_the_pose() -> None:
    robot = robosym.load("planar-3rrr")
    given, own = models.inverse_dynamics(robot, legs="given"), models.inverse_dynamics(robot)
    state = given.random_state(np.random.default_rng(2))
    found = given.evaluate(**state)
    del state["legs"]
    np.testing.assert_allclose(found["tau"], own.evaluate(**state)["tau"], atol=1e-10)


@pytest.mark.slow
def test_other_numbers_have_other_states() -> None:
    """States are those of the parameters the model will be tried with; where no leg reaches with them, there are no such states."""
    robot = robosym.load("planar-3rrr")
    model = models.gravity(robot)
    longer = {"L1": 0.34, "L2": 0.31}
    state = model.random_state(np.random.default_rng(3), parameters=longer)
    assert model.evaluate(**state, parameters=longer)["assembled"] == 1
    assert set(model.random_state(np.random.default_rng(3), parameters={"L1": 1e-3, "L2": 1e-3})) == {"pose"}
    assert with_numbers(robot, {"L1": 0.3}) is robot
    assert with_numbers(robot, {"L1": 0.4}).values["L1"].number == 0.4
