"""Generated Julia: read by a Julia grammar, computed from its syntax tree, and run where there is Julia."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from codegen.conformance import (
    Arrays,
    Case,
    RoutineCase,
    check,
    check_solutions,
    function_cases,
    model_cases,
    routine_cases,
    sample_cases,
    tool,
)
from codegen.odd_cases import named_cases, odd_cases, random_cases
from codegen.test_routines import ONES, SPECIAL, angles, eigenpairs, program, same_rows
from sample_programs import arm, every_function, hostile, one_output, special_points, vector

import robosym.codegen.interface
from robosym import codegen
from robosym.codegen import routines
from robosym.codegen.interface import interface
from robosym.codegen.routines.facts import routine_facts
from robosym.codegen.targets.julia import keys
from robosym.codegen.targets.julia.reserved import RESERVED
from robosym.expr import number, variable
from robosym.expr.functions import apply
from robosym.program.program import Program
from robosym.program.routine import Each, Emit, Kernel, Newton, Routine, Run, Slot

NAME = "tested"


@pytest.fixture(scope="module")
def julia() -> Any:
    """What reads and computes generated Julia, without Julia."""
    for module in ("tree_sitter", "tree_sitter_julia"):
        pytest.importorskip(module, reason=f"{module} is not installed: generated Julia is printed but not read")
    from codegen import julia_evaluator

    return julia_evaluator


def by_name(program: Program, result: Any) -> Arrays:
    if len(program.outputs) == 1:
        return {program.outputs[0].name: result}
    found = keys(interface(program, RESERVED, NAME).outputs)
    return {array.name: result[key] for key, array in zip(found, program.outputs, strict=True)}


def run(julia: Any, case: Case) -> list[Arrays]:
    space = julia.load(codegen.source(case.program, "julia", name=NAME))
    facts, parameters = interface(case.program, RESERVED, NAME), np.array(case.parameters)
    more = [parameters] if facts.reads_parameters else []
    more += [space[f"{NAME}_precompute"](parameters)] if facts.has_precompute else []
    taken = [[state[array.name] for array in case.program.inputs] for state in case.states]
    return [by_name(case.program, space[NAME](*state, *more)) for state in taken]


def run_routine(julia: Any, case: RoutineCase) -> list[Any]:
    space = julia.load(routines.source(case.routine, "julia", name=NAME))
    facts, parameters = routine_facts(case.routine, [], NAME), np.array(case.parameters)
    more = [parameters] if facts.reads_parameters else []
    more += [space[f"{NAME}_precompute"](parameters)] if facts.constants else []
    taken = [[state[slot.name] for slot in case.routine.inputs] for state in case.states]
    return [space[f"{NAME}_solve"](*state, *more) for state in taken]


def solved(julia: Any, routine: Routine, **inputs: Any) -> np.ndarray:
    arrays = {name: np.array(value, dtype=float) for name, value in inputs.items()}
    (rows,) = run_routine(julia, RoutineCase("", routine, (), (arrays,)))
    return np.array(rows).reshape(-1, routine.width)


# --- programs --------------------------------------------------------------------------------------------------------


def test_the_arm_is_written_as_agreed(golden, monkeypatch):
    monkeypatch.setattr(robosym.codegen.interface, "__version__", "0.0.0")
    ((name, text),) = codegen.generate(arm(), "julia").items()
    assert name == "planar_arm.jl"
    golden("arm.julia", text)


def test_all_programs_agree_with_the_interpreter(julia):
    for case in [*sample_cases(), *function_cases_in_domain(), *model_cases()]:
        check(case, run(julia, case))


def function_cases_in_domain() -> list[Case]:
    """Every function, where Julia raises for none of them."""
    (case,) = function_cases(special=False)
    inside = [state for state in case.states if 0 < state["x"][0] <= 1]
    return [Case(case.name, case.program, (), tuple(inside))]


def test_odd_named_and_random_programs_agree_with_the_interpreter(julia):
    for case in [*odd_cases(), *named_cases(), *random_cases(25)]:
        check(case, run(julia, case))


def test_every_function_at_special_points(julia):
    """Where Julia raises a DomainError, the interpreter's answer is not a finite number."""
    program = every_function()
    for array in program.outputs:
        alone = program.replace(outputs=(array,))
        made = julia.load(codegen.source(alone, "julia", name=NAME))[NAME]
        read = len(array.entries[0].args)
        points = special_points(read)
        for point in np.hstack([points, np.ones((len(points), 3 - read))]):
            expected = alone.evaluate(dict(zip(alone.inputs[0].entries, point.tolist(), strict=True)))[array.name][0]
            try:
                result = made(point)
            except julia.JuliaError:
                assert not np.isfinite(expected), f"{array.name} at {point}"
                continue
            np.testing.assert_allclose(result, expected, rtol=1e-14, err_msg=f"{array.name} at {point}")


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


