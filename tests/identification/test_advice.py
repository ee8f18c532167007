"""Advice about a recording: given for real mistakes, never for torques that the model lacks."""

from __future__ import annotations

import numpy as np
import pytest
from identification.random_arms import measured, random_arm, recipe_of
from sweeps import many

from robosym.identification.data.preparing import prepare
from robosym.identification.from_recipe import regressor_of
from robosym.identification.sampled import Sampler

MISTAKES = ("sign of a torque", "sign of a position", "scale of a torque", "two torques swapped")
ADVICE = ("explained much better", "predicted much better", "after the motion", "after those of the other joints")


class Arm:
    """A random arm, its recording beside unmodelled torques, and the regressor that all trials share."""

    def __init__(self, seed: int, least: float, most: float, joints: tuple[int, int] = (3, 7)) -> None:
        self.rng = np.random.default_rng(seed)
        self.robot = random_arm(self.rng, int(self.rng.integers(*joints)))
        self.columns = measured(self.rng, self.robot, noise=0.02, error=self.rng.uniform(least, most))
        recipe = recipe_of(self.robot, self.columns)
        self.dense = Sampler(recipe, regressor_of(recipe), 1).dense

    def advice(self, **columns: np.ndarray) -> list[str]:
        """What is suggested about the recording with some columns replaced."""
        (ready,) = prepare(recipe_of(self.robot, {**self.columns, **columns}), self.dense)
        return [text for text in ready.notes.warnings if any(words in text for words in ADVICE)]

    def wrong(self, mistake: str) -> tuple[dict[str, np.ndarray], tuple[str, ...]]:
        """The columns with a mistake, and the words that name it."""
        k = int(self.rng.integers(1, len(self.robot.moving)))
        q, tau = self.columns["q"].copy(), self.columns["tau"].copy()
        if mistake == "sign of a torque":
            tau[:, k] *= -1
            words: tuple[str, ...] = (f"'tau.{k}' (joint joint{k + 1})", "the other sign")
        elif mistake == "sign of a position":
            q[:, k] *= -1
            words = (f"'q.{k}' (joint joint{k + 1})", "the other sign")
        elif mistake == "scale of a torque":
            tau[:, k] *= 4
            words = (f"'tau.{k}' (joint joint{k + 1})", "0.25 times the torque")
        else:
            tau[:, [k - 1, k]] = tau[:, [k, k - 1]]
            words = (f"'tau.{k - 1}' and 'tau.{k}'", "swapped")
        return {"q": q, "tau": tau}, words


def check_no_advice(seed: int) -> None:
    """Unmodelled torques of 10 to 20 % and gains off by up to 20 % are no mistake that the advice names."""
    arm = Arm(seed, 0.1, 0.2)
    gains = arm.rng.uniform(0.8, 1.2, len(arm.robot.moving))
    assert arm.advice(tau=arm.columns["tau"] * gains) == []


def check_mistakes(seed: int, mistakes: tuple[str, ...] = MISTAKES) -> None:
    """A real mistake in a column is named, with the remedy, beside unmodelled torques of 3 to 10 %."""
    arm = Arm(seed, 0.03, 0.1, (3, 5))
    for mistake in mistakes:
        columns, words = arm.wrong(mistake)
        given = arm.advice(**columns)
        assert any(all(word in text for word in words) for text in given), (mistake, words, given)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", [*range(many(2)), 7])
def test_unmodelled_torques_give_no_advice(seed: int) -> None:
    check_no_advice(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(many(2)))
def test_real_mistakes_are_named(seed: int) -> None:
    check_mistakes(seed)
