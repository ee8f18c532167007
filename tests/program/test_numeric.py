"""Numbers in place of parameters: the same results, nothing left to precompute, sound programs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_programs import arm, constant, hostile, local, programs, values_of, vector

from robosym import load
from robosym.expr import Expr, cos, free_symbols, parameter, pi, postorder, sin, variable
from robosym.expr.node import CONSTANT
from robosym.models import inverse_dynamics
from robosym.program import Program, ProgramError
from robosym.program.numeric import numeric_routine, pruned, with_numbers
from robosym.program.program import Step
from robosym.program.routine import Copy, Each, Fill, Newton, Repeat, Routine, Run, Slot, When, verified_routine
from robosym.program.verify import verified

L1, L2, Q = parameter("L1"), parameter("L2"), variable("q")


def parameters_of(program: Program, values: dict[Expr, float]) -> dict[str, float]:
    return {symbol.name: values[symbol] for symbol in program.parameter_symbols}


def agree(changed: Program, program: Program, values: dict[Expr, float], tolerance: float = 1e-12) -> None:
    """The changed program may not look at the parameters it no longer has."""
    left = set(changed.parameter_symbols) | {symbol for array in program.inputs for symbol in array.entries}
    found = changed.evaluate({symbol: value for symbol, value in values.items() if symbol in left})
    expected = program.evaluate(values)
    assert list(found) == list(expected)
    for name, numbers in expected.items():
        np.testing.assert_allclose(found[name], numbers, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("program", [arm(), hostile()], ids=["arm", "hostile"])
@pytest.mark.parametrize("seed", range(4))
def test_the_results_stay(program: Program, seed: int) -> None:
    values = values_of(program, seed)
    changed = with_numbers(program, parameters_of(program, values))
    assert changed.parameter_symbols == ()
    assert changed.precompute == ()
    assert changed.inputs == program.inputs
    assert changed.name == program.name
    agree(verified(changed), program, values)


@pytest.mark.slow
@given(program=programs(), seed=st.integers(0, 5), data=st.data())
@settings(max_examples=100, deadline=None)
def test_random_programs_with_some_of_their_values(program: Program, seed: int, data: st.DataObject) -> None:
    values = values_of(program, seed)
    names = [symbol.name for symbol in program.parameter_symbols]
    chosen = data.draw(st.sets(st.sampled_from(names))) if names else set()
    changed = with_numbers(program, {name: values[parameter(name)] for name in chosen})
    left = tuple(parameter(name) for name in names if name not in chosen)
    assert changed.parameter_symbols == (changed.used_parameters if chosen else left)
    assert set(changed.parameter_symbols) <= set(left)
    assert not {symbol.name for root in changed.roots for symbol in free_symbols(root)} & chosen
    agree(changed, program, values, 1e-10)
    if chosen:
        verified(changed)
    if len(chosen) == len(names) and names:
        assert changed.precompute == ()


def test_what_one_parameter_decides_is_a_number_and_the_rest_stays_precomputed() -> None:
    A, B, C = constant("A"), constant("B"), constant("C")
    precompute = (Step(A, 2 * L1), Step(B, L2**2), Step(C, A * B))
    program = Program(
        "p", (vector("q", [Q]),), (L1, L2), precompute, (), (vector("y", [sin(A) * Q, B * Q, C * cos(Q)]),)
    )
    changed = verified(with_numbers(program, {"L1": 0.25}))
    assert changed.parameter_symbols == (L2,)
    assert [step.symbol for step in changed.precompute] == [B, C]
    assert changed.outputs[0].entries[0] == math.sin(0.5) * Q
    agree(changed, program, {L1: 0.25, L2: 3.0, Q: 0.7})


def test_constant_parts_are_numbers() -> None:
    program = Program("p", (vector("q", [Q]),), (L1,), (), (), (vector("y", [cos(L1) * Q + sin(pi * L1), L1 / 3]),))
    changed = with_numbers(program, {"L1": 0.3})
    for node in postorder(changed.roots):
        assert node.level != CONSTANT or not node.args, node
    agree(changed, program, {L1: 0.3, Q: 1.1})


def test_a_zero_takes_away_what_it_multiplies() -> None:
    S, T = local("S"), local("T")
    steps = (Step(S, sin(Q)), Step(T, S * cos(Q)))
    program = Program("p", (vector("q", [Q]),), (L1, L2), (), steps, (vector("y", [L1 * T + L2 * S]),))
    changed = verified(with_numbers(program, {"L1": 0.0, "L2": 1.0}))
    assert [step.symbol for step in changed.steps] == [S]
    assert changed.outputs[0].entries == (S,)


def test_a_step_that_becomes_a_name_for_another_goes() -> None:
    S, T = local("S"), local("T")
    steps = (Step(S, sin(Q)), Step(T, L1 * S))
    program = Program("p", (vector("q", [Q]),), (L1,), (), steps, (vector("y", [T, T * Q]),))
    changed = verified(with_numbers(program, {"L1": 1}))
    assert changed.steps == (Step(S, sin(Q)),)
    assert changed.outputs[0].entries == (S, S * Q)


def test_no_values_no_change() -> None:
    program = arm()
    assert with_numbers(program, {}) is program


@pytest.mark.parametrize("names", [["L3"], ["L1", "q1"], ["R"], [""]])
def test_unknown_names_are_refused(names: list[str]) -> None:
    with pytest.raises(ProgramError, match=r"no parameter .* in 'planar-arm' \(parameters: L1, L2\)"):
        with_numbers(arm(), dict.fromkeys(names, 1.0))


def test_pruned_keeps_what_is_needed_and_nothing_else() -> None:
    A, B, S, T, U = constant("A"), constant("B"), local("S"), local("T"), local("U")
    precompute = (Step(A, L1**2), Step(B, L1**3))
    steps = (Step(S, A * Q), Step(T, B * S), Step(U, S + 1))
    program = Program("p", (vector("q", [Q]),), (L1,), precompute, steps, (vector("y", [U]),))
    short = verified(pruned(program))
    assert [step.symbol for step in short.steps] == [S, U]
    assert [step.symbol for step in short.precompute] == [A]
    agree(short, program, {L1: 2.0, Q: 0.5})
    assert pruned(short) == short


def test_the_model_of_a_robot() -> None:
    model = inverse_dynamics(load("rx90"))
    program, known = model.program, model.values
    values = values_of(program) | {symbol: known[symbol.name] for symbol in program.parameter_symbols}
    changed = verified(with_numbers(program, parameters_of(program, values)))
    assert changed.parameter_symbols == changed.precompute == ()
    assert len(changed.steps) <= len(program.steps)
    agree(changed, program, values, 1e-11)


def test_the_programs_of_a_routine() -> None:
    scaled = Program("scaled", (vector("q", [Q]),), (L1,), (), (), (vector("y", [L1 * Q]),))
    moved = Program("moved", (vector("y", [Q]),), (L1, L2), (), (), (vector("z", [L1 + L2 * Q]),))
    inner = (
        Run(scaled),
        Each("y", "r", (Run(moved, {"y": "q"}),)),
        When("c", (Run(scaled),), (Run(moved, {"y": "q"}),)),
    )
    stages = (Fill("c"), Fill("z", (1,)), Repeat(2, inner), Newton((Copy("z", "dz"),), 1, "z", "dz"), Run(scaled))
    routine = verified_routine(Routine("r", (Slot("q", (1,)),), (Slot("z", (1,)), Slot("y", (1,))), stages))
    partly = verified_routine(numeric_routine(routine, {"L1": 0.5}))
    assert [symbol.name for symbol in partly.parameter_symbols] == ["L2"]
    wholly = verified_routine(numeric_routine(routine, {"L1": 0.5, "L2": 3.0}))
    assert wholly.parameter_symbols == ()
    assert len(wholly.programs) == 2
    expected = routine.call(q=[0.7], parameters={"L1": 0.5, "L2": 3.0})
    for changed in (partly, wholly):
        found = changed.call(q=[0.7], parameters={"L2": 3.0})
        assert {name: array.tolist() for name, array in found.items()} == {
            name: array.tolist() for name, array in expected.items()
        }
    with pytest.raises(ProgramError, match=r"no parameter 'L3' in 'r' \(parameters: L1, L2\)"):
        numeric_routine(routine, {"L3": 1.0})
