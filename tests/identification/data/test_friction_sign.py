"""Friction of one joint without a model of the robot: against NumPy's least squares."""

from __future__ import annotations

import numpy as np
import pytest

from robosym.identification.data.friction_sign import BLOCK, FEWEST, LITTLE, SURE, Braking, estimate_braking


def motion(seconds: float, rate: float = 100.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    t = np.arange(0, seconds, 1 / rate)
    q = np.sin(1.3 * t) + 0.4 * np.sin(3.1 * t)
    return q, 1.3 * np.cos(1.3 * t) + 1.24 * np.cos(3.1 * t), -1.69 * np.sin(1.3 * t) - 3.844 * np.sin(3.1 * t)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_estimate_is_that_of_least_squares(sign: int) -> None:
    q, qd, qdd = motion(20)
    rng = np.random.default_rng(0)
    tau = sign * (0.5 * qdd + 0.7 * qd + 0.9 * np.sign(qd) + 3 * np.sin(q) + 0.2) + 0.3 * rng.normal(size=len(q))
    found = estimate_braking(q, qd, qdd, tau, 100.0)
    X = np.stack((qdd, qd, np.sign(qd), np.sin(q), np.cos(q), np.ones_like(q)), axis=1)
    size = np.sqrt((X**2).mean(axis=0))
    K = np.linalg.lstsq(X / size, tau, rcond=None)[0]
    assert found.torque == pytest.approx(K[1] + K[2], rel=1e-9)
    assert found.torque == pytest.approx(sign * (0.7 * size[1] + 0.9), abs=5 * found.sigma)
    covariance = 0.3**2 * np.linalg.inv((X / size).T @ (X / size))
    expected = np.sqrt(covariance[1, 1] + covariance[2, 2] + 2 * covariance[1, 2])
    assert 0.5 * expected < found.sigma < 2 * expected
    assert found.size == pytest.approx(np.sqrt((tau**2).mean()))
    assert found.is_backwards == (sign < 0)


def test_what_cannot_be_told() -> None:
    q, qd, qdd = motion(FEWEST * BLOCK - 0.1)
    assert estimate_braking(q, qd, qdd, q, 100.0).sigma == np.inf
    long = motion(20)
    still = estimate_braking(long[0], 0 * long[1], long[2], long[0], 100.0)
    assert (still.torque, still.sigma) == (0.0, np.inf)
    assert estimate_braking(long[0], np.sign(long[1]), long[2], long[0], 100.0).sigma == np.inf


def test_verdicts() -> None:
    assert Braking(-1.0, 0.2, 1.0).is_backwards
    assert not Braking(-SURE * 0.2, 0.2, 1.0).is_backwards
    assert not Braking(-LITTLE * 100, 0.0, 100.0).is_backwards
    assert Braking(-LITTLE * 101, 0.0, 100.0).is_backwards
    assert not Braking(1.0, 0.0).is_backwards
