"""The types of equations that give a joint in closed form (Paul 1981; Khalil and Dombre 2002, chapter 4).

    length       X r + Z = 0
    square       A r^2 + B r + C = 0                         two values
    one angle    X S + Y C + Z = 0                           two values, or one and its opposite where Z = 0
    two          X1 S + Y1 C + Z1 = 0, X2 S + Y2 C + Z2 = 0  one value
    quartic      A0 + A1 C + A2 S + A3 C^2 + A4 C S = 0      up to four values

A move knows how to solve for its joint: ``values`` gives, for each branch, the expressions of its atoms, whether they
exist, and whether the joint is free, as it is where all coefficients vanish.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...expr import Expr, absolute, expr, logical_and, logical_or, maximum, number, select, sqrt, text
from .polynomials import Polynomial
from .quartic import circle_roots

Solve = Callable[[str, Expr], Expr]  # names a step

# Squares of coefficients below this are zero: the joint is free, and any value serves.
FREE = 1e-20
# How far beyond its reach a pose may be, over the reach, and still count as on its edge: rounding.
EDGE = 1e-10
# Two values nearer to each other than the root of this are one.
DOUBLE = 1e-12

TRUE, FALSE = number(1), number(0)


@dataclass(frozen=True)
class Branch:
    """The atoms of a joint in one branch; ``exists`` and ``free`` are conditions."""

    atoms: dict[str, Expr]
    exists: Expr
    free: Expr


@dataclass(frozen=True, eq=False)
class Move:
    """A joint and the equation that gives it; ``coefficients`` by rows."""

    joint: str
    kind: str  # length, square, one angle, two, quartic
    coefficients: tuple[Expr, ...]
    sources: tuple[str, ...]
    polynomials: tuple[Polynomial, ...]  # each is zero
    delicate: bool = False  # its coefficients may vanish where the joint is not free, or roots may meet

    def values(self, coefficients: Sequence[Expr], step: Solve) -> list[Branch]:
        return SOLVERS[self.kind](self.joint, coefficients, step)

    @property
    def branches(self) -> int:
        return BRANCHES[self.kind]

    @property
    def equation(self) -> str:
        """For people: X S1 + Y C1 + Z = 0."""
        return ";  ".join(map(_shown, self.polynomials))


def _shown(p: Polynomial) -> str:
    terms = []
    for monomial, c in sorted(p.items(), key=lambda term: (-len(term[0]), term[0])):
        written = text(c)
        written = f"({written})" if " " in written and monomial else written
        terms.append(" ".join([*(() if written == "1" and monomial else (written,)), *monomial]))
    return " + ".join(terms).replace("+ -", "- ") + " = 0"


def _length(j: str, c: Sequence[Expr], step: Solve) -> list[Branch]:
    X, Z = c
    free = (absolute(X) < 1e-10) if X.level else FALSE
    exists = TRUE if free is FALSE else logical_or(_not(free), absolute(Z) < 1e-9)
    return [Branch({f"r{j}": step(f"r{j}", select(free, number(0), -Z / _safe(X, free)))}, exists, free)]


def _square(j: str, c: Sequence[Expr], step: Solve) -> list[Branch]:
    """r = (-B +- w) / 2A, w^2 = B^2 - 4 A C."""
    A, B, C = c
    free = (absolute(A) < 1e-10) if A.level else FALSE
    size = B * B + absolute(4 * A * C)
    square = step(f"W{j}", B * B - 4 * A * C)
    w = step(f"w{j}", sqrt(maximum(square, 0)))
    exists = square >= -EDGE * size
    below = 2 * _safe(A, free)
    return [
        Branch({f"r{j}": step(f"r{j}", (-B + w) / below)}, exists, FALSE),
        Branch({f"r{j}": step(f"r{j}", (-B - w) / below)}, logical_and(exists, square > DOUBLE * size), FALSE),
    ]


def _one_angle(j: str, c: Sequence[Expr], step: Solve) -> list[Branch]:
    """S = (-X Z +- Y w)/h, C = (-Y Z -+ X w)/h, with h = X^2 + Y^2 and w^2 = h - Z^2."""
    X, Y, Z = c
    h = step(f"h{j}", X * X + Y * Y)
    free = step(f"f{j}", h < FREE) if h.level else FALSE
    if Z.is_zero:
        inverse = step(f"i{j}", 1 / sqrt(_safe(h, free)))
        S, C = _or_zero(step(f"S{j}", Y * inverse), step(f"C{j}", -X * inverse), free)
        return [
            Branch({f"S{j}": S, f"C{j}": C}, TRUE, free),
            Branch({f"S{j}": -S, f"C{j}": -C}, _not(free), FALSE),
        ]
    square = step(f"W{j}", h - Z * Z)
    w = step(f"w{j}", sqrt(maximum(square, 0)))
    inverse = step(f"i{j}", 1 / _safe(h, free))
    exists = select(free, absolute(Z) < 1e-9, square >= -EDGE * h) if free is not FALSE else square >= -EDGE * h
    found = []
    for sign in (1, -1):
        S = step(f"S{j}", (sign * (Y * w) - X * Z) * inverse)
        C = step(f"C{j}", -(sign * (X * w) + Y * Z) * inverse)
        S, C = _or_zero(S, C, free)
        own = exists if sign > 0 else logical_and(logical_and(exists, square > DOUBLE * h), _not(free))
        found.append(Branch({f"S{j}": S, f"C{j}": C}, own, free if sign > 0 else FALSE))
    return found


def _two(j: str, c: Sequence[Expr], step: Solve) -> list[Branch]:
    """Cramer's rule; where the determinant is X^2 + Y^2 it vanishes only if the joint is free."""
    X1, Y1, Z1, X2, Y2, Z2 = c
    determinant = step(f"D{j}", X1 * Y2 - X2 * Y1)
    free = step(f"f{j}", determinant * determinant < FREE) if determinant.level else FALSE
    inverse = step(f"i{j}", 1 / _safe(determinant, free))
    S = step(f"S{j}", (Z2 * Y1 - Z1 * Y2) * inverse)
    C = step(f"C{j}", (X2 * Z1 - X1 * Z2) * inverse)
    S, C = _or_zero(S, C, free)
    return [Branch({f"S{j}": S, f"C{j}": C}, TRUE, free)]


def _quartic(j: str, c: Sequence[Expr], step: Solve) -> list[Branch]:
    return [Branch({f"S{j}": S, f"C{j}": C}, exists, FALSE) for S, C, exists in circle_roots(j, c, step)]


def _safe(x: Expr, unusable: Expr) -> Expr:
    return x if unusable is FALSE else select(unusable, number(1), x)


def _or_zero(S: Expr, C: Expr, free: Expr) -> tuple[Expr, Expr]:
    """A free angle is zero."""
    return (S, C) if free is FALSE else (select(free, number(0), S), select(free, number(1), C))


def _not(condition: Expr) -> Expr:
    return TRUE if condition is FALSE else expr(1 - condition)


SOLVERS: dict[str, Callable[[str, Sequence[Expr], Solve], list[Branch]]] = {
    "length": _length,
    "square": _square,
    "one angle": _one_angle,
    "two": _two,
    "quartic": _quartic,
}
BRANCHES = {"length": 1, "square": 2, "one angle": 2, "two": 1, "quartic": 4}
