"""Small closed mechanisms with numbers, for the tests of loops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from robosym.expr import number
from robosym.robot import Actuator, Link, Robot, Value


def linkage(name: str, rows: list[dict[str, Any]], values: Mapping[str, float], **settings: Any) -> Robot:
    """One loop unless ``loops`` says more; joints named a, b, c... are passive unless ``active``."""
    given = {key: {"value": x} for key, x in values.items()}
    table = [{"active": False, **row} if row.get("sigma") != "fixed" else row for row in rows]
    return Robot.from_table(name, table, values=given, **{"loops": 1, "gravity": [0, 0, 0], **settings})


def bennett(off: float = 1.0) -> Robot:
    """Alternate links equal, a / sin(alpha) = b / sin(beta) where ``off`` is one."""
    b = "A*sin(BE)/sin(AL)*OFF"
    rows = [
        {"antecedent": 0, "joint": "first", "active": True},
        {"antecedent": 1, "joint": "second", "alpha": "AL", "d": "A"},
        {"antecedent": 2, "joint": "third", "alpha": "BE", "d": b},
        {"antecedent": 3, "joint": "cut", "alpha": "AL", "d": "A"},
        {"antecedent": 0, "joint": "cut_twin", "sigma": "fixed", "alpha": "-BE", "d": f"-({b})"},
    ]
    return linkage("bennett", rows, {"A": 0.3, "AL": np.radians(40), "BE": np.radians(75), "OFF": off})


def spherical() -> Robot:
    """Four axes through one point."""
    rows = [
        {"antecedent": 0, "joint": "first", "active": True},
        {"antecedent": 1, "joint": "second", "alpha": "A2"},
        {"antecedent": 0, "joint": "third", "alpha": "A3"},
        {"antecedent": 2, "joint": "cut", "alpha": "A4"},
        {"antecedent": 3, "joint": "cut_twin", "sigma": "fixed", "alpha": "A5"},
    ]
    return linkage("spherical", rows, {"A2": 0.6, "A3": 1.1, "A4": 1.0, "A5": 0.9})


def slider_crank() -> Robot:
    """The crank drives; the slider is passive, on a line beside the crank's pivot."""
    rows = [
        {"antecedent": 0, "joint": "crank", "active": True},
        {"antecedent": 1, "joint": "rod", "d": "L1"},
        {
            "antecedent": 0,
            "joint": "slider",
            "sigma": "prismatic",
            "gamma": "pi/2",
            "alpha": "pi/2",
            "d": "E",
            "theta": "0",
        },
        {"antecedent": 2, "joint": "cut", "d": "L2"},
        {"antecedent": 3, "joint": "cut_twin", "sigma": "fixed", "alpha": "-pi/2"},
    ]
    return linkage("slider-crank", rows, {"L1": 0.2, "L2": 0.6, "E": 0.05})


def swinging_block() -> Robot:
    """A rod on the crank slides through a block that turns on the ground: the sliding joint is cut."""
    rows = [
        {"antecedent": 0, "joint": "crank", "active": True},
        {"antecedent": 1, "joint": "rod", "d": "L1"},
        {"antecedent": 0, "joint": "block", "d": "L2"},
        {"antecedent": 3, "joint": "cut", "sigma": "prismatic", "gamma": "pi/2", "alpha": "pi/2", "theta": "0"},
        {"antecedent": 2, "joint": "cut_twin", "sigma": "fixed", "gamma": "pi/2", "alpha": "pi/2", "d": "E"},
    ]
    return linkage("swinging-block", rows, {"L1": 0.2, "L2": 0.5, "E": 0.05})


def six_bar() -> Robot:
    """Two four-bars, the rocker of the first being the crank of the second: two loops, both cut ends on links of a tree."""
    rows = [
        {"antecedent": 0, "joint": "crank", "active": True},
        {"antecedent": 1, "joint": "coupler", "d": "L1"},
        {"antecedent": 0, "joint": "rocker", "d": "L2"},
        {"antecedent": 3, "joint": "coupler_2", "gamma": 0.3, "d": "L3"},
        {"antecedent": 0, "joint": "rocker_2", "d": "L4"},
        {"antecedent": 2, "joint": "cut", "d": "L5"},
        {"antecedent": 4, "joint": "cut_2", "d": "L6"},
        {"antecedent": 3, "joint": "cut_twin", "sigma": "fixed", "d": "L7"},
        {"antecedent": 5, "joint": "cut_2_twin", "sigma": "fixed", "d": "L8"},
    ]
    lengths = {"L1": 0.2, "L2": 0.5, "L3": 0.3, "L4": 1.0, "L5": 0.4, "L6": 0.5, "L7": 0.45, "L8": 0.4}
    return linkage("six-bar", rows, lengths, loops=2)


def triangle(longest: float) -> Robot:
    """Three links of 0.3, 0.4 and this length, with parallel axes: a structure; flat where the length is 0.7."""
    rows = [
        {"antecedent": 0, "joint": "first", "active": True},
        {"antecedent": 1, "joint": "second", "d": 0.3},
        {"antecedent": 2, "joint": "cut", "d": 0.4},
        {"antecedent": 0, "joint": "cut_twin", "sigma": "fixed", "d": "L"},
    ]
    return linkage("triangle", rows, {"L": longest})


def driving(robot: Robot, *names: str) -> Robot:
    """The same robot with these joints driven and no others."""
    frames = [replace(one, joint=replace(one.joint, active=one.joint.name in names)) for one in robot.frames]
    return robot.replace(frames=tuple(frames))


def with_values(robot: Robot, **changed: float) -> Robot:
    return robot.replace(values={**robot.values, **{key: Value(x) for key, x in changed.items()}})


def loaded(rng: np.random.Generator, robot: Robot) -> Robot:
    """With random links and with rotors and friction at every joint, also at the cut ones; gravity in all directions."""
    frames = []
    for j, frame in enumerate(robot.frames, 1):
        link = frame.link
        if j <= robot.n_links:
            c, m = rng.uniform(-0.2, 0.2, 3), rng.uniform(1, 3)
            half = rng.uniform(-0.3, 0.3, (3, 3))
            J = half @ half.T + m * (c @ c * np.eye(3) - np.outer(c, c)) + 0.1 * np.eye(3)
            entries = (J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2], *(m * c), m)
            link = Link(*(number(float(x)) for x in entries))
        actuator = Actuator(*(number(float(x)) for x in rng.uniform(0.1, 0.5, 3)))
        frames.append(replace(frame, link=link, actuator=actuator))
    gravity = tuple(number(float(x)) for x in rng.uniform(-9, 9, 3))
    return robot.replace(frames=tuple(frames), gravity=gravity)
