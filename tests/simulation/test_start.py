"""Where runs start: free bases, motors of flexible joints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from simulation.plants import sliding_mass
from simulation.tops import mixed, quaternion_places, start, top

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


# --- joints of several axes --------------------------------------------------------------------------------------------

SHORT = {"duration": 1e-3, "step": 1e-3}


def test_quaternions_without_rotation_by_default() -> None:
    robot = mixed(floating=True)
    run = simulate(robot, **SHORT)
    expected = np.zeros(robot.nq)
    expected[[k + 3 for k in quaternion_places(robot)]] = 1
    np.testing.assert_array_equal(run.q[0], expected)


def test_positions_and_speeds_by_joint() -> None:
    robot = top()
    q = np.array([0.5, 0.5, -0.5, 0.5])
    run = simulate(robot, q={"hip": q}, qd={"hip": [1, 2, 3]}, **SHORT)
    np.testing.assert_array_equal(run.q[0], q)
    np.testing.assert_array_equal(run.qd[0], [1, 2, 3])
    run = simulate(robot, qd={"hip wy": 2.0}, **SHORT)
    np.testing.assert_array_equal(run.qd[0], [0, 2, 0])


def test_starts_of_a_batch_are_those_of_single_runs() -> None:
    robot = mixed()
    starts = [start(robot, seed) for seed in range(3)]
    q, qd = (np.array(rows) for rows in zip(*starts, strict=True))
    runs = simulate(robot, batch={"q": q, "qd": qd}, duration=0.02, step=1e-3)
    for k, (own, speed) in enumerate(starts):
        single = simulate(robot, q=own, qd=speed, duration=0.02, step=1e-3)
        np.testing.assert_allclose(runs[k].q, single.q, atol=1e-12)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"q": [0, 0, 0, 2.0]}, "q: the quaternion of 'hip' has the length 2, expected 1"),
        ({"q": [0, 0, 0.0]}, r"q: expected 4 numbers, got the shape \(3,\)"),
        ({"q": {"hip": [0, 0, 1]}}, r"q, 'hip': expected 4 numbers \(hip qx, hip qy, hip qz, hip qw\)"),
        ({"q": {"hip qx": 1.0}}, "q: no number for hip qy, hip qz, hip qw"),
        ({"q": {"hop": [0, 0, 0, 1]}}, "q: there is no joint 'hop'"),
        ({"qd": {"hip": 1.0}}, "qd, 'hip': expected 3 numbers"),
        ({"qd": {"hip": [0, 0, float("nan")]}}, "qd, 'hip'"),
        ({"batch": {"q": [[0, 0, 0, 1], [0, 0, 0, 3]]}}, "batch, q: the quaternion of 'hip' has the length 3"),
    ],
)
def test_wrong_starts_are_named(given: dict[str, object], message: str) -> None:
    with pytest.raises(SimulationError, match=message):
        simulate(top(), **SHORT, **given)


def test_limits_beside_a_ball_joint() -> None:
    rows = [{"sigma": "ball", "variable": "hip", "M": 1.0, "XX": 1, "YY": 1, "ZZ": 1}]
    rows += [{"M": 1.0, "ZZ": 1.0, "joint": "knee", "limits": {"lower": -1, "upper": 1}}]
    robot = Robot.from_table("leg", rows)
    simulate(robot, q=[0, 0, 0, 1, 0.9], **SHORT)
    with pytest.raises(SimulationError, match=r"q: 'knee' starts at 1\.1, outside its limits from -1 to 1"):
        simulate(robot, q=[0, 0, 0, 1, 1.1], **SHORT)
