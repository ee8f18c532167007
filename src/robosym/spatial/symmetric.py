"""Symmetric matrices of three rows as their six entries XX, XY, XZ, YY, YZ, ZZ: inertias, second moments, products."""

from __future__ import annotations

from collections.abc import Sequence

from . import vectors
from .rotations import Orientation, Rotation
from .scalar import Scalar, cos, is_zero, sin
from .vectors import Columns, Vector

Symmetric = tuple[Scalar, Scalar, Scalar, Scalar, Scalar, Scalar]  # XX, XY, XZ, YY, YZ, ZZ

ZERO: Symmetric = (0, 0, 0, 0, 0, 0)


def columns(a: Symmetric) -> Columns:
    """The whole matrix, by columns or by rows."""
    xx, xy, xz, yy, yz, zz = a
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


def half(rows: Sequence[Sequence[Scalar]]) -> Symmetric:
    """The six entries of a whole matrix, from its upper triangle."""
    return (rows[0][0], rows[0][1], rows[0][2], rows[1][1], rows[1][2], rows[2][2])


def plus(a: Symmetric, b: Symmetric) -> Symmetric:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5])


def times(k: Scalar, a: Symmetric) -> Symmetric:
    return (k * a[0], k * a[1], k * a[2], k * a[3], k * a[4], k * a[5])


def apply(a: Symmetric, v: Vector) -> Vector:
    """The matrix times a vector."""
    return vectors.apply(columns(a), v)


def product(u: Vector, v: Vector) -> Symmetric:
    """u v^T of two vectors along one line, such as w w^T: only then is it symmetric."""
    (a, b, c), (x, y, z) = u, v
    return (a * x, a * y, a * z, b * y, b * z, c * z)


def outer(u: Vector, v: Vector) -> Symmetric:
    """u v^T + v u^T."""
    (a, b, c), (x, y, z) = u, v
    return (2 * (a * x), a * y + b * x, a * z + c * x, 2 * (b * y), b * z + c * y, 2 * (c * z))


def is_sphere(a: Symmetric) -> bool:
    """Whether it is a multiple of the identity, which no rotation changes."""
    xx, xy, xz, yy, yz, zz = a
    return all(map(is_zero, (xy, xz, yz))) and is_zero(xx - yy) and is_zero(yy - zz)


def turned(R: Columns, a: Symmetric) -> Symmetric:
    """R A R^T, of a rotation given by its columns."""
    if is_sphere(a):
        return a
    x, y, z = (vectors.apply(R, row) for row in columns(a))  # the columns of R A

    def entry(i: int, k: int) -> Scalar:
        return x[i] * R[0][k] + y[i] * R[1][k] + z[i] * R[2][k]

    return (entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2))


def complement(a: Symmetric) -> Symmetric:
    """tr(A) 1 - A: the inertia matrix J of a body with the second moments Sigma."""
    xx, xy, xz, yy, yz, zz = a
    return (yy + zz, -xy, -xz, xx + zz, -yz, xx + yy)


def axial(U: Columns, a: Symmetric, differences: Vector | None = None) -> Vector:
    """The axial vector of U A - (U A)^T, of the second moments of a body sum m r x (U r). ``differences`` are U33 - U22, U11 - U33
    and U22 - U11, if they have names of their own."""
    xx, xy, xz, yy, yz, zz = a
    (_, u21, u31), (u12, _, u32), (u13, u23, _) = U
    d1, d2, d3 = differences or diagonal_differences(U)
    return (
        yy * u32 - zz * u23 + xy * u31 - xz * u21 + yz * d1,
        zz * u13 - xx * u31 + yz * u12 - xy * u32 + xz * d2,
        xx * u21 - yy * u12 + xz * u23 - yz * u13 + xy * d3,
    )


def diagonal_differences(U: Columns) -> Vector:
    """U33 - U22, U11 - U33, U22 - U11."""
    return (U[2][2] - U[1][1], U[0][0] - U[2][2], U[1][1] - U[0][0])


def back(rotation: Rotation, a: Symmetric) -> Symmetric:
    """R A R^T: a matrix of the turned frame in the antecedent frame.

    About z, with k = s (XX - YY) + 2 c XY: XX' = XX - s k, YY' = YY + s k, XY' = c k - XY; five multiplications.
    """
    for turn in reversed(rotation):
        if isinstance(turn, Orientation):
            a = turned(turn.columns, a)
            continue
        c, s = cos(turn.angle), sin(turn.angle)
        xx, xy, xz, yy, yz, zz = a
        if turn.axis == "z":
            (xx, xy, yy), (xz, yz) = _plane(c, s, xx, xy, yy), (c * xz - s * yz, s * xz + c * yz)
        else:
            (yy, yz, zz), (xy, xz) = _plane(c, s, yy, yz, zz), (c * xy - s * xz, s * xy + c * xz)
        a = (xx, xy, xz, yy, yz, zz)
    return a


def _plane(c: Scalar, s: Scalar, a: Scalar, b: Scalar, d: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """The symmetric 2 x 2 matrix [a b; b d] turned in its plane."""
    k = s * (a - d) + 2 * (c * b)
    return a - s * k, c * k - b, d + s * k
