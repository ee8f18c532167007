"""The rows of the constraints of loops: those that are only rounding are none."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robosym import models
from robosym.models.loops.constraints import independent_rows, steady_rows
from robosym.robot import Robot

ROUNDING = 1.2246467991473532e-16  # sin of the float nearest to pi
STEP = 1e-5


def turned_over(turn: float | str, size: float = 1.0) -> Robot:
    """A four-bar whose coupler has its axis down, by half a turn that is no exact one: a number or a parameter's value."""
    lengths = {"crank": 0.35, "coupler": 0.8, "rocker": 0.7, "ground": 1.0}
    d = {key: size * x for key, x in lengths.items()}
    rows = [
        {"joint": "crank", "antecedent": 0, "gamma": 0.4},
        {"joint": "coupler", "antecedent": 1, "d": d["crank"], "alpha": turn, "r": 0.3 * size, "active": False},
        {"joint": "rocker", "antecedent": 0, "d": d["ground"], "active": False},
        {"joint": "pin", "antecedent": 2, "d": d["coupler"], "alpha": turn, "active": False},
        {"joint": "twin", "antecedent": 3, "d": d["rocker"], "r": -0.3 * size, "sigma": "fixed"},
    ]
    values = {turn: math.pi} if isinstance(turn, str) else {}
    return Robot.from_table("turned-over", rows, loops=1, gravity=[0, -9.81, 0], values=values)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("size", [1e-3, 1.0, 1e6])
@pytest.mark.parametrize("turn", [math.pi, -math.pi, "TURN"])
def test_rates_where_half_a_turn_is_rounded(turn: float | str, size: float) -> None:
    """As the positions move."""
    robot = turned_over(turn, size)
    f, positions = models.loop_kinematics(robot).compile(), models.loop_geometry(robot).compile()
    for q in (-2.0, 0.3, 1.1):
        found = f(q=[q], qd=[1.0])
        assert found["assembled"] == 1
        moved = (positions(q=[q + STEP])["positions"] - positions(q=[q - STEP])["positions"]) / (2 * STEP)
        np.testing.assert_allclose([*found["G"][:, 0], *found["G_c"][:, 0]], moved, atol=1e-6)


@pytest.mark.parametrize("small", [ROUNDING, 1e-10, 1e-9])
def test_rows_of_rounding_are_none(small: float) -> None:
    """Nor are those by which a loop may stay open."""
    rows = [[1.0, 0.5], [small, -small], [0.3, 1.0]]
    sizes = [1.0] * 3
    assert steady_rows(rows, sizes, [{}, {}]) == ([0, 2], True)
    assert independent_rows(rows, sizes, {}) == [0, 2]
    millions = [[1e6 * x for x in row] for row in rows]
    assert steady_rows(millions, [1e6] * 3, [{}, {}]) == ([0, 2], True)
