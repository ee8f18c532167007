"""Robots in files and texts: which format it is, options that all formats share, and files that are complete or untouched."""

from __future__ import annotations

import io
import os
from dataclasses import replace
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from models.reference import frame_poses
from random_robots import random_robot

import robosym
from robosym import formats
from robosym.errors import RobosymError
from robosym.expr import number, parameter, variable
from robosym.formats import FORMATS, SUFFIXES, adapted, load_file, load_text, save, texts, tolerance_of, without_loops
from robosym.robot import Link, Robot, RobotError, RobotWarning
from robosym.robot.origin import origin_of

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


# --- texts ------------------------------------------------------------------------------------------------------------

LINK = "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
URDF = f"""<robot name="arm"><link name="a"/><link name="b">{LINK}</link>
  <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint></robot>"""
MJCF = """<mujoco model="arm"><worldbody><body name="b"><joint name="j"/>
  <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody></mujoco>"""
SDF = """<sdf version="1.9"><model name="arm"><link name="a"/><link name="b"/><joint name="j" type="revolute"><parent>a</parent>
  <child>b</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>"""
TOML = 'name = "arm"\n[[frame]]\njoint = "j"\n'
PAR = "(* Robotname = 'arm' *)\nNF = 1\nant = {0}\nsigma = {0}\ntheta = {j1}\n"
TEXTS = {"toml": TOML, "par": PAR, "urdf": URDF, "mjcf": MJCF, "sdf": SDF}


def names(robot: Robot) -> tuple[str, tuple[str, ...]]:
    return robot.name, robot.joint_names


def test_every_format_has_a_text() -> None:
    assert tuple(TEXTS) == FORMATS


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("before", ["", "\n \t", "\ufeff", "\ufeff\r\n"])
def test_the_format_is_seen_in_the_text(kind: str, before: str) -> None:
    expected = load_text(TEXTS[kind], kind)
    assert expected.name == "arm"
    text = before + TEXTS[kind]
    for given in (
        text,
        text.encode(),
        bytearray(text.encode()),
        memoryview(text.encode()),
        io.StringIO(text),
        io.BytesIO(text.encode()),
    ):
        assert names(load_text(given)) == names(expected)  # type: ignore[arg-type]
    assert origin_of(expected) == "a text"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<?xml version='1.0'?><!-- a <robot> --><mujoco/>", "mjcf"),
        ("<!-- made of a <mujoco> and an <sdf> --><robot/>", "urdf"),
        (f"<!--{'<mujoco> ' * 1000}--> <!-- > --><sdf version='1.9'/>", "sdf"),
        ("<!DOCTYPE mujoco><?a <sdf> ?><robot name='sdf'/>", "urdf"),
        ("<mujocoinclude/>", "mjcf"),
        ("<mujocos/>", "urdf"),
        ("<world><sdf/></world>", "urdf"),
        ("<anything/>", "urdf"),
        ("<!-- no end <mujoco>", "urdf"),
        ("<", "urdf"),
        ("(* a comment *) NL = 1", "par"),
        ("NF = 2\nant = {0,1}", "par"),
        ("NF = 2\n[[frame]]\nlimits = {lower = 1}", "toml"),
        ("name = 'NF'", "toml"),
        ("", "toml"),
        (" " * 9000 + "<robot/>", "urdf"),
        ("#" * 4096 + "NF = {", "toml"),  # what is looked at has an end
    ],
)
def test_what_a_text_looks_like(text: str, kind: str) -> None:
    assert formats._format_of(text.encode()) == kind


@pytest.mark.parametrize("name", ["URDF", ".urdf", ".URDF"])
def test_formats_by_other_spellings(name: str) -> None:
    assert names(load_text(URDF, name)) == ("arm", ("j",))
    assert names(load_text(MJCF, "xml")) == names(load_text(MJCF, ".XML")) == ("arm", ("j",))


def test_what_is_no_format_or_no_text() -> None:
    with pytest.raises(RobotError, match="text: format: got 'step', expected one of toml, par, urdf, mjcf, sdf"):
        load_text(TOML, "step")
    with pytest.raises(RobosymError, match="text"):
        load_text(3)  # type: ignore[arg-type]
    with pytest.raises(RobotError, match="text: "):
        load_text(TOML, "urdf")


