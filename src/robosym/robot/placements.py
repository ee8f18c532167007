"""Where legs stand and where they are joined to a platform: points or geometric entries, turned about z, as fixed frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..expr import Expr, pi
from .entries import Entries, shown
from .parts import GEOMETRY, ZERO, ZERO3

QUARTER = pi / 2


@dataclass(frozen=True)
class Placement:
    """A point with the axes of the frame it is in, or the six geometric entries of a frame."""

    point: tuple[Expr, ...] = ZERO3
    geometry: tuple[Expr, ...] | None = None


def placed(entries: Entries, where: str, raw: Any, n: int) -> list[Placement]:
    """One for each of n: a point [x, y, z], a table of geometric entries, or a list of these."""
    if isinstance(raw, (list, tuple)) and raw and all(isinstance(one, (list, tuple, dict)) for one in raw):
        if len(raw) != n:
            entries.problem(where, f"expected one point or as many as there are legs, {n}, got {len(raw)}")
            return [Placement()] * n
        return [_placement(entries, f"{where} {k}", one) for k, one in enumerate(raw, 1)]
    return [_placement(entries, where, raw)] * n


def _placement(entries: Entries, where: str, raw: Any) -> Placement:
    if isinstance(raw, dict):
        row = entries.table(where, raw, GEOMETRY)
        return Placement(
            geometry=tuple(entries.expression(f"{where}, {key}", row.get(key, 0), ZERO) for key in GEOMETRY)
        )
    if not isinstance(raw, (list, tuple)) or len(raw) != 3:
        entries.problem(where, f"expected [x, y, z] or a table of gamma, b, alpha, d, theta, r, got {shown(raw)}")
        return Placement()
    return Placement(entries.vector(where, raw, ZERO3))


def turned(placement: Placement, phi: Expr, point_only: bool) -> list[dict[str, Expr]]:
    """The geometry of the fixed frames of a placement turned by phi about z: exact, without a square root.

    The point is Rz(phi) Tz(z) Rx(-pi/2) Tx(x) Tz(y), with axes that are those of the turned frame after one more quarter turn
    about x; ``point_only`` leaves that out. No frame at all is needed where nothing is moved.
    """
    if placement.geometry is not None:
        gamma, *rest = placement.geometry
        return _frames([(gamma + phi, *rest)])
    x, y, z = placement.point
    if y.is_zero:
        return _frames([(phi, z, ZERO, x, ZERO, ZERO)])
    first = (phi, z, -QUARTER, x, ZERO, y)
    return _frames([first] if point_only else [first, (ZERO, ZERO, QUARTER, ZERO, ZERO, ZERO)])


def _frames(geometry: list[tuple[Expr, ...]]) -> list[dict[str, Expr]]:
    rows = [{key: entry for key, entry in zip(GEOMETRY, one, strict=True) if not entry.is_zero} for one in geometry]
    return [row for row in rows if row]
