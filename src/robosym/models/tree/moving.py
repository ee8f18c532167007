"""How a rigid frame moves: one of its points, and its rotation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ...spatial.scalar import Scalar
from ...spatial.vectors import ZERO, Vector, cross, plus, times

# The two accelerations of a frame, the angular part being the same:
#   classical  of its origin, as an observer sees it
#   spatial    the rate of the six numbers of its twist: the classical one less w x v
Kind = Literal["classical", "spatial"]
KINDS: tuple[Kind, ...] = ("classical", "spatial")


@dataclass(frozen=True)
class Moving:
    """How a rigid frame moves: velocity and acceleration of one of its points, angular velocity and acceleration."""

    v: Vector = ZERO
    w: Vector = ZERO
    a: Vector = ZERO
    wd: Vector = ZERO
    kind: Kind = "classical"  # of the acceleration a

    def of_kind(self, kind: Kind) -> Moving:
        if kind == self.kind:
            return self
        sign = 1 if kind == "classical" else -1
        return replace(self, a=plus(self.a, times(sign, cross(self.w, self.v))), kind=kind)

    def at(self, r: Vector) -> Moving:
        """The same of another point of the frame, r away."""
        across = cross(self.w, r)
        a = plus(self.a, cross(self.wd, r))
        if self.kind == "classical":
            a = plus(a, cross(self.w, across))
        return replace(self, v=plus(self.v, across), a=a)

    @property
    def velocity(self) -> tuple[Scalar, ...]:
        return (*self.v, *self.w)

    @property
    def acceleration(self) -> tuple[Scalar, ...]:
        return (*self.a, *self.wd)


AT_REST = Moving()
