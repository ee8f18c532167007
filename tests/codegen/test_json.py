"""The program as JSON: read back, it is the same program and gives the same numbers."""

from __future__ import annotations

import pytest
from codegen.conformance import all_cases, check
from codegen.odd_programs import odd_cases

from robosym import codegen
from robosym.program import ProgramError
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
