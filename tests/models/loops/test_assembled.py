"""Dynamics with closed loops against Lagrange multipliers on Pinocchio's tree, and Pinocchio's own constraints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.loops.closed_reference import Closed
from models.loops.closed_states import clear_states, modes, named, output
from models.loops.random_mechanisms import KINDS
from models.loops.special_mechanisms import with_numbers, without_cut_rotors
from models.reference import newton_euler, relative_error
from par_files import par_file
from sweeps import some

import robosym
from robosym import models
from robosym.expr import number
from robosym.robot import FIXED, Robot, RobotError

BUILT_IN = ("four-bar", "five-bar", "sr400")
TOLERANCE = 1e-10


def wrenches(robot: Robot, rng: np.random.Generator) -> tuple[dict[int, np.ndarray], np.ndarray]:
    """Of all links, and the rows of the input."""
    rows = {j: rng.uniform(-2, 2, 6) for j in robot.links if robot.frame(j).sigma != FIXED}
    return rows, np.array(list(rows.values()))


def check_dynamics(robot: Robot, mode: str, count: int = 3) -> None:
    """With friction, rotors of all joints, and a wrench on every link."""
    reference, rng = Closed(robot), np.random.default_rng(5)
    inverse = models.inverse_dynamics(robot, mode=mode, friction=True, wrench="all").evaluate
    forward = models.forward_dynamics(robot, mode=mode, friction=True, wrench="all").evaluate
    for state in clear_states(robot, mode, count):
        q, qd, x = state.q, state.qd, state.x
        assert reference.residual(x) < 1e-13
        pushed, rows = wrenches(robot, rng)
        tau = output(inverse(q=q, qd=qd, qdd=state.qdd, wrench=rows), "tau")
        assert relative_error(tau, reference.inverse(x, qd, state.qdd, pushed, friction=True)) < TOLERANCE
        qdd = output(forward(q=q, qd=qd, tau=state.tau, wrench=rows), "qdd")
        expected = reference.forward(x, qd, state.tau, pushed, friction=True)[reference.driven]
        assert relative_error(qdd, expected) < TOLERANCE
        assert relative_error(output(forward(q=q, qd=qd, tau=tau, wrench=rows), "qdd"), state.qdd) < 1e-9


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_robots_in_every_mode(name: str) -> None:
    for mode in modes(name):
        check_dynamics(named(name), mode)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("kind", some(KINDS, 3))
def test_random_mechanisms_in_two_modes(kind: str) -> None:
    """In the first and in the last, in which every loop is the other way round: one kind in the one, the next in the other."""
    name = f"{kind}/0"
    for mode in some((modes(name)[0], modes(name)[-1])[:: 1 - 2 * (list(KINDS).index(kind) % 2)], every=2):
        check_dynamics(named(name), mode, 2)


@pytest.mark.slow
@pytest.mark.parametrize("file", ["SR400", "rhombus"])
def test_robots_in_files(file: str) -> None:
    """With numbers for all that has none."""
    robot = with_numbers(robosym.load(par_file(file)))
    for mode in models.loop_geometry(robot).modes:
        check_dynamics(robot, mode, 2)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["four-bar", "five-bar", "sr400", "four-bar/1", "palletizer/0", "spherical/1"])
def test_forward_dynamics_is_that_of_pinocchios_constraints(name: str) -> None:
    """Cut joints of the random ones have rotors, which Pinocchio's tree has no joint for: they are taken out."""
    robot = without_cut_rotors(named(name))
    mode = models.loop_geometry(robot).mode
    reference = Closed(robot)
    forward = models.forward_dynamics(robot, mode=mode, wrench="none").evaluate
    for state in clear_states(robot, mode, 3):
        qdd = output(forward(q=state.q, qd=state.qd, tau=state.tau), "qdd")
        assert relative_error(qdd, reference.constraint_dynamics(state.x, state.qd, state.tau)) < 1e-9


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["four-bar/1", "rod/0", "spherical/1", "sr400"])
def test_on_a_base_that_moves(name: str) -> None:
    """The loops do not know of it; the links do."""
    still, rng = named(name), np.random.default_rng(1)
    motion = ("angular_velocity", "angular_acceleration", "velocity", "acceleration")
    given = {key: tuple(number(float(x)) for x in rng.uniform(-1, 1, 3)) for key in motion}
    robot = still.replace(base=replace(still.base, **given))
    reference = Closed(still)
    inverse = models.inverse_dynamics(robot, wrench="none", friction=True).evaluate
    forward = models.forward_dynamics(robot, wrench="none", friction=True).evaluate
    for state in clear_states(still, None, 2):
        G = reference.projection(state.x)
        xd = G @ state.qd
        xdd = reference.accelerations(state.x, xd, state.qdd)
        expected = G.T @ newton_euler(robot.replace(loops=0), state.x, xd, xdd, friction=True).tau
        tau = output(inverse(q=state.q, qd=state.qd, qdd=state.qdd), "tau")
        assert relative_error(tau, expected) < TOLERANCE
        assert relative_error(output(forward(q=state.q, qd=state.qd, tau=tau), "qdd"), state.qdd) < TOLERANCE


def test_reactions_inside_the_tree_are_refused() -> None:
    """Without the wrenches over the cut joints they are those of another robot."""
    with pytest.raises(RobotError, match="constraint_wrenches"):
        models.inverse_dynamics(named("four-bar"), reactions=True)
