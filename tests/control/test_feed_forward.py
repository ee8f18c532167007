"""Feed-forward: the torques of the wanted motion beside Pinocchio, feedback around them, and drives with springs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from control.joint_plants import Caller, held, torques
from control.test_computed_torque import drawn, puma, rigid
from models.kinematic.mass_states import random_placed
from models.pinocchio_states import Twin
from real_robots import real_robot
from robots_with import flexible
from sweeps import many

import robosym
from robosym import models
from robosym.control import ControlError, feed_forward, pid
from robosym.expr import number
from robosym.robot import Actuator, Flexibility, Robot

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")


def with_springs(robot: Robot, stiffness: float = 2e3, rotor: float = 0.5) -> Robot:
    """Every joint driven through a spring."""
    frames = tuple(
        replace(
            frame,
            actuator=Actuator(
                Ia=number(rotor),
                ratio=frame.actuator.ratio,
                flexibility=Flexibility(number(stiffness), number(1.0)),
            ),
        )
        for frame in robot.frames
    )
    return robot.replace(name="springy", frames=frames)


def test_alone_it_is_inverse_dynamics_of_the_wanted_motion() -> None:
    for seed in [s for s in range(1, 3 * many(4)) if s % 3]:
        robot = rigid(random_placed(seed, 6, symbolic=bool(seed % 2)))
        state = drawn(np.random.default_rng(seed), robot)
        law = feed_forward(robot, limits=False)
        assert [slot.name for slot in law.routine.inputs] == ["q_d", "qd_d", "qdd_d"]
        expected = Twin.of_robot(robot).rnea(state["q_d"], state["qd_d"], state["qdd_d"])
        size = max(1.0, np.abs(expected).max())
        np.testing.assert_allclose(torques(law, **state), expected, rtol=0, atol=1e-10 * size)


def test_feedback_is_that_of_pid() -> None:
    twin = puma()
    state = drawn(np.random.default_rng(0), twin.robot)
    ahead = twin.rnea(state["q_d"], state["qd_d"], state["qdd_d"])
    for integral in (False, True):
        law = feed_forward(twin.robot, feedback=12, damping=0.8, integral=integral, limits=False)
        other = pid(twin.robot, bandwidth=12, damping=0.8, integral=integral, limits=False)
        summed = np.full(6, 0.01)
        found, behind = (torques(one, **state, integral=summed) for one in (law, other))
        np.testing.assert_allclose(found, ahead + behind, rtol=1e-10, atol=1e-10)
        assert law.gains.keys() == other.gains.keys()


def test_it_tracks_a_motion() -> None:
    """Better by far than PID alone, with the same gains."""
    twin = puma()

    def swing(t: float) -> dict[str, Any]:
        a = 0.3 * np.arange(1, 7) / 6
        return {"q_d": a * (1 - np.cos(3 * t)), "qd_d": 3 * a * np.sin(3 * t), "qdd_d": 9 * a * np.cos(3 * t)}

    start = swing(0.0)["q_d"], np.zeros(6)
    errors = []
    for law in (
        feed_forward(twin.robot, feedback=20, limits=False),
        pid(twin.robot, bandwidth=20, integral=False, limits=False),
    ):
        q, _, _ = held(law, twin.aba, *start, swing, 600)
        errors.append(np.abs(q[-1] - swing(0.6)["q_d"]).max())
    assert errors[0] < 2e-3 < 0.02 < errors[1]


def test_weight_on_springs_is_compensated() -> None:
    """The motors go ahead of the joints, which come to rest exactly where they shall."""
    robot = with_springs(robosym.load("rx90"))
    law = feed_forward(robot, feedback=8, limits=False)
    assert [slot.name for slot in law.routine.inputs][:2] == ["q_motor", "qd_motor"]
    forward = models.flexible_joint_forward_dynamics(robot, wrench="none").compile()
    q_d = np.array([0.2, -0.4, 0.3, 0.1, 0.5, -0.2])
    weight = models.gravity(robot).compile()(q=q_d)
    q_m = q_d + weight / 2e3
    rest = {name: np.zeros(6) for name in ("qd_motor", "qd_d", "qdd_d")}
    np.testing.assert_allclose(torques(law, q_motor=q_m, q_d=q_d, **rest), weight, rtol=1e-9, atol=1e-12)
    x, v, caller = np.r_[q_d + 0.01, q_m + 0.01], np.zeros(12), Caller(law)
    for _ in range(4000):
        tau = caller(q_motor=x[6:], qd_motor=v[6:], q_d=q_d, qd_d=np.zeros(6), qdd_d=np.zeros(6))
        for _ in range(4):
            made = forward(q=x[:6], qd=v[:6], q_motor=x[6:], qd_motor=v[6:], tau=tau)
            v = v + 2.5e-4 * np.r_[made["qdd"], made["qdd_motor"]]
            x = x + 2.5e-4 * v
    np.testing.assert_allclose(x, np.r_[q_d, q_m], atol=2e-6)
    assert np.abs(weight).max() / 2e3 > 0.01  # so much the springs give way


def test_some_joints_on_springs() -> None:
    robot = flexible(robosym.load("rx90"))
    law = feed_forward(robot, Kp=10, Kd=1, limits=False)
    rng = np.random.default_rng(0)
    state = {name: rng.uniform(-1, 1, 6) for name in ("q_motor", "qd_motor", "q_d", "qd_d", "qdd_d")}
    made = models.flexible_joint_inverse_dynamics(robot, wrench="none").compile()(
        q=state["q_d"], qd=state["qd_d"], qdd=state["qdd_d"], qd_motor=state["qd_d"], qdd_motor=state["qdd_d"]
    )
    expected = made["tau"] + 10 * (made["q_motor"] - state["q_motor"]) + state["qd_d"] - state["qd_motor"]
    np.testing.assert_allclose(torques(law, **state), expected, rtol=1e-10)
    np.testing.assert_array_equal(made["q_motor"][:5], state["q_d"][:5])
    assert made["q_motor"][5] != state["q_d"][5]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"damping": 1}, "damping: there is no feedback"),
        ({"integral": True}, "integral: there is no feedback"),
        ({"Kp": 1, "Kd": 1, "integral": True}, "integral: expected KI beside Kp and Kd"),
        ({"feedback": 3, "Kp": 1, "Kd": 1}, "Kp, Kd beside bandwidth"),
    ],
)
def test_what_is_refused(options: Any, message: str) -> None:
    with pytest.raises(ControlError, match=message):
        feed_forward(robosym.load("rx90"), **options)


def test_robots_that_are_refused() -> None:
    robot = real_robot("solo12", floating=True)
    with pytest.raises(ControlError, match="base moves by itself"):
        feed_forward(robot)
