"""Pairs of speeds: their product is the bilinear form, and every recursion of inverse dynamics runs on them, on floats too."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from models.reference import relative_error, tree_on_floats
from random_robots import random_robot
from sweeps import crossed

import robosym
from robosym import models
from robosym.expr import variable
from robosym.models.tree.bodies import tree
from robosym.models.tree.joint_torques import CLASSICAL, MODERN, Algorithm, augmented, two_axis_links_first
from robosym.models.tree.reference import Pair, PairScope, reference_inputs, referred
from robosym.models.tree.regrouping import regrouped
from robosym.robot import RobotError

# --- the scalar ----------------------------------------------------------------------------------------------------------


def test_the_product_is_the_bilinear_form() -> None:
    x, y = Pair(2.0, 3.0), Pair(5.0, 7.0)
    assert x * y == y * x == (2 * 7 + 3 * 5) / 2
    assert x * x == x**2 == 2 * 3
    assert (x + y) * y == x * y + y * y
    assert (2 * x - y) * x == 2 * (x * x) - x * y
    assert Pair(2, 2) * Pair(5, 5) == 2 * 5  # of one motion with itself the plain product


def test_zeros_fall_away_and_numbers_of_numpy_multiply() -> None:
    x = Pair(2.0, 3.0)
    assert x + 0 == 0 + x == x - 0 == x
    assert 0 - x == -x == Pair(-2.0, -3.0)
    assert x * 0 == 0 * x == 0
    assert np.float64(2) * x == Fraction(2) * x == Pair(4.0, 6.0)


@pytest.mark.parametrize("wrong", [lambda x: x + 1, lambda x: 1 - x, lambda x: x**3, lambda x: x + variable("q1")])
def test_a_speed_is_no_number(wrong: object) -> None:
    """What would be no form of two speeds is an error, never a number."""
    with pytest.raises(TypeError):
        wrong(Pair(2.0, 3.0))  # type: ignore[operator]


def test_names_tell_the_two_motions_apart() -> None:
    scope = PairScope()
    q, r = variable("q1"), variable("v1")
    scope.scalar("WI", 12, Pair(q * q, r * q), 3)
    scope.scalar("U", 2, q * r + 1, 3, 1)
    assert sorted(scope.names.values()) == ["U312", "WI3_12", "WIR3_12"]


# --- the recursions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("algorithm", "seed"), crossed([CLASSICAL, MODERN, two_axis_links_first, augmented], range(4), every=2)
)
def test_every_recursion_runs_on_floats(algorithm: Algorithm, seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, 5, symbolic=bool(seed % 2))
    names = ("q", "qd", "v", "a")
    state = dict(zip(names, rng.uniform(-2, 2, (4, robot.nv)), strict=True))
    plain = tree(robot) if algorithm is CLASSICAL else regrouped(tree(robot))
    bodies = tree_on_floats(referred(plain).paired, robot, state)
    _, found = algorithm(bodies, PairScope())
    assert all(isinstance(x, (int, float)) for x in found.values())
    expected = models.passive_dynamics(robot, wrench="none").evaluate(**state)
    assert relative_error(plain.coordinates.torques(found), expected) < 1e-12


# --- the inputs ----------------------------------------------------------------------------------------------------------


def test_the_inputs_are_named_after_the_joints() -> None:
    arrays = {array.name: array for array in reference_inputs(robosym.load("eel-2"), "all")}
    assert list(arrays) == ["q", "qd", "v", "a", "wrench"]
    for name in ("v", "a"):
        assert [s.name for s in arrays[name].entries[:7]] == [f"{name}_base{k}" for k in range(1, 7)] + [f"{name}1"]
    rate = arrays["v"].rate
    assert rate is not None
    assert (rate.array, rate.entries) == (arrays["a"], arrays["a"].entries)


def test_a_coordinate_of_the_same_name_is_refused() -> None:
    robot = robosym.load("planar-2r")
    first, *others = robot.frames
    joint = replace(first.joint, velocity=variable("a2"))
    with pytest.raises(RobotError, match="'a2' stands for two things"):
        models.passive_dynamics(robot.replace(frames=(replace(first, joint=joint), *others)))
