"""Rows of tables that problems of a description belong to."""

from __future__ import annotations

import pytest

from robosym.views.table_checks import _leg_row as leg_row

ROWS = [{"platform": "low"}, {"platform": "low"}, {"platform": "high"}, {"platform": "high"}, {"platform": "high"}]


@pytest.mark.parametrize(("module", "leg", "row"), [(1, 1, 0), (1, 2, 1), (2, 1, 2), (2, 3, 4)])
def test_legs_of_one_platform_after_the_other(module: int, leg: int, row: int) -> None:
    assert leg_row(ROWS, module, leg) == row


@pytest.mark.parametrize("platform", [{}, {"platform": None}, {"platform": ""}])
def test_legs_that_name_no_platform_are_of_one(platform: dict[str, object]) -> None:
    assert [leg_row([platform] * 3, 1, leg) for leg in (1, 2, 3)] == [0, 1, 2]


@pytest.mark.parametrize(("module", "leg"), [(3, 1), (1, 3)])
def test_a_leg_that_is_not_there_is_the_first_row(module: int, leg: int) -> None:
    assert leg_row(ROWS, module, leg) == 0
