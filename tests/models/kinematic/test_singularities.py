"""Singularities: factors solved for a joint, and the motions that are lost where they vanish."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import robosym
from robosym.expr import Expr, cos, evaluate, expr, number, parameter, parse, sin, text, variable
from robosym.models import jacobian, jacobian_determinant
from robosym.models.kinematic.singularities import (
    LONGEST_TEXT,
    Singularity,
    Solved,
    _follow,
    _is_first_degree,
    _numbers,
    _rests,
    _row_of_most,
    _without_common,
    shown,
    singularity,
    solve,
)
from robosym.robot import Robot
from robosym.spatial.blocks import Block

ROWS = ("vx", "vy", "vz", "wx", "wy", "wz")
ARMS = ("rx90", "puma560", "stanford", "scara", "ur5", "planar-3r", "renaud-6r", "stanford-3", "planar-2r")
Q1, Q2 = variable("q1"), variable("q2")


# --- of arms -----------------------------------------------------------------------------------------------------------


def test_the_three_singularities_of_the_rx90() -> None:
    found = {str(one.equation): one.solved for one in jacobian_determinant(robosym.load("rx90")).singularities}
    assert [str(v) for v in found["sin(q5)"].values] == ["0", "pi"]
    assert [str(v) for v in found["cos(q3)"].values] == ["-pi/2", "pi/2"]
    shoulder = found["D3*cos(q2) - RL4*sin(q2 + q3)"]
    assert shoulder.joint is variable("q2")
    assert len(shoulder.values) == 2


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("name", ARMS)
def test_singular_motions_leave_the_frame_at_rest(name: str) -> None:
    """At every solution the determinant is zero, and the joint speeds given do not move the rows of the task."""
    robot = robosym.load(name)
    model = jacobian_determinant(robot)
    rows = [ROWS.index(row) for row in model.options["rows"]]
    compiled, J = model.compile(), jacobian(robot, axes=0).compile()
    rng = np.random.default_rng(3)
    values: dict[Any, float] = {key: value.number for key, value in robot.values.items()}
    assert model.singularities
    for one in model.singularities:
        assert one.solved is not None
        assert len(one.motions) in (1, len(one.solved.values)), (name, str(one.equation))
        for k, value in enumerate(one.solved.values):
            known = values | dict(zip(robot.coordinates, rng.uniform(-2, 2, robot.nq).tolist(), strict=True))
            known[one.solved.joint] = evaluate([value], known)[0]
            q = np.array([known[symbol] for symbol in robot.coordinates])
            assert abs(compiled(q=q)[0]) < 1e-12
            speeds = np.array(evaluate(one.motions[k % len(one.motions)], known), dtype=float)
            assert np.abs(speeds).max() > 1e-6
            moved = J(q=q)[rows] @ speeds
            assert np.abs(moved).max() < 1e-11 * np.abs(speeds).max(), (name, str(one.equation))


def test_a_factor_that_never_vanishes() -> None:
    rows = [{}, {"d": 1.0, "alpha": 0.7}, {"d": 0.25, "r": 0.1, "alpha": 0.3, "sigma": "fixed"}]
    model = jacobian_determinant(Robot.from_table("bent", rows), axes=2, rows=("vx", "vz"))
    assert "det J = " in model.explain()


def test_all_zeros_of_a_multiple_angle_are_listed() -> None:
    rows = [{"d": 0}, {"d": 0.5}, {"d": 0.4, "mimic": {"frame": 2, "ratio": 2}}, {"d": 0.3, "sigma": "fixed"}]
    model = jacobian_determinant(Robot.from_table("thrice", rows), rows=("vx", "vy"))
    compiled = model.compile()
    for one in model.singularities:
        for value in one.solved.values if one.solved else ():
            assert abs(compiled(q=[0.4, float(evaluate([value], {variable("q1"): 0.4})[0])])[0]) < 1e-12


def test_the_equation_itself_simplifies_the_motion() -> None:
    """With the wrist on the first axis the elbow of the PUMA rests: its speed has the vanishing factor."""
    shoulder = max(jacobian_determinant(robosym.load("puma560")).singularities, key=lambda one: len(str(one.equation)))
    assert shoulder.motions[0][2].is_zero


# --- one factor --------------------------------------------------------------------------------------------------------


def factor_of(words: str) -> Expr:
    return parse(words, lambda name: variable(name) if name.startswith("q") else parameter(name))


def zeros_of(solved: Solved | None, known: dict[Expr, float]) -> list[float]:
    assert solved is not None
    return [float(x) for x in evaluate(list(solved.values), known)]


@pytest.mark.parametrize(
    "words",
    [
        "A + B*sin(q1) + C*cos(q1)",
        "A + B*sin(q1)",
        "A + C*cos(q1)",
        "B*sin(q1) + C*cos(q1)",
        "B*sin(q2) + C*sin(q1 + q2)",
        "A*cos(q2) - B*sin(q1 + q2) + C*cos(q1)",
        "A*q1 + B*q1*cos(q2) - C",
        "sin(2*q1 + q2)",
        "cos(q1 - 3*q2)",
    ],
)
def test_every_value_makes_the_factor_vanish(words: str) -> None:
    factor = factor_of(words)
    solved = solve(factor, (Q1, Q2))
    assert solved is not None
    rng = np.random.default_rng(0)
    symbols = (Q1, Q2, *(parameter(x) for x in "ABC"))
    tried = 0
    for _ in range(20):
        known = dict(zip(symbols, rng.uniform(0.2, 1.5, 5).tolist(), strict=True))
        values = zeros_of(solved, known)
        if np.isnan(values).any():  # where the condition is not met
            assert solved.condition
            continue
        tried += 1
        assert len({round(v, 9) for v in values}) == len(values)
        for value in values:
            assert float(evaluate([factor], known | {solved.joint: value})[0]) == pytest.approx(0, abs=1e-12)
    assert tried > 2


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("sin(q1)", ["0", "pi"]),
        ("cos(q1)", ["-pi/2", "pi/2"]),
        ("A*sin(q1)", ["0", "pi"]),
        ("B*cos(q1)", ["-pi/2", "pi/2"]),
        ("q1 - A", ["A"]),
    ],
)
def test_short_solutions(words: str, values: list[str]) -> None:
    solved = solve(factor_of(words), (Q1,))
    assert solved is not None
    assert sorted(text(x) for x in solved.values) == sorted(values)
    assert solved.condition == ""


@pytest.mark.parametrize("turns", [1, 2, 3, 4])
@pytest.mark.parametrize("function", ["sin", "cos"])
def test_multiples_of_an_angle_have_all_zeros_of_one_turn(function: str, turns: int) -> None:
    solved = solve(factor_of(f"{function}({turns}*q1)"), (Q1,))
    found = sorted(x % (2 * math.pi) for x in zeros_of(solved, {}))
    first = 0.0 if function == "sin" else math.pi / 2
    expected = sorted(((first + k * math.pi) / turns) % (2 * math.pi) for k in range(2 * turns))
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_the_joint_without_a_condition_then_the_shortest() -> None:
    solved = solve(factor_of("A*cos(q1) + B*sin(q1 + q2)"), (Q1, Q2))
    assert solved is not None
    assert (solved.joint, solved.condition) == (Q1, "")
    conditional = solve(factor_of("A*cos(q1) + B*sin(q1 + q2)"), (Q2,))
    assert conditional is not None
    assert conditional.condition
    assert solve(factor_of("A + sin(q1)"), (Q2,)) is None
    shorter = solve(factor_of("A*sin(q2)*cos(q2) + q1"), (Q1, Q2))
    assert shorter is not None
    assert shorter.joint is Q1


def test_what_is_not_of_the_first_degree_is_not_solved() -> None:
    assert solve(factor_of("A + sin(q1)*cos(q1)"), (Q1,)) is None
    assert solve(factor_of("sin(A*q1)"), (Q1,)) is None
    f, A, B, C = (factor_of(x) for x in ("2 + 3*sin(q1) - q2*cos(q1)", "2", "3", "-q2"))
    assert _is_first_degree(f, A, B, C, Q1)
    assert not _is_first_degree(f, A, B, -C, Q1)
    assert not _is_first_degree(f + 1e-6, A, B, C, Q1)


def test_numbers_out_of_reach_never_vanish() -> None:
    solved = solve(factor_of("2.5 + sin(q1)"), (Q1,))
    assert solved is not None
    assert solved.values == ()
    within = solve(factor_of("0.5 + sin(q1)"), (Q1,))
    assert within is not None
    assert within.condition == ""
    assert sorted(np.sin(zeros_of(within, {}))) == pytest.approx([-0.5, -0.5])
    edge = solve(factor_of("1 - cos(q1)"), (Q1,))
    assert edge is not None
    assert np.cos(zeros_of(edge, {})) == pytest.approx(1)
    none = singularity(factor_of("2.5 + sin(q1)"), 0, [], [], (Q1,), {})
    assert none.motions == ()
    assert "it never vanishes" in "\n".join(none.lines(["q1"]))


# --- the motion --------------------------------------------------------------------------------------------------------


def matrix(rng: np.random.Generator, n: int) -> list[list[Expr]]:
    return [[number(float(x)) for x in row] for row in rng.normal(size=(n, n))]


@pytest.mark.parametrize("size", [2, 3])
def test_the_null_vector_of_a_singular_block(size: int) -> None:
    """A block whose determinant is a factor in q1, with blocks before it that follow and one after it that rests."""
    rng = np.random.default_rng(size)
    n = size + 2
    J = rng.normal(size=(n, n))
    J[1 : 1 + size, 0] = J[1 + size :, : 1 + size] = 0  # block triangular: 1, size, 1
    rows = [[number(float(x)) for x in row] for row in J]
    row = [number(float(x)) for x in J[1, 1 : 1 + size]]
    rows[1][1 : 1 + size] = [a * cos(Q1) for a in row]  # singular where cos q1 = 0
    blocks = [Block((0,), (0,)), Block(tuple(range(1, 1 + size)), tuple(range(1, 1 + size))), Block((n - 1,), (n - 1,))]
    found = singularity(cos(Q1), 1, blocks, rows, (Q1, Q2), {})
    assert [text(v) for v in (found.solved or Solved(Q1, ())).values] == ["-pi/2", "pi/2"]
    (motion,) = found.motions
    assert motion[-1].is_zero
    for value in (-math.pi / 2, math.pi / 2):
        numbers = np.array([evaluate(line, {Q1: value}) for line in rows], dtype=float)
        speeds = np.array(evaluate(list(motion), {Q1: value}), dtype=float)
        np.testing.assert_allclose(numbers @ speeds, 0, atol=1e-12 * np.abs(speeds).max())
        assert np.abs(speeds[1:-1]).max() > 0


def test_a_block_follows_those_after_it() -> None:
    rng = np.random.default_rng(4)
    J = matrix(rng, 4)
    speeds: dict[int, Expr] = {2: number(0.3), 3: number(-0.7)}
    _follow(Block((0, 1), (0, 1)), J, speeds)
    values = np.array(evaluate([speeds[k] for k in range(4)], {}), dtype=float)
    numbers = np.array([evaluate(row, {}) for row in J], dtype=float)
    np.testing.assert_allclose(numbers[:2] @ values, 0, atol=1e-12)
    determinant = np.linalg.det(numbers[:2, :2])
    np.testing.assert_allclose(values[2:], determinant * np.array([0.3, -0.7]), atol=1e-12)


def test_the_row_of_the_largest_cofactors() -> None:
    rng = np.random.default_rng(5)
    for _ in range(5):
        J = rng.normal(size=(3, 3))
        J[2] = J[0] - 2 * J[1]
        block = [[number(float(x)) for x in row] for row in J]
        cofactors = [max(abs(np.linalg.det(np.delete(np.delete(J, i, 0), j, 1))) for j in range(3)) for i in range(3)]
        assert _row_of_most(block, {}) == int(np.argmax(cofactors))
    assert _row_of_most([[number(0)] * 2] * 2, {}) is None


def test_rests_only_where_nothing_moves() -> None:
    J = [[number(1), Q1], [number(2), 2 * Q1]]
    assert _rests(J, [Q1, number(-1)], {Q1: 0.7})
    assert not _rests(J, [Q1, number(1)], {Q1: 0.7})
    assert not _rests(J, [number(0), number(0)], {Q1: 0.7})


def test_a_random_singular_position() -> None:
    value = factor_of("asin(A*q2)")
    known = _numbers(Q1, value, [[Q1, Q2 * parameter("B")]], {"A": 0.4})
    assert known is not None
    assert known[parameter("A")] == 0.4
    assert known[Q1] == pytest.approx(math.asin(0.4 * known[Q2]))
    assert 0.5 <= known[parameter("B")] <= 1.5
    assert _numbers(Q1, factor_of("asin(2 + A)"), [[Q1]], {"A": 0.4}) is None


def test_what_all_components_share_is_left_out() -> None:
    a, s = parameter("A"), sin(Q2)
    vector = [expr(x) for x in (-2 * a * s, 4 * a * s * Q1, number(0), a * a * s)]
    found = _without_common(vector)
    known = {a: 0.7, Q1: 0.3, Q2: 1.1}
    numbers, before = (np.array(evaluate(x, known), dtype=float) for x in (found, vector))
    np.testing.assert_allclose(numbers, before / (-2 * 0.7 * math.sin(1.1)), atol=1e-14)
    assert [text(x) for x in found] == ["1", "-2*q1", "0", "-A/2"]
    zeros = [number(0)] * 2
    assert _without_common(zeros) == zeros


# --- for people --------------------------------------------------------------------------------------------------------


def test_long_expressions_are_told_by_their_size() -> None:
    assert shown(a := factor_of("A*sin(q1)")) == text(a)
    long = sum((sin(k * Q1) * parameter(f"L{k}") for k in range(1, 120)), number(0))
    assert shown(long).startswith("<expression of ")
    assert len(text(long)) > LONGEST_TEXT


def test_lines_and_data() -> None:
    both = Singularity(sin(Q1), Solved(Q1, (number(0), expr(math.pi)), "where A"), ((Q2, number(0)), (number(0), Q1)))
    lines = list(both.lines(["one", "two"]))
    assert lines[0] == "singular where sin(q1) = 0"
    assert lines[1].startswith("  q1 = 0 or 3.14")
    assert lines[1].endswith("  (where A)")
    assert [line.strip() for line in lines[3::2]] == ["one: q2", "two: q1"]
    assert both.as_dict(["one", "two"])["motions"] == [{"one": "q2", "two": "0"}, {"one": "0", "two": "q1"}]
    unsolved = Singularity(sin(Q1), None, ())
    assert list(unsolved.lines(["one"])) == ["singular where sin(q1) = 0", "  not solved in closed form"]
    assert unsolved.as_dict(["one"])["joint"] is None
