"""Masses of physical estimates: near the prior where the data say nothing about them, with a warning where they are not."""

from __future__ import annotations

import numpy as np
import pytest
from identification.random_arms import measured, random_arm, recipe_of
from sweeps import many

from robosym.identification import Identification, identify
from robosym.identification.prior import standards

pytest.importorskip("cvxpy")
pytest.importorskip("clarabel")


def arm_with_wrong_gains(seed: int, spread: float, rise: float = 0.02) -> Identification:
    """A physical estimate of a random arm: unmodelled torques of 10 to 20 % and gains wrong by up to ``spread``, so that
    the best parameters are those of no robot. The prior is the true robot."""
    rng = np.random.default_rng(seed)
    robot = random_arm(rng)
    columns = measured(rng, robot, noise=0.02, error=rng.uniform(0.1, 0.2))
    columns["tau"] = columns["tau"] * rng.uniform(1 - spread, 1 + spread, len(robot.moving))
    return identify(recipe_of(robot, columns, physical=True, rise=rise), workers=1)


def check_masses(seed: int) -> None:
    """Masses are within a factor of three of the prior's, or named in a warning; the fit is within the allowed rise."""
    for spread in (0.2, 0.5):
        found = arm_with_wrong_gains(seed, spread)
        assert found.physical is not None
        assert found.physical.rise <= 0.02
        standard = standards(found.model)
        total = sum(found.prior[link[9]] for link in standard.links)
        for name, link in zip(standard.link_names, standard.links, strict=True):
            mass, before = found.physical.values[link[9]], found.prior[link[9]]
            if abs(mass - before) > 0.1 * total and not 1 / 3 < mass / before < 3:
                assert any("far from the prior" in text and f"{name} " in text for text in found.warnings), name


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", [*range(many(2)), 16, 20])
def test_masses_stay_near_the_prior_or_are_named(seed: int) -> None:
    check_masses(seed)


@pytest.mark.slow
def test_the_allowed_rise_is_a_key_of_the_recipe() -> None:
    little, much = (arm_with_wrong_gains(5, 0.2, rise).physical for rise in (0.002, 0.2))
    assert little is not None
    assert much is not None
    assert much.distance < 0.8 * little.distance
    assert much.chi_squared[1] > 1.05 * little.chi_squared[1]
