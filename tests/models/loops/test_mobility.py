"""``robosym.mobility``: counts, motors and singularities of mechanisms whose answers are known."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from models.loops.iterated_linkages import seven_revolutes, three_legs
from models.loops.linkages import (
    bennett,
    driving,
    linkage,
    six_bar,
    slider_crank,
    spherical,
    swinging_block,
    triangle,
    with_values,
)
from models.loops.random_mechanisms import KINDS, random_mechanism
from par_files import par_file

import robosym
from robosym.expr import number
from robosym.models import loop_geometry
from robosym.robot import Mimic, Robot


@pytest.mark.parametrize(
    ("robot", "gruebler", "spaces", "mobility"),
    [
        (robosym.load("four-bar"), -2, (3,), 1),
        (robosym.load("five-bar"), -1, (3,), 2),
        (robosym.load("sr400"), 3, (3,), 6),
        (bennett(), -2, (6,), 1),
        (spherical(), -2, (3,), 1),
        (slider_crank(), -2, (3,), 1),
        (swinging_block(), -2, (3,), 1),
        (six_bar(), -5, (3, 3), 1),
        (triangle(0.5), -3, (3,), 0),
        (robosym.load("palletizer"), -5, (3, 3, 3), 4),
        (seven_revolutes(), 1, (6,), 1),
        (three_legs(), 6, (6, 6), 6),
        (robosym.load("rx90"), 6, (), 6),
    ],
    ids=lambda x: x.name if isinstance(x, Robot) else "",
)
def test_counts(robot: Robot, gruebler: int, spaces: tuple[int, ...], mobility: int) -> None:
    found = robosym.mobility(robot)
    assert (found.gruebler, found.loop_spaces, found.mobility) == (gruebler, spaces, mobility)
    assert found.gruebler_by_loop == found.joints - sum(spaces)
    # What Gruebler misses is what is redundant.
    assert found.instantaneous == found.joints - found.rank == found.gruebler + found.redundant
    assert len(found.redundant_constraints) == found.redundant
    assert len(found.suggested) == mobility
    json.dumps(found.as_dict())


@pytest.mark.mostly_slow(fast=9)
@pytest.mark.parametrize("kind", KINDS)
def test_random_mechanisms_have_the_motors_that_they_need(kind: str) -> None:
    for seed in (1, 2):
        robot = random_mechanism(kind, seed)
        found = robosym.mobility(robot)
        assert found.fully_actuated
        assert found.mobility == found.gruebler_by_loop == len(robot.moving)


def test_redundant_constraints_of_a_planar_loop_are_across_the_plane() -> None:
    assert robosym.mobility(robosym.load("four-bar")).redundant_constraints == ("cut vz", "cut wx", "cut wy")
    found = robosym.mobility(spherical())
    assert {"cut vx", "cut vy", "cut vz"} == set(found.redundant_constraints)


def test_parameters_without_values_are_drawn() -> None:
    found = robosym.mobility(robosym.load(par_file("rhombus")))
    assert (found.mobility, found.assumed) == (2, ("L",))
    assert "no value for L: numbers were drawn" in list(found.lines())
    assert robosym.mobility(robosym.load(par_file("SR400"))).mobility == 6


# --- what cannot be assembled, or cannot move -------------------------------------------------------------------------


def test_links_that_do_not_meet() -> None:
    with pytest.raises(robosym.RobosymError, match=r"four-bar: loops: cannot be assembled: .* the links stay 0.9"):
        robosym.mobility(with_values(robosym.load("four-bar"), D3=2.0))


def test_bennett_of_other_lengths_closes_folded_only_and_is_a_structure() -> None:
    found = robosym.mobility(bennett(1.05))
    assert (found.mobility, found.instantaneous) == (0, 0)
    assert np.allclose(np.sin(list(found.position.values())), 0, atol=1e-9)
    assert "it cannot move: it is a structure, which closes at single positions" in list(found.lines())
    with pytest.raises(robosym.RobosymError, match="at: the loops cannot be closed there: the smallest gap"):
        robosym.mobility(bennett(1.05), {"first": 0.7, "second": 2.88, "third": -0.7, "cut": -2.88})
    assert robosym.mobility(bennett(), {"first": 0.7, "second": 2.88, "third": -0.7, "cut": -2.88}).at


def test_flat_triangle_shakes_but_does_not_move() -> None:
    found = robosym.mobility(triangle(0.7))
    assert (found.instantaneous, found.mobility) == (1, 0)
    assert any("it shakes: 1 motion more" in line for line in found.lines())


# --- motors -----------------------------------------------------------------------------------------------------------


def test_right_number_of_motors_and_what_could_be_driven_in_their_place() -> None:
    found = robosym.mobility(robosym.load("sr400"))
    assert found.fully_actuated
    assert found.exchanges["shoulder"] == found.exchanges["crank"] == ("elbow", "coupler", "cut")
    assert found.exchanges["waist"] == ()
    assert found.suggested == found.driven


def test_too_many_motors() -> None:
    found = robosym.mobility(driving(robosym.load("four-bar"), "crank", "rocker"))
    assert (found.spare, found.free, found.fully_actuated) == (1, 0, False)
    said = "over-actuated: of 2 driven joints only 1 can be chosen freely; 1 motor too many"
    assert said in list(found.lines())
    assert found.suggested == ("crank",)
    assert found.exchanges == {}


def test_too_few_motors() -> None:
    found = robosym.mobility(driving(robosym.load("five-bar"), "left_drive"))
    assert (found.spare, found.free) == (0, 1)
    said = "under-actuated: 1 way of moving no motor controls (1 driven joint, mobility 2)"
    assert said in list(found.lines())
    assert found.suggested == ("left_drive", "left_elbow")


def test_right_number_of_motors_in_the_wrong_places() -> None:
    """Three of sr400's parallelogram: one too many there, and the waist has none."""
    names = ("shoulder", "elbow", "wrist_roll", "wrist_bend", "flange", "crank")
    found = robosym.mobility(driving(robosym.load("sr400"), *names))
    assert (found.controlled, found.spare, found.free) == (5, 1, 1)
    assert "waist" in found.suggested


