"""Generated C: compiled with every warning an error, called, and compared with the interpreter."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from c_calls import call_c, pointer
from codegen.conformance import Case, check, function_cases, model_cases, sample_cases
from hypothesis import HealthCheck, given, settings
from sample_programs import (
    arm,
    arrays_of,
    every_function,
    hostile,
    local,
    one_output,
    programs,
    special_points,
    values_of,
    vector,
)

import robosym.codegen.interface
from robosym import codegen
from robosym.codegen import CodegenError
from robosym.expr import add, expr, mul, number, parameter, sin, variable
from robosym.program.program import Program, Step

PRINTED = [language for language in codegen.languages() if language != "json"]  # JSON is data, not code


def agrees(library: ctypes.CDLL, program: Program, values: dict) -> None:
    results = call_c(library, program, arrays_of(program, values), [values[p] for p in program.parameters])
    expected = program.evaluate(values)
    for array in program.outputs:
        np.testing.assert_allclose(results[array.name].ravel(), expected[array.name], rtol=1e-11, atol=1e-11)


def test_the_arm_is_written_as_agreed(golden, monkeypatch):
    monkeypatch.setattr(robosym.codegen.interface, "__version__", "0.0.0")
    golden("arm.alone.c", codegen.source(arm(), "c"))
    for name, text in codegen.generate(arm(), "c").items():
        golden(name, text)


def test_the_arm_agrees_with_the_interpreter(compiled):
    library = compiled(codegen.source(arm(), "c"))
    for seed in range(20):
        agrees(library, arm(), values_of(arm(), seed))


def test_every_function_at_ordinary_and_special_points(compiled):
    program = every_function()
    library = compiled(codegen.source(program, "c"))
    for point in special_points():
        results = call_c(library, program, {"x": point}, [])
        expected = program.evaluate(dict(zip(program.inputs[0].entries, point.tolist(), strict=True)))
        for name, value in results.items():
            np.testing.assert_allclose(value, expected[name][0], rtol=1e-14, err_msg=f"{name} at {point}")


@given(program=programs())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_programs_agree_with_the_interpreter(compiled, program):
    library = compiled(codegen.source(program, "c"))
    for seed in range(3):
        agrees(library, program, values_of(program, seed))


def test_hostile_names_compile_and_compute(compiled):
    agrees(compiled(codegen.source(hostile(), "c")), hostile(), values_of(hostile()))


@pytest.mark.parametrize(
    "name", ["div", "main", "double", "sin", "y0", "3 */ #error", "*/", "??/", "", "été", "_x", "printf"]
)
def test_any_program_name_gives_code_that_compiles(compiled, name):
    compiled(codegen.source(arm().replace(name=name), "c"))


def test_header_and_source_compile_in_c_and_cpp(gcc, tmp_path):
    files = codegen.generate(hostile(), "c", name="my arm")
    assert list(files) == ["my_arm.h", "my_arm.c"]
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="ascii")
    strict = ["-Wall", "-Wextra", "-Werror", "-pedantic"]
    subprocess.run([gcc, *strict, "-std=c99", "-c", "my_arm.c"], cwd=tmp_path, check=True, timeout=60)
    if shutil.which("g++"):
        (tmp_path / "use.cpp").write_text('#include "my_arm.h"\nint main() { return 0; }\n')
        subprocess.run(["g++", *strict, "-std=c++17", "use.cpp", "-fsyntax-only"], cwd=tmp_path, check=True, timeout=60)


def test_what_is_not_needed_does_not_disturb(compiled):
    """Unused inputs, parameters and steps, empty arrays: no warning, and only what is used is read."""
    x, y = variable("x"), variable("y")
    steps = (Step(local("dead"), sin(x)), Step(local("live"), y + 1))
    inputs = (vector("unused", [x]), vector("b", [variable("z"), y]), vector("empty", []))
    outputs = (vector("out", [local("live"), 2]), vector("nothing", []))
    program = Program("p", inputs, (parameter("L"),), (), steps, outputs)
    text = codegen.source(program, "c")
    assert "void p(const double *unused, const double *b, const double *empty, double *out, double *nothing);" in text
    assert "sin(" not in text
    assert text.count("b[") == 1
    arrays = {"unused": [1.0], "b": [2.0, 3.0], "empty": []}
    assert call_c(compiled(text), program, arrays, [0.0])["out"].tolist() == [4.0, 2.0]


def test_outputs_may_overlap_inputs(compiled):
    x = [variable(f"x{i}") for i in range(3)]
    program = Program("shift", (vector("x", x),), (), (), (), (vector("y", [x[2], x[0], x[1] + x[0]]),))
    data = np.array([1.0, 2.0, 4.0])
    compiled(codegen.source(program, "c")).shift(pointer(data), pointer(data))
    assert data.tolist() == [4.0, 1.0, 3.0]


def test_deep_expressions_compile(compiled):
    x = variable("x")
    deep = x
    for _ in range(10_000):
        deep = sin(deep) + x
    program = one_output(deep, [x])
    text = codegen.source(program, "c")
    agrees(compiled(text), program, {x: 0.3})


def test_shared_parts_are_written_once(compiled):
    """Written out, this expression would have 2^60 terms."""
    x = variable("x")
    shared = x
    for i in range(60):
        shared = (sin(shared) + i) * sin(shared) / 9 + (shared + x) ** 2 / 99
    program = one_output(shared, [x])
    text = codegen.source(program, "c")
    assert len(text) < 20_000
    agrees(compiled(text), program, {x: 0.3})


def test_lines_are_short():
    symbols = [variable(f"a_rather_long_name_{i}") for i in range(60)]
    program = Program("p", (vector("x", symbols),), (), (), (), (vector("y", [add(*symbols), mul(*symbols)]),))
    for language in PRINTED:
        assert max(map(len, codegen.source(program, language).splitlines())) <= 120


def test_numbers_are_the_nearest_doubles(compiled):
    from fractions import Fraction

    numbers = [
        Fraction(1, 3),
        0.1,
        10**30,
        2**53 + 1,
        1e-300,
        5e-324,
        Fraction(10**320, 10**320 - 1),
        -7,
        Fraction(-22, 7),
    ]
    program = Program("p", (), (), (), (), (vector("y", [number(n) for n in numbers]),))
    results = call_c(compiled(codegen.source(program, "c")), program, {}, [])
    assert results["y"].tolist() == [float(n) for n in numbers]


@pytest.mark.parametrize("language", PRINTED)
def test_an_undefined_symbol_is_named(language):
    with pytest.raises(CodegenError, match="'missing' is used but"):
        codegen.source(one_output(variable("missing") + 1, [variable("x")]), language)


def test_powers_are_products():
    text = codegen.source(one_output(variable("x") ** 2 + variable("y") ** -5, [variable("x"), variable("y")]), "c")
    assert "pow" not in text
    assert "1.0/((y*y)*(y*y)*y) + x_*x_" in text or "x_*x_ + 1.0/((y_*y_)*(y_*y_)*y_)" in text


def test_bytes_do_not_depend_on_the_hash_seed():
    code = "from sample_programs import hostile; from robosym import codegen; print(codegen.source(hostile(), 'c'))"
    path = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    texts = set()
    for seed in ("1", "2"):
        run = [sys.executable, "-c", code]
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
        texts.add(subprocess.run(run, env=environment, capture_output=True, check=True, timeout=60).stdout)
    assert texts == {codegen.source(hostile(), "c").encode() + b"\n"}


def test_constants_that_only_help_others_stay_inside():
    """Only what the main function reads is handed over from precompute."""
    from sample_programs import constant

    a, b, x = constant("a"), constant("b"), variable("x")
    precompute = (Step(a, parameter("L") ** 2), Step(b, a + 1))
    program = Program("p", (vector("x", [x]),), (parameter("L"),), precompute, (), (vector("y", [expr(b) * x]),))
    text = codegen.source(program, "c")
    assert "constants [1], out: [0] b" in text
    assert "void p(const double *x, const double *constants, double *y);" in text


# --- single precision ------------------------------------------------------------------------------------------------

NO_HIDDEN_DOUBLES = ["-Wdouble-promotion", "-Wconversion", "-Wfloat-conversion", "-Wunsuffixed-float-constants"]


def as_floats(gcc: str, folder: Path, cases: list[Case]) -> list[list[dict[str, np.ndarray]]]:
    """What the programs give in single precision: all in one library, every hidden double an error."""
    for i, case in enumerate(cases):
        text = codegen.source(case.program, "c", name=f"case{i}", precision="float")
        (folder / f"case{i}.c").write_text(text, encoding="ascii")
        assert "const double" not in text
    strict = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic", *NO_HIDDEN_DOUBLES]
    sources = [f"case{i}.c" for i in range(len(cases))]
    command = [gcc, *strict, "-shared", "-fPIC", *sources, "-o", "all.so", "-lm"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[:4000]
    library = ctypes.CDLL(str(folder / "all.so"))
    return [
        [call_c(library, case.program, state, list(case.parameters), f"case{i}", np.float32) for state in case.states]
        for i, case in enumerate(cases)
    ]


def test_floats_are_doubles_to_their_precision(gcc, tmp_path):
    """The samples and every model; those that divide by what may be small to what is left of the digits."""
    cases = [*sample_cases(), *model_cases()]
    divide = ("jacobian-inverse", "inverse-kinematics-velocity", "forward-dynamics")
    for case, found in zip(cases, as_floats(gcc, tmp_path, cases), strict=True):
        check(case, found, 1e-3 if case.name.endswith(divide) else 1e-5)


def test_every_function_on_floats(gcc, tmp_path):
    case = function_cases(special=False)[0]
    names = [array.name for array in case.program.outputs]
    for state, found, expected in zip(case.states, as_floats(gcc, tmp_path, [case])[0], case.expected(), strict=True):
        for name in names:
            wanted = float(expected[name])
            if not abs(wanted) > 3e38:  # the largest float
                np.testing.assert_allclose(found[name], wanted, rtol=1e-5, atol=1e-6, err_msg=f"{name} at {state}")
            else:
                assert np.isinf(found[name])


def test_numbers_are_the_nearest_floats(gcc, tmp_path):
    from fractions import Fraction

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
    found = as_floats(gcc, tmp_path, [Case("p", program, (), ({},))])[0][0]["y"]
    with np.errstate(over="ignore"):
        assert found.tolist() == [np.float32(float(n)) for n in numbers]


def test_a_precision_there_is_not_is_named():
    for function in (codegen.source, codegen.generate):
        with pytest.raises(CodegenError, match="got 'half', expected 'double' or 'float'"):
            function(arm(), "c", precision="half")
    assert codegen.source(arm(), "c", precision="double") == codegen.source(arm(), "c")


def test_the_arm_on_floats_is_written_as_agreed(golden, monkeypatch):
    monkeypatch.setattr(robosym.codegen.interface, "__version__", "0.0.0")
    golden("arm.float.c", codegen.source(arm(), "c", precision="float"))
