"""Robots, options and states that platforms have no models for: each is refused in one clear sentence, or its status is 0."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from models.parallel import reference
from models.parallel.platform_builder import PlatformBuilder, prismatic, revolute
from models.parallel.platform_cases import SWEPT, built_in, case_of, is_assembled, tried
from models.parallel.platform_model import moved
from models.parallel.random_platforms import EXPECTED

import robosym
from robosym import models
from robosym.errors import RobosymError
from robosym.expr import number
from robosym.robot import Base, Robot, RobotError

CONSTRAINED = ("delta", "planar-3rrr", "3-RUU", *(kind for kind in SWEPT if EXPECTED[kind] < 6))


# --- states ----------------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("name", CONSTRAINED)
def test_what_the_legs_do_not_let_the_platform_do_is_told(name: str) -> None:
    """Poses off the robot's own, twists and rates of them: along every direction across the admissible ones, where the reference
    too finds that the legs do not reach."""
    robot, states = case_of(name)
    state = states[0]
    model = models.accelerations(robot)
    assert is_assembled(model, state)
    motions = reference.admissible(robot, state.pose, state.legs).platform
    off = np.linalg.svd(motions)[0][:, motions.shape[1] :].T
    still = {"twist": np.zeros(6), "twist_rate": np.zeros(6)}
    for way in off:
        assert not is_assembled(model, state, twist=state.twist + 1e-3 * way)
        assert not is_assembled(model, state, twist_rate=state.twist_rate + 1e-3 * way)
        pose = moved(state.pose, 0.02 * way)
        if reference.legs_at(robot, pose, state.legs)[1] > 1e-6:
            assert not is_assembled(model, state, pose=pose, **still)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["delta", "planar-3rrr", "6-RUS"])
def test_out_of_reach(name: str) -> None:
    robot, states = case_of(name)
    away = states[0].pose + np.array([5, 0, 0, 0, 0, 0, 0])
    for function in (models.jacobian, models.energy):
        given = {"twist": np.zeros(6)} if function is models.energy else {}
        assert not is_assembled(function(robot), pose=away, **given)
        assert is_assembled(function(robot), states[0])


def test_a_quaternion_and_its_negative_are_one() -> None:
    robot, states = built_in("delta")
    pose = states[0].pose
    turned = np.append(pose[:3], -pose[3:])
    model = models.gravity(robot)
    assert np.array_equal(tried(model, pose=pose)["Q"], tried(model, pose=turned)["Q"])
    assert is_assembled(model, pose=turned)


# --- robots ----------------------------------------------------------------------------------------------------------


def struts(active: int, more: int = 0, spin: bool = False, similar: bool = False) -> Robot:
    """A 6-UPS platform with this many motors, more legs, a leg that can spin, or hexagons of one shape."""
    made = PlatformBuilder(np.random.default_rng(3), False)
    made.home[:3, 3] = [0.05, 0.02, 1.0]
    corner, side = np.arange(6) // 2 * (2 * np.pi / 3), np.arange(6) % 2 * 2 - 1
    low, high = corner + 0.25 * side, corner + (0.25 if similar else 0.9) * side
    ground = [np.array([np.cos(a), np.sin(a), 0]) for a in low] + [np.array([0.1, 0.2, 0])] * more
    own = [np.array([np.cos(a), np.sin(a), 0]) / 2 for a in high] + [np.array([0.05, 0, 0.1])] * more
    for k, (a, b) in enumerate(zip(ground, own, strict=True)):
        n = b + made.home[:3, 3] - a
        one = np.cross(n, [0.3, 1, 0.2])
        turning = [revolute(a, n)] if spin and k == 0 else []
        slide = prismatic(a, n, active=k < active)
        made.leg([revolute(a, one, mass=False), revolute(a, np.cross(one, n)), *turning, slide], tip=a + n)
    return made.robot("struts", made.seated(), Base())


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(
    ("robot", "said"),
    [
        (lambda: struts(7, more=1), "motors: over-actuated by 1"),
        (lambda: struts(5), "motors: under-actuated by 1.*leg6 neither drives nor constrains"),
        (lambda: struts(6, spin=True), "leg leg1: can move while the platform stands still"),
        (lambda: struts(6, similar=True), "motors: .*singular"),
    ],
)
def test_mechanisms(robot: Callable[[], Robot], said: str) -> None:
    with pytest.raises(RobotError, match=said):
        models.inverse_dynamics(robot())


def test_a_leg_that_neither_drives_nor_constrains_is_no_mistake() -> None:
    assert models.jacobian(struts(6, more=1)).operations.total > 0


def test_a_base_that_moves() -> None:
    robot = built_in("delta")[0]
    with pytest.raises(RobotError, match="base: moves"):
        models.gravity(robot.replace(base=replace(robot.base, floating=True)))
    pushed = replace(robot.base, acceleration=(number(1), number(0), number(0)))
    with pytest.raises(RobotError, match="base: accelerates"):
        models.gravity(robot.replace(base=pushed))


@pytest.mark.slow
def test_joints_on_the_platform_where_a_model_does_not_know_them() -> None:
    robot = case_of("6-UPS-wrist")[0]
    for function in (models.forward_dynamics, models.inertia_matrix, models.energy):
        with pytest.raises(RobotError, match="wrist1, wrist2 stand on the platform"):
            function(robot)


# --- options ---------------------------------------------------------------------------------------------------------

PLANAR = {
    "mode": ("elbow", 3, ""),
    "near": ({"foo": 1.0}, [1, 2], {"leg1_elbow": [1, 2]}),
    "structure": ("tree",),
    "coordinates": ("legs", 3),
    "forces": ("both",),
    "colour": ("red",),
}


@pytest.mark.parametrize(("option", "given"), [(key, one) for key, some in PLANAR.items() for one in some])
def test_options_name_themselves(option: str, given: Any) -> None:
    with pytest.raises(RobosymError, match=rf"{option}[:,] "):
        models.gravity(built_in("planar-3rrr")[0], **{option: given})


def test_more_options() -> None:
    robot = built_in("planar-3rrr")[0]
    for options in (
        {"method": "x"},
        {"friction": "x"},
        {"rotor_inertia": "x"},
        {"wrench": "some"},
        {"parameters": "all"},
        {"kind": "classical"},
        {"reactions": True},
    ):
        with pytest.raises(RobosymError, match=f"{next(iter(options))}: "):
            models.inverse_dynamics(robot, **options)
    with pytest.raises(RobosymError, match="of: got 'legs'"):
        models.inertia_matrix(robot, of="legs")
    with pytest.raises(RobotError, match="near: give a mode or a position"):
        models.gravity(robot, mode="elbow-", near={"leg1_elbow": 1.0})
    for wrong in (float("nan"), "a"):
        with pytest.raises(RobosymError, match=r"near.* leg1_elbow: "):
            models.gravity(robot, near={"leg1_elbow": wrong})


def test_what_only_parallel_robots_have() -> None:
    with pytest.raises(RobotError, match="coordinates: got 'motors': only a platform"):
        models.gravity(robosym.load("rx90"), coordinates="motors")
