"""The Coriolis matrix: Christoffel symbols of Pinocchio's crba, its own C qd, and A-dot - 2 C skew-symmetric."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models.dynamic.depth_first import random_tree
from models.pinocchio_states import Twin, pin
from models.reference import random_states, relative_error, tree_on_floats
from sweeps import many

import robosym
from robosym.models.dynamic.coefficients.coriolis import coriolis, from_rates, from_symbols
from robosym.models.dynamic.coefficients.inertia_matrix import inertia_matrix
from robosym.models.dynamic.inverse.bias import bias, gravity
from robosym.models.tree.bodies import tree
from robosym.program import Scope, verified
from robosym.program.derive import tangent
from robosym.robot import Robot

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

STATES = 3


def christoffel(twin: Twin, q: np.ndarray, qd: np.ndarray, step: float = 1e-5) -> np.ndarray:
    """The definition, [7.7] of Khalil's course, with central differences of Pinocchio's matrix."""
    slopes = np.array([(twin.crba(q + d) - twin.crba(q - d)) / (2 * step) for d in step * np.eye(len(q))])
    symbols = (np.einsum("kij->ijk", slopes) + np.einsum("jik->ijk", slopes) - np.einsum("ijk->ijk", slopes)) / 2
    return np.asarray(symbols @ qd)


def check(robot: Robot, twin: Twin, seed: int) -> None:
    batch = random_states(np.random.default_rng(seed), robot, STATES)
    model = coriolis(robot)
    verified(model.program)
    found = model.compile()(q=batch["q"], qd=batch["qd"])
    for C, q, qd in zip(found, batch["q"], batch["qd"], strict=True):
        torque = twin.bias(q, qd) - twin.gravity(q)
        scale = max(1.0, np.abs(twin.bias(q, qd)).max())
        np.testing.assert_allclose(C @ qd, torque, rtol=0, atol=1e-10 * scale)
        expected = christoffel(twin, q, qd)
        np.testing.assert_allclose(C, expected, rtol=0, atol=1e-7 * max(1.0, np.abs(expected).max()))
        spread = twin.spread
        theirs = pin.computeCoriolisMatrix(twin.model, twin.data, twin.configuration(q), spread @ qd)
        np.testing.assert_allclose(C @ qd, spread.T @ theirs @ spread @ qd, rtol=0, atol=1e-10 * scale)


@settings(max_examples=many(8), deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 10))
def test_random_trees_agree_with_pinocchio(seed: int, n: int) -> None:
    robot = random_tree(seed, n)
    check(robot, Twin.of_robot(robot), seed)


@settings(max_examples=many(8), deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 8))
def test_both_ways_agree_on_floats(seed: int, n: int) -> None:
    robot = random_tree(seed, n)
    state = {name: rows[0] for name, rows in random_states(np.random.default_rng(seed), robot, 1).items()}
    bodies = tree_on_floats(tree(robot), robot, state)
    rates, symbols = from_rates(bodies, Scope()), from_symbols(bodies, Scope())
    for key in rates.keys() | symbols.keys():
        assert rates.get(key, 0) == pytest.approx(symbols.get(key, 0), abs=1e-9, rel=1e-9), key


@pytest.mark.parametrize("name", ["rx90", "stanford", "puma560"])
def test_the_rate_of_the_inertia_matrix_less_twice_it_is_skew(name: str) -> None:
    robot = robosym.load(name)
    A = inertia_matrix(robot)
    state = {key: rows[0] for key, rows in random_states(np.random.default_rng(3), robot, 1).items() if key != "qdd"}
    rate = tangent(A.program).call(**state, parameters=A.values)["Ad"]
    skew = rate - 2 * coriolis(robot).evaluate(**state)
    assert relative_error(-skew.T, skew) < 1e-12


@pytest.mark.parametrize("name", ["rx90", "scara"])
def test_the_bias_is_its_torque_and_gravity(name: str) -> None:
    robot = robosym.load(name)
    q, qd = np.random.default_rng(4).uniform(-2, 2, (2, robot.nv))
    C = coriolis(robot, parameters="base").evaluate(q=q, qd=qd)
    np.testing.assert_allclose(C @ qd + gravity(robot).evaluate(q=q), bias(robot).evaluate(q=q, qd=qd), atol=1e-11)


@pytest.mark.parametrize(("name", "most"), [("puma560", 759), ("rx90", 691), ("scara", 28)])
def test_counts_do_not_grow(name: str, most: int) -> None:
    assert coriolis(robosym.load(name), parameters="base").operations.total <= most
