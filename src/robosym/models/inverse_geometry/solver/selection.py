"""Which of the solutions: within limits, with their periodic copies, nearest first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ..chain.chain import Chain

Floats = NDArray[np.float64]

TURN = 2 * math.pi
SLACK = 1e-9  # beyond a limit by rounding


@dataclass(frozen=True, eq=False)
class Ranges:
    """The limits of a chain's joints; infinite where there are none."""

    lower: Floats
    upper: Floats
    turning: NDArray[np.bool_]

    @classmethod
    def of(cls, chain: Chain) -> Ranges:
        limits = [chain.robot.frame(joint.frame).joint.limits for joint in chain.joints]
        return cls(
            np.array([-math.inf if one.lower is None else one.lower for one in limits]),
            np.array([math.inf if one.upper is None else one.upper for one in limits]),
            np.array([not joint.prismatic for joint in chain.joints]),
        )

    def apart(self, Q: Floats, q: Floats) -> Floats:
        """The differences of positions; of angles the shortest way round."""
        way = Q - q
        return np.where(self.turning, (way + math.pi) % TURN - math.pi, way)

    def sorted(self, Q: Floats, seed: Floats, copies: bool) -> Floats:
        """Nearest to the seed first; copies are not the same position."""
        way = Q - seed if copies else self.apart(Q, seed)
        return Q[np.argsort(np.linalg.norm(way, axis=1), kind="stable")]

    def turned(self, Q: Floats, seed: Floats) -> Floats:
        """With angles within half a turn of the seed's."""
        return np.asarray(np.where(self.turning, seed + self.apart(Q, seed), Q))

    def copies(self, Q: Floats, keep: bool) -> Floats:
        """Each solution with all its periodic copies within limits; ``keep`` itself too if it is outside."""
        rows: list[Sequence[float]] = []
        for q in Q:
            made = list(product(*(self._values(k, float(x)) for k, x in enumerate(q))))
            own = [q.tolist()] if keep and not any(np.allclose(q, row, rtol=0, atol=SLACK) for row in made) else []
            rows += [*own, *made]
        return np.array(rows, dtype=np.float64).reshape(-1, Q.shape[1])

    def within(self, Q: Floats, seed: Floats | None) -> Floats:
        """Those within limits: of the periodic copies of a solution the nearest to the seed, or to zero."""
        rows = []
        for q in Q:
            row = []
            for k, x in enumerate(q):
                values = self._values(k, float(x))
                near = float(x) if seed is None else float(seed[k])
                row += [min(values, key=lambda value, near=near: abs(value - near))] if values else []  # type: ignore[misc]
            if len(row) == len(q):
                rows.append(row)
        return np.array(rows, dtype=np.float64).reshape(-1, Q.shape[1])

    def _values(self, k: int, x: float) -> list[float]:
        """The value of a joint and its periodic copies, those within limits; without both limits the value alone."""
        low, high = float(self.lower[k]), float(self.upper[k])
        if not self.turning[k]:
            return [x] if low - SLACK <= x <= high + SLACK else []
        if math.isinf(low) and math.isinf(high):
            return [x]
        if math.isinf(low) or math.isinf(high):  # one limit: the first value beyond it
            turns = math.ceil((low - SLACK - x) / TURN) if math.isinf(high) else math.floor((high + SLACK - x) / TURN)
            return [x + TURN * (max(turns, 0) if math.isinf(high) else min(turns, 0))]
        first, last = math.ceil((low - SLACK - x) / TURN), math.floor((high + SLACK - x) / TURN)
        return [x + TURN * k for k in range(first, last + 1)]
