"""Friction, motors and couplings in a description: read, written, and refused where they are wrong."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from models.driven_robots import driven_robot, random_friction

from robosym.expr import number
from robosym.formats import toml
from robosym.formats.par_write import dumps as par_text
from robosym.formats.toml_write import dumps
from robosym.formats.urdf_write import dumps as urdf_text
from robosym.robot import Actuator, Coupling, Friction, Motor, MotorLimits, Robot, RobotError, RobotWarning

WRIST = """
name = "wrist"
gravity = [0, 0, -9.81]

[[frame]]
ratio = "N1"
Fv = 2
friction = {Fst = "FT1", B = 12, Fs_negative = 3.5, offset = -0.25, width = 0.01}
motor = {Jm = 2e-4, KT = 0.2, Ka = "KA", limits = {torque = 1.25, speed = "3000*2*pi/60", current = 8}}

[[frame]]
name = "pitch"
alpha = "pi/2"
[frame.friction]
points = [[0, 2], [0.1, "P2"], [1, 3]]
points_negative = [[0.5, 2]]
[frame.motor]
Jm = "JM"
axis = [0, "AY", 1]
link = "roll"

[[frame]]
name = "roll"
alpha = "-pi/2"

[[coupling]]
frames = ["pitch", 3]
matrix = [["1/40", "1/40"], ["1/60", "-1/60"]]

