"""The motion of a robot without its models: poses, followers, projections and energy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import robosym
from robosym.robot import Value
from robosym.verification.floats import FloatMoment
from robosym.verification.mechanism import State
from robosym.verification.reference import Reference, pose_of


def test_a_pose() -> None:
    rng = np.random.default_rng(0)
    q = rng.normal(size=7)
    T = pose_of(q)
    np.testing.assert_allclose(T[:3, :3], Rotation.from_quat(q[3:]).as_matrix(), atol=1e-14)
    np.testing.assert_array_equal(T[:, 3], [*q[:3], 1])


@pytest.mark.parametrize("by_pinocchio", [True, False])
@pytest.mark.parametrize("name", ["four-bar", "sr400", "rx90"])
def test_identities_of_a_motion(name: str, by_pinocchio: bool) -> None:
    """Closures stay closed, power is the rate of the energy, torques and accelerations belong together."""
    reference = Reference(robosym.load(name), by_pinocchio)
    if by_pinocchio != reference.by_pinocchio:
        pytest.skip("Pinocchio is not installed")
    mechanism = reference.mechanism
    rng = np.random.default_rng(1)
    n = len(reference.robot.moving)
    q, qd, qdd = rng.uniform(0.2, 0.5, n), rng.uniform(-1, 1, n), rng.uniform(-1, 1, n)
    motion = reference.motion(q, qd)
    assert np.abs(mechanism.misses(motion.moment)).max(initial=0) < 1e-10
    C, g = mechanism.ties(motion.moment)
    np.testing.assert_allclose(C @ motion.state.v, 0, atol=1e-9)
    a = motion.accelerations(qdd)
    np.testing.assert_allclose(C @ a + g, 0, atol=1e-8)
    np.testing.assert_array_equal(motion.state.v[mechanism.driven], qd)
    tau = motion.torques(qdd)
    np.testing.assert_allclose(motion.forward(tau), qdd, atol=1e-8)
    np.testing.assert_allclose(motion.inertia, motion.inertia.T, atol=1e-10)
    still = reference.motion(q, 0 * qd)
    np.testing.assert_allclose(
        motion.gravity(), still.torques(0 * qd) - motion.G.T @ mechanism.springs(still.state), atol=1e-9
    )
    h = 1e-5
    ends = [reference.motion(q + s * h * qd, qd + s * h * qdd, motion.state.x).energies().sum() for s in (1, -1)]
    assert (ends[0] - ends[1]) / (2 * h) == pytest.approx(float(tau @ qd), rel=1e-5, abs=1e-6)
    j = len(reference.robot.frames)
    poses = [reference.motion(q + s * h * qd, qd, motion.state.x).moment.pose(j)[:3, 3] for s in (1, -1)]
    np.testing.assert_allclose(motion.twist(j)[:3], (poses[0] - poses[1]) / (2 * h), atol=1e-7)
    np.testing.assert_allclose(motion.jacobian(j) @ qd, motion.twist(j), atol=1e-12)


def test_joints_held_and_moved() -> None:
    reference = Reference(robosym.load("four-bar"), False)
    mechanism = reference.mechanism
    C = np.array([[1.0, 2.0, 0.5, 1.0], [0.0, 1.0, 1.0, 3.0], [1.0, 0.0, 2.0, 1.0]])
    G = reference.projection(C, [1])
    np.testing.assert_allclose(C @ G, 0, atol=1e-12)
    assert G[1, 0] == 1.0
    x, poses = reference.positions(np.array([0.6]))
    assert poses == {}
    assert x[1] == 0.6
    assert np.abs(mechanism.misses(FloatMoment(mechanism, State(x, {}, np.zeros(mechanism.n))))).max() < 1e-10
    robot = robosym.load("four-bar")
    far = robot.replace(values={**robot.values, "D3": Value(5.0)})
    with pytest.raises(robosym.RobosymError, match="could not be closed"):
        Reference(far, False).positions(np.array([0.6]))
