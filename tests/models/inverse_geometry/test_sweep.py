"""The inverse geometric model against the brute-force search: a small part of ``sweep.py``, which says how to run it all."""

from __future__ import annotations

import pytest
from models.inverse_geometry.judge import Judge
from models.inverse_geometry.special_arms import KNOWN, special_arms
from models.inverse_geometry.sweep import cases, judged, judged_units
from sweeps import some

COUNT = 5  # special positions, and half as many random ones
ARMS = ["rrprr", "5r", "4r", "stanford", "ur5", "2-2", "3-17", "4-11", "6-1", "wrist-4"]


def test_there_are_sixty_arms():
    assert len(special_arms()) == 60


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", some(ARMS, 2))
def test_no_fault(compiled, name):
    robot = special_arms()[name]()
    judge = Judge.of(name, robot, compiled)
    given = cases(judge.arm, COUNT, 0, KNOWN.get(name, ()))
    given = [case for i, case in enumerate(given) if case.label != "random" or i % 2]
    faults = judged(judge, given)
    assert not faults, "\n".join(map(str, faults))


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["planar-3r", "4r"])
def test_the_unit_of_length_does_not_matter(name):
    robot = special_arms()[name]()
    judge = Judge.of(name, robot)
    faults = judged_units(judge, robot, cases(judge.arm, 3, 0, KNOWN.get(name, ())))
    assert not faults, "\n".join(map(str, faults))
