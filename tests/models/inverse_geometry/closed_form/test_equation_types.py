"""The types of equations: every branch solves its equation, exists where it does, and is in doubt where two of them meet."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from robosym.expr import Expr, evaluate, number, parameter
from robosym.models.inverse_geometry.closed_form.equation_types import (
    BRANCHES,
    FOLD,
    MET,
    NEARLY,
    SOLVERS,
    VANISHED,
    Branch,
    Move,
    Size,
)

ENTRIES = {"length": 2, "square": 3, "one angle": 3, "two": 6, "quartic": 5}


def branches(kind: str, numbers: Any, size: float = 1.0, exact: bool = False) -> tuple[list[Branch], dict[Expr, Any]]:
    """The branches of an equation with symbols for coefficients, and their numbers: along the last axis, of one or many equations."""
    symbols = [parameter(f"k{i}") for i in range(ENTRIES[kind])]
    move = Move("1", kind, tuple(symbols), (), (), (1, 1))
    found = move.values(symbols, Size(number(size), exact), lambda _stem, x: x)
    return found, dict(zip(symbols, np.moveaxis(np.array(numbers, dtype=float), -1, 0), strict=True))


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


@pytest.mark.parametrize("kind", SOLVERS)
def test_doubt_does_not_hang_on_the_unit_of_length(kind: str) -> None:
    """Equations of the first degree in lengths, in metres and in nanometres."""
    rng = np.random.default_rng(1)
    degrees = {"length": (0, 1), "square": (-1, 0, 1), "one angle": (1,) * 3, "two": (1,) * 6, "quartic": (1,) * 5}
    numbers = rng.normal(size=(50, ENTRIES[kind])) * 10 ** rng.uniform(-9, 0, (50, 1))
    said = []
    for unit in (1.0, 1e-9):
        found, values = branches(kind, numbers * unit ** np.array(degrees[kind], dtype=float), size=unit)
        conditions = [x for branch in found for x in (branch.doubtful, branch.exists)]
        doubtful, exists = (
            np.array([np.broadcast_to(x, 50) for x in evaluate(conditions, values)]).reshape(-1, 2, 50).swapaxes(0, 1)
        )
        said.append([doubtful, np.where(doubtful, 1, exists)])  # roots of what nearly vanishes may be one by rounding
    assert 0 < said[0][0].sum() < said[0][0].size
    np.testing.assert_array_equal(said[0], said[1])


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


# --- any numbers -------------------------------------------------------------------------------------------------------


def left(kind: str, k: np.ndarray, atoms: dict[str, Any]) -> Any:
    """What is left of the equation, as in the table at the head of the module."""
    r, S, C = (atoms.get(f"{letter}1", 0.0) for letter in "rSC")
    if kind == "length":
        return k[0] * r + k[1]
    if kind == "square":
        return k[0] * r * r + k[1] * r + k[2]
    if kind == "quartic":
        return k[0] + k[1] * C + k[2] * S + k[3] * C * C + k[4] * C * S
    first = k[0] * S + k[1] * C + k[2]
    return first if kind == "one angle" else np.abs(first) + np.abs(k[3] * S + k[4] * C + k[5])


@pytest.mark.parametrize(
    ("kind", "exact"), [*((kind, False) for kind in SOLVERS), *((kind, True) for kind in SOLVERS if kind != "quartic")]
)
def test_every_branch_that_exists_solves_its_equation(kind: str, exact: bool) -> None:
    k = np.random.default_rng(2).normal(size=(60, ENTRIES[kind]))
    found, values = branches(kind, k, exact=exact)
    assert len(found) == BRANCHES[kind]
    counts = np.zeros(60, dtype=int)
    for branch in found:
        made = evaluate([branch.exists, branch.miss, branch.root, *branch.atoms.values()], values)
        exists, miss, root, *atoms = (np.broadcast_to(x, 60) for x in made)
        there = exists.astype(bool)
        counts += there
        numbers = dict(zip(branch.atoms, (x[there] for x in atoms), strict=True))
        accuracy = 1e-6 if kind == "quartic" else 1e-11
        np.testing.assert_allclose(left(kind, k[there].T, numbers), 0, atol=accuracy)
        if kind in ("one angle", "quartic"):
            np.testing.assert_allclose(np.hypot(numbers["S1"], numbers["C1"]), 1, atol=accuracy)
        if kind == "one angle":
            expected = k[there, 1] * numbers["S1"] - k[there, 0] * numbers["C1"]
            np.testing.assert_allclose(root[there], expected, atol=1e-12)
        if kind == "two":
            np.testing.assert_allclose(miss[there], np.abs(numbers["S1"] ** 2 + numbers["C1"] ** 2 - 1), rtol=1e-9)
    expected_counts = {"length": {1}, "two": {1}, "square": {0, 2}, "one angle": {0, 2}, "quartic": {0, 2, 4}}
    assert set(counts.tolist()) == expected_counts[kind]


def test_an_angle_without_a_constant_term_has_two_values_half_a_turn_apart() -> None:
    symbols = [parameter("X"), parameter("Y"), number(0)]
    found = Move("1", "one angle", tuple(symbols), (), (), (1,)).values(symbols, Size(number(1)), lambda _stem, x: x)
    values = {symbols[0]: 0.6, symbols[1]: -0.7}
    S, C, root = np.array([evaluate([*one.atoms.values(), one.root], values) for one in found], dtype=float).T
    np.testing.assert_allclose(0.6 * S - 0.7 * C, 0, atol=1e-15)
    np.testing.assert_allclose(np.hypot(S, C), 1)
    np.testing.assert_allclose([S[1], C[1]], [-S[0], -C[0]])
    np.testing.assert_allclose(root, -0.7 * S - 0.6 * C)


@pytest.mark.parametrize("unit", [1e-3, 1.0, 50.0])
def test_values_nearly_meet_within_the_fold(unit: float) -> None:
    """In doubt where the square of half their distance is less than FOLD of the largest, and gone below minus that."""
    for part, exists, doubtful in ((2.0, True, False), (0.5, True, True), (-0.5, True, True), (-2.0, False, False)):
        e = part * FOLD * 4 * unit**2  # the discriminant; a span of the size of the arm is 4 unit^2
        found, values = branches("square", [1.0, 0.0, -e / 4], size=unit)
        for branch in found:
            assert [bool(x) for x in evaluate([branch.exists, branch.doubtful], values)] == [exists, doubtful], part


@pytest.mark.parametrize("kind", ["length", "two", "one angle"])
def test_what_nearly_vanishes_is_in_doubt_and_what_vanishes_is_put_at_zero(kind: str) -> None:
    k = {"length": [1.0, 0.3], "two": [1.0, 0.0, -0.6, 0.0, 1.0, -0.8], "one angle": [0.6, 0.8, 0.1]}[kind]
    symbols = [parameter(f"k{i}") for i in range(len(k))]
    move = Move("1", kind, tuple(symbols), (), (), (0, 0) if kind == "two" else (1,))
    for part, doubtful, zero in ((2.0, False, False), (0.5, True, False), (1e-9, True, True)):
        faint = np.array(k)
        faint[: 3 if kind == "two" else None] *= part * NEARLY
        values = dict(zip(symbols, faint.tolist(), strict=True))
        for branch in move.values(symbols, Size(number(1)), lambda _stem, x: x):
            doubt, *atoms = evaluate([branch.doubtful, *branch.atoms.values()], values)
            assert bool(doubt) == doubtful
            assert (atoms in ([0], [0, 1])) == zero


def test_exact_values_exist_only_well_apart() -> None:
    for square, exists in ((2 * MET, True), (0.5 * MET, False), (-1.0, False)):
        k = [0.6, 0.8, np.sqrt(1 - square)]  # X^2 + Y^2 - Z^2 = square
        found, values = branches("one angle", k, exact=True)
        assert [bool(evaluate([one.exists], values)[0]) for one in found] == [exists] * 2
        assert [one.doubtful.is_zero for one in found] == [True] * 2
    for divisor, exists in ((2 * VANISHED, True), (0.5 * VANISHED, False)):
        for kind, k in (("length", [divisor, 0.3]), ("two", [divisor, 0, 0.1, 0, 1, 0.2])):
            symbols = [parameter(f"k{i}") for i in range(len(k))]
            move = Move("1", kind, tuple(symbols), (), (), (1, 0) if kind == "length" else (0, 0))
            (branch,) = move.values(symbols, Size(number(1), True), lambda _stem, x: x)
            assert bool(evaluate([branch.exists], dict(zip(symbols, k, strict=True)))[0]) == exists, kind


def test_equations_as_text() -> None:
    a = parameter("A")
    polynomial = {("S1",): a, ("C1",): number(-2), (): a + 1}
    move = Move("1", "one angle", (), (), (polynomial, {("r3",): number(1), (): -a}), (1, 1))
    assert move.equation == "-2 C1 + A S1 + A + 1 = 0;  r3 - A = 0"
    assert move.branches == 2
