"""The state of a platform as symbols: pose, twist and its rate, and where the platform's motion space lets them differ.

The pose is x y z and the unit quaternion qx qy qz qw of the platform in frame 0; the twist the velocity of its origin and its
angular velocity, the rate of the twist the acceleration of the origin, as an observer sees it, and the angular one, all in the
axes of frame 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ...expr import expr, number, variable
from ...program import Array, Rate, Scope
from ...spatial.rotations import quaternion_columns
from ...spatial.scalar import Scalar
from ...spatial.vectors import Columns, Vector, apply
from .space import Space

POSE, TWIST, TWIST_RATE = "pose", "twist", "twist_rate"
pose_symbols = tuple(variable(f"pose{k}") for k in range(1, 8))
twist_symbols = tuple(variable(f"twist{k}") for k in range(1, 7))
rate_symbols = tuple(variable(f"twist_rate{k}") for k in range(1, 7))


@dataclass(frozen=True)
class PlatformState:
    """What the models of a platform are written in: what its motion space leaves of the symbols."""

    space: Space
    scope: Scope
    order: int = 2  # 0: at rest, 1: moving without acceleration, 2: accelerating
    given: Mapping[str, tuple[Scalar, ...]] = field(
        default_factory=dict
    )  # a twist and its rate in place of the symbols
    legs_given: bool = False  # the positions of all leg joints are inputs beside the pose

    @cached_property
    def columns(self) -> Columns:
        """Of the orientation."""
        fixed = self.space.orientation
        if fixed is not None:
            return fixed
        a, b, c, w = pose_symbols[3:]
        axis = self.space.axis
        if axis is not None:
            a, b, c = (x if k == axis else number(0) for k, x in enumerate((a, b, c)))
        return tuple(  # type: ignore[return-value]
            self.scope.vector(stem, 0, column)
            for stem, column in zip("sna", quaternion_columns(a, b, c, w), strict=True)
        )

    @cached_property
    def position(self) -> Vector:
        found = [expr(x) for x in pose_symbols[:3]]
        for k, value in self.space.held.items():
            found[k] = value
        return (found[0], found[1], found[2])

    @cached_property
    def velocity(self) -> Vector:
        return self._moving("twist", twist_symbols, 1)[0]

    @cached_property
    def angular_velocity(self) -> Vector:
        return self._moving("twist", twist_symbols, 1)[1]

    @cached_property
    def acceleration(self) -> Vector:
        return self._moving("rate", rate_symbols, 2)[0]

    @cached_property
    def angular_acceleration(self) -> Vector:
        return self._moving("rate", rate_symbols, 2)[1]

    def _moving(self, name: str, symbols: tuple[Scalar, ...], order: int) -> tuple[Vector, Vector]:
        symbols = self.given.get(name, symbols)
        free = self.space.places if order <= self.order else ()
        a, b, c, x, y, z = (s if k in free else number(0) for k, s in enumerate(symbols))
        return (a, b, c), (x, y, z)

    def arm(self, position: Vector, name: int) -> Vector:
        """From the origin of the platform to a point of it, in the axes of frame 0."""
        return self.scope.vector("R", name, apply(self.columns, position))


class MatrixState(PlatformState):
    """A pose that is given as a matrix T; nothing of it is taken for known, so that a pose which the legs do not allow is seen."""

    @cached_property
    def columns(self) -> Columns:
        rows = [[variable(f"T{i}{k}") for k in range(1, 4)] for i in range(1, 4)]
        x, y, z = (tuple(row[k] for row in rows) for k in range(3))
        return (x, y, z)  # type: ignore[return-value]

    @cached_property
    def position(self) -> Vector:
        return (variable("T14"), variable("T24"), variable("T34"))


def matrix_array() -> Array:
    return Array("T", (4, 4), tuple(variable(f"T{i}{k}") for i in range(1, 5) for k in range(1, 5)))


def quaternion_rates(w: Vector) -> tuple[Scalar, ...]:
    """The rates of qx qy qz qw for an angular velocity in the axes of frame 0: half its product with the quaternion."""
    a, b, c, s = pose_symbols[3:]
    x, y, z = w
    turned = (s * x + y * c - z * b, s * y + z * a - x * c, s * z + x * b - y * a, -(a * x + b * y + c * z))
    return tuple(rate / 2 for rate in turned)


def state_arrays(names: tuple[str, ...]) -> list[Array]:
    """The input arrays by name; each carries its rate."""
    accelerations = Array(TWIST_RATE, (6,), rate_symbols)
    speeds = Array(TWIST, (6,), twist_symbols, Rate(accelerations, rate_symbols))
    moved = (*twist_symbols[:3], *map(expr, quaternion_rates(twist_symbols[3:])))  # type: ignore[arg-type]
    poses = Array(POSE, (7,), pose_symbols, Rate(speeds, moved))
    known = {array.name: array for array in (poses, speeds, accelerations)}
    return [known[name] for name in names]
