"""The joints of a leg as coordinates: they move as the platform has them move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...expr import Expr
from ...spatial.scalar import Scalar
from ..tree.coordinates import Axis, Coordinates


@dataclass(frozen=True)
class Following(Coordinates):
    """Speeds and accelerations of the axes as they are, with no coordinates of their own."""

    speeds: Mapping[int, Scalar] = field(default_factory=dict)
    accelerations: Mapping[int, Scalar] = field(default_factory=dict)
    places_of: Mapping[int, Expr] = field(default_factory=dict)

    def speed(self, axis: Axis) -> Scalar:
        return self.speeds.get(axis, 0) if isinstance(axis, int) else 0

    def acceleration(self, axis: Axis) -> Scalar:
        return self.accelerations.get(axis, 0) if isinstance(axis, int) else 0

    def position(self, j: int) -> Expr:
        return self.places_of[j]
