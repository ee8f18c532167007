"""A parallel robot and the same robot with closed loops, side by side and against Lagrange multipliers.

Both forms take the positions of the motors. Both have to stand in the described pose, hold it with the forces of statics, and
move from it with those of dynamics. The reference closes the legs by following the motors from the described pose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from models.loops.closed_reference import Closed
from models.parallel import reference
from models.parallel.platform_cases import built_in, same_pose
from models.parallel.platform_model import pose_of
from models.parallel.platform_states import State, random_states, state_of
from models.parallel.random_platforms import KINDS, random_platform
from models.reference import relative_error
from parallel_robots import frames

from robosym import models
from robosym.robot import FIXED, Robot

TOLERANCE = 1e-8


def check_both_forms(kind: str, seed: int, poses: int = 2, every: bool = True) -> None:
    """A random platform of a kind, or a built-in one by its name, at its described pose and at random poses. With ``every``
    pose and gravity are also models of their own."""
    robot, states = _states(kind, seed, poses)
    loops = robot.closed_loops()
    _stands(robot, loops)
    forms = {"closed loops": models.inverse_dynamics(loops).compile()}
    forms["platform"] = models.inverse_dynamics(robot, coordinates="motors").compile()
    for state in states:
        held = reference.gravity(robot, state.pose, state.legs)
        for form, inverse in forms.items():
            found = inverse(q=state.q, qd=state.qd, qdd=state.qdd)
            assert found["assembled"] == 1, form
            assert same_pose(_pose(robot, loops, state.q, found), state.pose) < TOLERANCE, form
            assert relative_error(found["tau"], state.tau) < TOLERANCE, form
            still = inverse(q=state.q, qd=0 * state.qd, qdd=0 * state.qd)
            assert relative_error(still["tau"], held) < TOLERANCE, form
    if every:
        _gravity_and_pose(robot, loops, states)


def _pose(robot: Robot, loops: Robot, q: np.ndarray, found: Mapping[str, np.ndarray]) -> np.ndarray:
    """Of the platform: an output, or what the passive joints found make it."""
    if "pose" in found:
        return np.asarray(found["pose"])
    names = models.loop_geometry(loops).joint_names
    followers = [name for name in names if name not in loops.joint_names]
    by_name = dict(zip(loops.joint_names, q, strict=True)) | dict(zip(followers, found["passive"], strict=True))
    at = {v.name: float(by_name[f.joint.name]) for f in loops.frames if (v := f.joint.variable) is not None}
    T = frames(loops, at)[loops.number(robot.frame(robot.platforms[0].frame).name)]
    return pose_of(T[:3, :3], T[:3, 3])


def _gravity_and_pose(robot: Robot, loops: Robot, states: Sequence[State]) -> None:
    name = robot.frame(robot.platforms[0].frame).name
    pose = models.transform(loops, frame=name).compile()
    holding = [models.gravity(loops).compile(), models.gravity(robot, coordinates="motors").compile()]
    for state in states:
        T = pose(q=state.q)["T"]
        assert same_pose(pose_of(T[:3, :3], T[:3, 3]), state.pose) < TOLERANCE
        for gravity in holding:
            held = reference.gravity(robot, state.pose, state.legs)
            assert relative_error(gravity(q=state.q)["Q"], held) < TOLERANCE


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
