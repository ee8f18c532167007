"""Trajectories: how the joints move in time, from point to point, through points and along paths (Khalil, course 2014, chapter 8)."""

from .fastest import PathLimits, TimedPath, fastest
from .path import Path
from .scaling import Scaled, scaled_to_torque
from .trajectory import Sampled, Trajectory, TrajectoryError

__all__ = [
    "Path",
    "PathLimits",
    "Sampled",
    "Scaled",
    "TimedPath",
    "Trajectory",
    "TrajectoryError",
    "fastest",
    "scaled_to_torque",
]
