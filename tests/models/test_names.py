"""Every named step of every model is exactly what the algorithm called so, sign included, whatever the passes did."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from inspect import signature
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from models.reference import loaded_robot
from models.spinning_rotors import spinning_robot
from program.recording import AGAIN, UNNAMED, Given, given_values, random_state, recorded, step_values
from random_robots import random_robot
from sweeps import crossed, many

import robosym
from robosym.errors import RobosymError
from robosym.expr import parameter
from robosym.generated import Model
from robosym.models import MODELS
from robosym.robot import Base, Robot

CONVENTIONS = ("local", "world", "local-world-aligned")
OPTIONS: Mapping[str, tuple[dict[str, Any], ...]] = {
    "inverse-dynamics": (
        *({"method": m} for m in ("auto", "acceleration-matrix", "newton-euler", "augmented-body")),
        {"method": "acceleration-matrix", "reactions": True},
        {"parameters": "base"},
    ),
    "forward-dynamics": ({"method": "articulated-bodies"}, {"method": "factorised"}),
    "jacobian": tuple({"axes": c} for c in CONVENTIONS),
    "velocities": tuple({"axes": c} for c in CONVENTIONS),
    "accelerations": tuple({"axes": c} for c in CONVENTIONS),
}
# Written out without steps, off-line only, a routine.
WITHOUT = ("expanded", "base-parameters", "inverse-geometric", "discrete")
SYSTEMS = ("jacobian-inverse", "inverse-kinematics-velocity", "jacobian-determinant", "static-torques")
WITH_FRAME = ("jacobian", "jacobian-rate", "velocities", "accelerations", "jdot-qdot", *SYSTEMS)
ON_TWELVE_JOINTS = (
    "geometric",
    "jacobian",
    "velocities",
    "inverse-dynamics",
    "forward-dynamics",
    "gravity",
    "coriolis",
)


def _on_moving_base() -> Robot:
    names = ("velocity", "angular_velocity", "acceleration", "angular_acceleration")
    motion = {name: tuple(parameter(f"{stem}B{k}") for k in "xyz") for name, stem in zip(names, "vwae", strict=True)}
    return robosym.load("rx90").replace(base=Base(**motion))


def _robot(name: str) -> Robot:
    if name == "tree":
        return random_robot(np.random.default_rng(3), 6, symbolic=True)
    if name == "loaded-tree":
        return loaded_robot(np.random.default_rng(4), 6, symbolic=True)
    if name == "spinning-rotors":
        return spinning_robot(7, 6)
    return _on_moving_base() if name == "moving-base" else robosym.load(name)


# How many models are made at least, of all: the others refuse the robot.
ROBOTS = {
    "rx90": 35,
    "puma560": 35,
    "stanford": 35,
    "general-12r": 17,
    "tree": 30,
    "loaded-tree": 20,
    "moving-base": 25,
    "spinning-rotors": 25,
}


def _has_axes(robot: Robot) -> bool:
    return any(frame.actuator.motor.axis is not None for frame in robot.frames)


LONG = ("general-12r",)
KEPT = [
    *crossed([name for name in ROBOTS if name not in LONG], [name for name in MODELS if name not in WITHOUT], every=3),
    *crossed(LONG, ON_TWELVE_JOINTS, every=3),
]


def _models(of: str) -> Iterator[tuple[str, Model, list[Given]]]:
    robot = _robot(of)
    for name, function in MODELS.items():
        if (of, name) not in KEPT or (len(robot.moving) > 9 and name not in ON_TWELVE_JOINTS):
            continue
        for options in OPTIONS.get(name, ({},)):
            more = {"frame": robot.frames[-1].name} if name in WITH_FRAME else {}
            if "rotor_inertia" in signature(function).parameters and _has_axes(robot):
                more["rotor_inertia"] = "gyroscopic"
            try:
                with recorded() as given:
                    model = function(robot, **options, **more)
            except RobosymError:
                continue
            yield f"{name} {options}", model, given


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ROBOTS)
def test_a_named_step_is_what_the_algorithm_called_so(name: str) -> None:
    made = 0
    for what, model, given in _models(name):
        rng = np.random.default_rng(made)
        state = random_state(model.program, given, lambda rng=rng: float(rng.uniform(0.3, 1.7)))
        values = {step: x for step, x in step_values(model.program, state).items() if not UNNAMED.fullmatch(step)}
        angles = {s.name: x for s, x in state.items()}
        named = {step: x for step, x in values.items() if not _is_angle(step, x, angles)}
        meant = [given_values(one, state) for one in given]
        # The program is one of several ways of writing the model; its names come from one scope, or from two.
        right = [_right(named, one) for one in meant]
        missing = [named.keys() - a - b for a, b in combinations_with_replacement(right, 2)]
        assert not min(missing, key=len, default=named.keys()), (what, min(missing, key=len, default=named))
        if what.split()[0] not in SYSTEMS:  # where many ways of writing share the joints' vectors
            assert [_several(one) for one in meant] == [[]] * len(meant), what
        assert not [step for step in named if AGAIN.search(step)], what
        made += 1
    assert made >= (ROBOTS[name] if many(1) > 1 else ROBOTS[name] // 6)


def _several(given: Mapping[str, list[float]]) -> list[str]:
    """The names that stand for several quantities."""
    return [step for step, all_of in given.items() if max(all_of) - min(all_of) > 1e-9 * max(1.0, abs(all_of[0]))]


def _right(steps: Mapping[str, float], given: Mapping[str, list[float]]) -> set[str]:
    """The steps that are what the algorithm called so in one scope."""

    def is_right(step: str, x: float) -> bool:
        meant = given.get(step) or given.get(AGAIN.sub("", step), [])
        return any(abs(x - value) <= 1e-9 * max(1.0, abs(value)) for value in meant)

    return {step for step, x in steps.items() if is_right(step, x)}


def _is_angle(step: str, x: float, known: Mapping[str, float]) -> bool:
    """Whether a step is the sum of joint angles that its name says, or the sine or cosine of it: S2m3 is sin(q2 - q3)."""
    found = re.fullmatch(r"([SCq])(\w*)", step)
    if found is None:
        return False
    kind, suffix = found.groups()
    angle = _angle(AGAIN.sub("", suffix), known)
    if (
        angle is None
    ):  # neither the sum of joint angles nor a parameter: some expression, of which the name tells nothing
        return AGAIN.sub("", suffix) == "" and kind in "SC"
    return abs(x - {"S": math.sin, "C": math.cos, "q": float}[kind](angle)) < 1e-12


def _angle(suffix: str, known: Mapping[str, float]) -> float | None:
    if suffix in known:
        return known[suffix]
    parts = suffix.strip("_").split("_") if "_" in suffix else re.findall(r"m?\d+q\d+|m?\d", suffix)
    total = 0.0
    for part in parts:
        one = re.fullmatch(r"(m?)(?:(\d+)q)?(\d+)", part)
        if one is None or f"q{one[3]}" not in known:
            return None
        total += (-1 if one[1] else 1) * int(one[2] or 1) * known[f"q{one[3]}"]
    return total if parts else None


def test_beyond_nine_links_the_link_is_set_apart() -> None:
    model = robosym.models.inverse_dynamics(robosym.load("general-12r"), method="acceleration-matrix")
    names = {step.name for step in model.program.steps}
    assert {"W3_12", "U31_12", "VP1_11", "S_12", "C_10", "W39", "U319"} <= names
    assert not [name for name in names if re.fullmatch(r"(W|WI|WA|WP|VP|VSP|UA|E|N|F)\d1[0-2]", name)]
