"""Doubles that are those of exact constants: sqrt(3)/2, sin(pi/5), pi/7.

Programs hold sines and cosines of constant angles as doubles, which costs nothing when they run. To read, and for computer
algebra, the constant that a double stands for says more. Only a double with all its digits is looked up, and it has to be that of
the constant to the last digit or the one before: a decimal that a person wrote is none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import gcd

from .algebra import mul, number, pi
from .functions import sqrt
from .node import Expr, Number
from .trig import sin

LARGEST = 12  # of the whole numbers in a factor p/q
ROOTS = (2, 3, 5, 6)
PARTS = (5, 7, 8, 9, 10, 12, 14, 18)  # of half a turn: sin(k pi/n), of which cosines are others
FEWEST_DIGITS = 14  # of a double that no person wrote


@dataclass(frozen=True)
class Exact:
    """factor * pi, factor * sqrt(of) or factor * sin(of * pi)."""

    factor: Fraction
    core: str  # "pi", "sqrt" or "sin"
    of: Fraction = Fraction(1)

    @property
    def expr(self) -> Expr:
        """As an expression, in which nothing is rounded."""
        core = pi if self.core == "pi" else sqrt(number(self.of)) if self.core == "sqrt" else sin(mul(self.of, pi))
        return mul(self.factor, core)

    @property
    def value(self) -> float:
        if self.core == "pi":
            return float(self.factor) * math.pi
        core = math.sqrt(self.of) if self.core == "sqrt" else math.sin(float(self.of) * math.pi)
        return float(self.factor.numerator) * core / float(self.factor.denominator)


def exact(value: Number) -> Exact | None:
    """The constant that a double is, if it is one."""
    if type(value) is not float or len(repr(abs(value)).partition("e")[0].strip("0.")) < FEWEST_DIGITS:
        return None
    size = abs(value)
    known = _table()
    for near in (size, math.nextafter(size, 0.0), math.nextafter(size, math.inf)):
        if near in known:
            one = known[near]
            return one if value > 0 else Exact(-one.factor, one.core, one.of)
    return None


@cache
def _table() -> dict[float, Exact]:
    """By their doubles; the plainest of those that are equal."""
    cores = [("pi", Fraction(1)), *(("sqrt", Fraction(n)) for n in ROOTS)]
    cores += [("sin", Fraction(k, n)) for n in PARTS for k in range(1, n // 2 + 1) if gcd(k, n) == 1]
    places = range(1, LARGEST + 1)
    factors = sorted((p + q, q, Fraction(p, q)) for p in places for q in places if gcd(p, q) == 1)
    known: dict[float, Exact] = {}
    for *_, factor in factors:
        for core, of in cores:
            one = Exact(factor, core, of)
            known.setdefault(one.value, one)
    return known
