"""Accelerations of joints that stick or slip, and what holds them: beside forward and inverse dynamics with friction."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.reference import numbers
from random_robots import random_robot

import robosym
from robosym import models
from robosym.expr import number
from robosym.models.dynamic.free.sticking import sticking_dynamics
from robosym.robot import Actuator, Coupling, Flexibility, Friction, Mimic, Motor, Robot


def rough_robot(seed: int) -> Robot:
    """A random tree: friction of every kind, a joint that follows with viscous friction and an offset, motors that turn together."""
    rng = np.random.default_rng(seed)
    while True:
        robot = random_robot(rng, 6)
        if len(robot.moving) >= 5:
            break
    frames = list(robot.frames)

    def draw(high: float = 2.0) -> object:
        return number(float(rng.uniform(0.2, high)))

    *others, last = robot.moving
    for k, j in enumerate(robot.moving):
        law = Friction(offset=draw())
        if k == 0:
            law = Friction(Fst=draw(4.0), B=draw(), Fs_negative=draw(), offset=draw())
        own = Actuator(Ia=draw(), Fs=draw() if j != last else number(0), Fv=draw(), friction=law)
        if k in (1, 2):
            own = replace(own, motor=Motor(Fv=draw()))
        frames[j - 1] = replace(robot.frame(j), actuator=own)
    follows = replace(robot.frame(last).joint, mimic=Mimic(others[1], number(-0.6), number(0.1)))
    frames[last - 1] = replace(frames[last - 1], joint=follows)
    matrix = tuple(tuple(map(number, row)) for row in ((0.5, 0.2), (-0.1, 0.4)))
    return robot.replace(frames=tuple(frames), couplings=(Coupling((others[1], others[2]), matrix),))


@pytest.mark.parametrize("seed", [1, 2])
def test_slipping_joints_are_those_of_forward_dynamics(seed: int) -> None:
    robot = rough_robot(seed)
    found = sticking_dynamics(robot)
    rng = np.random.default_rng(seed)
    q, qd, tau = rng.uniform(-1, 1, (3, 20, robot.nv))
    expected = models.forward_dynamics(robot, friction=True).compile()(q=q, qd=qd, tau=tau)
    qdd = found.model.compile()(q=q, qd=qd, tau=tau, slip=np.sign(qd))
    np.testing.assert_allclose(qdd, expected, rtol=1e-9, atol=1e-9)
    judged = found.judge.compile()(q=q, qd=qd, tau=tau, slip=np.sign(qd))
    np.testing.assert_allclose(judged["qdd"], qdd, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("seed", [1, 2])
def test_what_holds_sticking_joints_is_that_of_inverse_dynamics(seed: int) -> None:
    """With the speeds of some joints zero, sign(0) = 0 leaves what jumps out of their friction: the rest of the torque is what
    holds them, but for the offset, which is in the bounds."""
    robot = rough_robot(seed)
    found = sticking_dynamics(robot)
    places = found.places
    assert places == tuple(range(robot.nv))
    rng = np.random.default_rng(seed)
    q, qd, tau = rng.uniform(-1, 1, (3, 30, robot.nv))
    qd *= rng.integers(0, 2, qd.shape)
    made = found.judge.compile()(q=q, qd=qd, tau=tau, slip=np.sign(qd))
    rests = qd == 0
    assert (made["qdd"][rests] == 0).all()
    needed = models.inverse_dynamics(robot, friction=True).compile()(q=q, qd=qd, qdd=made["qdd"])
    needed = needed if isinstance(needed, np.ndarray) else next(iter(needed.values()))
    np.testing.assert_allclose(needed[~rests], tau[~rests], atol=1e-9)
    actuators = [robot.frame(j).actuator for j in robot.moving]
    offset = np.array(numbers(robot, [a.friction.offset for a in actuators]))
    hold = (tau - needed + offset)[rests]
    np.testing.assert_allclose(made["hold"][rests], hold, atol=1e-9)
    # Without an Fst of its own backwards it is the same both ways; Fs_negative counts where it slips.
    levels = np.array(numbers(robot, [a.Fs if a.friction.Fst is None else a.friction.Fst for a in actuators]))
    np.testing.assert_allclose(made["upper"], np.broadcast_to(offset + levels, qd.shape), atol=1e-12)
    np.testing.assert_allclose(made["lower"], np.broadcast_to(offset - levels, qd.shape), atol=1e-12)


def test_flexible_joints_hold_by_their_springs() -> None:
    """The torque of the motor and the friction of its shaft are on the other side of the spring."""
    robot = robosym.load("planar-2r")
    shaft = Motor(Fv=number(0.05), Fs=number(0.4))
    frames = [
        replace(f, actuator=replace(f.actuator, ratio=number(-3), motor=shaft, flexibility=Flexibility(number(40.0))))
        if j in robot.moving
        else f
        for j, f in enumerate(robot.frames, 1)
    ]
    robot = robot.replace(frames=tuple(frames))
    found = sticking_dynamics(robot)
    assert found.places == (0, 1, 2, 3)
    rng = np.random.default_rng(1)
    q, motor, qd, speed, tau = rng.uniform(-1, 1, (5, 9, 2))
    given = {"q": q, "qd": qd, "q_motor": motor, "qd_motor": speed, "tau": tau}
    made = found.model.compile()(**given, slip=np.sign(np.concatenate([qd, speed], axis=1)))
    expected = models.flexible_joint_forward_dynamics(robot, friction=True).compile()(**given)
    for name, values in expected.items():
        np.testing.assert_allclose(made[name], values, rtol=1e-9, atol=1e-9, err_msg=name)
    still = {**given, "qd_motor": np.zeros((9, 2))}
    judged = found.judge.compile()(**still, slip=np.concatenate([np.sign(qd), np.zeros((9, 2))], axis=1))
    np.testing.assert_array_equal(judged["qdd_motor"], 0)
    np.testing.assert_allclose(judged["hold"][:, 2:], tau + 40.0 * (q - motor), atol=1e-12)
    np.testing.assert_allclose(judged["upper"][:, 2:], 1.2, atol=1e-12)
    np.testing.assert_allclose(judged["lower"][:, 2:], -1.2, atol=1e-12)
