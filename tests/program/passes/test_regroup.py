"""Pairs of terms of which much cancels: what is taken out of a sum is what the sum had."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from models.pinocchio_states import Twin, pin
from program.random_graphs import small_graph
from random_robots import random_inertia, random_robot

from robosym import models
from robosym.expr import number, pi, variable
from robosym.program import optimised
from robosym.robot import FIXED, INERTIA, REVOLUTE, Link, Robot

a, b, c, d, e = (variable(name) for name in "abcde")


def test_regrouping_shares_a_pair_of_terms_whatever_their_signs() -> None:
    program = optimised(small_graph(a + b + c, a + b + d, e - a - b))
    assert (program.operations.mul, program.operations.add) == (0, 4)


def test_regrouping_shares_a_pair_of_factors() -> None:
    program = optimised(small_graph(a * b * c, a * b * d, a * b * e))
    assert program.operations.mul == 4


def turned_links(rng: np.random.Generator) -> Robot:
    """Links on a free base about axes that stand at angles whose sine and cosine are equal, in which sums meet their differences."""
    robot = random_robot(rng, int(rng.integers(1, 4)))
    frames = []
    for frame in robot.frames:
        gamma = pi * Fraction(int(rng.choice([1, 3, 5, 7])), 4)
        d = number(float(rng.uniform(0.2, 0.6)))
        alpha = number(float(rng.uniform(-1, 1)))
        frames.append(replace(frame, gamma=gamma, d=d, alpha=alpha) if frame.sigma in (REVOLUTE, FIXED) else frame)
    link = Link(**dict(zip(INERTIA, map(number, random_inertia(rng)), strict=True)))
    return robot.replace(frames=tuple(frames), base=replace(robot.base, floating=True, link=link))


def same_mass_matrix(seed: int) -> None:
    """The inertia matrix of such a robot beside Pinocchio's."""
    rng = np.random.default_rng(seed)
    robot = turned_links(rng)
    twin = Twin.of_robot(robot)
    q = np.concatenate([rng.normal(size=7), rng.uniform(-2, 2, len(robot.moving))])
    q[3:7] /= np.linalg.norm(q[3:7])
    upper = np.triu(pin.crba(twin.model, twin.data, twin.configuration(q)))
    whole = upper + np.triu(upper, 1).T
    found = models.inertia_matrix(robot).evaluate(q=q)
    np.testing.assert_allclose(found, twin.spread.T @ whole @ twin.spread, atol=1e-11, err_msg=str((seed, robot)))


@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_lost_where_sums_meet_their_differences(seed: int) -> None:
    same_mass_matrix(seed)
