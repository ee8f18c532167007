"""The inverse geometric model through loops as an object: its forward pose, what moves at a solution, and its defaults."""

from __future__ import annotations

import numpy as np
import pytest
from models.inverse_geometry.closed_loops import five_bar, poses_of
from models.loops.inverse.solvers import solver_of

import robosym
from robosym import models
from robosym.models.loops.inverse.solver import Closed
from robosym.models.loops.inverse.stages import PASSIVE_LIMITS


def test_the_pose_of_the_motors() -> None:
    """That of the geometric model, nan where the loops do not close, and its slope by larger differences."""
    solver = solver_of("five-bar")
    rng = np.random.default_rng(0)
    Q = rng.uniform(-3, 3, (60, 2))
    forward = solver.forward.at(None, None)
    assert isinstance(forward, Closed)
    expected = poses_of(five_bar(), mode="cut+")(Q)
    found = forward(Q)
    np.testing.assert_array_equal(np.isfinite(found), np.isfinite(expected))
    there = np.flatnonzero(np.isfinite(found).all(axis=(1, 2)))
    np.testing.assert_allclose(found[there], expected[there], atol=1e-12)
    for q in Q[there[:3]]:
        h = 1e-4
        T = forward(q[None])[0]
        error, slope = forward._error(q, T + 0.5, slice(3, 4))
        np.testing.assert_allclose(error, [-0.5] * 3, atol=1e-12)
        for k in range(2):
            step = h * np.eye(2)[k]
            ends = forward(np.array([q + step, q - step]))
            np.testing.assert_allclose(slope[:, k], (ends[0] - ends[1])[:3, 3] / (2 * h), atol=1e-5)


def test_joints_given_are_put_in_their_places() -> None:
    robot = robosym.load("sr400")
    solver = models.inverse_geometric(robot, given=["waist"], frame="link5")
    q = np.array([0.3, 0.4, 0.5, 0.8, 0.2, 0.1])
    expected = models.geometric(robot, frame="link5").compile()(q=q)
    names = list(robot.joint_names)
    own = q[[names.index(name) for name in solver.joint_names]]
    found = solver.forward.at(np.array([0.3]), None)(own[None])[0]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_states_and_starts_are_where_the_loops_close() -> None:
    solver = solver_of("five-bar")
    state = solver.random_state(np.random.default_rng(1))
    assert len(solver(state["T"])) > 0
    starts = solver.starts(state["T"], None, None)
    assert 10 < len(starts) < 200
    assert np.isfinite(solver.forward.at(None, None)(starts)).all()
    assert solver.columns is solver.route.motors
    assert solver.most == 4
    assert solver.as_dict()["branches"] == 4


@pytest.mark.parametrize(
    ("name", "low", "high"), [("five-bar with limits", 0, 2), ("five-bar with a lower limit", -0.25, np.inf)]
)
def test_limits_of_passive_joints(name: str, low: float, high: float) -> None:
    solver = solver_of(name)
    np.testing.assert_array_equal(solver._limits(True)[PASSIVE_LIMITS], [[low], [high]])
    assert PASSIVE_LIMITS not in solver._limits(False)
    np.testing.assert_array_equal(solver.defaults[PASSIVE_LIMITS], [[-np.inf], [np.inf]])
    assert solver.defaults["seed"].shape == (2,)


def test_motors_by_which_a_joint_moves() -> None:
    """Those beside the route if there are any: with the route at rest, they alone may."""
    solver = solver_of("sr400")
    robot = solver.robot
    at = {robot.frame(j).joint.name: j for j in (1, 2, 3, 7)}
    assert solver._movers(at["elbow"]) == [at["crank"]]
    assert solver._movers(at["shoulder"]) == [at["shoulder"]]
    assert solver._movers(at["waist"]) == [at["waist"]]
