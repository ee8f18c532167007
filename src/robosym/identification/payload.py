"""The torques of a known payload, by which measured ones are corrected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .. import models
from ..expr import number
from ..reals import Floats
from ..robot import INERTIA, Actuator, Link, Robot
from .data.recipe import Payload
from .data.samples import Samples

MOMENTS, MATRIX = ("MX", "MY", "MZ"), ("XX", "XY", "XZ", "YY", "YZ", "ZZ")


def completed(payload: Payload) -> tuple[dict[str, float], str]:
    """All ten parameters of a payload, and a remark about those that the recipe does not give: the inertias of a point mass
    if it gives none, else zero."""
    given = dict(payload.values)
    point = [name for name in MATRIX if not any(other in given for other in MATRIX)]
    zero = [name for name in INERTIA if name not in given and name not in point]
    values = {name: given.get(name, 0.0) for name in INERTIA}
    if point:
        x, y, z = (values[name] for name in MOMENTS)
        products = (y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y)
        values |= {name: product / values["M"] for name, product in zip(MATRIX, products, strict=True)}
    parts = [f"{', '.join(zero)} taken as zero"] if zero else []
    parts += ["no inertias, so those of a point mass at its centre of mass are taken"] if point else []
    return values, f"payload, not given: {'; '.join(parts)}" if parts else ""


def payload_torques(robot: Robot, payload: Payload) -> Callable[[Samples], Floats]:
    """What the joints spend on the payload alone, along samples: inverse dynamics of a robot that weighs nothing."""
    values, _ = completed(payload)
    carried = replace(Link(), **{name: number(value) for name, value in values.items()})  # type: ignore[arg-type]
    frames = tuple(
        replace(
            frame,
            link=carried if frame.name == payload.frame else Link(),
            actuator=Actuator(ratio=frame.actuator.ratio),
            joint=replace(frame.joint, spring=None),
        )
        for frame in robot.frames
    )
    bare = robot.replace(frames=frames, base=replace(robot.base, link=Link()), couplings=(), regrouping=None)
    compiled = models.inverse_dynamics(bare, wrench="none").compile()

    def torques(samples: Samples) -> Floats:
        return np.asarray(compiled(q=samples.q, qd=samples.qd, qdd=samples.qdd))

    return torques
