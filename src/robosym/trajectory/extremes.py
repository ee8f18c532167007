"""The extremes of many polynomials at once."""

from __future__ import annotations

import math

import numpy as np

from ..reals import Floats

LEADING = 1e-14  # of the largest coefficient: a leading one that is smaller is none
WELL = 1e-3  # of the largest coefficient: with a leading one that is smaller the closed form loses digits


def extremes(coefficients: Floats) -> tuple[Floats, Floats]:
    """The least and the largest value on [0, 1]: (many, n) each, from (many, degree + 1, n)."""
    first, last = coefficients[:, 0], coefficients.sum(axis=1)
    low, high = np.minimum(first, last), np.maximum(first, last)
    slope = coefficients[:, 1:] * np.arange(1, coefficients.shape[1])[None, :, None]
    for root in _roots(slope):
        at = np.where((root > 0) & (root < 1), root, 0.0)  # 0 counts already
        value = np.zeros_like(at)
        for power in range(coefficients.shape[1] - 1, -1, -1):
            value = value * at + coefficients[:, power]
        low, high = np.minimum(low, value), np.maximum(high, value)
    return low, high


def largest(coefficients: Floats) -> Floats:
    """The largest magnitude on [0, 1]: (many, n) from (many, degree + 1, n)."""
    low, high = extremes(coefficients)
    found: Floats = np.maximum(-low, high)
    return found


def _roots(coefficients: Floats) -> list[Floats]:
    """The real roots of many polynomials; nan in place of those that are not there."""
    degree = coefficients.shape[1] - 1
    if degree < 1:
        return []
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        if degree == 1:
            return [-coefficients[:, 0] / coefficients[:, 1]]
        if degree == 2:
            c, b, a = (coefficients[:, k] for k in range(3))
            inside = b * b - 4 * a * c
            q = -(b + np.copysign(np.sqrt(inside), b)) / 2  # nan, if there are none
            return [q / a, c / q]
    size, top = np.abs(coefficients).max(axis=1), np.abs(coefficients[:, degree])
    there = top > LEADING * size
    well = there & (degree == 3) & (top > WELL * size)
    found = np.full((degree, *top.shape), math.nan)
    rows = np.moveaxis(coefficients, 1, -1)
    if well.any():
        found[:, well] = _cubic(rows[well])
    if (there & ~well).any():
        found[:, there & ~well] = _eigenvalues(rows[there & ~well])
    if not there.all():
        lower = _roots(np.moveaxis(rows[~there][:, None, :degree], 2, 1))
        found[: degree - 1, ~there] = [root[:, 0] for root in lower]
    return list(found)


def _eigenvalues(rows: Floats) -> Floats:
    """The real roots of polynomials, by rows: the eigenvalues of their companion matrices, (degree, many)."""
    degree = rows.shape[1] - 1
    companion = np.zeros((len(rows), degree, degree))
    companion[:, range(1, degree), range(degree - 1)] = 1.0
    companion[:, :, -1] = -rows[:, :-1] / rows[:, -1:]
    found = np.linalg.eigvals(companion)
    return np.where(np.abs(found.imag) < 1e-7, found.real, math.nan).T


def _cubic(rows: Floats) -> Floats:
    """The same for degree three by Cardano's formula (the trigonometric one, if all are real), and Newton's for the last digits."""
    d, c, b = (rows[:, k] / rows[:, 3] for k in range(3))
    p, q = c - b * b / 3, b * (2 * b * b / 27 - c / 3) + d  # y^3 + p y + q, y = x + b / 3
    inside = (q / 2) ** 2 + (p / 3) ** 3
    found = np.full((3, len(rows)), math.nan)
    three = inside <= 0
    r = np.sqrt(-p[three] / 3)
    cosine = np.divide(-q[three] / 2, r**3, out=np.zeros_like(r), where=r > 0)
    angle = np.arccos(np.clip(cosine, -1.0, 1.0)) / 3
    for k in range(3):
        found[k, three] = 2 * r * np.cos(angle - 2 * math.pi * k / 3)
    root = np.sqrt(inside[~three])
    large = np.cbrt(-q[~three] / 2 - np.copysign(root, q[~three]))
    found[0, ~three] = large - np.divide(p[~three] / 3, large, out=np.zeros_like(large), where=large != 0)
    x = found - b / 3
    for _ in range(2):
        slope = (3 * x + 2 * b) * x + c
        x -= np.divide(((x + b) * x + c) * x + d, slope, out=np.zeros_like(x), where=np.abs(slope) > 1e-6)
    return x
