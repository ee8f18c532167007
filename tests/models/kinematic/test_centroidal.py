"""The momentum about the centre of mass and its rate: M dC/dt, dAG/dt by differences, no torque from inside."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.kinematic.mass_states import states
from models.reference import frame_poses, loaded_robot, newton_euler, numbers, tree_on_floats
from sweeps import many

import robosym
from robosym.expr import number
from robosym.models.kinematic.centre_of_mass import centre_of_mass, counted, total_mass
from robosym.models.kinematic.centroidal import (
    centroidal_momentum,
    centroidal_momentum_rate,
    joint_columns,
    resultant,
    whole_robot,
)
from robosym.models.tree.composite import composites
from robosym.models.tree.motion import Recursion, motions
from robosym.models.tree.world import World, WorldRoute
from robosym.program import Scope
from robosym.robot import Robot, RobotError
from robosym.spatial.vectors import AXES, ZERO

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

TOLERANCE = 1e-10
STATES = 3
WITHOUT = (number(0), number(0), number(0))


# --- identities ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["rx90", "stanford", "ur5"])
def test_the_linear_momentum_is_the_mass_times_the_speed_of_the_centre(name: str) -> None:
    robot = robosym.load(name)
    (q,), (qd,) = states(3, robot, 1)
    mass = numbers(robot, [sum(robot.frame(j).link.M for j in robot.links if robot.carrier(j))])[0]
    place, h = centre_of_mass(robot).compile(), 1e-6
    speed = (place(q=q + h * qd) - place(q=q - h * qd)) / (2 * h)
    momentum = centroidal_momentum(robot).compile()(q=q) @ qd
    np.testing.assert_allclose(momentum[:3], mass * speed, atol=1e-7)


@pytest.mark.parametrize("name", ["rx90", "stanford", "puma560"])
def test_the_rate_is_the_slope_of_the_momentum_at_constant_speed(name: str) -> None:
    robot = robosym.load(name)
    (q,), (qd,) = states(4, robot, 1)
    matrix, h = centroidal_momentum(robot).compile(), 1e-6
    slope = (matrix(q=q + h * qd) - matrix(q=q - h * qd)) @ qd / (2 * h)
    np.testing.assert_allclose(centroidal_momentum_rate(robot).compile()(q=q, qd=qd), slope, atol=1e-7)


@pytest.mark.parametrize("seed", range(many(3)))
def test_the_rate_of_the_momentum_is_the_wrench_of_the_base(seed: int) -> None:
    """AG qdd + dAG/dt qd is what the base does to the arm where there is no gravity, by Newton-Euler."""
    rng = np.random.default_rng(seed)
    robot = loaded_robot(rng, 5, symbolic=False, moving_base=False).replace(gravity=WITHOUT)
    (q,), (qd,) = states(seed, robot, 1)
    qdd = rng.uniform(-2, 2, robot.nv)
    loads = newton_euler(robot, q, qd, qdd)
    moving = [j for j in robot.order if robot.carrier(j) == j]
    centre, poses = centre_of_mass(robot).evaluate(q=q), frame_poses(robot, q)
    expected = np.zeros(6)
    for force, moment, j in zip(loads.force, loads.moment, moving, strict=True):
        if robot.carrier(robot.frame(j).antecedent) == 0:
            R, p = poses[j][:3, :3], poses[j][:3, 3]
            expected += [*(R @ force), *(R @ moment + np.cross(p - centre, R @ force))]
    rate = centroidal_momentum(robot).evaluate(q=q) @ qdd + centroidal_momentum_rate(robot).evaluate(q=q, qd=qd)
    np.testing.assert_allclose(rate, expected, atol=1e-10 * max(1.0, np.abs(expected).max()))


@pytest.mark.mostly_slow(fast=5)
@pytest.mark.parametrize("form", [WorldRoute(sums, depth) for sums in (True, False) for depth in (None, 0, 1, 2)])
@pytest.mark.parametrize("name", ["rx90", "stanford", "ur5"])
def test_every_form_gives_the_matrix_on_floats(name: str, form: WorldRoute) -> None:
    robot = robosym.load(name)
    (q,), (qd,) = states(5, robot, 1)
    bodies = tree_on_floats(counted(robot), robot, {"q": q, "qd": qd, "qdd": qd})
    links = composites(bodies, Scope(), form.add_angles)
    world = World(bodies, AXES, Scope(), form)
    found = joint_columns(world, links, whole_robot(bodies, links, Scope()), total_mass(robot, bodies))
    columns = [[*linear, *angular] for linear, angular in found.values()]
    np.testing.assert_allclose(np.array(columns).T, centroidal_momentum(robot).evaluate(q=q), atol=1e-12)


@pytest.mark.parametrize("name", ["rx90", "stanford", "ur5"])
def test_the_rate_runs_on_floats(name: str) -> None:
    robot = robosym.load(name)
    (q,), (qd,) = states(6, robot, 1)
    still = replace(counted(robot).at_constant_speed(), gravity=ZERO)
    bodies = tree_on_floats(still, robot, {"q": q, "qd": qd, "qdd": qd})
    form = Recursion()
    load = resultant(bodies, motions(bodies, Scope(), form), Scope(), form)
    force, centre = np.array(load.force), np.array(load.first) / load.mass
    found = [*force, *(np.array(load.moment) - np.cross(centre, force))]
    np.testing.assert_allclose(found, centroidal_momentum_rate(robot).evaluate(q=q, qd=qd), atol=1e-12)


# --- what does not count, and what is refused -------------------------------------------------------------------------


def test_rotors_and_gravity_do_not_enter() -> None:
    robot = robosym.load("rx90")
    bare = robot.replace(gravity=WITHOUT, frames=tuple(replace(f, actuator=type(f.actuator)()) for f in robot.frames))
    for function in (centroidal_momentum, centroidal_momentum_rate):
        assert function(robot).program == function(bare).program


@pytest.mark.parametrize("function", [centroidal_momentum, centroidal_momentum_rate])
def test_what_has_no_momentum_of_qd_alone_is_refused(function: object) -> None:
    assert callable(function)
    with pytest.raises(RobotError, match="has no mass"):
        function(Robot.from_table("empty", [{"ZZ": 1}]))
    with pytest.raises(RobotError, match="base: has a motion of its own"):
        function(Robot.from_table("cart", [{"M": 1}], base={"velocity": [1, 0, 0]}))
