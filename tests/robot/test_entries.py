"""Entries of a description: numbers and expressions read one by one, every problem with its place."""

from __future__ import annotations

import datetime
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from robosym.errors import RobosymError
from robosym.expr import Expr, ExprError, number, parameter, pi, sin, sqrt, variable
from robosym.robot import Robot
from robosym.robot.entries import Entries, allowed, is_symbol_name, shown, written

ZERO = number(0)
L, A = parameter("L"), parameter("A")


def reader() -> Entries:
    return Entries(["q1"], ["K"])


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (2, number(2)),
        (0.5, number(0.5)),
        (Fraction(1, 3), number(Fraction(1, 3))),
        (np.float64(0.25), number(0.25)),
        ("2*L - q1", 2 * L - variable("q1")),
        ("90 deg", pi / 2),
        (L + 1, L + 1),
    ],
)
def test_expressions(raw: Any, expected: Expr) -> None:
    entries = reader()
    assert entries.expression("here", raw, ZERO) is expected
    assert entries.problems == []


@pytest.mark.parametrize(
    "raw", [True, None, [1], {"a": 1}, datetime.date(2020, 1, 1), "2 +", "nan", math.inf, "sin", "Inf"]
)
def test_what_is_no_expression(raw: Any) -> None:
    entries = reader()
    assert entries.expression("here", raw, L) is L
    assert [problem.where for problem in entries.problems] == ["here"]


def test_names_of_the_state_are_variables_unless_met_before() -> None:
    entries = reader()
    entries.expression("d", "L", ZERO)
    assert entries.expression("torque", "L*F + K*q1", ZERO, state=True) is L * variable("F") + parameter(
        "K"
    ) * variable("q1")
    assert entries.parameter_names == {"K", "L"}
    assert entries.problems == []


def test_names_and_endings_of_a_row() -> None:
    entries = reader()
    entries.local, entries.ending = {"q": variable("q7")}, "_2"
    assert entries.expression("theta", "q + L", ZERO) is variable("q7") + parameter("L_2")
    assert entries.expression("theta", A + variable("q1"), ZERO) is parameter("A_2") + variable("q1")
    assert entries.renamed == {"L_2": "L", "A_2": "A"}
    assert "L_2" in entries.parameter_names
    entries.local, entries.ending = {}, ""
    assert entries.expression("theta", "q + L", ZERO) is parameter("q") + L


def test_vectors() -> None:
    entries = reader()
    default = (ZERO, L, A)
    assert entries.vector("v", ["1", 2.0, "L"], default) == (number(1), number(2), L)
    assert entries.vector("v", (1, "(", 3), default) == (number(1), L, number(3))
    assert [problem.where for problem in entries.problems] == ["v 2"]
    for raw in ([1, 2], "123", 3, None, [1, 2, 3, 4]):
        assert entries.vector("v", raw, default) == default
    assert len(entries.problems) == 6


@pytest.mark.parametrize(
    ("raw", "amount"), [(2, 2.0), ("170 deg", math.radians(170)), ("sqrt(2)", math.sqrt(2)), (-0.5, -0.5)]
)
def test_numbers(raw: Any, amount: float) -> None:
    entries = reader()
    found = entries.number("n", raw)
    assert found == pytest.approx(amount, rel=1e-15)
    assert type(found) is float
    assert entries.problems == []


@pytest.mark.parametrize("raw", ["L", "q1", "1/0", "log(0)", "exp(1000)", [1], True])
def test_what_is_no_number(raw: Any) -> None:
    entries = reader()
    found = entries.number("n", raw)
    assert found is None or found == 0.0  # the default, once the problem is named
    assert len(entries.problems) == 1


def test_plain_values() -> None:
    entries = reader()
    assert (entries.integer("i", 3, 0), entries.truth("t", False, True), entries.text("s", "x", "")) == (3, False, "x")
    assert entries.problems == []
    assert (entries.integer("i", 3.0, 7), entries.integer("i", True, 7)) == (7, 7)
    assert (entries.truth("t", 1, False), entries.truth("t", "yes", True)) == (False, True)
    assert entries.text("s", 3, "default") == "default"
    assert [problem.where for problem in entries.problems] == ["i", "i", "t", "t", "s"]


