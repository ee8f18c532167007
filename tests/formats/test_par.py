"""``.par`` files: the samples load field by field, everything written is read back, broken files say what is wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from par_files import FILES, par_file
from random_robots import random_robot

import robosym
from robosym.errors import RobosymError
from robosym.expr import cos, number, parameter, pi, sin, variable
from robosym.formats.par import dumps, loads, read
from robosym.robot import FIXED, INERTIA, PRISMATIC, RobotError

SMALL = """(* Robotname = 'small' *)
NL = 2
NJ = 2
NF = 2
ant = {0,1}
sigma = {0,1}
theta = {th1,0}
r = {0,r2}
"""


def test_rx90_field_by_field():
    robot = read(par_file("RX90"))
    assert (robot.name, robot.par_type, robot.loops, robot.n_links) == ("RX90", 0, 0, 6)
    assert robot.joint_names == ("th1", "th2", "th3", "th4", "th5", "th6")
    assert [frame.alpha for frame in robot.frames] == [number(0), pi / 2, number(0), -pi / 2, pi / 2, -pi / 2]
    assert (robot.frame(3).d, robot.frame(4).r) == (parameter("D3"), parameter("RL4"))
    assert robot.frame(5).theta is variable("th5")
    assert robot.frame(2).link.inertial == tuple(parameter(f"{name}2") for name in INERTIA)
    assert robot.frame(6).actuator.Fs is parameter("FS6")
    assert robot.frame(6).link.wrench == tuple(variable(f"{name}6") for name in ("FX", "FY", "FZ", "CX", "CY", "CZ"))
    assert not any(robot.frame(5).link.wrench)
    assert robot.frame(1).joint.velocity is None
    assert robot.gravity == (number(0), number(0), parameter("G3"))


def test_sr400_is_a_closed_loop():
    robot = read(par_file("SR400"))
    assert (robot.structure, robot.loops, robot.n_links, len(robot.frames)) == ("closed", 1, 8, 10)
    assert [frame.joint.active for frame in robot.frames] == [bool(x) for x in (1, 1, 0, 1, 1, 1, 1, 0, 0, 0)]
    assert (robot.frame(10).sigma, robot.frame(10).antecedent, robot.frame(9).antecedent) == (FIXED, 3, 8)
    assert robot.frame(10).gamma is pi / 2
    assert not any(robot.frame(9).link.inertial)
    assert robot.frame(8).d is -parameter("d8")


def test_stanford_without_dynamics_gets_the_default_symbols():
    robot = read(par_file("Stanford"))
    assert robot.frame(3).sigma == PRISMATIC
    assert (robot.frame(3).r, robot.frame(2).r) == (variable("r3"), parameter("RL2"))
    assert robot.frame(3).link.inertial == tuple(parameter(f"{name}3") for name in INERTIA)
    assert robot.frame(3).actuator.Ia is parameter("IA3")
    assert not any(robot.frame(6).link.wrench)
    assert robot.gravity[2] is parameter("G3")


@pytest.mark.parametrize("name", FILES)
def test_samples_round_trip(name):
    robot = read(par_file(name))
    assert loads(dumps(robot)) == robot


def test_entries_may_be_expressions():
    robot = read(par_file("palletizer-apart"))
    e, be = parameter("e"), parameter("be")
    assert (robot.structure, robot.loops, robot.joint_names) == ("closed", 2, ("th1", "th2", "th3", "th5"))
    assert (robot.frame(6).b, robot.frame(6).d) == (e * sin(be), e * cos(be))
    assert [robot.frame(j).gamma for j in (8, 11, 12)] == [be + pi / 2, be + pi / 2, be]
    together = read(par_file("palletizer-together"))  # a fixed frame on a fixed frame
    assert (together.frame(12).antecedent, together.frame(11).sigma, together.frame(12).d) == (11, FIXED, number(0))


def test_customised_joints_keep_numeric_zeros():
    robot = loads(SMALL + "QP = {0,QP2}\nQDP = {QDP1,2*a}\nGAM = {0,0}\n")
    first, second = (frame.joint for frame in robot.frames)
    assert (first.velocity, first.acceleration, first.torque) == (number(0), None, number(0))
    assert (second.velocity, second.acceleration, second.torque) == (None, 2 * variable("a"), number(0))
    assert loads(dumps(robot)) == robot


def test_older_spelling_comments_lines_and_offsets():
    text = """(* File of 1997 *) (* Robotname = 'it's old' *)
    NF = 2; NL = 2
    """
    with pytest.raises(RobotError, match="line 2: expected 'name"):
        loads(text)
    robot = loads(
        "(* Robotname = 'it's old' *)\r\nNF = 2 (* frames *)\r\nAnt = {0,\r\n  (* second *) 1};\r\nSigma = {0,1}\r\n"
        "Theta = {th1 + Pi/2, atan2(A, B)}\r\nR = {0,-L + r2}\r\n"
    )
    assert (robot.name, robot.n_links) == ("it's old", 2)
    assert robot.frame(1).theta is variable("th1") + pi / 2
    assert robot.frame(2).r is variable("r2") - parameter("L")


WRONG = {
    "missing list": (SMALL.replace("sigma = {0,1}\n", ""), "sigma: missing: expected a list"),
    "short list": (
        SMALL.replace("ant = {0,1}", "ant = {0}"),
        "line 5, ant: expected 2 entries, one for each frame, got 1",
    ),
    "long list": (SMALL + "XX = {1,2,3}\n", "line 9, XX: expected 2 entries, one for each link, got 3"),
    "gravity": (SMALL + "G = {0,0}\n", "line 9, G: expected 3 entries, got 2"),
    "antecedent": (
        SMALL.replace("{0,1}\nsigma", "{0,x}\nsigma"),
        "frame 2, ant (line 5): expected a frame from 0 to 2, got 'x'",
    ),
    "cycle": (SMALL.replace("{0,1}\nsigma", "{2,1}\nsigma"), "frame 1, antecedent: the antecedents form a cycle"),
    "sigma": (
        SMALL.replace("sigma = {0,1}", "sigma = {0,5}"),
        "frame 2, sigma (line 6): expected 0 or 1 or 2, got '5'",
    ),
    "expression": (SMALL + "d = {0,2*}\n", "frame 2, d (line 9): expected a number, a name or '(', found the end"),
    "no variable": (
        SMALL.replace("{th1,0}", "{0,0}"),
        "frame 1, theta (line 7): expected the joint's variable (such as th1)",
    ),
    "counts": (SMALL.replace("NJ = 2", "NJ = 3"), "NL, NJ, NF: expected 0 < NL <= NJ <= NF"),
    "no twin": (SMALL.replace("NL = 2", "NL = 1"), "each cut joint k needs its twin frame k + B"),
    "not a number": (SMALL.replace("NL = 2", "NL = two"), "line 2, NL: expected a whole number, got 'two'"),
    "list for a number": (SMALL.replace("NL = 2", "NL = {2}"), "line 2, NL: expected a number"),
    "number for a list": (SMALL.replace("ant = {0,1}", "ant = 0"), "line 5, ant: expected a list {entry, ...}"),
    "unknown": (SMALL + "XQ = {1,2}\n", "line 9, XQ: unknown field"),
    "twice": (SMALL + "ant = {0,1}\n", "line 9, ant: given already on line 5"),
    "junk": (SMALL + "hello there\n", "line 9: expected 'name = {entry, ...}', got 'hello there'"),
    "unclosed list": (SMALL + "d = {0,\n", "line 9: expected 'name = {entry, ...}', got 'd = {0,'"),
    "unclosed comment": (SMALL + "(* no end\n", "line 9: the comment that begins here is not closed: expected '*)'"),
    "mu": (SMALL + "mu = {1,2}\n", "frame 2, mu (line 9): expected 0 or 1, got '2'"),
    "Type": (SMALL + "Type = 7\n", "Type: expected 0 (serial), 1 (tree) or 2 (closed loops), got 7"),
    "empty": ("", "NL, NJ, NF: expected 0 < NL"),
}


@pytest.mark.parametrize("case", WRONG)
def test_errors_name_file_line_field_and_expectation(case):
    text, message = WRONG[case]
    with pytest.raises(RobotError) as caught:
        loads(text, "small.par")
    assert message in str(caught.value)
    assert all(line.startswith("small.par: ") for line in str(caught.value).splitlines())


def test_counts_that_disagree_are_one_problem():
    with pytest.raises(RobotError) as caught:
        loads(SMALL.replace("NF = 2", "NF = 4").replace("NL = 2", "NL = 1"))
    assert [p.where for p in caught.value.problems] == ["NL, NJ, NF"]


def test_several_problems_at_once():
    with pytest.raises(RobotError) as caught:
        loads(SMALL + "d = {0,(}\nb = {)*,1}\nmu = {1,9}\n")
    assert [p.where for p in caught.value.problems] == [
        "frame 1, b (line 10)",
        "frame 2, d (line 9)",
        "frame 2, mu (line 11)",
    ]


@pytest.mark.parametrize("seed", range(5))
def test_latin_1_in_comments_is_read(tmp_path: Path, seed: int) -> None:
    """Programs of the time wrote comments in Latin-1; anywhere else such a byte is an error that says where."""
    rng = np.random.default_rng(seed)
    text = dumps(random_robot(rng, 3, symbolic=True))
    letters = "".join(rng.choice(list("éèàçüößñ°²"), size=4))
    path = tmp_path / "robot.par"
    path.write_bytes(f"(* {letters} *)\n{text}".encode("latin-1"))
    assert read(path).frames == loads(text).frames
    assert robosym.load(path).frames == robosym.loads(path.read_bytes(), "par").frames == loads(text).frames
    path.write_bytes(text.replace("Robotname = '", f"Robotname = '{letters}", 1).encode("latin-1"))
    assert read(path).name.startswith(letters)
    path.write_bytes(text.replace("ant =", "ant\xe9 =", 1).encode("latin-1"))
    with pytest.raises(RobosymError, match="expected text in UTF-8, found 0xe9"):
        read(path)
