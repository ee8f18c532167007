"""A parallel robot and the same robot with closed loops, side by side and against Lagrange multipliers.

Both forms take the positions of the motors. Both have to stand in the described pose, hold it with the forces of statics, and
move from it with those of dynamics. The reference closes the legs by following the motors from the described pose.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from models.loops.closed_reference import Closed
from models.parallel import reference
from models.parallel.platform_cases import built_in, same_pose
from models.parallel.platform_model import pose_of
from models.parallel.platform_states import State, random_states, state_of
from models.parallel.random_platforms import KINDS, random_platform
from models.reference import relative_error

from robosym import models
from robosym.expr import evaluate
from robosym.models.loops.assembled import solutions
from robosym.models.loops.found import chosen_start
from robosym.models.loops.modes import chosen
from robosym.robot import FIXED, PRISMATIC, Robot

TOLERANCE = 1e-8


def check_both_forms(kind: str, seed: int, poses: int = 2, dynamics: bool = True) -> None:
    """A random platform of a kind, or a built-in one by its name, at its described pose and at random poses: the pose, the
    holding forces and, with ``dynamics``, those of a motion."""
    robot, states = _states(kind, seed, poses)
    loops = robot.closed_loops()
    _stands(robot, loops)
    _pose(robot, loops, states)
    _holding_forces(robot, loops, states)
    if dynamics:
        _forces_of_motion(robot, loops, states)


def _pose(robot: Robot, loops: Robot, states: Sequence[State]) -> None:
    model = models.transform(loops, frame=robot.frame(robot.platforms[0].frame).name)
    for state in states:
        found = model.evaluate(q=state.q)
        assert found["assembled"] == 1
        assert same_pose(pose_of(found["T"][:3, :3], found["T"][:3, 3]), state.pose) < TOLERANCE


def _holding_forces(robot: Robot, loops: Robot, states: Sequence[State]) -> None:
    forms = models.gravity(loops), models.gravity(robot, coordinates="motors")
    for state in states:
        held = reference.gravity(robot, state.pose, state.legs)
        for model in forms:
            found = model.evaluate(q=state.q)
            assert found["assembled"] == 1
            assert relative_error(found["Q"], held) < TOLERANCE


def _forces_of_motion(robot: Robot, loops: Robot, states: Sequence[State]) -> None:
    forms = models.inverse_dynamics(loops), models.inverse_dynamics(robot, coordinates="motors")
    for state in states:
        for model in forms:
            found = model.evaluate(q=state.q, qd=state.qd, qdd=state.qdd)
            assert found["assembled"] == 1
            assert relative_error(found["tau"], state.tau) < TOLERANCE


def _states(kind: str, seed: int, count: int) -> tuple[Robot, list[State]]:
    """The described pose first, with motors moving at random."""
    if kind not in KINDS:
        robot, found = built_in(kind)
        return robot, list(found[: count + 1])
    robot, pose, legs = random_platform(kind, seed)
    qd, qdd = np.random.default_rng([seed, 9]).uniform(-1, 1, (2, len(robot.moving)))
    return robot, [state_of(robot, pose, legs, qd, qdd), *random_states(robot, pose, legs, count, seed)]


def _stands(robot: Robot, loops: Robot) -> None:
    """Every joint of the closed loops has a position with which they are closed; described motors are as described."""
    positions = {frame.joint.name: frame.joint.position for frame in loops.frames if frame.sigma != FIXED}
    assert None not in positions.values()
    tree = Closed(loops)
    x = np.array([positions[loops.frame(j).joint.name] for j in tree.frames])
    assert tree.residuals(x[None])[0] < 1e-12
    for j in robot.moving:
        joint = robot.frame(j).joint
        assert joint.position is None or positions[joint.name] == joint.position


def check_described_mode(kind: str, seed: int) -> None:
    """Whether the mode that closed loops are in unless another is wanted is the described pose; in numbers, no model is made."""
    robot, _, legs = random_platform(kind, seed)
    loops = robot.closed_loops()
    _stands(robot, loops)
    plan, modes = solutions(loops)
    at = {frame.joint.variable: frame.joint.position for frame in loops.frames if frame.joint.variable is not None}
    if plan.groups:
        start = chosen_start(loops, plan, modes, None, None).at
        found = {v: start[v] for v in at if v in start}
    else:
        mode = chosen(loops, modes, None, None)
        values = {s: loops.values[s.name].number for s in loops.parameter_symbols if s.name in loops.values}
        followers = evaluate(list(mode.positions.values()), {**values, **at})
        found = {loops.frame(j).joint.variable: x for j, x in zip(mode.positions, followers, strict=True)}
    slides = {frame.joint.variable for frame in loops.frames if frame.sigma == PRISMATIC}
    for v, x in found.items():
        apart = x - at[v]
        assert abs(apart if v in slides else math.remainder(apart, math.tau)) < 1e-6
    described = {loops.frame(j).joint.name: loops.frame(j).joint.position for j in range(1, len(loops.frames) + 1)}
    for j, x in zip(reference.joints_of(robot), legs, strict=True):
        frame = robot.frame(j)
        apart = described[frame.joint.name] - x
        assert abs(apart if frame.sigma == PRISMATIC else math.remainder(apart, math.tau)) < 1e-9