@pytest.mark.parametrize("case", routine_cases(), ids=lambda case: case.name)
def test_inverse_geometry_agrees_with_the_interpreter(julia, case):
    check_solutions(case, run_routine(julia, case))
    assert max(map(len, routines.source(case.routine, "julia").splitlines())) <= 120


@pytest.mark.parametrize("n", [1, 3, 6])
def test_kernels(julia, n):
    routine = eigenpairs(n)
    rng = np.random.default_rng(n)
    A, b = rng.standard_normal((n, n)), rng.standard_normal(n)
    expected, count = routine.call(A=A, b=b)
    same_rows(solved(julia, routine, A=A, b=b), expected[:count], 1e-8)


def test_what_is_not_finite_or_singular(julia):
    stages = (Kernel("eigenvalues", ("A",), ("roots",)), Run(ONES), Emit("roots", "one"))
    routine = Routine("e", (Slot("A", (4, 4)),), stages, 4, (False, False), same=-1.0)
    assert np.isinf(solved(julia, routine, A=SPECIAL["nan"])[:, 1]).all()
    flat = program("flat", {"X": (2, 3)}, lambda X: {"q": ((1,), [abs(X[0]) + abs(X[-1])]), "one": ((), [1.0])})
    stages = (Kernel("solve", ("A", "B"), ("X",)), Run(flat), Emit("q", "one"))
    routine = Routine("s", (Slot("A", (2, 2)), Slot("B", (2, 3))), stages, 1, (False,))
    for A, expected in ((np.ones((2, 2)), 0.0), (np.full((2, 2), np.nan), 0.0), (np.eye(2), 2.0)):
        assert solved(julia, routine, A=A, B=np.ones((2, 3))).tolist() == [[expected]]


def test_newton_parameters_and_hostile_names(julia):
    states = tuple({"for": np.array(k)} for k in (0.3, -0.9, 2.0))
    check_solutions(
        RoutineCase("angles", angles(), (0.45,), states), run_routine(julia, RoutineCase("", angles(), (0.45,), states))
    )


def test_newton_leaves_what_is_not_finite(julia):
    start = program("start", {"a": (2,)}, lambda a: {"x": ((2,), [a[0] * 1.0, a[1] * 1.0])})
    step = program("step", {"x": (2,)}, lambda x: {"dx": ((2,), [1 / (x[0] - 2), x[1] * 1.0])})
    show = program("show", {"x": (2,)}, lambda x: {"ok": ((), [x[0] == x[0]])})
    stages = (Run(start), Newton((Run(step),), 5), Run(show), Emit("x", "ok"))
    routine = Routine("r", (Slot("a", (2,)),), stages, 1, (False, False))
    assert solved(julia, routine, a=[2.0, 3.0]).tolist() == [[2.0, 3.0]]


def test_only_the_first_rows_and_no_more_than_most(julia):
    flag = program("flag", {"row": (2,)}, lambda row: {"one": ((), [1.0])})
    each = Each("rows", "row", (Run(flag), Emit("row", "one")), count="n")
    routine = Routine("f", (Slot("rows", (4, 2)), Slot("n", ())), (each,), 3, (False, False))
    rows = np.arange(8.0).reshape(4, 2)
    for n in (-1, 0, 2, 4):
        assert solved(julia, routine, rows=rows, n=n).tolist() == rows[: min(max(n, 0), 3)].tolist()


def test_what_is_the_same_is_kept_once(julia):
    """Angles just below and above half a turn are one solution; lengths a whole turn apart are two."""
    flags = program("flags", {"rows": (3, 2)}, lambda rows: {"one": ((3,), [1.0] * 3)})
    routine = Routine("k", (Slot("rows", (3, 2)),), (Run(flags), Emit("rows", "one")), 3, (True, False))
    rows = [[3.1415926, 1.0], [-3.1415926, 1.0], [3.1415926, 1.0 + 2 * np.pi]]
    assert solved(julia, routine, rows=rows).tolist() == [rows[0], rows[2]]


# --- the text --------------------------------------------------------------------------------------------------------


