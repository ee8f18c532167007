"""Joints of several axes as chains of elementary joints."""

from __future__ import annotations

import numpy as np
import pytest
from random_joint_kinds import KINDS, joint_tree

from robosym.robot import FIXED, PRISMATIC, REVOLUTE
from robosym.robot.chains import elementary, speed_symbols
from robosym.robot.joints import Ball, JointKind, Universal


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_frames_of_the_description_keep_their_numbers(kind: JointKind) -> None:
    robot = joint_tree([REVOLUTE, kind, PRISMATIC], np.random.default_rng(1), serial=True)
    tree = elementary(robot)
    assert [frame.name for frame in tree.frames[:3]] == [frame.name for frame in robot.frames]
    assert [tree.frame(j).link for j in (1, 2, 3)] == [frame.link for frame in robot.frames]
    assert tree.coordinates == robot.coordinates
    assert (tree.nq, tree.nv, tree.n_links) == (robot.nq, robot.nv, 3)
    chain = tree.chains[2]
    assert chain.frames[-1] == 2
    assert [tree.frame(i).sigma for i in chain.frames] == [
        PRISMATIC if step.slides else REVOLUTE for step in chain.steps
    ]
    assert all(i > 3 and not any(not x.is_zero for x in tree.frame(i).link.inertial) for i in chain.inner)
    assert not chain.placed or tree.frame(chain.placed).sigma == FIXED
    order = tree.order
    assert all(order.index(tree.frame(j).antecedent) < order.index(j) for j in order if tree.frame(j).antecedent)


def test_any_other_robot_stays_as_it_is() -> None:
    robot = joint_tree([REVOLUTE, PRISMATIC], np.random.default_rng(1))
    assert elementary(robot) is robot
    chained = elementary(joint_tree([Ball()], np.random.default_rng(1)))
    assert elementary(chained) is chained


def test_symbols_of_speeds() -> None:
    assert [x.name for x in speed_symbols(3, 2)] == ["qd3_1", "qd3_2"]
    assert [x.name for x in speed_symbols(3, 1, "tau")] == ["tau3"]


def test_a_placed_frame_has_the_motions_of_its_quaternion() -> None:
    robot = elementary(joint_tree([Ball()], np.random.default_rng(1)))
    (chain,) = robot.chains.values()
    assert robot.motions(chain.placed)[-1] in chain.placement
    (plain,) = elementary(joint_tree([Universal()], np.random.default_rng(1))).chains.values()
    assert plain.placed == 0
