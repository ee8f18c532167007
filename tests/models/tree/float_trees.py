"""Random trees at one state in numbers, and where their frames are, for identities of the parts of an algorithm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from models.reference import frame_poses, loaded_robot, random_states, tree_on_floats

from robosym.library import load
from robosym.models.tree.bodies import Body, Tree, tree
from robosym.robot import Robot


@dataclass(frozen=True)
class FloatTree:
    """A robot at a state: its bodies in numbers, and the pose of every frame in frame 0."""

    robot: Robot
    state: dict[str, np.ndarray]
    tree: Tree
    poses: dict[int, np.ndarray]

    def R(self, j: int) -> np.ndarray:
        return self.poses[j][:3, :3]

    def p(self, j: int) -> np.ndarray:
        return self.poses[j][:3, 3]

    def carried(self, j: int) -> list[Body]:
        """Body j and all that it carries."""
        found: list[Body] = []
        for body in self.tree.bodies:
            if body.j == j or body.parent in {one.j for one in found}:
                found.append(body)
        return found

    def column(self, j: int, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What joint j at unit speed gives a body it carries: angular velocity, velocity of a point; in frame 0."""
        z = self.R(j)[:, 2]
        if self.tree.body(j).prismatic:
            return np.zeros(3), z
        return z, np.cross(z, point - self.p(j))


def float_tree(source: int | str, moving_base: bool = False) -> FloatTree:
    """The random tree of a seed (with joints that follow others), or a built-in robot: those have parallel axes."""
    rng = np.random.default_rng(source if isinstance(source, int) else 7)
    robot = loaded_robot(rng, 7, True, moving_base) if isinstance(source, int) else load(source)
    state = {name: batch[0] for name, batch in random_states(rng, robot, 1).items()}
    return FloatTree(robot, state, tree_on_floats(tree(robot), robot, state), frame_poses(robot, state["q"]))


SOURCES = (0, 1, 2, 3, "rx90", "scara", "ur5", "planar-3r", "stanford")


def symmetric_matrix(a: tuple[float, ...]) -> np.ndarray:
    xx, xy, xz, yy, yz, zz = a
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
