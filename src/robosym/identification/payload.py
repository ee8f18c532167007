"""The torques of a known payload, by which measured ones are corrected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .. import models
from ..expr import number
from ..reals import Floats
from ..robot import Actuator, Link, Robot
from .data.recipe import Payload
from .data.samples import Samples

ZERO = number(0)


def payload_torques(robot: Robot, payload: Payload) -> Callable[[Samples], Floats]:
    """What the joints spend on the payload alone, along samples: inverse dynamics of a robot that weighs nothing."""
    carried = replace(Link(), **{name: number(value) for name, value in payload.values.items()})  # type: ignore[arg-type]
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
        found = compiled(q=samples.q, qd=samples.qd, qdd=samples.qdd)
        tau: Floats = found["tau"] if isinstance(found, dict) else found
        return tau

    return torques
