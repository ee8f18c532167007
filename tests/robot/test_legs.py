"""Platforms and legs as they are written: the frames they become, and what is wrong with them."""

from __future__ import annotations

import contextlib
import copy
import math
import random
from typing import Any

import numpy as np
import pytest
from parallel_robots import closed, error, frames, pose, shift, turn
from robot.written_robots import BARS, made, planar, said, written_out

from robosym.formats import toml
from robosym.robot import FIXED, FREE, PRISMATIC, REVOLUTE, Robot, RobotError
from robosym.robot.table import from_data


def by_name(robot: Robot, at: dict[str, float], free: dict[int, np.ndarray]) -> dict[str, np.ndarray]:
    return {robot.frame(j).name: T for j, T in frames(robot, at, free).items() if j}


class TestFrames:
    def test_legs_come_one_after_the_other_then_the_platform_then_its_seats(self) -> None:
        robot = made(planar())
        assert [frame.name for frame in robot.frames] == [
            *(f"leg{k}_{row}" for k in (1, 2, 3) for row in ("base", "crank", "rod", "end")),
            "platform",
            *(f"leg{k}_seat" for k in (1, 2, 3)),
        ]
        assert robot.structure == "parallel"
        assert robot.joint_names == ("leg1_motor", "leg2_motor", "leg3_motor")
        (platform,) = robot.platforms
        assert robot.frame(platform.frame).sigma == FREE
        assert [(leg.name, leg.end, leg.seat, leg.joint) for leg in platform.legs] == [
            ("leg1", 4, 14, "rigid"),
            ("leg2", 8, 15, "rigid"),
            ("leg3", 12, 16, "rigid"),
        ]

    def test_joints_of_legs_are_passive_unless_they_say_otherwise(self) -> None:
        robot = made(planar())
        driven = [frame.name for frame in robot.frames if frame.joint.variable is not None and frame.joint.active]
        assert driven == ["leg1_crank", "leg2_crank", "leg3_crank"]

    def test_legs_alike_share_their_parameters(self) -> None:
        robot = made(planar())
        assert {s.name for s in robot.parameter_symbols} == {"G3", "L1", "L2", "M1", "MP", "MR", "RB", "RP", "ZZ1"}

    def test_legs_that_are_not_alike_have_parameters_of_their_own_with_the_values_of_the_one_written(self) -> None:
        data = planar(alike=False) | {"values": {"MR": 2.0, "MR_2": 3.0, "M1": 4.0, "L1": 1.0}}
        robot = made(data)
        names = {s.name for s in robot.parameter_symbols}
        assert names == {"G3", "L1", "L2", "MP", "RB", "RP"} | {
            f"{p}_{k}" for p in ("M1", "MR", "ZZ1") for k in (1, 2, 3)
        }
        values = {name: value.number for name, value in robot.values.items()}
        assert values == {"L1": 1.0, "MR_1": 2.0, "MR_2": 3.0, "MR_3": 2.0, "M1_1": 4.0, "M1_2": 4.0, "M1_3": 4.0}

    def test_a_platform_has_the_suffix_p_and_several_have_numbers(self) -> None:
        data = planar()
        data["platform"] = {"inertia": "symbolic", "name": "hand"}
        robot = made(data)
        assert str(robot.frame(robot.number("hand")).link.XX) == "XXP"

    def test_points_are_turned_with_the_legs(self) -> None:
        """Whatever the point, exactly at Rz(phi) (x, y, z), with the axes of the turned frame."""
        for point in ([0.3, 0, 0.1], [0.3, -0.2, 0.1], [0, 0, 0], [0, 0.4, 0]):
            robot = made(planar(base=point, seat=point, joint="revolute"))
            at = by_name(robot, {}, {robot.platforms[0].frame: np.eye(4)})
            for k in range(3):
                expected = turn(2, 2 * math.pi * k / 3) @ shift(*point)
                assert at[f"leg{k + 1}_seat"] == pytest.approx(expected, abs=1e-15)
                assert at[f"leg{k + 1}_crank"] == pytest.approx(expected, abs=1e-15)

    def test_a_point_of_a_spherical_seat_is_one_frame(self) -> None:
        robot = made(planar(seat=[1, 2, 3], joint="spherical"))
        assert sum("seat" in frame.name for frame in robot.frames) == 3
        at = by_name(robot, {}, {robot.platforms[0].frame: np.eye(4)})
        assert at["leg1_seat"][:3, 3] == pytest.approx([1, 2, 3], abs=1e-15)

    def test_angles_and_lengths_stay_exact(self) -> None:
        robot = made(planar(base=["X", "Y", "Z"]))
        frame = robot.frame(robot.number("leg3_base_point"))
        assert [str(x) for x in frame.geometry] == ["4*pi/3", "Z", "-pi/2", "X", "0", "Y"]

    def test_each_leg_may_have_its_own_place(self) -> None:
        places = [[1, 0, 0], {"gamma": "pi/2", "d": 2}, [0, 0, 3]]
        robot = made(planar(angle=0, base=places, seat=places))
        at = by_name(robot, {}, {robot.platforms[0].frame: np.eye(4)})
        found = [at[f"leg{k}_crank"][:3, 3] for k in (1, 2, 3)]
        assert found == [pytest.approx(p, abs=1e-15) for p in ([1, 0, 0], [0, 2, 0], [0, 0, 3])]

    def test_positions_are_for_all_legs_or_one_each(self) -> None:
        data = planar()
        data["leg"][0]["frame"][0]["position"] = 0.5
        data["leg"][0]["frame"][1]["position"] = [0.1, "20 deg", 0.3]
        robot = made(data)
        assert [robot.frame(j).joint.position for j in robot.moving] == [0.5] * 3
        rods = [robot.frame(robot.number(f"leg{k}_rod")).joint.position for k in (1, 2, 3)]
        assert rods == [0.1, pytest.approx(math.radians(20)), 0.3]

    def test_a_row_calls_its_variable_q_or_what_it_says(self) -> None:
        data = planar()
        data["leg"][0]["frame"][0] |= {"theta": "q + pi/2"}
        data["leg"][0]["frame"][1] |= {"theta": "bend - 1", "variable": "bend"}
        robot = made(data)
        crank, rod = robot.frame(robot.number("leg2_crank")), robot.frame(robot.number("leg2_rod"))
        assert str(crank.theta) == "q6 + pi/2"
        assert str(rod.theta) == "leg2_bend - 1"

    def test_rows_may_branch_and_name_the_end(self) -> None:
        rows = [*copy.deepcopy(BARS), {"name": "weight", "antecedent": "crank", "sigma": "fixed", "M": "MW"}]
        robot = made(planar(frame=rows, end="end"))
        assert robot.frame(robot.number("leg2_weight")).antecedent == robot.number("leg2_crank")
        assert [robot.frame(leg.end).name for leg in robot.platforms[0].legs] == ["leg1_end", "leg2_end", "leg3_end"]

    def test_a_motor_may_be_carried_by_another_row_of_its_leg(self) -> None:
        data = planar()
        data["leg"][0]["frame"][1] |= {"active": True, "motor": {"Jm": "JM", "axis": [0, 0, 1], "link": 0}}
        robot = made(data)
        stators = [robot.frame(robot.number(f"leg{k}_rod")).actuator.motor.link for k in (1, 2, 3)]
        assert stators == [robot.number(f"leg{k}_base") for k in (1, 2, 3)]

    def test_unnamed_legs_are_counted_through_all_tables(self) -> None:
        data = planar(repeat=2)
        data["leg"].append({**data["leg"][0], "repeat": 1, "base": [1, 1, 0]})
        assert [leg.name for leg in made(data).platforms[0].legs] == ["leg1", "leg2", "leg3"]
        data["leg"][1] = {**data["leg"][1], "name": "arm"}
        assert [leg.name for leg in made(data).platforms[0].legs] == ["leg1", "leg2", "arm"]

    def test_symbols_of_rows_are_counted_through_all_tables(self) -> None:
        data = planar(repeat=2)
        data["leg"].append({**copy.deepcopy(data["leg"][0]), "name": "other"})
        names = {s.name for s in made(data).parameter_symbols}
        assert {"ZZ1", "ZZ4"} <= names

    def test_frames_may_stand_on_the_platform(self) -> None:
        data = planar() | {"frame": [{"name": "spindle"}, {"name": "tool", "sigma": "fixed", "r": 0.1}]}
        robot = made(data)
        assert robot.frame(robot.number("spindle")).antecedent == robot.platforms[0].frame
        assert robot.frame(robot.number("tool")).antecedent == robot.number("spindle")
        assert robot.joint_names[-1] == f"q{robot.number('spindle')}"

    def test_modules_may_stand_on_platforms(self) -> None:
        data = planar(platform="lower", name="a")
        data["platform"] = [{"name": "lower", "M": "ML"}, {"name": "upper", "antecedent": "lower", "inertia": ["M"]}]
        data["leg"].append({**data["leg"][0], "platform": "upper", "name": "b"})
        robot = made(data)
        low, high = robot.platforms
        assert robot.frame(high.frame).antecedent == low.frame
        assert {robot.frame(robot.path(leg.end)[1]).name for leg in high.legs} == {"b1_base", "b2_base", "b3_base"}
        assert str(robot.frame(high.frame).link.M) == "MP2"
        assert toml.loads(toml.dumps(robot)) == robot


