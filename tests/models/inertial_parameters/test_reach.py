"""What a link can do: closed answers on small arms, and the spans of random motions on random ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from robosym.models.inertial_parameters.reach import antecedent_reaches
from robosym.robot import Robot

DOWN, ACROSS = [0, 0, -9.81], [0, -9.81, 0]


def reach(rows: list[Mapping[str, Any]], j: int, gravity: list[float]) -> Any:
    """Of the antecedent of link j, seen from frame j."""
    return antecedent_reaches(Robot.from_table("arm", rows, gravity=gravity), False)[j]


def test_the_base_does_nothing() -> None:
    first = reach([{}], 1, DOWN)
    assert first.still
    assert not first.tilts
    assert first.gravity_along
    assert not first.gravity_across


@pytest.mark.parametrize(("gravity", "across"), [(DOWN, False), (ACROSS, True)])
def test_a_planar_arm_spins_and_drifts(gravity: list[float], across: bool) -> None:
    second = reach([{}, {"d": 0.5}], 2, gravity)
    assert second.spins
    assert second.drifts
    assert not second.tilts
    assert not second.rises
    assert second.gravity_across == across


def test_a_turned_axis_tilts() -> None:
    second = reach([{}, {"alpha": "pi/2"}], 2, DOWN)
    assert second.tilts
    assert not second.spins
    assert not second.drifts
    assert second.gravity_across
    np.testing.assert_allclose(np.abs(second.axis), [0, 1, 0], atol=1e-12)


def test_a_slide_rises_and_a_long_chain_does_everything() -> None:
    second = reach([{"sigma": 1}, {}], 2, DOWN)
    assert second.rises
    assert not second.spins
    assert not second.drifts
    rows: list[Mapping[str, Any]] = [{}, *({"alpha": 1.1 + 0.1 * k, "d": 0.3, "r": 0.2} for k in range(6))]
    assert reach(rows, 7, DOWN).full
    assert reach(rows, 7, DOWN).axis is None
