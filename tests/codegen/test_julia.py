"""Generated Julia: read by a Julia grammar, computed from its syntax tree, and run where there is Julia."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from codegen.calling import shared, shared_values
from codegen.conformance import Arrays, Case, RoutineCase, check, function_case, model_cases, sample_cases
from codegen.odd_programs import named_cases, odd_cases, random_cases
from codegen.odd_routines import all_routine_cases, check_routine
from language_report import tool
from sample_programs import one_output, vector
from sweeps import many
from tool_runs import run_tool

from robosym import codegen
from robosym.codegen.interface import Interface, interface
from robosym.codegen.routines.facts import RoutineFacts
from robosym.codegen.targets.julia import keys
from robosym.codegen.targets.julia.reserved import RESERVED
from robosym.codegen.targets.julia.routine import facts_of as routine_facts
from robosym.expr import number, variable
from robosym.expr.functions import apply
from robosym.program.program import Program
from robosym.program.routine import walk

NAME = "tested"
LONG = 100  # stages of a routine that is evaluated at few states only


@pytest.fixture(scope="module")
def julia() -> Any:
    """What reads and computes generated Julia, without Julia."""
    for module in ("tree_sitter", "tree_sitter_julia"):
        pytest.importorskip(module, reason=f"{module} is not installed: generated Julia is printed but not read")
    from codegen import julia_evaluator

    return julia_evaluator


def by_name(facts: Interface | RoutineFacts, result: Any) -> Arrays:
    if len(facts.outputs) == 1:
        return {facts.outputs[0].array.name: result}
    pairs = zip(keys(facts.outputs), facts.outputs, strict=True)
    return {output.array.name: result[key] for key, output in pairs}


def given(array: Any) -> Any:
    """An array of its own, or a number."""
    return np.array(array, dtype=float) if np.ndim(array) else float(array)


def run(julia: Any, case: Case) -> list[Arrays]:
    space = julia.load(codegen.source(case.program, "julia", name=NAME))
    facts = interface(case.program, RESERVED, NAME)
    more = shared_values(space, facts, np.array(case.parameters, dtype=float))
    taken = [[given(state[array.name]) for array in case.program.inputs] for state in case.states]
    return [by_name(facts, space[NAME](*state, *more)) for state in taken]


# --- programs --------------------------------------------------------------------------------------------------------


@pytest.mark.checks("julia")
def test_all_programs_agree_with_the_interpreter(julia):
    for case in [*sample_cases(), function_in_domain(), *model_cases()]:
        check(case, run(julia, case))


def function_in_domain() -> Case:
    """Every function, where Julia raises for none of them."""
    case = function_case(special=False)
    return replace(case, states=tuple(state for state in case.states if 0 < state["x"][0] <= 1))


@pytest.mark.slow
def test_odd_named_and_random_programs_agree_with_the_interpreter(julia):
    for case in [*odd_cases(), *named_cases(), *random_cases()]:
        check(case, run(julia, case))


def test_every_function_at_special_points(julia):
    """Where Julia raises a DomainError, the interpreter's answer is not a finite number."""
    case = function_case()
    for array in case.program.outputs:
        alone = case.program.replace(outputs=(array,))
        made = julia.load(codegen.source(alone, "julia", name=NAME))[NAME]
        for state, expected in zip(case.states, case.expected, strict=True):
            message = f"{array.name} at {state}"
            try:
                result = made(state["x"])
            except julia.JuliaError:
                assert not np.isfinite(expected[array.name]), message
                continue
            np.testing.assert_allclose(result, expected[array.name], rtol=1e-14, err_msg=message)


def test_functions_that_julia_spells_its_own_way():
    x, y = variable("x"), variable("y")
    entries = [apply("atan2", y, x), -apply("pow", x + y, y), apply("pow", apply("pow", x, y), number(-1.5)), x**2]
    text = codegen.source(Program("p", (vector("v", [x, y]),), (), (), (), (vector("r", entries),)), "julia")
    assert "r[1] = atan(y, x)" in text
    assert "r[2] = -(x + y)^y" in text
    assert "r[3] = (x^y)^(-1.5)" in text
    assert "r[4] = x*x" in text


