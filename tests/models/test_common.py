"""A closed loop is never ignored: whatever gives numbers refuses it, whatever describes it does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import robosym
from robosym import analysis, packaging
from robosym.cli import main
from robosym.formats import load_file, save
from robosym.models import MODELS, base_parameters, inverse_geometric, inverse_geometric_redundant, transform
from robosym.models.common import open_tree
from robosym.robot import Robot, RobotError
from robosym.robot.checks import problems

CLOSED = ["sr400", "four-bar", "five-bar"]

OTHERS: dict[str, Callable[[Robot], Any]] = {
    "transform between two links": lambda robot: transform(robot, frame=2, reference=1),
    "transform to a link": lambda robot: transform(robot, frame=2),
    "base parameters": base_parameters,
    "inverse geometry": lambda robot: inverse_geometric(robot, frame=2),
    "inverse geometry of a redundant arm": lambda robot: inverse_geometric_redundant(robot, frame=2),
    "a tool": lambda robot: inverse_geometric(robot, frame=2, tool=[0, 0, 0.1]),
    "skeleton": lambda robot: analysis.skeleton(robot, np.zeros(len(robot.moving))),
    "workspace": lambda robot: analysis.workspace(robot, frame=2),
    "manipulability": lambda robot: analysis.manipulability_of(robot, np.zeros(len(robot.moving)), frame=2),
    "motion of a frame": lambda robot: analysis.FrameMotion(robot, frame=2),
    "package": lambda robot: packaging.order(robot),
}


def refused(ask: Callable[[], Any]) -> None:
    with pytest.raises(RobotError, match=r"has closed loops: .* not available yet.*robot\.replace\(loops=0\)"):
        ask()


@pytest.mark.parametrize("name", CLOSED)
def test_every_model_refuses_closed_loops(name: str) -> None:
    robot = robosym.load(name)
    for function in MODELS.values():
        refused(lambda: function(robot))  # noqa: B023


@pytest.mark.parametrize("what", ["nq", "nv", "coordinates"])
def test_the_joints_of_a_loop_do_not_pass_for_coordinates(what: str) -> None:
    robot = robosym.load("four-bar")
    with pytest.raises(RobotError, match=r"has closed loops: which of its joints are coordinates is not known"):
        getattr(robot, what)
    assert getattr(robot.replace(loops=0), what)


@pytest.mark.parametrize("what", OTHERS)
def test_nothing_else_gives_numbers_of_closed_loops(what: str) -> None:
    for name in CLOSED:
        refused(lambda: OTHERS[what](robosym.load(name)))  # noqa: B023


@pytest.mark.parametrize(
    "command",
    [
        "eval four-bar transform --at {}",
        "generate four-bar transform --to c",
        "generate four-bar all --to c -o {folder}",
        "count sr400 geometric",
        "explain five-bar transform",
        "ik four-bar --frame 2 --pose 0,0,0",
        "plot four-bar ellipsoids --at {} --json --frame 2",
        "plot four-bar workspace --json --frame 2",
        "manipulability four-bar --at {} --frame 2",
    ],
)
def test_the_command_line_says_why(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "state.json"
    state.write_text('{"q": [0, 0, 0, 0]}')
    folder = tmp_path / "folder"
    words = command.replace("{}", str(state)).replace("{folder}", str(folder)).split()
    monkeypatch.setattr("sys.argv", ["robosym", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    said = capsys.readouterr()
    assert "has closed loops" in said.err
    assert not said.out
    assert not folder.exists()


@pytest.mark.parametrize("name", CLOSED)
def test_closed_loops_are_described_all_the_same(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    robot = robosym.load(name)
    assert not [problem for problem in problems(robot) if not problem.is_warning]
    for suffix in (".toml", ".par"):
        save(robot, tmp_path / f"robot{suffix}")
        assert load_file(tmp_path / f"robot{suffix}").loops == robot.loops
    monkeypatch.setattr("sys.argv", ["robosym", "show", name, "--json"])
    with pytest.raises(SystemExit, match="0"):
        main()
    assert json.loads(capsys.readouterr().out)["loops"] == robot.loops


def test_the_open_tree_is_there_for_who_asks() -> None:
    robot = robosym.load("four-bar")
    opened = robot.replace(loops=0)
    assert open_tree(opened) is opened
    assert transform(opened, frame=2, reference=0).evaluate(q=np.zeros(4)).shape == (4, 4)
    with pytest.raises(RobotError, match=r"expected a Robot \(load it first"):
        open_tree("four-bar")  # type: ignore[arg-type]
