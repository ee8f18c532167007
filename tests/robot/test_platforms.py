"""Platforms of parallel robots: what is wrong with them and their legs, each at its place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from built_in import OPEN, PARALLEL
from robot.written_robots import made, planar, said, written_out

import robosym
from robosym.expr import number
from robosym.robot import Leg, Platform
from robosym.robot.platforms import platform_problems, without_platforms


def test_modules_written_out() -> None:
    robot = made(written_out())
    assert [(leg.end, leg.seat, leg.joint) for leg in robot.platforms[0].legs] == [
        (2, 6, "spherical"),
        (4, 7, "rigid"),
    ]
    assert robot.moving == (1, 3)


@pytest.mark.parametrize(
    ("change", "where", "message"),
    [
        (lambda d: d["module"][0].update(platform="left"), "module 1, platform", 'sigma is "free", got 6 (left)'),
        (lambda d: d["module"].clear(), "frame 5, sigma", "a free frame is a platform"),
        (lambda d: d["module"].append(d["module"][0]), "module 2, platform", "is the platform of module 1 already"),
        (lambda d: d["module"][0]["legs"].pop(), "module 1, legs", "expected two legs or more, got 1"),
        (
            lambda d: d["module"][0]["legs"][0].update(seat=2),
            "module 1, leg 1, seat",
            "fixed to the platform, frame 5 (hand)",
        ),
        (lambda d: d["module"][0]["legs"][0].update(end=6), "module 1, leg 1, end", "holds no platform"),
        (lambda d: d["module"][0]["legs"][0].update(end=77), "module 1, leg 1, end", "got 77, of 7 frames"),
        (
            lambda d: d["module"][0]["legs"][1].update(end=2),
            "module 1, leg 2, end",
            "is in module 1, leg 1 already",
        ),
        (lambda d: d["module"][0]["legs"][1].pop("end"), "module 1, leg 2, end", "expected a frame"),
        (
            lambda d: d["module"][0]["legs"][1].update(name="a"),
            "module 1, leg 2, name",
            "the name of module 1, leg 1",
        ),
        (
            lambda d: d["module"][0]["legs"][1].update(joint="universal"),
            "module 1, leg 2, joint",
            "expected spherical or rigid",
        ),
        (lambda d: d["module"][0]["legs"][1].update(foot=1), "module 1, leg 2, foot", "unknown key"),
        (lambda d: d["frame"][4].update(d=1), "frame 5", "expected gamma, b, alpha, d, theta and r to be 0"),
        (lambda d: d["frame"][4].update(Fv=1), "frame 5, actuator", "no actuator of its own"),
        (lambda d: d["frame"][4].update(position=1), "frame 5, position", "a platform has no position"),
        (lambda d: d["frame"][4].update(variable="x"), "frame 5, variable", "a platform has no variable"),
        (lambda d: d["frame"][4].update(spring={"stiffness": 1}), "frame 5, spring", "a platform has no spring"),
        (lambda d: d["frame"][4].update(antecedent=1), "frame 5, antecedent", "on the base or on another platform"),
        (lambda d: d["frame"][1].update(mimic=1), "frame 2, mimic", "it cannot follow another joint"),
        (lambda d: d["frame"][0].update(mimic="hand"), "frame 1, mimic", "frame 5 is a platform"),
        (
            lambda d: [row.update(active=False) for row in d["frame"][:4]],
            "frames",
            "at least one joint with a motor",
        ),
        (
            lambda d: [row.update(sigma="fixed") for row in d["frame"][:2]],
            "module 1, leg 1, end",
            "all of its frames are fixed",
        ),
    ],
)
def test_each_problem_is_named_at_its_place(change: Any, where: str, message: str) -> None:
    data = written_out()
    change(data)
    found = said(data)
    assert where in found, found
    assert message in found[where]


@pytest.mark.parametrize("name", PARALLEL)
def test_built_in_platforms_are_sound(name: str) -> None:
    assert list(platform_problems(robosym.load(name))) == []


def test_robots_without_platforms_have_no_problem() -> None:
    assert list(platform_problems(robosym.load(OPEN[0]))) == []


def test_a_module_on_a_module_is_sound_and_one_on_a_leg_is_not() -> None:
    robot = made(planar())
    (platform,) = robot.platforms
    assert list(platform_problems(robot)) == []
    frames = list(robot.frames)
    frames[platform.frame - 1] = replace(robot.frame(platform.frame), antecedent=2)
    (first, *_) = platform_problems(robot.replace(frames=tuple(frames)))
    assert first.where == f"frame {platform.frame}, antecedent"
    frames[platform.frame - 1] = replace(robot.frame(platform.frame), d=number(1))
    (only,) = platform_problems(robot.replace(frames=tuple(frames)))
    assert (only.where, "to be 0" in only.message) == (f"frame {platform.frame}", True)


@pytest.mark.parametrize(
    ("frame", "said_of"), [(0, "'base'"), (-1, "-1, of 7 frames"), (8, "8, of 7 frames"), (6, "6 (left)")]
)
def test_what_is_no_platform_is_shown(frame: int, said_of: str) -> None:
    robot = made(written_out())
    wrong = robot.replace(platforms=(Platform(frame, robot.platforms[0].legs),))
    messages = [problem.message for problem in platform_problems(wrong) if problem.where == "module 1, platform"]
    assert len(messages) == 1
    assert messages[0].endswith(f"got {said_of}")


@pytest.mark.parametrize(
    ("leg", "place"),
    [
        (Leg("b", 0, 7), "end"),
        (Leg("b", 8, 7), "end"),
        (Leg("b", 5, 7), "end"),
        (Leg("b", 4, 0), "seat"),
        (Leg("b", 4, 8), "seat"),
        (Leg("b", 4, 4), "seat"),
        (Leg("b", 4, 7, "ball"), "joint"),
    ],
)
def test_legs_that_are_none(leg: Leg, place: str) -> None:
    robot = made(written_out())
    wrong = robot.replace(platforms=(Platform(5, (robot.platforms[0].legs[0], leg)),))
    assert f"module 1, leg 2, {place}" in [problem.where for problem in platform_problems(wrong)]
    sound = robot.replace(
        platforms=(Platform(5, (robot.platforms[0].legs[0], Leg("b", 4, 5))),)
    )  # a seat may be the platform
    assert list(platform_problems(sound)) == []


def test_a_file_of_another_format_has_no_place() -> None:
    assert without_platforms("a .par file").startswith("a .par file has no place")
