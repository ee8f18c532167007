"""The rank of a matrix at generic positions, and on how many of them this rests."""

from __future__ import annotations

from typing import NamedTuple

from ...reals import Floats
from ...spatial.ranks import ranks

ENOUGH = 3  # samples that must have the largest rank: at a generic position all have it


class GenericRank(NamedTuple):
    """The largest rank of ``samples`` matrices, of which ``reached`` have it; the others are at special positions."""

    rank: int
    samples: int
    reached: int

    @property
    def proved(self) -> bool:
        """Whether enough samples have the largest rank: one alone may be near to a higher one."""
        return self.reached >= ENOUGH


def generic_rank(matrices: Floats, tolerance: float) -> GenericRank:
    """Of matrices (N, m, n) at random positions."""
    found = ranks(matrices, tolerance)
    largest = int(found.max(initial=0))
    return GenericRank(largest, len(found), int((found == largest).sum()))
