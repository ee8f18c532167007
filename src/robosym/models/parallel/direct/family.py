"""Poses of a point on a sphere as a quadric, and one member of that family whose forty solutions are known.

With Study's parameters z = (x, y) of a pose, x its quaternion (w first) and y half the dual part, N = x.x and x.y = 0:

    N p = 2 vec(y x*),   N R'p = 2 vec(x* y),   N |p|^2 = 4 y.y,   N R = Q(x)

so that |p + R a - c|^2 = l^2, times N, is a quadratic form in z (Husty 1996; Wampler 1996):

    4 y.y + 2 a.(N R'p) - 2 c.(N p) - 2 c'(N R) a + (|a|^2 + |c|^2 - l^2) N = 0

It is linear in the 17 coefficients (1, a, c, c a', |a|^2 + |c|^2 - l^2). Six general members of the linear family of these 17
forms and Study's quadric have forty common poses, as six general spheres have: ``start`` gives such a system with all of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....reals import Floats
from .starts import STARTS

Complexes = NDArray[np.complex128]
FORMS, MODES = 17, 40


def coefficients(points: Floats, centres: Floats, radii: Floats) -> Floats:
    """The 17 coefficients of each sphere, by rows."""
    products = (centres[:, :, None] * points[:, None, :]).reshape(len(points), 9)
    constant = (points**2).sum(axis=1) + (centres**2).sum(axis=1) - radii**2
    return np.concatenate([np.ones((len(points), 1)), points, centres, products, constant[:, None]], axis=1)


def system(rows: Floats | Complexes) -> Complexes:
    """The symmetric matrices (7, 8, 8) of six members of the family, by their coefficients, and of Study's quadric."""
    return np.concatenate([np.einsum("ik,kab->iab", rows, _FORMS), _STUDY[None]]).astype(complex)


def start() -> tuple[Complexes, Complexes]:
    """The matrices of one general system and its forty solutions z (40, 8)."""
    n = np.arange(1.0, 6 * FORMS + 1)
    rows = np.exp(2j * np.pi * (0.7548776662466927 * n * n)).reshape(6, FORMS)  # any numbers without a pattern
    matrices = system(rows)
    numbers = np.array(STARTS)
    x = np.concatenate([np.ones((MODES, 1)), numbers[:, 0::2] + 1j * numbers[:, 1::2]], axis=1)
    return matrices, np.concatenate([x, _dual(rows, x)], axis=1)


def _dual(rows: Complexes, x: Complexes) -> Complexes:
    """y from x: without y.y, which five differences of the equations do not have, they are linear in it."""
    differences = system(np.concatenate([rows[1:] - rows[:1] * rows[1:, :1] / rows[:1, :1], rows[:1] * 0]))
    linear = 2 * np.einsum("iab,na->nib", differences[:, :4, 4:], x)
    constant = np.einsum("iab,na,nb->ni", differences[:, :4, :4], x, x)
    return np.stack([np.linalg.lstsq(M, -k, rcond=None)[0] for M, k in zip(linear, constant, strict=True)])


def pose_of(z: Floats) -> tuple[Floats, Floats]:
    """R (n, 3, 3) and p (n, 3) of real Study parameters (n, 8); x must not vanish."""
    N = (z[:, :4] ** 2).sum(axis=1)
    values = np.einsum("na,kab,nb->nk", z, _FORMS, z) / N[:, None]
    return (values[:, 7:16] / -2).reshape(-1, 3, 3), values[:, 4:7] / -2


def _forms() -> Floats:
    """The 17 symmetric matrices."""
    forms = np.zeros((FORMS, 8, 8))

    def add(form: int, i: int, j: int, value: float) -> None:
        forms[form, i, j] += value / 2
        forms[form, j, i] += value / 2

    cyclic = [((i + 1) % 3, (i + 2) % 3) for i in range(3)]
    for i in range(4):
        add(0, 4 + i, 4 + i, 4.0)
        add(16, i, i, 1.0)
    for i, (j, k) in enumerate(cyclic):
        for form, factor, sign in ((1 + i, 4.0, -1), (4 + i, -4.0, 1)):  # 2 N R'p, -2 N p
            add(form, 0, 5 + i, factor)
            add(form, 4, 1 + i, -factor)
            add(form, 1 + j, 5 + k, sign * factor)
            add(form, 1 + k, 5 + j, -sign * factor)
    for i in range(3):
        for j in range(3):  # -2 N R = -2 ((x0^2 - v.v) E + 2 v v' + 2 x0 [v])
            form = 7 + 3 * i + j
            if i == j:
                add(form, 0, 0, -2.0)
                for k in range(3):
                    add(form, 1 + k, 1 + k, 2.0)
            else:
                k = 3 - i - j
                add(form, 0, 1 + k, 4.0 if cyclic[i] == (j, k) else -4.0)
            add(form, 1 + i, 1 + j, -4.0)
    return forms


def _study() -> Floats:
    """x.y, half of it twice."""
    matrix = np.zeros((8, 8))
    matrix[range(4), range(4, 8)] = matrix[range(4, 8), range(4)] = 0.5
    return matrix


_FORMS, _STUDY = _forms(), _study()
