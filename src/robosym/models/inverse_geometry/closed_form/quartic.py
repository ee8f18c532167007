"""The angles where a trigonometric polynomial of the second degree vanishes, as straight-line code.

A0 + A1 C + A2 S + A3 C^2 + A4 C S = 0 has up to four roots on the circle. With t = tan((angle - DELTA)/2) it is a
quartic, solved by Ferrari's formulas; of three DELTAS the one is taken that is farthest from an infinite t, where the
polynomial is largest. Newton's steps then take the rounding of the formulas away: on f/f', which has simple zeros also
where two roots of f meet.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ....expr import (
    Expr,
    absolute,
    acos,
    cos,
    logical_and,
    logical_or,
    maximum,
    minimum,
    number,
    power,
    select,
    sign,
    sin,
    sqrt,
)

DELTAS = (0.7391, 2.5823, -1.9047)
STEPS = 4  # of Newton's iteration
TINY = 1e-30
# A discriminant this near to zero, over its terms, may be a double root with rounding.
EDGE = 1e-5
# A root at which the polynomial is larger than this, over its coefficients, is none.
NEAR = 1e-6
# And one at which its slope is smaller than this is in doubt: another root may be near.
STEEP = 1e-4

Step = Callable[[str, Expr], Expr]


Root = tuple[Expr, Expr, Expr, Expr]


def circle_roots(j: str, c: Sequence[Expr], least: Expr, step: Step) -> list[Root]:
    """Sine, cosine, whether the root exists and whether it is in doubt, four times; all of them are in doubt if the
    coefficients are less than ``least``."""
    A0, A1, A2, A3, A4 = c
    size = step(f"z{j}", absolute(A0) + absolute(A1) + absolute(A2) + absolute(A3) + absolute(A4) + TINY)
    a0, a2, b2 = A0 + A3 / 2, A3 / 2, A4 / 2
    C1, S1, C2, S2 = _turn(j, c, step)
    turned = (a0, A1 * C1 + A2 * S1, A2 * C1 - A1 * S1, a2 * C2 + b2 * S2, b2 * C2 - a2 * S2)
    roots = quartic_roots(j, half_angle(*(step(f"p{j}", x / size) for x in turned)), step)
    vanishing = size < least
    found: list[Root] = []
    for t, exists, delicate in roots:
        below = step(f"u{j}", 1 / (1 + t * t))
        c_, s_ = (1 - t * t) * below, 2 * t * below
        C, S = step(f"C{j}", C1 * c_ - S1 * s_), step(f"S{j}", S1 * c_ + C1 * s_)
        for _ in range(STEPS):
            C, S = _newton(j, c, C, S, step)
        value = step(f"v{j}", _polynomial(c, C, S))
        flat = absolute(_slope(c, C, S)) <= STEEP * size
        exists = logical_or(logical_and(exists, absolute(value) <= NEAR * size), vanishing)
        found.append((S, C, exists, logical_or(logical_or(flat, delicate), vanishing)))
    return _without_doubles(found)


def _turn(j: str, c: Sequence[Expr], step: Step) -> tuple[Expr, ...]:
    """Cosine and sine of the best of DELTAS and of its double."""
    best = _constants(DELTAS[0])
    most = step(f"M{j}", absolute(_polynomial(c, -best[0], -best[1])))
    for delta in DELTAS[1:]:
        other = _constants(delta)
        size = step(f"M{j}", absolute(_polynomial(c, -other[0], -other[1])))
        better = size > most
        best = tuple(step(f"k{j}", select(better, a, b)) for a, b in zip(other, best, strict=True))
        most = maximum(most, size)
    return best


def _constants(delta: float) -> tuple[Expr, ...]:
    return tuple(number(f(k * delta)) for k in (1, 2) for f in (math.cos, math.sin))


def _polynomial(c: Sequence[Expr], C: Expr, S: Expr) -> Expr:
    A0, A1, A2, A3, A4 = c
    return A0 + (A1 + A3 * C + A4 * S) * C + A2 * S


def _slope(c: Sequence[Expr], C: Expr, S: Expr) -> Expr:
    _, A1, A2, A3, A4 = c
    return A2 * C - A1 * S - 2 * A3 * (C * S) + A4 * (C * C - S * S)


def _newton(j: str, c: Sequence[Expr], C: Expr, S: Expr, step: Step) -> tuple[Expr, Expr]:
    """One step along the circle: the angle changes by -f/f', a small turn."""
    _, A1, A2, A3, A4 = c
    f = step(f"g{j}", _polynomial(c, C, S))
    slope = step(f"d{j}", _slope(c, C, S))
    bend = -A2 * S - A1 * C - 2 * A3 * (C * C - S * S) - 4 * A4 * (C * S)
    below = step(f"b{j}", slope * slope - f * bend)
    small = absolute(below) < TINY
    turn = -f * slope / select(small, number(1), below)
    turn = step(f"e{j}", select(small, number(0), maximum(minimum(turn, 0.1), -0.1)))
    c_, s_ = cos(turn), sin(turn)
    return step(f"C{j}", C * c_ - S * s_), step(f"S{j}", S * c_ + C * s_)


