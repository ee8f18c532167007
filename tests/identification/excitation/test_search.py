"""The search for exciting motions: fitted variables keep the limits, and slopes are derivatives."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from robosym import models
from robosym.identification.excitation.checks import Checks
from robosym.identification.excitation.criterion import Criterion
from robosym.identification.excitation.families import FourierFamily, SplineFamily
from robosym.identification.excitation.limits import joint_limits
from robosym.identification.excitation.search import Budget, OutOfBudgetError, Search
from robosym.robot import Robot


@cache
def search(anchored: bool, velocity: float | None) -> Search:
    robot = Robot.from_table(
        "two",
        [
            {"joint": "a", "ZZ": 0.3, "MX": 0.1, "M": 1, "limits": {"lower": -1.0, "upper": 2.0}},
            {"joint": "b", "d": 0.4, "ZZ": 0.2, "MX": 0.2, "M": 1, "limits": {"lower": 0.0, "upper": 1.0}},
        ],
        gravity=[0, -9.81, 0],
    )
    limits = joint_limits(robot, None, velocity, 20.0, None)
    criterion = Criterion(models.regressor(robot, parameters="base"), {}, np.ones(2), "condition")
    start = np.array([0.5, 0.6]) if anchored else None
    family = FourierFamily(anchored, 2, False) if velocity else SplineFamily(anchored, 5)
    return Search(family, 3.0, limits, criterion, Checks(()), start)


@pytest.mark.parametrize("anchored", [False, True])
@pytest.mark.parametrize("velocity", [2.0, None])
def test_fitted_motions_keep_the_limits(anchored: bool, velocity: float | None) -> None:
    own = search(anchored, velocity)
    rng = np.random.default_rng(0)
    for size in (0.01, 1.0, 100.0):
        x = size * rng.normal(size=2 * (own.family.size + 1))
        fit = own.fit(x)
        q, qd, qdd = own.states(fit)
        slack = 1e-9
        assert (q >= own.limits.lower - slack).all()
        assert (q <= own.limits.upper + slack).all()
        assert np.abs(qd).max() <= (velocity or np.inf) + slack
        assert np.abs(qdd).max() <= 20 + 1e-7
        if anchored:
            np.testing.assert_array_equal(fit.centre, own.start)
        if size == 0.01:
            np.testing.assert_array_equal(fit.factor, 1)
        if size == 100.0:
            assert (fit.factor < 1).all()
        motion = own.motion(x)
        t = (np.arange(own.family.samples) + 0.5) / own.family.samples * 3.0
        for ours, theirs in zip(motion(t), (q, qd, qdd), strict=True):
            np.testing.assert_allclose(ours, theirs, atol=1e-6)


@pytest.mark.parametrize("anchored", [False, True])
@pytest.mark.parametrize("size", [0.05, 3.0])
def test_the_slope_of_the_value(anchored: bool, size: float) -> None:
    own = search(anchored, 2.0)
    rng = np.random.default_rng(3)
    n = own.family.size + 1
    x = size * rng.normal(size=2 * n)
    x[[0, n]] = 0.5, 0.4
    value, slope = own.value(x, 4.0, 1.0)
    assert np.isfinite(value)
    h = 1e-6 * size
    for k in range(len(x)):
        step = h * np.eye(len(x))[k]
        rate = (own.value(x + step, 4.0, 1.0)[0] - own.value(x - step, 4.0, 1.0)[0]) / (2 * h)
        assert slope[k] == pytest.approx(rate, rel=2e-3, abs=2e-4 * np.abs(slope).max())


def test_budgets() -> None:
    told: list[tuple[int, float]] = []
    budget = Budget(2, None, lambda used, best: told.append((used, best)))
    budget.spend()
    budget.found(3.0)
    budget.spend()
    budget.found(5.0)
    assert told == [(1, 3.0), (2, 3.0)]
    with pytest.raises(OutOfBudgetError):
        budget.spend()
    assert budget.used == 2
    with pytest.raises(OutOfBudgetError):
        Budget(9, -1.0, None).spend()


def test_improving_and_running() -> None:
    own = search(False, 2.0)
    rng = np.random.default_rng(1)
    x = own.draw(rng, np.array([[0.5, 0.5]]))
    budget = Budget(30, None, None)
    better = own.improve(x, budget, 25, 2.0, 3.0)
    assert own.value(better, 2.0, 3.0)[0] < own.value(x, 2.0, 3.0)[0]
    assert budget.used <= 30
    found = own.run(np.random.default_rng(2), np.array([[0.5, 0.5]]), Budget(10, None, None))
    values = [own.value(one, 2.0, 3.0)[0] for one in found[5:]]
    assert values == sorted(values)
