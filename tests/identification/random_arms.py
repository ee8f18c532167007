"""Random serial arms of known parameters, and recordings of them with noise and with torques that no model column explains."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from identification.estimation.clouds import random_body
from identification.synthetic import FRICTION, Motion, torques

from robosym.expr import number, parameter, pi, variable
from robosym.identification.data.recipe import Data, Estimation, ModelChoice, Processing, Recipe, Signal, Torque
from robosym.identification.data.recording import Recording
from robosym.robot import INERTIA, REVOLUTE, Actuator, Frame, Joint, Link, Robot, Value

RATE = 200.0
DRIVE = ("IA", "FV", "FS")


def random_arm(rng: np.random.Generator, n: int = 0) -> Robot:
    """A serial arm of 3 to 6 revolute joints whose links get lighter, with numbers for all its parameters."""
    n = n or int(rng.integers(3, 7))
    values = {"G3": Value(-9.81, "m/s^2")}
    frames = []
    for j in range(1, n + 1):
        mass = 12.0 * 0.6**j * rng.uniform(0.7, 1.4)
        ten = random_body(rng, mass, 0.12)
        names = [f"{stem}{j}" for stem in INERTIA]
        values |= {name: Value(float(x)) for name, x in zip(names, ten, strict=True)}
        sizes = mass * np.array([0.05, 0.5, 0.6]) * rng.uniform(0.5, 1.5, 3)
        values |= {f"{stem}{j}": Value(float(x)) for stem, x in zip(DRIVE, sizes, strict=True)}
        turn = int(rng.choice([-1, 0, 1])) if j > 1 else 0
        frames.append(
            Frame(
                name=f"frame{j}",
                antecedent=j - 1,
                sigma=REVOLUTE,
                alpha=pi * Fraction(turn, 2),
                d=number(0 if j == 1 else float(rng.uniform(0.15, 0.4))),
                theta=variable(f"q{j}"),
                r=number(float(rng.uniform(0.0, 0.3))),
                link=Link(**{stem: parameter(name) for stem, name in zip(INERTIA, names, strict=True)}),
                actuator=Actuator(Ia=parameter(f"IA{j}"), Fv=parameter(f"FV{j}"), Fs=parameter(f"FS{j}")),
                joint=Joint(name=f"joint{j}", variable=variable(f"q{j}")),
            )
        )
    return Robot("arm", tuple(frames), gravity=(number(0), number(0), parameter("G3")), values=values)


def unmodelled(rng: np.random.Generator, q: np.ndarray, qd: np.ndarray, tau: np.ndarray, size: float) -> np.ndarray:
    """Torques that the model lacks, ``size`` times the rms of each joint's: ripple of the gear, friction that falls with
    speed and depends on the load, a drift with time."""
    drift = np.linspace(-1, 1, len(q))[:, None] * rng.normal(size=q.shape[1])
    ripple = np.sin(rng.integers(3, 9, q.shape[1]) * q + rng.uniform(0, 6, q.shape[1]))
    stribeck = np.exp(-((qd / 0.2) ** 2)) * np.sign(qd)
    loaded = np.abs(tau) / tau.std(axis=0) * np.tanh(qd / 0.05)
    parts = [rng.uniform(0, 1, q.shape[1]) * part / part.std(axis=0) for part in (drift, ripple, stribeck, loaded)]
    error = sum(parts)
    return size * error / error.std(axis=0) * tau.std(axis=0)


def measured(
    rng: np.random.Generator, robot: Robot, seconds: float = 12.0, noise: float = 0.01, error: float = 0.05
) -> dict[str, np.ndarray]:
    """Positions and torques of a random motion; noise and unmodelled torques as parts of each joint's rms torque."""
    t = np.arange(round(RATE * seconds)) / RATE
    q, qd, qdd = Motion.random(rng, len(robot.moving))(t)
    tau = torques(robot, q, qd, qdd)
    tau = tau + unmodelled(rng, q, qd, tau, error) + noise * tau.std(axis=0) * rng.normal(size=tau.shape)
    return {"q": q + 1e-6 * rng.normal(size=q.shape), "tau": tau}


def recipe_of(robot: Robot, columns: dict[str, np.ndarray], **estimate: object) -> Recipe:
    """The recipe of positions and torques at the joints."""
    recorded = Recording.from_arrays(columns, "arm")
    return Recipe(
        robot,
        Data((recorded,), rate=RATE),
        Signal(recorded.expanded("q")),
        Torque(recorded.expanded("tau")),
        processing=Processing(cutoff=15.0, decimation=(5,), low_speed=(0.05,)),
        model=ModelChoice(friction=FRICTION),
        estimate=Estimation(**{"block": 0.5, **estimate}),  # type: ignore[arg-type]
    )
