"""The recursion itself, run on floats in every form, against a plain Newton-Euler in the axes of the base."""

from __future__ import annotations

from dataclasses import fields
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models.reference import loaded_robot, newton_euler, random_states, relative_error, tree_on_floats
from sweeps import many

from robosym.models.tree.bodies import Tree, tree
from robosym.models.tree.motion import Recursion, motions
from robosym.models.tree.regrouping import regrouped
from robosym.models.tree.wrenches import torques
from robosym.program import Scope
from robosym.robot import Robot

FORMS = [Recursion(*choice) for choice in product((False, True), repeat=len(fields(Recursion)))]
TOLERANCE = 1e-10


def on_floats(robot: Robot, bodies: Tree, state: dict[str, np.ndarray], form: Recursion) -> tuple[np.ndarray, ...]:
    """Joint torques projected on the independent joints, and the reactions, in numbers all the way."""
    numeric = tree_on_floats(bodies, robot, state)
    scope = Scope()
    found = torques(numeric, motions(numeric, scope, form), scope, form)
    assert not scope.names
    tau = np.array(numeric.coordinates.torques({j: gamma for j, (_, gamma) in found.items()}), dtype=float)
    reactions = [found[body.j][0] for body in numeric.bodies]
    return tau, np.array([f for f, _ in reactions]), np.array([m for _, m in reactions])


def one_state(rng: np.random.Generator, robot: Robot) -> dict[str, np.ndarray]:
    return {name: batch[0] for name, batch in random_states(rng, robot, 1).items()}


@pytest.mark.slow
@settings(max_examples=many(50), deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 12), form=st.sampled_from(FORMS), moving_base=st.booleans())
def test_every_form_runs_on_floats_and_agrees_with_mechanics(
    seed: int, n: int, form: Recursion, moving_base: bool
) -> None:
    rng = np.random.default_rng(seed)
    robot = loaded_robot(rng, n, symbolic=True, moving_base=moving_base)
    state = one_state(rng, robot)
    expected = newton_euler(robot, **state, rotor=False)
    tau, _, _ = on_floats(robot, tree(robot), state, form)
    assert relative_error(tau, expected.tau) < TOLERANCE


@settings(max_examples=many(20), deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 10))
def test_moving_parameters_to_the_antecedent_keeps_the_torques(seed: int, n: int) -> None:
    """The base moves too: what is moved goes with it, and nothing is dropped but what is on the base itself."""
    rng = np.random.default_rng(seed)
    robot = loaded_robot(rng, n, symbolic=True)
    state = one_state(rng, robot)
    bodies = tree(robot)
    moved = regrouped(bodies)
    for body in moved.bodies:
        sigma, moment = body.inertia.sigma, body.inertia.moment
        emptied = sigma if body.prismatic else (sigma[5], moment[2], body.inertia.mass)
        assert not any(emptied)
    expected = newton_euler(robot, **state, rotor=False)
    for form in (Recursion(), Recursion(classical=True)):
        tau, _, _ = on_floats(robot, moved, state, form)
        assert relative_error(tau, expected.tau) < TOLERANCE


@pytest.mark.parametrize("form", [form for form in FORMS if not form.add_angles_back])
@pytest.mark.parametrize("seed", range(5))
def test_the_wrenches_inside_the_joints(form: Recursion, seed: int) -> None:
    """Where the moments of parallel axes are not handed on apart."""
    rng = np.random.default_rng(seed)
    robot = loaded_robot(rng, 8, symbolic=False)
    state = one_state(rng, robot)
    expected = newton_euler(robot, **state, rotor=False)
    _, force, moment = on_floats(robot, tree(robot), state, form)
    assert relative_error(force, expected.force) < TOLERANCE
    assert relative_error(moment, expected.moment) < TOLERANCE


def test_steps_carry_the_names_of_the_papers() -> None:
    rng = np.random.default_rng(3)
    robot = loaded_robot(rng, 6, symbolic=True)
    scope = Scope()
    bodies = tree(robot)
    torques(bodies, motions(bodies, scope, Recursion(classical=True)), scope, Recursion(classical=True))
    stems = {name.rstrip("0123456789_") for name in scope.names.values()}
    assert stems >= {"WP", "VSP", "VP", "F", "E", "N", "FDI"}
