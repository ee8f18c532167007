"""Expressions as a flat table of plain data (for JSON and pickling), arguments before the nodes that use them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from reprlib import repr as short
from typing import Any

from ..options.numbers import is_bool
from .algebra import LARGEST_EXPONENT, linear, number, pi, power_product, step, symbol
from .functions import ALL_FUNCTIONS
from .node import CONST, LIN, NUM, PROD, STEP, SYM, Expr, ExprError, Number
from .rebuild import REBUILD
from .walk import postorder

Row = list[Any]


def to_table(roots: Sequence[Expr]) -> dict[str, Any]:
    """{"nodes": [[op, value, argument positions], ...], "roots": [positions]}."""
    order = postorder(roots)
    position = {node: i for i, node in enumerate(order)}
    rows: list[Row] = [[node.op, _plain(node), [position[a] for a in node.args]] for node in order]
    return {"nodes": rows, "roots": [position[root] for root in roots]}


def _plain(node: Expr) -> Any:
    if node.op == NUM:
        return _plain_number(node.value)
    if node.op == LIN:
        return [_plain_number(node.value[0]), [_plain_number(c) for c in node.value[1]]]
    if node.op in (SYM, PROD):
        return list(node.value)
    return node.value


def _plain_number(value: Number) -> int | float | str:
    return f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else value


def _number(value: Any) -> Number:
    if isinstance(value, str):
        above, _, below = value.partition("/")
        if len(value) > 2500 or not above.lstrip("-").isdigit() or not below.isdigit() or int(below) == 0:
            raise ExprError(f"expected a fraction such as '1/2', got {short(value)}")
        return Fraction(int(above), int(below))
    if isinstance(value, int | float) and not is_bool(value):
        return value
    raise ExprError(f"expected a number, got {short(value)}")


def read_table(table: Any) -> list[Expr]:
    """The roots of a table, every row checked."""
    if (
        not isinstance(table, dict)
        or not isinstance(table.get("nodes"), list)
        or not isinstance(table.get("roots"), list)
    ):
        raise ExprError('expected {"nodes": [...], "roots": [...]}')
    nodes: list[Expr] = []
    for i, row in enumerate(table["nodes"]):
        try:
            op, value, places = row
            args = [_at(nodes, place) for place in places]
            nodes.append(_node(op, value, args))
        except (ExprError, TypeError, ValueError) as error:
            raise ExprError(f"node {i}: {error}") from error
    return [_at(nodes, place) for place in table["roots"]]


def _at(nodes: list[Expr], place: Any) -> Expr:
    if type(place) is not int or not 0 <= place < len(nodes):
        raise ExprError(f"expected the position of an earlier node, got {short(place)}")
    return nodes[place]


def _node(op: Any, value: Any, args: list[Expr]) -> Expr:
    if op == NUM:
        return number(_number(value))
    if op == CONST and value == "pi":
        return pi
    if op == SYM:
        name, kind = value
        if not isinstance(name, str) or not isinstance(kind, str):
            raise ExprError(f"expected [name, kind] of a symbol, got {short(value)}")
        return symbol(name, kind)
    if op == LIN:
        constant, coefficients = value
        return linear(_number(constant), zip(args, map(_number, coefficients), strict=True))
    if op == PROD:
        if not all(type(e) is int and abs(e) <= LARGEST_EXPONENT for e in value):
            raise ExprError(f"expected whole exponents up to {LARGEST_EXPONENT}, got {short(value)}")
        return power_product(zip(args, value, strict=True))
    if op == STEP and len(args) == 1:
        return step(args[0])
    if op in ALL_FUNCTIONS and len(args) == ALL_FUNCTIONS[op].arity:
        return REBUILD[op](*args)
    raise ExprError(f"unknown operation {short(op)} with {len(args)} argument(s)")


def from_table(table: dict[str, Any], root: int) -> Expr:
    return read_table(table)[root]
