"""Three prismatic and three revolute joints in any order: in closed form, and every solution makes the pose."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from robosym import models
from robosym.robot import Robot

ORDERS = sorted({"".join(order) for order in permutations("RRRPPP")})
APART = [order for order in ORDERS if "PP" not in order]  # no two slides are adjacent
SPECIAL = ("pi/2", "-pi/2", "pi/3", "2*pi/3")


def random_arm(order: str, rng: np.random.Generator, special: bool = False) -> tuple[Robot, list[list[float]]]:
    """An arm of such an order, its lengths symbols without values in the file, and its table in numbers: alpha, d, theta, r."""
    rows: list[dict[str, Any]] = []
    values: dict[str, float] = {}
    table = []
    for j, kind in enumerate(order, 1):
        angle = SPECIAL[int(rng.integers(4))] if special else float(rng.uniform(0.4, 2.7))
        d, offset = rng.uniform(0.1, 1, 2)
        values |= {f"D{j}": float(d), f"R{j}": float(offset)}
        turn = float(rng.uniform(-2, 2))
        rows.append({"alpha": angle, "d": f"D{j}"})
        rows[-1] |= {"sigma": 1, "theta": turn} if kind == "P" else {"sigma": 0, "r": f"R{j}"}
        number = eval(angle, {"pi": np.pi}) if isinstance(angle, str) else angle
        table.append([float(number), float(d), turn if kind == "P" else 0.0, 0.0 if kind == "P" else float(offset)])
    return Robot.from_table(order, rows).replace(values=values), table


def forward(order: str, table: list[list[float]], q: np.ndarray) -> np.ndarray:
    """Rx(alpha) Tx(d) Rz(theta) Tz(r) one after the other."""
    T = np.eye(4)
    for kind, (alpha, d, theta, r), x in zip(order, table, q, strict=True):
        theta, r = (theta, r + x) if kind == "P" else (theta + x, r)
        ca, sa, ct, st = np.cos(alpha), np.sin(alpha), np.cos(theta), np.sin(theta)
        step = [[ct, -st, 0, d], [ca * st, ca * ct, -sa, -sa * r], [sa * st, sa * ct, ca, ca * r], [0, 0, 0, 1]]
        T = T @ np.array(step)
    return T


def closed_form_of(order: str, seed: int, special: bool = False) -> None:
    """Solved in closed form; the position that made a pose is among the solutions, which all make it; in a batch the same."""
    rng = np.random.default_rng([seed, *order.encode()])
    for _ in range(50):  # until the pose leaves nothing free
        robot, table = random_arm(order, rng, special)
        if models.jacobian_determinant(robot).options["rows"] == ["vx", "vy", "vz", "wx", "wy", "wz"]:
            break
    solver = models.inverse_geometric(robot, method="paul")
    drawn = rng.uniform(-1, 1, (4, 6))
    poses = np.array([forward(order, table, q) for q in drawn])
    batch = solver.batch(poses)
    slides = np.array([kind == "P" for kind in order])
    for k, (q, T) in enumerate(zip(drawn, poses, strict=True)):
        result = solver(T)
        assert result.status == "reachable"
        misses = [np.abs(forward(order, table, x) - T).max() for x in result.solutions]
        assert max(misses) < 1e-8, misses
        apart = [np.abs(np.where(slides, x - q, (x - q + np.pi) % (2 * np.pi) - np.pi)).max() for x in result.solutions]
        assert min(apart) < 1e-6, apart
        np.testing.assert_allclose(batch.of(k), result.solutions, atol=1e-9)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("order", APART)
def test_slides_of_which_no_two_are_adjacent(order: str) -> None:
    closed_form_of(order, 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_any_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    closed_form_of(ORDERS[int(rng.integers(len(ORDERS)))], seed, special=True)


def test_there_are_twenty_orders() -> None:
    assert len(ORDERS) == 20
    assert APART == ["PRPRPR", "PRPRRP", "PRRPRP", "RPRPRP"]