class TestJoints:
    """Joints of several axes: through one point, and what they let through."""

    @pytest.mark.parametrize("kind", ["universal", "spherical"])
    @pytest.mark.parametrize("place", [{}, {"gamma": 0.3, "b": 0.1, "alpha": 0.4, "d": 0.2, "r": 0.5}])
    def test_a_row_becomes_revolute_rows_through_one_point(self, kind: str, place: dict[str, float]) -> None:
        data = planar()
        data["leg"][0]["frame"][1] = {"name": "ball", "sigma": kind, "M": "MB", "joint": "hinge", **place}
        robot = made(data)
        own = [f for f in robot.frames if f.name.startswith("leg2_ball") and f.sigma != FIXED]
        assert [f.sigma for f in own] == [REVOLUTE] * (2 if kind == "universal" else 3)
        assert [str(f.link.M) for f in own] == ["0"] * (len(own) - 1) + ["MB"]
        assert own[-1].name == "leg2_ball"
        assert own[-1].joint.name == "leg2_hinge"
        assert len({f.joint.name for f in own}) == len(own)
        variables = [f.joint.variable.name for f in own]
        draw = random.Random(1)
        free = {robot.platforms[0].frame: np.eye(4)}
        zero = by_name(robot, {}, free)
        step = [turn(2, place.get("gamma", 0)), shift(z=place.get("b", 0)), turn(0, place.get("alpha", 0))]
        step += [shift(x=place.get("d", 0), z=place.get("r", 0))]
        expected = zero["leg2_crank"] @ np.linalg.multi_dot([*step, np.eye(4)])
        for at in ({}, *({v: draw.uniform(-3, 3) for v in variables} for _ in range(5))):
            found = by_name(robot, at, free)["leg2_ball"]
            assert found[:3, 3] == pytest.approx(expected[:3, 3], abs=1e-14)
            if kind == "universal":
                t1, t2 = (at.get(v, 0.0) for v in variables)
                turned = turn(2, t1) @ turn(0, math.pi / 2) @ turn(2, t2)
                assert found == pytest.approx(expected @ turned, abs=1e-14)
            else:  # about x, then y, then z: nothing at zero, and not in line there
                x, y, z = (at.get(v, 0.0) for v in variables)
                assert found == pytest.approx(expected @ turn(0, x) @ turn(1, y) @ turn(2, z), abs=1e-14)

    def test_positions_of_several_axes(self) -> None:
        data = planar(repeat=2)
        data["leg"][0]["frame"][1] = {"name": "ball", "sigma": "universal", "position": [1, 2]}
        data["leg"][0]["frame"][2] |= {"sigma": "universal", "position": [[3, 4], [5, 6]]}
        robot = made(data)
        found = [f.joint.position for f in robot.frames if f.joint.position is not None]
        assert found == [1, 2, 3, 4, 1, 2, 5, 6]

    @pytest.mark.parametrize(
        ("joint", "sigmas"),
        [("revolute", [REVOLUTE]), ("prismatic", [PRISMATIC]), ("universal", [REVOLUTE, REVOLUTE]), ("rigid", [])],
    )
    def test_a_joint_with_the_platform_is_a_passive_one_before_a_rigid_seat(
        self, joint: str, sigmas: list[int]
    ) -> None:
        robot = made(planar(joint=joint))
        more = [f for f in robot.frames if f.name.startswith("leg2_joint")]
        assert [f.sigma for f in more] == sigmas
        assert not any(f.joint.active for f in more)
        assert all(f.link == robot.frames[0].link for f in more)
        leg = robot.platforms[0].legs[1]
        assert leg.joint == "rigid"
        assert robot.frame(leg.end).name == ("leg2_joint" if sigmas else "leg2_end")

    def test_legs_with_joints_of_several_axes_reach_any_pose(self) -> None:
        """A universal row, a motor along the leg, and a spherical row before a rigid seat."""
        rows: list[dict[str, Any]] = [
            {"name": "foot", "sigma": "universal", "alpha": "pi/2", "position": ["pi/2", "pi/2"]},
            {"name": "slide", "sigma": "prismatic", "alpha": "pi/2", "active": True, "position": 1},
            {"name": "ball", "sigma": "spherical"},
        ]
        robot = made(planar(frame=rows, joint="rigid", base=[0.5, 0.1, 0], seat=[0.2, -0.1, 0]))
        draw = random.Random(4)
        for _ in range(5):
            p = (draw.uniform(-0.2, 0.2), draw.uniform(-0.2, 0.2), 1 + draw.uniform(-0.2, 0.2))
            x, y, z = (draw.uniform(-0.3, 0.3) for _ in range(3))
            free = {robot.platforms[0].frame: pose(p, (x, y, z))}
            at = closed(robot, free)
            assert max(np.abs(error(robot, leg, at, free)).max() for leg in robot.platforms[0].legs) < 1e-10


