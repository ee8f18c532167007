"""What an algorithm called by each name, to compare with the steps of the program that was made of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from robosym.expr import Expr, evaluate, free_symbols
from robosym.program import Program, Scope

Given = dict[str, list[Expr]]  # a name, and the different expressions it was given to

UNNAMED = re.compile(r"[tK]\d+")  # temporaries and constants, which no algorithm named
AGAIN = re.compile(r"_[a-z]+$")  # what is added to a name that another quantity has already


@contextmanager
def recorded() -> Iterator[list[Given]]:
    """The names that each scope was asked for meanwhile."""
    made: list[Given] = []
    original = Scope.step

    def step(scope: Scope, name: str, value: Any) -> Any:
        if "given" not in vars(scope):
            vars(scope)["given"] = {}
            made.append(vars(scope)["given"])
        if isinstance(value, Expr):
            values = vars(scope)["given"].setdefault(name, [])
            if value not in values:
                values.append(value)
        return original(scope, name, value)

    with patch.object(Scope, "step", step):
        yield made


def random_state(program: Program, given: list[Given], number: Callable[[], float]) -> dict[Expr, float]:
    """A number for every symbol that the program or the algorithm uses."""
    used = [value for one in given for values in one.values() for value in values]
    inputs = [symbol for array in program.inputs for symbol in array.entries]
    return {symbol: number() for symbol in dict.fromkeys([*program.parameter_symbols, *inputs, *free_symbols(*used)])}


def given_values(given: Given, state: Mapping[Expr, float]) -> dict[str, list[float]]:
    """The numbers that the algorithm called by each name."""
    numbers = iter(evaluate([value for values in given.values() for value in values], state))
    return {name: [next(numbers) for _ in values] for name, values in given.items()}


def step_values(program: Program, state: Mapping[Expr, float]) -> dict[str, float]:
    """What every step of the program is, evaluated one after the other."""
    values = dict(state)
    for step in (*program.precompute, *program.steps):
        values[step.symbol] = evaluate([step.expr], values)[0]
    return {step.name: values[step.symbol] for step in (*program.precompute, *program.steps)}
