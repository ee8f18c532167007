"""Generated C++: compiled with every warning an error, called, and compared with the interpreter."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import numpy as np
import pytest
from c_calls import pointer
from codegen.calling import shared
from codegen.conformance import Arrays, Case, RoutineCase, all_cases, check
from codegen.odd_programs import named_cases, odd_cases, random_cases
from codegen.odd_routines import all_routine_cases, angles, check_routine, odd_routine_cases
from language_report import tool
from sample_programs import arm
from tool_runs import run_tool

from robosym import codegen
from robosym.codegen.targets.cpp import facts_of
from robosym.codegen.targets.cpp import routine as cpp_routine
from robosym.program.program import Program

STRICT = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion", "-Wold-style-cast"]


@pytest.fixture(scope="module")
def gpp() -> str:
    return tool("cpp")


@pytest.fixture(scope="module")
def built(gpp, tmp_path_factory):
    """Compiles headers and a text that includes them into a library of this process."""
    folder = tmp_path_factory.mktemp("cpp")

    def build(headers: dict[str, str], text: str, *options: str) -> ctypes.CDLL:
        number = len(list(folder.iterdir()))
        inside = folder / str(number)
        inside.mkdir()
        for name, header in headers.items():
            (inside / name).write_text(header, encoding="ascii")
        includes = "".join(f'#include "{name}"\n' for name in [*headers, *headers])  # twice: the guards
        (inside / "use.cpp").write_text(includes + text, encoding="ascii")
        command = [gpp, *STRICT, "-O0", "-shared", "-fPIC", *options, "use.cpp", "-o", "use.so"]
        done = run_tool(command, inside)
        assert done.returncode == 0, done.stderr[:5000]
        return ctypes.CDLL(str(inside / "use.so"))

    return build


def wrapper(number: int, program: Program, real: str = "double") -> str:
    """A plain function around a program's templates, on arrays of a scalar type."""
    facts = facts_of(program, f"case{number}")
    inputs = [f"{'*' if not a.array.shape else ''}in[{i}]" for i, a in enumerate(facts.inputs)]
    outputs = [f"{'*' if not a.array.shape else ''}out[{i}]" for i, a in enumerate(facts.outputs)]
    lines = ["(void)in;", "(void)parameters;", "(void)out;"]
    if facts.has_precompute:
        lines += [f"{real} constants[{facts.constants.size}];"]
        lines += [f"robosym::{facts.precompute_function}(parameters, constants);"]
    taken = [*inputs, *shared(facts, "parameters", "constants"), *outputs]
    lines.append(f"robosym::{facts.function}({', '.join(taken)});")
    head = f'extern "C" void call{number}(const {real} *const *in, const {real} *parameters, {real} *const *out)'
    return f"{head} {{ {' '.join(lines)} }}\n"


def called(library: ctypes.CDLL, number: int, case: Case, real: type = np.float64) -> list[dict[str, np.ndarray]]:
    found = []
    for state in case.states:
        taken = [np.ascontiguousarray(state[a.name], dtype=real) for a in case.program.inputs]
        made = {a.name: np.full(a.shape, np.nan, dtype=real) for a in case.program.outputs}
        numbers = np.array(case.parameters, dtype=real)
        ins = (ctypes.c_void_p * (len(taken) + 1))(*[one.ctypes.data for one in taken])
        outs = (ctypes.c_void_p * (len(made) + 1))(*[one.ctypes.data for one in made.values()])
        library[f"call{number}"](ins, pointer(numbers), outs)
        found.append(made)
    return found


def headers_of(listed: list[Program]) -> dict[str, str]:
    return {k: v for i, p in enumerate(listed) for k, v in codegen.generate(p, "cpp", name=f"case{i}").items()}


# --- numbers ---------------------------------------------------------------------------------------------------------


@pytest.mark.runs("cpp")
def test_everything_agrees_with_the_interpreter(built):
    """The samples, every function at special points, every model of a robot, the odd: doubles, in one compilation."""
    cases = [*all_cases(), *odd_cases(small=True), *random_cases()]
    listed = [case.program for case in cases]
    library = built(headers_of(listed), "".join(wrapper(i, program) for i, program in enumerate(listed)))
    for i, case in enumerate(cases):
        check(case, called(library, i, case))


