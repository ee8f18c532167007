"""The programs of the iteration, against linear algebra of numbers."""

from __future__ import annotations

import numpy as np
import pytest
from models.inverse_geometry.robots import CHAINS

from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.special_poses.iteration import LONGEST_STEP, Iteration
from robosym.models.inverse_geometry.special_poses.self_motion import SLACK_VALUE, SelfMotion

MADE = Iteration(chain_for(CHAINS["puma560"]()), "pose")


@pytest.mark.parametrize("damping", [1e-5, 0.1, 3.0])
def test_damped_is_least_squares(damping: float) -> None:
    rng = np.random.default_rng(1)
    J, e = rng.normal(size=(6, 6)), rng.normal(size=6)
    made = MADE.damped.call(J=J, e=e, damping=np.array(damping))
    stacked = np.vstack([J, damping * np.eye(6)])
    expected = np.linalg.lstsq(stacked, np.concatenate([e, np.zeros(6)]), rcond=None)[0]
    np.testing.assert_allclose(made["s"], expected, rtol=0, atol=1e-10 * np.abs(expected).max())
    R = made["R"].copy()
    R[np.diag_indices(6)] = 1 / R[np.diag_indices(6)]  # it holds the inverses
    np.testing.assert_allclose(R.T @ R, stacked.T @ stacked, rtol=0, atol=1e-12 * (1 + damping**2))


def test_a_correction_is_short_and_none_of_rounding() -> None:
    s = np.array([2.0, 0.1, 0, 0, -4, 0])
    made = MADE.limited.call(e=np.full(6, 0.1), s=s)["dx"]
    np.testing.assert_allclose(made, -s * LONGEST_STEP / 4, atol=1e-15)
    assert not MADE.limited.call(e=np.full(6, 1e-17), s=s)["dx"].any()


@pytest.mark.parametrize(("least", "slack"), [(1.0, 0), (1e-3, 0), (1e-7, 1), (0.0, 1)])
def test_slack_is_a_small_singular_value(least: float, slack: int) -> None:
    rng = np.random.default_rng(2)
    U, V = (np.linalg.qr(rng.normal(size=(6, 6)))[0] for _ in "ab")
    J = U @ np.diag([3, 2, 1, 1, 0.5, least]) @ V
    R = MADE.damped.call(J=J, e=np.zeros(6), damping=np.array(SLACK_VALUE))["R"]
    motion = SelfMotion(MADE)
    assert motion.slackened.call(R=R)["slack"] == slack
    joint = int(np.abs(V[5]).argmax())
    made = motion.stepped.call(R=R, x=np.zeros(6), joint=np.array(float(joint)))
    assert made["held"].tolist() == np.eye(6)[joint].tolist()
    assert made["loose"] == slack
    if slack:  # along the null space
        along = made["y"] / np.linalg.norm(made["y"])
        assert abs(along @ V[5]) > 1 - 1e-6
