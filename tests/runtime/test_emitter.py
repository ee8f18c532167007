"""Expressions as instructions: every function, special numbers, one state or a vector of them."""

from __future__ import annotations

import numpy as np
import pytest
from codegen.conformance import function_case
from program.random_graphs import random_graph, random_values
from runtime.written import called
from sample_programs import (
    every_function,
    one_output,
)

from robosym.codegen import CodegenError
from robosym.expr import (
    Expr,
    acos,
    asin,
    atan2,
    cos,
    evaluate,
    floor,
    log,
    maximum,
    minimum,
    parameter,
    sign,
    sin,
    sqrt,
    step,
    symbol,
    variable,
)
from robosym.program import lower
from robosym.program.program import Step
from robosym.runtime import compile_program, emitter, ir
from robosym.runtime.assembly import Lanes, function
from robosym.runtime.emitter import Emitter, declarations, rounds_of_angles

X, Y = variable("x"), variable("y")


def test_every_function_at_ordinary_and_special_points():
    program = every_function()
    points = np.array([state["x"] for state in function_case().states])
    expected = [program.evaluate(dict(zip(program.inputs[0].entries, point, strict=True))) for point in points.tolist()]
    for speed_level in (0, 2):
        for name, values in compile_program(program, speed_level=speed_level)(x=points).items():
            wanted = np.array([one[name][0] for one in expected])
            np.testing.assert_allclose(np.ravel(values), wanted, rtol=1e-14, err_msg=f"{name} at level {speed_level}")


@pytest.mark.parametrize(
    ("result", "x", "y", "expected"),
    [
        (1 / X, 0.0, 0.0, np.inf),
        (1 / X, -0.0, 0.0, -np.inf),
        (Y / X, 0.0, 0.0, np.nan),
        (1 / X**2, 0.0, 0.0, np.inf),
        (asin(X), 2.0, 0.0, np.nan),
        (acos(X), -1.5, 0.0, np.nan),
        (sqrt(X), -1.0, 0.0, np.nan),
        (log(X), 0.0, 0.0, -np.inf),
        (sign(X), 0.0, 0.0, 0.0),
        (sign(X), -3.0, 0.0, -1.0),
        (sign(X), np.nan, 0.0, np.nan),
        (floor(X), -0.5, 0.0, -1.0),
        (floor(X), -2.0, 0.0, -2.0),
        (floor(X), np.inf, 0.0, np.inf),
        (minimum(X, Y), 1.0, np.nan, np.nan),
        (minimum(X, Y), np.nan, 1.0, np.nan),
        (maximum(X, Y), 1.0, np.nan, np.nan),
        (maximum(X, Y), -1.0, -2.0, -1.0),
        (minimum(X, Y), -1.0, -2.0, -2.0),
        (X + 1, np.nan, 0.0, np.nan),
        (X * Y, np.inf, 0.0, np.nan),
        (sin(X), np.inf, 0.0, np.nan),
    ],
)
def test_ieee_corner_cases(result, x, y, expected):
    np.testing.assert_equal(compile_program(one_output(result, [X, Y]))(x=[x, y]), [expected])


def test_an_undefined_symbol_is_named():
    with pytest.raises(CodegenError, match="'missing' is used but"):
        compile_program(one_output(variable("missing") + 1, [X]))


# --- the instructions of a body ----------------------------------------------------------------------------------------------


def computed(width, together, steps, results, at):
    """The results at states that lie in lanes, by a body of this width."""
    e = Emitter(Lanes(width), together)
    for k, symbol_ in enumerate(at):
        e.sources[symbol_] = lambda k=k: e.load_at("%a1", k * width)
    for k, value in enumerate(e.body(steps, results)):
        e.store_at(value, "%a0", k * width)
    made = np.zeros(len(results) * width)
    given = np.array(list(at.values()), dtype=float).reshape(len(at), -1)
    text = "\n".join([*ir.ours([e], Lanes(width)), function("void @f(ptr %a0, ptr %a1)", e, "ret void")])
    called(text, [made, np.ascontiguousarray(np.broadcast_to(given, (len(at), width)))])
    return made.reshape(len(results), width)


