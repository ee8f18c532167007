"""Numbers in generated code: no noise of rounding, plain decimals, and exact constants where a language has them."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import robosym
from robosym import models
from robosym.expr import evaluate, parse, variable
from robosym.expr.rounding import plain_double
from robosym.robot import Robot

NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d*(?:e[+-]?\d+)?|e[+-]?\d+)")
RIGHT = ("0", "pi/2", "-pi/2", "pi")


def numbers_of(source: str) -> list[float]:
    """The numbers in the code, without its comments."""
    return [float(x) for x in NUMBER.findall(re.sub(r"/\*.*?\*/", "", source, flags=re.S))]


def forward(rows: list[dict[str, Any]], q: np.ndarray) -> np.ndarray:
    """Rx(alpha) Tx(d) Rz(theta) Tz(r) one after the other."""
    T, angles = np.eye(4), iter(q)
    for row in rows:
        alpha = float(evaluate([parse(row["alpha"])], {})[0])
        theta = float(evaluate([parse(row.get("theta", "0"))], {})[0]) if row["sigma"] == 2 else float(next(angles))
        ca, sa, ct, st = np.cos(alpha), np.sin(alpha), np.cos(theta), np.sin(theta)
        d, r = row["d"], row["r"]
        step = [[ct, -st, 0, d], [ca * st, ca * ct, -sa, -sa * r], [sa * st, sa * ct, ca, ca * r], [0, 0, 0, 1]]
        T = T @ np.array(step)
    return T


def offsets_that_cancel(rng: np.random.Generator) -> list[dict[str, Any]]:
    """Fixed frames one after the other along x and z: decimals that add up to zero."""
    columns = []
    for _ in "xz":
        parts = [round(float(x), int(rng.integers(1, 4))) for x in rng.uniform(-0.9, 0.9, 3)]
        columns.append([*parts, float(-sum(Fraction(repr(x)) for x in parts))])
    return [{"sigma": 2, "alpha": "0", "d": d, "r": r} for d, r in zip(*columns, strict=True)]


def code_without_noise(seed: int) -> None:
    """A random arm in decimals whose flange goes back to where it began: nothing of rounding is in its code."""
    rng = np.random.default_rng(seed)
    rows: list[dict[str, Any]] = [
        {"sigma": 0, "alpha": RIGHT[int(rng.integers(4))], "d": round(float(rng.uniform(0.1, 1)), 2), "r": 0.25}
        for _ in range(2)
    ]
    rows += offsets_that_cancel(rng)
    robot = Robot.from_table("decimal", rows)
    model = models.transform(robot, frame=len(rows), reference=0)
    found = [x for numeric in (False, True) for x in numbers_of(model.source("c", numeric=numeric))]
    assert all(x == 0 or x > 1e-6 for x in found), sorted(found)[:5]
    assert all(plain_double(x) == x for x in found)
    q = rng.uniform(-2, 2, 2)
    np.testing.assert_allclose(np.reshape(model.compile()(q=q), (4, 4)), forward(rows, q), atol=1e-14)


@pytest.mark.parametrize("seed", range(8))
def test_rounding_leaves_nothing_in_the_code(seed: int) -> None:
    code_without_noise(seed)


@pytest.mark.parametrize("name", ["four-bar", "slider-crank"])
def test_tolerances_are_plain_decimals(name: str) -> None:
    model = models.transform(robosym.load(name))
    found = numbers_of(model.source("c"))
    assert 1e-14 in found
    assert all(plain_double(x) == x for x in found)


def exact_equations(seed: int) -> None:
    """The printed steps of a random arm with angles k pi/n have no decimals, and give its pose."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([3, 4, 5, 7, 8, 9, 10, 12]))
    special = f"{int(rng.integers(1, n))}*pi/{n}"
    angles = [special if j == seed % 3 else RIGHT[int(rng.integers(4))] for j in range(3)]
    table = [{"alpha": angle, "d": f"D{j}", "r": f"R{j}"} for j, angle in enumerate(angles, 1)]
    robot = Robot.from_table("special", table)
    model = models.transform(robot, reference=0)
    written = model.explain().partition("parameters ")[2]
    assert not re.search(r"\d\.\d{6}", written), written
    for language, word in (("latex", r"\d\.\d{6}"), ("mathematica", r"\d\.\d{6}"), ("maple", r"\d\.\d{6}")):
        assert not re.search(word, model.source(language).partition("Operations")[2]), language
    values: dict[Any, float] = {f"{name}{j}": float(rng.uniform(0.1, 1)) for name in "DR" for j in (1, 2, 3)}
    q = rng.uniform(-2, 2, 3)
    known: dict[Any, float] = values | {f"q{j}": float(x) for j, x in enumerate(q, 1)}
    entries = {}
    for line in written.splitlines():
        name, equals, right = (part.strip() for part in line.partition(" = "))
        if equals:
            value = float(evaluate([parse(right, variable)], known)[0])
            known[name] = value
            entries[name] = value
    T = np.array([[entries[f"T[{i}, {j}]"] for j in range(1, 5)] for i in range(1, 5)])
    rows = [{"sigma": 0, "alpha": a, "d": values[f"D{j}"], "r": values[f"R{j}"]} for j, a in enumerate(angles, 1)]
    np.testing.assert_allclose(T, forward(rows, q), atol=1e-13)


@pytest.mark.parametrize("seed", range(9))
def test_printed_equations_are_exact(seed: int) -> None:
    exact_equations(seed)
