"""The models of a robot under the menus of a page, each with its title and the controls of its options."""

from __future__ import annotations

from typing import Any

from ..asked.controls import controls
from ..asked.meanings import Explained
from ..models import MODELS, models_of
from ..robot import Robot

GEOMETRIC = {
    "geometric": "Direct geometric model",
    "transform": "Transformation between two frames",
    "inverse-geometric": "Inverse geometric model",
    "direct-geometric": "Direct geometric model of the platform",
    "loop-geometry": "Geometry of the closed loops",
    "centre-of-mass": "Centre of mass",
}
KINEMATIC = {
    "jacobian": "Jacobian matrix",
    "jacobian-determinant": "Determinant and singularities",
    "jacobian-inverse": "Inverse of the Jacobian matrix",
    "jacobian-rate": "Rate of the Jacobian matrix",
    "inverse-kinematics-velocity": "Inverse kinematic model",
    "velocities": "Velocities of frames",
    "accelerations": "Accelerations of frames",
    "jdot-qdot": "Acceleration at constant speeds",
    "static-torques": "Static torques",
    "loop-kinematics": "Kinematics of the closed loops",
    "centre-of-mass-jacobian": "Jacobian matrix of the centre of mass",
    "centroidal-momentum": "Centroidal momentum matrix",
    "centroidal-momentum-rate": "Rate of the centroidal momentum",
    "transmission": "Transmission between joints and motors",
}
DYNAMIC = {
    "inverse-dynamics": "Inverse dynamic model",
    "forward-dynamics": "Direct dynamic model",
    "inertia-matrix": "Inertia matrix",
    "bias": "Coriolis, centrifugal and gravity torques",
    "gravity": "Gravity torques",
    "coriolis": "Coriolis matrix",
    "lagrange": "Coefficients of the Lagrange equations",
    "expanded": "Lagrange equations written out",
    "energy": "Energy",
    "motor-torques": "Torques of the motors",
    "constraint-wrenches": "Forces in the closed loops",
    "passive-dynamics": "Passive inverse dynamics",
    "hybrid-dynamics": "Hybrid dynamics",
    "base-acceleration": "Acceleration of the free base",
    "flexible-joint-forward-dynamics": "Direct dynamics with flexible joints",
    "flexible-joint-inverse-dynamics": "Inverse dynamics with flexible joints",
    "inverse-dynamics-derivatives": "Derivatives of the inverse dynamics",
    "forward-dynamics-derivatives": "Derivatives of the direct dynamics",
    "linearised": "Linearised model",
    "discrete": "Linear model in discrete time",
    "step": "One step of integration",
}
IDENTIFICATION = {
    "regressor": "Identification model",
    "base-parameters": "Base inertial parameters",
    "passive-regressor": "Regressor of adaptive control",
}
MENUS = {"geometric": GEOMETRIC, "kinematic": KINEMATIC, "dynamic": DYNAMIC, "identification": IDENTIFICATION}
TITLES = {name: title for menu in MENUS.values() for name, title in menu.items()}


def menus(robot: Robot) -> list[dict[str, Any]]:
    """Menu by menu the models that the robot has: name, title, what it gives, options."""
    there = set(models_of(robot))
    return [
        {"menu": menu, "models": [_entry(robot, name) for name in titles if name in there]}
        for menu, titles in MENUS.items()
    ]


def _entry(robot: Robot, name: str) -> dict[str, Any]:
    return {
        "name": name,
        "title": TITLES[name],
        "gives": Explained(MODELS[name]).gives,
        "options": controls(robot, name),
    }