@pytest.mark.parametrize(("width", "together"), [(1, 1), (1, 2), (1, 4), (2, 1), (4, 1)])
@pytest.mark.parametrize("seed", [0, 1])
def test_random_programs_at_several_states_at_once(seed, width, together):
    program = lower(random_graph(seed))
    states = [random_values(seed + k) for k in range(width)]
    symbols = list(states[0])
    at = {s: [one[s] for one in states] for s in symbols}
    results = list(program.outputs[0].entries)
    found = computed(width, together, [*program.precompute, *program.steps], results, at)
    for lane, values in enumerate(states):
        np.testing.assert_allclose(found[:, lane], program.evaluate(values)["y"], rtol=1e-13)


x, y = variable("x"), variable("y")


@pytest.mark.parametrize("width", [1, 2])
@pytest.mark.parametrize(
    "result",
    [
        x - y,
        y - x - 2,
        -x - y + 1,
        3 * x - 0.5 * y,
        -2 * x,
        x**7,
        x**6 / y**3,
        1 / (x * y),
        1 / x**2,
        x * y / (x + y),
        atan2(x, y),
        atan2(y, x) - sin(x) * cos(y),
        sin(cos(x) + sin(y)) * cos(sin(x)),
        minimum(x, y) - maximum(x, 3) + minimum(-1, y),
        sign(x - y) + floor(x / y),
        step(x + y) * 2,
        (x < y) * 2 + (x <= x) * 3,
    ],
)
def test_each_form(result: Expr, width: int) -> None:
    for a, b in ((0.7, -1.3), (-2.5, 0.4), (4.0, 3.0)):
        expected = float(evaluate([result], {x: a, y: b})[0])
        np.testing.assert_allclose(computed(width, 1, [], [result], {x: a, y: b}), expected, rtol=1e-14, atol=1e-15)


def test_angles_by_what_they_need():
    s, t = symbol("s", "local"), symbol("t", "local")
    definitions = {s: sin(x) + y, t: cos(s) * x}
    roots = [definitions[s], definitions[t], sin(t) + cos(x), sin(y) * cos(s)]
    assert rounds_of_angles(roots, definitions) == [[x, y], [s], [t]]
    assert rounds_of_angles([x + y], {}) == []
    assert rounds_of_angles([sin(x + sin(y)), cos(y)], {}) == [[y], [x + sin(y)]]
    assert rounds_of_angles([sin(x) * cos(x), sin(x + 1)], {}) == [[x, x + 1]]


def test_steps_with_signs():
    s, t = symbol("s", "local"), symbol("t", "local")
    steps = [Step(s, -x * y), Step(t, sin(s) - s)]
    found = computed(1, 1, steps, [t, s + t], {x: 0.3, y: 0.9})
    a = -0.27
    np.testing.assert_allclose(found[:, 0], [np.sin(a) - a, np.sin(a)], rtol=1e-14)


def test_many_angles_share_their_place(monkeypatch):
    monkeypatch.setattr(emitter, "MOST_PAIRS", 2)
    inputs = [variable(f"v{k}") for k in range(7)]
    results = [sin(v) * 2 + cos(v) for v in inputs]
    at = {v: [0.3 * k, 0.3 * k - 1] for k, v in enumerate(inputs)}
    found = computed(2, 1, [], results, at)
    np.testing.assert_allclose(found, [2 * np.sin(x) + np.cos(x) for x in np.array(list(at.values()))], rtol=1e-14)


def test_each_node_is_written_once():
    e = Emitter(Lanes())
    e.sources[x] = lambda: e.load_at("%a0", 0)
    shared = x * x + 1
    e.body([], [shared * x, shared + x, shared])
    assert sum("fmul" in line for line in e.lines) == 2
    assert sum("load" in line for line in e.lines) == 1
    assert not e.takes_atan2
    assert e.sincos_widths == set()
    e.body([], [atan2(x, shared), sin(x)])
    assert e.takes_atan2
    assert e.sincos_widths == {1}
    assert parameter("p") not in e.values


def test_functions_of_every_width_are_declared():
    found = declarations([1, 4])
    assert "declare <4 x double> @llvm.sqrt.v4f64(<4 x double>)" in found
    assert "declare double @llvm.fabs.f64(double)" in found
    assert len(found) == len(set(found))
