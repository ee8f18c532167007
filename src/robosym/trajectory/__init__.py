"""Trajectories: how the joints move in time, from point to point, through points and along paths (Khalil, course 2014, chapter 8)."""

from .fastest import PathLimits, TimedPath, fastest
from .linearised import LinearisedMotion, linearised
from .moving_target import to_moving_target
from .path import Path
from .planner import planner
from .point_to_point import point_to_point
from .program import program
from .rotation import RotationMotion, rotation
from .scaling import Scaled, scaled_to_torque
from .tabulated import routine, tables
from .task_space import TaskPath, arc, straight, turned, via
from .task_space_joints import JointMotion, to_joints
from .task_space_time import TaskMotion, timed
from .trajectory import Sampled, Trajectory, TrajectoryError
from .via_points import through

__all__ = [
    "JointMotion",
    "LinearisedMotion",
    "Path",
    "PathLimits",
    "RotationMotion",
    "Sampled",
    "Scaled",
    "TaskMotion",
    "TaskPath",
    "TimedPath",
    "Trajectory",
    "TrajectoryError",
    "arc",
    "fastest",
    "linearised",
    "planner",
    "point_to_point",
    "program",
    "rotation",
    "routine",
    "scaled_to_torque",
    "straight",
    "tables",
    "through",
    "timed",
    "to_joints",
    "to_moving_target",
    "turned",
    "via",
]
