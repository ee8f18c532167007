"""Exact numbers as floats: sums off-line are exact, what a program holds are doubles."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ulp
from operator import is_

from .algebra import number, sum_of_terms
from .node import LIN, NUM, Expr, Number
from .walk import transform

# A fraction with a longer denominator than this was not written by a person: it is the exact value of a double.
LONGEST_WRITTEN = 24  # bits
# Digits of a decimal that was computed, and of one that a person may have written.
MANY_DIGITS, FEW_DIGITS = 15, 10


def in_floats(roots: Sequence[Expr]) -> list[Expr]:
    """The expressions with the nearest double in the place of every exact number of many digits."""
    return transform(roots, rounded)


def rounded(node: Expr) -> Expr | None:
    """A node with its own numbers as doubles, plain where they can be; None if all of them are."""
    if node.op == NUM:
        double = plain_double(node.value)
        return None if double is node.value else number(double)
    if node.op == LIN:
        constant, coefficients = node.value
        doubles = list(map(plain_double, (constant, *coefficients)))
        if not all(map(is_, doubles, (constant, *coefficients))):
            return sum_of_terms(doubles[0], node.args, doubles[1:])
    return None


def plain_double(value: Number) -> Number:
    """A double for an exact number of many digits, and for a double the decimal of few digits that it misses by its last two
    roundings at most: 1e-14 for 9.999999999999998e-15."""
    if type(value) is Fraction and value.denominator.bit_length() > LONGEST_WRITTEN:
        value = float(value)
    if type(value) is not float or _digits(value) < MANY_DIGITS:
        return value
    short = float(f"{value:.{FEW_DIGITS}g}")
    return short if abs(short - value) <= 2 * ulp(value) else value


def _digits(value: float) -> int:
    return len(repr(value).partition("e")[0].replace(".", "").strip("-0"))
