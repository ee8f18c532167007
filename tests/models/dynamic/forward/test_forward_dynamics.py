"""The forward dynamic model: compiled C, the inverse model undone, both methods alike, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from c_calls import call_c
from hypothesis import given, settings
from hypothesis import strategies as st
from models.pinocchio_states import Twin
from models.reference import loaded_robot, newton_euler, random_states, relative_error, tree_on_floats
from random_robots import random_robot
from real_robots import URDFS, real_robot, urdf_file
from sweeps import many

import robosym
from robosym import RobosymError
from robosym.expr import number
from robosym.generated import Model
from robosym.models import limits
from robosym.models.dynamic.forward import articulated_bodies as articulated
from robosym.models.dynamic.forward import factorised
from robosym.models.dynamic.forward.forward_dynamics import forward_dynamics, mean_square_depth
from robosym.models.dynamic.forward.pivots import Pivots
from robosym.models.tree.bodies import tree
from robosym.models.tree.inertia_entries import MatrixRoute
from robosym.models.tree.regrouping import regrouped
from robosym.models.tree.state import wrench_frames
from robosym.program import Scope, verified
from robosym.robot import Mimic, Robot, RobotError

# Real files hold inertias no body can have; their readers' tests are elsewhere.
pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

TOLERANCE = 1e-10
STATES = 8
METHODS = ("factorised", "articulated-bodies")


def states(rng: np.random.Generator, robot: Robot) -> dict[str, np.ndarray]:
    batch = random_states(rng, robot, STATES)
    return {"q": batch["q"], "qd": batch["qd"], "tau": rng.uniform(-20, 20, batch["q"].shape)}


def aba(twin: Twin, batch: dict[str, np.ndarray]) -> np.ndarray:
    return np.array([twin.aba(*row) for row in zip(batch["q"], batch["qd"], batch["tau"], strict=True)])


def in_c(model: Model, compiled: Callable[[str], Any], batch: dict[str, np.ndarray]) -> np.ndarray:
    """The accelerations by the generated C, built by the C compiler."""
    library = compiled(model.source("c"))
    parameters = [model.values[symbol.name] for symbol in model.program.parameter_symbols]
    zero = {array.name: np.zeros(array.shape) for array in model.program.inputs}
    rows = [{name: values[i] for name, values in batch.items()} for i in range(STATES)]
    return np.array([call_c(library, model.program, {**zero, **row}, parameters)["qdd"] for row in rows])


# --- against Pinocchio -----------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["panda", "solo12", "z1"])
def test_compiled_c_agrees_with_pinocchio(compiled: Callable[[str], Any], name: str) -> None:
    robot = real_robot(name, mimic=False)
    batch = states(np.random.default_rng(5), robot)
    expected = aba(Twin.of_urdf(urdf_file(name), robot), batch)
    for method in METHODS:
        model = forward_dynamics(robot, method=method)
        verified(model.program)
        assert relative_error(in_c(model, compiled, batch), expected) < TOLERANCE, method


# --- the inverse model undone ----------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=many(10), deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 9),
    symbolic=st.booleans(),
    friction=st.booleans(),
    rotor=st.booleans(),
    wrench=st.sampled_from(["terminal", "all", "none"]),
)
def test_it_undoes_the_inverse_dynamics(
    seed: int, n: int, symbolic: bool, friction: bool, rotor: bool, wrench: str
) -> None:
    """Torques from a plain Newton-Euler with dependent joints, friction, rotors, wrenches and a moving base."""
    rng = np.random.default_rng(seed)
    robot = loaded_robot(rng, n, symbolic)
    q, qd, qdd = rng.uniform(-2, 2, (3, robot.nv))
    links = wrench_frames(robot, wrench)
    pushed = rng.uniform(-5, 5, (len(links), 6))
    by_link = dict(zip(links, pushed, strict=True))
    tau = newton_euler(robot, q, qd, qdd, by_link, friction=friction, rotor=rotor).tau
    given_wrench = {"wrench": pushed} if links else {}
    dependent = any(frame.joint.mimic is not None for frame in robot.frames)
    for method in ("auto", "factorised") if dependent else METHODS:
        model = forward_dynamics(robot, method=method, friction=friction, rotor_inertia=rotor, wrench=wrench)
        got = model.evaluate(q=q, qd=qd, tau=tau, **given_wrench)
        assert relative_error(got, qdd) < 1e-8, method  # the inertia matrix of a random tree may be badly conditioned


# --- the algorithms themselves ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(many(5)))
def test_the_algorithms_run_on_floats(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, 2 + seed, symbolic=True)
    bodies = tree(robot)
    still = replace(bodies, bodies=tuple(replace(body, acceleration=0) for body in bodies.bodies))
    state = {name: rng.uniform(-2, 2, robot.nv) for name in ("q", "qd", "qdd")}
    tau = rng.uniform(-9, 9, robot.nv)
    expected = Twin.of_robot(robot).aba(state["q"], state["qd"], tau)
    for one in (still, regrouped(still)):
        numeric = tree_on_floats(one, robot, state)
        ways = paths_on_floats(robot, one, state["q"])
        through_matrix = factorised.accelerations(numeric, tau, Scope(), MatrixRoute(), Pivots())
        recursive = articulated.accelerations(numeric, ways, tau, Scope(), Pivots())
        assert all(isinstance(x, float) for x in (*through_matrix, *recursive))
        assert relative_error(through_matrix, expected) < 1e-8
        assert relative_error(recursive, expected) < 1e-8


def paths_on_floats(robot: Robot, bodies: Any, q: np.ndarray) -> dict[int, list[Any]]:
    from models.reference import numbers

    found = {}
    for j, path in articulated.paths(robot, bodies).items():
        found[j] = []
        for screw in path:
            angle, shift = numbers(robot, (number(0) + screw.angle, number(0) + screw.shift), q)
            found[j].append(replace(screw, angle=angle, shift=shift))
    return found


@pytest.mark.parametrize("name", ["rx90", "stanford", "solo12", "simple_humanoid"])
def test_the_inertia_matrix_keeps_the_zeros_of_the_tree(name: str) -> None:
    """An entry only where one joint carries the other, and the numbers are Pinocchio's."""
    if name in URDFS:
        robot = real_robot(name, mimic=False)
        twin = Twin.of_urdf(urdf_file(name), robot)
    else:
        robot = robosym.load(name)
        twin = Twin.of_robot(robot)
    rng = np.random.default_rng(1)
    state = {key: rng.uniform(-2, 2, robot.nv) for key in ("q", "qd", "qdd")}
    rows = factorised.lower_triangle(tree_on_floats(regrouped(tree(robot)), robot, state), Scope(), MatrixRoute())
    A = np.zeros((robot.nv, robot.nv))
    for i, row in rows.items():
        for k, entry in row.items():
            assert robot.moving[k] in robot.path(robot.moving[i])
            A[i, k] = A[k, i] = entry
    assert relative_error(A, twin.crba(state["q"])) < TOLERANCE


