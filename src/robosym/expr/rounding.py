"""Exact numbers as floats: sums off-line are exact, what a program holds are doubles."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .algebra import number, sum_of_terms
from .node import LIN, NUM, Expr, Number
from .walk import transform

# A fraction with a longer denominator than this was not written by a person: it is the exact value of a double.
LONGEST_WRITTEN = 24  # bits


def in_floats(roots: Sequence[Expr]) -> list[Expr]:
    """The expressions with the nearest double in the place of every exact number of many digits."""
    return transform(roots, rounded)


def rounded(node: Expr) -> Expr | None:
    """A node with its own numbers as doubles; None if none of them is long."""
    if node.op == NUM:
        return number(float(node.value)) if _is_long(node.value) else None
    if node.op == LIN:
        constant, coefficients = node.value
        if any(map(_is_long, (constant, *coefficients))):
            return sum_of_terms(_double(constant), node.args, [_double(c) for c in coefficients])
    return None


def _is_long(value: Number) -> bool:
    return type(value) is Fraction and value.denominator.bit_length() > LONGEST_WRITTEN


def _double(value: Number) -> Number:
    return float(value) if _is_long(value) else value
