"""Platforms and their legs on the command line."""

from __future__ import annotations

import json

import pytest

from robosym.cli.platforms import platforms_as_list
from robosym.cli.show import motions, robot_as_dict, show_robot
from robosym.library import catalogue, load
from robosym.robot import Robot


def test_plain_data_says_which_joints_of_the_legs_are_driven() -> None:
    (platform,) = platforms_as_list(load("gough-stewart"))
    assert (platform["name"], platform["base"], len(platform["legs"])) == ("platform", "base", 6)
    assert platform["legs"][1] == {
        "name": "leg2",
        "frames": [6, 7, 8, 9, 10],
        "joints": "R R P*",
        "driven": ["leg2_length"],
        "end": 10,
        "seat": 33,
        "joint": "spherical",
    }


def test_facts_of_a_robot_hold_its_platforms() -> None:
    facts = json.loads(json.dumps(robot_as_dict(load("delta"))))
    assert [leg["joints"] for leg in facts["platforms"][0]["legs"]] == ["R* R R R R"] * 3
    roles = [frame["role"] for frame in facts["frames"]]
    assert (roles.count("platform"), roles.count("coordinate"), roles.count("passive")) == (1, 3, 12)
    assert robot_as_dict(load("rx90"))["platforms"] == []


def test_tables_show_the_legs(capsys: pytest.CaptureFixture[str]) -> None:
    show_robot(load("planar-3rrr"))
    shown = capsys.readouterr().out
    assert "parallel, 16 frames, 3 coordinates, 6 passive, 1 platform on 3 legs" in shown
    assert "legs of 'platform' (frame 13) on 'base'" in shown
    row = next(line for line in shown.splitlines() if line.split()[:1] == ["leg2"])
    assert row.split() == ["leg2", "R*", "R", "R", "leg2_motor", "8", "leg2_end", "rigid", "15", "leg2_seat"]


def test_a_leg_without_a_motor_and_a_module_on_a_module() -> None:
    leg = {"repeat": 2, "angle": "pi", "base": [1, 0, 0], "seat": [1, 0, 0], "frame": [{"active": True}, {"d": 1}]}
    idle = {**leg, "repeat": 1, "name": "idle", "frame": [{"sigma": "universal"}, {"sigma": "prismatic"}]}
    platforms = [{"name": "low"}, {"name": "high", "antecedent": "low"}]
    legs = [
        {**one, "platform": name, "name": name + str(i)}
        for name in ("low", "high")
        for i, one in enumerate((leg, idle))
    ]
    robot = Robot.from_table("two", [], platform=platforms, leg=legs)
    low, high = platforms_as_list(robot)
    assert (low["base"], high["base"]) == ("base", "low")
    assert [one["driven"] == [] for one in high["legs"]] == [False, False, True]
    assert [one["joints"] for one in high["legs"]] == ["R* R", "R* R", "R R P"]
    assert low["frame"] not in high["legs"][0]["frames"]
    assert motions(robot) == "4 coordinates, 10 passive, 2 platforms on 6 legs"


def test_the_catalogue_says_parallel() -> None:
    found = {row["name"]: (row["joints"], row["structure"]) for row in catalogue()}
    assert found["gough-stewart"] == (6, "parallel")
    assert found["delta"] == (3, "parallel")
