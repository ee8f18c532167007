"""Parallel robots in files: TOML holds them, the other formats refuse and say what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from robosym.formats import load_file, save, toml
from robosym.library import load
from robosym.robot import Robot, RobotError, RobotWarning

REFUSED = "has no place for a platform on legs: write a .toml file, or robot.closed_loops()"


def test_toml_round_trip(tmp_path: Path) -> None:
    robot = load("delta")
    save(robot, tmp_path / "delta.toml")
    assert load_file(tmp_path / "delta.toml") == robot


@pytest.mark.parametrize("suffix", ["par", "urdf"])
def test_other_formats_refuse_and_nothing_is_written(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(RobotError, match="module: ") as caught:
        save(load("delta"), tmp_path / f"delta.{suffix}")
    assert REFUSED in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_other_formats_refuse_a_leg_with_a_loop_of_its_own(tmp_path: Path) -> None:
    rows = [
        {"name": "bar", "antecedent": "leg1_base", "active": False},
        {"name": "cut", "d": 1, "active": False},
        {"name": "twin", "antecedent": "leg1_rod", "sigma": "fixed"},
    ]
    frame = [{"name": "crank", "active": True}, {"name": "rod", "d": 1}]
    leg = {"repeat": 2, "angle": "pi", "base": [1, 0, 0], "seat": [1, 0, 0], "frame": frame}
    robot = Robot.from_table("x", rows, platform={"M": 1}, leg=[leg], loops=1)
    assert toml.loads(toml.dumps(robot)) == robot
    with pytest.raises(RobotError) as caught:
        save(robot, tmp_path / "x.urdf")
    assert REFUSED in str(caught.value)


def test_closed_loops_can_be_written_where_a_platform_cannot(tmp_path: Path) -> None:
    loops = load("planar-3rrr").closed_loops()
    save(loops, tmp_path / "planar.par")
    read = load_file(tmp_path / "planar.par")
    assert (read.loops, len(read.frames), read.moving) == (2, len(loops.frames), loops.moving)
    loops = load("orthoglide").closed_loops()
    with pytest.warns(RobotWarning):
        save(loops, tmp_path / "orthoglide.urdf")
    assert load_file(tmp_path / "orthoglide.urdf", loops=tmp_path / "orthoglide.loops.toml").loops == 2
