"""Our TOML format: exact round trips, defaults, and errors that name the field."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from par_files import FILES, par_file
from random_robots import random_robot

from robosym.expr import cos, number, parameter, parse, pi, sqrt, variable
from robosym.formats.toml import dumps, from_data, loads, read
from robosym.models import loop_geometry
from robosym.robot import FIXED, PRISMATIC, Frame, Joint, Robot, RobotError, RobotWarning, Value
from robosym.robot.angles import as_meant

DOCS = Path(__file__).resolve().parents[2] / "docs" / "formats.md"


@pytest.mark.slow
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 40),
    symbolic=st.booleans(),
    rich=st.booleans(),
)
@settings(deadline=None, max_examples=60)
def test_random_trees_round_trip(seed, n, symbolic, rich):
    robot = random_robot(np.random.default_rng(seed), n, symbolic, rich)
    assert loads(dumps(robot)) == robot


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**30), 10**30) | st.fractions()


@given(name=NAMES, about=NAMES, joint=NAMES, length=NUMBERS, value=st.floats(allow_nan=False, allow_infinity=False))
@settings(deadline=None, max_examples=150)
def test_any_text_and_any_number_round_trip(name, about, joint, length, value):
    frame = Frame(f"frame {name}", 0, Joint(joint, variable("q1")), d=number(length), b=parameter("B"))
    frame = Frame(**{**vars(frame), "theta": variable("q1") + number(length)})
    robot = Robot(name, (frame,), description=about, source=name, values={"B": Value(value, about, joint)})
    assert loads(dumps(robot)) == as_meant(robot)  # 6.283185307179586 is read as 2 pi


@pytest.mark.parametrize(
    "entry",
    [
        "2*L*cos(A)/(1 + B^2)",
        "-(L1 - L2)/3",
        "sqrt(L^2 + 2)*pi/7",
        "0.1*pi + 1e-300 - 12345678901234567890123/7",
        "atan2(A, -B)^3",
        "max(A, min(B, 3))",
        "select(A < B, A, 2*(A + B))",
        "L^-2 + 2^0.3 + L^0.5",
        "30 deg + deg(A)",
    ],
)
def test_expressions_round_trip(entry):
    robot = from_data({"name": "x", "frame": [{"d": entry, "theta": f"q1 + {entry}"}]})
    assert robot.frame(1).d is parse(entry)
    assert loads(dumps(robot)) == robot


def test_defaults():
    robot = loads('name = "x"\n[[frame]]\n[[frame]]\nsigma = 1\n[[frame]]\nsigma = "fixed"\nd = "L"\n')
    one, two, three = robot.frames
    assert robot.gravity == (number(0), number(0), parameter("G3"))
    assert (one.name, one.antecedent, one.joint, one.theta) == (
        "frame1",
        0,
        Joint("q1", variable("q1")),
        variable("q1"),
    )
    assert (two.sigma, two.antecedent, two.theta, two.r) == (PRISMATIC, 1, number(0), variable("q2"))
    assert (three.sigma, three.antecedent, three.joint) == (FIXED, 2, Joint("fixed3"))
    assert not any(entry for entry in one.link.inertial)
    assert robot.joint_names == ("q1", "q2")


def test_frames_by_name_limits_in_degrees_and_values():
    text = """
    name = "gripper"
    gravity = [0, 0, -9.81]
    base = {name = "palm", location = [1, 0, 0, 0.5,  0, 1, 0, 0,  0, 0, 1, 0,  0, 0, 0, 1]}
    [[frame]]
    name = "left"
    antecedent = "palm"
    limits = {lower = "-90 deg", upper = "pi/2", effort = 3, acceleration = 8, jerk = "100"}
    variable = "a"
    [[frame]]
    name = "right"
    antecedent = "palm"
    theta = "q2 + 30 deg"
    mimic = {frame = "left", ratio = -1}
    d = "W"
    [[frame]]
    name = "tip"
    antecedent = "left"
    sigma = "fixed"
    b = "sqrt(3)*cos(W)"
    [values]
    W = {value = 45, unit = "mm", source = "drawing 7"}
    """
    robot = loads(text)
    assert [frame.antecedent for frame in robot.frames] == [0, 0, 1]
    limits = robot.frame(1).joint.limits
    assert (limits.lower, limits.upper, limits.velocity, limits.effort) == (-np.pi / 2, np.pi / 2, None, 3.0)
    assert (limits.acceleration, limits.jerk) == (8.0, 100.0)
    assert loads(dumps(robot)).frame(1).joint.limits == limits
    assert robot.frame(2).joint.mimic.frame == 1
    assert robot.frame(2).theta is variable("q2") + pi / 6
    assert robot.frame(3).b is sqrt(3) * cos(parameter("W"))
    assert robot.values == {"W": Value(45.0, "mm", "drawing 7")}
    assert robot.base.location[3] is number(0.5)
    assert robot.joint_names == ("a",)


def test_frames_of_cut_joints_are_passive_unless_told():
    rows = [{}, {}, {"antecedent": 0, "d": "D3"}, {"antecedent": 2}, {"antecedent": 3, "sigma": 2, "d": "D5"}]
    robot = from_data({"name": "four-bar", "loops": 1, "frame": rows})
    assert [frame.joint.active for frame in robot.frames] == [True, True, True, False, False]
    assert loads(dumps(robot)) == robot


def test_a_position_is_a_number_of_a_moving_joint():
    robot = loads('name = "x"\n[[frame]]\nposition = "30 deg"\n[[frame]]\nsigma = 1\nposition = -0.1\n[[frame]]\n')
    assert [frame.joint.position for frame in robot.frames] == [math.radians(30), -0.1, None]
    assert "position = -0.1\n" in dumps(robot)
    assert loads(dumps(robot)) == robot


WRONG = {
    "alhpa = 1": ("frame 1, alhpa", "unknown key (did you mean 'alpha'?)"),
    "d = '2 +'": ("frame 1, d", "found the end at character 4 of '2 +'"),
    "d = '__import__(os)'": ("frame 1, d", "unknown function '__import__'"),
    "d = nan": ("frame 1, d", "a number must be finite, got nan"),
    "d = inf": ("frame 1, d", "a number must be finite, got inf"),
    "d = true": ("frame 1, d", "expected a number or an expression as text, got True"),
    "d = [1, 2]": ("frame 1, d", "expected a number or an expression as text, got a list of 2"),
    "d = 'NaN'": ("frame 1, d", "'NaN' is not a finite number, and no name of a symbol"),
    "variable = 'inf'": ("frame 1, variable", "expected a name of letters"),
    "d = 'sin'": ("frame 1, d", "'sin' is the name of a function or constant"),
    "d = 'L^99999999999'": ("frame 1, d", "an exponent is beyond"),
    "d = 1979-05-27": ("frame 1, d", "expected a number or an expression as text, got datetime.date"),
    "sigma = 'revolut'": ("frame 1, sigma", "expected 0 (revolute), 1 (prismatic), 2 (fixed), screw, ball"),
    "sigma = [1]": ("frame 1, sigma", "expected 0 (revolute)"),
    "antecedent = 'x'": ("frame 1, antecedent", "there is no frame 'x'"),
    "antecedent = 2": ("frame 1, antecedent", "expected a frame from 0 to 1, got 2"),
    "antecedent = 0.5": ("frame 1, antecedent", "expected a whole number, got 0.5"),
    "variable = 'a b'": ("frame 1, variable", "expected a name of letters"),
    "variable = ['a']": ("frame 1, variable", "expected a name of letters"),
    "variable = 'pi'": ("frame 1, variable", "expected a name of letters"),
    "theta = '2*q1'": ("frame 1, theta", "expected 'q1' plus a constant, got '2*q1'"),
    "name = 3": ("frame 1, name", "expected a text, got 3"),
    "active = 1": ("frame 1, active", "expected true or false, got 1"),
    "limits = {lower = 'a'}": ("frame 1, limits lower", "expected a number, got 'a'"),
    "limits = {low = 1}": ("frame 1, limits, low", "did you mean 'lower'?"),
    "limits = {acceleration = 0}": ("frame 1, limits acceleration", "expected a positive number, got 0"),
    "limits = {jerk = -2}": ("frame 1, limits jerk", "expected a positive number, got -2"),
    "limits = 3": ("frame 1, limits", "expected a table, got 3"),
    "limits = {lower = 2, upper = 1}": ("frame 1, limits", "lower 2.0 is above upper 1.0"),
    "position = 'x'": ("frame 1, position", "expected a number, got 'x'"),
    "position = [1]": ("frame 1, position", "expected a number or an expression as text, got a list of 1"),
    "position = nan": ("frame 1, position", "a number must be finite"),
    "sigma = 2\nposition = 1": ("frame 1, position", "a fixed frame has no position, got 1.0"),
    "mimic = {}": ("frame 1, mimic", "expected the frame whose joint is followed"),
    "inertia = 'full'": ("frame 1, inertia", 'expected "symbolic" or a list of XX, XY'),
    "inertia = [['XX']]": ("frame 1, inertia", 'expected "symbolic" or a list of XX, XY'),
    "[values]\nL = 'x'": ("values, L", "expected a number, got 'x'"),
    "[values]\nL = nan": ("values, L", "a number must be finite"),
    "[values]\n'a b' = 1": ("values, a b", "expected the name of a symbol"),
    "[values]\nL = {vale = 1}": ("values, L, vale", "did you mean 'value'?"),
    "[base]\nlocation = [1, 2]": ("base, location", "expected a list of 16 entries, got a list of 2"),
}


@pytest.mark.parametrize("line", WRONG)
def test_errors_name_file_field_value_and_expectation(line):
    where, message = WRONG[line]
    with pytest.raises(RobotError) as caught:
        loads(f'name = "x"\n[[frame]]\n{line}\n', "arm.toml")
    assert f"arm.toml: {where}: " in str(caught.value)
    assert message in str(caught.value)


def test_all_problems_of_a_file_are_reported_together():
    with pytest.raises(RobotError) as caught:
        loads(
            'nam = "x"\nloops = "a"\n[[frame]]\nd = "("\n[[frame]]\nr = "q1"\nantecedent = "y"\n[values]\nL = []\n', "f"
        )
    places = [problem.where for problem in caught.value.problems]
    assert sorted(places) == sorted(["nam", "loops", "frame 1, d", "frame 2, antecedent", "frame 2, r", "values, L"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('name = "x"\n[[frame]]\nd = = 2', "line 3, column 5"),
        ('name = "x', "bad TOML"),
        ("d = " + "[" * 100_000, "nested too deeply"),
        ("d = " + "9" * 10_000, "bad TOML"),
        ("frame = 3", "frame: expected [[frame]] tables, got 3"),
        ("frame = [3]", "frame 1: expected a table, got 3"),
        ("", "frames: expected at least one frame"),
    ],
)
def test_bad_toml(text, message):
    with pytest.raises(RobotError, match=re.escape(message)):
        loads(text, "bad.toml")


def test_unused_value_warns():
    with pytest.warns(RobotWarning, match="values, L: the robot has no such symbol"):
        loads('name = "x"\n[[frame]]\n[values]\nL = 1')


def test_par_files_convert_to_toml_and_back():
    from robosym.formats.par import read as read_par

    for name in FILES:
        robot = read_par(par_file(name))
        assert loads(dumps(robot)) == robot


def test_every_example_of_the_documentation_loads():
    examples = re.findall(r"```toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert examples
    for example in examples:
        robot = loads(example, "docs/formats.md")
        assert loads(dumps(robot)) == robot
        assert not robot.loops or loop_geometry(robot).mode == "q4+"


def test_a_byte_order_mark_and_windows_lines_are_read(tmp_path):
    path = tmp_path / "arm.toml"
    path.write_bytes(b"\xef\xbb\xbf[[frame]]\r\nd = 'L'\r\n")
    assert read(path).name == "arm"
