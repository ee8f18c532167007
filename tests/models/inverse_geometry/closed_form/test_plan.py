"""The search: which equation gives which joint, on arms whose textbook solution is known."""

from __future__ import annotations

import numpy as np
import pytest
from models.inverse_geometry.robots import gantry, length, link, pieper, three_parallel, with_slides

import robosym
from robosym.expr import evaluate, free_symbols, number, parameter
from robosym.models.inverse_geometry.chain.random_positions import samples, symbol_of
from robosym.models.inverse_geometry.chain.task import chain_for, position_rank, task_for
from robosym.models.inverse_geometry.closed_form.equation_types import BRANCHES, SOLVERS, Move, Size
from robosym.models.inverse_geometry.closed_form.plan import NoClosedFormError, Plan, plan_of
from robosym.models.inverse_geometry.closed_form.program import size_of
from robosym.robot import Robot, RobotError


def plan(robot: Robot | str) -> Plan:
    chain = chain_for(robosym.load(robot) if isinstance(robot, str) else robot)
    return plan_of(chain, task_for(chain, "auto"))


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


@pytest.mark.mostly_slow(fast=2)
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


# --- solvers of equations --------------------------------------------------------------------------------------------


def solve(kind: str, *numbers: float) -> list[tuple[dict[str, float], bool, bool]]:
    symbols = [parameter(f"k{i}") for i in range(len(numbers))]
    values = dict(zip(symbols, numbers, strict=True))
    found = []
    move = Move("1", kind, tuple(symbols), (), (), (1, 1))
    for branch in move.values(symbols, Size(number(1)), lambda _stem, x: x):
        *atoms, exists, doubtful = evaluate([*branch.atoms.values(), branch.exists, branch.doubtful], values)
        assert np.isfinite(np.array(atoms, dtype=float)).all()
        found.append((dict(zip(branch.atoms, map(float, atoms), strict=True)), bool(exists), bool(doubtful)))
    return found


@pytest.mark.parametrize("kind", ["length", "square", "one angle", "two", "quartic"])
def test_doubt_does_not_hang_on_the_unit_of_length(kind: str) -> None:
    """Equations of the first degree in lengths, in metres and in nanometres."""
    rng = np.random.default_rng(1)
    degrees = {"length": (0, 1), "square": (-1, 0, 1), "one angle": (1,) * 3, "two": (1,) * 6, "quartic": (1,) * 5}
    for _ in range(50):
        numbers = rng.normal(size=len(degrees[kind])) * 10 ** rng.uniform(-9, 0)
        said = []
        for unit in (1.0, 1e-9):
            symbols = [parameter(f"k{i}") for i in range(len(numbers))]
            scaled = [x * unit**d for x, d in zip(numbers, degrees[kind], strict=True)]
            values = dict(zip(symbols, scaled, strict=True))
            move = Move("1", kind, tuple(symbols), (), (), (1, 1))
            found = move.values(symbols, Size(number(unit)), lambda _stem, x: x)
            said.append(evaluate([x for branch in found for x in (branch.exists, branch.doubtful)], values))
        assert said[0] == said[1]


def test_a_length() -> None:
    assert solve("length", 2.0, -3.0) == [({"r1": 1.5}, True, False)]
    assert solve("length", 0.0, 0.0) == [({"r1": 0.0}, True, True)]


def test_a_length_that_nothing_solves_is_in_doubt() -> None:
    """0 r + 1 = 0 is a contradiction: that the position does not make the pose is for the pose to say."""
    assert solve("length", 0.0, 1.0)[0][2]


def test_a_square() -> None:
    assert sorted(a["r1"] for a, exists, _ in solve("square", 1.0, -3.0, 2.0) if exists) == pytest.approx([1, 2])
    assert not any(exists for _, exists, _ in solve("square", 1.0, 0.0, 1.0))
    assert [(a["r1"], exists, doubt) for a, exists, doubt in solve("square", 1.0, -2.0, 1.0)] == [(1.0, True, True)] * 2
    assert all(doubt for _, _, doubt in solve("square", 1.0, 0.0, 1e-15))  # just beyond the edge, about zero


def test_one_angle() -> None:
    for atoms, exists, doubtful in solve("one angle", 1.0, 2.0, 0.5):
        assert exists
        assert not doubtful
        assert atoms["S1"] + 2 * atoms["C1"] + 0.5 == pytest.approx(0, abs=1e-14)
        assert np.hypot(atoms["S1"], atoms["C1"]) == pytest.approx(1)
    assert not any(exists for _, exists, _ in solve("one angle", 1.0, 1.0, 2.0))
    for entries in [(0.0, 0.0, 0.0), (1e-9, 0.0, 1e-10), (0.0, 1e-16, 0.0), (3.0, 4.0, 5.0), (3.0, 4.0, 5.0 + 1e-12)]:
        assert [(exists, doubtful) for _, exists, doubtful in solve("one angle", *entries)] == [(True, True)] * 2


def test_two_equations() -> None:
    angle = 2.2
    s, c = np.sin(angle), np.cos(angle)
    found = solve("two", 1.0, 2.0, -(s + 2 * c), -3.0, 0.5, 3 * s - 0.5 * c)
    assert found[0] == (pytest.approx({"S1": s, "C1": c}), True, False)
    assert solve("two", *[0.0] * 6) == [({"S1": 0.0, "C1": 1.0}, True, True)]


def test_all_kinds_are_covered() -> None:
    assert set(SOLVERS) == set(BRANCHES) == {"length", "square", "one angle", "two", "quartic"}


# --- tasks and refusals ------------------------------------------------------------------------------------------------


def test_tasks() -> None:
    assert task_for(chain_for(robosym.load("planar-2r")), "auto") == "position"
    assert task_for(chain_for(robosym.load("planar-3r")), "auto") == "pose"
    assert task_for(chain_for(robosym.load("scara")), "auto") == "pose"
    assert position_rank(chain_for(robosym.load("planar-3r"))) == 2
    assert position_rank(chain_for(robosym.load("stanford-3"))) == 3
    with pytest.raises(RobotError, match="expected 'auto', 'pose' or 'position'"):
        task_for(chain_for(robosym.load("scara")), "all")


def test_a_general_arm_is_refused_with_its_joints_named() -> None:
    rng = np.random.default_rng(0)
    robot = Robot.from_table("general", [{"r": length(rng)}, *(link(rng) for _ in range(5))])
    with pytest.raises(NoClosedFormError, match="q1, q2, q3, q4, q5, q6"):
        plan(robot)


def test_too_many_joints_are_refused() -> None:
    with pytest.raises(NoClosedFormError):
        plan("panda")
