"""Solutions checked by forward geometry: where an equation fails, at singular poses, and beyond an arm's reach."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .forward import Forward
from .result import Booleans
from .selection import Ranges

Floats = NDArray[np.float64]

POLISHED = 1e-10  # a solution that misses its pose by more is refined
RIGHT = 2e-6  # and one that still misses it by more is none (a pose may be as far from orthonormal)
SAME = 1e-6  # nearer to each other two solutions are one
ELSEWHERE = (np.pi / 2, np.pi, -np.pi / 2, np.pi / 4, -np.pi / 4, 3 * np.pi / 4, -3 * np.pi / 4)
STARTS = 8  # of the search for the nearest an arm comes to a pose
HELD_WITHIN = 1e-3  # rad: the orientation counts as held


@dataclass(frozen=True, eq=False)
class Checked:
    """An arm at given values; ``columns`` are those of the pose that count."""

    forward: Forward
    ranges: Ranges
    columns: slice

    def sound(self, T: Floats, Q: Floats, valid: Booleans, free: Booleans) -> tuple[Floats, Booleans]:
        """The solutions and their free joints. Where an equation fails, its joint only looks free: such a row is put right."""
        if not valid.any() and not free.any():
            return Q[:0], free[:0]
        rows = np.flatnonzero((valid | free.any(axis=1)) & np.isfinite(Q).all(axis=1))
        found: list[Floats] = []
        loose: list[Booleans] = []
        misses = self.forward.residuals(Q[rows], T, self.columns)
        for k, miss in zip(rows.tolist(), misses.tolist(), strict=True):
            q, is_free = Q[k], free[k]
            if miss > POLISHED or is_free.any():
                q = self.ranges.turned(self.forward.polished(q, T, self.columns)[None], np.zeros(len(q)))[0]
                is_free = np.array([one and self._is_free(T, q, i) for i, one in enumerate(is_free)])
                if self.forward.residuals(q[None], T, self.columns)[0] > RIGHT * (1 + np.abs(T[:3, 3]).max()):
                    continue
                if any(np.abs(self.ranges.apart(other, q)).max() < SAME for other in found):
                    continue
            found.append(q)
            loose.append(is_free)
        if not found and free.any():
            self._elsewhere(T, Q, free, found, loose)
        return np.array(found).reshape(-1, Q.shape[1]), np.array(loose, dtype=bool).reshape(-1, Q.shape[1])

    def _elsewhere(self, T: Floats, Q: Floats, free: Booleans, found: list[Floats], loose: list[Booleans]) -> None:
        """A free joint at zero may put the others out of reach: one solution with it somewhere else, if there is one."""
        for k in np.flatnonzero(free.any(axis=1)).tolist():
            for turn in ELSEWHERE:
                start = np.where(free[k], Q[k] + turn, Q[k])
                q = self.ranges.turned(self.forward.polished(start, T, self.columns)[None], np.zeros(len(start)))[0]
                if self.forward.residuals(q[None], T, self.columns)[0] < POLISHED:
                    found.append(q)
                    loose.append(np.array([one and self._is_free(T, q, i) for i, one in enumerate(free[k])]))
                    return

    def _is_free(self, T: Floats, q: Floats, joint: int) -> bool:
        return self.forward.moved(q, T, joint, float(q[joint]) + 0.1, (), self.columns) is not None

    def settled(self, T: Floats, q: Floats, free: Booleans, seed: Floats) -> Floats:
        """A solution with its free joints where the seed has them, as far as the self-motion leads there."""
        held: list[int] = []
        for k in np.nonzero(free)[0].tolist():
            moved = self.forward.moved(q, T, k, float(seed[k]), held, self.columns)
            if moved is not None:
                q = self.ranges.turned(moved[None], np.zeros(len(moved)))[0]
            held.append(k)
        return q

    def missed(self, rows: Floats, T: Floats, clamped: bool) -> tuple[float, float]:
        """How far the nearest branch stays from a pose out of reach, in m and rad."""
        rows = rows[np.isfinite(rows).all(axis=1)]
        if not clamped or not len(rows):
            rows = np.random.default_rng(0).uniform(-1.5, 1.5, (STARTS, len(self.ranges.lower)))
        nearest = rows[np.argsort(self.forward.misses(rows, T)[0])[:STARTS]]
        rows = np.vstack([rows, self.forward.approached(T, nearest, self.columns)])
        distances, angles = self.forward.misses(rows, T)
        if self.columns.start == 3:
            angles = np.zeros(len(rows))
        angles[angles < HELD_WITHIN] = 0.0
        best = np.lexsort((distances, np.round(angles, 4)))[0]
        return float(distances[best]), float(angles[best])
