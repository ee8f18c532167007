"""The keys of the tables that describe a robot (``docs/formats.md``)."""

from __future__ import annotations

from .parts import INERTIA, WRENCH

ACTUATOR = ("Ia", "Fv", "Fs")
STATE = ("velocity", "acceleration", "torque")
SPRING_KEYS = ("stiffness", "damping", "rest")
FLEXIBILITY_KEYS = ("stiffness", "damping")
BODY_KEYS = ("inertia", *INERTIA, "wrench", *WRENCH)
# fmt: off
ROBOT_KEYS = (
    "name", "description", "source", "gravity", "loops", "par_type", "base", "frame", "coupling", "values",
    "platform", "leg", "module",
)
FRAME_KEYS = (
    "name", "antecedent", "sigma", "gamma", "b", "alpha", "d", "theta", "r",
    "variable", "pitch", "joint", "active", "limits", "mimic", "spring", "position", *STATE,
    *BODY_KEYS, "actuator", *ACTUATOR, "ratio", "friction", "motor", "flexibility",
)
# fmt: on
MOTION_KEYS = ("angular_velocity", "angular_acceleration", "velocity", "acceleration")
BASE_KEYS = ("name", "location", *MOTION_KEYS, "mobile", "floating", *BODY_KEYS)
LIMIT_KEYS = ("lower", "upper", "velocity", "effort", "acceleration", "jerk")
MIMIC_KEYS = ("frame", "ratio", "offset")
VALUE_KEYS = ("value", "unit", "source")

# Parallel robots: as a person writes them, and with every frame written out.
PLATFORM_KEYS = ("name", "antecedent", *BODY_KEYS)
LEG_KEYS = ("name", "platform", "repeat", "angle", "base", "seat", "joint", "alike", "loops", "end", "frame")
MODULE_KEYS = ("platform", "legs")
MODULE_LEG_KEYS = ("name", "end", "seat", "joint")
