"""The parts of the test suite: fast (no marker), slow, and delivery.

``slow`` is a marker of whole tests. ``mostly_slow(fast=3)`` is one of tests with many cases: three of them, the same in every run,
are in the fast part and the others are slow. ``delivery`` marks tutorials, commands of the README, pictures and builds of packages.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import pytest

GOLDEN = (5**0.5 - 1) / 2


def spread(count: int, chosen: int) -> set[int]:
    """As many of the numbers below ``count`` as are chosen, spread evenly, whatever the length of the lists that were multiplied: in
    the order of the fractions of their products with the golden section."""
    return set(sorted(range(count), key=lambda k: k * GOLDEN % 1)[:chosen])


def mark_slow_cases(items: Iterable[pytest.Item]) -> None:
    """Mark the slow cases of tests that are mostly slow."""
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("mostly_slow") is not None:
            cases[item.nodeid.partition("[")[0]].append(item)
    for of_test in cases.values():
        marker = of_test[0].get_closest_marker("mostly_slow")
        assert marker is not None
        fast = spread(len(of_test), marker.kwargs["fast"])
        for k, item in enumerate(of_test):
            if k not in fast:
                item.add_marker("slow")
