"""``robosym new``: every template loads, is checked clean and has models; nothing is written over."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from cli.test_cli import fails
from cli.test_models import run

import robosym
from robosym.cli.new import KINDS
from robosym.formats.dh import from_standard_dh


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("kind", KINDS)
def test_a_template_is_a_robot(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"my_{kind}.toml"
    assert "robosym check" in run("new", str(path), "--kind", kind)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        robot = robosym.load(path)
    assert robot.name == f"my_{kind}"
    assert "no problems" in run("check", str(path))
    assert {"platform": "parallel"}.get(kind, kind) == robot.structure
    model = robosym.models.inverse_dynamics(robot)
    assert not set(model.numbers()) - set(robot.values)  # every symbol has a number
    text = path.read_text()
    assert sum("#" in line for line in text.splitlines()) >= 20
    assert f"robosym check my_{kind}.toml" in text


def test_serial_is_the_default_and_nothing_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "arm.toml"
    run("new", str(path))
    assert robosym.load(path).structure == "serial"
    path.write_text("mine")
    assert "is there already" in fails(1, "new", str(path))
    assert path.read_text() == "mine"
    (tmp_path / "link.toml").symlink_to(tmp_path / "nowhere.toml")
    assert "is there already" in fails(1, "new", str(tmp_path / "link.toml"))
    assert "ends in .toml" in fails(1, "new", str(tmp_path / "arm.urdf"))
    assert "did you mean serial?" in fails(2, "new", str(tmp_path / "b.toml"), "--kind", "seral")
    assert "no folder" in fails(1, "new", str(tmp_path / "no" / "b.toml"))


def test_names_that_need_quotes(tmp_path: Path) -> None:
    path = tmp_path / 'my "arm" \\ $name.toml'
    run("new", str(path))
    assert robosym.load(path).name == 'my "arm" \\ $name'


def test_a_standard_table_is_the_robot_of_that_table(tmp_path: Path) -> None:
    table, path = tmp_path / "table.csv", tmp_path / "arm.toml"
    table.write_text(
        "sigma, a, alpha, d, theta\nrevolute, 0, pi/2, 0.3,\nrevolute, 0.5, 0, 0,\nprismatic, 0.1, 0, , pi/3\n"
    )
    run("new", str(path), "--from", str(table))
    rows = [("R", 0, "pi/2", 0.3), ("R", 0.5, 0, 0), ("P", 0.1, 0, "pi/3")]
    q = np.array([0.3, -0.8, 0.2])
    ours, expected = (
        robosym.models.transform(robot).evaluate(q=q) for robot in (robosym.load(path), from_standard_dh("arm", rows))
    )
    np.testing.assert_allclose(ours, expected, atol=1e-15)


def test_a_modified_table(tmp_path: Path) -> None:
    table, path = tmp_path / "table.csv", tmp_path / "arm.toml"
    table.write_text("joint,alpha,d,theta,r\nwaist,0,0,q1,0\nelbow,pi/2,D2,q2 + pi/2,0.5\n")
    run("new", str(path), "--from", str(table))
    robot = robosym.load(path)
    assert robot.joint_names == ("waist", "elbow")
    assert "# D2 = 0.1" in path.read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "got columns none"),
        ("alpha,d,tehta\n0,0,0\n", "got columns alpha, d, tehta, expected columns gamma"),
        ("alpha,d,theta,r\n0,0\n", "more or fewer entries"),
        ("alpha,d,theta,r\npi/,0,q1,0\n", "frame 1, alpha"),
        ("sigma,a,alpha,d,theta\nfixed,0,0,0,0\n", "row 1: a standard table has no fixed frames"),
    ],
)
def test_a_table_that_is_none(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(text)
    assert said in fails(1, "new", str(tmp_path / "a.toml"), "--from", str(tmp_path / "table.csv"))
    assert not (tmp_path / "a.toml").exists()
