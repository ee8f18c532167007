"""Numbers and angles as URDF has them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from robosym.expr import variable
from robosym.formats.urdf_write import UNLIMITED, Writer, _free_name, _kind, _limits, roll_pitch_yaw, short, spaced
from robosym.robot import Limits, Robot


def test_angles_come_back() -> None:
    rng = np.random.default_rng(0)
    rotations = [
        *Rotation.random(40, rng),
        *Rotation.from_euler("xyz", [[0.3, math.pi / 2, 0.2], [1, -math.pi / 2, 2]]),
    ]
    rotations += [Rotation.from_euler("xyz", [0.3, math.pi / 2 - 1e-9, 0.2]), Rotation.identity()]
    for R in rotations:
        T = np.eye(4)
        T[:3, :3] = R.as_matrix()
        np.testing.assert_allclose(Rotation.from_euler("xyz", roll_pitch_yaw(T)).as_matrix(), T[:3, :3], atol=1e-9)
    angles = (0.3, -0.7, 1.1)
    T[:3, :3] = Rotation.from_euler("xyz", angles).as_matrix()
    np.testing.assert_allclose(roll_pitch_yaw(T), angles, atol=1e-12)


def test_numbers_are_short_and_exact() -> None:
    for value, text in (
        (2.0, "2"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (-3.5, "-3.5"),
        (1e15, "1000000000000000.0"),
        (-7e14, "-700000000000000"),
    ):
        assert short(value) == text
    rng = np.random.default_rng(1)
    for value in rng.normal(size=20) * 10.0 ** rng.integers(-12, 12, 20):
        assert float(short(float(value))) == value
    assert spaced(np.array([1.0, -0.5, 0.0])) == "1 -0.5 0"
    assert _free_name("a", ["a", "a_"]) == "a__"


def test_limits() -> None:
    some = Limits(-1.0, None, 2.0, None)
    wide = short(UNLIMITED)
    assert _limits(some, "revolute") == {"lower": "-1", "upper": wide, "effort": wide, "velocity": "2"}
    assert _limits(Limits(), "prismatic") == {"lower": f"-{wide}", "upper": wide, "effort": wide, "velocity": wide}
    assert _limits(Limits(), "continuous") == {}
    assert _limits(Limits(None, None, None, 3.0), "continuous") == {"effort": "3", "velocity": wide}
    more = _limits(replace(Limits(), jerk=5.0), "continuous")
    assert more["jerk"] == "5"
    assert "acceleration" not in more


def test_kinds() -> None:
    robot = Robot.from_table(
        "x",
        [
            {"joint": "a"},
            {"joint": "b", "limits": {"upper": 1.0}},
            {"joint": "c", "sigma": "prismatic"},
            {"joint": "d", "sigma": "fixed"},
            {"joint": "e", "sigma": "planar"},
            {"joint": "f", "sigma": "floating"},
        ],
    )
    kinds = ["continuous", "revolute", "prismatic", "fixed", "planar", "floating"]
    assert [_kind(frame) for frame in robot.frames] == kinds


def test_the_sign_of_a_joint_and_what_is_no_joint() -> None:
    q = variable("q1")
    plain = Robot.from_table("x", [{"joint": "a", "theta": "q1", "d": 0.5, "gamma": 0.2}])
    frame = plain.frame(1)
    for theta, slope, problems in ((q + 0.3, 1.0, 0), (0.3 - q, -1.0, 0), (2 * q, 1.0, 1), (q * q, 1.0, 1)):
        changed = replace(frame, theta=theta)
        writer = Writer(plain.replace(frames=(changed,)))
        row, found = writer.row_and_slope(1, changed)
        assert (found, len(writer.problems)) == (slope, problems)
        assert row.d == 0.5
        assert row.theta == pytest.approx(0.3 if problems == 0 else 0.0)
