"""The joints that close the loops of a robot, as the file ``urdf_loops`` reads beside the URDF of its links."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..notices import warn
from ..robot import FIXED, PRISMATIC, Robot, RobotError, RobotWarning
from .mdh import Array, Row, pose_of
from .toml_write import toml_key, toml_value
from .urdf_write import Writer, roll_pitch_yaw


def dumps(robot: Robot) -> str:
    """The text of the file."""
    writer = Writer(robot)
    B, n_links = robot.loops, robot.n_links
    lines = [f"# The closed loops of {toml_value(robot.name)}, beside the URDF of its links."]
    resting = [robot.frame(j) for j in robot.links if robot.frame(j).sigma != FIXED]
    passive = [frame.joint.name for frame in resting if not frame.joint.active]
    lines += [f"passive = {toml_value(passive)}"]
    for k in range(n_links + 1, n_links + B + 1):
        lines += ["", "[[loop]]", *(f"{key} = {value}" for key, value in _joint(writer, k))]
    placed = {f.joint.name: f.joint.position for f in robot.frames if f.joint.position is not None}
    if placed:
        lines += ["", "[positions]", *(f"{toml_key(name)} = {toml_value(at)}" for name, at in placed.items())]
    if writer.problems:
        raise RobotError(writer.problems, robot.name)
    if any(not frame.actuator.Ia.is_zero for frame in robot.frames[n_links:]):
        warn(RobotWarning(f"{robot.name}: a cut joint has no place for its rotor inertia Ia"))
    return "\n".join(lines) + "\n"


def _joint(writer: Writer, k: int) -> Iterator[tuple[str, str]]:
    """The cut joint of frame k and its twin k + B: z is the axis on both sides."""
    robot = writer.of
    cut, twin = robot.frame(k), robot.frame(k + robot.loops)
    yield "name", toml_value(cut.joint.name)
    yield "type", toml_value({FIXED: "fixed", PRISMATIC: "prismatic"}.get(cut.sigma, "revolute"))
    rows = [writer.row_and_slope(j, frame)[0] for j, frame in ((k, cut), (k + robot.loops, twin))]
    for side, frame, row in zip(("predecessor", "successor"), (cut, twin), rows, strict=True):
        link = robot.frame(frame.antecedent).name if frame.antecedent else robot.base.name
        yield side, toml_value(link)
        yield f"{side}_origin", _origin(row)
    if cut.sigma != FIXED:
        yield "axis", "[0, 0, 1]"
    damping, friction = writer.numbers(cut.actuator.Fv, cut.actuator.Fs)
    if damping:
        yield "damping", toml_value(damping)
    if friction:
        yield "friction", toml_value(friction)


def _origin(row: Row) -> str:
    pose = pose_of(row)
    return f"{{xyz = {_listed(pose[:3, 3])}, rpy = {_listed(np.array(roll_pitch_yaw(pose)))}}}"


def _listed(vector: Array) -> str:
    return toml_value([float(x) + 0.0 for x in vector])  # no -0
