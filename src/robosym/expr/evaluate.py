"""Numbers for expressions, on floats or on NumPy arrays, as IEEE arithmetic and the generated code give them."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .floats import divide, integer_power
from .functions import ALL_FUNCTIONS, CONDITIONS
from .node import CONST, LIN, NUM, PROD, STEP, SYM, Expr, ExprError
from .walk import postorder

CONSTANTS = {"pi": math.pi}
_FLOAT_FUNCTIONS: dict[str, Callable[..., Any]] = {name: f.on_floats for name, f in ALL_FUNCTIONS.items()}


def evaluate(roots: Sequence[Expr], values: Mapping[Any, Any]) -> list[Any]:
    """Numbers for the expressions, given a float or array for each symbol (keyed by the symbol or its name)."""
    result = evaluate_order(postorder(roots), values)
    return [result[root] for root in roots]


def evaluate_order(
    order: Sequence[Expr], values: Mapping[Any, Any], definitions: Mapping[Expr, Expr] | None = None
) -> dict[Expr, Any]:
    """A number for every node of a postorder; a symbol that is defined has the value of its definition, met before.

    By plain floats, or by NumPy if one of the values is an array.
    """
    if not any(getattr(value, "ndim", 0) for value in values.values()):
        return _evaluate(order, values, definitions or {}, _FLOAT_FUNCTIONS, divide)
    import numpy as np

    with np.errstate(all="ignore"):
        return _evaluate(order, values, definitions or {}, _array_functions(), np.divide)


def _evaluate(
    order: Sequence[Expr],
    values: Mapping[Any, Any],
    definitions: Mapping[Expr, Expr],
    functions: Mapping[str, Callable[..., Any]],
    divide: Callable[[Any, Any], Any],
) -> dict[Expr, Any]:
    result: dict[Expr, Any] = {}
    for node in order:
        op = node.op
        if op == LIN:
            result[node] = _sum(node, result)
        elif op == PROD:
            result[node] = _product(node, result, divide)
        elif op == STEP:
            result[node] = result[node.args[0]]
        elif op == SYM:
            known = result.get(definitions.get(node, node))
            result[node] = _given(node, values) if known is None else known
        elif op == NUM:
            result[node] = float(node.value)
        elif op == CONST:
            result[node] = CONSTANTS[node.value]
        else:
            result[node] = functions[op](*[result[arg] for arg in node.args])
    return result


def _given(node: Expr, values: Mapping[Any, Any]) -> Any:
    given = values.get(node)
    if type(given) is float:  # by far the most frequent
        return given
    if given is None:
        given = values.get(node.name)
    if given is None:
        raise ExprError(f"'{node.name}' has no value")
    if getattr(given, "ndim", 0):
        return given if given.dtype.kind in "fc" else given.astype(float)
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        return float(given)
    raise ExprError(f"the value of '{node.name}' must be a number or an array, got {type(given).__name__}")


def _sum(node: Expr, result: Mapping[Expr, Any]) -> Any:
    constant, coefficients = node.value
    total: Any = None
    for arg, coefficient in zip(node.args, coefficients, strict=True):
        if coefficient == 1:
            term = result[arg]
        else:
            term = -result[arg] if coefficient == -1 else float(coefficient) * result[arg]
        total = term if total is None else total + term
    return total if constant == 0 else total + float(constant)


def _product(node: Expr, result: Mapping[Expr, Any], divide: Callable[[Any, Any], Any]) -> Any:
    """The factors above the bar over those below it: one division."""
    above: Any = None
    below: Any = None
    for arg, exponent in zip(node.args, node.value, strict=True):
        factor = integer_power(result[arg], abs(exponent))
        if exponent > 0:
            above = factor if above is None else above * factor
        else:
            below = factor if below is None else below * factor
    if below is None:
        return above
    return divide(1.0 if above is None else above, below)


def _array_functions() -> dict[str, Callable[..., Any]]:
    import numpy as np

    def as_float(condition: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *args: np.multiply(condition(*args), 1.0)

    found = {name: getattr(np, f.on_arrays) for name, f in ALL_FUNCTIONS.items()}
    return {name: as_float(f) if name in CONDITIONS else f for name, f in found.items()}
