"""Generated Python: run, and compared with the interpreter."""

from __future__ import annotations

import math

import numpy as np
import pytest
from codegen.calling import loaded
from codegen.conformance import check, function_case, model_cases, sample_cases
from codegen.odd_programs import named_cases, odd_cases, random_cases
from codegen.python_calls import check_all_routines, check_nothing_is_shared, run

from robosym import codegen


@pytest.mark.runs("python")
def test_programs_agree_with_the_interpreter():
    for case in (*sample_cases(), *model_cases(), *odd_cases(), *random_cases()):
        check(case, run(case, "python"))


def test_any_name_gives_code_that_runs():
    for case in named_cases():
        compile(codegen.source(case.program, "python"), "generated", "exec")


def test_every_function():
    """Where Python's floats raise, the interpreter's answer is not a finite number."""
    case = function_case()
    for array in case.program.outputs:
        function = loaded(codegen.source(case.program.replace(outputs=(array,)), "python", name="tested"))["tested"]
        for state, expected in zip(case.states, case.expected, strict=True):
            try:
                result = function(state["x"].tolist())
            except (ValueError, ZeroDivisionError, OverflowError):
                assert not math.isfinite(expected[array.name])
                continue
            np.testing.assert_allclose(result, expected[array.name], rtol=1e-14, err_msg=f"{array.name} at {state}")


@pytest.mark.runs("python")
def test_routines_agree_with_the_interpreter():
    assert 0 < check_all_routines("python") < 80


def test_results_share_nothing():
    check_nothing_is_shared("python")
