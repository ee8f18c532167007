"""Where a robot comes from: its file by name alone, and whether it was changed since."""

from __future__ import annotations

from pathlib import Path

import pytest

import robosym
from robosym.robot import Robot
from robosym.robot.origin import base_name, coming_from, derived, origin_of


def planar() -> Robot:
    return Robot.from_table("two", [{}, {"d": 1}])


def test_a_robot_knows_its_file_by_name_alone_and_whether_it_was_changed(tmp_path: Path) -> None:
    robot = robosym.load("planar-2r")
    assert origin_of(robot) == "built-in planar-2r"
    path = tmp_path / "my arm.toml"
    robosym.save(robot, path)
    read = robosym.load(path)
    assert origin_of(read) == "file my arm.toml"
    assert (
        origin_of(read.replace(gravity=robot.gravity, name="other"))
        == "file my arm.toml, changed in Python since it was read"
    )
    assert origin_of(read.replace(name=read.name)) == "file my arm.toml"
    assert origin_of(planar()) == "made in Python"
    assert origin_of(robosym.load("four-bar").equivalent_tree) == "built-in four-bar, its closed loops left open"


@pytest.mark.parametrize(
    "path", ["/home/someone/arm.urdf", r"C:\robots\arm.urdf", r"mixed/folder\arm.urdf", "arm.urdf"]
)
def test_names_of_files(path: str) -> None:
    assert base_name(path) == "arm.urdf"


def test_what_is_made_of_a_robot_has_its_origin() -> None:
    robot = planar()
    assert derived(robot, robot.replace(name="three"), "longer").origin is None
    read = coming_from(robot, "file a.toml")
    longer = derived(read, read.replace(name="three"), "longer")
    assert origin_of(longer) == "file a.toml, longer"
    assert origin_of(derived(longer, longer, "twice")) == "file a.toml, longer, twice"
    assert origin_of(longer.replace(name="four")) == "file a.toml, longer, changed in Python since it was read"
    assert read == robot  # where it comes from does not make it another
    assert read.origin is not None
    assert read.origin.robot.origin is None
