"""Identification by simulation: parameters with which the robot, under its own law, does what was measured."""

from .instruments import simulated_instruments
from .closed_loop import OutputError, output_error

__all__ = ["OutputError", "output_error", "simulated_instruments"]
