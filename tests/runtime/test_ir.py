"""Compiled arithmetic against the interpreter: every function, IEEE corner cases, random, deep and large programs."""

from __future__ import annotations

import numpy as np
import pytest
from codegen.conformance import function_case
from hypothesis import given, settings
from sample_programs import (
    arm,
    arrays_of,
    every_function,
    hostile,
    local,
    one_output,
    programs,
    values_of,
    vector,
)

from robosym.codegen import CodegenError
from robosym.expr import acos, asin, floor, log, maximum, minimum, sign, sin, sqrt, variable
from robosym.program.program import Program, Step
from robosym.runtime import CompiledFunction, compile_program

X, Y = variable("x"), variable("y")


def agrees(f: CompiledFunction, program: Program, values: dict) -> None:
    parameters = {p.name: values[p] for p in program.parameter_symbols}
    results = f(**arrays_of(program, values), parameters=parameters)
    results = results if len(program.outputs) != 1 else {program.outputs[0].name: results}
    expected = program.evaluate(values)
    for array in program.outputs:
        assert results[array.name].shape == array.shape
        np.testing.assert_allclose(results[array.name].ravel(), expected[array.name], rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("program", [arm(), hostile()], ids=["arm", "hostile"])
def test_programs_agree_with_the_interpreter(program):
    f = compile_program(program)
    for seed in range(5):
        agrees(f, program, values_of(program, seed))


@given(program=programs())
@settings(max_examples=60, deadline=None)
def test_random_programs_agree_with_the_interpreter(program):
    f = compile_program(program)
    for seed in range(3):
        agrees(f, program, values_of(program, seed))


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


def test_deep_expressions_compile():
    deep = X
    for _ in range(10_000):
        deep = sin(deep) + X
    program = one_output(deep, [X])
    agrees(compile_program(program), program, {X: 0.3})


def test_long_programs_compile():
    rng = np.random.default_rng(0)
    known = [X, Y]
    steps = []
    for i in range(3_000):
        a, b = (known[-1 - k] for k in rng.integers(0, min(len(known), 20), 2))
        steps.append(Step(local(f"s{i}"), sin(a + b) if i % 8 == 0 else a * b + 0.5 * a))
        known.append(steps[-1].symbol)
    program = Program("long", (vector("x", [X, Y]),), (), (), tuple(steps), (vector("y", known[-20:]),))
    values = {X: 0.2, Y: 0.3}
    np.testing.assert_allclose(compile_program(program)(x=[0.2, 0.3]), program.evaluate(values)["y"], rtol=1e-9)


def test_an_undefined_symbol_is_named():
    with pytest.raises(CodegenError, match="'missing' is used but"):
        compile_program(one_output(variable("missing") + 1, [X]))
