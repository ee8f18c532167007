"""The search: which equation gives which joint, on arms whose textbook solution is known."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from models.inverse_geometry.robots import gantry, length, link, pieper, three_parallel, with_slides

import robosym
from robosym.expr import evaluate, free_symbols
from robosym.models.inverse_geometry.chain.random_positions import samples, symbol_of
from robosym.models.inverse_geometry.chain.task import chain_for, task_for
from robosym.models.inverse_geometry.closed_form.equation_types import BRANCHES
from robosym.models.inverse_geometry.closed_form.plan import NoClosedFormError, Plan, plan_of
from robosym.models.inverse_geometry.closed_form.program import size_of
from robosym.robot import Robot


@cache
def plan_for(name: str) -> Plan:
    """The plan of a built-in robot."""
    return plan(robosym.load(name))


def plan(robot: Robot | str) -> Plan:
    if isinstance(robot, str):
        return plan_for(robot)
    chain = chain_for(robot)
    return plan_of(chain, task_for(chain, "auto"))


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("name", ["puma560", "rx90", "stanford", "ur5", "scara", "planar-2r", "planar-3r"])
def test_every_joint_once_without_quartics(name: str) -> None:
    found = plan(name)
    assert sorted(move.joint for move in found.moves) == [str(joint.number) for joint in found.chain.joints]
    assert "quartic" not in {move.kind for move in found.moves}
    assert all(move.sources and "=" in move.equation for move in found.moves)


def test_the_order_of_textbooks() -> None:
    """Paul: the puma's first joint has two values, its wrist comes last; a gantry's slides come first."""
    puma = plan("puma560").moves
    assert (puma[0].joint, puma[0].kind) == ("1", "one angle")
    assert {move.joint for move in puma[:3]} == {"1", "2", "3"}
    slides = plan(gantry()).moves
    assert [move.kind for move in slides[:3]] == ["length"] * 3


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("make", [lambda: pieper(1), lambda: three_parallel(1), lambda: with_slides(1, (2,))])
def test_general_arms_have_one_quartic(make: object) -> None:
    kinds = [move.kind for move in plan(make()).moves]  # type: ignore[operator]
    assert kinds.count("quartic") == 1


@pytest.mark.parametrize("robot", ["puma560", "ur5", "stanford", "scara"])
def test_coefficients_depend_on_joints_found_before(robot: str) -> None:
    found = plan(robot)
    symbols = {symbol_of(a + str(j.number)): str(j.number) for j in found.chain.joints for a in "SCr"}
    known: set[str] = set()
    for move in found.moves:
        used = {symbols[s] for s in free_symbols(*move.coefficients) if s in symbols}
        assert used <= known, move.equation
        known.add(move.joint)


@pytest.mark.parametrize("robot", ["puma560", "ur5", "stanford", "scara", "planar-3r"])
def test_every_move_has_its_joint_among_its_values(robot: str) -> None:
    """At a random position: the atoms of the joint are those of one of the branches, which exists and is not in doubt."""
    found = plan(robot)
    for sample in samples(found.chain, 5, seed=21):
        for move in found.moves:
            branches = move.values(list(move.coefficients), size_of(found.chain), lambda _stem, x: x)
            assert len(branches) == BRANCHES[move.kind]
            best = np.inf
            for branch in branches:
                numbers = evaluate([*branch.atoms.values(), branch.exists, branch.doubtful], sample.numbers)
                wanted = [sample.numbers[symbol_of(a)] for a in branch.atoms]
                if numbers[-2] and not numbers[-1]:
                    best = min(best, float(np.abs(np.subtract(numbers[:-2], wanted)).max()))
            assert best < 1e-8, (move.joint, move.kind)


def test_lengths_are_found_where_nothing_vanishes() -> None:
    """The stanford's slide from an equation that holds with its arm level too: the coefficient is never zero."""
    move = next(move for move in plan("stanford").moves if move.kind == "length")
    level = {symbol_of("C2"): 0.0, symbol_of("S2"): 1.0, symbol_of("C1"): 0.6, symbol_of("S1"): 0.8}
    values = {**samples(plan("stanford").chain, 1)[0].numbers, **level}
    assert abs(float(evaluate([move.coefficients[0]], values)[0])) > 0.1


# --- refusals ----------------------------------------------------------------------------------------------------------


def test_a_general_arm_is_refused_with_its_joints_named() -> None:
    rng = np.random.default_rng(0)
    robot = Robot.from_table("general", [{"r": length(rng)}, *(link(rng) for _ in range(5))])
    with pytest.raises(NoClosedFormError, match="q1, q2, q3, q4, q5, q6"):
        plan(robot)


def test_too_many_joints_are_refused() -> None:
    with pytest.raises(NoClosedFormError):
        plan("panda")
