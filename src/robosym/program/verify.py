"""The verifier: what must hold of every program, whichever pass made it."""

from __future__ import annotations

from ..expr import Expr, free_symbols
from .program import Program, ProgramError, Step, symbols_of


def violations(program: Program, unused_steps: bool = True) -> list[str]:
    """What is wrong with a program; nothing, if it is sound. A foreign program may hold ``unused_steps``."""
    found: list[str] = []
    inputs = symbols_of(program.inputs)
    found += _duplicates(
        "input, parameter and step names", [s.name for s in (*inputs, *program.parameter_symbols)], program
    )
    for one in inputs:
        if one.kind != "variable":
            found.append(f"input '{one.name}' is a {one.kind}, expected a variable")
    for one in program.parameter_symbols:
        if one.kind != "parameter":
            found.append(f"parameter '{one.name}' is a {one.kind}")
    known: set[Expr] = set(program.parameter_symbols)
    found += _undefined(program.precompute, known, "constant", "precompute step")
    known |= set(inputs)
    found += _undefined(program.steps, known, "local", "step")
    used = {s for root in program.roots for s in free_symbols(root)}
    for array in program.outputs:
        for entry in array.entries:
            for missing in set(free_symbols(entry)) - known:
                found.append(f"output '{array.name}' uses '{missing.name}', which is not defined")
    used |= {s for one in program.precompute for s in free_symbols(one.expr)}
    arrays = [array.name for array in (*program.inputs, *program.outputs)]
    for name in sorted({name for name in arrays if arrays.count(name) > 1}):
        found.append(f"two arrays are called '{name}'")
    for one_step in (*program.precompute, *program.steps) if unused_steps else ():
        if one_step.symbol not in used:
            found.append(f"step '{one_step.name}' is never used")
    return found


def _duplicates(what: str, names: list[str], program: Program) -> list[str]:
    names = names + [one.name for one in (*program.precompute, *program.steps)]
    again = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    return [f"{what} must be unique, '{name}' is not" for name in again]


def _undefined(steps: tuple[Step, ...], known: set[Expr], kind: str, what: str) -> list[str]:
    found = []
    for one in steps:
        if one.symbol.kind != kind:
            found.append(f"{what} '{one.name}' is a {one.symbol.kind}, expected a {kind}")
        for missing in free_symbols(one.expr):
            if missing not in known:
                found.append(f"{what} '{one.name}' uses '{missing.name}' before it is defined")
        known.add(one.symbol)
    return found


def verified(program: Program, unused_steps: bool = True) -> Program:
    """The program itself, or a ProgramError listing what is wrong with it."""
    found = violations(program, unused_steps)
    if found:
        raise ProgramError(f"program '{program.name}' is not sound:\n  " + "\n  ".join(found[:20]))
    return program
