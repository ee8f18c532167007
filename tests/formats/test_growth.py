"""Readers take time in proportion to the file: what they do is counted, and the ratio of two sizes is asserted.

The counted work is Python's calls, or the characters a search passes over. What one regular expression does inside cannot
be counted: there the text is so long that the square of it would never end.
"""

from __future__ import annotations

import contextlib
import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import counted
import numpy as np
import pytest

from robosym.errors import RobosymError
from robosym.expr import parse
from robosym.formats import dh, load_file, par, toml
from robosym.formats.par_text import without_comments
from robosym.models import geometric, transform
from robosym.program import json as program_json
from robosym.robot import Robot, RobotError, RobotWarning


class Counted(str):
    """A text that counts the characters its searches pass over."""

    passed = 0

    def find(self, sub: str, start: int = 0, end: int = sys.maxsize) -> int:  # type: ignore[override]
        place = super().find(sub, start, end)
        Counted.passed += (len(self) if place < 0 else place) - start
        return place


def calls(function: Callable[[], Any]) -> int:
    """How many functions are called until there is a result or an error of ours."""

    def attempt() -> None:
        with contextlib.suppress(RobosymError):
            function()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return counted.calls(attempt)


def grows(ask: Callable[[int], Any], size: int, most: float = 5.0) -> None:
    """Four times the size takes about four times the calls (the square would take sixteen)."""
    calls(lambda: ask(2))  # what is imported or compiled once
    small = calls(lambda: ask(size))
    assert calls(lambda: ask(4 * size)) < most * small


# --- .par ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["(* ", "(* \n", "(* x *) ", "(*(**)"])
def test_comments_are_looked_through_once(text: str) -> None:
    Counted.passed = 0
    long = Counted(text * 5000)
    without_comments(long, lambda where, message: None)
    assert Counted.passed <= 2 * len(long)


def test_a_comment_that_is_not_closed_is_one_problem() -> None:
    with pytest.raises(RobotError, match="line 3: the comment that begins here is not closed") as raised:
        par.loads("NL = 1\n\n (* one (* two\n" + "(* \n" * 20000, "open.par")
    assert "line 4" not in str(raised.value)


def test_long_blanks_in_a_par_file() -> None:
    """Quadratic time would be hours here."""
    for text in ("NL = 1" + " " * 2_000_000 + "x", "d = {1}" + "\t" * 2_000_000 + ";;", "NL =" + "\n" * 2_000_000):
        with pytest.raises(RobotError, match="line 1: expected 'name = "):
            par.loads(text, "blank.par")


def par_chain(n: int) -> str:
    lists = {"ant": range(n), "sigma": [0] * n, "d": ["L"] * n, "theta": [f"th{j}" for j in range(1, n + 1)]}
    return f"NL = {n}\nNJ = {n}\nNF = {n}\n" + "".join(f"{k} = {{{','.join(map(str, v))}}}\n" for k, v in lists.items())


# --- every reader ----------------------------------------------------------------------------------------------------


def toml_chain(n: int, row: str = "d = 0.1") -> str:
    rows = (f'[[frame]]\nname = "f{j}"\nantecedent = "f{j - 1}"\n{row}\n' for j in range(2, n + 1))
    return f'name = "chain"\n[[frame]]\nname = "f1"\n{row}\n' + "".join(rows)


def toml_mimics(n: int) -> str:
    return 'name = "chain"\n[[frame]]\n' + "".join(f"[[frame]]\nmimic = {{frame = {j}}}\n" for j in range(1, n))


def urdf_chain(n: int, kind: str = "continuous", mimic: int = 0) -> str:
    elements = ['<link name="l0"/>']
    for j in range(1, n + 1):
        tag = f'<mimic joint="j{j + mimic}"/>' if mimic and 1 <= j + mimic <= n else ""
        elements.append(
            f'<link name="l{j}"/><joint name="j{j}" type="{kind}"><parent link="l{j - 1}"/><child link="l{j}"/>'
            f'<origin xyz="0.1 0 0" rpy="0 0.2 0"/><axis xyz="0 0 1"/>{tag}</joint>'
        )
    return '<robot name="chain">' + "".join(elements) + "</robot>"


def program(n: int) -> str:
    steps = [["s0", "q1 + 1"], *([f"s{i}", f"s{i - 1}*q1 + {i}"] for i in range(1, n))]
    data = {"format": "robosym-program-1", "name": "p", "parameters": [], "precompute": [], "steps": steps}
    data["inputs"] = [{"name": "q", "shape": [1], "symbols": ["q1"]}]
    data["outputs"] = [{"name": "o", "shape": [1], "entries": [f"s{n - 1}"]}]
    return json.dumps(data)


