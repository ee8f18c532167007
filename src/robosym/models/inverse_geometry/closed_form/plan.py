"""The search for a closed form (Paul 1981): one joint after the other, from the equation that gives it best.

Equations in one unknown come first: those with one value before those with two. Where there is none, an angle is
eliminated from two equations in two unknowns, which are of the first degree in its sine and cosine:

    a1 C + b1 S + g1 = 0,  a2 C + b2 S + g2 = 0

If a and b are known, C and S follow and C^2 + S^2 = 1; if they turn with the other unknown, (a2, b2) = k (a1, b1) +
l (-b1, a1), the squares add up: a1^2 + b1^2 = g1^2 + ((g2 - k g1)/l)^2. Either way an
equation in the other unknown is left, of the second degree. A length follows from the equation of the first degree. Two or three
lengths that are left when all angles are known follow from a linear system (``lengths``). The types 4 to 8 of Khalil and Dombre 2002, table 4.1, which have two unknowns, are solved this way.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from ....expr import CONSTANT, VARIABLE, Expr, count, evaluate, number
from ....expr.generic import negligible
from ....robot import RobotError
from ....robot.problems import Problem
from ..chain.chain import Chain
from ..chain.random_positions import Sample, samples, symbol_of
from ..chain.task import Task
from .equation_types import Move
from .equations import Equation, equations, pruned
from .group_matrices import Known
from .lengths import length_equations
from .polynomials import Monomial, Polynomial, product, reduced, scaled, split, total, unknowns

# Of the equations in one unknown this many, the cheapest, are tried in pairs.
MOST_ROWS = 12
# And of the pairs of equations in the same two unknowns this many, the shortest.
MOST_PAIRS = 15


@dataclass(frozen=True)
class Plan:
    """The moves in their order: a solution tree in which a move of several values is a fork."""

    chain: Chain
    task: Task
    moves: tuple[Move, ...]


class NoClosedFormError(RobotError):
    """The equations of this arm give no closed form."""


def plan_of(chain: Chain, task: Task, quartics: bool = True) -> Plan:
    """The moves that solve a chain; without ``quartics`` only those of Paul's types."""
    tried = samples(chain)
    known: dict[str, Expr] = {}
    moves: list[Move] = []
    waiting = {str(joint.number) for joint in chain.joints}
    while waiting:
        move = _next(chain, Known(known), tried, task, quartics)
        if move is None:
            names = ", ".join(chain.joints[int(j) - 1].name for j in sorted(waiting))
            problem = f"no equation gives any of the joints {names} in closed form (method 'general' may)"
            raise NoClosedFormError([Problem("method", problem)], chain.robot.name)
        moves.append(move)
        waiting.remove(move.joint)
        prismatic = chain.joints[int(move.joint) - 1].prismatic
        known |= {name + move.joint: symbol_of(name + move.joint) for name in (("r",) if prismatic else ("S", "C"))}
    return Plan(chain, task, tuple(moves))


def _next(chain: Chain, known: Known, tried: Sequence[Sample], task: Task, quartics: bool) -> Move | None:
    """The best move from the equations in one unknown; else of lengths that come together; else from the equations in two
    unknowns; else from those seen from the end too."""
    move = _best(equations(chain, known, tried, task, 1), tried, quartics)
    if move is None:
        move = _best(list(length_equations(chain, known, tried, task)), tried, quartics)
    if move is not None:
        return move
    found = equations(chain, known, tried, task)
    move = _best(found, tried, quartics)
    if move is None and task == "pose":
        move = _best([*found, *equations(chain, known, tried, task, mirrored=True)], tried, quartics)
    return move


def _best(found: Sequence[Equation], tried: Sequence[Sample], quartics: bool) -> Move | None:
    """One value before two, two before four; then what is best conditioned; then what costs least."""
    single = [one for one in found if len(one.unknowns) == 1]
    candidates = [*_unique(single, tried), *_forked(single, tried)]
    if not candidates:
        pairs = [one for one in found if len(one.unknowns) == 2]
        candidates = [*_forked(list(_eliminated(pairs, tried)), tried)]
    candidates = [one for one in candidates if quartics or one[1].kind != "quartic"]
    return min(
        candidates, key=lambda one: (one[0], one[1].joint, [c.key for c in one[1].coefficients]), default=(0, None)
    )[1]


Parts = dict[Monomial, Polynomial]
Ranked = tuple[tuple[int, int, int], Move]