def test_a_text_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "LARGEST_FILE", len(TOML))
    assert load_text(TOML).name == "arm"
    with pytest.raises(RobotError, match=f"text: text: larger than {len(TOML)} bytes"):
        load_text(TOML + " ")


def test_half_a_surrogate_pair_is_said_and_not_read() -> None:
    with pytest.raises(RobosymError, match="expected text in UTF-8, found 0xed"):
        load_text('name = "\ud800"\n[[frame]]')


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".URDF", ".Toml"])
def test_files_by_their_suffix(suffix: str, tmp_path: Path) -> None:
    """What a file is does not hang on what it looks like."""
    kind = {".xml": "mjcf"}.get(suffix.lower(), suffix.lower()[1:])
    path = tmp_path / f"robot{suffix}"
    path.write_text(TEXTS[kind], encoding="utf-8")
    robot = load_file(path)
    assert names(robot) == names(load_text(TEXTS[kind]))
    assert origin_of(robot) == f"file robot{suffix}"
    for other, text in TEXTS.items():
        if other not in (kind, "par"):
            path.write_text(text, encoding="utf-8")
            with pytest.raises(RobosymError, match="robot"):
                load_file(path)


# --- options of all formats ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", FORMATS)
def test_a_free_base_in_every_format(kind: str) -> None:
    plain, free = load_text(TEXTS[kind]), load_text(TEXTS[kind], floating=True)
    assert (plain.base.floating, free.base.floating) == (False, True)
    assert (free.nq, free.nv) == (plain.nq + 7, plain.nv + 6)
    assert load_text(TEXTS[kind], kind, floating=True) == free


@pytest.mark.parametrize("kind", [kind for kind in FORMATS if kind != "urdf"])
def test_only_a_urdf_takes_loops(kind: str, tmp_path: Path) -> None:
    with pytest.raises(RobotError, match=r"loops: got 'x\.toml', which goes with a \.urdf file only"):
        load_text(TEXTS[kind], loops="x.toml")
    with pytest.raises(RobotError, match=r"text: loops: got a text, which goes with a \.urdf file only"):
        load_text(TEXTS[kind], loops=b"[[loop]]")
    without_loops(None, "anything")


LOOSE = """<robot name="two"><link name="a"/><link name="b"/><link name="c"/>
  <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
  <joint name="k" type="continuous"><parent link="a"/><child link="c"/><axis xyz="0 0 1"/></joint></robot>"""
CLOSING = '[[loop]]\npredecessor = "b"\nsuccessor = "c"\n'


def test_loops_of_a_urdf_by_file_and_by_text(tmp_path: Path) -> None:
    (tmp_path / "two.urdf").write_text(LOOSE)
    (tmp_path / "closing.toml").write_text(CLOSING)
    by_file = load_file(tmp_path / "two.urdf", loops=tmp_path / "closing.toml")
    assert by_file.loops == 1
    assert origin_of(by_file) == "file two.urdf and closing.toml"
    by_text = load_text(LOOSE, loops=CLOSING.encode())
    assert by_text.frames == by_file.frames


def test_loops_beside_a_urdf_are_named_only_where_they_are_not_given(tmp_path: Path) -> None:
    (tmp_path / "two.urdf").write_text(LOOSE)
    (tmp_path / "two.loops.toml").write_text(CLOSING)
    with pytest.warns(RobotWarning, match=r"its closed loops in two\.loops\.toml are left open: give loops="):
        assert load_file(tmp_path / "two.urdf").loops == 0
    assert load_file(tmp_path / "two.urdf", loops=tmp_path / "two.loops.toml").loops == 1
    assert load_text(LOOSE, "urdf").loops == 0


ALMOST = {
    "toml": 'name = "x"\n[[frame]]\nalpha = 1.5708\n',
    "par": "NF = 1\nant = {0}\nsigma = {0}\nalpha = {1.5708}\ntheta = {t1}\n",
    "urdf": URDF.replace("<axis", '<origin rpy="1.5708 0 0"/><axis'),
    "mjcf": MJCF.replace('<body name="b"', '<body name="b" euler="90.0002 0 0"'),
    "sdf": SDF.replace('<link name="b"/>', '<link name="b"><pose>0 0 0 1.5708 0 0</pose></link>'),
}


