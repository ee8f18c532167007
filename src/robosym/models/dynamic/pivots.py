"""Pivots: what forward dynamics divides by. Each is the inertia a joint feels while everything beyond it is free."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...errors import RobosymError
from ...expr import Expr
from ...spatial.scalar import Scalar, is_zero

# A pivot this small beside the inertia it is the rest of is rounding: the true one is zero.
NEGLIGIBLE = 1e-11


class MasslessError(RobosymError):
    """The joint of body ``j`` moves no inertia: its acceleration is not determined."""

    def __init__(self, j: int) -> None:
        self.j = j
        super().__init__(f"the joint of frame {j} moves no inertia: its acceleration is not determined")


@dataclass(frozen=True)
class Pivots:
    """Reciprocals of pivots, refused where the pivot is zero.

    ``sizes`` are the inertias each joint carries (the diagonal of A), for numbers that are zero but for rounding.
    """

    sizes: Mapping[int, float] = field(default_factory=dict)

    def reciprocal(self, j: int, pivot: Scalar) -> Scalar:
        if is_zero(pivot):
            raise MasslessError(j)
        if not isinstance(pivot, Expr) and j in self.sizes and abs(pivot) <= NEGLIGIBLE * abs(self.sizes[j]):
            raise MasslessError(j)
        return 1 / pivot
