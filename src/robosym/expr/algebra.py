"""The canonical constructors: sums, products, steps.

Only local simplification happens here (0, 1, signs, like terms); everything deeper is a pass over a ``Program``.
Canonical means: terms in structural order, the leading coefficient of a sum positive (so that ``a - b`` and ``b - a``
share one node and differ by a sign), numbers folded, nested sums and products opened. A sum times a number other than
-1 is not multiplied out: 2*(a + b) costs one multiplication, 2*a + 2*b two.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

from .node import CONST, LEVEL_OF_KIND, LIN, NUM, PROD, STEP, SYM, Expr, ExprError, Number, intern
from .numbers import normal, number_power, tag_of

ExprLike = Expr | Number

# A sum or product that would have more parts than this keeps its longer arguments closed, so that adding to it again
# and again costs linear time. What stays closed depends on the arguments alone.
OPEN_LIMIT = 32
# x^5000 in the model of a robot is a mistake or an attack, and would be unrolled by printers.
LARGEST_EXPONENT = 4096

_by_key = attrgetter("key")


def number(value: Number) -> Expr:
    """The node of a number. A float that is a whole number is that integer, so 1.0 costs no multiplication."""
    value = normal(value)
    return intern(NUM, (), value, None if type(value) is int else tag_of((value,)))


ZERO, ONE, MINUS_ONE = number(0), number(1), number(-1)
pi = intern(CONST, (), "pi")


def symbol(name: str, kind: str) -> Expr:
    """The symbol of this name and kind: 'variable', 'parameter', 'constant' (precomputed) or 'local'."""
    if kind not in LEVEL_OF_KIND:
        raise ExprError(f"a symbol is one of {', '.join(LEVEL_OF_KIND)}, not {kind!r}")
    if not isinstance(name, str) or not name.isidentifier() or not name.isascii():
        raise ExprError(f"a symbol's name is a letter followed by letters, digits and _, got {name!r}")
    if name == "pi":
        raise ExprError("'pi' is the number 3.14159..., it cannot name a symbol")
    return intern(SYM, (), (name, kind))


def variable(name: str) -> Expr:
    """A symbol for the state of the robot: position, velocity, torque, wrench."""
    return symbol(name, "variable")


def parameter(name: str) -> Expr:
    """A symbol for a constant of the robot: length, inertia, gravity."""
    return symbol(name, "parameter")


def expr(value: ExprLike) -> Expr:
    """The expression of a number (or the expression itself)."""
    return value if isinstance(value, Expr) else number(value)


# --- sums ------------------------------------------------------------------------------------------------------------


def add(*terms: ExprLike) -> Expr:
    """The sum, canonical."""
    return linear(0, [(expr(term), 1) for term in terms])


def linear(constant: Number, terms: Iterable[tuple[Expr, Number]]) -> Expr:
    """constant + sum of coefficient * term, canonical."""
    total: dict[Expr, Number] = {}
    pending = terms
    try:
        while pending:
            nested = False
            for node, factor in pending:
                if node.op == NUM:
                    constant = constant + factor * node.value
                    continue
                if node.op == LIN:
                    if is_scaled(node):
                        factor, node = factor * node.value[1][0], node.args[0]
                    nested = nested or node.op == LIN
                total[node] = total[node] + factor if node in total else factor
            pending = _opened_sums(total) if nested else ()
    except OverflowError as error:
        raise ExprError("a coefficient is too large for a number") from error
    return _collected(constant, total)


def _opened_sums(total: dict[Expr, Number]) -> list[tuple[Expr, Number]]:
    """Take the sums that stand with +-1 out of a total; their terms."""
    terms: list[tuple[Expr, Number]] = []
    for node in _to_open(total, [n for n, factor in total.items() if n.op == LIN and factor in (1, -1)]):
        positive = total.pop(node) == 1
        constant, coefficients = node.value
        terms.append((ONE, constant if positive else -constant))
        terms += zip(node.args, coefficients if positive else [-c for c in coefficients], strict=True)
    return terms


def _to_open(total: dict[Expr, Any], nested: Sequence[Expr]) -> list[Expr]:
    """Which nested sums (products) to open: all while the result is short, else the short ones; the outermost first."""
    parts = sum(1 for factor in total.values() if factor) + sum(len(node.args) - 1 for node in nested)
    if parts > OPEN_LIMIT:
        nested = [node for node in nested if len(node.args) <= OPEN_LIMIT // 2]
    if len(nested) > 1:
        inside = {arg for node in nested for arg in node.args}
        return [node for node in nested if node not in inside]
    return list(nested)


def _collected(constant: Number, total: dict[Expr, Number]) -> Expr:
    terms = sorted([term for term, coefficient in total.items() if coefficient], key=_by_key)
    constant = normal(constant)
    if not terms:
        return number(constant)
    coefficients = [normal(total[term]) for term in terms]
    if len(terms) == 1 and constant == 0:
        return _scaled(coefficients[0], terms[0])
    negative = coefficients[0] < 0
    if negative:
        constant = -constant
        coefficients = [-c for c in coefficients]
    node = intern(LIN, tuple(terms), (constant, tuple(coefficients)), tag_of((constant, *coefficients)))
    return _scaled(-1, node) if negative else node


def _scaled(coefficient: Number, node: Expr) -> Expr:
    """coefficient * node, for a node that is neither a number nor itself scaled."""
    if coefficient == 1:
        return node
    if coefficient == -1:
        return intern(LIN, (node,), _MINUS)
    return intern(LIN, (node,), (0, (coefficient,)), tag_of((0, coefficient)))


_MINUS = (0, (-1,))
_PLUS_PLUS = (0, (1, 1))
_PLUS_MINUS = (0, (1, -1))


def is_scaled(node: Expr) -> bool:
    """Whether the node is coefficient * term."""
    return node.op == LIN and len(node.args) == 1 and node.value[0] == 0


def split_coefficient(node: Expr) -> tuple[Number, Expr]:
    """(c, x) with node = c * x and x free of a numeric factor."""
    if is_scaled(node):
        return node.value[1][0], node.args[0]
    if node.op == NUM:
        return node.value, ONE
    return 1, node


def add2(a: Expr, b: Expr) -> Expr:
    """a + b, with short ways for the commonest sums."""
    if a.op in _TERM:
        if b.op in _TERM and a is not b:
            return intern(LIN, (a, b) if a.key <= b.key else (b, a), _PLUS_PLUS)
        if b.op == LIN and _takes(b, a):
            return _with_term(b, a)
    elif a.op == LIN and b.op in _TERM and _takes(a, b):
        return _with_term(a, b)
    elif a is ZERO:
        return b
    return linear(0, ((a, 1), (b, 1)))


def subtract2(a: Expr, b: Expr) -> Expr:
    """a - b."""
    if a.op in _TERM and b.op in _TERM and a is not b:
        if a.key <= b.key:
            return intern(LIN, (a, b), _PLUS_MINUS)
        return _scaled(-1, intern(LIN, (b, a), _PLUS_MINUS))
    return linear(0, ((a, 1), (b, -1)))


class _AllBut(frozenset[str]):
    """A set given by what it leaves out."""

    def __contains__(self, op: object) -> bool:
        return not super().__contains__(op)
