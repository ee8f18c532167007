"""The coordinates of a parallel robot, at random states whose rates are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.parallel.moving_platforms import moving

from robosym.expr import evaluate, expr, variable
from robosym.models.parallel.coordinates import TWIST_AXES
from robosym.models.tree.coordinates import BASE_AXES


@pytest.mark.parametrize("kind", ["3-RPS", "planar-3-RRR"])
def test_twist_and_rate_follow_from_the_motors(kind: str) -> None:
    at = moving(kind)
    motors = at.motion.module.motors
    qd, qdd = ([variable(f"{stem}{j}") for j in motors] for stem in ("speed", "rate"))
    known = {s: at.speed(j) for s, j in zip(qd, motors, strict=True)}
    known |= {s: at.acceleration(j) for s, j in zip(qdd, motors, strict=True)}
    moved = at.motion.moved_by_motors(qd, qdd).state

    def numbers(entries: object) -> np.ndarray:
        values = {name: value.number for name, value in at.robot.values.items()} | at.states.numbers() | known
        found = evaluate([expr(x) for x in entries], values)  # type: ignore[attr-defined]
        return np.array([np.broadcast_to(np.asarray(x, float), 3) for x in found]).T

    twist = numbers([*moved.velocity, *moved.angular_velocity])
    np.testing.assert_allclose(twist, at.states.u[:, :6], atol=1e-8)
    rate = numbers([*moved.acceleration, *moved.angular_acceleration])
    np.testing.assert_allclose(rate, at.states.ud[:, :6], atol=1e-6)
    slow = at.motion.moved_by_motors(qd).state
    assert slow.order == 1
    assert not numbers([*slow.acceleration, *slow.angular_acceleration]).any()


def test_drifts() -> None:
    """The accelerations of motors are their rows times the rate of the twist, and the drift; so are the constraints'."""
    at = moving("3-RPS")
    drift = at.numbers(at.motion.motor_drifts)
    rate = at.states.ud[:, list(at.motion.space.places)]
    for k, j in enumerate(at.motion.module.motors):
        row = at.numbers(at.motion.motor_rows[j])
        np.testing.assert_allclose(np.einsum("bi,bi->b", row, rate) + drift[:, k], at.acceleration(j), atol=1e-7)
    values = at.numbers(at.motion.constraint_drifts)
    for k, row in enumerate(at.motion.constraint_rows):
        np.testing.assert_allclose(np.einsum("bi,bi->b", at.numbers(row), rate) + values[:, k], 0, atol=1e-7)
    assert values.shape[1] == 3
    assert moving("planar-3-RRR").motion.constraint_drifts == []


@pytest.mark.parametrize("kind", ["3-RPS", "planar-3-RRR", "6-UPS-wrist"])
def test_joints_move_with_the_platform(kind: str) -> None:
    at = moving(kind)
    own = at.motion
    for j in (*own.module.joints, *own.module.carried_joints):
        np.testing.assert_allclose(at.numbers([own.speed(j)])[:, 0], at.speed(j), atol=1e-8)
        np.testing.assert_allclose(at.numbers([own.acceleration(j)])[:, 0], at.acceleration(j), atol=1e-7)


@pytest.mark.parametrize("kind", ["3-RPS", "planar-3-RRR", "6-UPS-wrist"])
@pytest.mark.parametrize("acting", ["motors", "platform"])
def test_the_power_of_torques_is_the_same_on_both_sides(kind: str, acting: str) -> None:
    """Gamma . xd on the axes of all joints and of the platform, and tau . qd of the motors or W . V of the platform."""
    at = moving(kind)
    own = replace(at.motion, acting=acting)
    rng = np.random.default_rng(3)
    platform = {axis: float(x) for axis, x in zip((*BASE_AXES, *TWIST_AXES), rng.normal(size=12), strict=True)}
    joints = {j: float(x) for j, x in zip(own.module.joints, rng.normal(size=len(own.module.joints)), strict=True)}
    carried = {j: float(x) for j, x in zip(own.module.carried_joints, rng.normal(size=9), strict=False)}
    R, V = at.states.T[:, :3, :3], at.states.u[:, :6]
    seen = np.hstack([np.einsum("bji,bj->bi", R, V[:, :3]), np.einsum("bji,bj->bi", R, V[:, 3:]), V])
    power = seen @ np.array(list(platform.values()))
    power = power + sum(x * at.speed(j) for j, x in joints.items())
    tau = at.numbers(own.torques({**platform, **joints, **carried}))
    if acting == "platform":
        np.testing.assert_allclose(np.einsum("bi,bi->b", tau, V), power, atol=1e-7)
        return
    power = power + sum(x * at.speed(j) for j, x in carried.items())
    speeds = np.array([at.speed(j) for j in at.robot.moving]).T
    np.testing.assert_allclose(np.einsum("bi,bi->b", tau, speeds), power, rtol=1e-7, atol=1e-7)


def test_inputs() -> None:
    own = moving("6-UPS-wrist").motion
    names = [array.name for array in own.inputs(("q", "qd", "qdd"))]
    assert names == ["pose", "twist", "twist_rate", "q", "qd", "qdd"]
    assert [array.name for array in own.inputs(("q", "qd"), carried=False)] == ["pose", "twist"]
    q, qd, qdd = own.inputs(("q", "qd", "qdd"))[3:]
    assert q.entries == tuple(own.module.robot.frame(j).joint.variable for j in own.module.carried_joints)
    assert q.rate is not None
    assert q.rate.entries == qd.entries
    assert qd.rate is not None
    assert qd.rate.entries == qdd.entries
    driven = replace(moving("3-RPS").motion, by_motors=True)
    assert [(array.name, array.shape) for array in driven.inputs(("q", "qd", "tau"))] == [
        ("pose", (7,)),
        ("qd", (3,)),
        ("tau", (3,)),
    ]
