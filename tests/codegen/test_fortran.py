"""Generated Fortran: compiled with every warning an error, called, and compared with the interpreter."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from c_calls import pointer
from codegen.calling import shared
from codegen.conformance import Arrays, Case, RoutineCase, all_cases, check
from codegen.odd_programs import named_cases, odd_cases, random_cases
from codegen.odd_routines import all_routine_cases, angles, check_routine
from language_report import tool
from sample_programs import arm, hostile
from tool_runs import run_tool

from robosym import codegen
from robosym.codegen.targets.fortran import facts_of
from robosym.codegen.targets.fortran.routine import facts_of as routine_facts

STRICT = ["-std=f2008", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fimplicit-none"]


def cases() -> list[Case]:
    return [*all_cases(), *odd_cases(small=True), *random_cases()]


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> ctypes.CDLL:
    """All programs and routines in one library of this process."""
    texts = [codegen.source(case.program, "fortran", name=f"case_{i}") for i, case in enumerate(cases())]
    for i, case in enumerate(all_routine_cases()):
        texts.append(codegen.source(case.routine, "fortran", name=f"routine_{i}"))
    folder = tmp_path_factory.mktemp("fortran")
    compile_texts(folder, texts, "-O0", "-shared", "-fPIC", "-o", "all.so")
    return ctypes.CDLL(str(folder / "all.so"))


def compile_texts(folder: Path, texts: Sequence[str], *options: str) -> None:
    files = [f"s{i}.f90" for i in range(len(texts))]
    for name, text in zip(files, texts, strict=True):
        (folder / name).write_text(text, encoding="ascii")
    command = [tool("fortran"), *STRICT, *options, *files]
    done = run_tool(command, folder)
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
    taken += shared(facts, numbers, constants)
    made = [np.full(len(array.entries), np.nan) for array in case.program.outputs]
    procedure(library, stem, facts.function)(*map(pointer, [*taken, *made]))
    pairs = zip(case.program.outputs, made, strict=True)
    return {array.name: flat.reshape(array.shape, order="F") for array, flat in pairs}


@pytest.mark.runs("fortran")
def test_programs_agree_with_the_interpreter(library):
    for i, case in enumerate(cases()):
        check(case, [call(library, f"case_{i}", case, state) for state in case.states])


# --- routines --------------------------------------------------------------------------------------------------------


def call_routine(library: ctypes.CDLL, stem: str, case: RoutineCase, state: Arrays) -> Arrays:
    """Inputs are left as they are."""
    facts = routine_facts(case.routine, stem)
    numbers, constants = np.array(case.parameters, dtype=float), np.full(facts.constants.size, np.nan)
    if facts.has_precompute:
        procedure(library, stem, facts.precompute_function)(pointer(numbers), pointer(constants))
    taken = [by_columns(state[slot.name]) for slot in case.routine.inputs]
    made = [np.full(slot.size, 12345.0) for slot in case.routine.outputs]
    procedure(library, stem, facts.function)(*map(pointer, [*taken, *shared(facts, numbers, constants), *made]))
    for slot, array in zip(case.routine.inputs, taken, strict=True):
        np.testing.assert_array_equal(array, by_columns(state[slot.name]), err_msg=f"{case.name}: {slot.name}")
    pairs = zip(case.routine.outputs, made, strict=True)
    return {slot.name: flat.reshape(slot.shape, order="F") for slot, flat in pairs}


@pytest.mark.runs("fortran")
def test_routines_agree_with_the_interpreter(library):
    for i, case in enumerate(all_routine_cases()):
        check_routine(case, [call_routine(library, f"routine_{i}", case, state) for state in case.states])


# --- the text --------------------------------------------------------------------------------------------------------


USE = """\
program use_it
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use planar_arm_mod, only: planar_arm, planar_arm_precompute
  use a_ngles_mod
  implicit none
  real(dp) :: parameters(2), constants(2), rotation(2, 2), tip(3), angle_constants(1), solutions(4, 1), total

  parameters = [1.0_dp, 2.0_dp]
  call planar_arm_precompute(parameters, constants)
  call planar_arm([0.0_dp, acos(0.0_dp)], parameters, constants, rotation, tip)
  call a_ngles_precompute([0.5_dp], angle_constants)
  call a_ngles(1.0_dp/2, [0.5_dp], angle_constants, solutions, total)
  print '(4f8.3)', rotation
  print '(3f8.3)', tip
  print '(3f8.3)', total, solutions(1:2, 1)
end program use_it
"""


def test_a_program_uses_the_modules(tmp_path):
    texts = [codegen.source(arm(), "fortran"), codegen.source(angles(), "fortran"), USE]
    compile_texts(tmp_path, texts, "-g", "-fcheck=all", "-o", "use_it")
    done = run_tool([tmp_path / "use_it"], tmp_path)
    lines = [[float(word) for word in line.split()] for line in done.stdout.splitlines()]
    assert lines == [[0, 1, -1, 0], [1, 2, 0.003], [2, 1.047, -1.047]]


def test_any_name_gives_code_that_compiles(tmp_path):
    compile_texts(tmp_path, [codegen.source(case.program, "fortran") for case in named_cases()], "-fsyntax-only")
    text = codegen.source(hostile(), "fortran", name="3 */ x\n! y")
    compile_texts(tmp_path, [text, codegen.source(angles(), "fortran", name="end")], "-fsyntax-only")


def test_statements_and_names_keep_to_the_limits():
    texts = [codegen.source(case.program, "fortran") for case in cases()]
    texts += [codegen.source(case.routine, "fortran") for case in all_routine_cases()]
    for text in texts:
        assert not re.search(r"(&\n.*){40}", text)
        code = re.sub(r"!.*", "", text)
        assert max(map(len, re.findall(r"[A-Za-z]\w*", code))) <= 63
