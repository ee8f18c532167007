"""``Program``: straight-line code. Named input arrays, parameters, named steps, output arrays.

A step's expression refers to inputs, parameters and earlier steps. Work on parameters alone stands in ``precompute``:
it is emitted as its own function and done once. A program is data: passes make new programs, printers only read them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ..brief import brief, one_line
from ..errors import RobosymError
from ..expr import Expr, Operations, free_symbols, postorder
from ..expr.count import PARAMETER, VARIABLE, cost, is_derived_angle
from ..expr.evaluate import evaluate_order
from .documentation import Documentation


class ProgramError(RobosymError):
    """A program that cannot be built, read or run; the message says why."""


@dataclass(frozen=True, repr=False)
class Array:
    """A named array of scalars, by rows: the symbols of an input, or the expressions of an output."""

    __repr__ = one_line

    name: str
    shape: tuple[int, ...]
    entries: tuple[Expr, ...]
    rate: Rate | None = None  # of an input that is known to move: how its entries change in time

    def __post_init__(self) -> None:
        if math.prod(self.shape) != len(self.entries):
            raise ProgramError(f"array '{self.name}' of shape {self.shape} cannot hold {len(self.entries)} entries")
        if self.rate is not None and len(self.rate.entries) != len(self.entries):
            count = len(self.rate.entries)
            raise ProgramError(f"array '{self.name}' has {len(self.entries)} entries and the rates of {count}")


@dataclass(frozen=True, repr=False)
class Rate:
    """The time derivatives of the entries of an input, in its own symbols and those of ``array``, the input of the speeds.

    The two need not have one shape: a free base has seven position numbers and six speeds.
    """

    __repr__ = one_line

    array: Array
    entries: tuple[Expr, ...]


@dataclass(frozen=True, repr=False)
class Step:
    """``symbol`` := ``expr``."""

    __repr__ = one_line

    symbol: Expr
    expr: Expr

    @property
    def name(self) -> str:
        return self.symbol.name


@dataclass(frozen=True, repr=False)
class Program:
    name: str
    inputs: tuple[Array, ...]
    parameter_symbols: tuple[Expr, ...]
    precompute: tuple[Step, ...]  # symbols of kind 'constant'
    steps: tuple[Step, ...]  # symbols of kind 'local'
    outputs: tuple[Array, ...]
    notes: tuple[str, ...] = ()  # lines of prose for people, beside the name
    # What it computes, with units, for people too: two programs that compute the same are the same.
    documentation: Documentation | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        taken, given = (", ".join(one.name for one in arrays) for arrays in (self.inputs, self.outputs))
        return brief(f"Program {self.name!r:.60}: {taken} -> {given}, {len(self.steps)} steps")

    def replace(self, **changes: Any) -> Program:
        return replace(self, **changes)

    @property
    def roots(self) -> list[Expr]:
        """Every expression of the run-time part, in order: the steps', then the outputs'."""
        return [step.expr for step in self.steps] + [entry for array in self.outputs for entry in array.entries]

    @property
    def used_parameters(self) -> tuple[Expr, ...]:
        """The parameters that occur in a step or an output, in their order: no others need values."""
        used = set(free_symbols(*self.roots, *(step.expr for step in self.precompute)))
        return tuple(symbol for symbol in self.parameter_symbols if symbol in used)

    @property
    def operations(self) -> Operations:
        """What one call costs, by the published counting rule."""
        return _count(dict.fromkeys(self.roots), {step.symbol: step.expr for step in self.steps}, VARIABLE)

    @property
    def precompute_operations(self) -> Operations:
        """What is paid once, off-line."""
        return _count([step.expr for step in self.precompute], {}, PARAMETER)

    def evaluate(self, values: Mapping[Any, Any]) -> dict[str, list[Any]]:
        """The outputs as flat lists, by interpreting the steps on floats or arrays (values keyed by symbol or name)."""
        order, definitions = self._walk
        result = evaluate_order(order, values, definitions)
        return {array.name: [result[entry] for entry in array.entries] for array in self.outputs}

    @cached_property
    def _walk(self) -> tuple[list[Expr], dict[Expr, Expr]]:
        """Every node of the program once, in the order of its steps, and what the steps' symbols stand for."""
        steps = (*self.precompute, *self.steps)
        outputs = (entry for array in self.outputs for entry in array.entries)
        return postorder([*(step.expr for step in steps), *outputs]), {step.symbol: step.expr for step in steps}

    def call(self, /, *, parameters: Mapping[str, Any] | None = None, **arrays: Any) -> dict[str, Any]:
        """Interpret the program on arrays by input name; outputs as NumPy arrays. For tests and first looks."""
        return self.interpreted(parameters or {}, arrays)

    def interpreted(self, parameters: Mapping[str, Any], arrays: Mapping[str, Any]) -> dict[str, Any]:
        """What ``call`` gives, for inputs of any name."""
        import numpy as np

        from ..reals import plain_array, real_array

        values: dict[Any, Any] = {}
        given = dict(arrays)
        for symbol in self.parameter_symbols:
            if symbol.name in parameters:
                value = plain_array(f"parameter '{symbol.name}'", parameters[symbol.name], ProgramError)
                if value.shape:
                    raise ProgramError(f"parameter '{symbol.name}' has shape {value.shape}, expected a number")
                values[symbol] = float(value)
        for array in self.inputs:
            if array.name not in given and array.entries:
                raise ProgramError(f"input '{array.name}' of shape {array.shape} is not given")
            data = real_array(f"input '{array.name}'", given.pop(array.name, np.empty(array.shape)), ProgramError)
            if data.shape != array.shape:
                raise ProgramError(f"input '{array.name}' has shape {data.shape}, expected {array.shape}")
            values.update(zip(array.entries, data.ravel().tolist(), strict=True))
        if given:
            raise ProgramError(
                f"unknown input {', '.join(map(repr, given))} (inputs: {', '.join(a.name for a in self.inputs)})"
            )
        flat = self.evaluate(values)
        return {a.name: np.array(flat[a.name], dtype=float).reshape(a.shape) for a in self.outputs}


def _count(roots: Iterable[Expr], definitions: Mapping[Expr, Expr], level: int) -> Operations:
    """Each node once, wherever it stands; an angle that is a step is looked up to see whether it is derived."""
    total = Operations()
    angles = set()
    for node in postorder(roots):
        if node.level == level:
            total += cost(node)
            if node.op in ("sin", "cos"):
                angle = definitions.get(node.args[0], node.args[0])
                if is_derived_angle(angle):
                    angles.add(angle)
    return total + Operations(derived_angles=len(angles))


def symbols_of(arrays: Iterable[Array]) -> list[Expr]:
    return [entry for array in arrays for entry in array.entries]


def live_steps(steps: Sequence[Step], results: Sequence[Expr]) -> list[Step]:
    """The steps that the results depend on, in order."""
    needed = set(free_symbols(*results))
    live = []
    for step in reversed(steps):
        if step.symbol in needed:
            live.append(step)
            needed.update(free_symbols(step.expr))
    return live[::-1]
