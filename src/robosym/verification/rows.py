"""What a comparison says."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from .mechanism import Floats

SAME, DIFFERENT, UNVERIFIED = "same", "DIFFERENT", "not verified"


@dataclass(frozen=True)
class Row:
    """One comparison: how much a model differs, over the largest number it is compared with."""

    model: str
    compared_with: str
    difference: float | None
    verdict: str
    why: str = ""

    @property
    def differs(self) -> bool:
        return self.verdict == DIFFERENT

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def unverified(model: str, why: str) -> Row:
    return Row(model, "", None, UNVERIFIED, why)


def worse(worst: float, ours: Floats, theirs: Floats) -> float:
    """The larger of a difference and that of two arrays; infinite if they cannot be compared."""
    if ours.shape != theirs.shape or not np.isfinite(ours).all():
        return float("inf")
    return max(worst, float(np.abs(ours - theirs).max(initial=0.0)))


def judged(model: str, against: str, worst: float, scale: float, tolerance: float) -> Row:
    """The row of a largest difference, over the largest number it is compared with."""
    difference = worst / scale if scale > 1e-9 else worst
    return Row(model, against, difference, SAME if difference <= tolerance else DIFFERENT)
