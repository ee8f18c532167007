"""The passes, one per file, and the order in which they are tried."""

from __future__ import annotations

from .base import Pass
from .cancel import CANCEL
from .dissolve import DISSOLVE
from .factor import FACTOR
from .recombine import RECOMBINE
from .regroup import REGROUP

PASSES: dict[str, Pass] = {one.name: one for one in (DISSOLVE, CANCEL, RECOMBINE, FACTOR, REGROUP)}

# Tried one after the other; what does not lower the price is left out.
PIPELINE: tuple[Pass, ...] = (CANCEL, RECOMBINE, FACTOR, REGROUP)

__all__ = ["CANCEL", "DISSOLVE", "FACTOR", "PASSES", "PIPELINE", "RECOMBINE", "REGROUP", "Pass"]
