"""``Robot`` and its parts: frozen dataclasses, and checks that name what is wrong."""

from .parts import (
    FIXED,
    GEOMETRY,
    INERTIA,
    PRISMATIC,
    REVOLUTE,
    WRENCH,
    Actuator,
    Base,
    Frame,
    Joint,
    Limits,
    Link,
    Mimic,
    Regrouping,
    Value,
)
from .problems import Problem, RobotError, RobotWarning
from .robot import Robot

__all__ = [
    "FIXED",
    "GEOMETRY",
    "INERTIA",
    "PRISMATIC",
    "REVOLUTE",
    "WRENCH",
    "Actuator",
    "Base",
    "Frame",
    "Joint",
    "Limits",
    "Link",
    "Mimic",
    "Problem",
    "Regrouping",
    "Robot",
    "RobotError",
    "RobotWarning",
    "Value",
]
