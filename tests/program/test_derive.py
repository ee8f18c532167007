"""Derivatives of programs against finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from program.random_graphs import random_graph, random_values

from robosym.program import ProgramError, jacobian, lower, tangent, verified


def state(seed: int) -> tuple[np.ndarray, dict[str, float]]:
    values = {s.name: v for s, v in random_values(seed).items()}
    q = np.array([values[f"q{i}"] for i in range(1, 6)])
    return q, {name: v for name, v in values.items() if name.startswith("D")}


@pytest.mark.mostly_slow(fast=4)
@pytest.mark.parametrize("seed", range(10))
def test_jacobian_matches_differences(seed: int) -> None:
    program = lower(random_graph(seed))
    slopes = verified(jacobian(program))
    q, parameters = state(seed)
    got = slopes.call(q=q, parameters=parameters)["dy_dq"]
    assert got.shape == (2, 2, 5)
    h = 1e-6
    for i in range(5):
        step = np.eye(5)[i] * h
        up = program.call(q=q + step, parameters=parameters)["y"]
        down = program.call(q=q - step, parameters=parameters)["y"]
        assert got[..., i] == pytest.approx((up - down) / (2 * h), rel=2e-6, abs=1e-7)


def test_tangent_is_the_jacobian_times_the_rate() -> None:
    program = lower(random_graph(4))
    q, parameters = state(4)
    qd = np.linspace(-1, 1, 5)
    rate = verified(tangent(program, {"q": "qd"})).call(q=q, qd=qd, parameters=parameters)["yd"]
    slopes = jacobian(program).call(q=q, parameters=parameters)["dy_dq"]
    assert rate == pytest.approx(slopes @ qd, rel=1e-12)


def test_an_unknown_input_is_named() -> None:
    with pytest.raises(ProgramError, match="no input 'tau'"):
        jacobian(lower(random_graph(1)), by="tau")
