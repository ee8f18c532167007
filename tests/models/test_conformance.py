"""Every model that Pinocchio has too, on the built-in robots and on a small file; ``conformance.py`` has the table."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from built_in import OPEN
from models.conformance import CASES, KINEMATICS, applies, check, frame_of
from models.pinocchio_states import Twin
from robots_with import OF_SOME
from sweeps import crossed

import robosym
from robosym.models import MODELS

# A joint of every kind, about axes that are not the z axis, one that follows another, and links without a joint between.
SMALL = """<?xml version="1.0"?>
<robot name="small">
  <link name="base"/>
  <link name="arm"><inertial><origin xyz="0.1 0 0.2" rpy="0.3 0 0"/><mass value="2"/>
    <inertia ixx="0.1" ixy="0.01" ixz="0" iyy="0.2" iyz="0" izz="0.15"/></inertial></link>
  <link name="slide"><inertial><origin xyz="0 0.1 0"/><mass value="1.5"/>
    <inertia ixx="0.03" ixy="0" ixz="0.002" iyy="0.02" iyz="0" izz="0.025"/></inertial></link>
  <link name="tool"><inertial><origin xyz="0 0 0.05"/><mass value="0.5"/>
    <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/></inertial></link>
  <link name="finger"><inertial><origin xyz="0.02 0 0"/><mass value="0.2"/>
    <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.002"/></inertial></link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/>
    <origin xyz="0 0.1 0.2" rpy="0.1 1.57079632679 0"/><axis xyz="0 1 0"/></joint>
  <joint name="extend" type="prismatic"><parent link="arm"/><child link="slide"/>
    <origin xyz="0.3 0 0" rpy="0 0 0.4"/><axis xyz="0.6 0 0.8"/><limit lower="-2" upper="2" effort="9" velocity="9"/></joint>
  <joint name="hold" type="fixed"><parent link="slide"/><child link="tool"/><origin xyz="0 0 0.1" rpy="0.2 0 0"/></joint>
  <joint name="grip" type="revolute"><parent link="tool"/><child link="finger"/>
    <origin xyz="0 0.05 0"/><axis xyz="1 0 0"/><limit lower="-2" upper="2" effort="9" velocity="9"/>
    <mimic joint="turn" multiplier="-1.5" offset="0.25"/></joint>
</robot>
"""


@cache
def built_in(name: str) -> Twin:
    return Twin.of_robot(robosym.load(name))


def test_every_model_that_pinocchio_has_is_compared() -> None:
    """The others have tests of their own: they invert, factor or regroup, or have no counterpart."""
    compared = {name.partition(",")[0].partition(" ")[0] for name in CASES}
    others = {
        "geometric",  # several poses at once: geometry/test_poses.py
        "jacobian-determinant",
        "jacobian-inverse",
        "inverse-kinematics-velocity",
        "expanded",
        "base-parameters",
        "regressor",  # regressors/test_regressor.py, with Pinocchio's columns
        "inverse-dynamics-derivatives",  # derivatives/, with Pinocchio's
        "forward-dynamics-derivatives",
        "passive-regressor",  # regressors/test_passive.py
        "motor-torques",  # dynamic/inverse/test_motor_torques.py, with Pinocchio's armature
        "transmission",
        "inverse-geometric",  # a judge of its own: inverse_geometry/
        "linearised",  # derivatives/
        "discrete",
        "step",
        *OF_SOME,  # loops/, dynamic/free/
    }
    assert compared | others == set(MODELS)
    assert not compared & others


@pytest.mark.mostly_slow(fast=6)
@pytest.mark.parametrize(("name", "robot"), crossed(CASES, OPEN, every=3))
def test_built_in_robots(name: str, robot: str) -> None:
    """Robots that differ in their inertias alone move alike: of those one is enough where masses do not count."""
    if name in KINEMATICS and robot.endswith("-symmetric"):
        return
    twin = built_in(robot)
    if applies(CASES[name], name, twin.robot):
        check(CASES[name], twin, frame_of(twin, 0), 2)


@pytest.mark.mostly_slow(fast=6)
@pytest.mark.parametrize(
    ("name", "how"), crossed(CASES, [(True, False), (False, False), (True, True)], every=2), ids=str
)
def test_a_small_file(tmp_path: Path, name: str, how: tuple[bool, bool]) -> None:
    mimic, floating = how
    path = tmp_path / "small.urdf"
    path.write_text(SMALL)
    twin = Twin.of_urdf(path, robosym.load(path, mimic=mimic, floating=floating))
    if applies(CASES[name], name, twin.robot):
        check(CASES[name], twin, frame_of(twin, 0), 3)
