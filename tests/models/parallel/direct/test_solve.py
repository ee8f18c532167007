"""Assembly modes of robots, from their description."""

from __future__ import annotations

import numpy as np
import pytest
from models.parallel.direct_robots import known, lengths, random_pose, struts
from models.parallel.platform_model import pose_of
from models.parallel.reference import closure_error, joints_of

import robosym
from robosym.errors import RobosymError
from robosym.models.parallel.direct.solve import assembly_modes
from robosym.robot import Robot

BUILT_IN = {
    "gough-stewart-40": ("spheres", 40),
    "gough-stewart": ("spheres", 8),
    "planar-3rrr": ("planar", 2),
    "delta": ("translation", 2),
    "orthoglide": ("translation", 2),
}


def home_of(robot: Robot) -> np.ndarray:
    return np.array([robot.frame(j).joint.position for j in robot.moving], float)


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_robots(name: str) -> None:
    robot = robosym.load(name)
    found = assembly_modes(robot, home_of(robot))
    assert (found.method, len(found)) == BUILT_IN[name]
    assert found.complete
    assert found.residuals.max() < 1e-12


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("kind", ["6-UPS", "6-RUS", "6-PUS", "6-UPS-wrist", "planar-3-RRR", "3-RUU", "3-UPU", "3-RPS"])
@pytest.mark.parametrize("seed", range(2))
def test_the_home_pose_is_found_and_all_legs_close(kind: str, seed: int) -> None:
    """Against a model of the legs in Pinocchio, with the passive joints of the result."""
    robot, q, home = known(kind, seed)
    found = assembly_modes(robot, q)
    assert found.near(home)[1] < 1e-8
    assert found.passive is not None
    own = dict(zip(robot.joint_names, q, strict=True))
    for T, passive in zip(found, found.passive, strict=True):
        positions = own | dict(zip(found.passive_names, passive, strict=True))
        legs = np.array([positions[robot.frame(j).joint.name] for j in joints_of(robot)])
        assert closure_error(robot, pose_of(T[:3, :3], T[:3, 3]), legs) < 1e-9


def test_struts_made_by_hand() -> None:
    rng = np.random.default_rng(9)
    points, centres, T = rng.normal(size=(6, 3)), rng.normal(size=(6, 3)), random_pose(rng)
    found = assembly_modes(struts(points, centres), lengths(points, centres, T))
    assert found.near(T)[1] < 1e-9
    assert len(found) % 2 == 0
    assert len(found.passive_names) == 12


def test_parameters_are_those_given() -> None:
    robot = robosym.load("planar-3rrr")
    one = assembly_modes(robot, home_of(robot), {"L2": 0.35})
    other = assembly_modes(robot.replace(values={**robot.values, "L2": robosym.robot.Value(0.35)}), home_of(robot))
    np.testing.assert_array_equal(one.poses, other.poses)
    assert np.abs(one.poses - assembly_modes(robot, home_of(robot)).poses).max() > 1e-3


def test_modes_out_of_reach() -> None:
    robot = robosym.load("delta")
    found = assembly_modes(robot, home_of(robot), {"RB": 50.0})
    assert len(found) == 0


@pytest.mark.parametrize(
    ("q", "parameters", "said"),
    [
        ([0.1, 0.2], None, "q: expected 3 numbers"),
        ([0.1, np.nan, 0.2], None, "q"),
        ([[0.1, 0.1, 0.2]], None, "q: expected 3 numbers"),
        ("abc", None, "q"),
        ([0.1, 0.1, 0.2], {"nothing": 1.0}, "nothing"),
        ([0.1, 0.1, 0.2], {"L2": np.nan}, "L2"),
        ([0.1, 0.1, 0.2], {"L2": [1.0, 2.0]}, "L2"),
    ],
)
def test_wrong_input_is_refused(q: object, parameters: dict | None, said: str) -> None:
    with pytest.raises(RobosymError, match=said):
        assembly_modes(robosym.load("planar-3rrr"), q, parameters)


def test_robots_without_a_platform_or_without_values_are_refused() -> None:
    with pytest.raises(RobosymError, match="one platform"):
        assembly_modes(robosym.load("rx90"), np.zeros(6))
    robot = robosym.load("planar-3rrr")
    values = {name: value for name, value in robot.values.items() if name != "L1"}
    with pytest.raises(RobosymError, match="L1"):
        assembly_modes(robot.replace(values=values), home_of(robot))
