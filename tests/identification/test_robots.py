"""Robots of all kinds: the identified robot, as an object and as the file that is written, has the torques of the true one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from identification.synthetic import FRICTION, Motion, recipe, recording, torques
from models.driven_robots import driven_robot
from sweeps import crossed

import robosym
from robosym import models
from robosym.identification import identify
from robosym.robot import Robot


def check(robot: Robot, folder: Path, physical: bool, friction: tuple[str, ...] = FRICTION) -> None:
    centre = models.inverse_dynamics(robot).centre.get("q", 0.0)
    motion = Motion.random(np.random.default_rng(0), len(robot.moving), 0.5 if np.ndim(centre) == 0 else 0.08, centre)
    found = identify(recipe(robot, recording(robot, motion, seconds=12.0), friction=friction, physical=physical))
    q, qd, qdd = motion(np.linspace(50, 60, 40))
    expected = torques(robot, q, qd, qdd)
    size = np.abs(expected).max()
    np.testing.assert_allclose(found.predict({"q": q, "qd": qd, "qdd": qdd}), expected, atol=1e-9 * size)
    tolerance = 1e-5 if physical else 1e-9
    for one in (found.robot, robosym.load(found.report(folder)["toml"])):
        np.testing.assert_allclose(torques(one, q, qd, qdd), expected, atol=tolerance * size)


@pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
@pytest.mark.parametrize(
    ("name", "physical"), crossed(["stanford", "ur5", "five-bar", "sr400", "slider-crank"], [False, True], every=3)
)
def test_the_robot_that_is_written(name: str, physical: bool, tmp_path: Path) -> None:
    if physical:
        pytest.importorskip("cvxpy")
    check(robosym.load(name), tmp_path, physical)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
@pytest.mark.parametrize("physical", [False, True])
def test_coupled_motors_with_rotors_of_their_own(physical: bool, tmp_path: Path) -> None:
    """Two motors that both turn with two joints: their inertias are not negative."""
    robot = driven_robot(np.random.default_rng(3), 4, couplings=1)
    assert robot.couplings
    check(robot, tmp_path, physical, (*FRICTION, "coupled"))


def test_names_of_rotors_are_not_those_of_coupled_ones() -> None:
    robot = driven_robot(np.random.default_rng(2), 4, couplings=1)
    names, _ = models.regressor(robot, friction=[*FRICTION, "coupled"]).standard_map()
    assert len(set(names)) == len(names)