def _unique(single: Sequence[Equation], tried: Sequence[Sample]) -> Iterator[Ranked]:
    """Moves with one value: a length, or an angle from two equations."""
    for one in single:
        (j,) = one.unknowns
        p = one.polynomial
        if set(p) <= {(f"r{j}",), ()}:
            X, Z = p[f"r{j}",], p.get((), number(0))
            if _bounded([X], tried):
                # where a coefficient that moves vanishes, the length is not found
                rank = (1, 0 if X.level < VARIABLE else 3, _cost(X, Z))
                yield rank, Move(j, "length", (X, Z), (one.source,), (p,), (one.degree,))
    for j in sorted({j for one in single for j in one.unknowns}):
        rows = [
            _Row(one, row_of(one.polynomial, j), tried)
            for one in single
            if one.unknowns == {j} and _is_first_degree(one)
        ]
        rows.sort(key=lambda row: (not row.constant, row.cost))  # those with constant coefficients never fail
        for first, second in combinations(rows[:MOST_ROWS], 2):
            quality = _quality(first, second)
            if quality is not None:
                sources = (first.equation.source, second.equation.source)
                polynomials = (first.equation.polynomial, second.equation.polynomial)
                degrees = (first.equation.degree, second.equation.degree)
                move = Move(j, "two", (*first.entries, *second.entries), sources, polynomials, degrees)
                yield (1, quality, first.cost + second.cost), move


def _forked(single: Sequence[Equation], tried: Sequence[Sample]) -> Iterator[Ranked]:
    """Moves with several values."""
    for one in single:
        (j,) = one.unknowns
        p = one.polynomial
        if _is_first_degree(one):
            X, Y, Z = row_of(one.polynomial, j)
            if _bounded([X, Y], tried):
                yield (
                    (2, 0 if Z.is_zero else 1, _cost(X, Y, Z)),
                    Move(j, "one angle", (X, Y, Z), (one.source,), (p,), (one.degree,)),
                )
        elif set(p) <= {(f"r{j}", f"r{j}"), (f"r{j}",), ()}:
            c = tuple(p.get(key, number(0)) for key in ((f"r{j}", f"r{j}"), (f"r{j}",), ()))
            if _bounded([c[0]], tried):
                yield (2, 1, _cost(*c)), Move(j, "square", c, (one.source,), (p,), (one.degree,))
        else:
            q = reduced(p)
            keys: list[Monomial] = [(), (f"C{j}",), (f"S{j}",), (f"C{j}", f"C{j}"), (f"C{j}", f"S{j}")]
            if set(q) <= set(keys):
                c = tuple(q.get(key, number(0)) for key in keys)
                yield (4, 0, _cost(*c)), Move(j, "quartic", c, (one.source,), (q,), (one.degree,))


def _is_first_degree(one: Equation) -> bool:
    (j,) = one.unknowns
    return set(one.polynomial) <= {(f"S{j}",), (f"C{j}",), ()}


def row_of(p: Polynomial, j: str) -> tuple[Expr, Expr, Expr]:
    """X, Y, Z of X S + Y C + Z."""
    zero = number(0)
    return p.get((f"S{j}",), zero), p.get((f"C{j}",), zero), p.get((), zero)


# --- elimination -----------------------------------------------------------------------------------------------------


def _eliminated(pairs: Sequence[Equation], tried: Sequence[Sample]) -> Iterator[Equation]:
    """Equations in one unknown, made from two in the same two unknowns."""
    ordered = sorted(pairs, key=lambda one: (len(one.polynomial), _cost(*one.polynomial.values())))
    tried_pairs: Counter[frozenset[str]] = Counter()
    for one, other in combinations(ordered, 2):
        if one.unknowns != other.unknowns or tried_pairs[one.unknowns] >= MOST_PAIRS:
            continue
        tried_pairs[one.unknowns] += 1
        for j in sorted(one.unknowns):
            left = _without(one, other, j, tried)
            if left is None:
                continue
            polynomial = pruned(reduced(left[0]), tried)
            if len(unknowns(polynomial)) == 1 and max(map(len, polynomial)) <= 2:
                yield Equation(polynomial, f"{one.source} and {other.source}, joint {j} eliminated", left[1])


