"""Both positions of a platform that translates on three spheres."""

from __future__ import annotations

import numpy as np
import pytest
from sweeps import many

from robosym.errors import RobosymError
from robosym.models.parallel.direct.translation import translated_poses

CENTRES = np.array([[1, 0, 0], [0, 1, 0], [-1, -1, 0.0]])


@pytest.mark.parametrize("seed", range(many(8)))
def test_two_positions_on_random_spheres(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scale = 10.0 ** rng.integers(-3, 4)
    centres, p = scale * rng.normal(size=(3, 3)), scale * rng.normal(size=3)
    found = translated_poses(centres, np.linalg.norm(p - centres, axis=1))
    normal = np.cross(centres[1] - centres[0], centres[2] - centres[0])
    image = p - 2 * normal * (normal @ (p - centres[0])) / (normal @ normal)
    assert len(found) == 2
    assert found.residuals.max() < 1e-13
    for expected in (p, image):
        assert np.linalg.norm(found.poses[:, :3, 3] - expected, axis=1).min() < 1e-9 * scale
    assert found.complete


def test_spheres_that_touch() -> None:
    found = translated_poses(CENTRES, np.linalg.norm(CENTRES - [0.2, 0.1, 0], axis=1))
    assert len(found) == 1
    assert found.singular.all()
    np.testing.assert_allclose(found[0][:3, 3], [0.2, 0.1, 0], atol=1e-7)


def test_spheres_that_do_not_meet() -> None:
    corners = np.array([[1, 0, 0], [-0.5, np.sqrt(0.75), 0], [-0.5, -np.sqrt(0.75), 0]])
    found = translated_poses(3 * corners, np.full(3, 2.0))
    assert len(found) == 0
    assert found.complete
    assert "the smallest gap is 1" in found.message


def test_centres_on_a_line() -> None:
    line = np.array([[1, 0, 0], [0, 0, 0], [-1, 0, 0.0]])
    found = translated_poses(line, [np.sqrt(2), 1, np.sqrt(2)])
    assert found.infinite
    assert not found.complete
    assert len(found) == 0
    assert "on a line" in found.message
    assert not translated_poses(line, [1, 1, 1]).infinite
    assert not translated_poses(line, [0.1, 1, 0.1]).infinite


def test_four_spheres() -> None:
    rng = np.random.default_rng(0)
    centres, p = rng.normal(size=(4, 3)), rng.normal(size=3)
    found = translated_poses(centres, np.linalg.norm(p - centres, axis=1))
    assert len(found) == 1
    np.testing.assert_allclose(found[0][:3, 3], p, atol=1e-12)
    assert len(translated_poses(centres, np.linalg.norm(p - centres, axis=1) + 0.1 * np.eye(4)[3])) == 0


@pytest.mark.parametrize(
    "given", [(CENTRES[:2], np.ones(2)), (CENTRES, np.ones(2)), (CENTRES + np.inf, np.ones(3)), (CENTRES, -np.ones(3)), (CENTRES, np.ones(3), np.eye(2))]
)  # fmt: skip
def test_wrong_input_is_refused(given: tuple) -> None:
    with pytest.raises(RobosymError, match=r"centres|radii|rotation"):
        translated_poses(*given)
