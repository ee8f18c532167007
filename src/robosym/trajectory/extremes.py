"""The largest magnitude of many polynomials at once."""

from __future__ import annotations

import math

import numpy as np

from ..reals import Floats


def largest(coefficients: Floats) -> Floats:
    """On [0, 1], of degree four at most: (many, n) from (many, degree + 1, n)."""
    found: Floats = np.maximum(np.abs(coefficients[:, 0]), np.abs(coefficients.sum(axis=1)))
    slope = coefficients[:, 1:] * np.arange(1, coefficients.shape[1])[None, :, None]
    for root in _roots(slope):
        at = np.where((root > 0) & (root < 1), root, 0.0)  # 0 counts already
        value = np.zeros_like(at)
        for power in range(coefficients.shape[1] - 1, -1, -1):
            value = value * at + coefficients[:, power]
        found = np.maximum(found, np.abs(value))
    return found


def _roots(coefficients: Floats) -> list[Floats]:
    """The real roots of many polynomials of degree three at most; nan in place of those that are not there."""
    nothing = np.full(coefficients[:, 0].shape, math.nan)
    degree = coefficients.shape[1] - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        if degree < 1:
            return []
        if degree == 1:
            return [-coefficients[:, 0] / coefficients[:, 1]]
        if degree == 2:
            c, b, a = (coefficients[:, k] for k in range(3))
            q = -(b + np.copysign(np.sqrt(np.maximum(b * b - 4 * a * c, 0.0)), b)) / 2
            real = b * b - 4 * a * c >= 0
            return [np.where(real, q / a, nothing), np.where(real, c / q, nothing)]
        # Degree three: the eigenvalues of the companion matrix; a leading zero leaves a quadratic.
        top = coefficients[:, 3]
        large = np.abs(top) > 1e-14 * np.abs(coefficients).max(axis=1)
        monic = coefficients[:, :3] / np.where(large, top, 1.0)[:, None]
        companion = np.zeros((*top.shape, 3, 3))
        companion[..., 1, 0] = companion[..., 2, 1] = 1.0
        for k in range(3):
            companion[..., k, 2] = -monic[:, k]
        found = np.linalg.eigvals(companion)
        cubic = [np.where(large & (np.abs(found[..., k].imag) < 1e-7), found[..., k].real, nothing) for k in range(3)]
        return [*cubic, *(np.where(large, nothing, root) for root in _roots(coefficients[:, :3]))]
