"""Robots with joints of several axes to simulate, and their motion by other means."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from robosym.robot import Robot

INERTIA = {"XX": 0.3, "YY": 0.35, "ZZ": 0.2, "M": 1.2}
LINK = {**INERTIA, "MX": 0.05, "MZ": 0.1}


def top(gravity: float = 9.81) -> Robot:
    """A body on a ball joint at a fixed point, its centre of mass on its z axis."""
    return Robot.from_table(
        "top", [{"sigma": "ball", "variable": "hip", **INERTIA, "MZ": 0.3}], gravity=[0, 0, -gravity]
    )


def mixed(floating: bool = False) -> Robot:
    """Joints of every kind, in a tree; with a floating base, which has a mass."""
    rows = [
        {"sigma": "planar", "variable": "table", "r": 0.2, **LINK},
        {"sigma": "ball", "variable": "hip", "d": 0.3, "alpha": 0.4, **LINK},
        {"sigma": "screw", "variable": "lift", "pitch": 0.3, "d": 0.2, **LINK},
        {"sigma": "universal", "variable": "wrist", "antecedent": 1, "r": -0.2, **LINK},
        {"sigma": "cylindrical", "variable": "rod", "alpha": 0.7, **LINK},
        {"sigma": "floating", "variable": "ship", "antecedent": 0, "d": 0.1, **LINK},
    ]
    for k, row in enumerate(rows):
        row.setdefault("antecedent", k)
    return Robot.from_table(
        "mixed", rows, gravity=[0, 0, -9.81], base={"floating": floating, **(LINK if floating else {})}
    )


def start(robot: Robot, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """q with unit quaternions, and qd."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(-0.5, 0.5, robot.nq)
    for place in quaternion_places(robot):
        q[place : place + 4] /= np.linalg.norm(q[place : place + 4])
    return q, rng.uniform(-1, 1, robot.nv)


def quaternion_places(robot: Robot) -> list[int]:
    """Where quaternions begin in q, by the names of its symbols."""
    return [k for k, symbol in enumerate(robot.coordinates) if symbol.name.endswith("_qx")]


def momentum(q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    """Angular momentum of a top about its fixed point, in the world, at many states."""
    inertia = np.array([INERTIA["XX"], INERTIA["YY"], INERTIA["ZZ"]])
    return Rotation.from_quat(q).apply(inertia * qd)
