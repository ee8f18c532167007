"""Straight-line programs: data, building, passes, verifier, JSON."""

from .choice import optimise_program, optimise_routine, optimised
from .derive import jacobian, tangent
from .graph import Graph, Scope, Unmarked, raise_program
from .lower import lower, written_out
from .program import Array, Program, ProgramError, Rate, Step
from .verify import verified, violations

__all__ = [
    "Array",
    "Graph",
    "Program",
    "ProgramError",
    "Rate",
    "Scope",
    "Step",
    "Unmarked",
    "jacobian",
    "lower",
    "optimise_program",
    "optimise_routine",
    "optimised",
    "raise_program",
    "tangent",
    "verified",
    "violations",
    "written_out",
]
