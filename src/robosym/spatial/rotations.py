"""Rotations as chains of elementary turns, applied one after the other: never the multiplied-out matrix.

A general twist costs 8 multiplications and 4 additions this way, and a right-angled one only 4 and 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .scalar import Scalar, cos, is_zero, sin
from .vectors import Columns, Vector, apply, dot, transposed


@dataclass(frozen=True)
class Turn:
    """A rotation by an angle about x or z."""

    axis: str
    angle: Scalar

    @property
    def inverse(self) -> Turn:
        return Turn(self.axis, -self.angle)


@dataclass(frozen=True)
class Orientation(Turn):
    """Any rotation, by the columns of its matrix, such as that of a ball joint. ``angle`` stands for whatever it depends on."""

    columns: Columns

    @property
    def inverse(self) -> Turn:
        return Orientation("", self.angle, transposed(self.columns))


def orientation(columns: Columns) -> Orientation:
    """A rotation given by its columns."""
    angle: Scalar = 0
    for column in columns:
        for entry in column:
            angle = angle + entry
    return Orientation("", angle, columns)


Rotation = tuple[Turn, ...]  # from the antecedent frame to the frame: the first turn is made first


def into(rotation: Rotation, a: Vector) -> Vector:
    """A vector of the antecedent frame in the turned frame: R^T a."""
    for turn in rotation:
        if isinstance(turn, Orientation):
            x, y, z = turn.columns
            a = (dot(x, a), dot(y, a), dot(z, a))
        else:
            a = _turned(turn.axis, cos(turn.angle), sin(turn.angle), a)
    return a


def back(rotation: Rotation, a: Vector) -> Vector:
    """A vector of the turned frame in the antecedent frame: R a."""
    for turn in reversed(rotation):
        if isinstance(turn, Orientation):
            a = apply(turn.columns, a)
        else:
            a = _turned(turn.axis, cos(turn.angle), -sin(turn.angle), a)
    return a


def _turned(axis: str, c: Scalar, s: Scalar, a: Vector) -> Vector:
    x, y, z = a
    if axis == "z":
        return (c * x + s * y, c * y - s * x, z)
    return (x, c * y + s * z, c * z - s * y)


def matrix_back(rotation: Rotation, C: Columns) -> Columns:
    """R C R^T: a matrix of the turned frame, by rows or by columns, in the antecedent frame.

    In the plane of a turn, with k = s (a - d) + c (b + e) for [a b; e d]: a' = a - s k, d' = d + s k, b' = c k - e, e' = c k - b.
    """
    for turn in reversed(rotation):
        if isinstance(turn, Orientation):
            R = turn.columns
            half = transposed((apply(R, C[0]), apply(R, C[1]), apply(R, C[2])))
            C = transposed((apply(R, half[0]), apply(R, half[1]), apply(R, half[2])))
            continue
        c, s = cos(turn.angle), sin(turn.angle)
        x, y, z = (2, 0, 1) if turn.axis == "z" else (0, 1, 2)  # the axis itself first, then the plane
        k = s * (C[y][y] - C[z][z]) + c * (C[y][z] + C[z][y])
        sk, ck = s * k, c * k
        new = [list(row) for row in C]
        new[y][y], new[z][z] = C[y][y] - sk, C[z][z] + sk
        new[y][z], new[z][y] = ck - C[z][y], ck - C[y][z]
        new[x][y], new[x][z] = c * C[x][y] - s * C[x][z], s * C[x][y] + c * C[x][z]
        new[y][x], new[z][x] = c * C[y][x] - s * C[z][x], s * C[y][x] + c * C[z][x]
        C = tuple((a, b, d) for a, b, d in new)  # type: ignore[assignment]
    return C


def joined(turns: Sequence[Turn]) -> Rotation:
    """The same rotation with neighbouring turns about one axis added up and empty ones left out."""
    chain: list[Turn] = []
    for turn in turns:
        if chain and chain[-1].axis == turn.axis and not isinstance(turn, Orientation):
            turn = Turn(turn.axis, chain.pop().angle + turn.angle)
        if isinstance(turn, Orientation) or not is_zero(turn.angle):
            chain.append(turn)
    return tuple(chain)


def quaternion_columns(x: Scalar, y: Scalar, z: Scalar, w: Scalar) -> tuple[Vector, Vector, Vector]:
    """The columns of the orientation of a unit quaternion."""
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)),
        (2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)),
        (2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)),
    )


def quaternion_rates(quaternion: Sequence[Scalar], angular: Sequence[Scalar]) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """The time derivative of a quaternion x, y, z, w: half its product with the angular velocity, in the axes of the turned frame."""
    a, b, c, w = quaternion
    x, y, z = angular
    return (
        (w * x + b * z - c * y) / 2,
        (w * y + c * x - a * z) / 2,
        (w * z + a * y - b * x) / 2,
        -(a * x + b * y + c * z) / 2,
    )
