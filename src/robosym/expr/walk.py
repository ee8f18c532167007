"""Walking expressions: order, rebuilding, substitution, symbols, numbers. Every walk is a loop, however deep the graph."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .algebra import ExprLike, expr, linear, power_product, step
from .functions import FUNCTIONS, REBUILD
from .node import CONST, LIN, NUM, PROD, STEP, SYM, Expr, ExprError

if TYPE_CHECKING:
    import numpy as np

    Numeric = float | np.ndarray


def postorder(roots: Iterable[Expr]) -> list[Expr]:
    """Every node below the roots once, arguments before the nodes that use them, in a structural order."""
    seen: set[Expr] = set()
    order: list[Expr] = []
    stack = list(roots)
    stack.reverse()
    while stack:
        node = stack[-1]
        if node in seen:
            stack.pop()
            continue
        waiting = [arg for arg in node.args if arg not in seen]
        if waiting:
            waiting.reverse()
            stack.extend(waiting)
        else:
            seen.add(node)
            order.append(node)
            stack.pop()
    return order


def rebuild(node: Expr, args: Sequence[Expr]) -> Expr:
    """The node's operation on other arguments, simplified again."""
    if node.op == LIN:
        return linear(node.value[0], zip(args, node.value[1], strict=True))
    if node.op == PROD:
        return power_product(zip(args, node.value, strict=True))
    if node.op == STEP:
        return step(args[0])
    return REBUILD[node.op](*args)


def transform(roots: Sequence[Expr], change: Callable[[Expr], Expr | None]) -> list[Expr]:
    """Rebuild the roots bottom-up; ``change`` sees each node after its arguments and may return a replacement."""
    done: dict[Expr, Expr] = {}
    for node in postorder(roots):
        args = [done[arg] for arg in node.args]
        new = node if all(a is b for a, b in zip(args, node.args, strict=True)) else rebuild(node, args)
        replacement = change(new)
        done[node] = new if replacement is None else replacement
    return [done[root] for root in roots]


def substitute(roots: Sequence[Expr], values: Mapping[Expr, ExprLike]) -> list[Expr]:
    """Replace nodes (usually symbols) by expressions or numbers, all at once."""
    table = {node: expr(value) for node, value in values.items()}
    done: dict[Expr, Expr] = {}
    for node in postorder(roots):
        if node in table:
            done[node] = table[node]
            continue
        args = [done[arg] for arg in node.args]
        same = all(a is b for a, b in zip(args, node.args, strict=True))
        done[node] = node if same else rebuild(node, args)
    return [done[root] for root in roots]


def free_symbols(*roots: Expr) -> list[Expr]:
    """The symbols below the roots, in structural order."""
    return sorted((n for n in postorder(roots) if n.op == SYM), key=lambda n: n.key)


CONSTANTS = {"pi": math.pi}


def evaluate(roots: Sequence[Expr], values: Mapping[Any, Any]) -> list[Any]:
    """Numbers for the expressions, given a float or array for each symbol (keyed by the symbol or its name)."""
    arrays = any(getattr(value, "ndim", 0) for value in values.values())
    table = _array_functions() if arrays else _FLOAT_FUNCTIONS
    result: dict[Expr, Any] = {}
    for node in postorder(roots):
        op = node.op
        if op == SYM:
            given = values.get(node, values.get(node.name))
            if given is None:
                raise ExprError(f"'{node.name}' has no value")
            result[node] = given if getattr(given, "ndim", 0) else float(given)
        elif op == NUM:
            result[node] = float(node.value)
        elif op == LIN:
            constant, coefficients = node.value
            total: Any = float(constant)
            for arg, coefficient in zip(node.args, coefficients, strict=True):
                total = total + (result[arg] if coefficient == 1 else float(coefficient) * result[arg])
            result[node] = total
        elif op == PROD:
            product: Any = 1.0
            for arg, exponent in zip(node.args, node.value, strict=True):
                product = product * (result[arg] if exponent == 1 else _integer_power(result[arg], exponent))
            result[node] = product
        elif op == STEP:
            result[node] = result[node.args[0]]
        elif op == CONST:
            result[node] = CONSTANTS[node.value]
        else:
            result[node] = table[op](*[result[arg] for arg in node.args])
    return [result[root] for root in roots]


def _integer_power(value: Any, exponent: int) -> Any:
    """Repeated multiplication, as the generated code does it, with IEEE division by zero."""
    result = value
    for _ in range(abs(exponent) - 1):
        result = result * value
    if exponent > 0:
        return result
    if getattr(result, "ndim", 0):
        return 1.0 / result
    return 1.0 / result if result else math.copysign(math.inf, result)


_FLOAT_FUNCTIONS: dict[str, Callable[..., Any]] = {name: f.on_floats for name, f in FUNCTIONS.items()}


def _array_functions() -> dict[str, Callable[..., Any]]:
    import numpy as np

    return {name: getattr(np, f.on_arrays) for name, f in FUNCTIONS.items()}
