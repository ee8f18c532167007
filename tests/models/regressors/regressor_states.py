"""States for identification models, and what they give there."""

from __future__ import annotations

from typing import Any

import numpy as np

from robosym import models
from robosym.models.regressors.regressor import Regressor
from robosym.robot import Robot

FRICTION = ("viscous", "coulomb", "offset")
KINDS = ("dynamic", "filtered", "energy", "power")


def of(robot: Robot, kind: str, parameters: str = "base", **options: Any) -> Regressor:
    return models.regressor(robot, model=kind, parameters=parameters, **options)


def state(robot: Robot, rng: np.random.Generator, centre: Any = None) -> dict[str, np.ndarray]:
    """q, qd, qdd; of a free base a unit quaternion."""
    q = rng.uniform(-1.2, 1.2, robot.nq)
    if centre is not None:
        q = np.asarray(centre) + q / 10
    if robot.base.floating:
        q[3:7] /= np.linalg.norm(q[3:7])
    return {"q": q, "qd": rng.normal(size=robot.nv), "qdd": rng.normal(size=robot.nv)}


def matrix(model: Regressor, at: dict[str, np.ndarray], output: str | None = None) -> np.ndarray:
    """An output with its zeros, at one state, by interpretation."""
    name = output or next(iter(model.places))
    names = {array.name for array in model.code.inputs}
    found = model.evaluate(**{key: value for key, value in at.items() if key in names})
    return model.dense(found[name] if isinstance(found, dict) else found, name)