def test_every_frame_written_out_is_the_same_robot() -> None:
    robot = made(
        planar(alike=False, base=["X", "Y", "Z"], joint="universal") | {"frame": [{"name": "tool", "sigma": "fixed"}]}
    )
    text = toml.dumps(robot)
    assert toml.loads(text) == robot
    assert "[[module]]" in text
    assert 'sigma = "free"' in text


class TestProblems:
    @pytest.mark.parametrize(
        ("leg", "where", "message"),
        [
            ({"repeat": 0}, "leg 1, repeat", "expected a whole number from 1 to 1000, got 0"),
            ({"repeat": 2.0}, "leg 1, repeat", "got 2.0"),
            ({"repeat": True}, "leg 1, repeat", "got True"),
            ({"angle": "2*pi/"}, "leg 1, angle", ""),
            ({"base": [1, 2]}, "leg 1, base", "expected [x, y, z]"),
            ({"base": [[0, 0, 0]] * 2}, "leg 1, base", "as many as there are legs, 3, got 2"),
            ({"base": [0, "1+", 0]}, "leg 1, base 2", ""),
            ({"seat": {"phi": 1}}, "leg 1, seat, phi", "unknown key"),
            ({"seat": "there"}, "leg 1, seat", "got 'there'"),
            (
                {"joint": "ball"},
                "leg 1, joint",
                "expected spherical, universal, revolute, prismatic or rigid, got 'ball'",
            ),
            ({"alike": "no"}, "leg 1, alike", "expected true or false"),
            ({"frame": []}, "leg 1, frame", "expected [[leg.frame]] tables"),
            ({"end": "tip"}, "leg 1, end", "expected a row of this leg"),
            ({"platform": "other"}, "leg 1, platform", "expected the platform it carries: platform; got 'other'"),
            ({"feet": 2}, "leg 1, feet", "unknown key"),
            ({"repeat": 1, "angle": 0}, "module 1, legs", "expected two legs or more, got 1"),
        ],
    )
    def test_of_a_leg(self, leg: dict[str, Any], where: str, message: str) -> None:
        found = said(planar(**leg))
        assert where in found
        assert message in found[where]

    @pytest.mark.parametrize(
        ("row", "where", "message"),
        [
            ({"sigma": "ball"}, "leg 1, frame 1, sigma", '"universal" or "spherical", got \'ball\''),
            ({"alfa": 1}, "leg 1, frame 1, alfa", "did you mean 'alpha'?"),
            ({"alpha": "q"}, "leg 1, frame 1, alpha", "expected a constant"),
            ({"antecedent": 9}, "leg 1, frame 1, antecedent", "expected a row of this leg"),
            ({"mimic": 1}, "leg 1, frame 1, mimic", "a joint of a leg follows the platform"),
            ({"position": [1, 2]}, "leg 1, frame 1, position", "expected a number, or a list of 3 of them"),
            ({"sigma": "universal"}, "leg 1, frame 1, active", "a universal joint is passive"),
            ({"sigma": "universal", "theta": 1}, "leg 1, frame 1, theta", "belongs to one axis"),
            ({"M": "1/0"}, "leg 1, frame 1, M", ""),
            ({"active": False}, "frames", "expected at least one joint with a motor"),
        ],
    )
    def test_of_a_row_is_said_once_for_all_legs(self, row: dict[str, Any], where: str, message: str) -> None:
        data = planar()
        data["leg"][0]["frame"][0] |= row
        with pytest.raises(RobotError) as caught:
            made(data)
        found = [problem for problem in caught.value.problems if problem.where == where]
        assert len(found) == 1, str(caught.value)
        assert message in found[0].message

    def test_of_platforms(self) -> None:
        assert "expected a [platform] table" in said({"name": "x", "leg": planar()["leg"]})["platform"]
        data = planar() | {"platform": {"mass": 1}}
        assert "unknown key" in said(data)["platform, mass"]
        data = planar() | {"platform": [{"name": "a"}, {}]}
        assert said(data).keys() >= {"platform 2, name", "leg 1, platform"}
        data = planar() | {"platform": {"antecedent": "leg1_crank"}}
        assert "a module stands on the base or on another platform" in said(data)["platform, antecedent"]
        data = planar() | {"module": []}
        assert "either" in said(data)["module"]

    def test_a_missing_seat(self) -> None:
        data = planar()
        del data["leg"][0]["seat"]
        assert "expected where the leg is joined" in said(data)["leg 1, seat"]

    def test_all_at_once(self) -> None:
        data = planar(joint="ball", repeat=-1)
        data["leg"][0]["frame"][1]["d"] = "L1 +"
        assert said(data).keys() >= {"leg 1, joint", "leg 1, repeat", "leg 1, frame 2, d"}


ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    3,
    2.5,
    "",
    "q",
    "leg1_crank",
    "platform",
    "1/0",
    [],
    [1],
    [[]],
    [[1, 2, 3]],
    {},
    {"M": 1},
    {1: 2},
)


