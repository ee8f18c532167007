"""States with closed loops of the built-in mechanisms and of those of ``linkages``, and their models, made once."""

from __future__ import annotations

from functools import cache

import numpy as np
from models.loops.linkages import bennett, six_bar, slider_crank, spherical, swinging_block

import robosym
from robosym.models import loop_geometry, loop_kinematics
from robosym.models.geometry.loop_geometry import LoopGeometry
from robosym.models.kinematic.loop_kinematics import LoopKinematics
from robosym.robot import Robot

BUILT_IN = ("four-bar", "five-bar", "sr400", "palletizer")
MADE = {
    "bennett": bennett,
    "spherical": spherical,
    "slider-crank": slider_crank,
    "swinging-block": swinging_block,
    "six-bar": six_bar,
}


@cache
def robot_of(name: str) -> Robot:
    return MADE[name]() if name in MADE else robosym.load(name)


@cache
def geometry_of(name: str) -> LoopGeometry:
    return loop_geometry(robot_of(name))


@cache
def kinematics_of(name: str) -> LoopKinematics:
    return loop_kinematics(robot_of(name))


def positions(name: str, q: np.ndarray) -> np.ndarray:
    return np.asarray(geometry_of(name).compile()(q=q))


@cache
def states(name: str, count: int = 3) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """q and qd where the loops close."""
    rng = np.random.default_rng(4)
    found = []
    f = geometry_of(name).compile()
    for _ in range(100):
        q, qd = rng.uniform(-1.5, 1.5, (2, robot_of(name).nv))
        if f(q=q).assembled:
            found.append((q, qd))
    assert len(found) >= count
    return tuple(found[:count])
