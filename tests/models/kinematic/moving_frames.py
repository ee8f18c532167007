"""Random trees on placed bases, their states, and what Pinocchio says of the motion of their frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from models.pinocchio_states import Twin, pin
from models.reference import loaded_robot, numbers
from random_poses import random_pose

from robosym.expr import number
from robosym.generated import Model
from robosym.robot import Robot

REFERENCE = {"local": pin.LOCAL, "world": pin.WORLD, "local-world-aligned": pin.LOCAL_WORLD_ALIGNED}
ACCELERATION = {"classical": pin.getFrameClassicalAcceleration, "spatial": pin.getFrameAcceleration}


def placed(robot: Robot, location: np.ndarray) -> Robot:
    return robot.replace(base=replace(robot.base, location=tuple(number(float(x)) for x in location.ravel())))


def random_placed_tree(seed: int, moving_base: bool = False) -> Robot:
    """1 to 12 frames (more often few), dependent joints among them; symbolic, and placed in the world, half of the time."""
    rng = np.random.default_rng(seed)
    robot = loaded_robot(rng, 1 + int(12 * rng.random() ** 2.3), bool(rng.random() < 0.5), moving_base)
    return placed(robot, random_pose(rng)) if rng.random() < 0.5 else robot


def freed(robot: Robot) -> Robot:
    """The same robot on a free base."""
    still = (number(0),) * 3
    names = ("velocity", "angular_velocity", "acceleration", "angular_acceleration")
    return robot.replace(base=replace(robot.base, floating=True, **dict.fromkeys(names, still)))


def states(rng: np.random.Generator, robot: Robot, count: int = 2) -> dict[str, np.ndarray]:
    """q (with a unit quaternion), qd, qdd in batches."""
    found = {"q": rng.uniform(-2, 2, (count, robot.nq))}
    if robot.base.floating:
        found["q"][:, 3:7] /= np.linalg.norm(found["q"][:, 3:7], axis=1, keepdims=True)
    return found | {name: rng.uniform(-2, 2, (count, robot.nv)) for name in ("qd", "qdd")}


def as_free_state(robot: Robot, batch: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The state of the freed robot in which its base moves as the description gives it.

    The base's qdd are the rates of its qd: its acceleration less w x v.
    """
    base = robot.base
    v, w, a, wd = (
        np.array(numbers(robot, x))
        for x in (base.velocity, base.angular_velocity, base.acceleration, base.angular_acceleration)
    )
    front = {"q": [0, 0, 0, 0, 0, 0, 1], "qd": [*v, *w], "qdd": [*(a - np.cross(w, v)), *wd]}
    count = len(batch["q"])
    return {name: np.hstack([np.tile(front[name], (count, 1)), batch[name]]) for name in front}


def asked_frames(model: Model) -> list[int]:
    """The numbers of the frames a model gives."""
    names = model.options.get("frames") or [model.options["frame"]]
    return [model.robot.number(name) for name in names]


def terminal(robot: Robot) -> list[int]:
    """The frames that carry no other, fixed ones too."""
    inner = {one.antecedent for one in robot.frames}
    return [j for j in range(1, len(robot.frames) + 1) if j not in inner]


def motion(
    twin: Twin, batch: dict[str, np.ndarray], frames: Sequence[int], convention: str, kind: str | None = None
) -> np.ndarray:
    """Pinocchio's velocity of the frames, or with a ``kind`` their acceleration: states, frames, six."""
    get: Any = pin.getFrameVelocity if kind is None else ACCELERATION[kind]
    names = link_ids(twin)
    ids = [names[twin.robot.frame(j).name] for j in frames]
    found = []
    for q, qd, qdd in zip(batch["q"], batch["qd"], batch["qdd"], strict=True):
        pin.forwardKinematics(twin.model, twin.data, twin.configuration(q), twin.spread @ qd, twin.spread @ qdd)
        pin.updateFramePlacements(twin.model, twin.data)
        found.append([get(twin.model, twin.data, k, REFERENCE[convention]).vector for k in ids])
    return np.array(found)


def known(twin: Twin, frames: Sequence[int]) -> list[int]:
    """The rows of the frames Pinocchio has too: a file's links; not a frame put on a joint's axis for Khalil's notation."""
    names = link_ids(twin)
    return [row for row, j in enumerate(frames) if twin.robot.frame(j).name in names]


def link_ids(twin: Twin) -> dict[str, int]:
    """Pinocchio's frames of the links. A fixed joint may have the name of its link: it is another frame."""
    frames = enumerate(twin.model.frames)
    return {frame.name: k for k, frame in frames if frame.type in (pin.BODY, pin.OP_FRAME)}
