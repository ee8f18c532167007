"""The motion of a platform from that of its motors, at random states whose rates are known."""

from __future__ import annotations

import numpy as np
import pytest
from models.parallel.moving_platforms import moving

from robosym.expr import evaluate, expr, variable
from robosym.models.parallel.driven import constraint_drifts, motor_drifts, moved_by_motors


@pytest.mark.parametrize("kind", ["3-RPS", "planar-3-RRR"])
def test_twist_and_rate_follow_from_the_motors(kind: str) -> None:
    at = moving(kind)
    motors = at.motion.module.motors
    qd, qdd = ([variable(f"{stem}{j}") for j in motors] for stem in ("speed", "rate"))
    known = {s: at.speed(j) for s, j in zip(qd, motors, strict=True)}
    known |= {s: at.acceleration(j) for s, j in zip(qdd, motors, strict=True)}
    moved = moved_by_motors(at.motion, qd, qdd).state

    def numbers(entries: object) -> np.ndarray:
        values = {name: value.number for name, value in at.robot.values.items()} | at.states.numbers() | known
        found = evaluate([expr(x) for x in entries], values)  # type: ignore[attr-defined]
        return np.array([np.broadcast_to(np.asarray(x, float), 3) for x in found]).T

    twist = numbers([*moved.velocity, *moved.angular_velocity])
    np.testing.assert_allclose(twist, at.states.u[:, :6], atol=1e-8)
    rate = numbers([*moved.acceleration, *moved.angular_acceleration])
    np.testing.assert_allclose(rate, at.states.ud[:, :6], atol=1e-6)
    slow = moved_by_motors(at.motion, qd).state
    assert slow.order == 1
    assert not numbers([*slow.acceleration, *slow.angular_acceleration]).any()


def test_drifts() -> None:
    """The accelerations of motors are their rows times the rate of the twist, and the drift; so are the constraints'."""
    at = moving("3-RPS")
    drift = at.numbers(motor_drifts(at.motion))
    rate = at.states.ud[:, list(at.motion.space.places)]
    for k, j in enumerate(at.motion.module.motors):
        row = at.numbers(at.motion.motor_rows[j])
        np.testing.assert_allclose(np.einsum("bi,bi->b", row, rate) + drift[:, k], at.acceleration(j), atol=1e-7)
    values = at.numbers(constraint_drifts(at.motion))
    for k, row in enumerate(at.motion.constraint_rows):
        np.testing.assert_allclose(np.einsum("bi,bi->b", at.numbers(row), rate) + values[:, k], 0, atol=1e-7)
    assert values.shape[1] == 3
    assert constraint_drifts(moving("planar-3-RRR").motion) == []