# --- cost ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "most"), [("puma560", 800), ("rx90", 750), ("puma560-symmetric", 550), ("rx90-symmetric", 480)]
)
def test_counts_stay_below_half_of_the_published_ones(name: str, most: int) -> None:
    assert forward_dynamics(robosym.load(name), parameters="base").operations.total <= most


@pytest.mark.mostly_slow(fast=4)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["rx90", "stanford", "scara"])
def test_base_and_standard_parameters_give_the_same_accelerations(name: str, method: str) -> None:
    robot = robosym.load(name)
    batch = states(np.random.default_rng(4), robot)
    standard, base = (
        forward_dynamics(robot, parameters=one, method=method).compile()(**batch) for one in ("standard", "base")
    )
    assert relative_error(base, standard) < TOLERANCE


@pytest.mark.slow
def test_articulated_bodies_grow_linearly() -> None:
    totals = [
        forward_dynamics(robosym.load(f"general-{n}r"), method="articulated-bodies").operations.total
        for n in (6, 9, 12)
    ]
    assert totals[2] - totals[1] == pytest.approx(totals[1] - totals[0], rel=0.01)
    assert totals[2] - totals[1] < 3 * 440


@pytest.mark.slow
def test_auto_keeps_the_cheaper_and_builds_no_matrix_for_a_long_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("puma560", "panda", "scara", "general-9r"):
        robot = robosym.load(name)
        cheapest = min(forward_dynamics(robot, method=method).operations.total for method in METHODS)
        assert forward_dynamics(robot).operations.total == cheapest, name
    long = robosym.load("general-11r")
    assert mean_square_depth(tree(long)) > limits.DEEP
    monkeypatch.setattr(factorised, "lower_triangle", lambda *_: pytest.fail("an inertia matrix of 11 joints"))
    forward_dynamics(long)


