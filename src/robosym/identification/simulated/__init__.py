"""Identification by simulation: parameters with which the robot, under its own law, does what was measured."""

from .closed_loop import OutputError, output_error
from .instruments import simulated_instruments

__all__ = ["OutputError", "output_error", "simulated_instruments"]
