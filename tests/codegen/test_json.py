"""The program or routine as JSON: read back, it is the same and gives the same numbers."""

from __future__ import annotations

import pytest
from codegen.conformance import all_cases, check
from codegen.odd_programs import odd_cases
from codegen.odd_routines import all_routine_cases, check_routine

from robosym import codegen
from robosym.program import ProgramError
from robosym.program.interpreter import interpreted
from robosym.program.json import loads

REFUSED = {"numbers": "too many digits", "deep": "more than 60 nested", "long statements": "too long"}


@pytest.mark.runs("json")
def test_it_reads_back_as_the_same_program():
    """But for what the reader refuses, with a clear word: numbers of thousands of digits and the like."""
    for case in (*all_cases(), *odd_cases(small=True)):
        text = codegen.source(case.program, "json")
        if case.name in REFUSED:
            with pytest.raises(ProgramError, match=REFUSED[case.name]):
                loads(text)
            continue
        again = loads(text)
        assert codegen.source(loads(codegen.source(again, "json")), "json") == codegen.source(again, "json")
        given = {symbol.name: value for symbol, value in zip(again.parameter_symbols, case.parameters, strict=True)}
        check(case, [again.call(**state, parameters=given) for state in case.states])


@pytest.mark.slow
@pytest.mark.runs("json")
def test_routines_read_back_as_the_same_routines():
    for case in all_routine_cases():
        again = loads(codegen.source(case.routine, "json"))
        given = {symbol.name: value for symbol, value in zip(again.parameter_symbols, case.parameters, strict=True)}
        check_routine(case, [interpreted(again, given, state) for state in case.states])


def test_a_name_of_ones_own():
    (case, *_) = all_routine_cases()
    files = codegen.generate(case.routine, "json", name="my arm")
    assert list(files) == ["my_arm.json"]
    assert loads(files["my_arm.json"]).name == "my arm"