# --- what is refused -------------------------------------------------------------------------------------------------


def massless(rows: list[dict[str, Any]]) -> Robot:
    return Robot.from_table("light", rows)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("rows", "joint"),
    [
        ([{"M": 1, "ZZ": 1}, {"d": 1}], "q2"),  # nothing at the tip
        ([{}, {"ZZ": 1}], "q1"),  # two joints on one axis, no inertia between them
        ([{}, {"d": 0.3}, {"d": 0.7, "M": 1.3, "ZZ": 0.052, "MX": 0.26}], "q1"),  # a point on three planar joints
        ([{"sigma": 1, "alpha": 0.3}, {"sigma": 1, "M": 2}], "q1"),  # two slides along one line
    ],
)
def test_a_joint_without_inertia_is_named(method: str, rows: list[dict[str, Any]], joint: str) -> None:
    with pytest.raises(RobotError, match=f"joint '{joint}': moves no inertia"):
        forward_dynamics(massless(rows), method=method)


@pytest.mark.parametrize("method", METHODS)
def test_inertias_whose_values_are_zero_are_refused_too(method: str) -> None:
    light = Robot.from_table("light", [{"ZZ": "ZZ1"}, {"d": "L", "ZZ": "ZZ2"}], values={"ZZ1": 1, "ZZ2": 0, "L": 1})
    with pytest.raises(RobotError, match="joint 'q2': moves no inertia"):
        forward_dynamics(light, method=method)
    symbols = light.replace(values={})
    assert forward_dynamics(symbols, method=method).operations.total > 0


def test_a_rotor_is_inertia_enough() -> None:
    rows = [{"M": 1, "ZZ": 1, "Ia": 0.5}, {"d": 1, "Ia": 0.25}]
    for method in METHODS:
        got = forward_dynamics(massless(rows), method=method).evaluate(q=[0.3, 0.1], qd=[0, 0], tau=[3, 1])
        np.testing.assert_allclose(got, [2, 4])
        with pytest.raises(RobotError, match="joint 'q2'"):
            forward_dynamics(massless(rows), method=method, rotor_inertia=False)


def test_dependent_joints_and_unknown_methods_are_refused_by_name() -> None:
    robot = robosym.load("planar-2r")
    second = replace(robot.frame(2), joint=replace(robot.frame(2).joint, mimic=Mimic(1)))
    follower = robot.replace(frames=(robot.frame(1), second))
    with pytest.raises(RobotError, match=f"follow others: {second.joint.name}; use 'factorised'"):
        forward_dynamics(follower, method="articulated-bodies")
    with pytest.raises(RobosymError, match="method: got 'fast', expected 'auto', 'articulated-bodies' or 'factorised'"):
        forward_dynamics(robot, method="fast")  # type: ignore[arg-type]
