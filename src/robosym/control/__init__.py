"""Control laws: routines called once a period, made of the models of the robot they control (Khalil, course 2014, chapter 9).

>>> import robosym
>>> law = robosym.control.computed_torque(robosym.load("rx90"), bandwidth=20)
"""

from .computed_torque import computed_torque
from .law import ControlError, Law, Tuning
from .laws import LAWS, controller
from .pid import pid

__all__ = ["LAWS", "ControlError", "Law", "Tuning", "computed_torque", "controller", "pid"]
