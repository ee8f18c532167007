"""Robots in files: real ones of the package example-robot-data, which anyone can install, and the written ones beside them.

``urdf_file`` is for readers that take a file, also those of others; ``real_robot`` is the robot itself, read once in a process.
"""

from __future__ import annotations

import sys
import warnings
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
import written_robots

import robosym
from robosym.robot import Robot

PACKAGE = "example-robot-data"
PLACE = f"share/{PACKAGE}/robots"
FILES = {
    "kinova": "kinova_description/robots/kinova.urdf",
    "panda": "panda_description/urdf/panda.urdf",
    "simple_humanoid": "simple_humanoid_description/urdf/simple_humanoid.urdf",
    "solo12": "solo_description/robots/solo12.urdf",
    "ur5": "ur_description/urdf/ur5_robot.urdf",
    "ur10": "ur_description/urdf/ur10_robot.urdf",
    "xarm7": "xarm_description/urdf/xarm7.urdf",
    "z1": "z1_description/urdf/z1.urdf",
}
# What every reader and every model is tested on: arms of six and seven joints, a gripper whose fingers follow each other,
# legs, a humanoid; angles that are clean, rounded to twelve digits, and to four.
URDFS = ("humanoid30", "arm7", "kinova", "xarm7", "panda", "puma", "simple_humanoid", "solo12", "ur5", "z1")


@cache
def package_folder() -> Path | None:
    """The folder of the package's robots, wherever pip, conda or a system's package manager has put it."""
    places = [Path(sys.prefix) / PLACE]
    with suppress(PackageNotFoundError):
        places.insert(0, Path(str(distribution(PACKAGE).locate_file(f"cmeel.prefix/{PLACE}"))))
    return next((place for place in places if place.is_dir()), None)


def urdf_file(name: str) -> Path:
    """The file of a robot; without the package a test that needs it is skipped, and says so."""
    if name in written_robots.WRITTEN:
        return written_robots.urdf_file(name)
    folder = package_folder()
    if folder is None:
        pytest.skip(f"the robot {name!r} is in the package {PACKAGE}, which is not installed: pip install {PACKAGE}")
    path = folder / FILES[name]
    assert path.is_file(), f"{PACKAGE} has no {FILES[name]}: the tests need version 4.4 or newer"
    return path


@cache
def real_robot(name: str, mimic: bool = True, floating: bool = False) -> Robot:
    """The robot of the file. Its warnings, of inertias that no body can have, are for the tests of the reader."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return robosym.load(urdf_file(name), mimic=mimic, floating=floating)
