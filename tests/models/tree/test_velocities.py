"""Velocities of the links: the rates of their poses, by differences."""

from __future__ import annotations

import numpy as np
import pytest
from models.reference import frame_poses
from models.tree.float_trees import SOURCES, float_tree

from robosym.models.tree.velocities import Speed, speeds
from robosym.program import Scope

STEP = 1e-6


@pytest.mark.parametrize("add_angles", [True, False])
@pytest.mark.parametrize("linear_too", [True, False])
@pytest.mark.parametrize("source", SOURCES)
def test_they_are_the_rates_of_the_poses(source: int | str, add_angles: bool, linear_too: bool) -> None:
    case = float_tree(source)
    q, qd = case.state["q"], case.state["qd"]
    after, before = (frame_poses(case.robot, q + sign * STEP * qd) for sign in (1, -1))
    found = speeds(case.tree, Scope(), add_angles=add_angles, linear_too=linear_too)
    for body in case.tree.bodies:
        rate, R = (after[body.j] - before[body.j]) / (2 * STEP), case.R(body.j)
        spin = R.T @ rate[:3, :3]
        speed = found[body.j]
        np.testing.assert_allclose(speed.angular, [spin[2, 1], spin[0, 2], spin[1, 0]], atol=1e-7)
        np.testing.assert_allclose(speed.linear, R.T @ rate[:3, 3], atol=1e-7)


@pytest.mark.parametrize("source", SOURCES)
def test_a_moving_base_adds_its_own(source: int | str) -> None:
    """w and v + w x p of the base, seen in each frame."""
    case, w, v = float_tree(source), np.array([0.5, -1.0, 0.3]), np.array([1.0, 0.2, -0.4])
    still, moved = speeds(case.tree, Scope()), speeds(case.tree, Scope(), Speed(tuple(w), tuple(v)))
    for body in case.tree.bodies:
        R, p = case.R(body.j), case.p(body.j)
        np.testing.assert_allclose(np.subtract(moved[body.j].angular, still[body.j].angular), R.T @ w, atol=1e-12)
        change = np.subtract(moved[body.j].linear, still[body.j].linear)
        np.testing.assert_allclose(change, R.T @ (v + np.cross(w, p)), atol=1e-12)
