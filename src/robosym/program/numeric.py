"""Numbers in place of parameters: what depended on them alone is computed now and stands in the program as a number."""

from __future__ import annotations

from collections.abc import Mapping
from operator import is_

from ..expr import Expr, evaluate, number, postorder
from ..expr.node import CONSTANT
from ..expr.rounding import plain_double
from ..expr.walk import rebuild
from .program import Array, Program, ProgramError, Step, live_steps
from .routine import Routine, with_programs


def with_numbers(program: Program, values: Mapping[str, float]) -> Program:
    """The program with numbers for the parameters in ``values``; the others stay parameters."""
    parameters = _parameters(program, values)
    if not values:
        return program
    known = {parameters[name]: number(float(value)) for name, value in values.items()}
    precompute = _folded(program.precompute, known)
    steps = _folded(program.steps, known)
    outputs = tuple(
        Array(array.name, array.shape, tuple(_put_in(entry, known) for entry in array.entries))
        for array in program.outputs
    )
    left = tuple(symbol for symbol in program.parameter_symbols if symbol.name not in values)
    made = pruned(program.replace(parameter_symbols=left, precompute=precompute, steps=steps, outputs=outputs))
    return made.replace(parameter_symbols=made.used_parameters)


def _parameters(program: Program | Routine, values: Mapping[str, float]) -> dict[str, Expr]:
    """The parameters by name, if all of the values are theirs."""
    parameters = {symbol.name: symbol for symbol in program.parameter_symbols}
    unknown = [name for name in values if name not in parameters]
    if unknown:
        names = ", ".join(parameters) or "none"
        raise ProgramError(f"no parameter {', '.join(map(repr, unknown))} in '{program.name}' (parameters: {names})")
    return parameters


def numeric_routine(routine: Routine, values: Mapping[str, float]) -> Routine:
    """The routine with numbers for the parameters in ``values`` in all its programs."""
    _parameters(routine, values)
    made = {}
    for program in routine.programs:
        own = {symbol.name: values[symbol.name] for symbol in program.parameter_symbols if symbol.name in values}
        made[program] = with_numbers(program, own)
    return with_programs(routine, made)


def in_numbers(code: Program | Routine, values: Mapping[str, float]) -> Program | Routine:
    """A program or a routine with numbers for the parameters in ``values``."""
    return with_numbers(code, values) if isinstance(code, Program) else numeric_routine(code, values)


def pruned(program: Program) -> Program:
    """Without the steps that no output needs."""
    entries = [entry for array in program.outputs for entry in array.entries]
    steps = live_steps(program.steps, entries)
    precompute = live_steps(program.precompute, [*entries, *(step.expr for step in steps)])
    return program.replace(steps=tuple(steps), precompute=tuple(precompute))


def _folded(steps: tuple[Step, ...], known: dict[Expr, Expr]) -> tuple[Step, ...]:
    """The steps with what is known put in; one that becomes a number, or a name for an earlier one, is known too."""
    left = []
    for step in steps:
        made = _put_in(step.expr, known)
        if not made.args:
            known[step.symbol] = made
        else:
            left.append(Step(step.symbol, made))
    return tuple(left)


def _put_in(root: Expr, known: dict[Expr, Expr]) -> Expr:
    """The expression with what is known put in, and constant parts as numbers; ``known`` remembers every part."""
    for node in postorder([root]):
        if node not in known:
            args = [known[arg] for arg in node.args]
            made = node if all(map(is_, args, node.args)) else rebuild(node, args)
            constant = made.level == CONSTANT and made.args
            known[node] = number(plain_double(float(evaluate([made], {})[0]))) if constant else made
    return known[root]
