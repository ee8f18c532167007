"""Generated C: compiled with every warning an error, called, and compared with the interpreter."""

from __future__ import annotations

import ctypes
import shutil
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from c_calls import call_c, pointer
from codegen.calling import shared
from codegen.conformance import Arrays, Case, RoutineCase, all_cases, check, function_case, model_cases, sample_cases
from codegen.odd_programs import named_cases, odd_cases, random_cases
from codegen.odd_routines import all_routine_cases, angles, check_routine
from sample_programs import arm, constant, hostile, one_output, vector
from tool_runs import run_tool

from robosym import codegen
from robosym.codegen import CodegenError
from robosym.codegen.targets.c.routine import facts_of
from robosym.expr import expr, number, parameter, sin, variable
from robosym.program.program import Program, Step

STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
NO_HIDDEN_DOUBLES = ["-Wdouble-promotion", "-Wconversion", "-Wfloat-conversion", "-Wunsuffixed-float-constants"]


def built(gcc: str, folder: Path, texts: dict[str, str], *options: str) -> ctypes.CDLL | None:
    """All texts in one library of this process, or only looked through."""
    for name, text in texts.items():
        (folder / f"{name}.c").write_text(text, encoding="ascii")
    command = [gcc, *STRICT, "-O0", *options, *(f"{name}.c" for name in texts)]
    if "-fsyntax-only" not in options:
        command += ["-shared", "-fPIC", "-o", "all.so", "-lm"]
    done = run_tool(command, folder)
    assert done.returncode == 0, done.stderr[:4000]
    return None if "-fsyntax-only" in options else ctypes.CDLL(str(folder / "all.so"))


def run_all(gcc: str, folder: Path, cases: list[Case], real: type = np.float64) -> list[list[dict[str, np.ndarray]]]:
    """What the programs give at every state, in double or in single precision."""
    precision = "float" if real is np.float32 else "double"
    listed = {f"case{i}": case for i, case in enumerate(cases)}
    texts = {n: codegen.source(c.program, "c", name=n, precision=precision) for n, c in listed.items()}
    options = NO_HIDDEN_DOUBLES if precision == "float" else ()
    library = built(gcc, folder, texts, *options)
    return [
        [call_c(library, case.program, state, list(case.parameters), name, real) for state in case.states]
        for name, case in listed.items()
    ]


# --- programs --------------------------------------------------------------------------------------------------------


@pytest.mark.runs("c")
def test_programs_agree_with_the_interpreter(gcc, tmp_path):
    cases = [*all_cases(), *odd_cases(), *random_cases()]
    for case, found in zip(cases, run_all(gcc, tmp_path, cases), strict=True):
        check(case, found)


def test_any_program_name_gives_code_that_compiles(gcc, tmp_path):
    texts = {f"named{i}": codegen.source(case.program, "c") for i, case in enumerate(named_cases())}
    built(gcc, tmp_path, texts, "-fsyntax-only")


def test_numbers_are_the_nearest_doubles(gcc, tmp_path):
    (case,) = [case for case in odd_cases() if case.name == "numbers"]
    found = run_all(gcc, tmp_path, [case])[0]
    assert found[0]["y"].tolist() == case.expected[0]["y"].tolist()


def test_header_and_source_compile_in_c_and_cpp(gcc, tmp_path):
    files = codegen.generate(hostile(), "c", name="my arm")
    assert list(files) == ["my_arm.h", "my_arm.c"]
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="ascii")
    run_tool([gcc, *STRICT, "-c", "my_arm.c"], tmp_path).check_returncode()
    if shutil.which("g++"):
        (tmp_path / "use.cpp").write_text('#include "my_arm.h"\nint main() { return 0; }\n')
        run_tool(["g++", *STRICT[1:], "-std=c++17", "use.cpp", "-fsyntax-only"], tmp_path).check_returncode()


def test_only_what_is_used_is_read():
    (case,) = [case for case in odd_cases() if case.name == "unused"]
    text = codegen.source(case.program, "c", name="p")
    assert "void p(const double *unused, const double *b, const double *empty, double *out, double *nothing);" in text
    assert "sin(" not in text
    assert text.count("b[") == 1


def test_outputs_may_overlap_inputs(compiled):
    x = [variable(f"x{i}") for i in range(3)]
    program = Program("shift", (vector("x", x),), (), (), (), (vector("y", [x[2], x[0], x[1] + x[0]]),))
    data = np.array([1.0, 2.0, 4.0])
    compiled(codegen.source(program, "c")).shift(pointer(data), pointer(data))
    assert data.tolist() == [4.0, 1.0, 3.0]


def test_shared_parts_are_written_once(compiled):
    """Written out, this expression would have 2^60 terms."""
    x = variable("x")
    shared = x
    for i in range(60):
        shared = (sin(shared) + i) * sin(shared) / 9 + (shared + x) ** 2 / 99
    program = one_output(shared, [x])
    text = codegen.source(program, "c")
    assert len(text) < 20_000
    found = call_c(compiled(text), program, {"x": [0.3]}, [])["y"]
    np.testing.assert_allclose(found, program.evaluate({x: 0.3})["y"], rtol=1e-11)


