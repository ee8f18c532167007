"""The recursion on floats, where it costs nothing to build: random trees, fixed and on a free base, against Pinocchio."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.derivatives.pinocchio_derivatives import agree, of_forward_dynamics, of_inverse_dynamics, random_state
from models.pinocchio_states import Twin
from models.reference import tree_on_floats
from random_robots import random_robot
from sweeps import many

from robosym.models.derivatives.entries import derivatives
from robosym.models.derivatives.solving import Factors, factorised
from robosym.models.dynamic.forward.pivots import Pivots
from robosym.models.tree.bodies import Tree, tree
from robosym.models.tree.regrouping import regrouped
from robosym.program import Scope
from robosym.robot import Robot

SEEDS, PARTS = many(60), 5


def robot_of(seed: int, free: bool) -> Robot:
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, int(rng.integers(1, 13)))
    return robot.replace(base=replace(robot.base, floating=True, link=robot.frames[0].link)) if free else robot


def on_floats(robot: Robot, state: dict[str, np.ndarray], plainly: bool) -> tuple[Tree, dict[str, np.ndarray]]:
    bodies = tree(robot) if plainly else regrouped(tree(robot))
    numeric = tree_on_floats(bodies, robot, state)
    found = derivatives(numeric, Scope())
    own = numeric.coordinates
    made = {
        "dtau_dq": own.matrix(found.by_position),
        "dtau_dqd": own.matrix(found.by_speed),
        "A": own.full(found.inertia),
        "tau": own.torques(found.torques),
    }
    return numeric, {name: np.array(x, dtype=float) for name, x in made.items()}


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("free", [False, True])
def test_random_trees(free: bool, part: int) -> None:
    """Links as they are described, and regrouped."""
    for seed in range(part, SEEDS, PARTS):
        robot = robot_of(seed, free)
        twin = Twin.of_robot(robot)
        state = random_state(robot, np.random.default_rng(seed + 1))
        expected = of_inverse_dynamics(twin, state)
        expected |= {"A": twin.crba(state["q"]), "tau": twin.rnea(state["q"], state["qd"], state["qdd"])}
        _, found = on_floats(robot, state, plainly=bool(seed % 2))
        for name, x in expected.items():
            agree(found[name], x, 1e-10, (seed, name))


def factors_of(numeric: Tree, A: np.ndarray) -> Factors:
    n = len(A)
    rows = {i: {j: float(A[i, j]) for j in range(i + 1) if A[i, j] != 0} for i in range(n)}
    return factorised(rows, numeric.coordinates.owners, Scope(), Pivots())


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("free", [False, True])
def test_accelerations_of_random_trees(free: bool) -> None:
    """-A^-1 dtau/dx at the accelerations of the torques, with the factors of A."""
    for seed in range(many(30)):
        robot = robot_of(seed, free)
        twin = Twin.of_robot(robot)
        state = random_state(robot, np.random.default_rng(seed + 1), "tau")
        qdd = twin.aba(state["q"], state["qd"], state["tau"])
        numeric, found = on_floats(robot, {**state, "qdd": qdd}, plainly=bool(seed % 2))
        factors = factors_of(numeric, found["A"])
        expected = of_forward_dynamics(twin, state)
        inverse = np.array(factors.inverted(Scope(), numeric.coordinates.owners))
        digits = 1e-9 + 1e-15 * np.linalg.cond(found["A"])
        agree(inverse, expected["dqdd_dtau"], digits, seed)
        for name, by in (("dqdd_dq", "dtau_dq"), ("dqdd_dqd", "dtau_dqd")):
            columns = [[-x for x in factors.solved(column)] for column in found[by].T]
            agree(np.array(columns).T, expected[name], digits, (seed, name))
