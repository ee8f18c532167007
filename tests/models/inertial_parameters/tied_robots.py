"""Robots whose joints follow others, and all columns of their regressors, also those of the frames of cut joints."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from unittest import mock

import numpy as np
from models.inertial_parameters.random_regressor import regressor
from models.loops.closed_states import named
from models.reference import numbers

from robosym.expr import Expr
from robosym.models.inertial_parameters import numeric
from robosym.models.inertial_parameters.moved import moved_back
from robosym.models.loops.assembled import assembled
from robosym.robot import FIXED, INERTIA, Robot


@cache
def tied(name: str) -> Robot:
    return assembled(named(name))


@cache
def columns_of(robot: Robot) -> tuple[tuple[str, ...], np.ndarray]:
    with mock.patch.object(numeric, "cut_frames", return_value=set()):
        names, W = regressor(robot)
    return tuple(names), W


def effect(
    robot: Robot, bodies: list[tuple[int, Mapping[str, Expr]]], spun: Mapping[int, float] | None = None
) -> float:
    """The largest torque of bodies on links and of rotors, beside the largest of its parts (of the regressor, if these are tiny). Their amounts are
    numbers already."""
    names, W = columns_of(robot)
    torques, largest = np.zeros(len(W)), float(np.abs(W).max()) / 1000
    parts: list[tuple[str, float]] = [(f"IA{j}", x) for j, x in (spun or {}).items()]
    for j, ten in bodies:
        while j and robot.frame(j).sigma == FIXED:
            ten, j = moved_back(ten, robot.frame(j).geometry), robot.frame(j).antecedent
        if j:
            parts += zip(
                (f"{stem}{j}" for stem in INERTIA), numbers(robot, [ten[stem] for stem in INERTIA]), strict=True
            )
    for name, x in parts:
        column = x * W[:, names.index(name)] if x else 0 * torques
        torques, largest = torques + column, max(largest, float(np.abs(column).max()))
    return float(np.abs(torques).max()) / largest
