"""Mechanisms whose lengths are given: four-bars of every kind of special lengths, and a slider-crank; robots with all values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from random_robots import random_inertia

from robosym.robot import Actuator, Robot, Value


def four_bar(
    crank: Any, coupler: Any, rocker: Any, ground: Any, values: Mapping[str, float] | None = None, **more: Any
) -> Robot:
    """Driven at the crank; the pin between coupler and rocker is cut. Lengths are numbers or symbols."""
    body = {"inertia": "symbolic"}
    numbers = {f"{key}{j}": x for j in (1, 2, 3) for key, x in INERTIA.items()}
    rows = [
        {"joint": "crank", "antecedent": 0, **body},
        {"joint": "coupler", "antecedent": 1, "d": crank, "active": False, **body},
        {"joint": "rocker", "antecedent": 0, "d": ground, "active": False, **body},
        {"joint": "pin", "antecedent": 2, "d": coupler, "active": False},
        {"joint": "twin", "antecedent": 3, "d": rocker, "sigma": "fixed"},
    ]
    return Robot.from_table(
        "four-bar", rows, loops=1, gravity=[0, -9.81, 0], values=numbers | dict(values or {}), **more
    )


def slider_crank(crank: Any, rod: Any, values: Mapping[str, float] | None = None, driven: str = "crank") -> Robot:
    """The slider moves along x of the ground."""
    body = {"inertia": "symbolic"}
    numbers = {f"{key}{j}": x for j in (1, 2, 3) for key, x in INERTIA.items()}
    rows = [
        {"joint": "crank", "antecedent": 0, "active": driven == "crank", **body},
        {"joint": "rod", "antecedent": 1, "d": crank, "active": False, **body},
        {
            "joint": "slider",
            "antecedent": 0,
            "sigma": "prismatic",
            "gamma": "pi/2",
            "alpha": "pi/2",
            "active": driven == "slider",
            **body,
        },
        {"joint": "pin", "antecedent": 2, "d": rod, "active": False},
        {"joint": "twin", "antecedent": 3, "sigma": "fixed", "alpha": "-pi/2"},
    ]
    return Robot.from_table("slider-crank", rows, loops=1, gravity=[0, -9.81, 0], values=numbers | dict(values or {}))


INERTIA = {
    "XX": 0.02,
    "XY": 0.001,
    "XZ": 0.002,
    "YY": 0.03,
    "YZ": -0.001,
    "ZZ": 0.04,
    "MX": 0.1,
    "MY": 0.02,
    "MZ": 0.01,
    "M": 0.8,
}


def with_numbers(robot: Robot) -> Robot:
    """Every parameter without a value gets one; inertias are possible ones."""
    rng = np.random.default_rng(3)
    values = dict(robot.values)
    for frame in robot.frames:
        for entry, value in zip(frame.link.inertial, random_inertia(rng), strict=True):
            if entry.kind == "parameter":
                values.setdefault(entry.name, Value(value))
    for symbol in robot.parameter_symbols:
        values.setdefault(symbol.name, Value(float(rng.uniform(0.3, 0.6))))
    return robot.replace(values=values)


def without_cut_rotors(robot: Robot) -> Robot:
    frames = [
        frame if j <= robot.n_links else replace(frame, actuator=Actuator()) for j, frame in enumerate(robot.frames, 1)
    ]
    return robot.replace(frames=tuple(frames))
