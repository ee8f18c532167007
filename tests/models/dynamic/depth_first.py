"""Random trees numbered branch by branch: Pinocchio's crba and Coriolis matrix need the joints of a subtree in a row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from random_robots import random_robot

from robosym.robot import Robot


def random_tree(seed: int, n: int) -> Robot:
    return depth_first(random_robot(np.random.default_rng(seed), n))


def depth_first(robot: Robot) -> Robot:
    """The same tree (without dependent joints) with its frames listed branch by branch."""
    order: list[int] = []
    waiting = [0]
    while waiting:
        j = waiting.pop()
        order.append(j)
        waiting += [k for k, frame in enumerate(robot.frames, 1) if frame.antecedent == j]
    place = {old: new for new, old in enumerate(order)}
    frames = [replace(robot.frame(j), antecedent=place[robot.frame(j).antecedent]) for j in order[1:]]
    return robot.replace(frames=tuple(frames))
