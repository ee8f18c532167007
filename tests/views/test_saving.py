"""Robots as files of other formats."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

import robosym
from robosym.errors import RobosymError
from robosym.formats import texts
from robosym.notices import collected
from robosym.views.saving import as_texts, file_name, offered, saved


@pytest.mark.parametrize("format", ["toml", "par", "urdf", "mjcf"])
def test_files_are_those_of_save(format: str) -> None:
    robot = robosym.load("puma560")
    name = "puma560.xml" if format == "mjcf" else f"puma560.{format}"
    with collected():
        assert as_texts(robot, format)["files"] == [{"name": name, "text": texts(robot, name)[Path(name)]}]
        assert saved(robot, format).decode() == texts(robot, name)[Path(name)]


def test_several_files_are_a_zip_and_always_the_same() -> None:
    with collected():
        packed = saved(robosym.load("sr400"), "urdf")
        assert saved(robosym.load("sr400"), "urdf") == packed
    assert zipfile.ZipFile(io.BytesIO(packed)).namelist() == ["sr400.loops.toml", "sr400.urdf"]


def test_a_format_that_cannot_hold_a_robot_says_why() -> None:
    with pytest.raises(RobosymError, match=r"expected toml, par, urdf, mjcf"):
        as_texts(robosym.load("rx90"), "dxf")
    with pytest.raises(RobosymError, match=r"platform|legs"), collected():
        as_texts(robosym.load("gough-stewart"), "urdf")
    found = offered(robosym.load("gough-stewart"), "urdf")
    assert found["files"] == []
    assert found["problems"]


def test_names_of_files_hold_on_any_system() -> None:
    assert file_name("../../etc/pass wd<script>") == "etc_pass_wd_script"
    assert file_name("…") == "robot"
    assert len(file_name("x" * 500)) <= 60
