"""Renaud's augmented bodies: his published table, and the same torques as plain mechanics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from models.reference import loaded_robot, newton_euler, random_states, relative_error, tree_on_floats
from sweeps import many

import robosym
from robosym.expr import expr, number
from robosym.models.tree.augmented_body import augmented_bodies, augmented_torques, renaud_table
from robosym.models.tree.bodies import Tree, tree
from robosym.models.tree.motion import motions
from robosym.models.tree.regrouping import regrouped
from robosym.models.tree.state import state_inputs, wrench_frames
from robosym.models.tree.wrenches import torques
from robosym.program import Array, Graph, Program, Scope, lower, verified
from robosym.robot import Robot
from robosym.runtime import compile_program

# The example of the paper: step -> multiplications and additions.
PUBLISHED = {
    "0": (0, 0),
    "1": (18, 12),
    "2": (25, 0),
    "3": (28, 22),
    "4": (0, 15),
    "5": (0, 0),
    "6": (22, 12),
    "7": (26, 16),
    "8": (0, 0),
    "9": (62, 50),
    "10": (0, 0),
    "total": (181, 127),
}


def program_of(robot: Robot, bodies: Tree, wrench: str = "none") -> Program:
    scope = Scope()
    found = augmented_torques(bodies, scope)
    total = map(expr, bodies.coordinates.torques(found))
    inputs = state_inputs(robot, ("q", "qd", "qdd"), wrench)
    return lower(Graph("augmented", inputs, (Array("tau", (bodies.coordinates.nv,), tuple(total)),), scope.names))


def counts(robot: Robot) -> dict[str, tuple[int, int]]:
    return {step: (cost.mul, cost.add) for step, cost in renaud_table(robot).items()}


# --- the published counts --------------------------------------------------------------------------------------------


def test_the_published_table_step_by_step() -> None:
    assert counts(robosym.load("renaud-6r")) == PUBLISHED


def coupled(robot: Robot) -> Robot:
    """The paper's last regrouping: y5 and z6 occur as their difference only, so z6 goes to link 5."""
    *others, fifth, sixth = robot.frames
    fifth = replace(fifth, link=replace(fifth.link, MY=fifth.link.MY - sixth.link.MZ))
    sixth = replace(sixth, link=replace(sixth.link, MZ=number(0)))
    return robot.replace(frames=(*others, fifth, sixth))


def test_the_published_total_after_the_last_regrouping() -> None:
    """164 and 115: the difference y5 - z6, and two products of delta_2 that step 3b has already made."""
    robot = robosym.load("renaud-6r")
    assert counts(coupled(robot))["total"] == (166, 115)
    shared = program_of(coupled(robot), tree(coupled(robot))).operations
    assert (shared.mul, shared.add) == (164, 115)
    assert program_of(robot, regrouped(tree(robot))).operations.total < shared.total
    state = {name: batch[0] for name, batch in random_states(np.random.default_rng(0), robot, 1).items()}
    one, other = (newton_euler(r, **state).tau for r in (robot, coupled(robot)))
    assert relative_error(one, other) < 1e-12


def test_a_prismatic_joint_brings_steps_0_5_and_8() -> None:
    table = counts(robosym.load("stanford"))
    assert all(sum(table[step]) > 0 for step in ("0", "5", "8"))
    assert table["total"] == tuple(np.sum([table[step] for step in table if step != "total"], axis=0))


def test_books_and_program_differ_only_by_what_is_shared() -> None:
    for name in ("rx90", "puma560", "stanford-symmetric"):
        robot = robosym.load(name)
        program = program_of(robot, tree(robot)).operations
        assert program.total <= sum(counts(robot)["total"]) <= 1.1 * program.total


# --- the same torques ------------------------------------------------------------------------------------------------


def chain(robot: Robot) -> Robot:
    """The same frames, one after the other."""
    return robot.replace(frames=tuple(replace(frame, antecedent=j) for j, frame in enumerate(robot.frames)))


@pytest.mark.slow
@settings(max_examples=many(15), deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 8), serial=st.booleans(), moving_base=st.booleans())
@example(seed=196, n=8, serial=True, moving_base=True)  # sums off-line that cancel
def test_torques_agree_with_mechanics(seed: int, n: int, serial: bool, moving_base: bool) -> None:
    """Chains and trees, every kind of joint, a wrench on every link; with the parameters regrouped too."""
    rng = np.random.default_rng(seed)
    robot = loaded_robot(rng, n, symbolic=True, moving_base=moving_base)
    robot = chain(robot) if serial else robot
    state = {name: batch[0] for name, batch in random_states(rng, robot, 1).items()}
    links = wrench_frames(robot, "all")
    wrench = rng.uniform(-5, 5, (len(links), 6))
    expected = newton_euler(robot, **state, wrenches=dict(zip(links, wrench, strict=True)), rotor=False).tau
    bodies = tree(robot, "all")
    for used in (bodies, regrouped(bodies)):
        program = verified(program_of(robot, used, "all"))
        values = {name: value.number for name, value in robot.values.items()}
        got = compile_program(program, values=values, speed_level=0)(**state, wrench=wrench)
        assert relative_error(got, expected) < 1e-10


@settings(max_examples=many(30), deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 12))
def test_on_floats_it_agrees_with_the_other_recursion(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    robot = chain(loaded_robot(rng, n, symbolic=False))
    state = {name: batch[0] for name, batch in random_states(rng, robot, 1).items()}
    bodies = tree_on_floats(tree(robot), robot, state)
    got, scope = augmented_torques(bodies, Scope()), Scope()
    expected = torques(bodies, motions(bodies, scope), scope)
    joints = [body.j for body in bodies.bodies]
    assert relative_error([got[j] for j in joints], [expected[j][1] for j in joints]) < 1e-10


@pytest.mark.parametrize("seed", range(5))
def test_an_augmented_body_is_the_body_and_points(seed: int) -> None:
    """Its moments by Huygens' theorem, in matrices."""
    rng = np.random.default_rng(seed)
    robot = loaded_robot(rng, 7, symbolic=False)
    state = {name: batch[0] for name, batch in random_states(rng, robot, 1).items()}
    bodies = tree_on_floats(tree(robot), robot, state)
    found = augmented_bodies(bodies, Scope())
    for body in bodies.bodies:
        first, second = np.array(body.inertia.moment), full(body.inertia.matrix)
        for child in bodies.children(body.j):
            p, m = np.array(child.position), found[child.j].mass
            first = first + m * p
            second = second + m * (p @ p * np.eye(3) - np.outer(p, p))
        np.testing.assert_allclose(found[body.j].first, first, atol=1e-12)
        np.testing.assert_allclose(full(found[body.j].second), second, atol=1e-12)
    roots = [body.j for body in bodies.bodies if not body.parent]
    carried = sum(body.inertia.mass for body in bodies.bodies)
    assert sum(found[j].mass for j in roots) == pytest.approx(carried)


def full(symmetric: tuple[float, ...]) -> np.ndarray:
    XX, XY, XZ, YY, YZ, ZZ = symmetric
    return np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]])
