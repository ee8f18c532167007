"""Every model that Pinocchio has too, on real files, also with a free base; ``conformance.py`` has the table."""

from __future__ import annotations

from functools import cache

import pytest
from models.conformance import CASES, applies, check, frame_of
from models.pinocchio_states import Twin
from real_robots import URDFS, real_robot, urdf_file
from sweeps import crossed

# Real files hold inertias no body can have; their readers' tests are elsewhere.
pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

FREED = ("solo12", "panda", "simple_humanoid", "humanoid30")


@cache
def of_file(name: str, mimic: bool = True, floating: bool = False) -> Twin:
    return Twin.of_urdf(urdf_file(name), real_robot(name, mimic, floating))


@pytest.mark.mostly_slow(fast=6)
@pytest.mark.parametrize(("name", "file"), crossed(CASES, URDFS, every=5))
def test_real_files(name: str, file: str) -> None:
    """With the joints that follow others; those of the Panda once more on their own."""
    twin = of_file(file)
    if applies(CASES[name], name, twin.robot):
        check(CASES[name], twin, frame_of(twin, 0), 1)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", CASES)
def test_a_real_file_with_every_joint_free(name: str) -> None:
    twin = of_file("panda", mimic=False)
    check(CASES[name], twin, frame_of(twin, 1), 4)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(
    ("name", "file"), crossed([name for name, case in CASES.items() if case.free_base], FREED, every=4)
)
def test_real_files_on_a_free_base(name: str, file: str) -> None:
    twin = of_file(file, floating=True)
    if applies(CASES[name], name, twin.robot):
        check(CASES[name], twin, frame_of(twin, 0), 5)
