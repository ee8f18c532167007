"""Angles written in decimals: exact where they are the nearest double, or near where a person says so."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import robosym
from robosym import models
from robosym.expr import number, pi
from robosym.formats import toml
from robosym.options.errors import ArgumentError
from robosym.robot import Robot
from robosym.robot.angles import as_meant, meant, near_angles


@pytest.mark.parametrize("k", range(-24, 25))
def test_the_nearest_double_is_the_multiple(k: int) -> None:
    turns = Fraction(k, 12)
    exact = float(turns * Fraction(31415926535897932384626433832795028841972, 10**40))
    assert meant(exact) == turns
    if k:
        for other in (math.nextafter(exact, math.inf), math.nextafter(exact, -math.inf)):
            assert meant(other) is None
            assert meant(other, 1e-14) == turns


@pytest.mark.parametrize("angle", [0.1, 1.5708, 1e-300, 1e300, math.inf, math.nan, 13 * math.pi])
def test_others_are_their_own(angle: float) -> None:
    assert meant(angle) is None


def arm(alpha: object, theta: object = "q3") -> Robot:
    return Robot.from_table("arm", [{}, {"alpha": alpha}, {"d": 0.3, "theta": theta}])


@pytest.mark.parametrize("alpha", [math.pi / 2, "1.5707963267948966", "pi/2"])
def test_in_tables(alpha: object) -> None:
    assert arm(alpha).frames[1].alpha is pi / 2
    assert toml.loads(toml.dumps(arm(alpha))) == arm("pi/2")


def test_beside_the_variable_of_a_joint() -> None:
    assert arm(0, "q3 + 1.5707963267948966").frames[2].theta is arm(0, "q3 + pi/2").frames[2].theta


def test_in_par_files(tmp_path: Path) -> None:
    path = tmp_path / "arm.par"
    robosym.save(arm("pi/2"), path)
    text = path.read_text()
    assert "Pi/2" in text or "pi/2" in text
    path.write_text(text.replace("Pi/2", "1.5707963267948966").replace("pi/2", "1.5707963267948966"))
    assert robosym.load(path).frames[1].alpha is pi / 2


def test_near_ones_are_taken_on_request(tmp_path: Path) -> None:
    path = tmp_path / "arm.toml"
    path.write_text(toml.dumps(arm(1.5708, "q3 + 0.785398")))
    plain, snapped = robosym.load(path), robosym.load(path, snap=1e-5)
    assert plain.frames[1].alpha is number(1.5708)
    assert (snapped.frames[1].alpha, snapped.frames[2].theta) == (pi / 2, arm(0, "q3 + pi/4").frames[2].theta)
    assert robosym.load(path, snap=1e-7).frames[1].alpha is number(1.5708)
    assert [(one.where, one.turns) for one in near_angles(plain)] == [
        ("frame 2, alpha", Fraction(1, 2)),
        ("frame 3, theta", Fraction(1, 4)),
    ]
    assert not near_angles(snapped)
    T = [models.geometric(one).evaluate(q=[0.3, -0.2, 0.5]) for one in (plain, snapped)]
    assert 0 < np.abs(np.asarray(T[0]) - np.asarray(T[1])).max() < 1e-5


def test_operations_of_a_rounded_urdf(tmp_path: Path) -> None:
    """Eleven digits, as many files have them."""
    path = tmp_path / "arm.urdf"
    text = """<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/><origin xyz="0.1 0.2 0.3"/>
    <inertia ixx="1" iyy="2" izz="2.5" ixy="0.1" ixz="0.2" iyz="0.3"/></inertial></link><link name="c"><inertial><mass value="2"/>
    <origin xyz="0.3 0.2 0.1"/><inertia ixx="1" iyy="2" izz="2.5" ixy="0.1" ixz="0.2" iyz="0.3"/></inertial></link>
    <joint name="one" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
    <joint name="two" type="continuous"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/>
    <origin xyz="0.5 0 0" rpy="1.57079632679 0 0"/></joint></robot>"""
    path.write_text(text)
    rough, clean = (models.inverse_dynamics(robosym.load(path, snap=snap)) for snap in (None, 1e-9))
    assert clean.operations.total < rough.operations.total
    state = {"q": [0.1, 0.2], "qd": [1.0, -1.0], "qdd": [0.5, 0.7]}
    assert np.allclose(rough.evaluate(**state), clean.evaluate(**state), rtol=1e-9)


@pytest.mark.parametrize("snap", [-1e-9, 0.1, math.nan, "1e-9", True])
def test_what_is_no_tolerance_is_refused(snap: object) -> None:
    with pytest.raises(ArgumentError, match="snap: got"):
        robosym.load("rx90", snap=snap)


def test_nothing_changes_where_nothing_is_near() -> None:
    robot = robosym.load("rx90")
    assert as_meant(robot, 1e-3) is robot


def test_in_mjcf_files(tmp_path: Path) -> None:
    path = tmp_path / "arm.xml"
    path.write_text("""<mujoco><compiler angle="radian"/><worldbody>
    <body name="a"><joint axis="0 0 1"/><inertial mass="1" pos="0.1 0 0" diaginertia="0.1 0.2 0.2"/>
    <body name="b" pos="0.3 0 0" euler="1.5708 0 0"><joint axis="0 0 1"/>
    <inertial mass="1" pos="0.1 0.2 0" diaginertia="0.1 0.2 0.2"/></body></body></worldbody></mujoco>""")
    assert near_angles(robosym.load(path))
    assert not near_angles(robosym.load(path, snap=1e-4))
