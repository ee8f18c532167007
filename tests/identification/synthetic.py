"""Recordings of robots that move in known ways: exact positions, speeds, accelerations, and the torques of inverse dynamics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from robosym import models
from robosym.identification import identify
from robosym.identification.data.recipe import Data, Estimation, ModelChoice, Processing, Recipe, Signal, Torque
from robosym.identification.data.recording import Recording
from robosym.models.regressors.regressor import Regressor
from robosym.robot import Robot

FRICTION = ("viscous", "coulomb", "offset")


@dataclass(frozen=True)
class Motion:
    """Sums of a few sines for each joint."""

    amplitudes: np.ndarray  # (harmonics, joints)
    phases: np.ndarray
    pace: np.ndarray  # rad/s of each harmonic
    centre: np.ndarray

    @classmethod
    def random(cls, rng: np.random.Generator, n: int, reach: float = 0.5, centre: Any = 0.0) -> Motion:
        amplitudes = reach * rng.uniform(0.3, 1.0, (4, n))
        phases = rng.uniform(0, 2 * np.pi, (4, n))
        return cls(amplitudes, phases, np.array([1.0, 2.3, 3.7, 5.1]), np.broadcast_to(centre, n))

    def __call__(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        angle = self.pace[None, :, None] * t[:, None, None] + self.phases
        s, c = np.sin(angle) * self.amplitudes, np.cos(angle) * self.amplitudes
        pace = self.pace[None, :, None]
        return s.sum(axis=1) + self.centre, (c * pace).sum(axis=1), -(s * pace**2).sum(axis=1)


def torques(robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    found = models.inverse_dynamics(robot, friction=True).compile()(q=q, qd=qd, qdd=qdd)
    return np.asarray(found["tau"] if isinstance(found, dict) else found)


def recording(robot: Robot, motion: Motion, rate: float = 200.0, seconds: float = 10.0) -> Recording:
    t = np.arange(round(rate * seconds)) / rate
    q, qd, qdd = motion(t)
    return Recording.from_arrays({"q": q, "qd": qd, "qdd": qdd, "tau": torques(robot, q, qd, qdd)}, "synthetic")


def recipe(
    robot: Robot,
    recorded: Recording,
    rate: float = 200.0,
    exact: bool = True,
    kind: str = "dynamic",
    friction: tuple[str, ...] = FRICTION,
    processing: Processing | None = None,
    **estimate: Any,
) -> Recipe:
    """With exact speeds and accelerations, or with positions alone."""

    def signal(name: str, unit: str) -> Signal:
        return Signal(recorded.expanded(name), unit=(unit,))

    return Recipe(
        robot,
        Data((recorded,), rate=rate),
        signal("q", "rad"),
        Torque(recorded.expanded("tau")),
        velocity=signal("qd", "rad/s") if exact else None,
        acceleration=signal("qdd", "rad/s^2") if exact else None,
        processing=processing or Processing(trim=0),
        model=ModelChoice(kind, friction),
        estimate=Estimation(**{"method": "ordinary", "block": 1.0, **estimate}),
    )


def true_values(model: Regressor) -> np.ndarray:
    return np.array(list(model.described_values().values()))


def identified(
    robot: Robot, seed: int, seconds: float = 12.0, **options: object
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What was found, the truth, and the size of each column's contribution to the torques."""
    rng = np.random.default_rng(seed)
    centre = models.inverse_dynamics(robot).centre.get("q", 0.0)
    motion = Motion.random(rng, len(robot.moving), 0.5 if np.ndim(centre) == 0 else 0.08, centre)
    found = identify(recipe(robot, recording(robot, motion, seconds=seconds), **options))  # type: ignore[arg-type]
    return found.estimate.values, true_values(found.model), found