def test_any_name_gives_code_that_compiles(gpp, tmp_path):
    """And none with two underscores in a row, which C++ keeps for itself."""
    texts = [codegen.source(case.program, "cpp") for case in named_cases()]
    texts.append(codegen.source(angles(), "cpp", name="class_"))
    for text in texts:
        assert not re.findall(r"\w*__\w*", text.partition("*/")[2])
    (tmp_path / "named.cpp").write_text("\n".join(texts), encoding="ascii")
    command = [gpp, *STRICT, "-fsyntax-only", "named.cpp"]
    done = run_tool(command, tmp_path)
    assert done.returncode == 0, done.stderr[:5000]


def test_floats_stay_floats(built):
    """The same templates on floats, to the precision of floats; -Wdouble-promotion sees every hidden double."""
    cases = [case for case in all_cases() if case.name.split()[-1] in FLOAT_MODELS]
    assert len(cases) == len(FLOAT_MODELS)
    listed = [case.program for case in cases]
    text = "".join(wrapper(i, program, "float") for i, program in enumerate(listed))
    library = built(headers_of(listed), text, "-Wdouble-promotion")
    for i, case in enumerate(cases):
        check(case, called(library, i, case, np.float32), 1e-5)


FLOAT_MODELS = ("planar-arm", "transform", "jacobian", "inverse-dynamics", "inertia-matrix", "coriolis", "energy")


# --- types -----------------------------------------------------------------------------------------------------------

TYPES = """
#include <array>
#include <vector>
/* The smallest scalar that differentiates, with functions found beside the type. */
namespace ad {
struct dual {
    double x, d;
    dual(double value = 0.0, double slope = 0.0) : x(value), d(slope) {}
};
dual operator+(dual a, dual b) { return dual(a.x + b.x, a.d + b.d); }
dual operator-(dual a) { return dual(-a.x, -a.d); }
dual operator-(dual a, dual b) { return a + -b; }
dual operator*(dual a, dual b) { return dual(a.x * b.x, a.d * b.x + a.x * b.d); }
dual operator/(dual a, dual b) { return dual(a.x / b.x, (a.d - a.x / b.x * b.d) / b.x); }
bool operator<(dual a, dual b) { return a.x < b.x; }
dual sin(dual a) { return dual(std::sin(a.x), std::cos(a.x) * a.d); }
dual cos(dual a) { return dual(std::cos(a.x), -std::sin(a.x) * a.d); }
}
extern "C" void arrays(const double *q, const double *parameters, double *rotation, double *tip)
{
    const std::array<double, 2> p = {parameters[0], parameters[1]};
    const std::vector<float> mixed = {static_cast<float>(q[0]), static_cast<float>(q[1])};
    std::vector<double> constants(2);
    robosym::case0_precompute(p, constants);
    double nested[2][2];
    std::array<double, 3> t;
    robosym::case0(mixed, p, constants, nested, t);
    for (int i = 0; i < 4; i++) { rotation[i] = nested[i / 2][i % 2]; }
    for (std::size_t i = 0; i < 3; i++) { tip[i] = t[i]; }
}
extern "C" void slopes(const double *q, const double *parameters, double *values, double *tip)
{
    double constants[2];
    robosym::case0_precompute(parameters, constants);
    const std::array<ad::dual, 2> x = {ad::dual(q[0], 1.0), ad::dual(q[1])};
    std::array<std::array<ad::dual, 2>, 2> rotation;
    std::vector<ad::dual> t(3);
    robosym::case0(x, parameters, constants, rotation, t);
    for (std::size_t i = 0; i < 3; i++) { values[i] = t[i].x; tip[i] = t[i].d; }
}
extern "C" void newton(const double *a, double *x, double *rows)
{
    const std::array<std::array<double, 2>, 2> squares = {{{a[0], a[1]}, {a[2], a[3]}}};
    std::vector<double> roots(4);
    double kept[9][3];
    int count = -1;
    robosym::routine0(squares, 7.0f, roots, kept, count);
    for (std::size_t i = 0; i < 4; i++) { x[i] = roots[i]; }
    for (int i = 0; i < 27; i++) { rows[i] = i / 3 < count ? kept[i / 3][i % 3] : 0.0; }
}
"""


def numbers(q: np.ndarray, lengths: np.ndarray) -> dict[str, np.ndarray]:
    return arm().call(q=q, parameters=dict(zip(("L1", "L2"), lengths, strict=True)))


