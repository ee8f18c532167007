"""Which parameters the equations determine, and which they cannot tell apart.

A least-squares solution by a pseudo-inverse exists always and means nothing where the motion does not excite a
parameter. Here such parameters are named: a null vector of D is a combination that changes no torque.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import blas, qr

from ...errors import RobosymError
from ...reals import Floats

TOLERANCE = 1e-9  # smallest singular value to the largest, columns of unit norm, that still determines
WEAK = 1e-4  # below it a combination is hardly determined: a warning
MOST_NAMED = 8


@dataclass(frozen=True)
class Direction:
    """A change of several parameters at once that changes (almost) no torque, in their own units."""

    columns: tuple[str, ...]
    coefficients: tuple[float, ...]

    def __str__(self) -> str:
        terms = [f"{value:+.3g} {name}" for name, value in zip(self.columns, self.coefficients, strict=True)]
        shown = " ".join(terms[:MOST_NAMED]) + (
            f" and {len(terms) - MOST_NAMED} more" if len(terms) > MOST_NAMED else ""
        )
        return shown.removeprefix("+").replace("+", "+ ").replace(" -", " - ").replace("e+ ", "e+")


class UndeterminedError(RobosymError):
    """Too little excitation: parameters of which the equations say nothing, or that they cannot tell apart."""

    def __init__(self, directions: Sequence[Direction], equations: int, columns: int) -> None:
        self.directions = tuple(directions)
        alone = [d.columns[0] for d in directions if len(d.columns) == 1]
        together = [d for d in directions if len(d.columns) > 1]
        lines = [f"the data do not determine {len(directions)} of {columns} parameters"]
        if equations < columns:
            lines.append(f"there are only {equations} equations")
        if alone:
            lines.append(f"nothing depends on {', '.join(alone)}: the motion does not excite them, or leave them out")
        for direction in together:
            names = ", ".join(direction.columns[:MOST_NAMED]) + (", ..." if len(direction.columns) > MOST_NAMED else "")
            lines.append(f"{names} cannot be told apart: changing them by {direction} changes no torque")
        super().__init__("\n".join(lines))


@dataclass(frozen=True, eq=False)
class Determination:
    """The singular values of D with columns of unit norm, and the directions below a threshold."""

    norms: Floats
    singular: Floats
    right: Floats  # rows: right singular vectors
    columns: tuple[str, ...]

    def directions(self, tolerance: float) -> tuple[Direction, ...]:
        """A simple basis of what is below the tolerance: each direction has one parameter no other has."""
        zero = [Direction((self.columns[i],), (1.0,)) for i in np.flatnonzero(self.norms == 0)]
        largest = self.singular[0] if self.singular.size else 0.0
        null = self.right[self.singular <= tolerance * largest]
        null = null[:, self.norms > 0][~np.all(np.abs(null[:, self.norms > 0]) < 1e-12, axis=1)]
        if not null.size:
            return tuple(zero)
        names = [name for name, norm in zip(self.columns, self.norms, strict=True) if norm > 0]
        norms = self.norms[self.norms > 0]
        pivots = qr(null, mode="r", pivoting=True)[-1][: len(null)]
        basis = np.linalg.solve(null[:, pivots], null)
        for i in np.argsort(pivots):
            part = basis[i] / norms
            chosen = np.flatnonzero(np.abs(basis[i]) > max(1e-6, 1e-2 * (tolerance > 1e-6)))
            scaled = part[chosen] / np.abs(part[chosen]).max()
            zero.append(Direction(tuple(names[k] for k in chosen), tuple(float(v) for v in scaled)))
        return tuple(zero)


def determination(R: Floats, columns: tuple[str, ...]) -> Determination:
    """Of a matrix whose columns are the parameters'."""
    norms = np.linalg.norm(R, axis=0)
    scaled = R / np.where(norms > 0, norms, 1.0)
    _, singular, right = np.linalg.svd(scaled)
    padded = np.zeros(len(columns))
    padded[: len(singular)] = singular
    return Determination(norms, padded, right, columns)


def check_determined(
    R: Floats, columns: tuple[str, ...], equations: int, tolerance: float = TOLERANCE
) -> tuple[Direction, ...]:
    """Refuses what does not determine every parameter; gives what is hardly determined."""
    if _plainly_determined(R):
        return ()
    found = determination(R, columns)
    undetermined = found.directions(tolerance)
    if undetermined:
        raise UndeterminedError(undetermined, equations, len(columns))
    return found.directions(WEAK)


def _plainly_determined(R: Floats) -> bool:
    """Whether a triangle is so far from singular that its singular values need not be known: with columns of unit norm
    the smallest is at least 1 / |R^-1|, the largest at most the root of their number."""
    norms = np.linalg.norm(R, axis=0)
    if not np.all(norms > 0) or not np.all(np.diag(R)) or np.any(np.tril(R, -1)):
        return False
    inverse = blas.dtrsm(1.0, np.asfortranarray(R / norms), np.eye(len(norms)))
    return bool(np.sqrt(len(norms)) * np.linalg.norm(inverse) < 1 / WEAK)
