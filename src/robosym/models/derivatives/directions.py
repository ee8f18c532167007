"""Directions in which a state changes: one coordinate at a time, of a free base a small motion in its own axes.

The directions of positions are those of ``Coordinates.along``: q of a free base is no vector, its derivatives are those by a small
motion of it, linear then angular in its own axes, as its speeds are (the tangent space of q).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...expr import Expr, expr, number, substitute, tangents
from ...spatial.scalar import Scalar
from ..tree.coordinates import Coordinates

Seeds = Mapping[Expr, Expr]


def by_symbol(x: Expr) -> Seeds:
    """How an input moves with itself: not at all, where the description sets it to a number."""
    return {x: number(1)} if x.kind == "variable" else {}


def columns(
    roots: Sequence[Scalar], directions: Sequence[Seeds], values: Mapping[Expr, Expr] | None = None
) -> list[list[Expr]]:
    """The derivatives of expressions in every direction; ``values`` is put in for symbols afterwards."""
    exact = [expr(root) for root in roots]
    found = [tangents(exact, seeds) if seeds else [number(0)] * len(exact) for seeds in directions]
    if not values:
        return found
    flat = substitute([x for column in found for x in column], values)
    return [flat[k * len(exact) : (k + 1) * len(exact)] for k in range(len(found))]


def unread(own: Coordinates) -> list[int]:
    """The places of qd that the description sets to a number: no model depends on what is given there."""
    return [place for place, x in enumerate(own.qd) if not by_symbol(x)]


def cleared(matrix: list[list[Scalar]], places: Sequence[int]) -> list[list[Scalar]]:
    """The matrix with these columns zero."""
    return [[0 if k in places else x for k, x in enumerate(row)] for row in matrix] if places else matrix
