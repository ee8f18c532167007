"""Forward geometry in plain floats, which shares nothing with the models: a product of six elementary motions a frame."""

from __future__ import annotations

import numpy as np

from robosym.expr import evaluate
from robosym.robot import FREE, Robot


def moved(axis: int, angle: float, shift: float) -> np.ndarray:
    """A screw along x, y or z."""
    T = np.eye(4)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    T[i, i] = T[j, j] = np.cos(angle)
    T[j, i], T[i, j] = np.sin(angle), -np.sin(angle)
    T[axis, 3] = shift
    return T


def placed(x: float, y: float, z: float, roll: float, pitch: float, yaw: float) -> np.ndarray:
    T = moved(2, yaw, 0) @ moved(1, pitch, 0) @ moved(0, roll, 0)
    T[:3, 3] = x, y, z
    return T


def tree_poses(robot: Robot, q: np.ndarray, base: np.ndarray | None = None) -> np.ndarray:
    """World poses of the base and all frames of a tree, its joints at q, by their frames in the order of ``robot.moving``."""
    values = {name: value.number for name, value in robot.values.items()}
    own = {robot.frame(j).joint.variable: float(x) for j, x in zip(robot.moving, q, strict=True)}
    location = np.array(evaluate(list(robot.base.location), values), dtype=float).reshape(4, 4)
    found = {0: location if base is None else location @ base}
    for j in robot.order:
        gamma, b, alpha, d, theta, r = (float(v) for v in evaluate(list(robot.geometry(j)), {**values, **own}))
        local = moved(2, gamma, b) @ moved(0, alpha, d) @ moved(2, theta, r)
        found[j] = found[robot.frame(j).antecedent] @ local
    return np.array([found[j] for j in range(len(robot.frames) + 1)])


def joint_positions(robot: Robot, poses: np.ndarray) -> dict[int, float]:
    """Where the joints of drawn frames are, and a check that each frame stands to its antecedent as its parameters say."""
    values = {name: value.number for name, value in robot.values.items()}
    found = {}
    for j in robot.order:
        frame = robot.frame(j)
        if frame.sigma == FREE:
            continue
        own = frame.joint.variable
        still = {v: 0.0 for f in robot.frames if (v := f.joint.variable) is not None}
        gamma, b, alpha, d, theta, r = (float(v) for v in evaluate(list(frame.geometry), {**values, **still}))
        rest = (
            np.linalg.inv(moved(2, gamma, b) @ moved(0, alpha, d)) @ np.linalg.inv(poses[frame.antecedent]) @ poses[j]
        )
        turned, slid = np.arctan2(rest[1, 0], rest[0, 0]), rest[2, 3]
        assert np.abs(rest - moved(2, turned, slid)).max() < 1e-12, f"frame {j} is not where its parameters put it"
        if own is None:
            assert abs(np.remainder(turned - theta + np.pi, 2 * np.pi) - np.pi) < 1e-12
            assert abs(slid - r) < 1e-12
        else:
            found[j] = slid - r if frame.sigma == 1 else np.remainder(turned - theta + np.pi, 2 * np.pi) - np.pi
            assert abs(turned - theta if frame.sigma == 1 else slid - r) < 1e-12
    return found
