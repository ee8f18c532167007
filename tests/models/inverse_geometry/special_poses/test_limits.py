"""Limits: how many whole turns an angle may be moved by, against turns tried one after the other."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robosym.expr import evaluate, variable
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.special_poses.limits import SLACK, TURN, between, moving_within, whole_turns
from robosym.robot import Robot

X, LOW, HIGH = (variable(name) for name in ("x", "low", "high"))


def turns(x: float, low: float, high: float) -> tuple[float, float]:
    least, most = evaluate(list(whole_turns(X, LOW, HIGH)), {X: x, LOW: low, HIGH: high})
    return float(least), float(most)


def test_whole_turns() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        low, high = sorted(rng.uniform(-12, 12, 2).tolist())
        x = float(rng.uniform(-12, 12))
        allowed = [k for k in range(-10, 11) if low - SLACK <= x + TURN * k <= high + SLACK]
        least, most = turns(x, low, high)
        assert list(range(round(least), round(most) + 1)) == allowed


def test_a_limit_is_met_but_for_rounding() -> None:
    """Within SLACK beyond a limit an angle is within it; a little farther it is not."""
    for part, inside in ((0.5, True), (2.0, False)):
        least, most = turns(1.0 + part * SLACK, -1.0, 1.0)
        assert (least <= 0 <= most) == inside
        least, most = turns(-1.0 - part * SLACK, -1.0, 1.0)
        assert (least <= 0 <= most) == inside


def test_no_limits_and_one() -> None:
    least, most = turns(0.3, -math.inf, math.inf)
    assert least < -1e8 < 1e8 < most
    assert math.isfinite(least)
    assert math.isfinite(most)
    least, most = turns(0.3, 5.0, math.inf)
    assert least == 1
    assert most > 1e8
    least, most = turns(0.3, -math.inf, -5.0)
    assert most == -1


@pytest.mark.parametrize("unit", [1.0, 1e-3])
def test_lengths(unit: float) -> None:
    inside = between(X, LOW, HIGH, unit)
    for x, expected in (
        (0.0, True),
        (1.0, True),
        (-0.5 * SLACK * unit, True),
        (-2 * SLACK * unit, False),
        (1 + 0.5 * SLACK * unit, True),
        (1 + 2 * SLACK * unit, False),
    ):
        assert bool(evaluate([inside], {X: x, LOW: 0.0, HIGH: 1.0})[0]) == expected, x


def test_one_position_of_a_self_motion_within_limits_is_enough() -> None:
    robot = Robot.from_table("two", [{}, {"d": 0.3, "sigma": "prismatic"}])
    program = moving_within(chain_for(robot))
    limits = np.array([[6.0, 0.0], [7.0, 1.0]])

    def moving(q: list[float], ok: float = 1.0, before: float = 0.0) -> float:
        return float(program.call(q=np.array(q), ok=np.array(ok), limits=limits, moving=np.array(before))["moving_now"])

    assert moving([0.2, 0.5]) == 1  # a turn further it is within
    assert moving([0.2, 0.5], ok=0.0) == 0
    assert moving([1.5, 0.5]) == 0
    assert moving([0.2, 1.5]) == 0
    assert moving([1.5, 0.5], before=1.0) == 1
