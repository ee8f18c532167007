"""The motion of a platform from that of its motors: M V = (qd, 0), and the same for accelerations with what the legs drift."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...expr import expr
from ...spatial.scalar import Scalar
from .kinematics import Kinematics


def moved_by_motors(motion: Kinematics, qd: Sequence[Scalar], qdd: Sequence[Scalar] | None = None) -> Kinematics:
    """The same platform with the twist that these speeds of the motors give it, and the rate of it by their accelerations."""
    twist = _six(motion, [row[0] for row in motion.twist_from([[x] for x in qd])], "VM")
    moving = _with(motion, twist, [0] * 6, 1)
    if qdd is None:
        return moving
    drift = motor_drifts(moving)
    late = [-x for x in constraint_drifts(moving)]
    right = [[a - b] for a, b in zip(qdd, drift, strict=True)]
    rate = _six(motion, [row[0] for row in motion.twist_from(right, late)], "AM")
    return _with(motion, twist, rate, 2)


def motor_drifts(motion: Kinematics) -> list[Scalar]:
    """The accelerations of the motors while the platform's twist does not change."""
    found: dict[int, Scalar] = {}
    still = _with(motion, [*motion.state.velocity, *motion.state.angular_velocity], [0] * 6, 1)
    for leg in still.legs:
        links = leg.link_speeds(still.seat_twist(leg))
        found |= leg.accelerations(still.seat_rate(leg), links)
    return [motion.scope.scalar("DM", j, expr(found[j])) for j in motion.module.motors]


def constraint_drifts(motion: Kinematics) -> list[Scalar]:
    """What the constraints that count say beside K twist_rate."""
    if motion.space.constant:
        return []
    still = _with(motion, [*motion.state.velocity, *motion.state.angular_velocity], [0] * 6, 1)
    values = still.constraint_values(2)
    return [values[i] for i in motion.kept_constraints]


def _with(motion: Kinematics, twist: Sequence[Scalar], rate: Sequence[Scalar], order: int) -> Kinematics:
    state = replace(motion.state, order=order, given={"twist": tuple(twist), "rate": tuple(rate)})
    return replace(motion, state=state)


def _six(motion: Kinematics, free: Sequence[Scalar], stem: str) -> list[Scalar]:
    full: list[Scalar] = [0] * 6
    for place, x in zip(motion.space.places, free, strict=True):
        full[place] = motion.scope.scalar(stem, place + 1, x)
    return full