def _without_doubles(found: list[Root]) -> list[Root]:
    """Of roots that came out equal the first counts."""
    kept: list[Root] = []
    for S, C, exists, doubtful in found:
        for s, c, other, _ in kept:
            apart = (S - s) * (S - s) + (C - c) * (C - c) > 1e-12
            exists = logical_and(exists, maximum(apart, 1 - other))
        kept.append((S, C, exists, doubtful))
    return kept


def half_angle(a0: Expr, a1: Expr, b1: Expr, a2: Expr, b2: Expr) -> tuple[Expr, ...]:
    """a0 + a1 cos + b1 sin + a2 cos 2 + b2 sin 2 as a quartic in the tangent of half the angle, highest power first."""
    return (a0 - a1 + a2, 2 * b1 - 4 * b2, 2 * a0 - 6 * a2, 2 * b1 + 4 * b2, a0 + a1 + a2)


def quartic_roots(j: str, p: Sequence[Expr], step: Step) -> list[tuple[Expr, Expr, Expr]]:
    """Ferrari: y^4 + P y^2 + Q y + R falls into two quadratics with the root m of its resolvent cubic. Each root, whether
    it exists, and whether another may be so near that rounding decides."""
    lead = select(absolute(p[0]) < 1e-12, number(1e-12), p[0])
    b, c, d, e = (step(f"q{j}", x / lead) for x in p[1:])
    P = step(f"P{j}", c - b * b * 3 / 8)
    Q = step(f"Q{j}", d - b * c / 2 + b * b * b / 8)
    R = step(f"R{j}", e - b * d / 4 + b * b * c / 16 - b * b * b * b * 3 / 256)
    m = step(f"m{j}", maximum(_resolvent(j, P, Q, R, step), TINY))
    root = step(f"n{j}", sqrt(2 * m))
    found = []
    for outer in (1, -1):
        inside = step(f"I{j}", -(2 * P + 2 * m + outer * (2 * Q / root)))
        span = EDGE * (absolute(P) + m + absolute(Q / root) + 1)
        exists, delicate = inside >= -span, absolute(inside) <= span
        w = step(f"w{j}", sqrt(maximum(inside, 0)))
        found += [(step(f"t{j}", (outer * root + inner * w) / 2 - b / 4), exists, delicate) for inner in (1, -1)]
    return found


def _resolvent(j: str, P: Expr, Q: Expr, R: Expr, step: Step) -> Expr:
    """The largest real root of m^3 + P m^2 + (P^2/4 - R) m - Q^2/8: with m = x - P/3, x^3 + 3 u x + 2 v = 0."""
    u = step(f"U{j}", -(P * P / 12 + R) / 3)
    v = step(f"V{j}", (P * R / 3 - P * P * P / 108 - Q * Q / 8) / 2)
    D = step(f"E{j}", u * u * u + v * v)
    far = step(f"F{j}", sqrt(maximum(D, 0)))
    first, second = (_cube_root(step(f"G{j}", k * far - v)) for k in (1, -1))
    size = step(f"H{j}", sqrt(maximum(-u, TINY)))
    angle = acos(maximum(minimum(-v / (size * size * size), 1), -1))
    three = 2 * size * cos(angle / 3)
    return select(D > 0, first + second, three) - P / 3


def _cube_root(x: Expr) -> Expr:
    return sign(x) * power(maximum(absolute(x), TINY), number(1) / 3)
