"""Sines and cosines in canonical form: exact at multiples of pi/2, pi/4 and pi/6, turns and signs out of the angle."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from .algebra import (
    ONE,
    ZERO,
    ExprLike,
    divide,
    expr,
    is_scaled,
    linear,
    mul,
    negate,
    number,
    pi,
    split_coefficient,
    split_sign,
    subtract2,
)
from .functions import apply, sqrt
from .node import CONST, LIN, NUM, Expr, ExprError, Number, intern

_HALF = Fraction(1, 2)

# The values at k pi, 0 < k <= 1/4, that are short radicals.
_EXACT: Mapping[str, Mapping[Fraction, Expr]] = {
    "sin": {Fraction(1, 6): number(_HALF), Fraction(1, 4): mul(sqrt(2), _HALF)},
    "cos": {Fraction(1, 6): mul(sqrt(3), _HALF), Fraction(1, 4): mul(sqrt(2), _HALF)},
}


def sin(angle: ExprLike) -> Expr:
    """The sine; sin(q + pi/2) is cos(q), sin(-q) is -sin(q)."""
    angle = expr(angle)
    if angle.op == "angle":
        return angle.args[0]
    if angle.op not in _SPLITS:
        return intern("sin", (angle,))
    negated, quarters, rest = _split_angle(angle)
    value = _value("cos" if quarters % 2 else "sin", rest)
    return negate(value) if (quarters % 4 >= 2) != negated else value


def cos(angle: ExprLike) -> Expr:
    """The cosine; cos(q + pi/2) is -sin(q), cos(-q) is cos(q)."""
    angle = expr(angle)
    if angle.op == "angle":
        return angle.args[1]
    if angle.op not in _SPLITS:
        return intern("cos", (angle,))
    _, quarters, rest = _split_angle(angle)
    value = _value("sin" if quarters % 2 else "cos", rest)
    return negate(value) if quarters % 4 in (1, 2) else value


def tan(angle: ExprLike) -> Expr:
    """The tangent; refused where it is infinite."""
    angle = expr(angle)
    negated, quarters, rest = _split_angle(angle)
    if rest is ZERO or (is_scaled(rest) and _turns(rest) in _EXACT["sin"]):
        below = cos(angle)
        if below is ZERO:
            raise ExprError(f"tan({angle}) is infinite")
        return divide(sin(angle), below)
    value = apply("tan", rest)
    if quarters % 2:
        value = divide(-1, value)
    return negate(value) if negated else value


_SPLITS = frozenset((LIN, NUM, CONST))  # the kinds of angle that may hold a sign or a turn


def _split_angle(angle: Expr) -> tuple[bool, int, Expr]:
    """(negated, quarters, rest) with angle = +-(rest + quarters pi/2), rest of positive sign and without quarters."""
    if angle.op == LIN and any(term.op == LIN for term in angle.args):
        angle = _multiplied_out(angle)
    negated = _is_negative(angle)
    if negated:
        angle = negate(angle)
    turns = _turns(angle)
    if not turns:
        return negated, 0, angle
    # Beside a symbol the rest keeps between 0 and pi/2 of pi, alone between -pi/4 and pi/4 and then loses its sign.
    alone = angle is pi or angle.args[0] is pi
    quarters = math.floor(2 * turns + _HALF) if alone else math.floor(2 * turns)
    rest = linear(0, ((angle, 1), (pi, -Fraction(quarters, 2))))
    return (not negated, -quarters, negate(rest)) if _is_negative(rest) else (negated, quarters, rest)


def _is_negative(angle: Expr) -> bool:
    coefficient, _ = split_coefficient(angle)
    return coefficient < 0


def _turns(angle: Expr) -> Fraction | None:
    """How many half turns (multiples of pi) stand in the angle; None when that is not exact."""
    if angle is pi:
        return Fraction(1)
    if angle.op != LIN or pi not in angle.args:
        return None
    turns = Fraction(angle.value[1][angle.args.index(pi)])
    inexact = type(angle.value[1][angle.args.index(pi)]) is float and turns.denominator > 4
    return None if inexact else turns


def _multiplied_out(angle: Expr) -> Expr:
    """2*(q + pi/2) as 2*q + pi, so that equal angles are one and turns are seen."""
    constant: Number = 0
    terms: list[tuple[Expr, Number]] = []
    stack: list[tuple[Expr, Number]] = [(angle, 1)]
    while stack:
        node, factor = stack.pop()
        if node.op == LIN:
            constant += factor * node.value[0]
            stack += [(term, factor * c) for term, c in zip(node.args, node.value[1], strict=True)]
        else:
            terms.append((node, factor))
    return linear(constant, terms)


def _value(name: str, rest: Expr) -> Expr:
    """sin or cos of an angle without quarter turns."""
    if rest is ZERO:
        return ZERO if name == "sin" else ONE
    if rest.op == "angle":
        return rest.args[0 if name == "sin" else 1]
    known = _known_angle(rest) if rest.op == LIN else None
    if known is not None:
        (S, C), coefficient, others = known
        s, c = sin(others), cos(others)
        if name == "sin":
            return s * C + coefficient * (c * S)
        return c * C - coefficient * (s * S)
    turns = _turns(rest) if is_scaled(rest) else None
    exact = None if turns is None else _EXACT[name].get(turns)
    return apply(name, rest) if exact is None else exact


def _known_angle(angle: Expr) -> tuple[tuple[Expr, ...], int, Expr] | None:
    """The sine and cosine of a term of a sum that are known, the sign of the term, and the rest of the sum."""
    for term, coefficient in zip(angle.args, angle.value[1], strict=True):
        if term.op == "angle" and coefficient in (1, -1):
            return term.args, int(coefficient), linear(0, ((angle, 1), (term, -coefficient)))
    return None


def angle(sine: ExprLike, cosine: ExprLike) -> Expr:
    """The angle that has these for its sine and cosine, the squares of which add up to one: they are not computed again.

    Of the sine and the cosine of an angle it is that angle, whole turns apart.
    """
    sine, cosine = expr(sine), expr(cosine)
    known = _from_both(sine, cosine)
    return intern("angle", (sine, cosine)) if known is None else known


def _from_both(sine: Expr, cosine: Expr) -> Expr | None:
    """The angle, if both are a sine and a cosine of one, in either order and with any sign."""
    (s, first), (c, second) = split_sign(sine), split_sign(cosine)
    if {first.op, second.op} != {"sin", "cos"} or first.args != second.args:
        return None
    (x,) = first.args
    if first.op == "cos":  # cos(x) = sin(pi/2 - x) and sin(x) = cos(pi/2 - x)
        x = linear(0, ((pi, _HALF), (x, -1)))
    if c < 0:  # sin(x) = sin(pi - x) and -cos(x) = cos(pi - x)
        x = linear(0, ((pi, 1), (x, -1)))
    return x if s > 0 else linear(0, ((x, -1),))


# --- inverse functions -----------------------------------------------------------------------------------------------

_EXACT_ASIN: Mapping[Number, Expr] = {0: ZERO, _HALF: divide(pi, 6), 1: divide(pi, 2)}
_EXACT_ATAN: Mapping[Number, Expr] = {0: ZERO, 1: divide(pi, 4)}


def asin(x: ExprLike) -> Expr:
    """The angle between -pi/2 and pi/2 with this sine."""
    return _odd("asin", expr(x), _EXACT_ASIN)


def acos(x: ExprLike) -> Expr:
    """The angle between 0 and pi with this cosine."""
    x = expr(x)
    if x.op == NUM and abs(x.value) in _EXACT_ASIN:
        return subtract2(divide(pi, 2), asin(x))
    return apply("acos", x)


def atan(x: ExprLike) -> Expr:
    """The angle between -pi/2 and pi/2 with this tangent."""
    return _odd("atan", expr(x), _EXACT_ATAN)


def _odd(name: str, x: Expr, exact: Mapping[Number, Expr]) -> Expr:
    """A function with f(-x) = -f(x), and its exact values for x >= 0."""
    if _is_negative(x):
        return negate(_odd(name, negate(x), exact))
    return exact[x.value] if x.op == NUM and x.value in exact else apply(name, x)


def atan2(y: ExprLike, x: ExprLike) -> Expr:
    """The angle of the point (x, y), between -pi and pi; atan2(0, 0) = 0."""
    y, x = expr(y), expr(x)
    if y.op == NUM and x.op == NUM and (0 in (x.value, y.value) or abs(x.value) == abs(y.value)):
        eighths = round(4 / math.pi * math.atan2(y.value, x.value))
        return linear(0, ((pi, Fraction(eighths, 4)),))
    return apply("atan2", y, x)
