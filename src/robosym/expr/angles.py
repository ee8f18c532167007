"""Sums of angles: cos(q2) cos(q3) - sin(q2) sin(q3) is cos(q2 + q3), wherever it hides in a sum.

The pairs of terms may carry a common factor and a common coefficient, and the result of one joining takes part in the
next, so a chain of parallel axes joins into one angle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from .algebra import OPEN_LIMIT, add, linear, mul, mul2, power_product, subtract2
from .node import LIN, PROD, Expr, Number
from .trig import cos, sin
from .walk import transform


class _Rule(NamedTuple):
    """first(a, b) + sign * second(a, b) = result(a, b); a pair such as ("sin", "cos") stands for sin(a) cos(b)."""

    first: tuple[str, str]
    second: tuple[str, str]
    sign: int
    result: Callable[[Expr, Expr], Expr]


_RULES = (
    _Rule(("cos", "cos"), ("sin", "sin"), +1, lambda a, b: cos(subtract2(a, b))),  # cc + ss = cos(a - b); 1 if a = b
    _Rule(("cos", "cos"), ("sin", "sin"), -1, lambda a, b: cos(add(a, b))),  # cc - ss = cos(a + b)
    _Rule(("sin", "cos"), ("cos", "sin"), +1, lambda a, b: sin(add(a, b))),  # sc + cs = sin(a + b)
    _Rule(("sin", "cos"), ("cos", "sin"), -1, lambda a, b: sin(subtract2(a, b))),  # sc - cs = sin(a - b)
)


class _Pair(NamedTuple):
    """A term seen as rest * f(a) * g(b), the angles a and b in structural order."""

    rest: Expr
    a: Expr
    b: Expr
    functions: tuple[str, str]


def join_angles(roots: Sequence[Expr], double: bool = False) -> list[Expr]:
    """The roots with products of sines and cosines joined into functions of sums of angles, until nothing changes.

    ``double`` also writes 2 sin(a) cos(a) as sin(2 a), which trades multiplications for another angle.
    """
    roots = list(roots)
    while True:
        joined = transform(roots, lambda node: _joined_sum(node, double))
        if all(new is old for new, old in zip(joined, roots, strict=True)):
            return joined
        roots = joined


def _joined_sum(node: Expr, double: bool) -> Expr | None:
    """A sum with its pairs of terms joined; a product or scaled product with its double angles."""
    while node.op == LIN:
        joined = _join_once(node)
        if joined is node:
            break
        node = joined
    if double and node.op == PROD:
        return _double_angle(node)
    return node


def _join_once(node: Expr) -> Expr:
    """Join disjoint pairs of terms, in structural order."""
    constant, coefficients = node.value
    size: dict[Expr, Number] = dict(zip(node.args, coefficients, strict=True))
    terms_of: dict[_Pair, Expr] = {pair: term for term in node.args for pair in _pairs(term)}
    if len(terms_of) < 2:
        return node
    new: list[tuple[Expr, Number]] = []
    for pair, term in terms_of.items():
        for rule in _RULES:
            if pair.functions != rule.first or term not in size:
                continue
            other = terms_of.get(pair._replace(functions=rule.second))
            if other is not None and other is not term and size.get(other) == rule.sign * size[term]:
                new.append((mul2(pair.rest, rule.result(pair.a, pair.b)), size.pop(term)))
                del size[other]
    return linear(constant, [*size.items(), *new]) if new else node


def _pairs(term: Expr) -> Iterator[_Pair]:
    """Every way to see a term as rest * f(a) * g(b) with sines and cosines f and g."""
    if term.op != PROD or len(term.args) > OPEN_LIMIT:
        return
    factors = list(zip(term.args, term.value, strict=True))
    trig = [(base, e) for base, e in factors if base.op in ("sin", "cos") and e > 0]
    for i, (first, exponent) in enumerate(trig):
        for second, _ in trig[i if exponent > 1 else i + 1 :]:
            rest = power_product([*factors, (first, -1), (second, -1)])
            if first.args[0].key > second.args[0].key:
                yield _Pair(rest, second.args[0], first.args[0], (second.op, first.op))
            else:
                yield _Pair(rest, first.args[0], second.args[0], (first.op, second.op))


def _double_angle(node: Expr) -> Expr:
    """sin(a) cos(a) = sin(2 a) / 2, for the first such pair in a product."""
    for pair in _pairs(node):
        if pair.a is pair.b and pair.functions[0] != pair.functions[1]:
            return mul(pair.rest, sin(linear(0, [(pair.a, 2)])), Fraction(1, 2))
    return node
