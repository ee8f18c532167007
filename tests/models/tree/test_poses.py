"""Poses: the product of motions, multiplied in any order, against plain products of matrices."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from models.geometry.test_poses import numbers_of, plain_transforms
from random_robots import random_robot
from sweeps import many

import robosym
from robosym.expr import evaluate, expr
from robosym.models.tree.paths import Poses, Ways, motions
from robosym.models.tree.poses import pose
from robosym.program import Scope
from robosym.robot import Robot


@settings(max_examples=many(15), deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 40), symbolic=st.booleans())
def test_random_trees_agree_with_matrix_products(seed: int, n: int, symbolic: bool) -> None:
    """The same algorithm on floats, the compiled program, and plain products of equation (1b)."""
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, n, symbolic=symbolic)
    q = rng.uniform(-2, 2, robot.nq)
    expected = plain_transforms(robot, q)
    start, end = (int(rng.integers(0, n + 1)) for _ in range(2))
    wanted = np.linalg.inv(expected[start]) @ expected[end]
    scale = 1 + np.abs(wanted).max()
    got = robosym.models.transform(robot, frame=end, reference=start).evaluate(q=q)
    np.testing.assert_allclose(got, wanted, atol=1e-11 * scale)
    np.testing.assert_allclose(on_floats(robot, start, end, q), wanted, atol=1e-11 * scale)


def on_floats(robot: Robot, start: int, end: int, q: np.ndarray) -> np.ndarray:
    """The algorithm itself, run on numbers instead of expressions, in every order."""
    values = numbers_of(robot, q)
    way = Ways(robot)(start, start)
    for motion in motions(robot, start, end):
        angle, shift = number(motion.angle, values), number(motion.shift, values)
        way = way.then(*(replace(motion, angle=sign * angle, shift=sign * shift) for sign in (1, -1)))
    results = []
    for order in (("left", "left"), ("right", "right"), ("left", "right"), ("right", "left")):
        for add_angles in (True, False):
            columns, position = pose(way, "all", Poses(Scope(), add_angles), order)
            T = np.eye(4)
            T[:3, :3] = np.array(columns, dtype=float).T
            T[:3, 3] = position
            results.append(T)
    for other in results[1:]:
        np.testing.assert_allclose(other, results[0], atol=1e-11 * (1 + np.abs(results[0]).max()))
    return results[0]


def number(value: Any, values: dict[Any, float]) -> float:
    return float(evaluate([expr(value)], values)[0])
