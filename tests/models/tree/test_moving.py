"""How the points of a rigid frame move, against differences of positions along a motion that is known in time."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from robosym.models.tree.moving import AT_REST, Moving

STEP = 1e-4


def known_motion(seed: int) -> tuple[Moving, np.ndarray, np.ndarray]:
    """A frame at t = 0 as it moves, in fixed axes; a point of it, and the point's positions at -STEP, 0 and STEP."""
    rng = np.random.default_rng(seed)
    v, w, a, wd, r = rng.normal(size=(5, 3))
    places = []
    for t in (-STEP, 0.0, STEP):
        turn = Rotation.from_rotvec(w * t + wd * t * t / 2)  # to the second order in t
        places.append(v * t + a * t * t / 2 + turn.apply(r))
    return Moving(tuple(v), tuple(w), tuple(a), tuple(wd)), r, np.array(places)


@pytest.mark.parametrize("seed", range(3))
def test_another_point_of_the_frame(seed: int) -> None:
    moving, r, places = known_motion(seed)
    there = moving.at(tuple(r))
    before, now, after = places
    np.testing.assert_allclose(there.v, (after - before) / (2 * STEP), atol=1e-6)
    np.testing.assert_allclose(there.a, (after - 2 * now + before) / STEP**2, atol=1e-4)
    assert (there.w, there.wd, there.kind) == (moving.w, moving.wd, "classical")


def test_the_spatial_acceleration_is_the_classical_one_less_w_x_v() -> None:
    moving, r, _ = known_motion(4)
    spatial = moving.of_kind("spatial")
    np.testing.assert_allclose(spatial.a, np.subtract(moving.a, np.cross(moving.w, moving.v)), atol=1e-15)
    assert spatial.kind == "spatial"
    assert spatial.of_kind("spatial") is spatial
    np.testing.assert_allclose(spatial.of_kind("classical").a, moving.a, atol=1e-15)
    # The two ways to the spatial acceleration of another point are one.
    here, there = spatial.at(tuple(r)), moving.at(tuple(r)).of_kind("spatial")
    np.testing.assert_allclose(here.a, there.a, atol=1e-14)
    np.testing.assert_allclose(here.v, there.v, atol=1e-15)
    np.testing.assert_allclose(here.a, spatial.a + np.cross(moving.wd, r), atol=1e-14)


def test_six_numbers_linear_first() -> None:
    moving = Moving((1, 2, 3), (4, 5, 6), (7, 8, 9), (10, 11, 12))
    assert moving.velocity == (1, 2, 3, 4, 5, 6)
    assert moving.acceleration == (7, 8, 9, 10, 11, 12)
    assert AT_REST.velocity == AT_REST.acceleration == (0,) * 6
