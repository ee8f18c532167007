"""Matrices that tests of mechanics write down again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def skew(v: Any) -> NDArray[Any]:
    """The matrix of v x; of any scalars, complex ones too."""
    x, y, z = v
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def pseudo_inertia(values: Sequence[float]) -> NDArray[np.float64]:
    """The integral of [r; 1] [r; 1]^T of a body with XX XY XZ YY YZ ZZ MX MY MZ M: it moves as T P T^T."""
    XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = values
    J = np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]])
    first = np.array([[MX], [MY], [MZ]])
    return np.block([[np.trace(J) / 2 * np.eye(3) - J, first], [first.T, np.array([[M]])]])
