"""Every model that Pinocchio has too, on the built-in robots, on files and with a free base; ``conformance.py`` has the table."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from models.conformance import CASES, applies, check, frame_of
from models.pinocchio_states import URDF_FILES, Twin

import robosym
from robosym.library import robot_names
from robosym.models import MODELS
from robosym.robot import Robot

# Real files hold inertias no body can have; their readers' tests are elsewhere.
pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

BUILT_IN = [name for name in robot_names() if not robosym.load(name).loops]
FREED = ("solo12.urdf", "panda.urdf")
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


@cache
def of_file(path: Path, mimic: bool = True, floating: bool = False) -> Twin:
    robot: Robot = robosym.load(path, mimic=mimic, floating=floating)
    return Twin.of_urdf(path, robot)


def test_every_model_that_pinocchio_has_is_compared() -> None:
    """The others have tests of their own: they invert, factor or regroup, or have no counterpart."""
    compared = {name.partition(",")[0].partition(" ")[0] for name in CASES}
    others = {
        "geometric",  # several poses at once: test_geometric.py
        "jacobian-determinant",
        "jacobian-inverse",
        "inverse-kinematics-velocity",
        "expanded",
        "base-parameters",
    }
    assert compared | others == set(MODELS)
    assert not compared & others


@pytest.mark.parametrize("robot", BUILT_IN)
@pytest.mark.parametrize("name", CASES)
def test_built_in_robots(name: str, robot: str) -> None:
    twin = built_in(robot)
    if applies(CASES[name], name, twin.robot):
        check(CASES[name], twin, frame_of(twin, 0), 2)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(("mimic", "floating"), [(True, False), (False, False), (True, True)])
def test_a_small_file(tmp_path: Path, name: str, mimic: bool, floating: bool) -> None:
    path = tmp_path / "small.urdf"
    path.write_text(SMALL)
    twin = Twin.of_urdf(path, robosym.load(path, mimic=mimic, floating=floating))
    if applies(CASES[name], name, twin.robot):
        check(CASES[name], twin, frame_of(twin, 0), 3)


@pytest.mark.parametrize("file", URDF_FILES)
@pytest.mark.parametrize("name", CASES)
def test_real_files(shared: Path, name: str, file: str) -> None:
    """With the joints that follow others; those of ``panda.urdf`` once more on their own."""
    twin = of_file(shared / "data" / "urdf" / file)
    if applies(CASES[name], name, twin.robot):
        check(CASES[name], twin, frame_of(twin, 0), 1)


@pytest.mark.parametrize("name", CASES)
def test_a_real_file_with_every_joint_free(shared: Path, name: str) -> None:
    twin = of_file(shared / "data" / "urdf" / "panda.urdf", mimic=False)
    check(CASES[name], twin, frame_of(twin, 1), 4)


@pytest.mark.parametrize("file", FREED)
@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.free_base])
def test_real_files_on_a_free_base(shared: Path, name: str, file: str) -> None:
    twin = of_file(shared / "data" / "urdf" / file, floating=True)
    check(CASES[name], twin, frame_of(twin, 0), 5)