def mutated(data: Any, draw: random.Random) -> Any:
    """A copy with one thing in it replaced, taken out or doubled."""
    data = copy.deepcopy(data)
    here: Any = data
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        if not keys:
            return data
        key = draw.choice(keys)
        if isinstance(here[key], (dict, list)) and here[key] and draw.random() < 0.8:
            here = here[key]
            continue
        if draw.random() < 0.1:
            del here[key]
        elif isinstance(here, list) and draw.random() < 0.1:
            here.append(copy.deepcopy(here[key]))
        else:
            here[key] = draw.choice(ODD)
        return data


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["legs", "written out"])
@pytest.mark.filterwarnings("ignore")
def test_whatever_is_written_is_a_robot_that_round_trips_or_an_error(kind: str) -> None:
    draw = random.Random(8)
    data = written_out()
    if kind == "legs":
        data = planar(alike=False) | {"frame": [{"name": "tool"}], "values": {"MR": 1.0}}
        data["leg"].append(
            {**copy.deepcopy(data["leg"][0]), "name": "other", "base": {"gamma": 1}, "joint": "universal"}
        )
        data["leg"][1]["frame"][1] = {"sigma": "spherical", "d": 1, "joint": "ball", "position": [1, 2, 3]}
        data["leg"][1]["frame"][0]["motor"] = {"Jm": 1, "axis": [0, 0, 1], "link": "end"}
    made(data)
    robots = 0
    for _ in range(150):
        try:
            robot = from_data(mutated(mutated(data, draw), draw), "x.toml")
        except RobotError:
            continue
        robots += 1
        assert toml.loads(toml.dumps(robot)) == robot
        with contextlib.suppress(RobotError):
            robot.closed_loops()
    assert robots
