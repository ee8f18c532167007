"""Recordings that are known in closed form."""

from __future__ import annotations

from typing import Any

import numpy as np

import robosym
from robosym.identification.data.preparing import Prepared, prepare
from robosym.identification.data.recipe import Data, Processing, Recipe, Signal, Torque
from robosym.identification.data.recording import Recording
from robosym.identification.data.samples import Samples


def fourier(t: np.ndarray, n: int, seed: int = 0, base: float = 0.1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """n sums of sines with their first two derivatives."""
    rng = np.random.default_rng(seed)
    q, qd, qdd = (np.zeros((len(t), n)) for _ in range(3))
    for k in range(n):
        for h in range(1, 6):
            a, phase, w = rng.normal() * 0.5 / h, 6 * rng.random(), 2 * np.pi * base * h
            q[:, k] += a * np.sin(w * t + phase)
            qd[:, k] += a * w * np.cos(w * t + phase)
            qdd[:, k] -= a * w**2 * np.sin(w * t + phase)
    return q, qd, qdd


def recipe_of(columns: dict[str, Any], n: int, processing: Processing | None = None, **changes: Any) -> Recipe:
    """A recipe for the columns q1 ..., tau1 ... of a robot with n joints."""
    parts: dict[str, Any] = {
        "robot": robosym.load(f"general-{n}r"),
        "data": Data((Recording.from_arrays(columns),), rate=200.0),
        "position": Signal(tuple(f"q{k}" for k in range(1, n + 1))),
        "torque": Torque(tuple(f"tau{k}" for k in range(1, n + 1))),
        "processing": processing or Processing(),
    }
    return Recipe(**(parts | changes))


def moving(n: int = 2, seconds: float = 30.0, rate: float = 200.0, seed: int = 0) -> dict[str, np.ndarray]:
    """Columns t, q1 ..., tau1 ...: inertia, gravity and friction, in closed form."""
    t = np.arange(round(seconds * rate)) / rate
    q, qd, qdd = fourier(t, n, seed)
    tau = 2 * qdd + 3 * np.sin(q) + qd + 0.5 * np.sign(qd) + 0.05 * np.random.default_rng(seed).normal(size=q.shape)
    columns = {"t": t}
    columns |= {f"q{k + 1}": q[:, k] for k in range(n)} | {f"tau{k + 1}": tau[:, k] for k in range(n)}
    return columns


FIELDS = ("time", "q", "qd", "qdd", "tau", "keep")


def only(recipe: Recipe) -> Prepared:
    (ready,) = prepare(recipe)
    return ready


def same(one: Samples, other: Samples, tolerance: float = 1e-12) -> None:
    for name in FIELDS:
        a, b = getattr(one, name), getattr(other, name)
        assert a.shape == b.shape, name
        scale = max(1.0, float(np.abs(b).max(initial=0.0)))
        assert np.abs(a.astype(float) - b.astype(float)).max(initial=0.0) <= tolerance * scale, name


def jittered(columns: dict[str, np.ndarray], amount: float = 0.3) -> dict[str, np.ndarray]:
    """The same motion at uneven times, one row in fifty twice."""
    t = columns["t"] + amount / 200 * np.random.default_rng(3).random(len(columns["t"]))
    found = {"t": t} | {name: np.interp(t, columns["t"], x) for name, x in columns.items() if name.startswith("tau")}
    q = fourier(t, 2)[0]
    found |= {"q1": q[:, 0], "q2": q[:, 1]}
    twice = np.sort(np.concatenate((np.arange(len(t)), np.arange(0, len(t), 50))))
    return {name: x[twice] for name, x in found.items()}
