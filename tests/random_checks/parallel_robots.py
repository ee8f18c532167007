"""Random parallel robots of the built-in kinds in both forms, against Lagrange multipliers on Pinocchio's tree.

The first form is the platform on its legs, the second ``Robot.closed_loops()``: both must stand in the described pose, with the
same forces of the actuators, at every pose that the actuators reach without a singularity on the way.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from models.parallel import reference
from models.parallel.platform_cases import mode_near
from models.parallel.platform_model import pose_of, rotation
from models.parallel.platform_states import State, random_states
from models.parallel.random_platforms import random_platform
from random_checks.checks import Checks

from robosym import models
from robosym.robot import Robot

KINDS = ("6-UPS", "3-RUU", "3-PUU", "planar-3-RRR", "3-RPS")  # Gough-Stewart, Delta, Orthoglide, ...
POSES, STEPS = 20, 20
TWISTS = ("twist", "twist_rate")
TOLERANCE = 1e-7  # of a solution by iteration


def check_poses(seed: int, poses: int = POSES) -> Checks:
    """Compare gravity and inverse dynamics of both forms of the parallel robot of a seed with the reference."""
    kind = KINDS[seed % len(KINDS)]
    robot, pose, legs = random_platform(kind, seed, placed=seed % 2 == 1)
    checks = Checks(robot.name)
    states = random_states(robot, pose, legs, poses, seed=seed, steps=STEPS)
    _compare_platform(checks, robot, states, mode_near(robot, legs))
    _compare_closed_loops(checks, robot, robot.closed_loops(), states)
    return checks


def _compare_platform(checks: Checks, robot: Robot, states: list[State], near: dict[str, float]) -> None:
    """The models whose inputs are those of the platform."""
    for name, function in (("inverse dynamics", models.inverse_dynamics), ("gravity", models.gravity)):
        model = function(robot, near=near)
        for state in states:
            inputs = _platform_inputs(robot, state, [array.name for array in model.code.inputs])
            expected = state.tau if name == "inverse dynamics" else reference.gravity(robot, state.pose, state.legs)
            _compare(checks, f"platform: {name}", model.evaluate(**inputs), expected)


def _platform_inputs(robot: Robot, state: State, names: list[str]) -> dict[str, np.ndarray]:
    """The inputs of a platform's model in frame 0; a state is in world axes."""
    Z = np.array([float(x.value) for x in robot.base.location]).reshape(4, 4)
    R, p = Z[:3, :3].T, Z[:3, 3]
    turned = {name: np.concatenate([R @ x[:3], R @ x[3:]]) for name, x in vars(state).items() if name in TWISTS}
    inputs = {"pose": pose_of(R @ rotation(state.pose), R @ (state.pose[:3] - p)), **turned}
    return {name: x for name, x in inputs.items() if name in names}


def _compare_closed_loops(checks: Checks, robot: Robot, closed: Robot, states: list[State]) -> None:
    """The models whose inputs are those of the actuators."""
    order = [_motor(robot, closed.frame(j).joint.name) for j in closed.moving]
    inverse, hold = models.inverse_dynamics(closed).compile(), models.gravity(closed).compile()
    for state in states:
        q, qd, qdd = state.q[order], state.qd[order], state.qdd[order]
        held = reference.gravity(robot, state.pose, state.legs)[order]
        _compare(checks, "closed loops: gravity", hold(q=q), held)
        _compare(checks, "closed loops: inverse dynamics", inverse(q=q, qd=qd, qdd=qdd), state.tau[order])


def _motor(robot: Robot, name: str) -> int:
    """The index among the actuated joints of the joint of this name."""
    return [robot.frame(j).joint.name for j in robot.moving].index(name)


def _compare(checks: Checks, what: str, outputs: Any, expected: np.ndarray) -> None:
    checks.require(f"{what}: assembled", bool(outputs.assembled == 1))
    checks.compare(what, outputs, expected, tolerance=TOLERANCE)
