"""Random expressions for the tests, as hypothesis strategies and as plain random trees."""

from __future__ import annotations

import random
from fractions import Fraction

from hypothesis import strategies as st

from robosym.expr import (
    Expr,
    absolute,
    add,
    atan2,
    cos,
    equal,
    exp,
    floor,
    logical_and,
    logical_not,
    maximum,
    minimum,
    mul,
    not_equal,
    number,
    parameter,
    pi,
    select,
    sign,
    sin,
    sqrt,
    tan,
    variable,
)

SYMBOLS = [variable(n) for n in ("q1", "q2", "q10")] + [parameter(n) for n in ("L1", "m", "_k")]


def symbol_by_name(name: str) -> Expr:
    """What the parser and the SymPy bridge need to find the same symbols again."""
    return {s.name: s for s in SYMBOLS}[name]


exact_numbers = st.one_of(st.integers(-9, 9), st.fractions(-9, 9, max_denominator=12))
floats = st.floats(-9, 9, allow_nan=False).map(lambda x: round(x, 3))
numbers = st.one_of(exact_numbers, floats).map(number)
leaves = st.one_of(st.sampled_from(SYMBOLS), st.sampled_from(SYMBOLS), numbers, st.just(pi))


def _smooth(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    """Operations with a derivative everywhere, and values that stay moderate."""
    pairs = st.tuples(inner, inner)
    return st.one_of(
        st.lists(inner, min_size=2, max_size=4).map(lambda xs: add(*xs)),
        st.lists(inner, min_size=2, max_size=3).map(lambda xs: mul(*xs)),
        pairs.map(lambda p: p[0] - p[1]),
        inner.map(lambda x: -x),
        st.tuples(inner, st.integers(2, 3)).map(lambda p: p[0] ** p[1]),
        pairs.map(lambda p: p[0] / (2 + p[1] ** 2)),
        inner.map(sin),
        inner.map(cos),
        inner.map(lambda x: sqrt(1 + x**2)),
        inner.map(lambda x: exp(sin(x))),
        pairs.map(lambda p: atan2(sin(p[0]), 3 + cos(p[1]))),
    )


def _rough(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    """The others: jumps, kinks and conditions."""
    pairs = st.tuples(inner, inner)
    return st.one_of(
        _smooth(inner),
        inner.map(absolute),
        inner.map(sign),
        inner.map(floor),
        inner.map(lambda x: tan(sin(x))),
        pairs.map(lambda p: minimum(*p)),
        pairs.map(lambda p: maximum(*p)),
        pairs.map(lambda p: p[0] < p[1]),
        pairs.map(lambda p: p[0] <= p[1]),
        pairs.map(lambda p: equal(*p)),
        pairs.map(lambda p: logical_and(p[0] < p[1], not_equal(*p))),
        pairs.map(lambda p: logical_not(p[0] < p[1])),
        st.tuples(inner, inner, inner).map(lambda p: select(p[0] < p[1], p[2], p[0])),
    )


smooth_expressions = st.recursive(leaves, _smooth, max_leaves=12)
expressions = st.recursive(leaves, _rough, max_leaves=12)
points = st.fixed_dictionaries({s.name: st.floats(-3, 3).map(lambda x: round(x, 6) + 0.0137) for s in SYMBOLS})


def random_association(terms: list[Expr], rng: random.Random, combine: object) -> Expr:
    """The terms combined two at a time in a random order."""
    terms = list(terms)
    while len(terms) > 1:
        i, j = sorted(rng.sample(range(len(terms)), 2))
        second = terms.pop(j)
        first = terms.pop(i)
        pair = (first, second) if rng.random() < 0.5 else (second, first)
        terms.append(combine(*pair))  # type: ignore[operator]
    return terms[0]


def random_coefficient(rng: random.Random) -> int | Fraction:
    return rng.choice([1, -1, 1, -1, 2, -3, Fraction(1, 2), Fraction(-2, 3)])
