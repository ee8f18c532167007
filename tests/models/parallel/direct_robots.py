"""Robots with platforms made frame by frame, and poses, for tests of direct geometry."""

from __future__ import annotations

import numpy as np
from models.parallel.random_platforms import random_platform
from models.parallel.reference import joints_of

from robosym.expr import number, variable
from robosym.robot import FIXED, FREE, PRISMATIC, REVOLUTE, Frame, Joint, Leg, Platform, Robot

X, Y, Z = np.eye(3)


def turn(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rodrigues' formula."""
    axis = np.asarray(axis) / np.linalg.norm(axis)
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K)


def pose(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


def random_pose(rng: np.random.Generator) -> np.ndarray:
    return pose(turn(rng.normal(size=3), rng.uniform(0, np.pi)), rng.normal(size=3))


def lengths(points: np.ndarray, centres: np.ndarray, T: np.ndarray) -> np.ndarray:
    n = points.shape[1]
    return np.asarray(np.linalg.norm(points @ T[:n, :n].T + T[:n, 3] - centres, axis=1))


def known(kind: str, seed: int) -> tuple[Robot, np.ndarray, np.ndarray]:
    """A random robot of a class, its motors at home, and the pose (4, 4) of its platform there."""
    robot, home, joints = random_platform(kind, seed, named=None, placed=True)
    places = list(joints_of(robot))
    x, y, z, w = home[3:]
    angle = 2 * np.arctan2(np.linalg.norm([x, y, z]), w)
    axis = np.array([x, y, z]) if np.linalg.norm([x, y, z]) > 0 else Z
    return robot, np.array([joints[places.index(j)] for j in robot.moving]), pose(turn(axis, angle), home[:3])


def struts(points: np.ndarray, centres: np.ndarray) -> Robot:
    """6-UPS: a universal joint at each centre, a driven strut, a spherical seat at each point."""
    frames: list[Frame] = []
    ends = []

    def at(name: str, place: np.ndarray, antecedent: int) -> int:
        gamma, d = np.arctan2(place[1], place[0]), np.hypot(place[0], place[1])
        entries = {"gamma": number(gamma), "b": number(place[2]), "d": number(d)}
        frames.append(Frame(name, antecedent, Joint(name), FIXED, **entries))
        return len(frames)

    for i, centre in enumerate(centres, 1):
        foot = at(f"foot{i}", centre, 0)
        a, b, q = (variable(f"{name}{i}") for name in "abq")
        quarter = number(np.pi / 2)
        frames.append(Frame(f"A{i}", foot, Joint(f"a{i}", a, active=False), REVOLUTE, theta=a))
        frames.append(Frame(f"B{i}", foot + 1, Joint(f"b{i}", b, active=False), REVOLUTE, alpha=-quarter, theta=b))
        frames.append(Frame(f"Q{i}", foot + 2, Joint(f"q{i}", q), PRISMATIC, alpha=quarter, r=q))
        ends.append(foot + 3)
    frames.append(Frame("platform", 0, Joint("free"), FREE))
    platform = len(frames)
    seats = [at(f"seat{i}", point, platform) for i, point in enumerate(points, 1)]
    legs = tuple(Leg(f"leg{i}", end, seat) for i, (end, seat) in enumerate(zip(ends, seats, strict=True), 1))
    return Robot("struts", tuple(frames), platforms=(Platform(platform, legs),))
