"""The centre of mass and its Jacobian: a sum over the links, dC/dt, and what counts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from built_in import OPEN
from models.kinematic.mass_states import random_placed, states
from models.kinematic.moving_frames import freed
from models.reference import frame_poses, numbers, tree_on_floats
from sweeps import crossed

import robosym
from robosym.models.kinematic.centre_of_mass import (
    centre_of_mass,
    centre_of_mass_jacobian,
    counted,
    linear_momentum,
    of_unit_mass,
)
from robosym.models.tree.composite import composites
from robosym.models.tree.world import World, WorldRoute
from robosym.program import Scope
from robosym.robot import Robot, RobotError
from robosym.spatial.vectors import AXES

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

TOLERANCE = 1e-10
STATES = 3


@pytest.mark.parametrize("name", OPEN)
def test_it_is_the_mean_of_the_links(name: str) -> None:
    """In frame 0, by multiplying matrices; the base does not count."""
    robot = robosym.load(name)
    (q,), _ = states(3, robot, 1)
    moment, mass = np.zeros(3), 0.0
    for j, pose in frame_poses(robot, q).items():
        if robot.carrier(j):
            *first, M = numbers(robot, robot.frame(j).link.inertial[6:])
            moment, mass = moment + pose[:3, :3] @ first + M * pose[:3, 3], mass + M
    found = centre_of_mass(robot, reference=0).evaluate(q=q)
    np.testing.assert_allclose(found, moment / mass, atol=1e-12)


# --- identities ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["rx90", "stanford", "puma560"])
def test_the_jacobian_is_the_slope_of_the_centre(name: str) -> None:
    robot = robosym.load(name)
    (q,), (qd,) = states(4, robot, 1)
    place, h = centre_of_mass(robot).compile(), 1e-6
    speed = (place(q=q + h * qd) - place(q=q - h * qd)) / (2 * h)
    np.testing.assert_allclose(centre_of_mass_jacobian(robot).compile()(q=q) @ qd, speed, atol=1e-8)


def test_frame_0_and_the_world_differ_by_the_pose_of_the_base() -> None:
    robot = random_placed(6, 6)
    assert robot.base.floating
    (q,), _ = states(5, robot, 1)
    T = robosym.models.transform(robot, frame=0, reference="world").evaluate(q=q)
    local = centre_of_mass(robot, reference=robot.base.name).evaluate(q=q)
    np.testing.assert_allclose(centre_of_mass(robot).evaluate(q=q), T[:3, :3] @ local + T[:3, 3], atol=1e-12)


@pytest.mark.parametrize(
    ("name", "form"),
    crossed(
        ["rx90", "stanford", "ur5"],
        [WorldRoute(sums, depth) for sums in (True, False) for depth in (None, 0, 1, 2)],
        every=3,
    ),
)
def test_every_form_gives_the_jacobian_on_floats(name: str, form: WorldRoute) -> None:
    robot = robosym.load(name)
    (q,), (qd,) = states(6, robot, 1)
    bodies = tree_on_floats(of_unit_mass(robot, counted(robot)), robot, {"q": q, "qd": qd, "qdd": qd})
    links = composites(bodies, Scope(), form.add_angles)
    world = World(bodies, AXES, Scope(), form)
    found = [world.vector(b.j, linear_momentum(b, links[b.j]), "J", b.j) for b in bodies.bodies]
    np.testing.assert_allclose(np.array(found).T, centre_of_mass_jacobian(robot).evaluate(q=q), atol=1e-12)


# --- what counts, and what is refused --------------------------------------------------------------------------------


def test_the_base_counts_where_it_moves() -> None:
    """A link of 1 kg at x = 1 on a base of 3 kg at its origin."""
    robot = Robot.from_table("two", [{"M": 1, "MX": 1}], base={"M": 3})
    assert centre_of_mass(robot).evaluate(q=[0]) == pytest.approx([1, 0, 0])
    assert centre_of_mass(freed(robot), reference=0).evaluate(q=[0] * 8) == pytest.approx([0.25, 0, 0])
    given = Robot.from_table("two", [{"M": 1, "MX": 1}], base={"M": 3, "angular_velocity": [0, 0, "W"]})
    assert centre_of_mass(given).evaluate(q=[0]) == pytest.approx([0.25, 0, 0])


def test_links_fixed_to_a_base_at_rest_do_not_count() -> None:
    robot = Robot.from_table("post", [{"sigma": "fixed", "d": 1, "M": 5}, {"d": 1, "M": 1}])
    assert centre_of_mass(robot).evaluate(q=[0.3]) == pytest.approx([2, 0, 0])
    assert centre_of_mass_jacobian(robot).evaluate(q=[0.3]) == pytest.approx(np.zeros((3, 1)))


@pytest.mark.parametrize("function", [centre_of_mass, centre_of_mass_jacobian])
def test_no_mass_is_refused(function: object) -> None:
    assert callable(function)
    robot = Robot.from_table("empty", [{"ZZ": 1}], base={"M": 3})
    with pytest.raises(RobotError, match=r"has no mass.*expected a link with a mass M"):
        function(robot)
    function(freed(robot))
    function(robot.replace(frames=(replace(robot.frame(1), link=robosym.load("rx90").frame(1).link),)))


def test_other_frames_are_refused() -> None:
    with pytest.raises(RobotError, match="reference: got 2, expected 'world' or 0"):
        centre_of_mass(robosym.load("rx90"), reference=2)
