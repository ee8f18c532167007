"""Which chain and which part of the pose: joints by their names, and arms that a position determines."""

from __future__ import annotations

import numpy as np
import pytest
from models.inverse_geometry.robots import CHAINS
from models.reference import frame_poses

import robosym
from robosym.models.inverse_geometry.chain.random_positions import stacked
from robosym.models.inverse_geometry.chain.task import chain_for, joint_frame, position_rank, task_for
from robosym.robot import Robot, RobotError


def test_tasks() -> None:
    assert task_for(chain_for(robosym.load("planar-2r")), "auto") == "position"
    assert task_for(chain_for(robosym.load("planar-3r")), "auto") == "pose"
    assert task_for(chain_for(robosym.load("scara")), "auto") == "pose"
    assert position_rank(chain_for(robosym.load("planar-3r"))) == 2
    assert position_rank(chain_for(robosym.load("stanford-3"))) == 3
    with pytest.raises(RobotError, match="expected 'auto', 'pose' or 'position'"):
        task_for(chain_for(robosym.load("scara")), "all")


def test_a_task_that_is_named_is_taken() -> None:
    chain = chain_for(robosym.load("planar-2r"))
    assert task_for(chain, "pose") == "pose"
    assert task_for(chain_for(robosym.load("puma560")), "position") == "position"


def test_four_joints_are_never_determined_by_a_position() -> None:
    rows = [
        {"sigma": "prismatic"},
        {"sigma": "prismatic", "alpha": "pi/2"},
        {"alpha": 0.4, "d": 0.2},
        {"alpha": 1.0, "d": 0.3},
    ]
    ends = [*rows, {"sigma": "fixed", "d": 0.3}]
    assert task_for(chain_for(Robot.from_table("four", ends)), "auto") == "pose"
    assert task_for(chain_for(Robot.from_table("three", ends[1:])), "auto") == "position"


@pytest.mark.parametrize("name", ["planar-3r", "scara", "zigzag", "gantry", "ur5"])
def test_the_rank_is_that_of_differences_of_the_end(name: str) -> None:
    robot, step = CHAINS[name](), 1e-6
    q = np.random.default_rng(1).uniform(-2, 2, robot.nq)
    ends = [
        [frame_poses(robot, q + sign * step * one)[len(robot.frames)][:3, 3] for sign in (1, -1)]
        for one in np.eye(robot.nq)
    ]
    J = np.array([(after - before) / (2 * step) for after, before in ends])
    assert position_rank(chain_for(robot)) == np.linalg.matrix_rank(J, tol=1e-6)


def test_joints_by_number_name_and_frame() -> None:
    rows = [{}, {"sigma": "fixed", "d": 0.1}, {"alpha": 0.4, "joint": "elbow", "name": "forearm"}, {"d": 0.2}]
    robot = Robot.from_table("named", rows)
    for joint in (3, "elbow", "forearm"):
        assert joint_frame(robot, 4, joint) == 3
    assert joint_frame(robot, 4, robot.frame(1).joint.name) == 1
    for joint, frame in ((2, 4), ("elbow", 1), (4, 3), ("nothing", 4)):
        with pytest.raises(RobotError, match=r"no joint .* moves the frame"):
            joint_frame(robot, frame, joint)
    with pytest.raises(RobotError, match=r"joints: q1, elbow\)"):
        joint_frame(robot, 3, 4)


def test_the_reference_is_the_base_or_the_world() -> None:
    location = [[0, -1, 0, 0.3], [1, 0, 0, -0.2], [0, 0, 1, 0.9], [0, 0, 0, 1]]
    robot = Robot.from_table("placed", [{}, {"d": 0.4}, {"d": 0.2}], base={"location": location})
    starts = {base: stacked(chain_for(robot, base=base).start, {}, 1)[0] for base in (0, "world")}
    np.testing.assert_array_equal(starts[0], np.eye(4))
    np.testing.assert_allclose(starts["world"], location, atol=1e-15)
    with pytest.raises(RobotError, match="reference: got 2, expected 0"):
        chain_for(robot, base=2)


def test_one_joint_moves_a_point_in_one_direction_or_none() -> None:
    turn, slide, own = {"d": 0.3}, {"sigma": "prismatic"}, {}
    for row, end, rank in ((turn, 0.4, 1), (slide, 0.0, 1), (own, 0.0, 0)):
        robot = Robot.from_table("one", [row, {"sigma": "fixed", "d": end}])
        assert position_rank(chain_for(robot)) == rank