def test_joint_that_cannot_move_is_named() -> None:
    """A planar four-bar with a fifth joint across its plane: held by the others."""
    robot = robosym.load("four-bar")
    rows = [
        {"antecedent": 0, "joint": "crank", "active": True},
        {"antecedent": 1, "joint": "coupler", "d": 0.2},
        {"antecedent": 0, "joint": "held", "alpha": "pi/2"},
        {"antecedent": 3, "joint": "rocker", "alpha": "-pi/2", "d": 0.5},
        {"antecedent": 2, "joint": "cut", "d": 0.4},
        {"antecedent": 4, "joint": "cut_twin", "sigma": "fixed", "d": 0.45},
    ]
    found = robosym.mobility(linkage("held", rows, {}))
    assert (found.mobility, found.idle) == (1, ("held",))
    assert "held" not in found.exchanges["crank"]
    assert not robosym.mobility(robot).idle


def test_dependent_joints_are_no_joints_of_their_own() -> None:
    """A five-bar whose right drive turns with the left one has mobility one."""
    robot = robosym.load("five-bar")
    frames = list(robot.frames)
    frames[2] = replace(frames[2], joint=replace(frames[2].joint, mimic=Mimic(1, number(-1), number(0.5))))
    found = robosym.mobility(robot.replace(frames=tuple(frames)))
    assert (found.joints, found.mobility, found.driven) == (4, 1, ("left_drive",))


# --- at one position --------------------------------------------------------------------------------------------------


def dead_point(robot: Robot) -> float:
    """The rocker's angle where crank and coupler are in line."""
    D2, D3, D4, D5 = (robot.values[f"D{k}"].number for k in (2, 3, 4, 5))
    return math.pi - math.acos((D3**2 + D5**2 - (D2 + D4) ** 2) / (2 * D3 * D5))