def check_newton(library: ctypes.CDLL) -> None:
    """A routine on the same types."""
    (case,) = [case for case in odd_routine_cases() if case.name == "newton"]
    squares = np.ascontiguousarray(case.states[0]["a"])
    x, rows = np.empty((2, 2)), np.empty((9, 3))
    library.newton(*map(pointer, (squares, x, rows)))
    expected = case.routine.call(a=squares, most=7.0)
    np.testing.assert_allclose(x, expected["x"], atol=1e-14)
    np.testing.assert_allclose(rows, expected["rows"], atol=1e-14)


def newton_headers() -> dict[str, str]:
    (case,) = [case for case in odd_routine_cases() if case.name == "newton"]
    return codegen.generate(case.routine, "cpp", name="routine0")


def test_arrays_of_many_types_and_scalars_that_differentiate(built):
    library = built(headers_of([arm()]) | newton_headers(), TYPES)
    q, lengths = np.array([0.25, -0.5]), np.array([0.8, 0.6])
    rotation, tip, values = np.empty((2, 2)), np.empty(3), np.empty(3)
    library.arrays(*map(pointer, (q, lengths, rotation, tip)))
    expected = numbers(q, lengths)
    np.testing.assert_allclose(rotation, expected["rotation"], atol=1e-14)
    np.testing.assert_allclose(tip, expected["tip"], atol=1e-14)
    library.slopes(*map(pointer, (q, lengths, values, tip)))
    step = np.array([1e-6, 0.0])
    slope = (numbers(q + step, lengths)["tip"] - numbers(q - step, lengths)["tip"]) / 2e-6
    np.testing.assert_allclose(values, expected["tip"], atol=1e-14)
    np.testing.assert_allclose(tip, slope, atol=1e-8)
    check_newton(library)


EIGEN = """
#include <Eigen/Dense>
#include <unsupported/Eigen/AutoDiff>
extern "C" void matrices(const double *q, const double *parameters, double *rotation, double *tip)
{
    const Eigen::Vector2d p(parameters[0], parameters[1]);
    const Eigen::VectorXd x = Eigen::Map<const Eigen::Vector2d>(q);
    Eigen::VectorXd constants(2);
    robosym::case0_precompute(p, constants);
    Eigen::Matrix3d r = Eigen::Matrix3d::Zero();
    Eigen::MatrixXd t(3, 1);
    robosym::case0(x, p, constants, r.block<2, 2>(1, 1), t);
    for (int i = 0; i < 4; i++) { rotation[i] = r(1 + i / 2, 1 + i % 2); }
    for (int i = 0; i < 3; i++) { tip[i] = t(i); }
}
extern "C" void slopes(const double *q, const double *parameters, double *values, double *tip)
{
    using Dual = Eigen::AutoDiffScalar<Eigen::Vector2d>;
    Eigen::Matrix<double, 2, 1> constants;
    robosym::case0_precompute(parameters, constants);
    Eigen::Matrix<Dual, 2, 1> x(Dual(q[0], 2, 0), Dual(q[1], 2, 1));
    Eigen::Matrix<Dual, 2, 2> r;
    Eigen::Matrix<Dual, 3, 1> t;
    robosym::case0(x, parameters, constants, r, t);
    for (int i = 0; i < 3; i++) { values[i] = t(i).value(); tip[i] = t(i).derivatives()(0); }
}
extern "C" void newton(const double *a, double *x, double *rows)
{
    using ByRows = Eigen::Matrix<double, 2, 2, Eigen::RowMajor>;
    const Eigen::Matrix2d squares = Eigen::Map<const ByRows>(a); // Eigen's own matrices are stored by columns
    Eigen::MatrixXd roots(2, 2), kept(9, 3);
    float count;
    robosym::routine0(squares, 7, roots, kept, count);
    for (int i = 0; i < 4; i++) { x[i] = roots(i / 2, i % 2); }
    for (int i = 0; i < 27; i++) { rows[i] = i / 3 < static_cast<int>(count) ? kept(i / 3, i % 3) : 0.0; }
}
"""


def eigen() -> str:
    for folder in ("/usr/include/eigen3", "/usr/local/include/eigen3", "/opt/homebrew/include/eigen3"):
        if Path(folder, "Eigen", "Dense").exists():
            return folder
    pytest.skip("Eigen is not installed: the generated C++ is not called with its matrices")


