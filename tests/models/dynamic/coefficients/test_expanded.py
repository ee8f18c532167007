"""Models written out: the published elements, word for word where there are words, and the short model's numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models.reference import relative_error
from random_robots import random_robot

import robosym
from robosym.expr import Expr, evaluate, free_symbols, parse, substitute, variable
from robosym.expr.fourier import expanded as written_out
from robosym.expr.node import LIN
from robosym.generated import Model
from robosym.models.dynamic.coefficients.expanded import expanded
from robosym.models.dynamic.coefficients.lagrange import lagrange
from robosym.program import verified
from robosym.robot import RobotError

# Khalil, course 2014, example 7.1; A33 and A22 there have Ia, SSj is the squared sine, CSj the product.
EXAMPLE_7_1 = {
    (1, 1): "IA1 + ZZ1 + S2^2*XX2 + 2*C2*S2*XY2 + C2^2*YY2 + S23^2*XX3 + 2*C23*S23*XY3 + C23^2*YY3"
    " + 2*C2*C23*D3*MX3 - 2*C2*S23*D3*MY3 + C2^2*D3^2*M3",
    (1, 2): "S2*XZ2 + C2*YZ2 + S23*XZ3 + C23*YZ3 - S2*D3*MZ3",
    (1, 3): "S23*XZ3 + C23*YZ3",
    (2, 2): "IA2 + ZZ2 + ZZ3 + 2*C3*D3*MX3 - 2*S3*D3*MY3 + D3^2*M3",
    (2, 3): "ZZ3 + C3*D3*MX3 - S3*D3*MY3",
    (3, 3): "IA3 + ZZ3",
}
EXAMPLE_7_1_GRAVITY = {
    1: "0",
    2: "-G3*(C2*MX2 - S2*MY2 + C23*MX3 - S23*MY3 + D3*C2*M3)",
    3: "-G3*(C23*MX3 - S23*MY3)",
}


def first_links(name: str, count: int) -> robosym.Robot:
    robot = robosym.load(name)
    return robot.replace(frames=robot.frames[:count])


def entry(model: Model, name: str, *index: int) -> Expr:
    array = next(a for a in model.program.outputs if a.name == name)
    return array.entries[int(np.ravel_multi_index([i - 1 for i in index], array.shape))]


def read(text: str, model: Model) -> Expr:
    """A published element in the symbols of the program."""
    symbols = {one.name: one.symbol for one in model.program.steps}
    symbols |= {one.name: one for array in model.program.inputs for one in array.entries}
    parsed = parse(text)
    return substitute([parsed], {s: symbols[s.name] for s in free_symbols(parsed) if s.name in symbols})[0]


def test_the_first_three_links_of_the_rx90_are_those_of_the_course() -> None:
    """The same node means the same terms: nothing missing, nothing longer."""
    model = expanded(first_links("rx90", 3))
    for (i, j), published in EXAMPLE_7_1.items():
        assert entry(model, "A", i, j) is read(published, model), (i, j)
        assert entry(model, "A", j, i) is entry(model, "A", i, j)
    for i, published in EXAMPLE_7_1_GRAVITY.items():
        assert entry(model, "Q", i) is read(published, model), i


def test_the_double_pendulum_of_robmat() -> None:
    model = expanded(robosym.load("double-pendulum"), form="robmat")
    published = {
        ("M", 1, 1): "L1^2*M1 + L1^2*M2 + 2*C2*L1*L2*M2 + L2^2*M2",
        ("M", 1, 2): "L2*(C2*L1 + L2)*M2",
        ("M", 2, 2): "L2^2*M2",
        ("B", 1, 1): "-(L1*L2*M2*S2)",
        ("B", 2, 1): "0",
        ("C", 1, 1): "0",
        ("C", 1, 2): "-(L1*L2*M2*S2)",
        ("C", 2, 1): "L1*L2*M2*S2",
        ("G", 1): "G1*(L1*M1*S1 + L1*M2*S1 + L2*M2*S12)",
        ("G", 2): "G1*L2*M2*S12",
    }
    for (name, *index), text in published.items():
        assert entry(model, name, *index) is read(text, model), (name, index)


def test_the_modified_stanford_manipulator_is_short() -> None:
    model = expanded(robosym.load("stanford-3"))
    assert entry(model, "A", 2, 2) is read("YY3 + ZZ2 + 2*MZ3*q3 + M3*q3^2", model)
    assert entry(model, "A", 1, 2) is read("-C2*RL2*(MZ3 + M3*q3)", model)
    assert entry(model, "Q", 2) is read("G3*S2*(MZ3 + M3*q3)", model)
    longest = max(len(e.args) if e.op == LIN else 1 for a in model.program.outputs for e in a.entries)
    assert longest <= 10


@pytest.mark.parametrize("simplify", [True, False])
@pytest.mark.parametrize("name", ["double-pendulum", "stanford-3", "planar-3r", "scara"])
def test_it_is_the_short_model(name: str, simplify: bool) -> None:
    robot = robosym.load(name)
    model = expanded(robot, simplify=simplify)
    verified(model.program)
    q = np.random.default_rng(1).uniform(-2, 2, robot.nv)
    short, found = lagrange(robot).evaluate(q=q), model.evaluate(q=q)
    for key, value in short.items():
        np.testing.assert_allclose(found[key], value, atol=1e-12, err_msg=key)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 3))
def test_random_robots_written_out_keep_their_values(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, n, symbolic=True)
    q = rng.uniform(-2, 2, robot.nv)
    short, found = lagrange(robot).evaluate(q=q), expanded(robot).evaluate(q=q)
    assert relative_error(found["A"], short["A"]) < 1e-10
    np.testing.assert_allclose(found["Q"], short["Q"], atol=1e-9)


def test_simplifying_makes_it_shorter() -> None:
    robot = first_links("rx90", 3)
    plain, short = (len(expanded(robot, simplify=simplify).explain()) for simplify in (False, True))
    assert short < 0.8 * plain


def test_large_robots_are_refused() -> None:
    with pytest.raises(RobotError, match="has 6 joints: only models of up to 4 are written out"):
        expanded(robosym.load("rx90"))


def test_reading_it_shows_the_papers_names() -> None:
    assert "A[2, 3] = ZZ3 + C3*D3*MX3 - D3*MY3*S3" in expanded(first_links("rx90", 3)).explain()


# --- trigonometric polynomials ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("XX*(1 - cos(q1)^2)", "XX*sin(q1)^2"),
        ("cos(q1)*cos(q2) - sin(q1)*sin(q2)", "cos(q1 + q2)"),
        ("sin(q1)^2 + cos(q1)^2", "1"),
        ("cos(q2)^2*cos(q3) - sin(q2)*cos(q2)*sin(q3)", "cos(q2)*cos(q2 + q3)"),
        ("(a + b)*(a - b)", "a^2 - b^2"),
        ("sin(q1)*cos(q1)*a", "a*sin(q1)*cos(q1)"),
        ("cos(q1)*(a*L + b*L)", "L*cos(q1)*(a + b)"),
    ],
)
def test_identities(text: str, short: str) -> None:
    assert written_out([_variables(text)])[0] is _variables(short)


def _variables(text: str) -> Expr:
    parsed = parse(text)
    return substitute([parsed], {s: variable(s.name) for s in free_symbols(parsed) if s.name.startswith("q")})[0]


def test_values_stay() -> None:
    root = _variables("(a*cos(q1) + sin(q1 - q2))^3*(q3 + cos(q2))")
    values = {"a": 0.3, "q1": 0.5, "q2": -1.1, "q3": 0.7}
    assert evaluate(written_out([root]), values)[0] == pytest.approx(evaluate([root], values)[0], rel=1e-13)
