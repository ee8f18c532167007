"""Robots with platforms that the tests of their models share, drawn once, with states at which an independent reference knows
all; and how a model is tried there."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from models.parallel import reference
from models.parallel.platform_model import Mechanism
from models.parallel.platform_states import State, random_states
from models.parallel.random_platforms import KINDS, random_platform
from sweeps import many

import robosym
from robosym.generated import Model
from robosym.models.parallel.inverse_geometry import matrix_of
from robosym.models.parallel.places import home
from robosym.models.parallel.structure import module_of
from robosym.robot import Robot
from robosym.spatial.floats import pose_rows

BUILT_IN = ("gough-stewart", "delta", "orthoglide", "planar-3rrr")
# Every class but the one whose platform carries joints.
MOVING = tuple(kind for kind in KINDS if kind != "6-UPS-wrist")
# Those that are tried where all would take long; a longer sweep tries all.
FEW = ("6-RUS", "planar-3-RRR", "five-bar", "3-PUU", "spherical-3-RRR", "3-PRS", "3-UPS-UP")
SWEPT = FEW if many(1) == 1 else MOVING
# One of each sort: six degrees of freedom, in a plane, in space without turning, and legs that say how twists hang together.
SOME = ("gough-stewart", "planar-3-RPR", "3-UPU", "3-RPS", "3-UPS-UP")
COUNT = 2

Case = tuple[Robot, tuple[State, ...]]


def seeds() -> range:
    return range(many(1))


@cache
def random_case(kind: str, seed: int = 0) -> Case:
    """A random robot of a class, and states near its home."""
    robot, pose, legs = random_platform(kind, seed)
    return robot, tuple(random_states(robot, pose, legs, COUNT, seed=seed + 5))


@cache
def built_in(name: str) -> Case:
    """A built-in robot, and states near its home, which is closed by the reference again."""
    robot = robosym.load(name)
    place = home(module_of(robot))
    pose = pose_rows(place.T)
    at = {**{j: robot.frame(j).joint.position or 0.0 for j in robot.moving}, **place.position}
    legs = np.array([at[j] for j in reference.joints_of(robot)])
    pose, legs, error = reference.platform_at(robot, legs[reference.motors_of(robot)], pose, legs)
    assert error < 1e-13
    return robot, tuple(random_states(robot, pose, legs, COUNT, seed=7))


def case_of(name: str) -> Case:
    return built_in(name) if name in BUILT_IN else random_case(name)


def mode_near(robot: Robot, legs: np.ndarray) -> dict[str, float]:
    """The option ``near`` for the working mode of a position."""
    own = module_of(robot).joints
    pairs = zip(reference.joints_of(robot), legs, strict=True)
    return {robot.frame(j).joint.name: float(x) for j, x in pairs if j in own}


def tried(model: Model, state: State | None = None, **inputs: Any) -> dict[str, Any]:
    """All outputs by name, interpreted at a state; its own inputs come first."""
    code = model.code
    own = {} if state is None else {array.name: _input(array.name, state) for array in code.inputs}
    given = {name: x for name, x in own.items() if x is not None} | inputs
    found = model.evaluate(**given)
    names = [array.name for array in code.outputs]
    return {name: found if len(names) == 1 else found[name] for name in names}


def _input(name: str, state: State) -> np.ndarray | None:
    if name == "q" and len(state.carried):  # beside the pose: of the joints on the platform
        return None
    return getattr(state, name, None)


def value(model: Model, name: str, state: State, **inputs: Any) -> np.ndarray:
    """One output at a state of the robot: it has to say so."""
    found = tried(model, state, **inputs)
    assert found.get("assembled", 1) == 1
    return np.asarray(found[name])


def is_assembled(model: Model, state: State | None = None, **inputs: Any) -> bool:
    return bool(tried(model, state, **inputs)["assembled"])


def others_of(robot: Robot) -> list[int]:
    """Where the joints that are not driven are among all."""
    motors = reference.motors_of(robot)
    return [k for k in range(len(Mechanism.of(robot).joints)) if k not in motors]


def same_pose(pose: np.ndarray, other: np.ndarray) -> float:
    """By how much two poses differ: a quaternion and its negative are the same."""
    return float(np.abs(matrix_of(np.asarray(pose)) - matrix_of(np.asarray(other))).max())
