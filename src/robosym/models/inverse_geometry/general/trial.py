"""How well an elimination finds positions that are known: Newton's iteration from its roots, on many poses at once.

Only the set-up of an arm needs it. What solves a pose is the routine of ``stages``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....robot import PRISMATIC
from ..special_poses.closure import frames, jacobian, missing_twist
from .arm import JOINTS, Arm
from .invariants import Floats
from .roots import Elimination, solved

TRIALS = 16
ITERATIONS, PATIENCE = 30, 8  # after so many, only what is nearly there goes on: double roots are slow
LONGEST_STEP = 0.5
CONVERGED, RESIDUAL = 1e-14, 1e-9
SAME = 1e-6
Booleans = NDArray[np.bool_]


def trial_poses(arm: Arm, count: int = TRIALS, seed: int = 7) -> tuple[Floats, Floats]:
    """Random configurations and their poses."""
    q = np.random.default_rng(seed).uniform(-np.pi, np.pi, (count, JOINTS))
    q[:, [kind == PRISMATIC for kind in arm.kinds]] /= np.pi
    return q, arm.poses(q)


@dataclass(frozen=True, eq=False)
class Trial:
    """``found``: at which poses the configuration that made them."""

    method: Elimination
    found: Booleans
    error: float  # of the starts, before Newton
    spurious: float  # the part of the real roots that are no solutions

    @property
    def worth(self) -> tuple[float, float]:
        return float(self.found.mean()), -max(self.error, 1e-12) * (1 + 1e3 * self.spurious)


def tried(method: Elimination, arm: Arm, q: Floats, T: Floats) -> Trial:
    """How well a method finds the configurations the poses were made from."""
    found, error = np.zeros(len(q), dtype=bool), np.full(len(q), np.inf)
    try:
        pose, starts, sure = method.starts(T)
    except np.linalg.LinAlgError:
        return Trial(method, found, float("inf"), 1.0)
    np.minimum.at(error, pose, distance(arm.kinds, starts, q[pose]))
    solutions, residual = refined(arm, T[pose], starts)
    right = (distance(arm.kinds, solutions, q[pose]) < SAME) & (residual < RESIDUAL)
    found[pose[right]] = True
    spurious = float((sure & (residual > RESIDUAL)).sum() / max(1, sure.sum()))
    return Trial(method, found, float(np.sort(error)[-2]), spurious)


def most_solutions(arm: Arm, methods: Sequence[Elimination], T: Floats) -> int:
    """The largest number of solutions that the methods find together at one of the poses."""
    kept: list[list[Floats]] = [[] for _ in T]
    for method in methods:
        pose, starts, _ = method.starts(T)
        solutions, residual = refined(arm, T[pose], starts)
        for i, q in zip(pose[residual < RESIDUAL].tolist(), solutions[residual < RESIDUAL], strict=True):
            if not kept[i] or (distance(arm.kinds, np.array(kept[i]), q) > SAME).all():
                kept[i].append(q)
    return max(map(len, kept))


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
    prismatic = [kind == PRISMATIC for kind in arm.kinds]
    frame, axes, origins = frames(list(arm.constants), prismatic, arm.signs * q)
    residual = np.sqrt(((T[:, :3] - frame) ** 2).sum(axis=(1, 2)))
    return missing_twist(T, frame), jacobian(prismatic, arm.signs.tolist(), frame, axes, origins), residual


def distance(kinds: tuple[int, ...], a: Floats, b: Floats) -> Floats:
    """The largest difference of a joint, angles modulo a turn."""
    apart = a - b
    turns = 2 * np.pi * np.round(apart / (2 * np.pi))
    result: Floats = np.abs(np.where([kind == PRISMATIC for kind in kinds], apart, apart - turns)).max(axis=-1)
    return result
