"""Generated Fortran: compiled with every warning an error, called, and compared with the interpreter."""

from __future__ import annotations

import ctypes
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from c_calls import pointer
from codegen.algebra_cases import named_cases, odd_cases, printed_elsewhere, random_cases
from codegen.conformance import Arrays, Case, RoutineCase, all_cases, check, check_solutions, routine_cases, tool
from codegen.limit_cases import counted_routine, limit_cases, special_routine
from codegen.test_routines import SPECIAL, angles, eigenpairs, same_rows
from sample_programs import arm, hostile

import robosym.codegen.interface
from robosym import codegen
from robosym.codegen import routines
from robosym.codegen.targets.fortran import facts_of
from robosym.codegen.targets.fortran.routine import _facts as routine_facts
from robosym.program.routine import Routine

STRICT = ["-std=f2008", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fimplicit-none"]
CASES = [*all_cases(), *odd_cases(), *limit_cases(), *random_cases()]


ROUTINES = [routine_case.routine for routine_case in routine_cases()]
ROUTINES += [angles(), special_routine(), counted_routine(), *map(eigenpairs, (1, 2, 3, 6, 16))]


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> ctypes.CDLL:
    """All programs and routines in one library of this process."""
    texts = [codegen.source(case.program, "fortran", name=f"case_{i}") for i, case in enumerate(CASES)]
    texts += [routines.source(routine, "fortran", name=f"routine_{i}") for i, routine in enumerate(ROUTINES)]
    folder = tmp_path_factory.mktemp("fortran")
    compile_texts(folder, texts, "-O1", "-shared", "-fPIC", "-o", "all.so")
    return ctypes.CDLL(str(folder / "all.so"))


def compile_texts(folder: Path, texts: Sequence[str], *options: str) -> None:
    files = [f"s{i}.f90" for i in range(len(texts))]
    for name, text in zip(files, texts, strict=True):
        (folder / name).write_text(text, encoding="ascii")
    command = [tool("gfortran"), *STRICT, *options, *files]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def procedure(library: ctypes.CDLL, stem: str, name: str):
    """A procedure of a module, under the name that gfortran gives it."""
    return library[f"__{stem}_mod_MOD_{name}"]


def by_columns(data) -> np.ndarray:
    """A flat copy in Fortran's order."""
    return np.asarray(data, dtype=float).ravel(order="F").copy()


def call(library: ctypes.CDLL, stem: str, case: Case, state: Arrays) -> Arrays:
    """As the documentation says: inputs, parameters, constants, outputs."""
    facts = facts_of(case.program, stem)
    numbers, constants = np.array(case.parameters, dtype=float), np.full(facts.constants.size, np.nan)
    if facts.has_precompute:
        procedure(library, stem, facts.precompute_function)(pointer(numbers), pointer(constants))
    taken = [by_columns(state[array.name]) for array in case.program.inputs]
    taken += [numbers] if facts.reads_parameters else []
    taken += [constants] if facts.has_precompute else []
    made = [np.full(len(array.entries), np.nan) for array in case.program.outputs]
    procedure(library, stem, facts.function)(*map(pointer, [*taken, *made]))
    pairs = zip(case.program.outputs, made, strict=True)
    return {array.name: flat.reshape(array.shape, order="F") for array, flat in pairs}


@pytest.mark.parametrize("number", range(len(CASES)), ids=[case.name for case in CASES])
def test_programs_agree_with_the_interpreter(library, number):
    case = CASES[number]
    check(case, [call(library, f"case_{number}", case, state) for state in case.states])


# --- routines --------------------------------------------------------------------------------------------------------


def solve(library: ctypes.CDLL, routine: Routine, parameters: Sequence[float], *inputs) -> np.ndarray:
    stem = f"routine_{ROUTINES.index(routine)}"
    facts = routine_facts(routine, stem)
    numbers, constants = np.array(parameters, dtype=float), np.full(facts.constants, np.nan)
    if facts.constants:
        procedure(library, stem, facts.precompute)(pointer(numbers), pointer(constants))
    taken = [by_columns(data) for data in inputs]
    taken += [numbers] if facts.reads_parameters else []
    taken += [constants] if facts.constants else []
    found, total = np.full(routine.most * routine.width, np.nan), ctypes.c_int(-1)
    procedure(library, stem, facts.solve)(*map(pointer, [*taken, found]), ctypes.byref(total))
    rows = found.reshape((routine.most, routine.width), order="F")
    assert not rows[total.value :].any()
    return rows[: total.value]


@pytest.mark.parametrize("case", routine_cases(), ids=lambda case: case.name)
def test_solutions_agree_with_the_interpreter(library, case: RoutineCase):
    inputs = [[state[slot.name] for slot in case.routine.inputs] for state in case.states]
    check_solutions(case, [solve(library, case.routine, case.parameters, *given) for given in inputs])


def test_newton_parameters_and_hostile_names(library):
    for k in (0.3, -0.9, 2.0):
        expected, count = angles().call(**{"for": k}, parameters={"L": 0.45})
        routine = next(routine for routine in ROUTINES if routine.name == "a ngles")
        np.testing.assert_allclose(solve(library, routine, [0.45], k), expected[:count], atol=1e-12)


def test_counted_rows_in_place_and_steps_that_are_not_finite(library):
    routine = next(routine for routine in ROUTINES if routine.name == "counted")
    matrix = np.array([[2.0, 1.0], [1.0, 3.0]])
    for n in (-1.0, 0.0, 1.0, 5.0, np.inf):
        given = {"n": min(n, 9.0), "A": matrix, "unused": np.zeros(3)}
        expected, count = routine.call(**given)
        np.testing.assert_allclose(solve(library, routine, [], n, matrix, np.zeros(3)), expected[:count], atol=1e-12)
    singular = np.ones((2, 2))
    expected, count = routine.call(n=2.0, A=singular, unused=np.zeros(3))
    np.testing.assert_allclose(solve(library, routine, [], 2.0, singular, np.zeros(3)), expected[:count], atol=1e-12)
    assert len(solve(library, routine, [], np.nan, matrix, np.zeros(3))) == 0


@pytest.mark.parametrize("n", [1, 2, 3, 6, 16])
def test_kernels_agree_with_numpy(library, n):
    routine = next(routine for routine in ROUTINES if routine.name == "pairs" and routine.width == n + 1)
    rng = np.random.default_rng(n)
    for _ in range(20):
        A, b = rng.standard_normal((n, n)), rng.standard_normal(n)
        found = solve(library, routine, [], A, b)
        roots = [x.real for x in np.linalg.eigvals(A) if abs(x.imag) < 1e-12]
        pairs = [row for row in found if np.abs(row[1:]).max() == 1]
        np.testing.assert_allclose(sorted(row[0] for row in pairs), sorted(roots), atol=1e-11)
        for row in pairs:
            np.testing.assert_allclose(A @ row[1:], row[0] * row[1:], atol=1e-8)
        assert any(np.allclose(row[1:], np.linalg.solve(A, b), rtol=1e-9) for row in found)


@pytest.mark.parametrize("matrix", SPECIAL.values(), ids=SPECIAL)
def test_eigenvalues_of_special_matrices(library, matrix):
    routine = next(routine for routine in ROUTINES if routine.name == "special")
    found = solve(library, routine, [], matrix)
    assert len(found) == 4
    if np.isnan(matrix).any():
        assert (found[:, 1] == np.finfo(float).max).all()
        return
    expected = np.linalg.eigvals(matrix)
    scale = np.abs(matrix).max() if matrix.any() else 1.0
    near = 1e-3 if matrix[0, 1] == 1 else 1e-12  # a fourfold root is known to the fourth root of the rounding
    same_rows(found / scale, np.stack([expected.real, expected.imag], axis=1) / scale, near)


# --- the text --------------------------------------------------------------------------------------------------------


def test_the_arm_is_written_as_agreed(golden, monkeypatch):
    monkeypatch.setattr(robosym.codegen.interface, "__version__", "0.0.0")
    ((name, text),) = codegen.generate(arm(), "fortran").items()
    golden(name, text)
    assert text == codegen.source(arm(), "fortran")


USE = """\
program use_it
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use planar_arm_mod, only: planar_arm, planar_arm_precompute
  use a_ngles_mod
  implicit none
  real(dp) :: parameters(2), constants(2), rotation(2, 2), tip(3), angle_constants(1), solutions(4, 1)
  integer :: total

  parameters = [1.0_dp, 2.0_dp]
  call planar_arm_precompute(parameters, constants)
  call planar_arm([0.0_dp, acos(0.0_dp)], parameters, constants, rotation, tip)
  call a_ngles_precompute([0.5_dp], angle_constants)
  call a_ngles_solve(1.0_dp/2, [0.5_dp], angle_constants, solutions, total)
  print '(4f8.3)', rotation
  print '(3f8.3)', tip
  print '(i2, 2f8.3)', total, solutions(1:2, 1)
end program use_it
"""


def test_a_program_uses_the_modules(tmp_path):
    texts = [codegen.source(arm(), "fortran"), routines.source(angles(), "fortran"), USE]
    compile_texts(tmp_path, texts, "-g", "-fcheck=all", "-o", "use_it")
    done = subprocess.run([tmp_path / "use_it"], capture_output=True, text=True, timeout=60, check=True)
    lines = [[float(word) for word in line.split()] for line in done.stdout.splitlines()]
    assert lines == [[0, 1, -1, 0], [1, 2, 0.003], [2, 1.047, -1.047]]


def test_any_name_gives_code_that_compiles(tmp_path):
    keywords = [arm().replace(name=name) for name in ("module", "DP", "real", "planar_arm_mod", "sum")]
    listed = [*(case.program for case in named_cases()), *keywords]
    compile_texts(tmp_path, [codegen.source(one, "fortran") for one in listed], "-fsyntax-only")
    text = codegen.source(hostile(), "fortran", name="3 */ x\n! y")
    compile_texts(tmp_path, [text, routines.source(angles(), "fortran", name="end")], "-fsyntax-only")


def test_lines_and_statements_and_names_keep_to_the_limits():
    texts = [codegen.source(case.program, "fortran") for case in CASES]
    texts += [routines.source(routine, "fortran") for routine in ROUTINES]
    for text in texts:
        assert text.isascii()
        assert max(map(len, text.splitlines())) <= 120
        assert not re.search(r"(&\n.*){40}", text)
        code = re.sub(r"!.*", "", text)
        assert max(map(len, re.findall(r"[A-Za-z]\w*", code))) <= 63


def test_bytes_are_always_the_same():
    assert printed_elsewhere("fortran") == codegen.source(hostile(), "fortran").encode() + b"\n"
    assert routines.source(angles(), "fortran") == routines.source(angles(), "fortran")
