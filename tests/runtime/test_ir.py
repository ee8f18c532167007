"""Compiled arithmetic against the interpreter: every function, IEEE corner cases, random, deep and large programs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from sample_programs import (
    arm,
    arrays_of,
    hostile,
    local,
    one_output,
    programs,
    values_of,
    vector,
)

from robosym.expr import sin, variable
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


@pytest.mark.slow
@given(program=programs())
@settings(max_examples=60, deadline=None)
def test_random_programs_agree_with_the_interpreter(program):
    f = compile_program(program)
    for seed in range(3):
        agrees(f, program, values_of(program, seed))


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
