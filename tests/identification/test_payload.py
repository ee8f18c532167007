"""A known payload: all that its torques depend on is given, or the recipe is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from identification.estimation.clouds import cloud_parameters
from identification.random_arms import RATE, measured, random_arm, recipe_of
from sweeps import many

from robosym.expr import number
from robosym.identification import identify
from robosym.identification.data.recipe import Data, Payload, Recipe, RecipeError
from robosym.identification.data.recording import Recording
from robosym.identification.payload import completed
from robosym.robot import INERTIA, Robot


def loaded(robot: Robot, ten: np.ndarray) -> Robot:
    """The same robot, whose last link carries a body."""
    last = robot.frames[-1]
    link = replace(
        last.link, **{name: getattr(last.link, name) + number(float(x)) for name, x in zip(INERTIA, ten, strict=True)}
    )
    return robot.replace(frames=(*robot.frames[:-1], replace(last, link=link)))


def with_payload(seed: int) -> tuple[Recipe, dict[str, float]]:
    """The recipe of two recordings of a random arm, the second with a small body far from the last frame's origin."""
    rng = np.random.default_rng(seed)
    robot = random_arm(rng)
    centre = rng.uniform(0.1, 0.3, 3) * rng.choice([-1, 1], 3)
    points = centre + 0.01 * rng.normal(size=(8, 3))
    ten = cloud_parameters(points, np.full(8, rng.uniform(1.0, 3.0) / 8))
    both = [measured(rng, one, noise=0.005, error=0.0) for one in (robot, loaded(robot, ten))]
    recordings = tuple(Recording.from_arrays(one, f"run{k}") for k, one in enumerate(both))
    given = replace(recipe_of(robot, both[0]), data=Data(recordings, rate=RATE))
    return given, dict(zip(INERTIA, map(float, ten), strict=True))


def check_payload(seed: int) -> None:
    """With all ten numbers, and with mass and first moments alone, the gains of the drives are one; with the mass alone the
    recipe is refused."""
    given, values = with_payload(seed)
    frame = given.robot.frames[-1].name
    mass_alone = Payload(frame, {"M": values["M"]}, (2,))
    with pytest.raises(RecipeError, match="payload, MX MY MZ: expected its first moments"):
        replace(given, payload=mass_alone)
    for names in (INERTIA, ("MX", "MY", "MZ", "M")):
        payload = Payload(frame, {name: values[name] for name in names}, (2,))
        found = identify(replace(given, payload=payload), workers=1)
        assert found.gains is not None
        np.testing.assert_allclose(found.gains.gains, 1.0, atol=0.03)
        assert not any("has to be multiplied" in text for text in found.warnings)
        assert any("point mass" in text for text in found.notes.remarks) == (len(names) == 4)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", range(many(2)))
def test_a_payload_is_known_with_its_first_moments(seed: int) -> None:
    check_payload(seed)


def test_a_payload_without_inertias_is_a_point_mass() -> None:
    place = np.array([0.1, -0.2, 0.3])
    expected = cloud_parameters(place[None], np.array([2.0]))
    moments = dict(zip(("MX", "MY", "MZ"), 2.0 * place, strict=True))
    values, remark = completed(Payload("tool", {"M": 2.0, **moments}))
    np.testing.assert_allclose([values[name] for name in INERTIA], expected)
    assert "point mass" in remark
    values, remark = completed(Payload("tool", {"M": 2.0, "MX": 0.2, "ZZ": 0.1}))
    assert values["MY"] == values["XX"] == 0.0
    assert "MY, MZ taken as zero" in remark.replace("XX, XY, XZ, YY, YZ, ", "")
