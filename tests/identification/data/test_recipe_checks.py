"""Checks of a recipe's processing: the last value that is accepted and the first that is not."""

from __future__ import annotations

from typing import Any

import pytest

from robosym.identification.data.recipe import Processing
from robosym.identification.data.recipe_checks import _processing_problems as processing_problems

JOINTS, RATE = 3, 100.0
CHEBYSHEV = {"decimation_filter": "chebyshev"}


def fields(**given: Any) -> list[str]:
    return [problem.where for problem in processing_problems(Processing(**given), JOINTS, RATE)]


@pytest.mark.parametrize(
    ("field", "accepted", "refused"),
    [
        ("cutoff", [None, 0.0, 1e-3, 49.9], [-1.0, 50.0, 60.0]),
        ("order", [1, 10], [0, 11]),
        ("trim", [None, 0, 5], [-1]),
        ("padding", [None, 0, 5], [-1]),
        ("decimation", [(), (1,), (2, 5)], [(0,), (3, 0), (-1,)]),
        ("where", ["signals", "columns"], ["column", ""]),
        ("differences", ["central", "forward"], ["backward"]),
        ("decimation_filter", ["fir", "chebyshev"], ["iir"]),
        ("low_speed", [None, (0.0,), (0.1, 0.0, 0.2)], [(0.1, 0.2), (-0.1,), (0.1, 0.1, -1e-9)]),
        ("outliers", [None, 1e-3, 4.0], [0.0, -1.0, float("inf")]),
        ("no_acceleration", [(), (1,), (1, 3)], [(0,), (4,)]),
    ],
)
def test_limits_of_a_field(field: str, accepted: list[Any], refused: list[Any]) -> None:
    for value in accepted:
        assert fields(**{field: value}) == [], value
    for value in refused:
        assert fields(**{field: value}) == [f"processing, {field}"], value


def test_rows_are_short_only_where_all_joints_are_one_stack() -> None:
    assert fields(rows_short=0) == fields(rows_short=2, **CHEBYSHEV) == fields(rows_short=0, **CHEBYSHEV) == []
    assert fields(rows_short=2) == fields(rows_short=-1, **CHEBYSHEV) == ["processing, rows_short"]


def test_a_cutoff_needs_a_rate_to_be_too_high() -> None:
    assert list(processing_problems(Processing(cutoff=1e6), JOINTS, None)) == []
