"""The ten parameters in the antecedent's frame: those of the same points, and of the same body moved the other way."""

from __future__ import annotations

import numpy as np
import pytest
from models.reference import dh_matrix
from models.small_matrices import pseudo_inertia
from random_robots import random_inertia
from sweeps import many

from robosym.expr import number, parameter, pi
from robosym.models.inertial_parameters.moved import added, body, moved_back
from robosym.robot import INERTIA


@pytest.mark.parametrize("seed", range(many(3)))
def test_a_body_moves_as_its_points_do(seed: int) -> None:
    rng = np.random.default_rng(seed)
    geometry = rng.uniform(-2, 2, 6)
    ten = dict(zip(INERTIA, random_inertia(rng), strict=True))
    moved = moved_back({name: number(value) for name, value in ten.items()}, [number(float(x)) for x in geometry])
    found = pseudo_inertia([float(moved[name].value) for name in INERTIA])
    T = dh_matrix(*geometry)
    # The products of inertia of the papers are those of J: XY = -int xy dm, as in the matrix here.
    np.testing.assert_allclose(found, T @ pseudo_inertia(list(ten.values())) @ T.T, atol=1e-12)


def test_it_is_written_as_the_papers_print_it() -> None:
    R, YY, MZ, M = (parameter(name) for name in ("RL4", "YY4", "MZ4", "M4"))
    along = moved_back(body(YY=YY, MZ=MZ, M=M), [number(0)] * 5 + [R])
    assert along["YY"] is YY + 2 * R * MZ + R * R * M
    assert along["MZ"] is MZ + R * M
    turned = moved_back(body(MX=M), [number(0), number(0), number(0), number(0), pi / 2, number(0)])
    assert (turned["MX"], turned["MY"]) == (number(0), M)


def test_sums_are_name_by_name() -> None:
    a, b = body(XX=parameter("A")), body(XX=parameter("B"), M=parameter("C"))
    total = added(a, b)
    assert total["XX"] is parameter("A") + parameter("B")
    assert total["M"] is parameter("C")
    assert total["ZZ"].is_zero
