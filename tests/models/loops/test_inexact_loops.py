"""Loops with more equations than joints, whose lengths are written with few digits: they miss each other by 1e-8 of their size."""

from __future__ import annotations

import math
from contextlib import suppress

import numpy as np
import pytest
from models.loops.path_following import placement, random_pose
from sweeps import many

import robosym
from robosym import models
from robosym.robot import Robot, RobotError


def rods(rng: np.random.Generator, miss: float, count: int = 2) -> tuple[Robot, float]:
    """A plate that turns another one by parallel rods: one is enough, the others close only if all are as long. The
    last is longer by ``miss`` of the size; ``at`` is where the driven plate is described, and the second is parallel to it."""
    size = 10 ** rng.uniform(-2, 1)
    length = float(size * rng.uniform(0.5, 1.0))
    radii = [float(x) for x in size * rng.uniform(0.2, 0.4, count)]
    spread = [float(x) for x in 2 * math.pi * np.arange(count) / count + rng.uniform(-0.3, 0.3, count)]
    at = float(rng.uniform(0.7, 1.2))  # away from where rods lie on the line between the axes
    ground = placement(random_pose(rng))
    rows: list[dict[str, object]] = [
        {"name": "ground", "antecedent": 0, "sigma": "fixed", **ground},
        {"joint": "motor", "antecedent": "ground", "position": at},
        {"joint": "plate", "antecedent": "ground", "d": length, "position": at, "active": False},
    ]
    for k in range(count):
        rod = {"joint": f"rod{k}", "antecedent": 2, "gamma": spread[k], "d": radii[k], "active": False}
        rows.append({**rod, "position": -at - spread[k]})
    for k in range(count):
        longer = length + (miss * size if k == count - 1 else 0.0)
        cut = {"joint": f"cut{k}", "antecedent": 4 + k, "d": longer, "active": False, "position": at + spread[k]}
        rows.append(cut)
    for k in range(count):
        rows.append({"joint": f"twin{k}", "antecedent": 3, "gamma": spread[k], "d": radii[k], "sigma": "fixed"})
    return Robot.from_table("rods", rows, loops=count), at


def check_inexact_rods(seed: int) -> None:
    """Accepted, and where the exact robot is; a loop that misses by more than a millionth of its size is not closed."""
    rng = np.random.default_rng([seed, 6])
    miss = float(rng.choice([0.0, 1e-12, 1e-10, 1.7e-8, -3e-8]))
    robot, at = rods(rng, miss)
    assert robosym.mobility(robot).mobility == 1
    geometry = models.loop_geometry(robot)
    q = at + np.linspace(-0.3, 0.3, 7)
    found = geometry.compile()(q=q[:, None])
    assert (found["assembled"] == 1).all()
    turned = geometry.by_name(found)["plate"]
    np.testing.assert_allclose(np.remainder(turned - q + 1, 2 * math.pi) - 1, 0, atol=1e-6)


def check_wrong_rods(seed: int) -> None:
    rng = np.random.default_rng([seed, 7])
    robot, _ = rods(rng, float(rng.choice([1e-4, 1e-3, -1e-2])))
    with suppress(RobotError):  # it cannot be assembled anywhere
        assert robosym.mobility(robot).mobility == 0  # or is a structure
    with pytest.raises(RobotError, match="cannot be assembled"):
        models.loop_geometry(robot)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("seed", range(many(4)))
def test_rods_that_miss_by_rounding(seed: int) -> None:
    check_inexact_rods(seed)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", range(many(2)))
def test_rods_of_different_lengths_are_refused(seed: int) -> None:
    check_wrong_rods(seed)
