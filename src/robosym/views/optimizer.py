"""The optimiser on a program that was pasted: operations before and after, and the result in any language."""

from __future__ import annotations

from typing import Any

from ..codegen import source
from ..expr import Operations
from ..program import Program, ProgramError, optimise_program, optimise_routine
from ..program import json as program_json
from ..program.assignments import AssignmentsError, program_of_text
from ..program.routine import Routine
from .counts import counts_of
from .equations import sections
from .twins import twins_of


def optimised(text: str, language: str = "c") -> dict[str, Any]:
    """Of assignments, or of a program in JSON: counts before and after, equations, source. ``problems`` name lines."""
    try:
        before = _read(text)
    except AssignmentsError as error:
        return {"problems": [{"line": line, "message": words} for line, words in error.problems]}
    except ProgramError as error:
        return {"problems": [{"line": 1, "message": str(error)}]}
    after = optimise_program(before) if isinstance(before, Program) else optimise_routine(before)
    written = source(after, language)
    return {
        "problems": [],
        "before": counts_of(_summed(before)),
        "after": counts_of(_summed(after)),
        "precompute": counts_of(after.precompute_operations),
        "routine": not isinstance(after, Program),
        "sections": sections(after),
        "text": written,
        "twins": twins_of(after, written, language),
    }


def _read(text: str) -> Program | Routine:
    return program_json.loads(text) if text.lstrip().startswith("{") else program_of_text(text)


def _summed(code: Program | Routine) -> Operations:
    programs = (code,) if isinstance(code, Program) else code.programs
    return sum((program.operations for program in programs), Operations())
