"""Mutated and random descriptions beside Pinocchio and MuJoCo: the same numbers, an error, or a warning by name."""

from __future__ import annotations

from collections import Counter

import pytest
from formats.mutated import SAME, check_mjcf, check_random_mjcf, check_shapes, check_urdf
from sweeps import many


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("check", [check_urdf, check_mjcf])
def test_mutated_descriptions_are_as_in_the_reference(check):
    found = Counter(check(seed) for seed in range(many(80)))
    assert 0.1 * many(80) < found[SAME] < 0.9 * many(80), "mutations should both spare and break descriptions"


@pytest.mark.slow
def test_inertia_of_shapes_classes_and_settings_are_as_in_mujoco():
    assert Counter(check_random_mjcf(seed) for seed in range(many(20))) == {SAME: many(20)}


def test_shapes_of_mutated_descriptions_are_read_or_refused():
    found = Counter(check_shapes(seed) for seed in range(many(300)))
    assert found[True] > found[False] > 0
