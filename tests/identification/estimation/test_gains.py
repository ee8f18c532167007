"""Drive gains: recovered with a known payload, and not without one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from identification.estimation.random_equations import random_equations

from robosym.identification.estimation.determined import UndeterminedError
from robosym.identification.estimation.equations import Equations
from robosym.identification.estimation.estimation import EstimationError
from robosym.identification.estimation.gains import drive_gains

PLACES = ((0, 1, 2), (1, 2, 3), (2, 3))
GAINS = np.array([30.0, 0.5, 4.0])
K = np.array([3.0, -2.0, 1.5, 4.0])


def recordings(rng: np.random.Generator, noise: float) -> tuple[Equations, Equations, list[np.ndarray]]:
    """Signals v = torque / gain + noise, without and with a payload's torques."""
    both = []
    load = [rng.normal(size=500) * 3 for _ in GAINS]
    for extra in ([np.zeros(500)] * 3, load):
        equations = random_equations(rng, [500] * 3, K, PLACES)
        each = zip(equations.torques, extra, GAINS, strict=True)
        signals = tuple((tau + l) / g + noise * np.std(tau / g) * rng.normal(size=500) for tau, l, g in each)
        both.append(replace(equations, torques=signals))
    return both[0], both[1], load


@pytest.mark.parametrize("method", ["ordinary", "total"])
def test_without_noise_the_gains_are_exact(method: str) -> None:
    found = drive_gains(*recordings(np.random.default_rng(0), 0.0), method=method)
    np.testing.assert_allclose(found.gains, GAINS, rtol=1e-9)
    np.testing.assert_allclose(found.values, K, rtol=1e-9)


def test_total_has_no_bias_and_knows_its_sigmas() -> None:
    rng = np.random.default_rng(1)
    totals, ordinaries = [], []
    for _ in range(100):
        data = recordings(rng, 0.4)
        totals.append(drive_gains(*data))
        ordinaries.append(drive_gains(*data, method="ordinary").gains)
    gains = np.array([found.gains for found in totals])
    spread = gains.std(axis=0)
    assert np.all(np.abs(gains.mean(axis=0) - GAINS) < 4 * spread / np.sqrt(100))
    assert np.all(np.mean(ordinaries, axis=0) < GAINS - 2 * spread)  # noise in v pulls them down
    np.testing.assert_allclose(np.mean([found.sigma for found in totals], axis=0), spread, rtol=0.3)


def test_without_a_payload_and_with_wrong_signs_it_says_so() -> None:
    rng = np.random.default_rng(2)
    unloaded, loaded, load = recordings(rng, 0.0)
    with pytest.raises(UndeterminedError, match="gain of joint0"):
        drive_gains(unloaded, unloaded, [np.zeros(500)] * 3)
    with pytest.raises(EstimationError, match="joint0, joint1, joint2 is not positive"):
        drive_gains(unloaded, loaded, [-l for l in load])
    with pytest.raises(EstimationError, match="payload: expected torques"):
        drive_gains(unloaded, loaded, load[:2])
