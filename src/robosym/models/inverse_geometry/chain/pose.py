"""The given pose: the symbols of T."""

from __future__ import annotations

from ....expr import Expr, variable


def pose_symbols() -> tuple[tuple[Expr, ...], ...]:
    """Columns s, n, a, P of the first three rows."""
    return tuple(tuple(variable(f"{c}{axis}") for c in ("s", "n", "a", "P")) for axis in "xyz")
