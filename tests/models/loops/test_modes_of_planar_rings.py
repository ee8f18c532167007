"""Planar rings driven and cut at any of their joints: what is found does not depend on where, and names are true."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
import pytest
from models.loops.linkages import triangle, with_values

import robosym
from robosym import models
from robosym.models.loops.modes import ways_of
from robosym.models.loops.plan import plan_of
from robosym.robot import Robot, RobotError

LENGTHS = (0.4, 0.5, 0.45, 0.35)
POSITION = (0.5, 0.9, 1.1, 1.3, 1.2)
MASS = {"M": 2, "MX": 0.3, "XX": 0.2, "YY": 0.3, "ZZ": 0.3}


def five_bar(driven: Sequence[int]) -> Robot:
    """One chain of five parallel axes, whose end is pinned to the ground; closed at POSITION."""
    angles = np.cumsum(POSITION)
    end = sum(d * np.exp(1j * a) for d, a in zip(LENGTHS, angles, strict=False))
    rows = [{"joint": f"j{k}", "antecedent": k, "d": d, "active": k in driven} for k, d in enumerate((0, *LENGTHS))]
    gamma = float(np.angle(end))
    twin = {"joint": "twin", "antecedent": 0, "sigma": "fixed", "gamma": gamma, "d": float(abs(end))}
    return Robot.from_table("five-bar", [*rows, twin | {"theta": float(angles[-1] - gamma)}], loops=1)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("driven", [(0, 1), (0, 2), (1, 3), (2, 3)])
def test_a_driven_joint_may_stand_between_passive_ones(driven: tuple[int, int]) -> None:
    robot = five_bar(driven)
    q = [POSITION[k] for k in driven]
    found = [models.loop_geometry(robot, mode=mode).compile()(q=q) for mode in models.loop_geometry(robot).modes]
    assert [float(one["assembled"]) for one in found] == [1, 1]
    apart = [np.abs(np.exp(1j * one["positions"]) - np.exp(1j * np.array(POSITION))).max() for one in found]
    assert min(apart) < 1e-13


def four_bar_cut_at_the_elbow() -> Robot:
    """The coupler hangs on the rocker and ends in a fixed frame: fixed frames are no joints that are known."""
    rows = [
        {"joint": "crank", "antecedent": 0, "active": True},
        {"joint": "rocker", "antecedent": 0, "d": 0.5, "active": False},
        {"joint": "pin", "antecedent": 2, "d": 0.45, "active": False},
        {"joint": "end", "antecedent": 3, "sigma": "fixed", "d": -0.4, **MASS},
        {"joint": "elbow", "antecedent": 1, "d": 0.2, "active": False},
        {"joint": "twin", "antecedent": 4, "sigma": "fixed"},
    ]
    return Robot.from_table("cut-at-elbow", rows, loops=1, gravity=[0, -9.81, 0])


def four_bar_cut_at_the_pin() -> Robot:
    rows = [
        {"joint": "crank", "antecedent": 0, "active": True},
        {"joint": "elbow", "antecedent": 1, "d": 0.2, "active": False, **MASS},
        {"joint": "rocker", "antecedent": 0, "d": 0.5, "active": False},
        {"joint": "pin", "antecedent": 2, "d": 0.4, "active": False},
        {"joint": "twin", "antecedent": 3, "sigma": "fixed", "d": 0.45},
    ]
    return Robot.from_table("cut-at-pin", rows, loops=1, gravity=[0, -9.81, 0])


def test_torques_do_not_depend_on_where_the_loop_is_cut() -> None:
    found = []
    for robot in (four_bar_cut_at_the_elbow(), four_bar_cut_at_the_pin()):
        f = models.inverse_dynamics(robot, near={"crank": 0.9, "rocker": 1.8}).compile()
        found.append(float(f(q=[0.9], qd=[0.7], qdd=[-0.4])["tau"][0]))
    assert found[0] == pytest.approx(found[1], rel=1e-12)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("driven", [(0, 1), (1, 2)])
def test_what_a_name_means_is_true_at_all_positions(driven: tuple[int, int]) -> None:
    """With the motors at (1, 2) the sine of j4 has one sign at most positions of a mode, but not at all."""
    robot = five_bar(driven)
    q = np.random.default_rng(0).uniform(-math.pi, math.pi, (4000, 2))
    (loop,) = plan_of(robot).solved
    for way in ways_of(robot, loop):
        made = models.loop_geometry(robot, mode=way.name)
        found = made.compile()(q=q)
        said = re.fullmatch(r"sin\((\w+)\) ([<>]) 0", way.meaning)
        assert (said is not None) == (driven == (0, 1))
        if said is not None:
            sines = np.sin(made.by_name(found)[said[1]][found["assembled"] == 1])
            assert len(sines) > 1000
            assert (sines > 0).all() if said[2] == ">" else (sines < 0).all()
        assert f"mode {way.name}:" in made.explain()


def test_positions_of_the_description_that_cannot_be_assembled_are_named_so() -> None:
    robot = with_values(robosym.load("four-bar"), D2=0.45, D4=0.2, D5=0.4)
    with pytest.raises(
        RobotError,
        match=r"position: the loops cannot be assembled at .* = .*: give other positions, or the mode by name \('cut\+'",
    ):
        models.loop_geometry(robot)
    assert models.loop_geometry(robot, mode="cut+").mode == "cut+"


def test_positions_without_values_say_nothing_of_the_mode() -> None:
    robot = robosym.load("four-bar").replace(values={})
    message = r"position: no value for D2, D3, D4, D5, .*: give values, or the mode by name \('cut\+', 'cut-'\)"
    with pytest.raises(RobotError, match=message):
        models.loop_geometry(robot)
    assert models.loop_geometry(robot, mode="cut-").mode == "cut-"


def test_near_takes_the_motors_where_the_description_has_them() -> None:
    """At 90 degrees the rocker of the crossed linkage is at 3.58 rad, of the open one at 1.95; at zero it is the other way."""
    robot = robosym.load("four-bar")
    assert models.loop_geometry(robot, near={"rocker": 3.0}).mode == "cut-"
    assert models.loop_geometry(robot, near={"rocker": 3.0, "crank": 0.0}).mode == "cut+"


def sarrus() -> Robot:
    """Two legs of three parallel axes, across each other, from one point to another above it."""
    rows = [
        {"joint": "a1", "antecedent": 0, "alpha": "-pi/2", "active": True},
        {"joint": "a2", "antecedent": 1, "d": 0.5, "active": False},
        {"joint": "a3", "antecedent": 2, "d": 0.5, "active": False},
        {"joint": "b1", "antecedent": 0, "gamma": "pi/2", "alpha": "-pi/2", "active": False},
        {"joint": "b2", "antecedent": 4, "d": 0.5, "active": False},
        {"joint": "b3", "antecedent": 5, "d": 0.5, "active": False},
        {"joint": "twin", "antecedent": 3, "sigma": "fixed", "alpha": "pi/2"},
    ]
    return Robot.from_table("sarrus", rows, loops=1)


@pytest.mark.slow
def test_a_way_that_leaves_a_joint_free_is_no_mode() -> None:
    """With the first leg folded its ends are in one place, and the second one turns as it likes. Of the four branches each
    is one of the two others at some positions, so that these are all modes."""
    assert models.loop_geometry(sarrus()).modes == ("parallel 1", "parallel 2")
    models.loop_kinematics(sarrus(), mode="parallel 1")  # which finds the rank by itself
    assert "mode parallel 2: the angles add up" in models.loop_geometry(sarrus()).explain()


def locomotive(third: float) -> Robot:
    """Three cranks on one rod: the loop of the third follows from that of the second, if it is as long as they are."""
    rows = [
        {"joint": "first", "antecedent": 0, "active": True},
        {"joint": "rod", "antecedent": 1, "d": 0.2, "active": False, **MASS},
        {"joint": "second", "antecedent": 0, "d": 0.5, "active": False},
        {"joint": "third", "antecedent": 0, "d": 1.0, "active": False},
        {"joint": "pin2", "antecedent": 2, "d": 0.5, "active": False},
        {"joint": "pin3", "antecedent": 2, "d": 1.0, "active": False},
        {"joint": "twin2", "antecedent": 3, "sigma": "fixed", "d": 0.2},
        {"joint": "twin3", "antecedent": 4, "sigma": "fixed", "d": "C"},
    ]
    return Robot.from_table("locomotive", rows, loops=2, gravity=[0, -9.81, 0], values={"C": {"value": third}})


def test_a_loop_that_follows_from_another_closes_in_the_ways_in_which_it_does() -> None:
    made = models.loop_geometry(locomotive(0.2))
    assert made.modes == ("parallel",)  # crossed, the rod's end is not where the third crank is
    f = made.compile()
    found = f(q=[0.8])
    assert found["assembled"] == 1
    assert dict(made.by_name(found))["third"] == pytest.approx(0.8, abs=1e-13)
    assert f(q=[0.8], parameters={"C": 0.21})["assembled"] == 0
    tau = models.inverse_dynamics(locomotive(0.2)).compile()(q=[0.8], qd=[0.0], qdd=[0.0])["tau"]
    assert tau == pytest.approx([2 * 9.81 * 0.2 * math.cos(0.8)], rel=1e-12)  # the rod goes around without turning


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("length", [0.5, 0.7])
def test_a_structure_is_no_mechanism(length: float) -> None:
    with pytest.raises(RobotError, match="cannot be assembled with the values given"):
        models.loop_geometry(triangle(length))
    with pytest.raises(RobotError, match="cannot be assembled together with the values given"):
        models.loop_geometry(locomotive(0.21))


def six_bar(placed_from_a_twin: bool) -> Robot:
    """Two loops that share the rocker; the pin of the second one is placed on it, or from the pin of the first."""
    pin = {"antecedent": 8, "d": 0.2} if placed_from_a_twin else {"antecedent": 3, "d": 0.6}
    rows = [
        {"joint": "crank", "antecedent": 0, "active": True},
        {"joint": "coupler", "antecedent": 1, "d": 0.3, "active": False, **MASS},
        {"joint": "rocker", "antecedent": 0, "d": 0.6, "active": False, **MASS},
        {"joint": "second", "antecedent": 0, "d": 0.9, "gamma": 0.4, "active": False, **MASS},
        {"joint": "rod", "antecedent": 4, "d": 0.5, "active": False, **MASS},
        {"joint": "pin1", "antecedent": 2, "d": 0.5, "active": False},
        {"joint": "pin2", "antecedent": 5, "d": 0.45, "active": False},
        {"joint": "twin1", "antecedent": 3, "sigma": "fixed", "d": 0.4},
        {"joint": "twin2", "sigma": "fixed", **pin},
    ]
    return Robot.from_table("six-bar", rows, loops=2, gravity=[0, -9.81, 0])


def test_a_twin_may_hang_on_the_twin_of_another_loop() -> None:
    one, other = (six_bar(placed) for placed in (False, True))
    assert models.loop_geometry(one).modes == models.loop_geometry(other).modes
    state = {"q": [0.9], "qd": [0.4], "qdd": [0.3]}
    expected, found = (models.constraint_wrenches(robot).compile()(**state)["w"] for robot in (one, other))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    expected, found = (models.inverse_dynamics(robot).compile()(**state)["tau"] for robot in (one, other))
    assert found == pytest.approx(expected, rel=1e-12)