[values]
N1 = 101
FT1 = 5
KA = 2
P2 = 1
JM = 1e-4
AY = 2
"""


def test_a_file_says_all_of_it() -> None:
    robot = toml.loads(WRIST)
    first, pitch = robot.frame(1).actuator, robot.frame(2).actuator
    assert str(first.ratio) == "N1"
    assert [str(x) for x in (first.friction.Fst, first.friction.B, first.friction.offset)] == ["FT1", "12", "-0.25"]
    assert first.friction.Fv_negative is None
    assert first.motor.limits == MotorLimits(1.25, pytest.approx(100 * math.pi), 8)
    assert [[str(x) for x in pair] for pair in pitch.friction.points] == [["0", "2"], ["0.1", "P2"], ["1", "3"]]
    assert robot.couplings[0].frames == (2, 3)
    assert pitch.motor.axis is not None
    assert ([str(x) for x in pitch.motor.axis], pitch.motor.link) == (["0", "AY", "1"], 3)
    assert {"N1", "FT1", "KA", "P2", "JM"} <= {s.name for s in robot.parameter_symbols}
    assert toml.loads(dumps(robot)) == robot


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
def test_round_trip(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = driven_robot(rng, 7, symbolic=bool(seed % 2))
    frames = []
    for frame in robot.frames:
        if frame.sigma != 2:
            limits = MotorLimits(*(None if rng.random() < 0.5 else float(rng.uniform(1, 9)) for _ in range(3)))
            motor = Motor(frame.actuator.motor.Jm, frame.actuator.motor.KT, limits=limits)
            if rng.random() < 0.5:
                x, y, z = (number(float(x)) for x in rng.uniform(-1, 1, 3))
                motor = replace(motor, axis=(x, y, z), link=[None, 0, 3][rng.integers(3)])
            actuator = Actuator(ratio=frame.actuator.ratio, friction=random_friction(rng), motor=motor)
            frame = frame.__class__(**{**frame.__dict__, "actuator": actuator})
        frames.append(frame)
    used = robot.replace(frames=tuple(frames))
    names = {s.name for s in used.parameter_symbols}
    used = used.replace(values={name: value for name, value in robot.values.items() if name in names})
    assert toml.loads(dumps(used)) == used


def test_plain_robots_are_written_as_before() -> None:
    text = dumps(Robot.from_table("r", [{"Fv": 1, "ratio": 3}]))
    assert not any(word in text for word in ("friction", "motor", "coupling"))


def test_other_formats_say_what_they_cannot_hold() -> None:
    robot = toml.loads(WRIST)
    with pytest.warns(RobotWarning) as said:
        text = par_text(robot)
    words = " ".join(str(one.message) for one in said)
    for lost in ("friction other than Fv and Fs", "the rotor inertias Jm of motors", "couplings of motors"):
        assert lost in words
    assert "FV = {2,0,0}" in text
    with pytest.warns(RobotWarning) as said:
        urdf_text(robot)
    words = " ".join(str(one.message) for one in said)
    for lost in ("motors and their rotor inertias", "couplings of motors", "friction other than Fv and Fs"):
        assert lost in words


# --- refused -----------------------------------------------------------------------------------------------------------

TWO = [[1, 0], [0, 1]]
WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("width zero", {"friction": {"width": 0}}, "frame 1, friction width: expected a positive speed, got 0"),
    ("width negative", {"friction": {"width": -0.1}}, "frame 1, friction width: expected a positive speed, got -0.1"),
    ("width tiny", {"friction": {"width": 1e-310}}, "frame 1, friction width: expected a positive speed"),
    ("width nan", {"friction": {"width": math.nan}}, "frame 1, friction width: .*nan"),
    ("width text", {"friction": {"width": [1]}}, "frame 1, friction width: expected a number or an expression"),
    (
        "unknown",
        {"friction": {"Fvv_negative": 1}},
        "frame 1, friction, Fvv_negative: unknown key .did you mean 'Fv_neg",
    ),
    ("no table", {"friction": 3}, "frame 1, friction: expected a table"),
    ("Fst alone", {"friction": {"Fst": 1}}, "frame 1, friction B: expected a number or a symbol beside Fst"),
    ("B alone", {"friction": {"B": 1}}, "frame 1, friction Fst: expected a number or a symbol beside B"),
    (
        "B negative",
        {"friction": {"Fst": 1, "B": -2}},
        "frame 1, friction B: expected a number that is not negative, got -2",
    ),
    ("Fst_negative", {"friction": {"Fst_negative": 1}}, "frame 1, friction Fst: expected .* beside Fst_negative"),
    ("points empty", {"friction": {"points": []}}, r"frame 1, friction points: expected a list of \[speed, torque\]"),
    ("points shape", {"friction": {"points": [[1, 2, 3]]}}, "frame 1, friction points: expected a list"),
    ("points number", {"friction": {"points": 3}}, "frame 1, friction points: expected a list"),
    (
        "points order",
        {"friction": {"points": [[0, 1], [2, 1], [1, 1]]}},
        "frame 1, friction points: expected speeds from 0",
    ),
    ("points twice", {"friction": {"points": [[1, 1], [1, 2]]}}, "frame 1, friction points: expected speeds from 0"),
    ("points below", {"friction": {"points": [[-1, 1]]}}, "frame 1, friction points: expected speeds from 0"),
    ("points nan", {"friction": {"points": [[0, math.nan]]}}, "frame 1, friction points 1 torque: .*nan"),
    (
        "only negative",
        {"friction": {"points_negative": [[0, 1]]}},
        "frame 1, friction points: expected those of positive",
    ),
    ("inertia", {"motor": {"Jm": -1}}, "frame 1, motor Jm: expected an inertia that is not negative, got -1"),
    ("KT", {"motor": {"KT": 0}}, "frame 1, motor KT: expected a number other than 0"),
    ("Ka", {"motor": {"Ka": "0*2"}}, "frame 1, motor Ka: expected a number other than 0"),
    ("axis zero", {"motor": {"Jm": 1, "axis": [0, 0, 0]}}, "frame 1, motor axis: expected a direction, got 0, 0, 0"),
    (
        "axis by values",
        {"motor": {"Jm": 1, "axis": ["zero", 0, "2*zero"]}},
        "frame 1, motor axis: expected a direction",
    ),
    ("axis nan", {"motor": {"Jm": 1, "axis": [0, math.nan, 1]}}, "frame 1, motor axis 2: .*nan"),
    ("axis short", {"motor": {"Jm": 1, "axis": [0, 1]}}, "frame 1, motor axis: expected a list of 3 entries"),
    ("axis number", {"motor": {"Jm": 1, "axis": 3}}, "frame 1, motor axis: expected a list of 3 entries, got 3"),
    ("axis moves", {"motor": {"Jm": 1, "axis": [0, "q2", 1]}}, "frame 1, motor axis 2: expected a constant, got 'q2'"),
    (
        "axis alone",
        {"Ia": 1, "motor": {"axis": [0, 0, 1]}},
        "frame 1, motor Jm: expected the inertia of the rotor beside",
    ),
    ("link alone", {"motor": {"Jm": 1, "link": 0}}, "frame 1, motor axis: expected the direction of the rotor's axis"),
    (
        "link far",
        {"motor": {"Jm": 1, "axis": [0, 0, 1], "link": 3}},
        r"frame 1, motor link: expected the frame that carries the motor, from 0 \(the base\) to 2, got 3",
    ),
    (
        "link unknown",
        {"motor": {"Jm": 1, "axis": [0, 0, 1], "link": "elbow"}},
        "frame 1, motor link: there is no frame 'elbow'",
    ),
    ("link text", {"motor": {"Jm": 1, "axis": [0, 0, 1], "link": 1.5}}, "frame 1, motor link: expected a whole number"),
    ("limit", {"motor": {"limits": {"speed": -3}}}, "frame 1, motor limits speed: expected a positive number, got -3"),
    ("limit nan", {"motor": {"limits": {"speed": math.inf}}}, "frame 1, motor limits speed: .*inf"),
    ("limit key", {"motor": {"limits": {"velocity": 1}}}, "frame 1, motor limits, velocity: unknown key"),
    ("ratio", {"ratio": 0}, "frame 1, ratio: expected motor speed / joint speed, other than 0"),
]


@pytest.mark.parametrize(("row", "words"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG])
def test_each_field_is_named(row: dict[str, Any], words: str) -> None:
    with pytest.raises(RobotError, match=words) as error:
        Robot.from_table("r", [row, {"d": "zero"}], values={"zero": 0})
    assert len(error.value.problems) == 1


COUPLED: list[tuple[str, Any, str]] = [
    ("singular", {"frames": [1, 2], "matrix": [[1, 2], [2, 4]]}, "coupling 1, matrix: J is singular"),
    (
        "singular to rounding",
        {"frames": [1, 2], "matrix": [[0.1, 0.3], [0.2, 0.6]]},
        "coupling 1, matrix: J is singular",
    ),
    ("singular by values", {"frames": [1, 2], "matrix": [["c", 1], [4, 2]]}, "coupling 1, matrix: J is singular"),
    (
        "singular for all",
        {"frames": [1, 2], "matrix": [["x", "y"], ["2*x", "2*y"]]},
        "coupling 1, matrix: J is singular",
    ),
    ("zero row", {"frames": [1, 2], "matrix": [[0, 0], [1, 2]]}, "coupling 1, matrix: J is singular"),
    ("nan", {"frames": [1, 2], "matrix": [[math.nan, 2], [2, 4]]}, "coupling 1, matrix 1 1: .*nan"),
    ("shape", {"frames": [1, 2], "matrix": [[1, 2, 3], [4, 5, 7]]}, "coupling 1, matrix: expected 2 x 2 entries"),
    ("rows", {"frames": [1, 2], "matrix": [[1, 2]]}, "coupling 1, matrix: expected 2 x 2 entries, .* got 1 row"),
    ("flat", {"frames": [1, 2], "matrix": [1, 2, 3, 4]}, "coupling 1, matrix: expected 2 x 2 entries"),
    ("no matrix", {"frames": [1, 2], "matrix": 3}, "coupling 1, matrix: expected a list, got 3"),
    ("one", {"frames": [1], "matrix": [[1]]}, "coupling 1, frames: expected 2 to 10 frames"),
    ("twice", {"frames": [1, 1], "matrix": TWO}, "coupling 1, frames: frame 1 is named twice"),
    ("far", {"frames": [1, 9], "matrix": TWO}, "coupling 1, frames: expected frames from 1 to 6, got 9"),
    ("name", {"frames": [1, "elbow"], "matrix": TWO}, "coupling 1, frames: there is no frame 'elbow'"),
    ("fixed", {"frames": [1, 3], "matrix": TWO}, "coupling 1, frames: frame 3 has no joint that is a coordinate"),
    ("mimic", {"frames": [1, 4], "matrix": TWO}, "coupling 1, frames: frame 4 has no joint that is a coordinate"),
    ("passive", {"frames": [1, 6], "matrix": TWO}, "coupling 1, frames: frame 6 has no joint that is a coordinate"),
    ("ratio", {"frames": [1, 5], "matrix": TWO}, "frame 5, ratio: its joint is coupled"),
    ("key", {"frames": [1, 2], "matrix": TWO, "joints": []}, "coupling 1, joints: unknown key"),
    ("no table", 3, "coupling 1: expected a table"),
]


@pytest.mark.parametrize(("coupling", "words"), [case[1:] for case in COUPLED], ids=[case[0] for case in COUPLED])
def test_couplings_name_what_is_wrong(coupling: Any, words: str) -> None:
    rows = [{}, {}, {"sigma": "fixed"}, {"mimic": {"frame": 1}}, {"ratio": 3}, {"active": False}]
    with pytest.raises(RobotError, match=words):
        Robot.from_table("r", rows, coupling=[coupling], values={"c": 2})


def test_two_couplings_share_no_joint() -> None:
    coupling = {"frames": [1, 2], "matrix": TWO}
    with pytest.raises(RobotError, match="coupling 2, frames: frame 1 is named twice"):
        Robot.from_table("r", [{}, {}], coupling=[coupling, coupling])
    with pytest.raises(RobotError, match=r"coupling: expected \[\[coupling\]\] tables, got a table of 2"):
        Robot.from_table("r", [{}, {}], coupling=coupling)


def test_a_fixed_frame_has_no_drive() -> None:
    with pytest.raises(RobotError, match="frame 2: a fixed frame has neither friction nor a motor"):
        Robot.from_table("r", [{}, {"sigma": "fixed", "motor": {"KT": 1}}])


def test_a_coupling_on_frames_that_make_no_tree() -> None:
    with pytest.raises(RobotError, match="the antecedents form a cycle"):
        Robot.from_table("r", [{"antecedent": 2}, {}], coupling=[{"frames": [1, 2], "matrix": TWO}])


def test_parts_have_plain_defaults() -> None:
    assert Actuator() == Actuator(friction=Friction(), motor=Motor())
    assert Robot("r", ()).couplings == ()
    assert Coupling((1, 2), ()).frames == (1, 2)
