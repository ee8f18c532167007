"""Dead centres of planar and spherical loops as expressions of the parameters, for lengths that are given late.

A loop closed by one equation X S + Y C + Z = 0 has two solutions, which meet where its discriminant D = X^2 + Y^2 - Z^2 is zero
(B^2 - 4 A C of A r^2 + B r + C = 0). A joint passes such a position only if D touches zero there. In a four-bar or a slider-crank,
planar or spherical, D depends on the distance across the two unknown links, so it is symmetric about an axis c of the
joint u that drives the loop: D(c + x) = D(c - x). So D is stationary at c and at c + pi (at c alone if u is a length) for all lengths.
It is a k^2 + b k + e of k = cos x (or x^2) with a <= 0, which touches zero from above there or nowhere. The axis is read off the
coefficients of the equation, and all this is proved with random numbers for all parameters. A function with pieces or branches
(max, sqrt) of parameters counts as a number of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from ...expr import (
    PARAMETER,
    Expr,
    ExprError,
    absolute,
    atan2,
    cos,
    evaluate,
    expr,
    free_symbols,
    logical_not,
    maximum,
    minimum,
    number,
    pi,
    postorder,
    select,
    sin,
    substitute,
)
from ...expr.algebra import symbol
from ...expr.generic import opaque_functions
from ...reals import Floats
from ...robot import PRISMATIC, Robot
from ..inverse_geometry.closed_form.program import both, either
from .linear import part_of_turn
from .structure import driven, variable_of

TOUCHES = 1e-10  # D, of the square of the size of its equation
SYMMETRIC = 1e-9
DRAWS = 12  # random values of all parameters
LENGTHS = (1, 3, 5)  # b, d, r among the geometric parameters
AT = 1e-4  # a position described so near to a dead centre is taken to be after it
OTHERS = 3  # known joints beside the first that u may be a sum of


@dataclass(frozen=True)
class Fork:
    """An equation with two solutions: its coefficients, its discriminant and the unit of that, of the variables of known joints."""

    coefficients: tuple[Expr, ...]
    discriminant: Expr
    unit: Expr


@dataclass(frozen=True)
class SymmetricCentres:
    """The positions ``at`` of u, a sum of joints with ``factors``, where solutions can meet; ``dead`` tells where they do."""

    factors: Mapping[int, int]
    at: tuple[Expr, ...]
    dead: tuple[Expr, ...]
    reached: Expr


def symmetric_centres(robot: Robot, known: Sequence[int], fork: Fork) -> SymmetricCentres | None:
    """None if the discriminant is not symmetric for all values of the parameters."""
    followers = [j for j in known if j not in driven(robot)]
    if any(robot.frame(j).joint.position is None for j in followers):
        return None
    proof = _Proof(robot, known, fork)
    for j in known:
        if not proof.depends_on(j):
            continue
        slides = robot.frame(j).sigma == PRISMATIC
        for axis in (_vertices if slides else _axes)(fork, variable_of(robot, j), proof.others(j)):
            centre = proof.simplest(axis, slides)
            factors = proof.factors(j, centre)
            if factors is not None:
                at = (centre,) if slides else (centre, expr(centre + pi))
                dead = tuple(proof.meets(j, x) for x in at)
                return SymmetricCentres(factors, at, dead, _reached(robot, factors, at, dead))
        return None
    return None


def _axes(fork: Fork, u: Expr, others: Mapping[Expr, Expr]) -> Iterator[Expr]:
    """Angles at which a coefficient a + b cos u + c sin u is largest, and quarters of a turn from them; the same of D."""
    for coefficient in (*reversed(fork.coefficients), fork.discriminant):
        values = [substitute([coefficient], {**others, u: pi * x / 2})[0] for x in (0, 1, 2, 3)]
        b, c = expr(values[0] - values[2]), expr(values[1] - values[3])
        if b.is_zero and c.is_zero:
            continue
        axis = number(0) if c.is_zero else expr(pi / 2) if b.is_zero else atan2(c, b)
        yield from (axis, expr(axis + pi / 2))


def _vertices(fork: Fork, u: Expr, others: Mapping[Expr, Expr]) -> Iterator[Expr]:
    """Lengths at which a coefficient a u^2 + b u + c is smallest."""
    for coefficient in reversed(fork.coefficients):
        minus, zero, plus = (substitute([coefficient], {**others, u: number(x)})[0] for x in (-1, 0, 1))
        a, b = expr(plus + minus - 2 * zero), expr(plus - minus)
        if not a.is_zero:
            yield expr(-b / (2 * a))


class _Proof:
    """The discriminant in numbers, with random values of all parameters."""

    def __init__(self, robot: Robot, known: Sequence[int], fork: Fork) -> None:
        self.robot, self.known, self.fork = robot, known, fork
        self.variables = {j: variable_of(robot, j) for j in known}
        self.draw = np.random.default_rng(11)
        roots = [fork.discriminant, *fork.coefficients]
        opaque = [node for node in opaque_functions(postorder(roots)) if node.level == PARAMETER]
        self.stands = {node: symbol(f"opaque_{k}", "local") for k, node in enumerate(opaque)}
        symbols = [*free_symbols(*roots), *self.stands.values()]
        parameters = [s for s in symbols if s not in self.variables.values()]
        self.values = [{s: float(self.draw.uniform(0.4, 1.6)) for s in parameters} for _ in range(DRAWS)]
        (self.discriminant,) = substitute([fork.discriminant], self.stands)

    def others(self, j: int) -> dict[Expr, Expr]:
        return {symbol: number(0) for k, symbol in self.variables.items() if k != j}

    def depends_on(self, j: int) -> bool:
        return self.variables[j] in free_symbols(self.fork.discriminant)

    def simplest(self, axis: Expr, slides: bool) -> Expr:
        """An axis that is the same with all values of the parameters as that number."""
        if slides:
            return _number(axis)
        numbers = [self.at(axis, values) for values in self.values]
        if not all(abs(math.remainder(x - numbers[0], math.pi)) < SYMMETRIC for x in numbers):
            return axis
        angle = math.remainder(numbers[0], math.pi)
        part = part_of_turn(angle)  # which may be as far from it as angles written with few digits
        return part if abs(float(evaluate([part], {})[0]) - angle) < SYMMETRIC / 100 else number(angle)

    def at(self, x: Expr, values: Mapping[Expr, float]) -> float:
        return float(evaluate(substitute([x], self.stands), values)[0])

    def factors(self, j: int, centre: Expr) -> dict[int, int] | None:
        """The joints of u, whole multiples: about ``centre`` the discriminant is symmetric, and there it does not depend on how the
        others are. None if it is not symmetric."""
        others = [k for k in self.known if k != j and self.depends_on(k)]
        if len(others) > OTHERS:
            return None
        for multiples in product((0, 1, -1), repeat=len(others)):
            shifts = {k: -n for k, n in zip(others, multiples, strict=True)}
            if all(self._symmetric(j, centre, shifts, values) for values in self.values):
                return {j: 1, **{k: n for k, n in zip(others, multiples, strict=True) if n}}
        return None

    def _symmetric(self, j: int, centre: Expr, shifts: Mapping[int, int], values: Mapping[Expr, float]) -> bool:
        slides = self.robot.frame(j).sigma == PRISMATIC
        c = self.at(centre, values)
        ends = [0.0] if slides else [0.0, math.pi]
        x = np.concatenate([ends, self.draw.uniform(0.1, 3.0, 7 - len(ends))])
        at = {k: self.draw.uniform(-2, 2, (2, 1)) for k in self.known if k != j}
        shift = sum((n * at[k] for k, n in shifts.items()), np.zeros((2, 1)))
        rest = {self.variables[k]: position for k, position in at.items()}
        try:
            ahead, behind = (
                self._discriminant({**values, **rest, self.variables[j]: c + shift + s * x}) for s in (1, -1)
            )
        except (ExprError, ArithmeticError, ValueError):
            return False
        size = np.abs(ahead).max() + np.abs(behind).max()
        symmetric = np.abs(ahead - behind).max() <= SYMMETRIC * size
        same = np.ptp(ahead[:, : len(ends)], axis=0).max() <= SYMMETRIC * size
        return bool(symmetric and same and all(_touches_at_ends(x**2 if slides else np.cos(x), D) for D in ahead))

    def _discriminant(self, values: Mapping[Expr, object]) -> Floats:
        found = np.asarray(evaluate([self.discriminant], values)[0], float)
        return np.broadcast_to(found, np.broadcast_shapes(found.shape, (2, 7)))

    def meets(self, j: int, centre: Expr) -> Expr:
        """Whether the two solutions meet at a position."""
        there = {**self.others(j), self.variables[j]: centre}
        D, unit = substitute([self.fork.discriminant, self.fork.unit], there)
        return decided(expr(absolute(D) < TOUCHES * unit))


def _touches_at_ends(k: Floats, D: Floats) -> bool:
    """D is a k^2 + b k + e with a <= 0: it does not touch zero from above at a k that is not the least or the largest."""
    size = np.abs(D).max()
    found = np.polynomial.Polynomial.fit(k, D, 2, domain=[])
    a = found.coef[2]
    return bool(np.abs(found(k) - D).max() <= SYMMETRIC * size and a * np.square(k).max() <= SYMMETRIC * size)


def decided(condition: Expr) -> Expr:
    """A condition without symbols as 0 or 1."""
    return condition if free_symbols(condition) else number(int(bool(evaluate([condition], {})[0])))


def _reached(robot: Robot, factors: Mapping[int, int], at: Sequence[Expr], dead: Sequence[Expr]) -> Expr:
    """No dead centre lies between u and its described position."""
    u = expr(sum((n * variable_of(robot, j) for j, n in factors.items()), number(0)))
    here = sum(n * (robot.frame(j).joint.position or 0.0) for j, n in factors.items())
    if len(at) == 1:
        after = decided(expr(at[0] - here <= AT * (absolute(at[0]) + abs(here) + _length(robot))))
        beyond = either(both(after, expr(u > at[0])), both(negated(after), expr(u < at[0])))
        return either(negated(dead[0]), beyond)
    if any(j not in driven(robot) for j in factors):  # known up to whole turns: both are dead centres, or none
        return either(negated(either(*dead)), _same_side(u, here, at[0]))
    low, high = _interval(here, at, dead)
    return either(negated(either(*dead)), both(expr(u > low), expr(u < high)))


def _length(robot: Robot) -> float:
    """The lengths of the robot that have numbers, added up."""
    own = {name: value.number for name, value in robot.values.items()}
    lengths = [x for frame in robot.frames for k, x in enumerate(frame.geometry) if k in LENGTHS]
    symbols = {x: free_symbols(x) for x in lengths}
    known = [x for x in lengths if all(s.kind != "parameter" or s.name in own for s in symbols[x])]
    at = {s: own.get(s.name, 0.0) for x in known for s in symbols[x]}
    return math.fsum(abs(float(x)) for x in evaluate(known, at))


def _same_side(u: Expr, here: float, centre: Expr) -> Expr:
    """u and its described position are on the same side of two dead centres half a turn apart."""
    side = sin(here - centre)
    positive = decided(expr(select(absolute(side) < AT, cos(here - centre), side) > 0))
    now = sin(u - centre)
    return either(both(positive, expr(now > 0)), both(negated(positive), expr(now < 0)))


def _interval(here: float, at: Sequence[Expr], dead: Sequence[Expr]) -> tuple[Expr, Expr]:
    """From one dead centre to the next, the described position between them."""
    first, second = dead
    low_1, low_2 = (_below(here, centre) for centre in at)
    low = select(both(first, second), maximum(low_1, low_2), select(first, low_1, low_2))
    high = select(both(first, second), minimum(low_1, low_2), select(first, low_1, low_2)) + 2 * pi
    return _number(low), _number(expr(high))


def _below(here: float, centre: Expr) -> Expr:
    """A dead centre less than a turn below the described position."""
    before = atan2(sin(here - centre), cos(here - centre))
    return _number(expr(here - before - select(before > -AT, number(0), 2 * pi)))


def _number(value: Expr) -> Expr:
    return value if free_symbols(value) else number(float(evaluate([value], {})[0]))


def negated(condition: Expr) -> Expr:
    return logical_not(condition) if free_symbols(condition) else decided(logical_not(condition))


__all__ = ["Fork", "SymmetricCentres", "symmetric_centres"]
