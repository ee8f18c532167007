"""What a recipe leaves open is chosen by its data, and said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from identification.synthetic import Motion, recipe, torques

import robosym
from robosym.errors import RobosymError
from robosym.identification import identify
from robosym.identification.automatic import completed, valley
from robosym.identification.data.recipe import Data, Processing, Recipe
from robosym.identification.data.recording import Recording

RATE = 500.0


def noisy(noise: float) -> Recipe:
    """A planar arm recorded by positions with noise, and torques; nothing said about processing."""
    robot = robosym.load("planar-2r")
    rng = np.random.default_rng(4)
    q, qd, qdd = Motion.random(rng, 2)(np.arange(6000) / RATE)
    tau = torques(robot, q, qd, qdd)
    columns = {"q": q + noise * rng.normal(size=q.shape), "tau": tau + 0.01 * rng.normal(size=tau.shape)}
    return recipe(robot, Recording.from_arrays(columns), RATE, exact=False, processing=Processing(), method="weighted")


def test_the_valley_lies_between_motion_and_noise() -> None:
    """Motion up to 0.8 Hz: more noise brings the frequency nearer to it, none leaves no reason for a filter."""
    rng = np.random.default_rng(0)
    q = Motion.random(rng, 3)(np.arange(10_000) / RATE)[0]
    found = [valley(q + noise * rng.normal(size=q.shape), RATE) for noise in (1e-2, 1e-4, 1e-6)]
    assert 0.8 < found[0] < found[1] < found[2] < 0.2 * RATE
    assert valley(q, RATE) > found[2]


def test_an_open_recipe_is_completed_and_says_how() -> None:
    made, remarks = completed(noisy(1e-4))
    assert made.processing.cutoff is not None
    assert 1 < made.processing.cutoff < 40
    assert made.processing.low_speed is not None
    assert min(made.processing.low_speed) > 0
    assert made.processing.factor == int(RATE / (2 * made.processing.cutoff))
    assert [word in remark for word, remark in zip(("cut-off", "slower", "one sample in"), remarks, strict=True)] == [
        True
    ] * 3
    again, silent = completed(made)
    assert again == made
    assert silent == []


def test_zero_means_none() -> None:
    plain = Processing(cutoff=0, low_speed=(0.0,), decimation=(1,))
    made, remarks = completed(replace(noisy(1e-4), processing=plain))
    assert made.processing == plain
    assert remarks == []


def test_noisy_positions_alone_give_the_parameters() -> None:
    """Where differences without a filter give nonsense."""
    given = noisy(1e-4)
    found = identify(given)
    truth = np.array(list(found.model.described_values().values()))
    assert any("cut-off" in remark for remark in found.notes.remarks)
    apart = np.abs(found.estimate.values - truth).max() / np.abs(truth).max()
    raw = identify(replace(given, processing=Processing(cutoff=0, low_speed=(0.0,), decimation=(1,))))
    without = np.abs(raw.estimate.values - truth).max() / np.abs(truth).max()
    assert apart < 0.06
    assert without > 5 * apart


def test_the_first_recording_of_which_something_is_left_is_looked_at() -> None:
    """One to validate with and one that is shorter than what is trimmed go before it."""
    given = noisy(1e-4)
    (whole,) = given.data.recordings
    assert isinstance(whole, Recording)
    columns = {name: whole.columns(whole.expanded(name)) for name in ("q", "tau")}
    short = Recording.from_arrays({name: x[:30] for name, x in columns.items()})
    trimmed = replace(given, processing=Processing(trim=15))
    expected, _ = completed(trimmed)
    data = Data((whole, short, whole), rate=RATE, role=("validate", "train", "train"))
    assert completed(replace(trimmed, data=data))[0].processing == expected.processing
    with pytest.raises(RobosymError, match="nothing is left of it: is it shorter than what is trimmed"):
        completed(replace(trimmed, data=Data((short,), rate=RATE)))
