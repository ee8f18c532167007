"""Comparisons of one random robot with a reference, collected instead of raised."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass
class Checks:
    """``worst`` is the largest error over its scale; ``failures`` names every comparison above its tolerance."""

    name: str
    comparisons: int = 0
    worst: float = 0.0
    failures: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def compare(self, what: str, got: Any, expected: Any, scale: float = 1.0, tolerance: float = 1e-8) -> None:
        """Compare two arrays; the error counts over ``scale`` or the largest expected entry, whichever is larger."""
        got, expected = np.asarray(got, dtype=float), np.asarray(expected, dtype=float)
        self.comparisons += 1
        if got.shape != expected.shape:
            self.failures.append(f"{self.name}: {what}: shape {got.shape} instead of {expected.shape}")
            return
        size = max(scale, float(np.abs(expected).max(initial=0.0)))
        error = float(np.abs(got - expected).max(initial=0.0)) / size
        if not error <= tolerance:  # NaN fails
            self.failures.append(f"{self.name}: {what}: {_short(got)} instead of {_short(expected)}")
        self.worst = max(self.worst, error) if np.isfinite(error) else np.inf

    def require(self, what: str, holds: bool) -> None:
        """Count a condition as a comparison."""
        self.comparisons += 1
        if not holds:
            self.failures.append(f"{self.name}: {what}")

    def skip(self, reason: str) -> None:
        """State what was not compared."""
        self.skipped.append(reason)

    def passed(self) -> None:
        """Raise an AssertionError that lists the failures, if there are any or if nothing was compared."""
        assert self.comparisons, f"{self.name}: nothing was compared"
        assert not self.failures, "\n".join(self.failures)


def _short(values: np.ndarray) -> str:
    return np.array2string(values.ravel()[:12], precision=6, max_line_width=200)