def test_dead_point_is_a_singularity_of_the_actuation_by_the_rocker() -> None:
    robot = robosym.load("four-bar")
    by_rocker = driving(robot, "rocker")
    angle = dead_point(robot)
    found = robosym.mobility(by_rocker, {"rocker": angle}).at
    assert found is not None
    assert found.actuation_singular
    assert found.actuation < 1e-6
    assert found.position["coupler"] == pytest.approx(0, abs=1e-6)
    assert set(found.uncontrolled) == {"crank", "coupler", "cut"}
    # With the rocker held the links in line turn against each other, the joint between them moves across: v = 0 at the cut.
    assert found.uncontrolled["coupler"] / found.uncontrolled["crank"] == pytest.approx(-1.5, abs=1e-5)
    elsewhere = robosym.mobility(by_rocker, {"rocker": angle + 0.3}).at
    assert elsewhere is not None
    assert not elsewhere.actuation_singular
    # The crank, driven, still controls it; but the rocker's end is at rest for a moment.
    crank = found.position["crank"]
    by_crank = robosym.mobility(robot, {"crank": crank, "rocker": angle}).at
    assert by_crank is not None
    assert (by_crank.actuation_singular, by_crank.frame, by_crank.frame_rank) == (False, "cut4", 0)
    assert by_crank.frame_singular


def test_position_by_q_and_by_names_and_its_mode() -> None:
    robot = robosym.load("four-bar")
    for mode in loop_geometry(robot).modes:
        geometry = loop_geometry(robot, mode=mode)
        expected = dict(zip(geometry.joint_names, geometry.compile()(q=[0.7])["positions"], strict=True))
        near = {name: x + (0.1 if name != "crank" else 0) for name, x in expected.items()}
        found = robosym.mobility(robot, near).at
        assert found is not None
        apart = [math.remainder(found.position[name] - x, 2 * math.pi) for name, x in expected.items()]
        assert np.abs(apart).max() < 1e-9
    found = robosym.mobility(robot, [0.7]).at
    assert found is not None
    assert found.position["crank"] == 0.7


@pytest.mark.parametrize("slider", [-0.2, 0.4])
def test_a_passive_joint_chooses_the_mode(slider: float) -> None:
    at = robosym.mobility(robosym.load("slider-crank"), at={"crank": 1.0, "slider": slider}).at
    assert at is not None
    assert np.sign(at.position["slider"]) == np.sign(slider)


def test_end_frame_of_an_arm_loses_a_direction() -> None:
    rx90 = robosym.load("rx90")
    straight = robosym.mobility(rx90, [0.1, 0.2, 0.3, 0.4, 0.0, 0.5]).at
    bent = robosym.mobility(rx90, [0.1, 0.2, 0.3, 0.4, 0.6, 0.5]).at
    assert straight is not None
    assert bent is not None
    assert (straight.frame_rank, straight.frame_singular) == (5, True)
    assert (bent.frame_rank, bent.frame_singular) == (6, False)
    assert not straight.actuation_singular


def test_prismatic_joints_are_in_metres() -> None:
    robot = slider_crank()
    geometry = loop_geometry(robot)
    x = geometry.compile()(q=[0.9])
    expected = np.asarray(x)
    near = dict(zip(geometry.joint_names, expected, strict=True))
    found = robosym.mobility(robot, near).at
    assert found is not None
    assert [found.position[name] for name in near] == pytest.approx(list(expected), abs=1e-9)


def test_what_is_refused() -> None:
    robot = robosym.load("four-bar")
    with pytest.raises(robosym.RobosymError, match="at: there is no joint 'arm', expected positions of joints by name"):
        robosym.mobility(robot, {"arm": 1.0})
    with pytest.raises(robosym.RobosymError, match=r"at: got numbers of shape \(2,\), expected 1: crank"):
        robosym.mobility(robot, [1.0, 2.0])
    with pytest.raises(robosym.RobosymError, match="at: the loops cannot be closed there"):
        robosym.mobility(driving(robot, "rocker"), [0.1])
    with pytest.raises(robosym.RobosymError, match="expected a Robot"):
        robosym.mobility("four-bar")  # type: ignore[arg-type]


def test_import_stays_quick() -> None:
    """The name is looked up when it is used."""
    code = "import sys, robosym; print('robosym.models' in sys.modules, 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split() == ["False"] * 2
