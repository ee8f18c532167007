"""Built-in robots by name, files by path, texts: what each is taken for, and the options that all of them have."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from robosym.errors import RobosymError
from robosym.library import catalogue, is_built_in, load, loads, robot_names
from robosym.library.general import LONGEST
from robosym.robot import Robot, RobotError, RobotWarning
from robosym.robot.origin import origin_of

PENDULUM = 'name = "pendulum"\n[[frame]]\nM = 2\nXX = 1\nYY = 1\nZZ = 1\nalpha = 1.5708\n'


# --- names -----------------------------------------------------------------------------------------------------------


def test_names_are_sorted_and_each_stands_once() -> None:
    names = robot_names()
    assert list(names) == sorted(set(names))
    assert {"general-6r", "rx90", "delta"} <= set(names)
    assert all(is_built_in(name) for name in names)


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("rx90", True),
        ("general-1r", True),
        ("general-0r", True),  # of that kind, with a number that there is not
        ("eel-12", True),
        ("RX90", False),
        ("rx90.toml", False),
        ("general-r", False),
        ("general-6R", False),
        ("general-1234567r", False),
        ("eel-", False),
        (" rx90", False),
        ("", False),
    ],
)
def test_which_names_are_built_in(name: str, known: bool) -> None:
    assert is_built_in(name) == known


@pytest.mark.parametrize(
    ("name", "joints"), [("general-1r", 1), ("general-12r", 12), ("general-007r", 7), ("eel-2", 1), ("eel-5", 4)]
)
def test_robots_of_any_number_of_joints(name: str, joints: int) -> None:
    robot = load(name)
    assert len(robot.moving) == joints
    assert robot.base.floating == name.startswith("eel")
    assert origin_of(robot) == f"built-in {name}"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("general-0r", f"general-Nr takes N from 1 to {LONGEST}, got 0"),
        (f"general-{LONGEST + 1}r", f"general-Nr takes N from 1 to {LONGEST}, got {LONGEST + 1}"),
        ("eel-1", f"eel-N takes N from 2 to {LONGEST}, got 1"),
        (f"eel-{LONGEST + 1}", f"eel-N takes N from 2 to {LONGEST}, got {LONGEST + 1}"),
        ("rx9", "there is no robot 'rx9' (did you mean rx90"),
        (
            "qqqq",
            f"there is no robot 'qqqq' (built-in robots: {', '.join(robot_names())}); a file ends in .toml, .par, .urdf",
        ),
        ("", "there is no robot ''"),
        ("general-6R", "did you mean general-6r"),
    ],
)
def test_names_that_there_are_not(name: str, problem: str) -> None:
    with pytest.raises(RobosymError) as raised:
        load(name)
    assert problem in str(raised.value)


def test_every_robot_says_what_it_is() -> None:
    listed = catalogue()
    assert [one["name"] for one in listed] == list(robot_names())
    by_name = {one["name"]: one for one in listed}
    assert by_name["rx90"] == {
        "name": "rx90",
        "joints": 6,
        "structure": "serial",
        "description": load("rx90").description,
    }
    assert {by_name[name]["structure"] for name in ("delta", "sr400")} == {"parallel", "closed"}
    assert all(one["joints"] > 0 and one["description"] for one in listed)


# --- names and paths --------------------------------------------------------------------------------------------------


def test_a_name_is_no_file_and_a_path_is_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever lies in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("rx90").write_text(PENDULUM)
    Path("rx90.toml").write_text(PENDULUM)
    Path("four-bar.toml").mkdir()
    assert load("rx90").name == "rx90"
    assert load("four-bar").name == "four-bar"
    for path in ("rx90.toml", "./rx90.toml", Path("rx90.toml"), tmp_path / "rx90.toml"):
        robot = load(path)
        assert robot.name == "pendulum"
        assert origin_of(robot) == "file rx90.toml"
    for path, problem in (
        ("./rx90", "expected a file whose name ends in"),
        ("rx90.txt", "expected a file whose name ends in"),
        ("folder/rx90", "expected a file whose name ends in"),
        ("panda.toml", "there is no such file"),
        ("four-bar.toml", "this is a folder"),
    ):
        with pytest.raises(RobosymError, match=problem):
            load(path)


# --- options ---------------------------------------------------------------------------------------------------------


def test_a_free_base() -> None:
    assert load("rx90", floating=True) == load("rx90").replace(base=load("rx90", floating=True).base)
    assert load("rx90", floating=True).nv == 12
    assert load("eel-3", floating=True) == load("eel-3")


def test_dependent_joints_are_freed(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text('name = "two"\n[[frame]]\n[[frame]]\nmimic = 1\n')
    assert (load(path).nv, load(path, mimic=False).nv) == (1, 2)
    assert loads(path.read_text(), mimic=False).nv == 2


def test_angles_that_are_nearly_exact(tmp_path: Path) -> None:
    path = tmp_path / "pendulum.toml"
    path.write_text(PENDULUM)
    assert str(load(path, snap=1e-4).frame(1).alpha) == str(loads(PENDULUM, snap=1e-4).frame(1).alpha) == "pi/2"
    assert load(path).frame(1).alpha.value == 1.5708


def test_only_a_urdf_has_its_loops_elsewhere() -> None:
    with pytest.raises(RobotError, match=r"four-bar: loops: got 'x\.toml', which goes with a \.urdf file only"):
        load("four-bar", loops="x.toml")


PAYLOAD = {"frame": "link6", "mass": 2.0}


@pytest.mark.parametrize("how", ["name", "file", "text"])
def test_a_payload(how: str, tmp_path: Path) -> None:
    """The same robot as ``with_payload`` makes."""
    from robosym.formats import toml

    text = toml.dumps(load("rx90"))
    (tmp_path / "rx90.toml").write_text(text, encoding="utf-8")

    def read(payload: Any) -> Robot:
        if how == "text":
            return loads(text, payload=payload)
        return load("rx90" if how == "name" else tmp_path / "rx90.toml", payload=payload)

    assert read(PAYLOAD) == read(None).with_payload(**PAYLOAD)
    assert read("link6") == read(None).with_payload("link6")
    assert not read(None).payload_names
    with pytest.raises(RobosymError, match="link7"):
        read("link7")


def test_texts_bytes_and_open_files() -> None:
    for text in (PENDULUM, PENDULUM.encode(), io.StringIO(PENDULUM), io.BytesIO(PENDULUM.encode())):
        robot = loads(text, "toml")  # type: ignore[arg-type]
        assert (robot.name, origin_of(robot)) == ("pendulum", "a text")
    with pytest.raises(RobotError, match="format: got 'yaml', expected one of"):
        loads(PENDULUM, "yaml")


@pytest.mark.parametrize(("options", "problem"), [({"snap": "small"}, "snap"), ({"mimick": 1}, "mimick")])
def test_options_that_there_are_not(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(RobosymError, match=problem):
        load("rx90", **options)
    with pytest.raises(RobosymError, match=problem):
        loads(PENDULUM, **options)


def test_what_is_no_robot_warns_as_in_a_file(tmp_path: Path) -> None:
    text = PENDULUM.replace("M = 2", "M = -2")
    with pytest.warns(RobotWarning, match="physically impossible: the mass is -2"):
        loads(text)
