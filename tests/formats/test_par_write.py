"""``.par`` files written: all that the format holds is read back, and what it cannot hold is named."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_robots import random_robot
from sweeps import many

from robosym.expr import number, parameter, variable
from robosym.formats.par import loads
from robosym.formats.par_write import dumps
from robosym.library import load
from robosym.models import inverse_dynamics
from robosym.robot import Base, Link, Robot, RobotError, RobotWarning, Value


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 40), symbolic=st.booleans())
@settings(deadline=None, max_examples=many(20))
def test_random_trees_round_trip(seed, n, symbolic):
    robot = random_robot(np.random.default_rng(seed), n, symbolic)
    again = loads(dumps(robot))
    assert again.replace(par_type=None) == robot
    assert loads(dumps(again)) == again


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 12))
@settings(deadline=None, max_examples=40)
@pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
def test_what_the_format_holds_of_rich_robots_is_kept(seed, n):
    robot = random_robot(np.random.default_rng(seed), n, symbolic=True, rich=True)
    again = loads(dumps(robot))
    assert again.base.location == robot.base.location
    assert (again.base.mobile, again.base.acceleration) == (robot.base.mobile, robot.base.acceleration)
    for old, new in zip(robot.frames, again.frames, strict=True):
        assert (new.geometry, new.antecedent, new.sigma) == (old.geometry, old.antecedent, old.sigma)
        assert new.link == old.link
        assert (new.joint.variable, new.joint.active) == (old.joint.variable, old.joint.active)
        assert (new.joint.velocity, new.joint.acceleration) == (old.joint.velocity, old.joint.acceleration)
        assert (new.actuator.Ia, new.actuator.Fv) == (old.actuator.Ia, old.actuator.Fv)
    third = loads(dumps(again))
    assert third == again


def test_a_variable_that_is_not_obvious_is_kept():
    robot = Robot.from_table("x", [{"variable": "phi", "theta": "phi + psi", "d": "psi"}, {"theta": "q2 + q7"}])
    again = loads(dumps(robot))
    assert [frame.joint.variable for frame in again.frames] == [variable("phi"), variable("q2")]
    assert again.frame(2).theta is variable("q2") + parameter("q7")


def test_positions_stay_in_comments():
    robot = Robot.from_table("x", [{"position": 0.1}, {}, {"position": -2.5e-7}])
    text = dumps(robot)
    assert "(* Position 3 = -2.5e-07 *)" in text
    assert [frame.joint.position for frame in loads(text).frames] == [0.1, None, -2.5e-7]
    assert loads(text.replace("Position 1 = 0.1", "Position 1 = 60 deg")).frame(1).joint.position == np.radians(60)
    wrong = {
        "Position 1 = x": "frame 1, position: expected a number, got 'x'",
        "Position 9 = 0.1": "Position 9: there is no frame 9: expected one from 1 to 3",
        "Position 3 = 0.1": "frame 3, position: is given twice",
    }
    for entry, message in wrong.items():
        with pytest.raises(RobotError, match=message):
            loads(text.replace("Position 1 = 0.1", entry))


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["bennett", "four-bar", "palletizer", "slider-crank", "sr400"])
def test_robots_with_loops_keep_their_torques(name):
    robot = load(name)
    again = loads(dumps(robot))
    assert again.par_type == 2
    q = np.full((3, robot.nv), 0.7)
    expected, found = (inverse_dynamics(one).evaluate(q=q[0], qd=q[1], qdd=q[2]) for one in (robot, again))
    if isinstance(expected, dict):
        expected, found = expected["tau"], found["tau"]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_values_stay_in_comments():
    robot = Robot.from_table(
        "x", [{"d": "D1"}], values={"D1": {"value": 0.1, "unit": "m", "source": "page 3"}, "G3": -9.81}
    )
    assert loads(dumps(robot)).values == robot.values


def test_losing_a_dependent_joint_a_free_base_or_a_spring_warns():
    robot = Robot.from_table("x", [{}, {"mimic": 1}])
    with pytest.warns(RobotWarning, match="dependent joints: q2 become free"):
        dumps(robot)
    with pytest.warns(RobotWarning, match="floating base"):
        dumps(Robot.from_table("x", [{}], base={"floating": True}))
    with pytest.warns(RobotWarning, match="springs"):
        dumps(Robot.from_table("x", [{"spring": {"stiffness": 3}}]))


# --- the text ---------------------------------------------------------------------------------------------------------


def lines_of(robot: Robot) -> dict[str, str]:
    """The fields of the text, as written."""
    pairs = (line.split(" = ") for line in dumps(robot).splitlines() if " = " in line and not line.startswith("(*"))
    return dict(pairs)


def test_a_robot_field_by_field() -> None:
    """The file of a robot with a revolute, a prismatic and a fixed joint, as SYMORO writes it."""
    rows = [
        {"joint": "q1", "alpha": "pi/2", "d": "D1", "M": "M1", "Ia": 2, "Fs": "FS1"},
        {"sigma": "prismatic", "theta": "pi/2", "antecedent": 0, "active": False, "XX": 1.5, "YY": 2, "ZZ": 2},
        {"sigma": "fixed", "r": -0.25, "gamma": "G", "b": "-B"},
    ]
    robot = Robot.from_table("small", rows, gravity=[0, "g", -9.81])
    expected = {
        "NL": "3",
        "NJ": "3",
        "NF": "3",
        "Type": "1",
        "is_mobile": "0",
        "ant": "{0,0,2}",
        "sigma": "{0,1,2}",
        "gamma": "{0,0,G}",
        "b": "{0,0,-B}",
        "alpha": "{pi/2,0,0}",
        "d": "{D1,0,0}",
        "theta": "{q1,pi/2,0}",
        "r": "{0,q2,-0.25}",
        "mu": "{1,0,1}",
        "XX": "{0,1.5,0}",
        "M": "{M1,0,0}",
        "IA": "{2,0,0}",
        "FS": "{FS1,0,0}",
        "FX": "{0,0,0}",
        "QP": "{QP1,QP2,0}",
        "GAM": "{GAM1,GAM2,0}",
        "W0": "{0,0,0}",
        "G": "{0,g,-9.81}",
        "Z": "{1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1}",
    }
    found = lines_of(robot)
    assert {key: found[key] for key in expected} == expected


def test_links_of_cut_joints_are_listed_only_where_they_have_something() -> None:
    robot = load("four-bar")
    assert lines_of(robot)["M"].count(",") == robot.n_links - 1
    cut = replace(robot.frame(4), actuator=replace(robot.frame(4).actuator, Fv=number(2)))
    changed = robot.replace(frames=(*robot.frames[:3], cut, robot.frame(5)))
    found = lines_of(changed)
    assert found["FV"].endswith(",2,0}")
    assert found["FS"].count(",") == robot.n_links - 1
    again = loads(dumps(changed))
    assert again.frame(4).actuator == cut.actuator


def test_the_type_is_that_of_the_file_it_was_read_from() -> None:
    robot = Robot.from_table("x", [{}])
    assert lines_of(robot)["Type"] == "0"
    assert lines_of(robot.replace(par_type=2))["Type"] == "2"
    assert lines_of(Robot.from_table("x", [{}, {"antecedent": 0}]))["Type"] == "1"


HOSTILE = ("it's *) (* here", "a\nNL = 9", "«Ω» 2 μm", "(*", "'", "*)*)", " ")


@pytest.mark.parametrize("word", HOSTILE)
def test_no_name_ends_a_comment(word: str) -> None:
    """The robot is the same, and its texts are but for the signs that end a comment or a quotation."""
    robot = Robot.from_table(
        word,
        [{"d": "D1", "name": word}],
        values={"D1": {"value": 0.1, "unit": word, "source": word}, "G3": {"value": -9.81}},
    )
    again = loads(dumps(robot))
    assert again.frame(1).geometry == robot.frame(1).geometry
    assert again.name == word.replace("*)", "* )")
    kept = word.replace("'", "’").replace("*)", "* )")
    assert again.values == {"D1": Value(0.1, kept, kept), "G3": Value(-9.81)}


@pytest.mark.parametrize("amount", [5e-324, -1.7976931348623157e308, 0.1, 1 / 3, 123456789012345680.0, -0.0])
def test_numbers_keep_every_digit(amount: float) -> None:
    robot = Robot.from_table("x", [{"d": "D1", "position": amount}], values={"D1": amount})
    again = loads(dumps(robot))
    assert (again.values["D1"].number, again.frame(1).joint.position) == (amount, amount)


# --- what the format cannot hold --------------------------------------------------------------------------------------

LOST = {
    "a floating base": lambda robot: robot.replace(base=Base(floating=True)),
    "the inertia of the base": lambda robot: robot.replace(base=Base(link=Link(M=number(1)))),
    "springs": lambda _: Robot.from_table("x", [{"spring": {"stiffness": 3}}]),
    "flexible joints": lambda _: Robot.from_table("x", [{"Ia": 1, "flexibility": {"stiffness": 3}}]),
    "friction other than Fv and Fs": lambda _: Robot.from_table("x", [{"friction": {"offset": 1}}]),
    "the rotor inertias Jm of motors (refer them to the joints as Ia)": lambda _: Robot.from_table(
        "x", [{"motor": {"Jm": 1}}]
    ),
    "the friction of motors": lambda _: Robot.from_table("x", [{"motor": {"Fs": 1}}]),
}


@pytest.mark.parametrize("what", LOST)
def test_what_changes_the_model_is_named(what: str) -> None:
    robot = LOST[what](Robot.from_table("x", [{}]))
    with pytest.warns(RobotWarning) as caught:
        dumps(robot)
    assert [str(one.message) for one in caught] == [f"x: a .par file cannot hold {what}"]


def test_many_dependent_joints_are_named_in_short() -> None:
    rows = [{}, *({"mimic": 1} for _ in range(10))]
    with pytest.warns(RobotWarning, match="dependent joints: q2, q3, q4, q5, q6, q7, q8, q9 become free$"):
        text = dumps(Robot.from_table("x", rows))
    assert loads(text).nv == 11


def test_robots_that_no_file_can_hold() -> None:
    with pytest.raises(
        RobotError, match=r"rock: frames: a \.par file has at least one frame, and this robot is its base alone"
    ):
        dumps(Robot("rock", ()))
    with pytest.raises(RobotError, match=r"delta: module: a \.par file has no place for a platform on legs"):
        dumps(load("delta"))
