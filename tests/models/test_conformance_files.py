"""Every model that Pinocchio has too, on real files, also with a free base; ``conformance.py`` has the table."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from models.conformance import CASES, applies, check, frame_of
from models.pinocchio_states import URDF_FILES, Twin
from sweeps import crossed

import robosym
from robosym.robot import Robot

# Real files hold inertias no body can have; their readers' tests are elsewhere.
pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

FREED = ("solo12.urdf", "panda.urdf", "simple_humanoid.urdf", "hum30.urdf")


@cache
def of_file(path: Path, mimic: bool = True, floating: bool = False) -> Twin:
    robot: Robot = robosym.load(path, mimic=mimic, floating=floating)
    return Twin.of_urdf(path, robot)


@pytest.mark.mostly_slow(fast=6)
@pytest.mark.parametrize(("name", "file"), crossed(CASES, URDF_FILES, every=5))
def test_real_files(shared: Path, name: str, file: str) -> None:
    """With the joints that follow others; those of ``panda.urdf`` once more on their own."""
    twin = of_file(shared / "data" / "urdf" / file)
    if applies(CASES[name], name, twin.robot):
        check(CASES[name], twin, frame_of(twin, 0), 1)


@pytest.mark.mostly_slow(fast=5)
@pytest.mark.parametrize("name", CASES)
def test_a_real_file_with_every_joint_free(shared: Path, name: str) -> None:
    twin = of_file(shared / "data" / "urdf" / "panda.urdf", mimic=False)
    check(CASES[name], twin, frame_of(twin, 1), 4)


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize(
    ("name", "file"), crossed([name for name, case in CASES.items() if case.free_base], FREED, every=4)
)
def test_real_files_on_a_free_base(shared: Path, name: str, file: str) -> None:
    twin = of_file(shared / "data" / "urdf" / file, floating=True)
    if applies(CASES[name], name, twin.robot):
        check(CASES[name], twin, frame_of(twin, 0), 5)
