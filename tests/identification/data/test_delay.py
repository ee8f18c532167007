"""Delays of a torque whose model is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from identification.data.motions import fourier, recipe_of

import robosym
from robosym.identification.data.preparing import prepare
from robosym.identification.data.recipe import Processing, RecipeError, Torque
from robosym.identification.from_recipe import regressor_of
from robosym.identification.sampled import Sampler


def columns(delay: float, n: int = 2, rate: float = 500.0) -> dict[str, np.ndarray]:
    t = np.arange(round(40 * rate)) / rate
    robot = robosym.load("double-pendulum")
    q, qd, qdd = fourier(t - delay, n, base=0.2)
    torques = robosym.models.inverse_dynamics(robot).compile()(q=q, qd=qd, qdd=qdd) + 0.2 * qd + 0.3 * np.sign(qd)
    torques = torques + 0.02 * np.random.default_rng(0).normal(size=torques.shape)
    q = fourier(t, n, base=0.2)[0]
    return {f"q{k + 1}": q[:, k] for k in range(n)} | {f"tau{k + 1}": torques[:, k] for k in range(n)}


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("delay", [0.0, 0.0037, -0.008, 0.02])
def test_a_delay_is_found_to_a_part_of_a_sample(delay: float) -> None:
    recipe = recipe_of(columns(delay), 2, Processing(cutoff=20.0), robot=robosym.load("double-pendulum"))
    recipe = replace(recipe, data=replace(recipe.data, rate=500.0), torque=replace(recipe.torque, delay="estimate"))
    with pytest.raises(RecipeError, match="torque, delay"):
        prepare(recipe)
    (ready,) = prepare(recipe, Sampler(recipe, regressor_of(recipe)).dense)
    assert ready.estimated is not None
    found = ready.estimated.common
    assert found.seconds == pytest.approx(delay, abs=4e-4)
    assert found.sigma < 1e-3
    assert abs(found.seconds - delay) < 5 * found.sigma
    for one in ready.estimated.joints:
        assert one.seconds == pytest.approx(delay, abs=2e-3)
    assert ready.delay == pytest.approx(found.seconds if found.is_sure else 0.0)
    assert any("delay of the torque: estimated" in text for text in ready.notes.remarks)


def test_a_delay_that_is_not_corrected_is_warned_of() -> None:
    recipe = recipe_of(columns(0.01), 2, Processing(cutoff=20.0), robot=robosym.load("double-pendulum"))
    recipe = replace(recipe, data=replace(recipe.data, rate=500.0))
    model = Sampler(recipe, regressor_of(recipe)).dense
    (ready,) = prepare(recipe, model)
    (text,) = ready.notes.warnings
    assert text.startswith("the torque comes 1")
    assert 'set delay = "estimate"' in text
    corrected = replace(recipe, torque=Torque(("tau1", "tau2"), delay=(0.01,)))
    assert prepare(corrected, model)[0].notes.warnings == []