def test_tables() -> None:
    entries = reader()
    known = ("alpha", "gamma", "theta")
    assert entries.table("row", {"alpha": 1, "gamma": None}, known) == {"alpha": 1, "gamma": None}
    assert entries.problems == []
    assert entries.table("row", {"alhpa": 1, "zzz": 2, "theta": 3, "beam": 4, "wheel": 5}, known) == {"theta": 3}
    assert [(one.where, one.message) for one in entries.problems[:2]] == [
        ("row, alhpa", "unknown key (did you mean 'alpha'?)"),
        ("row, zzz", "unknown key (known: alpha, gamma, theta)"),
    ]
    assert "flexible links are out of scope" in entries.problems[2].message
    assert "rolling wheels are out of scope" in entries.problems[3].message
    assert entries.table("", {"x": 1}, known) == {}
    assert entries.problems[-1].where == "x"
    assert entries.table("row", [1], known) == {}
    assert entries.problems[-1].message == "expected a table, got a list of 1"


@pytest.mark.parametrize("error", [0.0, 1e-16, 1e-9, 5e-7])
def test_placements_in_rounded_numbers_become_rotations(error: float) -> None:
    c, s = math.cos(0.4), math.sin(0.4)
    raw = [1, 0, 0, "L", 0, c + error, -s, 2, 0, s, c, 3, 0, 0, 0, 1]
    found = reader().placement("Z", raw, (ZERO,) * 16)
    R = np.array([float(found[4 * i + k].value) for i in range(3) for k in range(3)]).reshape(3, 3)
    np.testing.assert_allclose(R.T @ R, np.eye(3), rtol=0, atol=1e-15)
    np.testing.assert_allclose(R, [[1, 0, 0], [0, c, -s], [0, s, c]], rtol=0, atol=1e-6)
    assert [found[i] for i in (3, 7, 11, 12, 15)] == [L, number(2), number(3), ZERO, number(1)]


def test_placements_that_are_no_rotation_or_symbolic_stay_as_they_are_written() -> None:
    raw = [1.01, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    assert reader().placement("Z", raw, (ZERO,) * 16)[0] is number(1.01)
    raw = ["cos(A)", "-sin(A)", 0, 0, "sin(A)", "cos(A)", 0, 0, 0, 0, 1.0000001, 0, 0, 0, 0, 1]
    assert reader().placement("Z", raw, (ZERO,) * 16)[10] is number(1.0000001)


@pytest.mark.parametrize("digits", [7, 10, 15])
def test_a_base_placed_in_rounded_numbers_is_a_rotation(digits: int) -> None:
    """0.7071068 is read as the rotation it means; an exact entry and the position stay as they are written."""
    c, s = round(math.cos(0.3), digits), round(math.sin(0.3), digits)
    location = [[c, -s, 0, "L"], [s, c, 0, 0.25], [0, 0, 1, 0], [0, 0, 0, 1]]
    robot = Robot.from_table("placed", [{}], base={"location": location})
    read = robot.base.location
    R = np.array([float(read[4 * i + k].value) for i in range(3) for k in range(3)]).reshape(3, 3)
    np.testing.assert_allclose(R.T @ R, np.eye(3), rtol=0, atol=1e-15)
    np.testing.assert_allclose(R[0, 0], math.cos(0.3), rtol=0, atol=10.0**-digits)
    assert [str(read[i]) for i in (2, 3, 7, 10)] == ["0", "L", "0.25", "1"]
    exact = [["cos(pi/6)", "-1/2", 0, 0], ["1/2", "sqrt(3)/2", 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    assert str(Robot.from_table("placed", [{}], base={"location": exact}).base.location[0]) == "sqrt(3)/2"


def test_names_of_symbols() -> None:
    for name in ("L1", "_x", "alpha", "deg2"):
        assert is_symbol_name(name)
        assert allowed(name) == name
    for name in ("pi", "deg", "sin", "select", "nan", "INF", "Infinity"):
        assert not is_symbol_name(name)
        with pytest.raises(ExprError, match=name):
            allowed(name)
    for name in ("1a", "a b", "α", ""):
        assert not is_symbol_name(name)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ({"a": 1}, "a table of 1"),
        ([1, 2], "a list of 2"),
        ((), "a list of 0"),
        (10**30 + 1, "a very large number"),
        (-(10**31), "a very large number"),
        (10**30, "1" + "0" * 30),
        ("x" * 58, "'" + "x" * 58 + "'"),
        ("x" * 59, "'" + "x" * 58 + "…"),
    ],
)
def test_values_in_messages(raw: Any, text: str) -> None:
    assert shown(raw) == text


def test_what_is_written_is_read_back() -> None:
    entry = sqrt(L**2 + 2) * pi / 7 - A
    assert reader().expression("", written(entry), ZERO) is entry
    long = L
    for k in range(60):
        long = sin(long * long + k) + long
    with pytest.raises(RobosymError, match="too long to be written"):
        written(long)
