"""Transmissions and rotors against plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from models.driven_robots import driven_robot, jacobian_of_motors, rotors_of_motors
from models.reference import numbers
from sweeps import many

import robosym
from robosym.expr import expr
from robosym.models.tree.bodies import tree
from robosym.models.tree.drives import rotors_of, transmission_of
from robosym.robot import Robot

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")


def in_numbers(robot: Robot, matrix: list[list]) -> np.ndarray:
    return np.reshape(numbers(robot, [expr(x) for row in matrix for x in row]), (len(matrix),) * 2)


@pytest.mark.parametrize("symbolic", [True, False])
@pytest.mark.parametrize("seed", range(many(6)))
def test_j_and_its_inverse(seed: int, symbolic: bool) -> None:
    robot = driven_robot(np.random.default_rng(seed), 9, symbolic)
    found = transmission_of(robot)
    J = jacobian_of_motors(robot)
    np.testing.assert_allclose(in_numbers(robot, found.J), J, rtol=1e-15)
    np.testing.assert_allclose(in_numbers(robot, found.inverse) @ J, np.eye(len(J)), atol=1e-12)


@pytest.mark.parametrize("seed", range(many(6)))
def test_rotors_seen_from_the_joints(seed: int) -> None:
    """J^-T Jm J^-1 beside Ia: entries of one joint with its body, those between two joints with the tree."""
    robot = driven_robot(np.random.default_rng(seed), 9)
    bodies = tree(robot)
    own = bodies.coordinates
    found = {(b.j, b.j): b.rotor - robot.frame(b.j).actuator.Ia for b in bodies.bodies} | dict(bodies.coupled)
    seen = own.full(found)
    np.testing.assert_allclose(in_numbers(robot, seen), rotors_of_motors(robot), rtol=1e-10, atol=1e-10)


def test_a_motor_of_its_own_is_n_squared_jm() -> None:
    """[7.29], also without a reduction, and added to Ia."""
    rows = [{"ratio": 50, "motor": {"Jm": 2}, "Ia": 7}, {"motor": {"Jm": 3}}, {"Ia": "IA3"}]
    robot = Robot.from_table("r", rows)
    own = rotors_of(robot).own
    assert [own[1].value, own[2].value] == [5007, 3]
    assert own[3] is robot.frame(3).actuator.Ia
    assert rotors_of(robot).coupled == ()


def test_robots_without_motors_are_what_they_were() -> None:
    for name in ("rx90", "scara", "planar-3r"):
        robot = robosym.load(name)
        bodies = tree(robot)
        assert bodies.coupled == ()
        assert all(body.rotor is robot.frame(body.j).actuator.Ia for body in bodies.bodies)


def test_exact_couplings_stay_exact() -> None:
    """A differential: both motors turn one joint, their difference the other."""
    matrix = [["1/40", "1/40"], ["1/60", "-1/60"]]
    robot = Robot.from_table("wrist", [{}, {}], coupling=[{"frames": [1, 2], "matrix": matrix}])
    assert [[str(x) for x in row] for row in transmission_of(robot).inverse] == [["20", "30"], ["20", "-30"]]
