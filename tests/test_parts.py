"""The parts of the suite: every test is in one, and a case stays in the part it is in."""

from __future__ import annotations

from pathlib import Path

import pytest
from parts import spread

pytest_plugins = ["pytester"]

CASES = """
import pytest

@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("b", range(4))
@pytest.mark.parametrize("a", range(5))
def test_many(a, b):
    pass

@pytest.mark.slow
def test_slow():
    pass

@pytest.mark.delivery
def test_delivery():
    pass

def test_fast():
    pass
"""
PLUGIN = """
import pytest
from parts import mark_slow_cases

@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    mark_slow_cases(items)
"""


@pytest.mark.parametrize(("count", "chosen"), [(20, 3), (7, 7), (2, 5), (1, 1), (100, 10)])
def test_the_chosen_cases_are_spread_over_all(count: int, chosen: int) -> None:
    numbers = spread(count, chosen)
    assert len(numbers) == min(count, chosen)
    assert numbers <= set(range(count))
    gaps = sorted(numbers)
    assert max(b - a for a, b in zip([-1, *gaps], [*gaps, count], strict=True)) <= 3 * (count / len(numbers)) + 1


@pytest.mark.parametrize("inner", [2, 3, 4, 5, 6, 8, 10])
def test_cases_of_two_lists_meet_several_entries_of_each(inner: int) -> None:
    numbers = spread(6 * inner, 6)
    assert len({k % inner for k in numbers}) >= min(inner, 2)
    assert len({k // inner for k in numbers}) >= 3


@pytest.mark.parametrize(
    ("expression", "passed"),
    [("not slow and not delivery", 3), ("slow or delivery", 20), ("slow and not delivery", 19), ("", 23)],
)
def test_the_parts_are_the_whole(pytester: pytest.Pytester, expression: str, passed: int) -> None:
    pytester.makepyfile(CASES)
    pytester.makeconftest(PLUGIN)
    folder = Path(__file__).parent
    ini = f"[pytest]\npythonpath = {folder}\nmarkers =\n  slow\n  delivery\n  mostly_slow\n"
    pytester.makefile(".ini", pytest=ini)
    pytester.runpytest("-p", "no:xdist", *(["-m", expression] if expression else [])).assert_outcomes(
        passed=passed, deselected=23 - passed
    )