def test_powers_are_products():
    text = codegen.source(one_output(variable("x") ** 2 + variable("y") ** -5, [variable("x"), variable("y")]), "c")
    assert "pow" not in text
    assert "1.0/((y*y)*(y*y)*y) + x_*x_" in text or "x_*x_ + 1.0/((y_*y_)*(y_*y_)*y_)" in text


def test_constants_that_only_help_others_stay_inside():
    """Only what the main function reads is handed over from precompute."""
    a, b, x = constant("a"), constant("b"), variable("x")
    precompute = (Step(a, parameter("L") ** 2), Step(b, a + 1))
    program = Program("p", (vector("x", [x]),), (parameter("L"),), precompute, (), (vector("y", [expr(b) * x]),))
    text = codegen.source(program, "c")
    assert "constants [1], in, from p_precompute: [0] b" in text
    assert "void p(const double *x, const double *constants, double *y);" in text


# --- single precision ------------------------------------------------------------------------------------------------


def test_floats_are_doubles_to_their_precision(gcc, tmp_path):
    """The samples and every model; those that divide by what may be small to what is left of the digits."""
    cases = [*sample_cases(), *model_cases()]
    divide = ("jacobian-inverse", "inverse-kinematics-velocity", "forward-dynamics")
    for case, found in zip(cases, run_all(gcc, tmp_path, cases, np.float32), strict=True):
        check(case, found, 1e-3 if case.name.endswith(divide) else 1e-5)


def test_every_function_on_floats(gcc, tmp_path):
    case = function_case(special=False)
    names = [array.name for array in case.program.outputs]
    (results,) = run_all(gcc, tmp_path, [case], np.float32)
    for state, found, expected in zip(case.states, results, case.expected, strict=True):
        for name in names:
            wanted = float(expected[name])
            if not abs(wanted) > 3e38:  # the largest float
                np.testing.assert_allclose(found[name], wanted, rtol=1e-5, atol=1e-6, err_msg=f"{name} at {state}")
            else:
                assert np.isinf(found[name])


def test_numbers_are_the_nearest_floats(gcc, tmp_path):
    numbers = [
        Fraction(1, 3),
        0.1,
        16777217,
        1e-45,
        1e-300,
        3.4028234e38,
        1e300,
        -1e300,
        -7,
        Fraction(-22, 7),
        123456789,
    ]
    program = Program("p", (), (), (), (), (vector("y", [number(n) for n in numbers]),))
    found = run_all(gcc, tmp_path, [Case("p", program, (), ({},))], np.float32)[0][0]["y"]
    with np.errstate(over="ignore"):
        assert found.tolist() == [np.float32(float(n)) for n in numbers]


def test_a_precision_there_is_not_is_named():
    for function in (codegen.source, codegen.generate):
        with pytest.raises(CodegenError, match="got 'half', expected 'double' or 'float'"):
            function(arm(), "c", precision="half")
    assert codegen.source(arm(), "c", precision="double") == codegen.source(arm(), "c")


def test_the_arm_on_floats_is_written_as_agreed(golden):
    golden("c.float", codegen.source(arm(), "c", precision="float"))


# --- routines --------------------------------------------------------------------------------------------------------


def call_routine(library: ctypes.CDLL, case: RoutineCase, name: str, state: Arrays, in_place: bool) -> Arrays:
    """Outputs begin with what no stage makes; those of a state are the input's own arrays, if that is wanted."""
    facts = facts_of(case.routine, name)
    numbers, constants = np.array(case.parameters, dtype=float), np.empty(facts.constants.size)
    if facts.has_precompute:
        library[facts.precompute_function](pointer(numbers), pointer(constants))
    taken = {slot.name: np.array(state[slot.name], dtype=float, order="C") for slot in case.routine.inputs}
    made = {slot.name: np.full(slot.shape, 12345.0) for slot in case.routine.outputs}
    if in_place:
        made |= {slot.name: taken[slot.name] for slot in case.routine.state}
    more = shared(facts, numbers, constants)
    library[facts.function](*map(pointer, [*taken.values(), *more, *made.values()]))
    for slot in case.routine.inputs:
        if not (in_place and slot in case.routine.state):
            np.testing.assert_array_equal(taken[slot.name], state[slot.name], err_msg=f"{case.name}: {slot.name}")
    return made


@pytest.mark.runs("c")
def test_routines_agree_with_the_interpreter(gcc, tmp_path):
    cases = {f"r{i}": case for i, case in enumerate(all_routine_cases())}
    library = built(gcc, tmp_path, {n: codegen.source(case.routine, "c", name=n) for n, case in cases.items()})
    for in_place in (False, True):
        for name, case in cases.items():
            check_routine(case, [call_routine(library, case, name, state, in_place) for state in case.states])


def test_header_and_source_of_a_routine_compile(gcc, tmp_path):
    files = codegen.generate(angles(), "c", name="my arm")
    assert list(files) == ["my_arm.h", "my_arm.c"]
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="ascii")
    run_tool([gcc, *STRICT, "-O2", "-c", "my_arm.c"], tmp_path).check_returncode()
    head = (
        "void my_arm(const double for_[1], const double parameters[1], const double constants[1], double solutions[4],"
    )
    assert head in files["my_arm.h"]
