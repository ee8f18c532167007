"""Control laws: routines called once a period, made of the models of the robot they control (Khalil, course 2014, chapter 9).

>>> import robosym
>>> law = robosym.control.computed_torque(robosym.load("rx90"), bandwidth=20)
"""

from ..analysis.inertia import acceleration_limits, largest_inertia
from .adaptive import adaptive
from .check import Check, Margins, check
from .compliance import compliance
from .computed_torque import computed_torque
from .disturbance import with_disturbance_observer
from .feed_forward import feed_forward
from .impedance import impedance
from .law import ControlError, Law, Tuning
from .laws import LAWS, controller
from .observer import Observer, momentum_observer
from .passive import passive
from .pd_gravity import pd_gravity
from .pid import pid
from .resolved_acceleration import resolved_acceleration
from .task_pid import task_pid

__all__ = [
    "LAWS",
    "Check",
    "ControlError",
    "Law",
    "Margins",
    "Observer",
    "Tuning",
    "acceleration_limits",
    "adaptive",
    "check",
    "compliance",
    "computed_torque",
    "controller",
    "feed_forward",
    "impedance",
    "largest_inertia",
    "momentum_observer",
    "passive",
    "pd_gravity",
    "pid",
    "resolved_acceleration",
    "task_pid",
    "with_disturbance_observer",
]
