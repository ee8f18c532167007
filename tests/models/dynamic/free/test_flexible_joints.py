"""Motors that move their joints through springs: equations 7.35 written out in NumPy from Pinocchio's A and H."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from models.kinematic.moving_frames import freed, states
from models.pinocchio_states import Twin
from sweeps import crossed

import robosym
from robosym import models
from robosym.expr import number
from robosym.robot import Actuator, Link, Robot, RobotError

ELASTIC = {2: (120.0, 1.5, 0.1), 4: (40.0, 0.0, 0.0), 5: (60.0, 0.7, -0.2)}  # stiffness, damping, rest
ROTORS = (0.5, 0.4, 0.3, 0.2, 0.15, 0.1)


def rigid() -> Robot:
    robot = robosym.load("rx90")
    frames = [replace(frame, actuator=Actuator(Ia=number(Ia))) for frame, Ia in zip(robot.frames, ROTORS, strict=True)]
    return robot.replace(frames=tuple(frames))


def with_springs(robot: Robot) -> Robot:
    frames = list(robot.frames)
    for j, numbers in ELASTIC.items():
        k, d, rest = map(number, numbers)
        frames[j - 1] = replace(frames[j - 1], joint=replace(frames[j - 1].joint, stiffness=k, damping=d, rest=rest))
    return robot.replace(frames=tuple(frames))


def without_rotors(robot: Robot) -> Robot:
    frames = [replace(f, actuator=Actuator()) if j in ELASTIC else f for j, f in enumerate(robot.frames, 1)]
    return robot.replace(frames=tuple(frames))


@pytest.mark.parametrize(("parameters", "floating"), crossed(["standard", "base"], [False, True], every=2))
def test_both_models_are_the_equations(floating: bool, parameters: Any) -> None:
    plain = rigid()
    if floating:
        body = {"M": 4, "MX": 0.1, "XX": 0.5, "YY": 0.6, "ZZ": 0.4}
        plain = freed(plain)
        link = Link(**{name: number(x) for name, x in body.items()})
        plain = plain.replace(base=replace(plain.base, link=link))
    robot = with_springs(plain)
    twin = Twin.of_robot(without_rotors(plain))
    rng = np.random.default_rng(4)
    state = {name: values[0] for name, values in states(rng, robot, 1).items()}
    q, qd = state["q"], state["qd"]
    first = robot.nv - 6
    theta, rate, tau = *rng.uniform(-1, 1, (2, 6)), rng.uniform(-5, 5, robot.nv)
    found = models.flexible_joint_forward_dynamics(robot, parameters=parameters).evaluate(
        q=q, qd=qd, q_motor=theta, qd_motor=rate, tau=tau
    )

    A, H = twin.crba(q), twin.bias(q, qd)
    pushed, expected = tau.copy(), np.zeros(6)
    for j, (k, d, rest) in ELASTIC.items():
        i = j - 1
        spring = k * (q[robot.nq - 6 + i] - theta[i] - rest) + d * (qd[first + i] - rate[i])
        pushed[first + i] = -spring  # 7.35a
        expected[i] = (tau[first + i] + spring) / ROTORS[i]  # 7.35b
    qdd = np.linalg.solve(A, pushed - H)
    for i in range(6):
        if i + 1 not in ELASTIC:
            expected[i] = qdd[first + i]
    np.testing.assert_allclose(found["qdd"], qdd, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found["qdd_motor"], expected, rtol=1e-9, atol=1e-9)

    inverse = models.flexible_joint_inverse_dynamics(robot, parameters=parameters).compile()
    back = inverse(q=q, qd=qd, qdd=found["qdd"], qd_motor=rate, qdd_motor=found["qdd_motor"])
    np.testing.assert_allclose(back["tau"], tau, atol=1e-8)
    for i in range(6):
        there = theta[i] if i + 1 in ELASTIC else q[robot.nq - 6 + i]
        assert back["q_motor"][i] == pytest.approx(there, abs=1e-10)


def test_a_stiff_spring_is_a_rigid_joint() -> None:
    """Motor and link accelerate alike where the spring is stretched just so: with the torque that a rigid joint passes on."""
    robot = with_springs(rigid())
    q, qd, qdd = np.random.default_rng(2).uniform(-1, 1, (3, 6))
    rigid_torque = models.inverse_dynamics(rigid()).evaluate(q=q, qd=qd, qdd=qdd)
    found = models.flexible_joint_inverse_dynamics(robot).evaluate(q=q, qd=qd, qdd=qdd, qd_motor=qd, qdd_motor=qdd)
    np.testing.assert_allclose(found["tau"], rigid_torque, rtol=1e-11)


def test_a_spring_at_a_joint_without_a_motor_is_no_drive() -> None:
    """It holds the joint as in forward dynamics."""
    link = {"M": 1.0, "MX": 0.3, "ZZ": 0.2, "YY": 0.2, "XX": 0.05, "Ia": 0.1}
    rows = [
        {"joint": "a", "stiffness": 20.0, **link},
        {"joint": "b", "d": 0.5, "stiffness": 9.0, "active": False, **link},
    ]
    robot = Robot.from_table("two", rows, gravity=[0, -9.81, 0])
    found = models.flexible_joint_forward_dynamics(robot).evaluate(
        q=[0.3, 0.4], qd=[0, 0], q_motor=[0.3 - 0.05, 7.0], qd_motor=[0, 0], tau=[2.0, 0]
    )
    rigid = robot.replace(
        frames=(
            replace(robot.frames[0], actuator=Actuator(), joint=replace(robot.frames[0].joint, stiffness=None)),
            robot.frames[1],
        )
    )
    expected = models.forward_dynamics(rigid).evaluate(q=[0.3, 0.4], qd=[0, 0], tau=[-20.0 * 0.05, 0])
    np.testing.assert_allclose(found["qdd"], expected, rtol=1e-12)
    np.testing.assert_allclose(found["qdd_motor"], [(2.0 + 20.0 * 0.05) / 0.1, expected[1]], rtol=1e-12)


def test_what_is_refused() -> None:
    with pytest.raises(RobotError, match="joints: none has a stiffness"):
        models.flexible_joint_forward_dynamics(robosym.load("rx90"))
    with pytest.raises(RobotError, match="joint 'shoulder': its drive is elastic, and the rotor needs an inertia Ia"):
        models.flexible_joint_forward_dynamics(without_rotors(with_springs(rigid())))
    with pytest.raises(RobotError, match="base parameters that hold the inertia of its rotors"):
        models.flexible_joint_inverse_dynamics(models.base_parameters(with_springs(rigid())).robot)
    loose = Robot.from_table("loose", [{"joint": "a", "XX": 1, "YY": 1, "ZZ": 1, "Ia": 1, "stiffness": 0}])
    for model in (models.flexible_joint_forward_dynamics, models.flexible_joint_inverse_dynamics):
        with pytest.raises(RobotError, match="joint 'a': its drive is elastic, and the stiffness is 0"):
            model(loose)
