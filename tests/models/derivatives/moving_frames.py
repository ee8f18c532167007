"""Random trees on floats, and the axes in which the recursion of the derivatives works."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from models.reference import frame_poses, tree_on_floats
from random_robots import random_robot

from robosym.models.derivatives.carriers import places
from robosym.models.tree.bodies import Body, Tree, tree
from robosym.robot import Robot


def random_tree(seed: int, floating: bool = False) -> tuple[Robot, Tree, dict[str, np.ndarray]]:
    """A robot of up to eight frames, its bodies in numbers, and the state."""
    rng = np.random.default_rng([seed, 5])
    robot = random_robot(rng, int(rng.integers(3, 9)))
    if floating:
        robot = robot.replace(base=replace(robot.base, floating=True, link=robot.frames[0].link))
    state = {"q": rng.uniform(-2, 2, robot.nq), "qd": rng.uniform(-2, 2, robot.nv), "qdd": rng.uniform(-2, 2, robot.nv)}
    if floating:
        state["q"][3:7] /= np.linalg.norm(state["q"][3:7])
    return robot, tree_on_floats(tree(robot), robot, state), state


def foot_frame(robot: Robot, numeric: Tree, body: Body, q: np.ndarray) -> np.ndarray:
    """The pose of the axes of a joint, before its own turn and at the foot of its axis, in frame 0."""
    before = places(numeric)[body.parent].left if body.parent else 0.0
    angle = -(float(before) + float(body.turn))
    c, s = np.cos(angle), np.sin(angle)
    undone = np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, -float(body.slide)], [0, 0, 0, 1]])
    return frame_poses(robot, q)[body.j] @ undone
