"""Verdicts on differences."""

from __future__ import annotations

import numpy as np

from robosym.verification.rows import DIFFERENT, SAME, UNVERIFIED, Row, judged, worse


def test_the_largest_difference() -> None:
    a, b = np.array([1.0, 2.0]), np.array([1.5, 1.0])
    assert worse(0.2, a, b) == 1.0
    assert worse(2.0, a, b) == 2.0
    assert worse(0.0, a, b[:1]) == np.inf
    assert worse(0.0, np.array([np.nan]), np.array([np.nan])) == np.inf
    assert worse(0.1, np.zeros(0), np.zeros(0)) == 0.1


def test_verdicts() -> None:
    row = judged("m", "p", 2e-6, 2.0, 1e-6)
    assert (row.difference, row.verdict, row.differs) == (1e-6, SAME, False)
    assert judged("m", "p", 2.1e-6, 2.0, 1e-6).differs
    assert judged("m", "p", 1e-7, 1e-10, 1e-6).difference == 1e-7  # nothing to compare with
    assert judged("m", "p", np.inf, 1.0, 1e-6).verdict == DIFFERENT
    assert Row("m", "p", None, UNVERIFIED, "why").as_dict() == {
        "model": "m",
        "compared_with": "p",
        "difference": None,
        "verdict": "not verified",
        "why": "why",
    }
