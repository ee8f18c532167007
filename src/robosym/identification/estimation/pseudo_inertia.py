"""The pseudo-inertia of a link: ten parameters are those of a real body if and only if it is positive definite.

P = int [p; 1] [p; 1]^T dm = [Sigma h; h^T m] with the second moments Sigma = int p p^T dm and h = m c (Wensing, Kim,
Slotine 2018). With the inertia matrix J about the frame's origin, whose XY is -int xy dm: Sigma = tr(J)/2 I - J.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

from ...reals import Floats


def pseudo_inertia(parameters: Floats) -> Floats:
    """P of XX XY XZ YY YZ ZZ MX MY MZ M."""
    XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = (float(value) for value in parameters)
    half = (XX + YY + ZZ) / 2
    return np.array(
        [
            [half - XX, -XY, -XZ, MX],
            [-XY, half - YY, -YZ, MY],
            [-XZ, -YZ, half - ZZ, MZ],
            [MX, MY, MZ, M],
        ]
    )


def parameters_of(P: Floats) -> Floats:
    """XX XY XZ YY YZ ZZ MX MY MZ M of a pseudo-inertia."""
    x, y, z = P[0, 0], P[1, 1], P[2, 2]
    return np.array([y + z, -P[0, 1], -P[0, 2], x + z, -P[1, 2], x + y, P[0, 3], P[1, 3], P[2, 3], P[3, 3]])


def basis() -> Floats:
    """(16, 10): the entries of a symmetric 4x4 matrix from ten numbers, orthonormal."""
    found = np.zeros((16, 10))
    for k, (i, j) in enumerate(combinations_with_replacement(range(4), 2)):
        found[4 * i + j, k] = found[4 * j + i, k] = 1.0 if i == j else np.sqrt(0.5)
    return found


def change(L: Floats) -> Floats:
    """(10, 10): the parameters of the pseudo-inertia L Q L^T from the ten numbers of Q in the basis."""
    columns = [parameters_of(L @ column.reshape(4, 4) @ L.T) for column in basis().T]
    return np.column_stack(columns)
