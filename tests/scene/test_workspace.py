"""Clouds of points that the tip can reach."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scene.float_geometry import placed

import robosym
from robosym.expr import number
from robosym.robot import Robot
from robosym.scene import workspace_points


@pytest.mark.parametrize("name", ["planar-2r", "five-bar", "delta"])
def test_points_are_where_the_tip_can_be(name: str) -> None:
    robot = robosym.load(name)
    points = np.frombuffer(workspace_points(robot, samples=300), "<f4").reshape(-1, 3)
    found = robosym.workspace(robot, samples=300).points
    assert points == pytest.approx(found, abs=1e-6)


def test_points_are_floats_of_four_bytes_one_after_the_other() -> None:
    found = workspace_points(robosym.load("planar-2r"), samples=7)
    assert isinstance(found, bytes)
    assert len(found) == 7 * 3 * 4


def on_a_base(robot: Robot, Z: np.ndarray) -> Robot:
    return robot.replace(base=replace(robot.base, location=tuple(number(float(v)) for v in Z.ravel())))


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["planar-2r", "panda", "five-bar", "planar-3rrr", "delta"])
def test_points_of_a_robot_on_a_placed_base_are_in_the_world(name: str) -> None:
    """As the viewer draws it: all of them moved with the base."""
    robot, Z = robosym.load(name), placed(0.3, -0.2, 1.0, 0.4, -0.5, 0.6)
    plain, there = (
        np.frombuffer(workspace_points(one, samples=200), "<f4").reshape(-1, 3) for one in (robot, on_a_base(robot, Z))
    )
    assert len(plain) > 40
    np.testing.assert_allclose(there, plain @ Z[:3, :3].T + Z[:3, 3], atol=1e-5)


def test_points_can_be_reached() -> None:
    """Of an arm of two links: not farther than both together, and some of them nearly as far."""
    points = np.frombuffer(workspace_points(robosym.load("planar-2r"), samples=2000), "<f4").reshape(-1, 3)
    L1, L2 = (robosym.load("planar-2r").values[name].number for name in ("L1", "L2"))
    far = np.linalg.norm(points, axis=1)
    assert L1 + L2 + 1e-6 >= far.max() > 0.99 * (L1 + L2)
    assert abs(L1 - L2) - 1e-6 <= far.min()
    assert not points[:, 2].any()


def test_a_number_of_samples_that_means_nothing() -> None:
    for samples in (0, -3, True, 2.5):
        with pytest.raises(robosym.RobosymError, match="samples"):
            workspace_points(robosym.load("planar-2r"), samples=samples)  # type: ignore[arg-type]
