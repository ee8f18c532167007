"""Columns of the energy and power models on floats: energies of Pinocchio, and the power of its torques."""

from __future__ import annotations

import numpy as np
import pytest
from models.derivatives.manifold import moved
from models.reference import numbers
from models.regressors.regressor_columns import Sample, sample
from sweeps import many

from robosym.models.regressors.energetic import energy_columns, power_columns
from robosym.models.tree.bodies import Tree
from robosym.program import Scope

BOTH = pytest.mark.parametrize("free", [False, True])


def energy(case: Sample, bodies: Tree, q: np.ndarray, add_angles: bool = True) -> float:
    world = tuple(numbers(case.robot, case.robot.gravity))
    origin = tuple(q[:3]) if case.robot.base.floating else (0.0, 0.0, 0.0)
    found = energy_columns(bodies, case.own, Scope(), origin, world, add_angles)
    assert set(found) == set(case.own.names.values())
    return float(sum(x * case.values[name] for name, x in found.items()))


@BOTH
@pytest.mark.parametrize("seed", range(many(4)))
def test_energy(seed: int, free: bool) -> None:
    case = sample(seed, free)
    q, qd = case.state["q"], case.state["qd"]
    if not free:  # of a free base the potential of its own is among the columns: see the next test
        still = case.at({**case.state, "qd": 0 * qd})
        kinetic = case.twin.kinetic(q, qd)
        assert energy(case, case.tree, q) - energy(case, still, q) == pytest.approx(kinetic, rel=1e-10)
    assert energy(case, case.tree, q, False) == pytest.approx(energy(case, case.tree, q), rel=1e-10)


@BOTH
@pytest.mark.parametrize("seed", range(many(4)))
def test_power_is_that_of_the_torques_and_the_rate_of_the_energy(seed: int, free: bool) -> None:
    case = sample(seed, free)
    q, qd, qdd = (case.state[name] for name in ("q", "qd", "qdd"))
    found = power_columns(case.tree, case.own, Scope())
    power = sum(x * case.values[name] for name, x in found.items())
    assert power == pytest.approx(float(qd @ case.twin.rnea(q, qd, qdd)), rel=1e-9)

    h, rates = 1e-4, []
    for t in (h, -h):
        there = {"q": moved(q, t * qd + t**2 / 2 * qdd), "qd": qd + t * qdd, "qdd": qdd}
        rates.append(energy(case, case.at(there), there["q"]))
    size = abs(rates[0]) + abs(power)
    assert power == pytest.approx((rates[0] - rates[1]) / (2 * h), abs=1e-5 * size)
