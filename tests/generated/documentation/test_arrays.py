"""Arrays that many models have: positions, speeds, accelerations and torques of joints, bases and motors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from generated.cases import arm, bare_model, case_of, floating

import robosym
from robosym import models
from robosym.expr import number, parameter, variable
from robosym.generated.documentation.arrays import (
    COMMON,
    base_place,
    by_velocity,
    components,
    following,
    found_joints,
    kind_of_joints,
    torque_word,
    torques,
    wrenches,
)
from robosym.generated.documentation.case import Case
from robosym.generated.documentation.units import (
    ACCELERATION,
    FORCE,
    POSITION,
    SPEED,
    TWIST,
    moving,
    of_joints,
    place,
    six,
    wrench,
)
from robosym.models.derivatives.linearised import state_entries
from robosym.models.dynamic.transmission import amperes, amplifiers, of_drives, of_motors
from robosym.program.documentation import Entry
from robosym.robot import Robot
from robosym.robot.parts import Closure


@pytest.mark.parametrize(
    ("array", "kind", "what"),
    [
        ("q", POSITION, "positions"),
        ("qd", SPEED, "speeds"),
        ("qdd", ACCELERATION, "accelerations"),
        ("tau", FORCE, "torques and forces"),
    ],
)
def test_joints(array: str, kind: str, what: str) -> None:
    one = COMMON[array](case_of(array, (3,)))
    assert one.about == f"{what} of the joints"
    assert one.rows == of_joints(arm(), kind)
    without = COMMON[array](case_of(array, (3,), floating()))
    assert without == one  # the base is not in it
    loop = COMMON[array](case_of(array, (1,), robosym.load("four-bar")))
    assert "of the driven joints" in loop.about
    assert len(loop.rows) == 1


def test_a_free_base_comes_first() -> None:
    robot = floating()
    q = COMMON["q"](case_of("q", (10,), robot))
    assert q.about.startswith("pose of the free base, frame trunk in the world (x y z and a unit quaternion), then pos")
    assert q.rows == (*place("base "), *of_joints(robot, POSITION))
    qd = COMMON["qd"](case_of("qd", (9,), robot))
    assert qd.about.startswith("velocity of the free base, linear then angular, in the axes of its own frame at its")
    assert qd.rows == moving(robot, SPEED)
    assert COMMON["qdd"](case_of("qdd", (9,), robot)).about.startswith("rates of the velocities of the free base")
    classical = COMMON["qdd"](case_of("qdd", (9,), robot, kind="classical"))
    assert classical.about.startswith("classical acceleration (of the origin itself) of the free base")
    framed = COMMON["qdd"](case_of("qdd", (9,), robot, kind="classical", axes="world"))
    assert framed.about.startswith("rates of the velocities")
    tau = COMMON["tau"](case_of("tau", (9,), robot))
    assert tau.about.startswith(
        "force and moment on the free base, in the axes of its own frame at its origin, then torq"
    )
    assert tau.rows == (*wrench("base "), *of_joints(robot, FORCE))


def test_where_the_base_is() -> None:
    assert base_place(case_of()) == "frame base in the world"
    for location in ([[1, 0, 0, 2], [0, 1, 0, 0], [0, 0, 1, 0]], [[-1, 0, 0, 0], [0, -1, 0, 0], [0, 0, 1, 0]]):
        robot = arm(base={"location": [*location, [0, 0, 0, 1]]})
        assert base_place(case_of(robot=robot)) == "frame base in the frame that Z places in the world"


@pytest.mark.parametrize(
    ("sigmas", "word"), [((0, 0), "torques"), ((1, 1), "forces"), ((0, 1), "torques and forces"), ((0, 2), "torques")]
)
def test_torques_or_forces(sigmas: tuple[int, int], word: str) -> None:
    case = case_of(robot=Robot.from_table("x", [{"sigma": s} for s in sigmas]))
    assert torque_word(case) == word
    assert torques(case, "by").about == f"{word} by joints"


def test_entries_that_the_description_fixes() -> None:
    rows: list[dict[str, Any]] = [{"velocity": 0, "torque": "T"}, {"acceleration": "-1/2"}, {"sigma": 1, "torque": 3}]
    for base in ({}, {"floating": True}):
        robot = Robot.from_table("fixed", rows, base=base)
        size = robot.nv
        inputs = {"qd": (size,), "qdd": (size,), "tau": (size,)}
        found = {
            key: [one.name for one in COMMON[key](case_of(key, (size,), robot, inputs=inputs)).rows[-3:]]
            for key in inputs
        }
        assert found == {
            "qd": ["q1 (not read: 0 by the description)", "q2", "q3"],
            "qdd": ["q1", "q2 (not read: -1/2 by the description)", "q3"],
            "tau": ["q1", "q2", "q3 (not read: 3 by the description)"],  # T is a variable
        }
        assert [one.name for one in COMMON["qd"](case_of("qd", (size,), robot)).rows[-3:]] == ["q1", "q2", "q3"]


def test_wrenches_on_frames_and_matrices_by_speeds() -> None:
    case = Case(bare_model("m", arm(), optional={"wrench": ("foot", "tool0")}), "wrench", (2, 6))
    assert wrenches(case).about.endswith("each at the origin of the frame of its row, in its axes")
    assert wrenches(case).rows == (Entry("foot"), Entry("tool0"))
    assert wrenches(case).columns == wrench()
    matrix = by_velocity(case_of(), "a matrix", six(SPEED))
    assert (matrix.rows, matrix.columns) == (six(SPEED), of_joints(arm(), SPEED))
    assert by_velocity(case_of(), "", (), ACCELERATION).columns == of_joints(arm(), ACCELERATION)


def test_small_deviations_of_the_state() -> None:
    plain = state_entries(case_of(inputs={"q": (3,)}))
    assert [one.name for one in plain] == ["d hip", "d knee", "d slide", "d speed hip", "d speed knee", "d speed slide"]
    assert [one.unit for one in plain] == ["rad", "rad", "m", "rad/s", "rad/s", "m/s"]
    flexible = state_entries(case_of(inputs={"q_motor": (3,)}))
    assert [one.name for one in flexible[3:9]] == [
        "d motor of hip",
        "d motor of knee",
        "d motor of slide",
        *(one.name for one in plain[3:]),
    ]
    assert [one.unit for one in flexible[-3:]] == ["rad/s", "rad/s", "m/s"]
    assert len(flexible) == 12


def looped(size: int, array: str = "start", found: tuple[str, ...] = ("q3", "q2")) -> Case:
    closure = Closure("+", {}, {}, {}, {}, number(1), found=tuple(map(variable, found)))
    tree = bare_model("m", arm().replace(closure=closure))
    return Case(bare_model("m", arm(), of_tree=tree), array, (size,))


def test_joints_that_an_iteration_finds() -> None:
    assert found_joints(looped(2)) == (("slide", "m"), ("knee", "rad"))
    assert found_joints(looped(3)) == ()
    assert found_joints(looped(2, found=("q3", "zz"))) == ()
    assert found_joints(case_of("start", (2,))) == ()
    assert following(looped(2)).rows == (("slide", "m"), ("knee", "rad"))
    assert "where their iteration begins" in following(looped(2)).about
    assert following(looped(2, "passive")).about.endswith("as found")
    assert following(looped(3)).about.endswith("; rad of those that turn, m of those that slide")
    assert following(case_of("passive", (2,))).rows == ()


def test_motors_and_what_drives_them() -> None:
    robot = arm()
    geared = robot.replace(
        frames=tuple(replace(one, actuator=replace(one.actuator, ratio=parameter("N"))) for one in robot.frames)
    )
    assert of_drives(SPEED, "speeds")(case_of(robot=geared)).rows == of_motors(geared, SPEED)
    assert [one.unit for one in amperes(case_of()).rows] == ["A"] * 3
    assert [tuple(one) for one in amplifiers(case_of()).rows] == [("hip", ""), ("knee", ""), ("slide", "")]
    for name, kind in (("q_motor", POSITION), ("qd_motor", SPEED), ("qdd_motor", ACCELERATION)):
        assert COMMON[name](case_of()).rows == of_joints(robot, kind)
    assert COMMON["dt"](case_of()).unit == "s"
    assert COMMON["assembled"](case_of()).rows == ()


def test_components_that_are_requested() -> None:
    assert components(case_of()) == six(SPEED, TWIST)
    case = case_of(rows=("wz", "vx"))
    assert components(case, ACCELERATION) == (("wz", "rad/s2"), ("vx", "m/s2"))
    assert [one.name for one in COMMON["task_weights"](case).rows] == ["wz", "vx"]
    assert [one.name for one in COMMON["weights"](case).rows] == ["hip", "knee", "slide"]
    assert kind_of_joints(case) == "joints"


def test_the_axes_of_joints_with_several_are_said() -> None:
    rows = [{"sigma": "ball", "joint": "hip", "M": 1}, {"sigma": "planar", "joint": "puck"}, {"d": 1, "M": 1}]
    model = models.inverse_dynamics(Robot.from_table("axes", rows), wrench="none")
    for array in ("qd", "qdd", "tau"):
        words = model.documentation.words(array)
        assert "(hip in the axes that the joint moves; puck in the axes before the joint)" in words
    assert "axes" not in model.documentation.words("q")
    assert model.documentation.labels("q")[:4] == [f"hip q{x} (unit quaternion)" for x in "xyzw"]
