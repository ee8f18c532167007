"""Scopes that remember what an algorithm called by each name, and the values of a program's steps beside them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from robosym.expr import Expr, evaluate, free_symbols
from robosym.program import Program, Scope

# What lowering names by itself: temporaries and constants without a name, sines and cosines, and their angles.
UNNAMED = re.compile(r"[tK]\d+")
AGAIN = re.compile(r"_[a-z]+$")  # what is added to a name that another quantity has

Given = dict[str, list[Expr]]


@contextmanager
def recorded() -> Iterator[list[Given]]:
    """The names every scope made meanwhile was asked for, with all the expressions each was given to."""
    made: list[Given] = []
    original: Callable[[Scope, str, Any], Any] = Scope.step

    def step(scope: Scope, name: str, value: Any) -> Any:
        known: Given | None = scope.__dict__.get("_given")
        if known is None:
            known = scope.__dict__["_given"] = {}
            made.append(known)
        if isinstance(value, Expr):
            values = known.setdefault(name, [])
            if value not in values:
                values.append(value)
        return original(scope, name, value)

    with patch.object(Scope, "step", step):
        yield made


def state_of(program: Program, given: list[Given], number: Callable[[], float]) -> dict[Expr, float]:
    """A random number for every symbol that the program or the algorithm uses."""
    used = [value for one in given for values in one.values() for value in values]
    known = dict.fromkeys([*program.parameters, *(s for a in program.inputs for s in a.entries), *free_symbols(*used)])
    return {symbol: number() for symbol in known}


def step_values(program: Program, state: Mapping[Expr, float]) -> dict[str, float]:
    """What every step of the program is, evaluated one after the other."""
    values = dict(state)
    for step in (*program.precompute, *program.steps):
        values[step.symbol] = evaluate([step.expr], values)[0]
    return {step.name: values[step.symbol] for step in (*program.precompute, *program.steps)}
