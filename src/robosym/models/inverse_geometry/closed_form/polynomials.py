"""Polynomials in the unknowns of an inverse problem: sines, cosines and lengths of joints still to be found.

A polynomial maps monomials to coefficients; a monomial is a sorted tuple of atoms, such as ("C2", "S3"). The coefficients
are expressions of the pose, the geometry and the joints already found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from ....expr import Expr, number

Monomial = tuple[str, ...]
Polynomial = Mapping[Monomial, Expr]
Rows = Sequence[Sequence[Polynomial]]

ZERO: Polynomial = {}
ONE: Polynomial = {(): number(1)}


def constant(value: Expr) -> Polynomial:
    return {} if value.is_zero else {(): value}


def atom(name: str) -> Polynomial:
    return {(name,): number(1)}


def total(*terms: Polynomial) -> Polynomial:
    found: dict[Monomial, Expr] = {}
    for term in terms:
        for monomial, c in term.items():
            found[monomial] = found[monomial] + c if monomial in found else c
    return {monomial: c for monomial, c in found.items() if not c.is_zero}


def scaled(p: Polynomial, k: Expr | int) -> Polynomial:
    return {monomial: value for monomial, c in p.items() if not (value := c * k).is_zero}


def product(p: Polynomial, q: Polynomial) -> Polynomial:
    found: dict[Monomial, Expr] = {}
    for m, a in p.items():
        for n, b in q.items():
            key = tuple(sorted((*m, *n)))
            found[key] = found[key] + a * b if key in found else a * b
    return {monomial: c for monomial, c in found.items() if not c.is_zero}


def matrix_product(a: Rows, b: Rows) -> list[list[Polynomial]]:
    """Of homogeneous matrices without their last row: (R p)(S q) = (R S, R q + p)."""
    rows = []
    for row in a:
        found = [total(*(product(row[k], b[k][j]) for k in range(3))) for j in range(4)]
        found[3] = total(found[3], row[3])
        rows.append(found)
    return rows


def reduced(p: Polynomial) -> Polynomial:
    """The same with S^2 written as 1 - C^2, so that equal polynomials have equal terms."""
    found: list[Polynomial] = []
    for monomial, c in p.items():
        twice = next((a for a, b in pairwise(monomial) if a == b and a[0] == "S"), None)
        if twice is None:
            found.append({monomial: c})
            continue
        rest = list(monomial)
        rest.remove(twice)
        rest.remove(twice)
        cosine = "C" + twice[1:]
        found.append(reduced({tuple(rest): c, tuple(sorted((*rest, cosine, cosine))): -c}))
    return total(*found)


def unknowns(p: Polynomial) -> frozenset[str]:
    """The joints (as text numbers) whose atoms appear."""
    return frozenset(a[1:] for monomial in p for a in monomial)


def split(p: Polynomial, joint: str) -> dict[Monomial, Polynomial]:
    """By the part of each monomial that belongs to a joint: {("S2",): ..., ("C2",): ..., (): ...}."""
    found: dict[Monomial, dict[Monomial, Expr]] = {}
    for monomial, c in p.items():
        own = tuple(a for a in monomial if a[1:] == joint)
        rest = tuple(a for a in monomial if a[1:] != joint)
        found.setdefault(own, {})[rest] = c
    return dict(found)
