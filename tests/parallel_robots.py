"""Parallel robots in numbers, for tests: frames from joint positions, and legs closed by Newton's iteration."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

import numpy as np

from robosym.expr import evaluate, free_symbols
from robosym.robot import FIXED, FREE, Leg, Platform, Robot


def turn(axis: int, angle: float) -> np.ndarray:
    R = np.eye(4)
    c, s = math.cos(angle), math.sin(angle)
    i, k = (axis + 1) % 3, (axis + 2) % 3
    R[i, i] = R[k, k] = c
    R[i, k], R[k, i] = -s, s
    return R


def shift(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def frames(
    robot: Robot,
    at: Mapping[str, float],
    free: Mapping[int, np.ndarray] | None = None,
    only: Collection[int] | None = None,
) -> dict[int, np.ndarray]:
    """The pose of every frame (or of some, with all they stand on) in frame 0, from joint positions by variable and the poses
    of platforms in their antecedents."""
    numbers = {name: value.number for name, value in robot.values.items()} | dict(at)
    poses = {0: np.eye(4)}
    for j in robot.order if only is None else [j for j in robot.order if j in only]:
        frame = robot.frame(j)
        if frame.sigma == FREE:
            poses[j] = poses[frame.antecedent] @ (free or {})[j]
            continue
        at_hand = {s: numbers.get(s.name, 0.0) for s in free_symbols(*frame.geometry)}
        gamma, b, alpha, d, theta, r = evaluate(frame.geometry, at_hand)
        step = turn(2, gamma) @ shift(z=b) @ turn(0, alpha) @ shift(x=d) @ turn(2, theta) @ shift(z=r)
        poses[j] = poses[frame.antecedent] @ step
    return poses


def joints(robot: Robot, leg: Leg, platform: Platform) -> list[int]:
    """The moving frames of a leg."""
    base = robot.frame(platform.frame).antecedent
    return [j for j in robot.path(leg.end) if j not in robot.path(base) and robot.frame(j).sigma != FIXED]


def closed(robot: Robot, poses: Mapping[int, np.ndarray], start: Mapping[str, float] | None = None) -> dict[str, float]:
    """The joint positions with which all legs reach the platforms at these poses, by Newton's iteration from the home position."""
    at = {v.name: frame.joint.position or 0.0 for frame in robot.frames if (v := frame.joint.variable) is not None}
    at |= start or {}
    for platform in robot.platforms:
        for leg in platform.legs:
            own = joints(robot, leg, platform)
            for _ in range(60):
                E = error(robot, leg, at, poses)
                if np.abs(E).max() < 1e-13:
                    break
                at = _stepped(robot, leg, own, at, poses, E)
            assert np.abs(error(robot, leg, at, poses)).max() < 1e-10, f"{leg.name} does not reach the platform"
    return at


def error(robot: Robot, leg: Leg, at: Mapping[str, float], poses: Mapping[int, np.ndarray]) -> np.ndarray:
    """What a leg misses its seat by: a point, or a point and a rotation."""
    found = frames(robot, at, poses, {*robot.path(leg.end), *robot.path(leg.seat)})
    end, seat = found[leg.end], found[leg.seat]
    gap = seat[:3, 3] - end[:3, 3]
    if leg.joint == "spherical":
        return gap
    R = seat[:3, :3] @ end[:3, :3].T
    return np.concatenate(
        [gap, [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1], R[0, 0] + R[1, 1] + R[2, 2] - 3]]
    )


def _stepped(
    robot: Robot, leg: Leg, own: list[int], at: dict[str, float], poses: Mapping[int, np.ndarray], E: np.ndarray
) -> dict[str, float]:
    names = [robot.frame(j).joint.variable.name for j in own]
    J = np.empty((len(E), len(own)))
    for k, name in enumerate(names):
        J[:, k] = (error(robot, leg, at | {name: at[name] + 1e-6}, poses) - E) / 1e-6
    step = np.linalg.lstsq(J, -E, rcond=1e-8)[0]
    step *= min(1.0, 0.5 / (np.abs(step).max() + 1e-300))
    return at | {name: at[name] + float(x) for name, x in zip(names, step, strict=True)}


def pose(p: tuple[float, float, float] = (0, 0, 0), rotation: tuple[float, float, float] = (0, 0, 0)) -> np.ndarray:
    """A position, and rotations about x, y and z."""
    x, y, z = rotation
    return shift(*p) @ turn(2, z) @ turn(1, y) @ turn(0, x)


def home(robot: Robot) -> dict[str, float]:
    return {
        frame.joint.variable.name: frame.joint.position or 0.0
        for frame in robot.frames
        if frame.joint.variable is not None
    }
