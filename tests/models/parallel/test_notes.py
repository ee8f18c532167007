"""Notes of generated code: coordinates, motors, modes and home."""

from __future__ import annotations

import numpy as np
from models.parallel.moving_platforms import moving
from models.parallel.random_platforms import random_platform
from scipy.spatial.transform import Rotation

import robosym
from robosym.models.parallel.coordinates import platform_coordinates
from robosym.models.parallel.kinematics import modes_of
from robosym.models.parallel.notes import WORDS, home_matrix, home_pose, notes_of, with_fixed_parameters
from robosym.models.parallel.pose import POSE, TWIST
from robosym.models.parallel.structure import module_of
from robosym.program import Scope


def test_what_is_said_of_a_platform() -> None:
    robot, *_ = random_platform("6-UPS-wrist", 4)
    own = platform_coordinates(robot, modes_of(robot).default, Scope(), 0)
    module = own.module
    names = [robot.frame(j).joint.name for j in module.motors]
    said = notes_of(own)
    assert said[0] == f"Motors: {', '.join(names)}"
    assert said[1].startswith("Joints on the platform: ")
    assert all(robot.frame(j).joint.name in said[1] for j in module.carried_joints)
    assert not any(line.startswith("Components") for line in said)
    delta = robosym.load("delta")
    motion = platform_coordinates(delta, modes_of(delta).default, Scope(), 0)
    lines = notes_of(motion)
    assert lines[-1] == f"Components of the twist that are free: {motion.space.words}"
    assert f"Legs in working mode: {motion.mode}" in lines or motion.mode == "only"


def test_home_is_the_pose_of_the_description() -> None:
    at = moving("3-RPS")
    T, pose = home_matrix(at.motion.module), np.array(home_pose(at.motion))
    np.testing.assert_array_equal(pose[:3], T[:3, 3])
    np.testing.assert_allclose(Rotation.from_quat(pose[3:]).as_matrix(), T[:3, :3], atol=1e-12)


def test_models_have_the_notes_of_their_arrays_and_start_at_home() -> None:
    robot = robosym.load("planar-3rrr")
    made = robosym.models.inverse_dynamics(robot)
    notes = made.code.notes
    assert {WORDS[POSE], WORDS[TWIST]} <= set(notes)
    assert not any(note.startswith("legs: ") for note in notes)
    motion = platform_coordinates(robot, modes_of(robot).default, Scope(), 0)
    assert made.centre[POSE] == home_pose(motion)
    assert with_fixed_parameters(made, motion).derived.fixed >= made.derived.fixed
    assert module_of(robot).motors == robot.moving
