"""Generated NumPy: run on single states and on batches, and compared with the interpreter."""

from __future__ import annotations

import numpy as np
import pytest
from codegen.calling import loaded
from codegen.conformance import check, function_case, model_cases, sample_cases
from codegen.odd_programs import named_cases, odd_cases, random_cases
from codegen.odd_stages import one_state
from codegen.python_calls import NAME, call, check_all_routines, check_nothing_is_shared, run
from sample_programs import arm

from robosym import codegen


@pytest.mark.runs("numpy")
def test_programs_agree_with_the_interpreter():
    for case in (*sample_cases(), *model_cases(), *odd_cases(), *random_cases()):
        check(case, run(case, "numpy"))


def test_any_name_gives_code_that_runs():
    for case in named_cases():
        compile(codegen.source(case.program, "numpy"), "generated", "exec")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_function_over_a_batch():
    case = function_case()
    points = np.array([state["x"] for state in case.states])
    results = loaded(codegen.source(case.program, "numpy", name=NAME))[NAME](points)
    check(case, [{name: values[i] for name, values in results.items()} for i in range(len(points))])


def test_batches_broadcast():
    """Leading axes of states and of parameters, shared or each its own."""
    program = arm()
    space = loaded(codegen.source(program, "numpy", name=NAME))
    rng = np.random.default_rng(3)
    q, parameters = rng.uniform(size=(5, 1, 2)), rng.uniform(size=(4, 2))
    many = call(space, program, {"q": q}, parameters)
    assert many["rotation"].shape == (5, 4, 2, 2)
    for i in range(5):
        for j in range(4):
            one = call(space, program, {"q": q[i, 0]}, parameters[j])
            for name, value in one.items():
                np.testing.assert_allclose(many[name][i, j], value, rtol=1e-15)


@pytest.mark.runs("numpy")
def test_routines_agree_with_the_interpreter():
    assert check_all_routines("numpy") == 0


def test_results_share_nothing():
    check_nothing_is_shared("numpy")


def test_a_batch_is_refused_by_a_routine():
    function = loaded(codegen.source(one_state(), "numpy", name=NAME))[NAME]
    assert function(1.0, 4.0) == 2.0
    with pytest.raises(ValueError, match="cannot reshape"):
        function([1.0, 2.0], 4.0)
