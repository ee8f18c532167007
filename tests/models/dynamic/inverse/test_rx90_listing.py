"""The RX-90 listing of Khalil's course (appendix): SYMORO+ wrote it, and it gives the same torques as our model."""

from __future__ import annotations

import ast
import operator
import re
from pathlib import Path

import numpy as np
import pytest
from models.reference import random_states, relative_error

import robosym
from robosym.models import inverse_dynamics

COURSE = "khalil-course-dynamics-control-2014.txt"
FIRST, LAST = "No31", "GAM6"
EQUATION = re.compile(r"^(?P<constant>\*?)(?P<name>[A-Za-z]+\d+)=(?P<body>[-+*() A-Za-z0-9]+)$")
# What the scan misread: the text has ZZ1R, the course's table of base parameters ZZR1.
MISREAD = {"ZZ1R": "ZZR1"}
OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Pow: operator.pow}


def listing(shared: Path) -> list[tuple[str, ast.expr, bool]]:
    """Name, right-hand side and whether it is off-line (marked with an asterisk), in order."""
    text = (shared / "papers" / COURSE).read_text(encoding="utf-8")
    found = []
    for line in text[text.index(f"{FIRST}=") :].splitlines():
        line = line.strip().strip("$").strip().replace("\N{EN DASH}", "-").replace("\N{MINUS SIGN}", "-")
        for wrong, right in MISREAD.items():
            line = line.replace(wrong, right)
        match = EQUATION.match(line)
        if match:
            body = ast.parse(match["body"].strip(), mode="eval").body
            found.append((match["name"], body, bool(match["constant"])))
    assert found[0][0] == FIRST
    assert found[-1][0] == LAST
    assert len(found) == 132
    return found


def value(node: ast.expr, known: dict[str, np.ndarray | float]) -> np.ndarray | float:
    """A product of names, a sum, a sign or a power."""
    match node:
        case ast.Name(id=name):
            return known[name]
        case ast.Constant(value=int() as number):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -value(inner, known)
        case ast.BinOp(left=left, op=op, right=right):
            return OPERATIONS[type(op)](value(left, known), value(right, known))
    raise AssertionError(f"the listing holds {ast.dump(node)}")


def base_parameters(p: dict[str, float]) -> dict[str, float]:
    """The course's regrouping relations for the RX-90 with symmetric links; what is zero there is left out."""
    M36 = p["M3"] + p["M4"] + p["M5"] + p["M6"]
    M456 = p["M4"] + p["M5"] + p["M6"]
    far = p["YY4"] + 2 * p["RL4"] * p["MZ4"] + p["RL4"] ** 2 * M456
    return {
        "ZZR1": p["ZZ1"] + p["IA1"] + p["YY2"] + p["YY3"] + p["D3"] ** 2 * M36,
        "XXR2": p["XX2"] - p["YY2"] - p["D3"] ** 2 * M36,
        "ZZR2": p["ZZ2"] + p["IA2"] + p["D3"] ** 2 * M36,
        "MXR2": p["D3"] * M36,
        "XXR3": p["XX3"] - p["YY3"] + far,
        "ZZR3": p["ZZ3"] + far,
        "MYR3": p["MY3"] + p["MZ4"] + p["RL4"] * M456,
        "XXR4": p["XX4"] - p["YY4"] + p["YY5"],
        "ZZR4": p["ZZ4"] + p["YY5"],
        "XXR5": p["XX5"] - p["YY5"] + p["YY6"],
        "ZZR5": p["ZZ5"] + p["YY6"],
        "MYR5": p["MY5"] + p["MZ6"],
        "XXR6": p["XX6"] - p["YY6"],
        "d3": p["D3"],
    }


def state_of_the_listing(batch: dict[str, np.ndarray]) -> dict[str, np.ndarray | float]:
    """The course's names: S1, C1, QP1, QDP1, ..., FX6 to CZ6."""
    known: dict[str, np.ndarray | float] = {}
    for j in range(1, 7):
        q, qd, qdd = (batch[name][:, j - 1] for name in ("q", "qd", "qdd"))
        known |= {f"S{j}": np.sin(q), f"C{j}": np.cos(q), f"QP{j}": qd, f"QDP{j}": qdd}
    names = ("FX6", "FY6", "FZ6", "CX6", "CY6", "CZ6")
    return known | dict(zip(names, batch["wrench"][:, 0].T, strict=True))


@pytest.mark.parametrize("method", ["auto", "newton-euler"])
def test_the_listing_gives_the_same_torques(shared: Path, method: str) -> None:
    robot = robosym.load("rx90-symmetric")
    rng = np.random.default_rng(90)
    batch = {**random_states(rng, robot, 50), "wrench": rng.uniform(-5, 5, (50, 1, 6))}
    values = {name: float(rng.uniform(0.5, 2)) for name in robot.values} | {"G3": -9.81}
    known = state_of_the_listing(batch) | values | base_parameters(values)
    for name, body, _ in listing(shared):
        known[name] = value(body, known)
    expected = np.stack([known[f"GAM{j}"] for j in range(1, 7)], axis=1)
    model = inverse_dynamics(robot, method=method)  # type: ignore[arg-type]
    got = model.compile()(**batch, parameters={name: values[name] for name in model.values})
    assert relative_error(got, expected) < 1e-12


def test_the_listing_costs_what_the_course_says(shared: Path) -> None:
    """160 multiplications and 113 additions: so that we count as the papers do. One off-line line lost its asterisk."""
    mul = add = 0
    for name, body, is_constant in listing(shared):
        if is_constant or name == "PIS22":
            continue
        operators = [type(node.op) for node in ast.walk(body) if isinstance(node, ast.BinOp)]
        mul += sum(op in (ast.Mult, ast.Pow) for op in operators)
        add += sum(op in (ast.Add, ast.Sub) for op in operators)
    assert (mul, add) == (160, 113)