READERS: dict[str, Callable[[int], Any]] = {
    ".par": lambda n: par.loads(par_chain(n)),
    ".par, wrong lines": lambda n: par.loads("?\n" * n),
    ".toml": lambda n: toml.loads(toml_chain(n)),
    ".toml, mimics": lambda n: toml.loads(toml_mimics(n)),
    ".toml, unknown keys": lambda n: toml.loads(toml_chain(n, "dd = 1")),
    "standard DH": lambda n: dh.from_standard_dh("chain", [("R", "L", "pi/2", 0.1, "M")] * n),
    "program": lambda n: program_json.loads(program(n)),
    "sum": lambda n: parse("+".join(f"a{i}*b" for i in range(n))),
    "product": lambda n: parse("*".join(f"(a{i} + 1)" for i in range(n))),
    "signs": lambda n: parse("-" * n + "a"),
}


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("reader", READERS)
def test_readers_grow_linearly(reader: str) -> None:
    grows(READERS[reader], 40)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(
    ("kind", "mimic"), [("continuous", 0), ("fixed", 0), ("continuous", 1), ("continuous", -1), ("floating", 0)]
)
def test_urdf_grows_linearly(tmp_path: Path, kind: str, mimic: int) -> None:
    def ask(n: int) -> Robot:
        path = tmp_path / f"{n}.urdf"
        path.write_text(urdf_chain(n, kind, mimic))
        return load_file(path)

    grows(ask, 40)


def test_a_key_of_many_parts_is_refused() -> None:
    """The standard library's parser takes the square of their number."""
    for part in ("a", '"a b"', "'.'"):
        with pytest.raises(RobotError, match="line 2: a key of more than 100 parts"):
            toml.loads("x = 1\n" + ".".join([part] * 200_000) + " = 1")
    robot = toml.loads('name = "dots"\ndescription = "' + "One. Two. Three and four. " * 100 + '"\n[[frame]]\n')
    assert robot.name == "dots"
    with pytest.raises(RobotError):
        toml.loads("name = '" + "a" * 2_000_000)


# --- long robots -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_pose_of_a_long_chain_grows_linearly() -> None:
    """Of parallel axes, whose angles add up."""
    robots = {n: Robot.from_table("chain", [{"d": 0.1}] * n) for n in (2, 50, 200)}
    grows(lambda n: transform(robots[n]), 50)


def test_a_long_sum_of_angles_is_right_and_costs_no_more() -> None:
    """40 parallel axes: cos and sin of the running sum, two products and two sums each, and the sum itself."""
    robot = Robot.from_table("chain", [{"d": 0.1}] * 40 + [{"d": 0.1, "sigma": 2}])
    q = np.random.default_rng(0).uniform(-1, 1, 40)
    model = geometric(robot)
    T = model.evaluate(q=q)
    angles = np.cumsum(q)
    np.testing.assert_allclose(T[:2, 3], [0.1 + 0.1 * np.cos(angles).sum(), 0.1 * np.sin(angles).sum()], atol=1e-13)
    np.testing.assert_allclose(T[:2, 0], [np.cos(angles[-1]), np.sin(angles[-1])], atol=1e-13)
    assert model.operations.total <= 8 * 40


def test_structure_and_names_of_a_long_chain() -> None:
    def ask(n: int) -> None:
        robot = robots[n]
        assert robot.structure == "serial"
        for j in range(1, n + 1):
            robot.number(f"frame{j}")

    robots = {n: Robot.from_table("chain", [{}, {"sigma": 2}] * (n // 2)) for n in (2, 100, 400)}
    grows(ask, 100)


# --- warnings --------------------------------------------------------------------------------------------------------


def test_many_warnings_of_one_kind_are_one() -> None:
    wrong = {"M": 1, "XX": 1, "YY": 1}
    rows = [{**wrong, "ZZ": 5 + j} for j in range(200)]
    with pytest.warns(RobotWarning) as found:
        Robot.from_table("chain", [*rows, {"M": -1}])
    assert [str(one.message) for one in found] == [
        "chain: frame 1, inertia: physically impossible: of the principal moments 1, 1, 5 the largest exceeds the sum of "
        "the others (and 200 more of this kind: frame 2, frame 3, ...)"
    ]
    assert found[0].message.count == 201  # type: ignore[union-attr]
    with pytest.warns(RobotWarning) as found:
        Robot.from_table("chain", rows[:3])
    assert len(found) == 3
