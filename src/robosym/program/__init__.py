"""Straight-line programs: data, building, passes, verifier, JSON."""

from .derive import jacobian, tangent
from .graph import Graph, Scope, raise_program
from .lower import lower
from .passes import optimise_program, optimised
from .program import Array, Program, ProgramError, Step
from .verify import verified, violations

__all__ = [
    "Array",
    "Graph",
    "Program",
    "ProgramError",
    "Scope",
    "Step",
    "jacobian",
    "lower",
    "optimise_program",
    "optimised",
    "raise_program",
    "tangent",
    "verified",
    "violations",
]
