"""Where runs start: free bases, motors of flexible joints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from simulation.plants import sliding_mass

import robosym
from robosym import control
from robosym.expr import number, parameter
from robosym.robot import Flexibility, Robot, Value
from robosym.simulation import SimulationError, simulate


def hanging(**friction: float) -> Robot:
    """A mass that hangs from its motor by a spring whose stiffness is a parameter."""
    robot = sliding_mass(mass=2.0, actuator={"Ia": number(0.5)}, flexibility=1.0, friction=friction)
    frame = robot.frames[0]
    frame = replace(frame, actuator=replace(frame.actuator, flexibility=Flexibility(parameter("K1"))))
    values = {"K1": Value(80.0)}
    return robot.replace(frames=(frame,), gravity=(number(0), number(0), number(-9.81)), values=values)


def test_motors_hold_their_joints_where_these_start() -> None:
    """The spring is as long as the weight makes it, of each run: nothing moves under the torque of the weight."""
    robot = hanging()
    weight = 2 * 9.81
    run = simulate(robot, q=[0.3], torque=[weight], duration=0.2)
    assert run.more["q_motor"][0, 0] == pytest.approx(0.3 + weight / 80, abs=1e-12)
    np.testing.assert_allclose(run.q, 0.3, atol=1e-12)
    stiff = simulate(robot, q=[0.3], torque=[weight], duration=0.2, parameters={"K1": 200.0})
    np.testing.assert_allclose(stiff.q, 0.3, atol=1e-12)
    runs = simulate(robot, q=[0.3], torque=[weight], duration=0.2, batch={"K1": [80.0, 200.0, 500.0]})
    np.testing.assert_allclose(runs.more["q_motor"][:, 0, 0], 0.3 + weight / np.array([80.0, 200.0, 500.0]), atol=1e-12)
    np.testing.assert_allclose(runs.q, 0.3, atol=1e-12)


def test_what_friction_always_does_is_held_too() -> None:
    run = simulate(hanging(offset=3.0), q=[0.3], torque=[2 * 9.81 + 3.0], duration=0.2, friction="stick")
    np.testing.assert_allclose(run.q, 0.3, atol=1e-12)


def test_a_free_base_starts_at_the_origin_unless_it_is_told() -> None:
    robot = robosym.load("eel-2")
    n = len(robot.moving)
    run = simulate(robot, q=np.full(n, 0.2), duration=0.002)
    np.testing.assert_array_equal(run.q[0], [0, 0, 0, 0, 0, 0, 1, *[0.2] * n])
    assert (run.qd[0] == 0).all()
    with pytest.raises(SimulationError, match="q: the quaternion of the base has the length 2"):
        simulate(robot, q=[0, 0, 0, 0, 0, 0, 2.0, *[0.2] * n], duration=0.002)


def test_a_run_starts_on_its_reference() -> None:
    robot = robosym.load("planar-2r")
    law = control.computed_torque(robot, bandwidth=20, limits=False)
    run = simulate(robot, law, lambda t: ([np.sin(t), 0.3], [np.cos(t), 0.0], [-np.sin(t), 0.0]), duration=0.01)
    np.testing.assert_array_equal(run.q[0], [0.0, 0.3])
    np.testing.assert_array_equal(run.qd[0], [1.0, 0.0])
    named = simulate(robot, law, [0.1, 0.2], q={"elbow": 0.4, "shoulder": 0.5}, qd={"elbow": 1.0}, duration=0.01)
    np.testing.assert_array_equal(named.q[0], [0.5, 0.4])
    np.testing.assert_array_equal(named.qd[0], [0.0, 1.0])
