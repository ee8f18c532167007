"""Vectors of three scalars as tuples."""

from __future__ import annotations

from .scalar import Scalar

Vector = tuple[Scalar, Scalar, Scalar]
Columns = tuple[Vector, Vector, Vector]  # a matrix, by columns

ZERO: Vector = (0, 0, 0)
AXES: tuple[Vector, Vector, Vector] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def plus(a: Vector, b: Vector) -> Vector:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def times(k: Scalar, a: Vector) -> Vector:
    return (k * a[0], k * a[1], k * a[2])


def dot(a: Vector, b: Vector) -> Scalar:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def apply(columns: Columns, a: Vector) -> Vector:
    """The matrix with these columns times a vector."""
    x, y, z = columns
    return plus(plus(times(a[0], x), times(a[1], y)), times(a[2], z))


def transposed(a: Columns) -> Columns:
    """The transpose of a matrix."""
    x, y, z = a
    return ((x[0], y[0], z[0]), (x[1], y[1], z[1]), (x[2], y[2], z[2]))


def cross(a: Vector, b: Vector) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