def texts() -> list[str]:
    programs = [case.program for case in [*odd_cases(), *named_cases(), *sample_cases()]]
    found = [codegen.source(program, "julia") for program in programs]
    return found + [routines.source(routine, "julia") for routine in (angles(), eigenpairs(6))]


def test_lines_are_short_and_plain_and_the_grammar_knows_them(julia):
    for text in texts():
        assert text.isascii()
        assert max(map(len, text.splitlines())) <= 120
        julia.parse(text)


@pytest.mark.parametrize("name", ["end", "function", "Float64", "sin", "element", "pi", ""])
def test_names_that_julia_keeps_are_avoided(julia, name):
    x = variable(name if name.isidentifier() and name != "pi" else "x")
    space = julia.load(codegen.source(one_output(x * 2, [x], name), "julia"))
    assert name not in space
    assert next(iter(space.values()))(np.array([2.0])).tolist() == [4.0]


def test_bytes_do_not_depend_on_the_hash_seed():
    code = "from sample_programs import hostile; from robosym import codegen; print(codegen.source(hostile(), 'julia'))"
    path = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    run = [sys.executable, "-c", code]
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": path}
    text = subprocess.run(run, env=environment, capture_output=True, check=True, timeout=60).stdout
    assert text == codegen.source(hostile(), "julia").encode() + b"\n"


# --- Julia itself ----------------------------------------------------------------------------------------------------

DRIVER = """\
rows(values, shape...) = length(shape) < 2 ? values : permutedims(reshape(values, reverse(shape)...), length(shape):-1:1)
flat(x) = x isa Number ? [x] : vec(permutedims(x, ndims(x):-1:1))
written(x) = println(join(flat(x), " "))
"""


def literal(values: np.ndarray) -> str:
    """An array in Julia, from its entries by rows."""
    numbers = ", ".join(repr(float(value)) for value in np.ravel(values))
    return f"rows(Float64[{numbers}], {', '.join(map(str, np.shape(values)))})" if np.ndim(values) else numbers


def driver(cases: list[Case], solving: list[RoutineCase]) -> str:
    """One script for all: a line for each output, or for the number of solutions and each of them."""
    lines = [DRIVER]
    for i, case in enumerate([*cases, *solving]):
        lines += [f"module M{i}", f'include("m{i}.jl")', "end"]
        if isinstance(case, Case):
            facts = interface(case.program, RESERVED, NAME)
            reads, has_constants, function = facts.reads_parameters, facts.has_precompute, NAME
            names = [array.name for array in case.program.inputs]
        else:
            known = routine_facts(case.routine, [], NAME)
            reads, has_constants, function = known.reads_parameters, known.constants > 0, f"{NAME}_solve"
            names = [slot.name for slot in case.routine.inputs]
        given = literal(np.array(case.parameters))
        more = [given] if reads else []
        more += [f"M{i}.{NAME}_precompute({given})"] if has_constants else []
        for state in case.states:
            taken = ", ".join([*(literal(state[name]) for name in names), *more])
            lines.append(f"found = M{i}.{function}({taken})")
            if isinstance(case, Case):
                lines.append("foreach(written, found isa NamedTuple ? values(found) : (found,))")
            else:
                lines += ["println(length(found))", "foreach(written, found)"]
    return "\n".join(lines) + "\n"


def test_in_julia_itself(julia, tmp_path):
    cases = [*sample_cases(), *function_cases_in_domain(), *model_cases(), *random_cases(5)]
    solving = list(routine_cases())
    script = driver(cases, solving)
    julia.parse(script)
    interpreter = tool("julia")
    for i, case in enumerate(cases):
        (tmp_path / f"m{i}.jl").write_text(codegen.source(case.program, "julia", name=NAME), encoding="ascii")
    for i, solved_case in enumerate(solving, len(cases)):
        (tmp_path / f"m{i}.jl").write_text(routines.source(solved_case.routine, "julia", name=NAME), encoding="ascii")
    (tmp_path / "main.jl").write_text(script, encoding="ascii")
    command = [interpreter, "--startup-file=no", "-O0", "main.jl"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[:5000]
    lines = iter(done.stdout.splitlines())

    def numbers() -> np.ndarray:
        return np.array(next(lines).split(), dtype=float)

    for case in cases:
        check(case, [{array.name: numbers() for array in case.program.outputs} for _ in case.states])
    for routine_case in solving:
        check_solutions(routine_case, [[numbers() for _ in range(int(numbers()[0]))] for _ in routine_case.states])
