"""Generated Python and NumPy: run, and compared with the interpreter."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from sample_programs import (
    arm,
    arrays_of,
    every_function,
    hostile,
    one_output,
    programs,
    special_points,
    values_of,
    vector,
)

import robosym.codegen.interface
from robosym import codegen
from robosym.codegen.targets.c import facts_of
from robosym.expr import Expr, sin, variable
from robosym.program.program import Array, Program


def load(program: Program, language: str) -> dict[str, Any]:
    space: dict[str, Any] = {}
    exec(codegen.source(program, language, name="made"), space)
    return space


def call(space: dict[str, Any], program: Program, arrays: dict[str, Any], parameters: Any) -> dict[str, Any]:
    facts = facts_of(program)
    taken = [arrays[array.name] for array in program.inputs]
    taken += [parameters] if facts.reads_parameters else []
    taken += [space["made_precompute"](parameters)] if facts.has_precompute else []
    result = space["made"](*taken)
    return result if len(program.outputs) != 1 else {program.outputs[0].name: result}


def agrees(space: dict[str, Any], program: Program, values: dict[Expr, float]) -> None:
    arrays = {name: array.tolist() for name, array in arrays_of(program, values).items()}
    results = call(space, program, arrays, [values[p] for p in program.parameters])
    expected = program.evaluate(values)
    for array in program.outputs:
        assert np.shape(results[array.name]) == array.shape
        np.testing.assert_allclose(np.ravel(results[array.name]), expected[array.name], rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("language", ["python", "numpy"])
def test_the_arm_is_written_as_agreed(language, golden, monkeypatch):
    monkeypatch.setattr(robosym.codegen.interface, "__version__", "0.0.0")
    ((name, text),) = codegen.generate(arm(), language).items()
    assert name == "planar_arm.py"
    golden(f"arm.{language}", text)


@pytest.mark.parametrize("language", ["python", "numpy"])
@pytest.mark.parametrize("program", [arm(), hostile()], ids=["arm", "hostile"])
def test_programs_agree_with_the_interpreter(language, program):
    space = load(program, language)
    for seed in range(5):
        agrees(space, program, values_of(program, seed))


@given(program=programs())
@settings(max_examples=50, deadline=None)
def test_random_programs_agree_with_the_interpreter(program):
    for language in ("python", "numpy"):
        agrees(load(program, language), program, values_of(program))


def test_every_function_in_python():
    """Where Python's floats raise, the interpreter's answer is not a finite number."""
    program = every_function()
    for array in program.outputs:
        alone = program.replace(outputs=(array,))
        space = load(alone, "python")
        for point in special_points():
            expected = alone.evaluate(dict(zip(alone.inputs[0].entries, point.tolist(), strict=True)))[array.name][0]
            try:
                result = space["made"](point.tolist())
            except (ValueError, ZeroDivisionError, OverflowError):
                assert not math.isfinite(expected)
                continue
            np.testing.assert_allclose(result, expected, rtol=1e-14, err_msg=f"{array.name} at {point}")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_function_in_numpy_over_a_batch():
    program = every_function()
    results = load(program, "numpy")["made"](special_points())
    for i, point in enumerate(special_points()):
        expected = program.evaluate(dict(zip(program.inputs[0].entries, point.tolist(), strict=True)))
        for name, values in results.items():
            np.testing.assert_allclose(values[i], expected[name][0], rtol=1e-14, err_msg=f"{name} at {point}")


def test_batches_broadcast():
    """Leading axes of states and of parameters, shared or each its own."""
    program = arm()
    space = load(program, "numpy")
    rng = np.random.default_rng(3)
    q, parameters = rng.uniform(size=(5, 1, 2)), rng.uniform(size=(4, 2))
    many = call(space, program, {"q": q}, parameters)
    assert many["rotation"].shape == (5, 4, 2, 2)
    for i in range(5):
        for j in range(4):
            one = call(space, program, {"q": q[i, 0]}, parameters[j])
            for name, value in one.items():
                np.testing.assert_allclose(many[name][i, j], value, rtol=1e-15)


@pytest.mark.parametrize("language", ["python", "numpy"])
def test_matrices_scalars_and_empty_arrays(language):
    x, y = variable("x"), variable("y")
    w = [variable(f"w{i}") for i in range(6)]
    inputs = (Array("x", (), (x,)), Array("w", (2, 3), tuple(w)), vector("e", []), Array("y", (1, 1), (y,)))
    outputs = (Array("a", (), (x + y,)), Array("b", (3, 2), tuple(w)), Array("c", (0, 2), ()))
    space = load(Program("p", inputs, (), (), (), outputs), language)
    result = space["made"](1.0, [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], [], [[7.0]])
    assert float(result["a"]) == 8.0
    assert np.asarray(result["b"]).tolist() == [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]
    assert len(result["c"]) == 0


def test_deep_expressions_run():
    x = variable("x")
    deep = x
    for _ in range(5_000):
        deep = sin(deep) + x
    program = one_output(deep, [x])
    agrees(load(program, "python"), program, {x: 0.3})
