"""Columns of the dynamic model on floats: their sum is the torque, and all ways to project wrenches agree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.regressors.regressor_columns import sample
from sweeps import many

from robosym.models.regressors.dynamic import dynamic_columns
from robosym.models.tree.motion import Recursion
from robosym.program import Scope

WAYS = ("back", "meet", "forth")


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("seed", range(many(4)))
def test_torques(seed: int, free: bool) -> None:
    case = sample(seed, free)
    expected = case.twin.rnea(case.state["q"], case.state["qd"], case.state["qdd"])
    found = {way: dynamic_columns(case.tree, case.own, Scope(), way) for way in (WAYS[:1] if free else WAYS)}
    for columns in found.values():
        assert set(columns) == set(case.own.names.values())
        np.testing.assert_allclose(
            case.on_coordinates(case.tree, columns), expected, atol=1e-10 * np.abs(expected).max()
        )
    for name, on_axes in found["back"].items():
        for other in found.values():
            assert other[name] == pytest.approx(dict(on_axes), abs=1e-10)


def test_fewer_parameters_and_other_recursions() -> None:
    case = sample(1, False)
    whole = dynamic_columns(case.tree, case.own, Scope(), "back")
    names = dict(list(case.own.names.items())[::3])
    fewer = dynamic_columns(case.tree, replace(case.own, names=names), Scope(), "back", Recursion(classical=True))
    assert set(fewer) == set(names.values())
    for name, on_axes in fewer.items():
        assert on_axes == pytest.approx(dict(whole[name]), abs=1e-10)
