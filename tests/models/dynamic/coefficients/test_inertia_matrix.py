"""The inertia matrix: compiled C, torques of unit accelerations, floats, zeros of a tree, published counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from c_calls import call_c
from hypothesis import given, settings
from hypothesis import strategies as st
from models.dynamic.depth_first import random_tree
from models.pinocchio_states import Twin
from models.reference import loaded_robot, newton_euler, random_states, relative_error
from real_robots import real_robot, urdf_file
from sweeps import many

import robosym
from robosym.models.dynamic.coefficients.inertia_matrix import inertia_graph, inertia_matrix
from robosym.models.tree.bodies import tree
from robosym.models.tree.inertia_entries import MatrixRoute
from robosym.models.tree.regrouping import regrouped
from robosym.program import lower, verified
from robosym.robot import Robot

# Real files hold inertias no body can have; their readers' tests are elsewhere.
pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

TOLERANCE = 1e-10
STATES = 5
WAYS = ((True, False), (False, False), (False, True))
ALL_FORMS = [MatrixRoute(add_angles, *way) for add_angles in (True, False) for way in WAYS]


def compiled_error(robot: Robot, twin: Twin, seed: int, parameters: str = "standard") -> float:
    q = random_states(np.random.default_rng(seed), robot, STATES)["q"]
    model = inertia_matrix(robot, parameters=parameters)  # type: ignore[arg-type]
    verified(model.program)
    found = model.compile()(q=q)
    np.testing.assert_array_equal(found, np.swapaxes(found, 1, 2))
    return relative_error(found, [twin.crba(one) for one in q])


# --- against Pinocchio -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_tree_of_thirty_joints_agrees_with_pinocchio() -> None:
    robot = random_tree(30, 36)
    assert compiled_error(robot, Twin.of_robot(robot), 3) < TOLERANCE


@pytest.mark.slow
def test_a_long_chain_is_written_in_the_base() -> None:
    """Where an entry costs a product of six by six numbers: eleven operations, and about two hundred a joint."""
    robot = robosym.load("general-24r")
    assert inertia_matrix(robot).operations.total < 11 * 24 * 23 / 2 + 200 * 24


@pytest.mark.parametrize("name", ["panda", "solo12", "z1"])
def test_compiled_c_agrees_with_pinocchio(compiled: Callable[[str], Any], name: str) -> None:
    robot = real_robot(name)
    q = random_states(np.random.default_rng(4), robot, 1)["q"][0]
    model = inertia_matrix(robot)
    parameters = [model.values[symbol.name] for symbol in model.program.parameter_symbols]
    found = call_c(compiled(model.source("c")), model.program, {"q": q}, parameters)["A"]
    assert relative_error(found, Twin.of_urdf(urdf_file(name), robot).crba(q)) < TOLERANCE


# --- identities ------------------------------------------------------------------------------------------------------


@settings(max_examples=many(6), deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 8))
def test_every_form_is_the_slope_of_the_torques(seed: int, n: int) -> None:
    """d tau / d qdd = A, with dependent joints, rotors and a moving base."""
    rng = np.random.default_rng(seed)
    robot = loaded_robot(rng, n, symbolic=True)
    q = rng.uniform(-2, 2, robot.nv)
    still = np.zeros(robot.nv)
    rest = newton_euler(robot, q, still, still).tau
    expected = np.array([newton_euler(robot, q, still, unit).tau - rest for unit in np.eye(robot.nv)])
    values = {name: value.number for name, value in robot.values.items()}
    for form in ALL_FORMS:
        program = verified(lower(inertia_graph(robot, regrouped(tree(robot)), form)))
        found = program.call(q=q, parameters=values)["A"]
        np.testing.assert_allclose(found, expected, atol=1e-9 * max(1.0, np.abs(expected).max()))


def test_it_is_positive_definite() -> None:
    for name in ("rx90", "puma560", "stanford", "scara"):
        robot = robosym.load(name)
        q = random_states(np.random.default_rng(6), robot, 20)["q"]
        assert np.linalg.eigvalsh(inertia_matrix(robot).compile()(q=q)).min() > 0


def test_branches_share_no_entry() -> None:
    link = {"ZZ": "J", "MX": "H", "M": "W"}
    rows = [{"d": 0, **link}, {"antecedent": 1, "d": "L", **link}, {"antecedent": 1, "d": "L", "alpha": "pi/2", **link}]
    robot = Robot.from_table("fork", rows)
    A = next(a for a in inertia_matrix(robot).program.outputs if a.name == "A").entries
    assert A[1 * 3 + 2].is_zero
    assert A[2 * 3 + 1].is_zero


def test_rotor_inertia_is_on_the_diagonal_alone() -> None:
    robot = robosym.load("rx90")
    q = np.linspace(-1, 1, 6)
    with_rotors, without = (inertia_matrix(robot, rotor_inertia=rotor).evaluate(q=q) for rotor in (True, False))
    rotors = [robot.values[f"IA{j}"].number for j in range(1, 7)]
    np.testing.assert_allclose(with_rotors - without, np.diag(rotors), atol=1e-12)


# --- counts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "most"),
    [("puma560", 231), ("puma560-symmetric", 150), ("rx90", 196), ("rx90-symmetric", 122)],  # published: 369, 252
)
def test_counts_do_not_grow(name: str, most: int) -> None:
    operations = inertia_matrix(robosym.load(name), parameters="base").operations
    assert operations.total <= most
    assert operations.strict <= most + 6


@pytest.mark.slow
def test_the_count_of_a_long_chain_grows_with_the_square_of_the_joints() -> None:
    totals = [inertia_matrix(robosym.load(f"general-{n}r")).operations.total for n in (10, 15, 20)]
    assert (totals[2] - totals[1]) - (totals[1] - totals[0]) <= 25 * 36  # 36 operations for every pair of joints
