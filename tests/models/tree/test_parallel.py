"""Links that keep parallel: found by their joints, and their second moments are one body's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.loops.closed_reference import Closed
from models.loops.closed_states import clear_states, named, output
from models.reference import frame_poses

import robosym
from robosym import models
from robosym.expr import evaluate, number, parameter, pi, variable
from robosym.models.loops.assembled import assembled
from robosym.models.tree.bodies import Tree, tree
from robosym.models.tree.parallel import parallel_links, rotation_between, straightened
from robosym.models.tree.regrouping import regrouped
from robosym.robot import Mimic
from robosym.spatial.rotations import Turn, into
from robosym.spatial.scalar import is_zero


def bodies(name: str) -> Tree:
    return tree(assembled(named(name)))


def test_sides_of_parallelograms_are_parallel() -> None:
    assert parallel_links(bodies("sr400")) == [(2, 8), (3, 7, 9)]
    assert parallel_links(bodies("five-bar")) == [(1, 4), (2, 3, 5)]
    assert parallel_links(bodies("palletizer"))[0][:3] == (1, 6, 8)  # the column, the triangle, the hand
    assert parallel_links(bodies("four-bar")) == [(3, 4)]  # the cut joint's frame is on the rocker
    assert not parallel_links(tree(robosym.load("sr400").equivalent_tree))


@pytest.mark.parametrize("name", ["sr400", "palletizer", "parallelogram/0", "driven-parallelogram/0", "palletizer/3"])
def test_the_rotation_between_parallel_links_is_that_of_their_poses(name: str) -> None:
    """At any position, by the tests' own geometry; axes of random ones are turned over."""
    robot, found = named(name), bodies(name)
    values = {key: value.number for key, value in robot.values.items()}
    groups = parallel_links(found)
    assert groups
    for state in clear_states(robot, None, 2):
        poses = frame_poses(Closed(robot).tree, state.x)
        for first, *others in groups:
            for j in others:
                wanted = (poses[first][:3, :3].T if first else np.eye(3)) @ poses[j][:3, :3]
                rotation = rotation_between(found, first, j)
                columns = [into(rotation, tuple(map(number, axis))) for axis in np.eye(3, dtype=int).tolist()]
                numbers = [evaluate([number(0) + x for x in column], values) for column in columns]
                np.testing.assert_allclose(numbers, wanted, atol=1e-12)


def test_half_turns_about_x_are_made_last() -> None:
    a, b, c = variable("a"), variable("b"), parameter("c")
    over = Turn("x", pi)
    assert straightened([Turn("z", a), over, Turn("z", b)]) == (Turn("z", a - b), over)
    assert straightened([over, Turn("z", a), over, Turn("z", a)]) == ()
    assert straightened([over, Turn("x", c), Turn("z", a)]) == (Turn("x", c), Turn("z", -a), over)


def test_a_dependent_joint_can_keep_links_parallel() -> None:
    robot = robosym.load("planar-3r")
    level = replace(robot.frame(3).joint, mimic=Mimic(2, number(-1), number(0)))
    tied = robot.replace(frames=(*robot.frames[:2], replace(robot.frame(3), joint=level)))
    assert parallel_links(tree(tied)) == [(1, 3)]


# --- what it is for --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sr400", "five-bar", "palletizer", "driven-parallelogram/6"])
def test_one_link_of_a_group_has_the_second_moments_of_all(name: str) -> None:
    found = regrouped(bodies(name))
    inertias = {body.j: body.inertia for body in found.bodies}
    for group in parallel_links(found):
        filled = [j for j in group if j and any(not is_zero(x) for x in inertias[j].sigma)]
        assert len(filled) <= (0 if group[0] == 0 else 1)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["sr400", "palletizer", "parallelogram/4", "driven-parallelogram/0", "palletizer/2"])
def test_torques_and_accelerations_stay(name: str) -> None:
    robot = named(name)
    reference = Closed(robot)
    inverse, forward = (make(robot).evaluate for make in (models.inverse_dynamics, models.forward_dynamics))
    for s in clear_states(robot, None, 3):
        wanted = reference.inverse(s.x, s.qd, s.qdd)
        found = output(inverse(q=s.q, qd=s.qd, qdd=s.qdd), "tau")
        np.testing.assert_allclose(found, wanted, atol=1e-11 * np.abs(wanted).max())
        np.testing.assert_allclose(output(forward(q=s.q, qd=s.qd, tau=wanted), "qdd"), s.qdd, atol=1e-9)


def test_operations_of_the_sr400() -> None:
    """With the wrench of the flange on the environment."""
    robot = robosym.load("sr400")
    assert models.inverse_dynamics(robot).operations.total <= 530
    assert models.forward_dynamics(robot).operations.total <= 850
