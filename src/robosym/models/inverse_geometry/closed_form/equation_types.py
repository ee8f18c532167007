"""The types of equations that give a joint in closed form (Paul 1981; Khalil and Dombre 2002, table 4.1).

    length       X r + Z = 0                                 type 1  one value
    one angle    X S + Y C + Z = 0                           type 2  two values; half a turn apart where Z = 0
    two          X1 S + Y1 C + Z1 = 0, X2 S + Y2 C + Z2 = 0  type 3  one value
    square       A r^2 + B r + C = 0                                 two values
    quartic      A0 + A1 C + A2 S + A3 C^2 + A4 C S = 0              up to four values (Pieper 1968)

The table's types 4 and 5 (a length and an angle) and 6 to 8 (two angles) have two unknowns: ``plan.py`` eliminates one of
them, which leaves one of the equations above.

A move knows how to solve for its joint: ``values`` gives, for each branch, the expressions of its atoms, whether they
exist, and whether they are in doubt: where all that multiplies the joint nearly vanishes, so that the equation leaves
it free, or where two values nearly meet. A value exists also a little beyond the edge of reach, so that rounding
loses none; whether it makes the pose is checked afterwards (``program.py``, ``special_poses``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ....expr import Expr, absolute, expr, logical_and, logical_or, maximum, number, select, sqrt
from ....expr.text import readable
from .polynomials import Polynomial
from .quartic import circle_roots

Solve = Callable[[str, Expr], Expr]  # names a step

# All of these are measured with the size of the arm. What multiplies a joint nearly vanishes below NEARLY, and is zero
# below ZERO: the joint is put at zero then.
NEARLY, ZERO = 1e-6, 1e-13
# Two values nearly meet, or have just ceased to exist, where the square of half their distance is below this.
FOLD = 1e-9
# Where nothing may be in doubt, two values meet below MET, of the square of what their distance may be: rounding is then more
# than a millionth of the rates of the values. What divides is zero below VANISHED: a determinant, or the length of (X, Y).
MET, VANISHED = 1e-10, 1e-7

TRUE, FALSE = number(1), number(0)


@dataclass(frozen=True)
class Size:
    """The size of the arm with the pose; ``to(d)`` is what an expression of degree d in lengths is measured with.

    ``exact``: nothing is in doubt. Values exist where they are well apart and all that divides is well away from zero, so that
    their rates are known too; elsewhere they may be no numbers.
    """

    length: Expr
    exact: bool = False

    def to(self, degree: int) -> Expr:
        return expr(self.length**degree)

    def below(self, x: Expr, bound: Expr) -> Expr:
        """Whether x is below a bound; a number never is, or the move would not have been chosen."""
        return expr(x < bound) if x.level and not self.exact else FALSE

    def root(self, square: Expr) -> Expr:
        """Of what may be a little below zero."""
        return sqrt(square if self.exact else maximum(square, 0))

    def apart(self, square: Expr, unit: Expr, vanishing: Expr) -> tuple[Expr, Expr]:
        """Whether two values exist, the square of whose distance this is, and whether that is in doubt."""
        if self.exact:
            return expr(square > MET * unit), FALSE
        return logical_or(square >= -FOLD * unit, vanishing), logical_or(absolute(square) <= FOLD * unit, vanishing)

    def usable(self, divisor: Expr, most: Expr, least: float) -> Expr:
        """Whether it may be divided by, where that is not taken care of otherwise: whether it is more than this part of what it
        is at the most. A number always may; parameters may get other values later."""
        return expr(absolute(divisor) > least * most) if self.exact and divisor.level else TRUE


@dataclass(frozen=True)
class Branch:
    """The atoms of a joint in one branch; ``exists`` and ``doubtful`` are conditions. ``miss`` is by how much the square of
    sine and cosine misses one, where that is not sure."""

    atoms: dict[str, Expr]
    exists: Expr
    doubtful: Expr
    miss: Expr = FALSE
    root: Expr = FALSE  # of X S + Y C + Z = 0: Y S - X C


@dataclass(frozen=True, eq=False)
class Move:
    """A joint and the equation that gives it; ``coefficients`` by rows, ``degrees`` in lengths of the equations."""

    joint: str
    kind: str  # length, square, one angle, two, quartic
    coefficients: tuple[Expr, ...]
    sources: tuple[str, ...]
    polynomials: tuple[Polynomial, ...]  # each is zero
    degrees: tuple[int, ...]

    def values(self, coefficients: Sequence[Expr], size: Size, step: Solve) -> list[Branch]:
        return SOLVERS[self.kind](self.joint, coefficients, self.degrees, size, step)

    @property
    def branches(self) -> int:
        return BRANCHES[self.kind]

    @property
    def equation(self) -> str:
        """As text: X S1 + Y C1 + Z = 0."""
        return ";  ".join(map(_shown, self.polynomials))


def _shown(p: Polynomial) -> str:
    terms = []
    for monomial, c in sorted(p.items(), key=lambda term: (-len(term[0]), term[0])):
        written = readable(c)
        written = f"({written})" if " " in written and monomial else written
        terms.append(" ".join([*(() if written == "1" and monomial else (written,)), *monomial]))
    return " + ".join(terms).replace("+ -", "- ") + " = 0"


Degrees = Sequence[int]


def _length(j: str, c: Sequence[Expr], degrees: Degrees, size: Size, step: Solve) -> list[Branch]:
    """Type 1: r = -Z / X."""
    X, Z = c
    unit = size.to(degrees[0] - 1)
    zero, doubtful = size.below(absolute(X), ZERO * unit), size.below(absolute(X), NEARLY * unit)
    usable = size.usable(X, unit, VANISHED)
    return [Branch({f"r{j}": step(f"r{j}", _or(zero, FALSE, -Z / _safe(X, zero)))}, usable, doubtful)]


def _square(j: str, c: Sequence[Expr], degrees: Degrees, size: Size, step: Solve) -> list[Branch]:
    """r = (-B +- w) / 2A, w^2 = B^2 - 4 A C."""
    A, B, C = c
    unit = size.to(degrees[0] - 2)
    zero, vanishing = size.below(absolute(A), ZERO * unit), size.below(absolute(A), NEARLY * unit)
    span = 4 * A * A * size.to(2)  # the values are w / A apart
    square = step(f"W{j}", B * B - 4 * A * C)
    w = step(f"w{j}", size.root(square))
    exists, doubtful = size.apart(square, span, vanishing)
    below = 2 * _safe(A, zero)
    return [Branch({f"r{j}": step(f"r{j}", (sign * w - B) / below)}, exists, doubtful) for sign in (1, -1)]


def _one_angle(j: str, c: Sequence[Expr], degrees: Degrees, size: Size, step: Solve) -> list[Branch]:
    """Type 2: S = (-X Z +- Y w)/h, C = (-Y Z -+ X w)/h, with h = X^2 + Y^2 and w^2 = h - Z^2."""
    X, Y, Z = c
    h = step(f"h{j}", X * X + Y * Y)
    unit = size.to(2 * degrees[0])
    zero, vanishing = size.below(h, ZERO**2 * unit), size.below(h, NEARLY**2 * unit)
    if Z.is_zero:
        inverse = step(f"i{j}", 1 / sqrt(_safe(h, zero)))
        S, C = _or_zero(step(f"S{j}", Y * inverse), step(f"C{j}", -X * inverse), zero)
        usable = size.usable(h, unit, VANISHED**2)
        return [
            Branch({f"S{j}": sign * S, f"C{j}": sign * C}, usable, vanishing, root=sign * sqrt(h)) for sign in (1, -1)
        ]
    Z = step(f"Z{j}", Z) if size.exact else Z
    square = step(f"W{j}", h - Z * Z)
    w = step(f"w{j}", size.root(square))
    inverse = step(f"i{j}", 1 / _safe(h, zero))
    exists, doubtful = size.apart(square, h, vanishing)
    usable = size.usable(h, unit, VANISHED**2)
    exists = exists if usable is TRUE else logical_and(exists, usable)
    found = []
    for sign in (1, -1):
        S = step(f"S{j}", (sign * (Y * w) - X * Z) * inverse)
        C = step(f"C{j}", -(sign * (X * w) + Y * Z) * inverse)
        S, C = _or_zero(S, C, zero)
        found.append(Branch({f"S{j}": S, f"C{j}": C}, exists, doubtful, root=sign * w))
    return found


def _two(j: str, c: Sequence[Expr], degrees: Degrees, size: Size, step: Solve) -> list[Branch]:
    """Type 3, by Cramer's rule."""
    X1, Y1, Z1, X2, Y2, Z2 = c
    determinant = step(f"D{j}", X1 * Y2 - X2 * Y1)
    unit = size.to(sum(degrees))
    zero, doubtful = size.below(absolute(determinant), ZERO * unit), size.below(absolute(determinant), NEARLY * unit)
    inverse = step(f"i{j}", 1 / _safe(determinant, zero))
    S = step(f"S{j}", (Z2 * Y1 - Z1 * Y2) * inverse)
    C = step(f"C{j}", (X2 * Z1 - X1 * Z2) * inverse)
    S, C = _or_zero(S, C, zero)
    usable = size.usable(determinant, unit, VANISHED)
    return [Branch({f"S{j}": S, f"C{j}": C}, usable, doubtful, absolute(S * S + C * C - 1))]


def _quartic(j: str, c: Sequence[Expr], degrees: Degrees, size: Size, step: Solve) -> list[Branch]:
    return [
        Branch({f"S{j}": S, f"C{j}": C}, exists, doubtful)
        for S, C, exists, doubtful in circle_roots(j, c, NEARLY * size.to(degrees[0]), step)
    ]


def _safe(x: Expr, unusable: Expr) -> Expr:
    return x if unusable is FALSE else select(unusable, number(1), x)


def _or(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    return otherwise if condition is FALSE else select(condition, then, otherwise)


def _or_zero(S: Expr, C: Expr, zero: Expr) -> tuple[Expr, Expr]:
    """An angle that the equation leaves free is zero."""
    return _or(zero, number(0), S), _or(zero, number(1), C)


SOLVERS: dict[str, Callable[[str, Sequence[Expr], Degrees, Size, Solve], list[Branch]]] = {
    "length": _length,
    "square": _square,
    "one angle": _one_angle,
    "two": _two,
    "quartic": _quartic,
}
BRANCHES = {"length": 1, "square": 2, "one angle": 2, "two": 1, "quartic": 4}
