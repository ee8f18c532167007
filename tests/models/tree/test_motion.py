"""The motion of every link: plain kinematics in the axes of the base, and U = skew(wd) + skew(w)^2."""

from __future__ import annotations

import numpy as np
import pytest
from models.reference import _joint_rates, _motion, numbers
from models.tree.float_trees import SOURCES, float_tree

from robosym.models.tree.motion import Recursion, acceleration_matrix, motions
from robosym.program import Scope

WAYS = [Recursion(), Recursion(classical=True), Recursion(add_angles=False)]


def skew(a: np.ndarray) -> np.ndarray:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


@pytest.mark.mostly_slow(fast=18)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("moving_base", [False, True])
@pytest.mark.parametrize("source", SOURCES)
def test_every_way_gives_the_motion_of_the_links(source: int | str, moving_base: bool, way: Recursion) -> None:
    case = float_tree(source, moving_base)
    robot, state = case.robot, case.state
    expected = _motion(robot, state["q"], *(_joint_rates(robot, state[name]) for name in ("qd", "qdd")))
    gravity = np.array(numbers(robot, robot.gravity))
    found = motions(case.tree, Scope(), way)
    for body in case.tree.bodies:
        one, their = found[body.j], expected[body.j]
        w, wd = their.R.T @ their.w, their.R.T @ their.wd
        scale = max(1.0, np.abs(their.a).max(), np.abs(wd).max(), np.abs(w).max() ** 2)
        np.testing.assert_allclose(one.w, w, atol=1e-12 * scale)
        np.testing.assert_allclose(one.wd, wd, atol=1e-12 * scale)
        np.testing.assert_allclose(one.vd, their.R.T @ (their.a - gravity), atol=1e-12 * scale)
        np.testing.assert_allclose(np.array(one.U).T, skew(wd) + skew(w) @ skew(w), atol=1e-12 * scale)


def test_the_acceleration_matrix() -> None:
    w, wd = np.array([1.0, -2.0, 0.5]), np.array([0.3, 0.7, -1.1])
    found = np.array(acceleration_matrix(tuple(w), tuple(wd))).T
    np.testing.assert_allclose(found, skew(wd) + skew(w) @ skew(w), atol=1e-15)
