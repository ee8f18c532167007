"""Samples: what all of identification works on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .signals import Array, Mask


@dataclass(frozen=True)
class Samples:
    """Some samples of one recording: at the joints, in SI units, evenly spaced."""

    time: Array  # (N,)
    q: Array  # (N, nq)
    qd: Array  # (N, nv)
    qdd: Array  # (N, nv)
    tau: Array  # (N, nv)
    keep: Mask  # (N, nv): the rows of each joint that count

    def __len__(self) -> int:
        return len(self.time)

    def part(self, rows: slice) -> Samples:
        return Samples(self.time[rows], self.q[rows], self.qd[rows], self.qdd[rows], self.tau[rows], self.keep[rows])


def joined(parts: list[Samples]) -> Samples:
    """Pieces of one recording, one after the other."""
    names = ("time", "q", "qd", "qdd", "tau", "keep")
    return Samples(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))
