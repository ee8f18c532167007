"""Directions in which a state changes: one coordinate at a time, of a free base a small motion in its own axes.

q of a free base is no vector: its derivatives are those by a small motion of it, linear then angular in its own axes, as its speeds are
(the tangent space of q). All matrices have as many columns as there are speeds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...expr import Expr, expr, number, substitute, tangents
from ...spatial.scalar import Scalar
from ..tree.coordinates import Coordinates
from ..tree.joints import free_rates

Seeds = Mapping[Expr, Expr]


def by_position(own: Coordinates, place: int) -> Seeds:
    """How every symbol of the positions moves with the coordinate at this place of qd, at a unit speed."""
    more = own.nq - own.nv  # a free base has one number more than speeds
    if more and place < 6:
        unit = [number(int(k == place)) for k in range(6)]
        return dict(zip(own.q[:7], map(expr, free_rates(own.q[:7], unit)), strict=True))
    follow = {x: expr(dict(own.row(j)).get(place, 0)) for j, x in own.positions if x in own.found}
    return {own.q[place + more]: number(1), **{x: rate for x, rate in follow.items() if not rate.is_zero}}


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
