"""Poses of a platform from positions of its motors: near a pose, and all of them."""

from __future__ import annotations

import numpy as np
import pytest
from models.parallel import reference
from models.parallel.platform_cases import BUILT_IN, SWEPT, built_in, case_of, same_pose, tried
from models.parallel.platform_model import rotation

import robosym
from robosym import models
from robosym.errors import RobosymError
from robosym.models.parallel.places import home
from robosym.models.parallel.structure import module_of
from robosym.robot import RobotError


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", [*BUILT_IN, *SWEPT])
def test_near_home(name: str) -> None:
    """The routine, interpreted from the home of the description, which is a little away."""
    robot, states = case_of(name)
    model = models.direct_geometric(robot)
    for state in states:
        found = tried(model, state)
        assert found["assembled"] == 1
        assert found["residual"] < 1e-9
        assert same_pose(found["pose"], state.pose) < 1e-9


def test_near_and_all() -> None:
    robot, states = built_in("delta")
    model, state = models.direct_geometric(robot), states[0]
    T = model(state.q, near=state.pose)
    assert np.abs(T[:3, :3] - rotation(state.pose)).max() < 1e-12
    assert np.abs(T[:3, 3] - state.pose[:3]).max() < 1e-9
    found = model(state.q)
    assert len(found) == 2
    assert found.complete
    assert min(np.abs(pose - T).max() for pose in found.poses) < 1e-8


def test_the_forty_modes_of_dietmaiers_platform() -> None:
    """All are real, none is the same as another, and each leg has its length at each."""
    robot = robosym.load("gough-stewart-40")
    place = home(module_of(robot))
    q = np.array([place.position[j] for j in robot.moving])
    found = models.direct_geometric(robot)(q)
    assert len(found) == 40
    assert found.complete
    poses = np.array(found.poses).reshape(40, 16)
    apart = np.abs(poses[:, None] - poses[None]).max(axis=2) + 9 * np.eye(40)
    assert apart.min() > 1e-4
    solver = models.inverse_geometric(robot)
    for T in found.poses:
        assert np.abs(solver(T, normalise=True).solutions - q).max(axis=1).min() < 1e-8


def test_out_of_reach_is_an_error_and_wrong_shapes_too() -> None:
    robot, states = built_in("delta")
    model = models.direct_geometric(robot)
    with pytest.raises(RobosymError, match="no pose was found near"):
        model(np.array([0.0, 0.0, 3.0]), near=states[0].pose)
    with pytest.raises(RobosymError, match=r"q: got shape \(2,\), expected \(3,\)"):
        model([0, 0], near=states[0].pose)
    with pytest.raises(RobosymError, match="quaternion has length"):
        model(states[0].q, near=[*states[0].pose[:3], 0, 0, 0, 3])
    with pytest.raises(RobotError, match="platform"):
        models.direct_geometric(robosym.load("rx90"))


def test_reference_finds_the_same_pose_from_afar() -> None:
    """From a start that is turned and moved, in the same assembly."""
    robot, states = built_in("gough-stewart")
    model, state = models.direct_geometric(robot), states[1]
    start = state.pose + np.array([0.1, -0.1, 0.1, 0.1, -0.1, 0.1, 0])
    start[3:] /= np.linalg.norm(start[3:])
    found = tried(model, state, start=start)
    pose, _, error = reference.platform_at(robot, state.q, start, state.legs)
    assert error < 1e-12
    assert same_pose(found["pose"], pose) < 1e-9