def test_filling_given_arrays(julia):
    """The outputs themselves are returned, and may be the inputs."""
    x = [variable(f"x{i}") for i in range(3)]
    program = Program("shift", (vector("x", x),), (), (), (), (vector("y", [x[2], x[0], x[1] + x[0]]),))
    space = julia.load(codegen.source(program, "julia"))
    data = np.array([1.0, 2.0, 4.0])
    assert space["shift!"](data, data) is data
    assert data.tolist() == [4.0, 1.0, 3.0]
    for sizes in ((2, 3), (3, 4)):
        with pytest.raises(julia.JuliaError, match="is not of size"):
            space["shift!"](*map(np.zeros, sizes))


MISTAKES = {"q[2]": "q[3]", "[1, 2] = -S12": "[1, 2] = S12", "cos(t1)": "cos(t2)", "S = L1*L2": "S = L1/L2"}


@pytest.mark.parametrize(("right", "wrong"), MISTAKES.items())
def test_a_wrong_text_is_noticed(julia, right, wrong):
    """A wrong index, sign, name or operation: the comparison can fail."""
    case = sample_cases()[0]
    text = codegen.source(case.program, "julia", name=NAME)
    assert right in text
    space, parameters = julia.load(text.replace(right, wrong)), np.array(case.parameters)

    def compare() -> None:
        constants = space[f"{NAME}_precompute"](parameters)
        check(case, [space[NAME](state["q"], parameters, constants) for state in case.states])

    with pytest.raises((julia.JuliaError, AssertionError)):
        compare()
    with pytest.raises(AssertionError, match="is not Julia"):
        julia.load(text.replace("sin(", "sin((", 1))


# --- routines --------------------------------------------------------------------------------------------------------


def run_routine(julia: Any, case: RoutineCase, fill: bool = True) -> list[Arrays | None]:
    """What each state gives, returned and, if that is wanted, filled in; nothing where Julia raises."""
    space = julia.load(codegen.source(case.routine, "julia", name=NAME))
    facts = routine_facts(case.routine, NAME)
    found: list[Arrays | None] = []
    more = shared_values(space, facts, np.array(case.parameters, dtype=float))
    for state in case.states:
        taken = {slot.name: given(state[slot.name]) for slot in case.routine.inputs}
        made = {slot.name: np.full(slot.shape, 12345.0) for slot in case.routine.outputs}
        made |= {slot.name: taken[slot.name] for slot in case.routine.state if slot.shape}
        try:
            outputs = by_name(facts, space[NAME](*taken.values(), *more))
        except julia.JuliaError as error:
            if str(error) != "DomainError":
                raise
            found.append(None)
            continue
        for name, array in taken.items():
            np.testing.assert_array_equal(array, state[name], err_msg=f"{case.name}: {name}")
        for slot in case.routine.outputs:
            assert np.shape(outputs[slot.name]) == slot.shape, f"{case.name}: {slot.name}"
        found.append(outputs)
        filled = by_name(facts, space[f"{NAME}!"](*made.values(), *taken.values(), *more)) if fill else {}
        for name, array in filled.items():
            assert array is made[name]
            np.testing.assert_array_equal(array, outputs[name], err_msg=f"{case.name}: {name}")
    return found


@pytest.mark.slow
@pytest.mark.checks("julia")
def test_routines_agree_with_the_interpreter(julia):
    """Where Julia does not raise, as it does for the sine of infinity."""
    raised = 0
    for case in all_routine_cases():
        long = sum(1 for _ in walk(case.routine.stages)) > LONG
        if long:
            case = at_states(case, range(many(1)))
        found = run_routine(julia, case, fill=not long)
        there = [i for i, outputs in enumerate(found) if outputs is not None]
        raised += len(found) - len(there)
        assert case.name.startswith("random") or len(there) == len(found), case.name
        check_routine(at_states(case, there), [found[i] for i in there])
    assert 0 < raised < 40


