"""Generated JAX: run in double precision, alone, over batches, compiled and differentiated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from codegen.calling import by_name, loaded, shared_values
from codegen.conformance import Arrays, Case, all_cases, check, function_case, model_cases
from codegen.odd_programs import named_cases, odd_cases, random_cases
from language_report import missing
from sample_programs import arm, one_output

from robosym import codegen
from robosym.codegen.interface import interface
from robosym.codegen.targets.jax.reserved import RESERVED
from robosym.expr import select, sqrt, variable
from robosym.program.program import Program

jax = pytest.importorskip("jax", reason=missing("jax"))


@pytest.fixture(autouse=True)
def double_precision():
    before = jax.config.read("jax_enable_x64")
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


def load(program: Program) -> dict[str, Any]:
    return loaded(codegen.source(program, "jax", name="made"))


def shared(space: dict[str, Any], case: Case) -> list[Any]:
    """Arguments after the inputs."""
    return shared_values(space, interface(case.program, RESERVED, "made"), np.array(case.parameters, dtype=float))


def run(case: Case) -> list[Arrays]:
    """All states at once, by vmap; with thousands of inputs, which it is slow for, one after the other."""
    space = load(case.program)
    more = shared(space, case)
    if not 0 < sum(len(array.entries) for array in case.program.inputs) < 1000:
        taken = [[state[array.name] for array in case.program.inputs] for state in case.states]
        return [by_name(case.program.outputs, space["made"](*state, *more)) for state in taken]
    batch = [np.stack([state[array.name] for state in case.states]) for array in case.program.inputs]
    many = jax.vmap(lambda *state: space["made"](*state, *more))(*batch)
    many = {name: np.asarray(values) for name, values in by_name(case.program.outputs, many).items()}
    return [{name: values[i] for name, values in many.items()} for i in range(len(case.states))]


@pytest.mark.slow
@pytest.mark.runs("jax")
def test_all_programs_agree_with_the_interpreter():
    for case in all_cases():
        check(case, run(case))


@pytest.mark.slow
def test_odd_named_and_random_programs_agree_with_the_interpreter():
    for case in [*odd_cases(small=True), *named_cases()[::3], *random_cases(5)]:
        check(case, run(case))


def test_outputs_have_their_shapes_and_precision():
    for case in (case for case in odd_cases() if case.name not in ("deep", "wide")):
        space = load(case.program)
        state = [case.states[0][array.name] for array in case.program.inputs]
        result = by_name(case.program.outputs, space["made"](*state, *shared(space, case)))
        for array in case.program.outputs:
            assert result[array.name].shape == array.shape
            assert result[array.name].dtype == np.float64


def test_lists_and_whole_numbers_are_taken():
    space = load(one_output(variable("x") / 2, [variable("x")]))
    assert space["made"]([1]).tolist() == space["made"](np.array([1])).tolist() == [0.5]


def test_single_precision_without_the_switch():
    jax.config.update("jax_enable_x64", False)
    space = load(arm())
    result = space["made"]([0.1, 0.2], [1.0, 2.0], space["made_precompute"]([1.0, 2.0]))
    assert result["tip"].dtype == np.float32


def test_compiled_with_jit():
    """Also over a batch of states and of parameters."""
    (case,) = model_cases(names=("transform",))
    space = load(case.program)
    made = jax.jit(space["made"])
    check(case, [{"T": made(state["q"], np.array(case.parameters))} for state in case.states])
    many = jax.jit(jax.vmap(space["made"], in_axes=(0, None)))
    batch = np.stack([state["q"] for state in case.states])
    check(case, [{"T": T} for T in many(batch, np.array(case.parameters))])


def test_the_derivative_of_the_position_is_the_jacobian():
    transform, jacobian = model_cases(names=("transform", "jacobian"))
    assert transform.parameters == jacobian.parameters
    parameters = np.array(transform.parameters)
    position = jax.jacobian(lambda q: load(transform.program)["made"](q, parameters)[:3, 3])
    J = load(jacobian.program)["made"]
    for state in transform.states:
        np.testing.assert_allclose(position(state["q"]), J(state["q"], parameters)[:3], atol=1e-12)


def test_the_gradient_of_a_choice_is_that_of_the_branch_taken():
    x = variable("x")
    slope = jax.grad(lambda q: load(one_output(select(x < 1, 3 * x, x**2), [x]))["made"](q)[0])
    assert slope(np.array([0.5])).tolist() == [3.0]
    assert slope(np.array([2.0])).tolist() == [4.0]
    spoiled = jax.grad(lambda q: load(one_output(select(x < 1, x, sqrt(x)), [x]))["made"](q)[0])
    assert np.isnan(spoiled(np.array([0.0]))).all()  # as the text says: the other branch has no finite slope there


@pytest.mark.slow
def test_every_function_can_be_differentiated():
    case = function_case(special=False)
    made = load(case.program)["made"]
    slopes = jax.jacobian(made)(np.array([0.3, 0.4, 0.5]))
    for name, slope in slopes.items():
        assert np.isfinite(slope).all(), name
