"""Trajectories: how the joints move in time, from point to point, through points and along paths (Khalil, course 2014, chapter 8)."""

from .fastest import PathLimits, TimedPath, fastest
from .path import Path
from .scaling import Scaled, scaled_to_torque
from .task_space import TaskPath, arc, straight, turned, via
from .task_space_joints import JointMotion, to_joints
from .task_space_time import TaskMotion, timed
from .trajectory import Sampled, Trajectory, TrajectoryError

__all__ = [
    "JointMotion",
    "Path",
    "PathLimits",
    "Sampled",
    "Scaled",
    "TaskMotion",
    "TaskPath",
    "TimedPath",
    "Trajectory",
    "TrajectoryError",
    "arc",
    "fastest",
    "scaled_to_torque",
    "straight",
    "timed",
    "to_joints",
    "turned",
    "via",
]
