"""Trajectories: how the joints move in time, from point to point, through points and along paths (Khalil, course 2014, chapter 8)."""

from .trajectory import Sampled, Trajectory, TrajectoryError

__all__ = ["Sampled", "Trajectory", "TrajectoryError"]