@pytest.mark.parametrize("kind", FORMATS)
def test_angles_that_are_nearly_exact(kind: str) -> None:
    """As they are by default; exact for who says how near."""
    assert "pi" not in str(load_text(ALMOST[kind]).frame(1).alpha)
    assert str(load_text(ALMOST[kind], snap=1e-4).frame(1).alpha) in ("pi/2", "-pi/2")
    assert "pi" not in str(load_text(ALMOST[kind], snap=1e-7).frame(1).alpha)


@pytest.mark.parametrize("snap", [-1e-9, 1.1e-3, nan, inf, True, "0.001", [1e-4]])
def test_what_is_no_tolerance(snap: Any, tmp_path: Path) -> None:
    with pytest.raises(RobosymError, match=r"snap: got .*, expected a number from 0 to 0\.001"):
        load_text(TOML, snap=snap)


def test_tolerances() -> None:
    assert [tolerance_of(x) for x in (None, 0, 1e-3)] == [0.0, 0.0, 1e-3]


@pytest.mark.parametrize("seed", range(5))
def test_adapted(seed: int) -> None:
    """No joint depends on another, and nothing else has changed; a robot that is so already is the same."""
    robot = random_robot(np.random.default_rng(seed), 6, rich=True)
    free = adapted(robot, floating=False, mimic=False)
    assert all(frame.joint.mimic is None for frame in free.frames)
    put_back = tuple(
        replace(new, joint=replace(new.joint, mimic=old.joint.mimic))
        for new, old in zip(free.frames, robot.frames, strict=True)
    )
    assert free.replace(frames=put_back) == robot
    assert adapted(robot, floating=False, mimic=True) is robot
    flying = adapted(robot, floating=True, mimic=True)
    assert flying.base == replace(robot.base, floating=True)
    assert adapted(flying, floating=True, mimic=True) is flying


# --- written ----------------------------------------------------------------------------------------------------------

WRITTEN = [suffix for suffix in SUFFIXES if suffix != ".sdf"]


@pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
@pytest.mark.parametrize("suffix", WRITTEN)
def test_random_robots_are_read_as_they_were_written(suffix: str, tmp_path: Path) -> None:
    """Positions of all frames that have a name in both, at a random state."""
    rng = np.random.default_rng(len(suffix))
    for _ in range(3):
        robot = random_robot(rng, 5)
        (path,) = save(robot, tmp_path / f"robot{suffix}")
        again = load_file(path)
        assert sorted(again.joint_names) == sorted(robot.joint_names)
        at = dict(zip(robot.joint_names, rng.uniform(-1, 1, robot.nq), strict=True))
        first, second = (frame_poses(one, np.array([at[name] for name in one.joint_names])) for one in (robot, again))
        for j, frame in enumerate(robot.frames, 1):
            if frame.name in {other.name for other in again.frames}:
                np.testing.assert_allclose(second[again.number(frame.name)], first[j], atol=1e-9)


@pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
def test_texts_are_what_save_writes(tmp_path: Path) -> None:
    robot = robosym.load("four-bar")
    for suffix in WRITTEN:
        path = tmp_path / f"robot{suffix}"
        found = texts(robot, path)
        assert tuple(found) == save(robot, path)
        assert {place: place.read_text(encoding="utf-8") for place in found} == found
        assert [place.name for place in found] == (
            [path.name, "robot.loops.toml"] if suffix == ".urdf" else [path.name]
        )


def test_sdf_is_read_only(tmp_path: Path) -> None:
    with pytest.raises(
        RobotError, match=r"robot\.sdf: an SDF file is read, not written: write a \.urdf, which Gazebo reads"
    ):
        save(ROBOT, tmp_path / "robot.sdf")
    assert list(tmp_path.iterdir()) == []


def test_one_file_of_two_that_cannot_be_made_leaves_none(tmp_path: Path) -> None:
    """Of a robot with loops whose second text is an error, nothing is written."""
    robot = robosym.load("four-bar")
    cut = replace(robot.frame(4), theta=2 * variable("q4") + parameter("D2"))
    with pytest.raises(RobosymError, match="frame 4, theta"):
        save(robot.replace(frames=(*robot.frames[:3], cut, robot.frame(5))), tmp_path / "robot.urdf")
    assert list(tmp_path.iterdir()) == []