def test_matrices_of_eigen(built):
    include = eigen()
    library = built(headers_of([arm()]) | newton_headers(), EIGEN, "-isystem", include)
    q, lengths = np.array([0.25, -0.5]), np.array([0.8, 0.6])
    rotation, tip, values = np.empty((2, 2)), np.empty(3), np.empty(3)
    library.matrices(*map(pointer, (q, lengths, rotation, tip)))
    expected = numbers(q, lengths)
    np.testing.assert_allclose(rotation, expected["rotation"], atol=1e-14)
    np.testing.assert_allclose(tip, expected["tip"], atol=1e-14)
    library.slopes(*map(pointer, (q, lengths, values, tip)))
    step = np.array([1e-6, 0.0])
    slope = (numbers(q + step, lengths)["tip"] - numbers(q - step, lengths)["tip"]) / 2e-6
    np.testing.assert_allclose(values, expected["tip"], atol=1e-14)
    np.testing.assert_allclose(tip, slope, atol=1e-8)
    check_newton(library)


# --- routines --------------------------------------------------------------------------------------------------------


def routine_wrapper(number: int, case: RoutineCase) -> str:
    facts = cpp_routine.facts_of(case.routine, f"routine{number}")
    given = [f"{'' if one.array.shape else '*'}in[{i}]" for i, one in enumerate(facts.inputs)]
    lines, taken = ["(void)in;", "(void)p;"], [*given, *shared(facts, "p", "c")]
    if facts.has_precompute:
        lines.append(f"double c[{facts.constants.size}]; robosym::{facts.precompute_function}(p, c);")
    taken += [f"{'' if one.array.shape else '*'}out[{i}]" for i, one in enumerate(facts.outputs)]
    lines.append(f"robosym::{facts.function}({', '.join(taken)});")
    head = f'extern "C" void run{number}(const double *const *in, const double *p, double *const *out)'
    return f"{head} {{ {' '.join(lines)} }}\n"


def call_routine(library: ctypes.CDLL, number: int, case: RoutineCase, state: Arrays, in_place: bool) -> Arrays:
    """Outputs begin with what no stage makes; those of a state are the input's own arrays, if that is wanted."""
    taken = {slot.name: np.array(state[slot.name], dtype=float, order="C") for slot in case.routine.inputs}
    made = {slot.name: np.full(slot.shape, 12345.0) for slot in case.routine.outputs}
    made |= {slot.name: taken[slot.name] for slot in case.routine.state} if in_place else {}
    ins, outs = (
        (ctypes.c_void_p * (len(arrays) + 1))(*[array.ctypes.data for array in arrays.values()])
        for arrays in (taken, made)
    )
    numbers = np.array(case.parameters, dtype=float)
    library[f"run{number}"](ins, pointer(numbers), outs)
    for slot in case.routine.inputs:
        if not (in_place and slot in case.routine.state):
            np.testing.assert_array_equal(taken[slot.name], state[slot.name], err_msg=f"{case.name}: {slot.name}")
    return made


@pytest.mark.runs("cpp")
def test_routines_agree_with_the_interpreter(built):
    cases = all_routine_cases()
    headers: dict[str, str] = {}
    for i, case in enumerate(cases):
        headers |= codegen.generate(case.routine, "cpp", name=f"routine{i}")
    assert list(headers)[:2] == ["routine0.hpp", "routine1.hpp"]
    library = built(headers, "".join(routine_wrapper(i, case) for i, case in enumerate(cases)))
    for in_place in (False, True):
        for i, case in enumerate(cases):
            check_routine(case, [call_routine(library, i, case, state, in_place) for state in case.states])


# --- text ------------------------------------------------------------------------------------------------------------


def test_the_namespace_is_chosen():
    text = codegen.source(arm(), "cpp", namespace="my robots")
    assert "namespace my_robots {" in text
    assert "#ifndef MY_ROBOTS_PLANAR_ARM_HPP" in text
    assert "namespace class_ {" in codegen.source(arm(), "cpp", namespace="class")
    text = codegen.source(angles(), "cpp", namespace="my robots")
    assert "namespace my_robots {" in text
    assert "robosym" not in text.replace("Robosym", "")