def at_states(case: RoutineCase, places: Sequence[int]) -> RoutineCase:
    some = replace(case, states=tuple(case.states[i] for i in places))
    some.__dict__["expected"] = [case.expected[i] for i in places]
    return some


# --- the text --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["end", "function", "Float64", "sin", "element", "pi", ""])
def test_names_that_julia_keeps_are_avoided(julia, name):
    x = variable(name if name.isidentifier() and name != "pi" else "x")
    space = julia.load(codegen.source(one_output(x * 2, [x], name), "julia"))
    assert name not in space
    assert next(iter(space.values()))(np.array([2.0])).tolist() == [4.0]


# --- Julia itself ----------------------------------------------------------------------------------------------------

DRIVER = """\
rows(values, shape...) = length(shape) < 2 ? values : permutedims(reshape(values, reverse(shape)...), length(shape):-1:1)
flat(x) = x isa Number ? [x] : vec(permutedims(x, ndims(x):-1:1))
written(x) = println(join(flat(x), " "))
function shown(call)
    found = try
        call()
    catch problem
        problem isa DomainError || rethrow()
        return println("raised")
    end
    println("made")
    foreach(written, found isa NamedTuple ? values(found) : (found,))
end
"""


def literal(values: np.ndarray) -> str:
    """An array in Julia, from its entries by rows."""
    numbers = ", ".join(map(repr, np.ravel(values).astype(float).tolist())).replace("inf", "Inf").replace("nan", "NaN")
    return f"rows(Float64[{numbers}], {', '.join(map(str, np.shape(values)))})" if np.ndim(values) else numbers


def driver(cases: Sequence[Case | RoutineCase]) -> str:
    """One script for all: a line for each output, or one that says that Julia raised."""
    lines = [DRIVER]
    for i, case in enumerate(cases):
        facts = interface(case.program, RESERVED, NAME) if isinstance(case, Case) else routine_facts(case.routine, NAME)
        numbers = literal(np.array(case.parameters))
        more = shared(facts, numbers, f"M{i}.{facts.precompute_function}({numbers})")
        lines += [f"module M{i}", f'include("m{i}.jl")', "end"]
        for state in case.states:
            taken = ", ".join([*(literal(state[one.array.name]) for one in facts.inputs), *more])
            lines.append(f"shown(() -> M{i}.{facts.function}({taken}))")
    return "\n".join(lines) + "\n"


@pytest.mark.runs("julia")
def test_in_julia_itself(julia, tmp_path):
    cases: list[Case | RoutineCase] = [*sample_cases(), function_in_domain(), *model_cases(), *random_cases(5)]
    cases += all_routine_cases()
    script = driver(cases)
    julia.parse(script)
    interpreter = tool("julia")
    for i, case in enumerate(cases):
        printed = case.program if isinstance(case, Case) else case.routine
        (tmp_path / f"m{i}.jl").write_text(codegen.source(printed, "julia", name=NAME), encoding="ascii")
    (tmp_path / "main.jl").write_text(script, encoding="ascii")
    command = [interpreter, "--startup-file=no", "-O0", "main.jl"]
    done = run_tool(command, tmp_path, timeout=600)
    assert done.returncode == 0, done.stderr[:5000]
    lines = iter(done.stdout.splitlines())

    def outputs(names: Sequence[str]) -> Arrays | None:
        if next(lines) == "raised":
            return None
        return {name: np.array(next(lines).split(), dtype=float) for name in names}

    for case in cases:
        printed = case.program if isinstance(case, Case) else case.routine
        found = [outputs([one.name for one in printed.outputs]) for _ in case.states]
        there = [i for i, made in enumerate(found) if made is not None]
        assert case.name.startswith("random") or len(there) == len(found), case.name
        if isinstance(case, Case):
            check(case, found)
        else:
            check_routine(at_states(case, there), [found[i] for i in there])