def _without(one: Equation, other: Equation, j: str, tried: Sequence[Sample]) -> tuple[Polynomial, int] | None:
    """The condition that two equations have a common value of joint j, and its degree in lengths."""
    first, second = split(one.polynomial, j), split(other.polynomial, j)
    if set(first) | set(second) <= {(f"r{j}", f"r{j}"), (f"r{j}",), ()}:
        return _without_length(first, second, j, one.degree, other.degree)
    if not set(first) | set(second) <= {(f"S{j}",), (f"C{j}",), ()}:
        return None
    a1, b1, g1 = (first.get(key, {}) for key in ((f"C{j}",), (f"S{j}",), ()))
    a2, b2, g2 = (second.get(key, {}) for key in ((f"C{j}",), (f"S{j}",), ()))
    turned = _turned(a1, b1, a2, b2, tried)
    plainly = turned is not None and all(x.level == CONSTANT for x in turned)
    known = not any(unknowns(x) for x in (a1, b1, a2, b2))
    if known and not plainly:
        circle = _on_circle(a1, b1, g1, a2, b2, g2, tried)
        return None if circle is None else (circle, 2 * (one.degree + other.degree))
    if turned is None:
        return None
    along, across = turned
    h = scaled(total(g2, scaled(g1, -along)), 1 / across)
    squares = total(product(a1, a1), product(b1, b1), scaled(product(g1, g1), -1), scaled(product(h, h), -1))
    return scaled(squares, -1 if known else 1), 2 * one.degree  # the sign orders the values: as on the circle


def _without_length(first: Parts, second: Parts, j: str, degree: int, other: int) -> tuple[Polynomial, int] | None:
    """r from the equation of the first degree, put into the other."""
    once, twice = (f"r{j}",), (f"r{j}", f"r{j}")
    if twice in first:
        first, second, degree, other = second, first, other, degree
    if twice in first:
        return None
    a, g = first.get(once, {}), first.get((), {})
    A, B, C = (second.get(key, {}) for key in (twice, once, ()))
    if not A:
        return total(product(a, C), scaled(product(B, g), -1)), degree + other - 1
    if unknowns(a) or unknowns(A):
        return None
    left = total(product(A, product(g, g)), scaled(product(B, product(a, g)), -1), product(C, product(a, a)))
    return left, 2 * degree + other - 2


def _on_circle(
    a1: Polynomial,
    b1: Polynomial,
    g1: Polynomial,
    a2: Polynomial,
    b2: Polynomial,
    g2: Polynomial,
    tried: Sequence[Sample],
) -> Polynomial | None:
    """C and S by Cramer's rule, on the unit circle."""
    D = total(product(a1, b2), scaled(product(a2, b1), -1)).get((), number(0))
    if not _bounded([D], tried):
        return None
    x = total(product(b1, g2), scaled(product(b2, g1), -1))
    y = total(product(a2, g1), scaled(product(a1, g2), -1))
    return total(product(x, x), product(y, y), {(): -(D * D)})


def _turned(
    a1: Polynomial, b1: Polynomial, a2: Polynomial, b2: Polynomial, tried: Sequence[Sample]
) -> tuple[Expr, Expr] | None:
    """k, l with (a2, b2) = k (a1, b1) + l (-b1, a1), if there are any that depend on no unknown."""
    for key in {**a1, **b1}:
        a, b, c, d = (p.get(key, number(0)) for p in (a1, b1, a2, b2))
        size = a * a + b * b
        if not _bounded([size], tried):
            continue
        k, l = (c * a + d * b) / size, (d * a - c * b) / size
        rests = [total(a2, scaled(a1, -k), scaled(b1, l)), total(b2, scaled(b1, -k), scaled(a1, -l))]
        if not any(pruned(rest, tried) for rest in rests) and _bounded([l], tried):
            return k, l
    return None


# --- numbers ---------------------------------------------------------------------------------------------------------


def _bounded(entries: Sequence[Expr], tried: Sequence[Sample]) -> bool:
    """Whether they do not all vanish at any sample."""
    return not any(all(negligible(float(x)) for x in evaluate(list(entries), s.numbers)) for s in tried)


class _Row:
    """An equation of the first degree with its coefficients, also as numbers at the samples."""

    def __init__(self, equation: Equation, entries: tuple[Expr, Expr, Expr], tried: Sequence[Sample]) -> None:
        self.equation, self.entries, self.cost = equation, entries, _cost(*entries)
        self.numbers = [tuple(float(x) for x in evaluate(list(entries[:2]), s.numbers)) for s in tried]
        self.constant = all(x.level < VARIABLE for x in entries[:2])


def _quality(one: _Row, other: _Row) -> int | None:
    """Where a pair of equations fails: 0 nowhere, 1 where the joint is free, 2 and 3 also elsewhere; None always."""
    sines, sizes = [], []
    for (a, b), (c, d) in zip(one.numbers, other.numbers, strict=True):
        first, second = math.hypot(a, b), math.hypot(c, d)
        sines.append(abs(a * d - b * c) / (first * second) if not negligible(first * second) else 0.0)
        sizes.append(negligible(first - second))
    if negligible(min(sines)):
        return None
    if one.constant and other.constant:
        return 0
    if negligible(1 - min(1.0, *sines)):
        return 1 if all(sizes) else 2
    return 3


def _cost(*entries: Expr) -> int:
    return count(list(entries)).total
