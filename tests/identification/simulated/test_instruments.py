"""Simulated instruments: no bias where least squares has one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import robosym
from robosym.identification import simulated_instruments
from robosym.identification.estimation.equations import Equations
from robosym.identification.estimation.estimation import EstimationError, weighted
from robosym.identification.estimation.robust import factorised

FRICTION = ["viscous", "coulomb"]


@pytest.fixture(scope="module")
def setting() -> tuple[Any, Any, Any, Any]:
    robot = robosym.load("planar-2r")
    law = robosym.control.computed_torque(robot, bandwidth=15)
    move = robosym.trajectory.through([[0, 0], [1, -1], [-0.5, 1.2], [0.3, 0.2], [0, 0]], [0, 0.5, 1, 1.5, 2])
    return robot, law, move, robosym.simulate(robot, law, move, duration=2)


def measured(run: Any, noise: float, seed: int) -> dict[str, Any]:
    """Positions with noise, and their differences: far noisier columns. Torques are held from call to call: at a call they
    are the mean of both sides."""
    q = run.q + noise * np.random.default_rng(seed).normal(size=run.q.shape)
    qd = np.gradient(q, run.time, axis=0)
    rows = slice(3, -3, 2)
    qdd = np.gradient(qd, run.time, axis=0)
    tau = (run.tau + np.roll(run.tau, 1, axis=0)) / 2
    return {"time": run.time[rows], "q": q[rows], "qd": qd[rows], "qdd": qdd[rows], "tau": tau[rows]}


def test_no_bias(setting: Any) -> None:
    robot, law, move, run = setting
    model = robosym.models.regressor(robot, friction=FRICTION)
    truth = np.array([model.described_values()[name] for name in model.columns])
    columns = model.compile()
    by_instruments, by_squares = [], []
    for seed in range(3):
        data = measured(run, 3e-6, seed)
        found = simulated_instruments(robot, law, move, data, friction=FRICTION)
        by_instruments.append((found.values - truth) / found.sigma)
        D = columns(q=data["q"], qd=data["qd"], qdd=data["qdd"])
        equations = Equations.from_packed(model.columns, model.rows, model.places["D"], D, data["tau"], data["time"])
        plain = weighted(factorised(lambda own=equations: iter((own,))), None)
        by_squares.append((plain.values - truth) / plain.sigma)
    inertia = model.columns.index("ZZR1")
    assert abs(np.mean(by_squares, axis=0)[inertia]) > 10  # noise of accelerations makes inertias too small
    assert np.abs(np.mean(by_instruments, axis=0)).max() < 3


def test_exact_without_noise(setting: Any) -> None:
    robot, law, move, run = setting
    found = simulated_instruments(robot, law, move, measured(run, 0.0, 0), friction=FRICTION)
    truth = robosym.models.regressor(robot, friction=FRICTION).described_values()
    assert found.parameters == pytest.approx({name: truth[name] for name in found.columns}, rel=0.01, abs=0.002)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"friction": "viscous"}, "friction"),
        ({"friction": ["cubic"]}, "expected some of"),
        ({"measured": {"time": [0.0, 1.0]}}, "no q"),
    ],
)
def test_what_is_wrong_is_named(setting: Any, change: dict[str, Any], said: str) -> None:
    robot, law, move, run = setting
    given = {"measured": measured(run, 0.0, 0), **change}
    with pytest.raises(EstimationError, match=said):
        simulated_instruments(robot, law, move, **given)
