"""The set-up of an arm: the poses that the reduced arm has to reach."""

from __future__ import annotations

import numpy as np
import pytest
from models.inverse_geometry.general.general_arms import THREE_PRISMATIC, random_arm

from robosym.models.inverse_geometry.general.plan import Plan
from robosym.models.inverse_geometry.general.three_prismatic import ThreePrismatic


@pytest.mark.parametrize("kinds", THREE_PRISMATIC)
def test_the_reduced_arm_reaches_reduced_poses(kinds: tuple[int, ...]) -> None:
    rng = np.random.default_rng(1)
    plan = Plan.of(random_arm(rng, kinds, reduced=False))
    q = rng.uniform(-2, 2, (5, 6))
    units = np.where(np.array(kinds) == 1, plan.whole.length, 1.0)
    T = plan.whole.poses(q)
    before = T.copy()
    np.testing.assert_allclose(plan.reduced(T), plan.arm.poses(q / units), atol=1e-12)
    np.testing.assert_allclose(plan.reduced(T[0]), plan.reduced(T)[0], atol=1e-14)
    np.testing.assert_array_equal(T, before)
    assert isinstance(plan.strategy.always[0], ThreePrismatic)
