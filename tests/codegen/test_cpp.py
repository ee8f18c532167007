"""Generated C++: compiled with every warning an error, called, and compared with the interpreter."""

from __future__ import annotations

import ctypes
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from c_calls import pointer
from codegen.conformance import Case, RoutineCase, all_cases, check, check_solutions, routine_cases
from codegen.odd_programs import named_cases, odd_cases, random_cases
from codegen.odd_routines import all_routine_cases, angles, check_routine
from language_report import tool
from sample_programs import arm

from robosym import codegen
from robosym.codegen import routines
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
        done = subprocess.run(command, cwd=inside, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr[:5000]
        return ctypes.CDLL(str(inside / "use.so"))

    return build


def wrapper(number: int, program: Program, real: str = "double") -> str:
    """A plain function around a program's templates, on arrays of a scalar type."""
    facts = facts_of(program, f"case{number}")
    inputs = [f"{'*' if not a.array.shape else ''}in[{i}]" for i, a in enumerate(facts.inputs)]
    outputs = [f"{'*' if not a.array.shape else ''}out[{i}]" for i, a in enumerate(facts.outputs)]
    shared = ["parameters"] if facts.reads_parameters else []
    lines = ["(void)in;", "(void)parameters;", "(void)out;"]
    if facts.has_precompute:
        lines += [f"{real} constants[{facts.constants.size}];"]
        lines += [f"robosym::{facts.precompute_function}(parameters, constants);"]
        shared.append("constants")
    lines.append(f"robosym::{facts.function}({', '.join([*inputs, *shared, *outputs])});")
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
    texts.append(routines.source(angles(), "cpp", name="class_"))
    for text in texts:
        assert not re.findall(r"\w*__\w*", text.partition("*/")[2])
    (tmp_path / "named.cpp").write_text("\n".join(texts), encoding="ascii")
    command = [gpp, *STRICT, "-fsyntax-only", "named.cpp"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=200)
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
"""


def numbers(q: np.ndarray, lengths: np.ndarray) -> dict[str, np.ndarray]:
    return arm().call(q=q, parameters=dict(zip(("L1", "L2"), lengths, strict=True)))


def test_arrays_of_many_types_and_scalars_that_differentiate(built):
    library = built(headers_of([arm()]), TYPES)
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
extern "C" int solved(const double *T, const double *parameters, double *solutions)
{
    using ByRows = Eigen::Matrix<double, 4, 4, Eigen::RowMajor>;
    const Eigen::Matrix4d pose = Eigen::Map<const ByRows>(T); // Eigen's own matrices are stored by columns
    const Eigen::Map<const Eigen::VectorXd> lengths(parameters, COUNT);
    Eigen::VectorXd constants(CONSTANTS);
    Eigen::Matrix<double, MOST, WIDTH> found;
    robosym::routine0_precompute(lengths, constants);
    const int total = robosym::routine0_solve(pose, lengths, constants, found);
    Eigen::Map<Eigen::Matrix<double, MOST, WIDTH, Eigen::RowMajor>> out(solutions);
    out = found;
    return total;
}
"""


def eigen() -> str:
    for folder in ("/usr/include/eigen3", "/usr/local/include/eigen3", "/opt/homebrew/include/eigen3"):
        if Path(folder, "Eigen", "Dense").exists():
            return folder
    pytest.skip("Eigen is not installed: the generated C++ is not called with its matrices")


def test_matrices_of_eigen(built):
    include = eigen()
    case = routine_cases(general=False)[1]  # of four joints: g++ takes ten times as long for one of six
    headers = headers_of([arm()]) | routines.generate(case.routine, "cpp", name="routine0")
    facts = cpp_routine.facts_of(case.routine, "routine0")
    sizes = {"COUNT": len(case.parameters), "CONSTANTS": facts.constants}
    sizes |= {"MOST": case.routine.most, "WIDTH": case.routine.width}
    library = built(headers, EIGEN, "-isystem", include, *(f"-D{name}={n}" for name, n in sizes.items()))
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
    check_solutions(case, [solved(library.solved, case, state["T"], "Tps") for state in case.states])


# --- routines --------------------------------------------------------------------------------------------------------


def solved(function, case: RoutineCase, T: np.ndarray, order: str) -> np.ndarray:
    found = np.full((case.routine.most, case.routine.width), np.nan)
    taken = {"T": np.ascontiguousarray(T, dtype=float), "p": np.array(case.parameters), "s": found}
    return found[: function(*(pointer(taken[letter]) for letter in order))]


def routine_wrapper(number: int, case: RoutineCase) -> str:
    facts = cpp_routine.facts_of(case.routine, f"routine{number}")
    given = [f"{'' if slot.shape else '*'}in[{i}]" for i, slot in enumerate(case.routine.inputs)]
    lines, taken = ["(void)p;"], [*given, *(["p"] if facts.reads_parameters else [])]
    if facts.constants:
        lines.append(f"double c[{facts.constants}]; robosym::{facts.precompute}(p, c);")
        taken.append("c")
    lines.append(f"return robosym::{facts.solve}({', '.join([*taken, 's'])});")
    head = f'extern "C" int solve{number}(const double *const *in, const double *p, double *s)'
    return f"{head} {{ {' '.join(lines)} }}\n"


@pytest.mark.runs("cpp")
def test_routines_agree_with_the_interpreter(built):
    cases = all_routine_cases()
    headers: dict[str, str] = {}
    for i, case in enumerate(cases):
        headers |= routines.generate(case.routine, "cpp", name=f"routine{i}")
    assert list(headers)[:2] == ["routine0.hpp", "routine1.hpp"]
    library = built(headers, "".join(routine_wrapper(i, case) for i, case in enumerate(cases)))
    for i, case in enumerate(cases):
        numbers, found = np.array(case.parameters, dtype=float), []
        for state in case.states:
            taken = [np.ascontiguousarray(state[slot.name], dtype=float) for slot in case.routine.inputs]
            ins = (ctypes.c_void_p * len(taken))(*[one.ctypes.data for one in taken])
            rows = np.full((case.routine.most, case.routine.width), np.nan)
            total = library[f"solve{i}"](ins, pointer(numbers), pointer(rows))
            found.append(rows[:total])
        check_routine(case, found)


# --- text ------------------------------------------------------------------------------------------------------------


def test_the_namespace_is_chosen():
    text = codegen.source(arm(), "cpp", namespace="my robots")
    assert "namespace my_robots {" in text
    assert "#ifndef MY_ROBOTS_PLANAR_ARM_HPP" in text
    assert "namespace class_ {" in codegen.source(arm(), "cpp", namespace="class")
