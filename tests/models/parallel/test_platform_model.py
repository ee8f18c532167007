"""Models of platforms from positions of their motors: the pose is found, then the model is that at the pose."""

from __future__ import annotations

import numpy as np
import pytest
from models.parallel import reference
from models.parallel.platform_cases import SOME, built_in, case_of, same_pose, tried
from models.reference import relative_error
from sweeps import many

from robosym import RobosymError, models
from robosym.robot import RobotError

TOLERANCE = 1e-9  # the pose is found to about 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("name", ["delta", "planar-3-RPR", "3-RPS"] if many(1) == 1 else ["gough-stewart", *SOME])
def test_dynamics(name: str) -> None:
    """From the home of the description, which is a little away."""
    robot, states = case_of(name)
    inverse = models.inverse_dynamics(robot, coordinates="motors", method="newton-euler")
    forward = models.forward_dynamics(robot, coordinates="motors")
    for state in states:
        found = tried(inverse, state)
        assert found["assembled"] == 1
        assert found["residual"] < 1e-9
        assert same_pose(found["pose"], state.pose) < TOLERANCE
        assert relative_error(found["tau"], state.tau) < TOLERANCE
        assert relative_error(tried(forward, state)["qdd"], state.qdd) < TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize("name", ["delta"] if many(1) == 1 else ["delta", *SOME])
def test_matrices_bias_gravity_energy(name: str) -> None:
    robot, states = case_of(name)
    made = {
        one: getattr(models, one)(robot, coordinates="motors")
        for one in ("inertia_matrix", "gravity", "bias", "energy", "jacobian", "static_torques")
    }
    state = states[0]
    at = state.pose, state.legs
    A = tried(made["inertia_matrix"], state)["A"]
    assert relative_error(A, reference.motor_inertia(robot, *at)) < TOLERANCE
    assert relative_error(tried(made["gravity"], state)["Q"], reference.gravity(robot, *at)) < TOLERANCE
    assert relative_error(tried(made["bias"], state)["H"] + A @ state.qdd, state.tau) < TOLERANCE
    kinetic, potential = reference.energy(robot, *at, state.twist)
    found = tried(made["energy"], state)
    assert abs(found["kinetic"][0] - kinetic) < TOLERANCE * kinetic
    assert abs(found["potential"][0] - potential) < TOLERANCE * (kinetic + abs(potential))
    J = reference.by_motors(robot, *at)[:6]
    assert relative_error(tried(made["jacobian"], state)["J"], J) < TOLERANCE
    wrench = np.array([1.0, 2, 3, 0, 0, 0])
    R = models.direct_geometric(robot)(state.q, near=state.pose)[:3, :3]
    expected = J.T @ np.append(R @ wrench[:3], np.zeros(3))
    assert relative_error(tried(made["static_torques"], state, wrench=wrench)["tau"], expected) < TOLERANCE


def test_one_call_begins_where_the_last_ended() -> None:
    """Compiled, along a long way, in a batch too: each step starts at the pose found last."""
    robot, states = built_in("delta")
    f = models.gravity(robot, coordinates="motors").compile()
    start, end = states[0].q, states[0].q + np.array([0.6, -0.4, 0.3])
    pose, near = states[0].pose, states[0].legs
    for q in np.linspace(start, end, 20):
        found = f(q=q, start=pose)
        assert found["assembled"] == 1
        pose = found["pose"]
        expected, near, error = reference.platform_at(robot, q, pose, near)
        assert error < 1e-12
        assert same_pose(pose, expected) < TOLERANCE
        assert relative_error(found["Q"], reference.gravity(robot, pose, near)) < TOLERANCE
    batch = f(q=np.array([start, end]), start=np.array([states[0].pose, pose]))
    assert relative_error(batch["Q"][1], found["Q"]) < 1e-9


@pytest.mark.slow
def test_out_of_reach_gives_no_number() -> None:
    robot, _ = built_in("planar-3rrr")
    for coordinates in (models.gravity, models.jacobian):
        found = tried(coordinates(robot, coordinates="motors"), q=np.array([0.0, np.pi / 2, np.pi]))
        if found["assembled"]:  # then it is a pose of these motors
            assert found["residual"] < 1e-9
        else:
            assert all(np.isnan(x).all() for name, x in found.items() if name not in ("assembled", "residual"))
    tripod, _ = built_in("gough-stewart")
    found = tried(models.gravity(tripod, coordinates="motors"), q=np.array([9.0, 0.1, 9, 0.1, 9, 0.1]))
    assert found["assembled"] == 0
    assert np.isnan(found["Q"]).all()
    assert np.isnan(found["pose"]).all()


def test_what_is_not_there_is_said() -> None:
    robot, _ = built_in("delta")
    with pytest.raises(RobotError, match="coordinates: got 'motors', expected 'platform'"):
        models.velocities(robot, coordinates="motors")
    with pytest.raises(RobosymError, match="coordinates: got 'legs', expected 'platform', 'motors' or None"):
        models.gravity(robot, coordinates="legs")
    with pytest.raises(RobotError, match="forces"):
        models.gravity(robot, coordinates="motors", forces="platform")
