"""Joints of several axes in plain floats: where the link is, how it moves and how its axes change, without the joint kinds of models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..errors import RobosymError
from ..robot.joints import Ball, Cylindrical, Free, JointKind, Planar, Screw, Universal

Floats = np.ndarray
NO_TURN = np.eye(3)


@dataclass(frozen=True)
class Joint:
    """The pose (4, 4) of the link in the axes before the joint, the twists (6, nv) of the link in its axes, linear at its origin
    before angular, and their rates times qd."""

    pose: Floats
    twists: Floats
    drift: Floats


def joint_at(kind: JointKind, numbers: dict[str, float], q: Floats, qd: Floats) -> Joint:
    """A joint at q, qd; ``numbers`` are the fields of its kind."""
    return WAYS[type(kind)](numbers, np.asarray(q, dtype=float), np.asarray(qd, dtype=float))


def position_rates(kind: JointKind, q: Floats, qd: Floats) -> Floats:
    """dq/dt."""
    if isinstance(kind, Ball):
        return _quaternion_rate(q, qd)
    if isinstance(kind, Free):
        return np.concatenate([_turn_of(q[3:]) @ qd[:3], _quaternion_rate(q[3:], qd[3:])])
    return np.asarray(qd)


def require_reference(kind: JointKind) -> None:
    """Raise an error for a kind that is not here."""
    if type(kind) not in WAYS:
        raise RobosymError(
            f"a {kind.name} joint has no reference to compare with: only the built-in joint kinds have one"
        )


def _ball(numbers: dict[str, float], q: Floats, qd: Floats) -> Joint:
    return Joint(_pose(_turn_of(q)), np.vstack([np.zeros((3, 3)), np.eye(3)]), np.zeros(6))


def _free(numbers: dict[str, float], q: Floats, qd: Floats) -> Joint:
    return Joint(_pose(_turn_of(q[3:]), q[:3]), np.eye(6), np.zeros(6))


def _screw(numbers: dict[str, float], q: Floats, qd: Floats) -> Joint:
    lead = numbers["pitch"] / (2 * np.pi)
    twist = np.array([[0.0, 0.0, lead, 0.0, 0.0, 1.0]]).T
    return Joint(_pose(_about_z(q[0]), [0.0, 0.0, lead * q[0]]), twist, np.zeros(6))


def _cylindrical(numbers: dict[str, float], q: Floats, qd: Floats) -> Joint:
    twists = np.zeros((6, 2))
    twists[5, 0] = twists[2, 1] = 1.0
    return Joint(_pose(_about_z(q[0]), [0.0, 0.0, q[1]]), twists, np.zeros(6))


def _planar(numbers: dict[str, float], q: Floats, qd: Floats) -> Joint:
    """The axes of x and y do not turn with the link."""
    c, s, spin = np.cos(q[2]), np.sin(q[2]), qd[2]
    twists = np.zeros((6, 3))
    twists[:2, 0], twists[:2, 1], twists[5, 2] = (c, -s), (s, c), 1.0
    drift = np.zeros(6)
    drift[:2] = spin * (qd[0] * np.array([-s, -c]) + qd[1] * np.array([c, -s]))
    return Joint(_pose(_about_z(q[2]), [q[0], q[1], 0.0]), twists, drift)


def _universal(numbers: dict[str, float], q: Floats, qd: Floats) -> Joint:
    """The first axis is y of the frame between, which turns about z of the link."""
    c, s = np.cos(q[1]), np.sin(q[1])
    quarter = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    twists, drift = np.zeros((6, 2)), np.zeros(6)
    twists[3:, 0], twists[5, 1] = (s, c, 0.0), 1.0
    drift[3:] = qd[0] * qd[1] * np.array([c, -s, 0.0])
    return Joint(_pose(_about_z(q[0]) @ quarter @ _about_z(q[1])), twists, drift)


WAYS: dict[type[JointKind], Callable[[dict[str, float], Floats, Floats], Joint]] = {
    Ball: _ball,
    Free: _free,
    Screw: _screw,
    Cylindrical: _cylindrical,
    Planar: _planar,
    Universal: _universal,
}


# --- rotations ----------------------------------------------------------------------------------------------------------


def _pose(turn: Floats, position: Floats | list[float] | None = None) -> Floats:
    pose = np.eye(4)
    pose[:3, :3] = turn
    if position is not None:
        pose[:3, 3] = position
    return pose


def _about_z(angle: float) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _turn_of(quaternion: Floats) -> Floats:
    """R = 1 + 2 w [v] + 2 [v]^2 of the unit quaternion v, w."""
    x, y, z, w = quaternion / np.linalg.norm(quaternion)
    v = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(NO_TURN + 2 * w * v + 2 * v @ v)


def _quaternion_rate(quaternion: Floats, angular: Floats) -> Floats:
    """Half the product of the quaternion and (w, 0), the angular velocity in the axes of the link."""
    v, w = quaternion[:3], quaternion[3]
    return np.asarray([*(w * angular + np.cross(v, angular)), -v @ angular]) / 2
