"""Building a node again from its operation, for substitution, the parser, tables and the SymPy bridge."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from . import functions, trig
from .algebra import product_of_bases, step, sum_of_terms
from .node import LIN, PROD, STEP, Expr

# The simplifying constructor of each function of FUNCTIONS.
REBUILD: dict[str, Callable[..., Expr]] = {
    "sin": trig.sin,
    "cos": trig.cos,
    "tan": trig.tan,
    "asin": trig.asin,
    "acos": trig.acos,
    "atan": trig.atan,
    "atan2": trig.atan2,
    "angle": trig.angle,
    "sqrt": functions.sqrt,
    "abs": functions.absolute,
    "sign": functions.sign,
    "exp": functions.exp,
    "log": functions.log,
    "tanh": functions.tanh,
    "floor": functions.floor,
    "min": functions.minimum,
    "max": functions.maximum,
    "pow": functions.power,
    "lt": functions.less,
    "le": functions.less_equal,
    "eq": functions.equal,
    "ne": functions.not_equal,
    "and": functions.logical_and,
    "or": functions.logical_or,
    "not": functions.logical_not,
    "select": functions.select,
}


def rebuild(node: Expr, args: Sequence[Expr]) -> Expr:
    """The node's operation on other arguments, simplified again."""
    if node.op == LIN:
        return sum_of_terms(node.value[0], args, node.value[1])
    if node.op == PROD:
        return product_of_bases(args, node.value)
    if node.op == STEP:
        return step(args[0])
    return REBUILD[node.op](*args)
