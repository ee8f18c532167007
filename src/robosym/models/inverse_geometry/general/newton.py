"""Newton on the closure, and the choice of distinct solutions: many candidates at once."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ....robot import PRISMATIC
from .arm import JOINTS, Arm
from .invariants import Floats
from .roots import solved

ITERATIONS, PATIENCE = 30, 8  # after so many, only what is nearly there goes on: double roots are slow
LONGEST_STEP = 0.5
CONVERGED = 1e-14
SAME, CLOSE = 1e-6, 1e-3


def refined(arm: Arm, T: Floats, q: Floats, iterations: int = ITERATIONS) -> tuple[Floats, Floats]:
    """Joint positions (K, 6) brought onto the poses (K, 4, 4), and the Frobenius norms of what is left."""
    q = q.copy()
    residual: Floats = np.full(len(q), np.inf)
    best = q.copy()
    active = np.arange(len(q))
    for turn in range(iterations + 1):
        error, columns, left = closure(arm, T[active], q[active])
        better = left < residual[active]
        improved = active[better]
        residual[improved], best[improved] = left[better], q[improved]
        # Quadratic convergence: a step that no longer halves the residual is rounding, once it is small.
        going = (left > CONVERGED) & (better | (left > 1e-8)) & np.isfinite(left)
        going &= (turn < PATIENCE) | (left < 1e-3)
        if turn == iterations or not going.any():
            break
        active = active[going]
        step = solved(columns[going], error[going][:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        q[active] += step * np.minimum(1.0, LONGEST_STEP / np.maximum(longest, LONGEST_STEP))
    return best, residual


def closure(arm: Arm, T: Floats, q: Floats) -> tuple[Floats, Floats, Floats]:
    """The twist that is missing (K, 6), the geometric Jacobian (K, 6, 6) and the residual (K,)."""
    count = len(q)
    frame: Floats = np.tile(arm.constants[0, :3], (count, 1, 1))
    axes: Floats = np.empty((count, 3, JOINTS))
    origins: Floats = np.empty((count, 3, JOINTS))
    for i, kind in enumerate(arm.kinds):
        axes[:, :, i], origins[:, :, i] = frame[:, :, 2], frame[:, :, 3]
        value = arm.signs[i] * q[:, i, None]
        if kind == PRISMATIC:
            frame[:, :, 3] += frame[:, :, 2] * value
        else:
            c, s = np.cos(value), np.sin(value)
            x, y = frame[:, :, 0].copy(), frame[:, :, 1].copy()
            frame[:, :, 0], frame[:, :, 1] = c * x + s * y, c * y - s * x
        frame = (frame.reshape(-1, 4) @ arm.constants[i + 1]).reshape(count, 3, 4)
    difference = T[:, :3] - frame
    residual = np.sqrt(np.einsum("kij,kij->k", difference, difference))
    error = np.empty((count, JOINTS))
    error[:, :3] = difference[:, :, 3]
    error[:, 3:] = 0.5 * _cross(frame[:, :, :3], T[:, :3, :3]).sum(axis=2)
    columns = np.empty((count, JOINTS, JOINTS))
    columns[:, :3] = _cross(axes, frame[:, :, 3:] - origins)
    columns[:, 3:] = axes
    for i, kind in enumerate(arm.kinds):
        if kind == PRISMATIC:
            columns[:, :3, i], columns[:, 3:, i] = axes[:, :, i], 0.0
    return error, columns * arm.signs, residual


def _cross(a: Floats, b: Floats) -> Floats:
    """Cross products of the columns of (K, 3, m)."""
    result: Floats = np.empty(a.shape)
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        result[:, i] = a[:, j] * b[:, k] - a[:, k] * b[:, j]
    return result


def wrapped(kinds: tuple[int, ...], q: Floats) -> Floats:
    """Angles in (-pi, pi]."""
    result = q.copy()
    for i, kind in enumerate(kinds):
        if kind != PRISMATIC:
            result[..., i] = math.pi - np.mod(math.pi - q[..., i], 2 * math.pi)
    return result


def distance(kinds: tuple[int, ...], a: Floats, b: Floats) -> Floats:
    """The largest difference of a joint, angles modulo a turn."""
    result: Floats = np.abs(wrapped(kinds, a - b)).max(axis=-1)
    return result


def padded(pose: NDArray[np.intp], count: int, q: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Rows (K, w) by pose, (N, m, w), and which are there; ``pose`` need not be sorted."""
    order = np.argsort(pose, kind="stable")
    numbers = np.bincount(pose, minlength=count)
    width = int(numbers.max(initial=0))
    place = np.arange(len(pose)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
    Q: Floats = np.zeros((count, width, q.shape[1]))
    there = np.zeros((count, width), dtype=bool)
    Q[pose[order], place] = q[order]
    there[pose[order], place] = True
    return Q, there


def distinct(arm: Arm, T: Floats, Q: Floats, residual: Floats, there: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of the candidates (N, m, 6) are there and not a repetition of an earlier one.

    Two are the same when they agree to SAME, or when half-way between two close ones the residual is no larger: a double
    root, where Newton is slow and stops early.
    """
    kept = there.copy()
    for j in range(1, Q.shape[1]):
        rows = np.nonzero(kept[:, j])[0]
        if not len(rows):
            continue
        apart = np.where(kept[rows, :j], distance(arm.kinds, Q[rows, :j], Q[rows, j : j + 1]), np.inf)
        same = apart < SAME
        for row, i in zip(*np.nonzero((apart >= SAME) & (apart < CLOSE)), strict=True):
            n = rows[row]
            middle = Q[n, j] + wrapped(arm.kinds, Q[n, i] - Q[n, j]) / 2
            flat = closure(arm, T[n : n + 1], middle[None])[2][0]
            same[row, i] = flat < 4 * max(residual[n, i], residual[n, j], CONVERGED)
        kept[rows[same.any(axis=1)], j] = False
    return kept
