"""The joints of a robot as a law sees them: with and without motors, behind springs, on a free base."""

from __future__ import annotations

from dataclasses import replace

import pytest
from robots_with import flexible
from simulation.tops import LINK, top

import robosym
from robosym import RobosymError, control
from robosym.control import ControlError
from robosym.control.joints import joints_of, require_moving
from robosym.expr import number, variable
from robosym.robot import Robot


def without_motor(robot: Robot, *loose: int) -> Robot:
    frames = [
        replace(f, joint=replace(f.joint, active=False)) if j in loose else f for j, f in enumerate(robot.frames, 1)
    ]
    return robot.replace(frames=tuple(frames))


def test_an_arm() -> None:
    robot = robosym.load("planar-3r")
    joints = joints_of(robot)
    assert (joints.count, joints.driven, joints.names) == (3, (0, 1, 2), robot.joint_names)
    assert (joints.in_q, joints.in_qd, joints.free, joints.flexible) == (0, 0, (), ())
    assert joints.suffixes == tuple(map(str, robot.moving))
    assert [(slot.name, slot.shape) for slot in joints.measured()] == [("q", (3,)), ("qd", (3,))]
    assert [(slot.name, slot.shape) for slot in joints.wanted(("q_d", "qdd_d"))] == [("q_d", (3,)), ("qdd_d", (3,))]
    assert joints.wanted(("q_d",))[0].about == "wanted: positions of the joints"
    tau = joints.torques()
    assert (tau.name, tau.shape, tau.about) == ("tau", (3,), "what the motors shall do")


def test_joints_without_motors() -> None:
    joints = joints_of(without_motor(robosym.load("planar-3r"), 2))
    assert joints.driven == (0, 2)
    assert joints.suffixes == ("1", "3")
    assert joints.free == (joints.names[1],)
    assert joints.torques().about.endswith("; zero: joints without motors")
    with pytest.raises(ControlError, match="no joint has a motor"):
        joints_of(without_motor(robosym.load("planar-2r"), 1, 2))


def test_a_free_base() -> None:
    joints = joints_of(without_motor(robosym.load("planar-2r", floating=True), 1))
    assert (joints.in_q, joints.in_qd) == (7, 6)
    assert joints.free == ("base", joints.names[0])
    assert [slot.shape for slot in joints.measured()] == [(9,), (8,)]
    assert "pose of the base, then positions" in joints.measured()[0].about
    assert "speeds of the base, then velocities" in joints.measured()[1].about
    assert joints.wanted(("qd_d",))[0].shape == (2,)
    assert joints.torques().shape == (8,)
    assert joints.torques().about.endswith("; zero: the free base and joints without motors")


def test_springs() -> None:
    robot = flexible(robosym.load("planar-2r"))
    joints = joints_of(robot, springs=True)
    assert joints.flexible == (robot.joint_names[1],)
    assert joints.measured_names == ("q_motor", "qd_motor")
    assert [slot.name for slot in joints.measured()] == ["q_motor", "qd_motor"]
    assert joints.measured()[0].about.endswith("on the joints' side")
    with pytest.raises(ControlError, match=f"adaptive is for .* {robot.joint_names[1]} is flexible"):
        joints_of(robot, law="adaptive")


def test_what_is_no_robot_for_a_law() -> None:
    with pytest.raises(ControlError, match="expected a Robot"):
        joints_of("rx90")  # type: ignore[arg-type]


def test_a_parallel_robot_has_its_motors() -> None:
    joints = joints_of(robosym.load("delta"))
    assert joints.robot == robosym.load("delta").closed_loops()
    assert joints.names == joints.robot.joint_names


def test_joints_whose_motion_the_description_sets() -> None:
    robot = robosym.load("planar-2r")
    second = robot.frames[1]

    def changed(**more: object) -> Robot:
        return robot.replace(
            frames=(robot.frames[0], replace(second, joint=replace(second.joint, **more)), robot.frames[2])
        )  # type: ignore[arg-type]

    require_moving(joints_of(robot))
    require_moving(joints_of(changed(velocity=variable("v2"))))
    require_moving(joints_of(changed(velocity=number(1), active=False)))
    for what in ("velocity", "acceleration"):
        with pytest.raises(ControlError, match=f"sets the {what} of joint '{second.joint.name}' to 1/2"):
            require_moving(joints_of(changed(**{what: number(1) / 2})))


def test_joints_of_several_axes_have_an_entry_for_each_axis() -> None:
    """Gains are named by frame and axis; a joint without a motor is free as a whole, with its name."""
    rows = [{"sigma": "universal", "variable": "wrist", **LINK}, {"joint": "knee", "alpha": 1.0, **LINK}]
    robot = Robot.from_table("arm", rows, gravity=[0, 0, -9.81])
    joints = joints_of(robot)
    assert (joints.names, joints.suffixes) == (("wrist 1", "wrist 2", "knee"), ("1_1", "1_2", "2"))
    law = control.pd_gravity(robot, bandwidth=[5.0, 6.0, 7.0])
    assert {f"Kp{s}" for s in joints.suffixes} <= law.parameters().keys()
    rows[0]["active"] = False
    passive = joints_of(Robot.from_table("arm", rows, gravity=[0, 0, -9.81]))
    assert (passive.driven, passive.free) == ((2,), ("wrist",))


def test_laws_refuse_quaternions() -> None:
    for law in (control.pid, control.computed_torque, control.adaptive):
        with pytest.raises(
            RobosymError, match="frame 1, sigma: 'hip' is a ball joint, for which a control law is not supported"
        ):
            law(top(), bandwidth=10.0) if law is not control.adaptive else law(top())
