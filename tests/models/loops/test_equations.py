"""The equations of closed loops: which rows determine the passive joints, which follow, and along which forces may be any."""

from __future__ import annotations

import numpy as np
import pytest
from models.loops.closed_reference import Closed
from models.loops.described_places import opening
from models.loops.iterated_linkages import stephenson
from models.loops.random_mechanisms import KINDS, random_mechanism
from models.loops.special_mechanisms import four_bar
from sweeps import some

import robosym
from robosym.expr import evaluate, variable
from robosym.models.loops.assembled import assembled
from robosym.models.loops.equations import COMPONENTS, SeenFrom, _scaled, closed_places, equations
from robosym.models.resolve import with_loops
from robosym.program import Scope
from robosym.robot import PRISMATIC, RobotError


def numeric(rows: list, at: dict) -> np.ndarray:
    flat = [float(x) for x in evaluate([e for row in rows for e in row], at)]
    return np.array(flat).reshape(len(rows), -1)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("kind", some(KINDS, 4))
def test_rows_kept_have_the_rank_of_all(kind: str) -> None:
    """Against Pinocchio's Jacobian matrices of the two frames of each cut joint, in the axes of that frame."""
    robot = random_mechanism(kind, 16)
    tree = assembled(robot)
    scope = Scope()
    own = equations(tree, scope)
    at = closed_places(tree)[0]
    reference = Closed(robot)
    variables = {j: robot.frame(j).joint.variable for j in reference.frames}
    positions = {v: at[v] for j, v in variables.items() if v in at}
    positions |= {
        variables[j]: float(x)
        for j, x in zip(tree.closure.positions, evaluate(list(tree.closure.positions.values()), at), strict=True)
    }
    assert opening(robot, at | positions) < 1e-9
    x = np.array([positions[variables[j]] for j in reference.frames])
    J, _ = reference.constraints(x, np.zeros(len(x)))
    frames = list(reference.frames)
    n, loops = len(own.passive), len(own.loops)
    assert set(own.tree) | set(own.cuts) == set(frames)
    assert set(own.driven) | set(own.passive) == set(own.tree)
    assert own.driven == robot.moving
    passive = J[:, [frames.index(j) for j in own.passive]]
    first = [i for i in range(6 * loops) if i not in own.cut_rows]
    assert sorted((*own.kept, *own.released)) == first
    axial = [2 if robot.frame(loop.cut).sigma == PRISMATIC else 5 for loop in own.loops]
    assert own.cut_rows == tuple(6 * i + row for i, row in enumerate(axial))
    if loops == 1 or all(robot.frame(c).sigma != PRISMATIC for c in own.cuts):
        assert np.linalg.matrix_rank(passive[list(own.kept)], tol=1e-7) == n == len(own.kept)
        every = J[np.ix_(first, [frames.index(j) for j in own.tree])]
        scaled = every / np.maximum(np.linalg.norm(every, axis=1, keepdims=True), 1e-9)
        U, values, _ = np.linalg.svd(scaled)
        loose = U[:, int((values > 1e-6).sum()) :]
        expected = tuple(i for i, row in zip(first, loose, strict=True) if np.abs(row).max(initial=0) > 1e-5)
        assert own.undetermined == expected
    names = own.names(robot, range(6))
    assert names == tuple(f"{robot.frame(own.cuts[0]).joint.name} {c}" for c in COMPONENTS)


@pytest.mark.parametrize("make", [lambda: robosym.load("four-bar"), stephenson])
def test_closed_places_are_closed(make) -> None:
    """In closed form, and by iteration."""
    robot = make()
    tree = assembled(robot)
    for at in closed_places(tree)[:3]:
        positions = tree.closure.positions
        numbers = map(float, evaluate(list(positions.values()), at))
        own = {robot.frame(j).joint.variable: x for j, x in zip(positions, numbers, strict=True)}
        assert opening(robot, at | own) < 1e-9


def test_scaled_rows() -> None:
    found = _scaled(np.array([[3.0, 4.0], [0.0, 0.0], [1e-9, 0.0], [0.0, -2.0]]))
    np.testing.assert_allclose(found, [[0.6, 0.8], [0, 0], [0, 0], [0, -1]])


def test_names_say_from_which_frame() -> None:
    scope = Scope()
    seen = SeenFrom(scope, 7)
    assert seen.names is scope.names
    a, b = variable("a"), variable("b")
    seen.scalar("v", 3, a * b + a)
    SeenFrom(scope, 8).scalar("v", (3, 4), a * b + b, 2)
    assert set(scope.names.values()) == {"v_3_7", "v2_3_4_8"}


def test_what_is_refused() -> None:
    with pytest.raises(RobotError, match="there is none: every joint is a coordinate"):
        with_loops(robosym.load("rx90"))
    assert with_loops(four_bar(0.3, 0.7, 0.5, 0.6)).loops == 1
