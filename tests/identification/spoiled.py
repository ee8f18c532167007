"""A noisy recording of the SCARA, to be spoiled before it is identified."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from identification.synthetic import FRICTION, Motion, torques

import robosym
from robosym.identification import Identification, identify
from robosym.identification.data.recipe import Data, Estimation, ModelChoice, Processing, Recipe, Signal, Torque
from robosym.identification.data.recording import Recording

RATE = 500.0


PROCESSING = Processing(cutoff=20.0, trim=20, decimation=(10,), low_speed=(0.1,))


class Spoiled:
    """A noisy recording of the SCARA, to be spoiled before it is identified."""

    def __init__(self) -> None:
        self.robot = robosym.load("scara")
        rng = np.random.default_rng(0)
        self.t = np.arange(round(20 * RATE)) / RATE
        q, qd, qdd = Motion.random(rng, 4)(self.t)
        tau = torques(self.robot, q, qd, qdd)
        self.tau = tau + 0.02 * tau.std(axis=0) * rng.normal(size=tau.shape)
        self.q = q + 1e-5 * rng.normal(size=q.shape)

    def recipe(self, **changes: object) -> Recipe:
        recorded = Recording.from_arrays({"q": self.q, "tau": self.tau}, "spoiled")
        made = Recipe(
            self.robot,
            Data((recorded,), rate=RATE),
            Signal(recorded.expanded("q")),
            Torque(recorded.expanded("tau")),
            processing=PROCESSING,
            model=ModelChoice(friction=FRICTION),
            estimate=Estimation(block=1.0),
        )
        return replace(made, **changes)  # type: ignore[arg-type]

    def identified(self, **changes: object) -> Identification:
        return identify(self.recipe(**changes))


def one_warning(found: Identification, *words: str) -> str:
    return next(text for text in found.warnings if all(word in text for word in words))
