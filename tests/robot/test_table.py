"""Robots from plain tables: what every field becomes, its default, and the place of what is wrong."""

from __future__ import annotations

import math
from typing import Any

import pytest

from robosym.expr import number, parameter, pi, variable
from robosym.robot import FIXED, FREE, INERTIA, PRISMATIC, REVOLUTE, WRENCH, Mimic, Robot, RobotError, Spring, Value
from robosym.robot.table import from_data

ZERO = number(0)


def read(data: dict[str, Any]) -> Robot:
    return from_data(data, "x.toml")


def one(**row: Any) -> Robot:
    return read({"frame": [row]})


def problems(data: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(RobotError) as caught:
        read(data)
    return {problem.where: problem.message for problem in caught.value.problems}


def test_from_table():
    robot = Robot.from_table("planar-2r", [{}, {"d": "L1"}], gravity=["G1", 0, 0], values={"L1": 0.5})
    assert robot.joint_names == ("q1", "q2")
    assert robot.frame(2).d is parameter("L1")
    assert robot.gravity[0] is parameter("G1")


def test_symbolic_groups_and_their_exceptions():
    data = {"inertia": "symbolic", "XY": 0, "M": "2*MASS", "actuator": ["Ia", "Fs"], "wrench": ["FZ"], "CZ": "FZ1/2"}
    frame = from_data({"name": "x", "frame": [data]}).frame(1)
    expected = {name: parameter(f"{name}1") for name in INERTIA} | {"XY": number(0), "M": 2 * parameter("MASS")}
    assert dict(zip(INERTIA, frame.link.inertial, strict=True)) == expected
    assert (frame.actuator.Ia, frame.actuator.Fv, frame.actuator.Fs) == (parameter("IA1"), number(0), parameter("FS1"))
    wrench = dict(zip(WRENCH, frame.link.wrench, strict=True))
    assert wrench == dict.fromkeys(WRENCH, number(0)) | {"FZ": variable("FZ1"), "CZ": variable("FZ1") / 2}


def test_names_in_the_state_are_variables_unless_the_robot_has_them_as_parameters():
    row = {"d": "L", "torque": "L*F + K*QP1", "velocity": "QP1", "acceleration": 0}
    robot = from_data({"name": "x", "frame": [row], "values": {"K": 3}})
    L, K = parameter("L"), parameter("K")
    assert robot.frame(1).joint.torque is L * variable("F") + K * variable("QP1")
    assert robot.frame(1).joint.acceleration is number(0)


@pytest.mark.parametrize(
    ("raw", "sigma", "moving"),
    [
        ("revolute", REVOLUTE, "theta"),
        (0, REVOLUTE, "theta"),
        ("prismatic", PRISMATIC, "r"),
        (1, PRISMATIC, "r"),
        ("fixed", FIXED, None),
        (2, FIXED, None),
    ],
)
def test_kinds_of_frames(raw: Any, sigma: int, moving: str | None) -> None:
    frame = one(sigma=raw, alpha="pi/2").frame(1)
    assert frame.sigma == sigma
    assert (frame.theta, frame.r) == tuple(variable("q1") if moving == name else ZERO for name in ("theta", "r"))
    assert frame.joint.name == ("fixed1" if moving is None else "q1")
    assert frame.joint.variable == (None if moving is None else variable("q1"))
    assert frame.alpha is pi / 2


def test_every_geometric_entry_goes_to_its_place() -> None:
    row = {"gamma": 1, "b": 2, "alpha": 3, "d": 4, "theta": "q1 + 5", "r": 6}
    assert one(**row).frame(1).geometry == (number(1), number(2), number(3), number(4), variable("q1") + 5, number(6))
    slide = {"sigma": 1, "theta": "TH", "r": "5 + q1", "variable": "x"}
    assert "frame 1, r" in problems({"frame": [slide]})
    slide["r"] = "5 + x"
    assert (one(**slide).frame(1).theta, one(**slide).frame(1).r) == (parameter("TH"), variable("x") + 5)


def test_numbers_of_names() -> None:
    """By the number of the row, unless a suffix is written; of the base 0."""
    data = {
        "frame": [{}, {"inertia": "symbolic", "actuator": "symbolic", "wrench": "symbolic"}],
        "base": {"inertia": ["M"], "wrench": ["CX"]},
    }
    robot = read(data)
    assert [x.name for x in robot.frame(2).link.inertial] == [f"{name}2" for name in INERTIA]
    assert [x.name for x in robot.frame(2).link.wrench] == [f"{name}2" for name in WRENCH]
    assert (robot.frame(2).actuator.Ia, robot.frame(2).actuator.Fv, robot.frame(2).actuator.Fs) == tuple(
        parameter(n) for n in ("IA2", "FV2", "FS2")
    )
    assert robot.base.link.M is parameter("M0")
    assert robot.base.link.wrench[3] is variable("CX0")
    assert robot.base.link.XX is ZERO


def test_frames_are_found_by_name_and_the_base_too() -> None:
    rows = [{"name": "a"}, {"antecedent": "root"}, {"antecedent": "a"}, {"antecedent": 1}, {}]
    robot = read({"frame": rows, "base": {"name": "root"}})
    assert [frame.antecedent for frame in robot.frames] == [0, 0, 1, 1, 4]
    assert "frame 2, antecedent" in problems({"frame": [{}, {"antecedent": "root"}]})
    assert read({"frame": [{}, {"antecedent": "base"}]}).frame(2).antecedent == 0


def test_joints() -> None:
    limits = {"lower": "-90 deg", "upper": 1, "velocity": 2, "effort": 3, "acceleration": 4, "jerk": 5}
    rows = [
        {"joint": "hip", "variable": "u", "active": False, "limits": limits, "position": "30 deg", "velocity": 0},
        {"spring": {"stiffness": "K", "damping": 0.5, "rest": "pi/6"}, "torque": "2*F"},
        {"mimic": {"frame": 1, "ratio": -2, "offset": "pi"}},
        {"mimic": "frame1"},
    ]
    robot = read({"frame": rows})
    hip, sprung, follower, plain = (frame.joint for frame in robot.frames)
    assert (hip.name, hip.variable, hip.active, hip.velocity, hip.acceleration) == (
        "hip",
        variable("u"),
        False,
        ZERO,
        None,
    )
    found = [getattr(hip.limits, name) for name in limits]
    assert found == [-math.pi / 2, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert hip.position == pytest.approx(math.radians(30))
    assert sprung.spring == Spring(parameter("K"), number(0.5), pi / 6)
    assert (sprung.torque, sprung.active, sprung.position) == (2 * variable("F"), True, None)
    assert follower.mimic == Mimic(1, number(-2), pi)
    assert plain.mimic == Mimic(1)


def test_the_base() -> None:
    location = [[1, 0, 0, "L"], [0, 1, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]]
    motion = {
        "angular_velocity": [0, 0, "W"],
        "angular_acceleration": [1, 2, 3],
        "velocity": [4, 5, 6],
        "acceleration": [7, 8, 9],
    }
    base = read({"frame": [{}], "base": {"name": "car", "location": location, "mobile": True, **motion}}).base
    assert (base.name, base.mobile, base.floating) == ("car", True, False)
    assert base.location == tuple(number(x) if x != "L" else parameter("L") for line in location for x in line)
    assert base.angular_velocity[2] is parameter("W")
    for name in ("angular_acceleration", "velocity", "acceleration"):
        assert getattr(base, name) == tuple(map(number, motion[name]))
    flat = read(
        {"frame": [{}], "base": {"location": [entry for line in location for entry in line], "floating": True}}
    ).base
    assert (flat.location, flat.floating, flat.mobile) == (base.location, True, False)


def test_a_robot_of_one_body() -> None:
    assert read({"base": {"M": 1, "floating": True}}).frames == ()
    assert "expected at least one frame" in problems({"name": "x"})["frames"]


def test_values_and_words() -> None:
    values = {"L": 2, "M": {"value": "30 deg", "unit": "rad", "source": "measured"}}
    data = {
        "name": "n",
        "description": "d",
        "source": "s",
        "gravity": [0, "G2", -9.81],
        "values": values,
        "frame": [{"d": "L", "b": "M"}],
    }
    robot = read(data)
    assert (robot.name, robot.description, robot.source) == ("n", "d", "s")
    assert robot.gravity == (ZERO, parameter("G2"), number(-9.81))
    assert dict(robot.values) == {"L": Value(2.0), "M": Value(math.radians(30), "rad", "measured")}
    assert from_data({"frame": [{}]}, "folder/arm.toml").name == "arm"
    assert from_data({"frame": [{}]}, "x.toml").gravity == (ZERO, ZERO, parameter("G3"))
    assert from_data({"frame": [{}], "par_type": 0}, "x").par_type == 0
    assert from_data({"frame": [{}]}, "x").par_type is None


def test_frames_of_cut_joints_are_passive_unless_told() -> None:
    rows: list[dict[str, Any]] = [
        {},
        {},
        {"antecedent": 0, "d": "D3"},
        {"antecedent": 2},
        {"antecedent": 3, "sigma": 2, "d": "D5"},
    ]
    assert [frame.joint.active for frame in read({"loops": 1, "frame": rows}).frames] == [
        True,
        True,
        True,
        False,
        False,
    ]
    rows[2]["active"] = False
    assert [frame.joint.active for frame in read({"loops": 1, "frame": rows}).frames] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_platforms_written_out() -> None:
    rows: list[dict[str, Any]] = [
        {"antecedent": 0},
        {"d": 1, "active": False},
        {"antecedent": 0},
        {"d": 1, "active": False},
        {"name": "hand", "antecedent": 0, "sigma": "free"},
        {"name": "left", "antecedent": "hand", "sigma": "fixed", "d": -1},
        {"name": "right", "antecedent": "hand", "sigma": "fixed", "d": 1},
    ]
    legs = [{"end": 2, "seat": "left"}, {"name": "b", "end": "frame4", "seat": 7, "joint": "rigid"}]
    robot = read({"frame": rows, "module": [{"platform": "hand", "legs": legs}]})
    (platform,) = robot.platforms
    assert robot.frame(5).sigma == FREE
    assert not robot.frame(5).joint.active
    assert platform.frame == 5
    assert [(leg.name, leg.end, leg.seat, leg.joint) for leg in platform.legs] == [
        ("leg1", 2, 6, "spherical"),
        ("b", 4, 7, "rigid"),
    ]
    for module, where in (
        (3, "module"),
        ([{"platform": "hand", "legs": 3}], "module 1, legs"),
        ([{"legs": legs}], "module 1, platform"),
        ([{"platform": "hand", "legs": [{"end": 2}, legs[1]]}], "module 1, leg 1, seat"),
        ([{"platform": "hand", "legs": [legs[0], {**legs[1], "joint": "ball"}]}], "module 1, leg 2, joint"),
        ([{"platform": "hand", "legs": [legs[0], {**legs[1], "name": 2}]}], "module 1, leg 2, name"),
    ):
        assert where in problems({"frame": rows, "module": module})


@pytest.mark.parametrize(
    ("row", "where"),
    [
        ({"sigma": 4}, "frame 1, sigma"),
        ({"sigma": True}, "frame 1, sigma"),
        ({"sigma": None}, "frame 1, sigma"),
        ({"sigma": 2, "variable": "x"}, "frame 1, variable"),
        ({"variable": "sin"}, "frame 1, variable"),
        ({"mimic": {"ratio": 2}}, "frame 1, mimic"),
        ({"inertia": ["XX", "IA"]}, "frame 1, inertia"),
        ({"actuator": "all"}, "frame 1, actuator"),
        ({"limits": {"lower": "x"}}, "frame 1, limits lower"),
        ({"spring": {"rest": "("}}, "frame 1, spring rest"),
        ({"ratio": "("}, "frame 1, ratio"),
        ({"torque": "("}, "frame 1, torque"),
        ({"FX": "("}, "frame 1, FX"),
        ({"position": "L"}, "frame 1, position"),
        ({"active": 0}, "frame 1, active"),
    ],
)
def test_what_is_wrong_is_named_at_its_place(row: dict[str, Any], where: str) -> None:
    assert where in problems({"frame": [row]})


def test_problems_of_values() -> None:
    assert "values" in problems({"frame": [{}], "values": 3})
    found = problems({"frame": [{}], "values": {"sin": 1, "L": {"unit": 3}, "M": "x"}})
    assert found.keys() >= {"values, sin", "values, L", "values, L, unit", "values, M"}
