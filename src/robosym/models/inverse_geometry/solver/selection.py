"""The limits of a chain's joints, and the periodic copies of a solution within them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ..chain.chain import Columns
from ..special_poses.limits import SLACK, TURN

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Ranges:
    """The limits of a chain's joints; infinite where there are none."""

    lower: Floats
    upper: Floats
    turning: NDArray[np.bool_]
    slack: Floats

    @classmethod
    def of(cls, chain: Columns) -> Ranges:
        limits = [chain.robot.frame(joint.frame).joint.limits for joint in chain.joints]
        return cls(
            np.array([-math.inf if one.lower is None else one.lower for one in limits]),
            np.array([math.inf if one.upper is None else one.upper for one in limits]),
            np.array([not joint.prismatic for joint in chain.joints]),
            SLACK * np.array(chain.units),
        )

    def apart(self, Q: Floats, q: Floats) -> Floats:
        """The differences of positions; of angles the shortest way round."""
        way = Q - q
        return np.where(self.turning, (way + math.pi) % TURN - math.pi, way)

    @cached_property
    def limits(self) -> Floats:
        """As the routine takes them: the least, then the greatest positions."""
        return np.array([self.lower, self.upper])

    def sorted(self, Q: Floats, seed: Floats) -> Floats:
        """Nearest to the seed first; copies are not the same position."""
        return Q[np.argsort(np.linalg.norm(Q - seed, axis=1), kind="stable")]

    def turned(self, Q: Floats, seed: Floats) -> Floats:
        """With angles within half a turn of the seed's."""
        return np.asarray(np.where(self.turning, seed + self.apart(Q, seed), Q))

    def copies(self, Q: Floats, keep: bool) -> Floats:
        """Each solution with all its periodic copies within limits; ``keep`` itself too if it is outside."""
        rows: list[Sequence[float]] = []
        for q in Q:
            made = list(product(*(self._values(k, float(x)) for k, x in enumerate(q))))
            own = [q.tolist()] if keep and not any((abs(q - row) <= self.slack).all() for row in made) else []
            rows += [*own, *made]
        return np.array(rows, dtype=np.float64).reshape(-1, Q.shape[1])

    def _values(self, k: int, x: float) -> list[float]:
        """The value of a joint and its periodic copies, those within limits; without both limits the value alone."""
        low, high = float(self.lower[k] - self.slack[k]), float(self.upper[k] + self.slack[k])
        if not self.turning[k]:
            return [x] if low <= x <= high else []
        if math.isinf(low) and math.isinf(high):
            return [x]
        if math.isinf(low) or math.isinf(high):  # one limit: the first value beyond it
            turns = math.ceil((low - x) / TURN) if math.isinf(high) else math.floor((high - x) / TURN)
            return [x + TURN * (max(turns, 0) if math.isinf(high) else min(turns, 0))]
        first, last = math.ceil((low - x) / TURN), math.floor((high - x) / TURN)
        return [x + TURN * k for k in range(first, last + 1)]
