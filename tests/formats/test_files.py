"""Loading and saving by suffix: clear errors, and files that are complete or untouched."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from robosym.errors import RobosymError
from robosym.expr import number, variable
from robosym.files import write_text
from robosym.formats import load_file, save
from robosym.robot import Link, Robot, RobotWarning

ROBOT = Robot.from_table("arm", [{}, {"d": "L1", "mimic": 1}], values={"L1": 0.5})


def test_toml_round_trip(tmp_path):
    save(ROBOT, tmp_path / "arm.toml")
    assert load_file(tmp_path / "arm.toml") == ROBOT
    assert os.listdir(tmp_path) == ["arm.toml"]


def test_par_round_trip(tmp_path):
    robot = load_file_freed(tmp_path)
    save(robot, tmp_path / "arm.PAR")
    assert load_file(str(tmp_path / "arm.PAR")).replace(par_type=None) == robot


def load_file_freed(tmp_path):
    save(ROBOT, tmp_path / "arm.toml")
    return load_file(tmp_path / "arm.toml", mimic=False)


def test_options(tmp_path):
    assert load_file_freed(tmp_path).joint_names == ("q1", "q2")
    floating = load_file(tmp_path / "arm.toml", floating=True)
    assert (floating.base.floating, floating.nq, floating.nv) == (True, 8, 7)


@pytest.mark.parametrize("name", ["arm.txt", "arm", "arm.toml.bak"])
def test_unknown_suffix(tmp_path, name):
    for action in (lambda: load_file(tmp_path / name), lambda: save(ROBOT, tmp_path / name)):
        with pytest.raises(RobosymError, match=r"expected a file whose name ends in \.toml, \.par, \.urdf"):
            action()


def test_unreadable_files(tmp_path):
    with pytest.raises(RobosymError, match=r"missing\.toml: there is no such file"):
        load_file(tmp_path / "missing.toml")
    (tmp_path / "folder.par").mkdir()
    with pytest.raises(RobosymError, match="this is a folder"):
        load_file(tmp_path / "folder.par")
    (tmp_path / "latin.toml").write_bytes(b'name = "caf\xe9"\n')
    with pytest.raises(RobosymError, match="byte 12: expected text in UTF-8, found 0xe9"):
        load_file(tmp_path / "latin.toml")
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(RobosymError, match="expected an ordinary file"):
        load_file(tmp_path / "pipe.toml")
    for name in ("nul\0.toml", "x" * 5000 + ".toml", "arm.toml/inner.toml"):
        with pytest.raises(RobosymError):
            load_file(tmp_path / name)


def test_unwritable_places(tmp_path):
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "plain").write_text("")
    for name in ("folder.toml", "nowhere/arm.toml", "plain/arm.toml", "nul\0.toml"):
        with pytest.raises(RobosymError):
            save(ROBOT, tmp_path / name)
    assert sorted(os.listdir(tmp_path)) == ["folder.toml", "plain"]


def test_a_failed_save_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "arm.toml"
    path.write_text("old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(RobosymError, match="cannot be written: No space left"):
        save(ROBOT, path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["arm.toml"]


def test_a_wrong_robot_is_not_saved(tmp_path):
    frame = replace(ROBOT.frame(1), theta=2 * variable("q1"))
    with pytest.raises(RobosymError, match="frame 1, theta"):
        save(ROBOT.replace(frames=(frame,)), tmp_path / "arm.toml")
    with pytest.raises(RobosymError, match="UTF-8"):
        save(ROBOT.replace(name="\ud800"), tmp_path / "arm.toml")
    assert os.listdir(tmp_path) == []


def test_warnings_reach_the_caller(tmp_path):
    heavy = replace(ROBOT.frame(1), link=Link(M=number(-1)))
    robot = ROBOT.replace(frames=(heavy, ROBOT.frame(2)))
    with pytest.warns(RobotWarning, match="physically impossible: the mass is -1"):
        save(robot, tmp_path / "arm.toml")
    with pytest.warns(RobotWarning, match=r"arm\.toml: frame 1, inertia"):
        load_file(tmp_path / "arm.toml")


def test_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("old")
    link.symlink_to(target)
    write_text(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_bytes)
        write_text(pipe, "through")
        assert read.result(timeout=20) == b"through"
    assert pipe.is_fifo()
