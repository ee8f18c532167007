"""Trigonometric polynomials in a form that is unique, and then as people write them.

Products of sines and cosines become sums (cos a cos b = cos(a - b)/2 + cos(a + b)/2, ...), so that equal polynomials have
equal terms and everything cancels that can. For people, two terms of the same size become a product again:
1/2 - cos(2 a)/2 is sin(a)^2, and cos(q3) + cos(2 q2 + q3) is 2 cos(q2) cos(q2 + q3).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations
from math import prod

from .algebra import ONE, linear, mul, number, power_product, split_coefficient
from .node import LIN, PROD, STEP, VARIABLE, Expr, ExprError, Number
from .trig import cos, sin
from .walk import postorder

# coefficient of (monomial, sine or cosine); the monomial is a product of symbols, either may be 1
Polynomial = dict[tuple[Expr, Expr], Number]


class TooManyTermsError(ExprError):
    """A polynomial that would not end: more terms than were allowed."""


def expanded(roots: Sequence[Expr], most_terms: int | None = None) -> list[Expr]:
    """Each root as a sum of products, shortest where terms join; an error if one has more terms than ``most_terms``."""
    done: dict[Expr, Polynomial] = {}
    for node in postorder(roots):
        args = [done[a] for a in node.args]
        if most_terms is not None and _terms_of(node, args) > most_terms:
            raise TooManyTermsError(f"more than {most_terms} terms when written out: {node!r}")
        done[node] = _polynomial(node, args)
    return [_written(done[root]) for root in roots]


def _terms_of(node: Expr, args: list[Polynomial]) -> int:
    """How many terms a node may have, before any cancel."""
    if node.op == LIN:
        return sum(map(len, args)) + 1
    if node.op == PROD:
        return prod(len(p) ** abs(e) for p, e in zip(args, node.value, strict=True))
    return 1


# --- into the unique form ---------------------------------------------------------------------------------------------


def _polynomial(node: Expr, args: list[Polynomial]) -> Polynomial:
    if node.op == STEP:
        return args[0]
    if node.op in ("sin", "cos") and node.level == VARIABLE:
        return {(ONE, node): 1}
    if node.op == LIN:
        constant, coefficients = node.value
        scaled = [_scaled(p, c) for p, c in zip(args, coefficients, strict=True)]
        return _sum([{(ONE, ONE): constant}, *scaled])
    if node.op == PROD and all(e > 0 for e in node.value):
        return reduce(_product, [p for p, e in zip(args, node.value, strict=True) for _ in range(e)])
    if node.level == VARIABLE and node.args:
        raise ExprError(f"cannot be written out as a polynomial: {node!r}")
    coefficient, rest = split_coefficient(node)
    return {(rest, ONE): coefficient}


def _sum(polynomials: Iterable[Polynomial]) -> Polynomial:
    total: Polynomial = {}
    for polynomial in polynomials:
        for key, c in polynomial.items():
            total[key] = total.get(key, 0) + c
    return {key: c for key, c in total.items() if c != 0}


def _scaled(p: Polynomial, factor: Number) -> Polynomial:
    return {key: c * factor for key, c in p.items()}


def _product(p: Polynomial, q: Polynomial) -> Polynomial:
    return _sum(
        {(mul(m, n), t): a * b * c}
        for (m, u), a in p.items()
        for (n, v), b in q.items()
        for t, c in _trig_product(u, v)
    )


def _trig_product(u: Expr, v: Expr) -> list[tuple[Expr, Number]]:
    """The product of two sines or cosines (or 1) as a sum."""
    if u is ONE or v is ONE:
        return [(v if u is ONE else u, 1)]
    if u.op == "cos" and v.op == "sin":
        u, v = v, u
    a, b = u.args[0], v.args[0]
    if u.op == v.op:  # cc = (cos(a - b) + cos(a + b))/2, ss = (cos(a - b) - cos(a + b))/2
        halves = [(cos(a - b), 1), (cos(a + b), 1 if u.op == "cos" else -1)]
    else:  # sc = (sin(a - b) + sin(a + b))/2
        halves = [(sin(a - b), 1), (sin(a + b), 1)]
    found = []
    for value, size in halves:
        coefficient, core = split_coefficient(value)
        if coefficient != 0:
            found.append((core, coefficient * size * _HALF))
    return found


_HALF = Fraction(1, 2)


# --- and back, for people ---------------------------------------------------------------------------------------------


def _written(p: Polynomial) -> Expr:
    by_monomial: dict[Expr, dict[Expr, Number]] = {}
    for (monomial, trig), c in p.items():
        by_monomial.setdefault(monomial, {})[trig] = c
    terms = [(mul(monomial, factor), c) for monomial, trigs in by_monomial.items() for factor, c in _joined(trigs)]
    if len(terms) < 2:
        return linear(0, terms)
    size: Number = max(terms[0][1], -terms[0][1])
    if any(abs(c) != size for _, c in terms):
        size = 1
    common = _common([term for term, _ in terms])
    inverse = [(base, -e) for base, e in common.items()]
    signed = [(term, c if size == 1 else 1 if c > 0 else -1) for term, c in terms]
    inside = linear(0, [(power_product([(term, 1), *inverse]), c) for term, c in signed])
    return power_product([(inside, 1), *common.items()], size)


def _common(terms: list[Expr]) -> dict[Expr, int]:
    """The factors every term holds, with their least power: -G3 (... + ...)."""
    powers = [dict(zip(t.args, t.value, strict=True)) if t.op == PROD else {t: 1} for t in terms]
    return {base: min(p[base] for p in powers) for base in powers[0] if all(p.get(base, 0) > 0 for p in powers)}


def _joined(trigs: dict[Expr, Number]) -> list[tuple[Expr, Number]]:
    """Terms of the same size pairwise as products, and 2 sin(a) cos(a) for sin(2 a)."""
    left = dict(trigs)
    found: list[tuple[Expr, Number]] = []
    for one, other in combinations(sorted(trigs, key=lambda t: t.key), 2):
        if one in left and other in left and abs(left[one]) == abs(left[other]):
            product = _pair(one, left[one], other, left[other])
            if product is not None:
                found.append(product)
                del left[one], left[other]
    for trig, c in left.items():
        half = _half(trig.args[0]) if trig.op == "sin" else None
        found.append((trig, c) if half is None else (mul(sin(half), cos(half)), 2 * c))
    return [(core, size * c) for (factor, c) in found for size, core in [split_coefficient(factor)]]


def _pair(one: Expr, c: Number, other: Expr, d: Number) -> tuple[Expr, Number] | None:
    """c one + d other as a product, |c| = |d|; None when half of a joint angle would appear. 1 is cos(0)."""
    kinds = {one.op if one is not ONE else "cos", other.op if other is not ONE else "cos"}
    a, b = (number(0) if t is ONE else t.args[0] for t in (one, other))
    mean, difference = _half(a + b), _half(a - b)
    if len(kinds) > 1 or mean is None or difference is None:
        return None
    first, second = {
        ("cos", True): (cos(mean), cos(difference)),
        ("cos", False): (sin(mean), -sin(difference)),
        ("sin", True): (sin(mean), cos(difference)),
        ("sin", False): (cos(mean), sin(difference)),
    }[kinds.pop(), c == d]
    return mul(first, second), 2 * c


def _half(angle: Expr) -> Expr | None:
    """Half of an angle, if it has whole multiples of the joint angles only."""
    coefficient, core = split_coefficient(angle)
    if core.op == LIN and coefficient in (1, -1):
        constant, numbers = core.value
        whole = constant == 0 and all(isinstance(x, int) and x % 2 == 0 for x in numbers)
        return (
            linear(0, [(t, coefficient * (x // 2)) for t, x in zip(core.args, numbers, strict=True)]) if whole else None
        )
    if isinstance(coefficient, int) and coefficient % 2 == 0:
        return core * (coefficient // 2)
    return None
