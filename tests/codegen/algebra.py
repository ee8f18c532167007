"""What computer algebra systems (those that stand in for Mathematica and Maple) leave open, and IEEE does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from codegen.conformance import Arrays, Case


def defined(case: Case) -> Case:
    """Every function, but where x = y = 0: computer algebra leaves 0^0 and the angle of the zero vector undefined."""
    states = tuple(state for state in case.states if "x" not in state or np.any(state["x"].ravel()[:2]))
    return replace(case, states=states)


def real_where_expected(case: Case, found: Sequence[Arrays]) -> list[Arrays]:
    """What was found; where IEEE has inf or nan, algebra systems have values of their own, which are not compared."""
    merged = []
    for got, wanted in zip(found, case.expected, strict=True):
        arrays = {}
        for name, value in wanted.items():
            arrays[name] = np.where(np.isfinite(value), np.asarray(got[name], dtype=float).reshape(value.shape), value)
        merged.append(arrays)
    return merged
