"""``robosym trajectory`` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from robosym.cli.app import app
from robosym.errors import RobosymError

MOVE = {"from": [0, 0, 0, 0, 0, 0], "to": [1, -1, 0.5, 0, 0, 2]}


def run(*words: str) -> str:
    done = CliRunner().invoke(app, ["trajectory", *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture
def file(tmp_path: Path):  # type: ignore[no-untyped-def]
    def write(content: Any) -> str:
        path = tmp_path / "move.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)

    return write


def test_all_files(file, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    pytest.importorskip("matplotlib")
    move, csv, png = file(MOVE), tmp_path / "m.csv", tmp_path / "m.png"
    said = run("ur5", "--move", move, "--acceleration", "4", "-o", str(csv), "--plot", str(png), "--rate", "100")
    assert "quintic of 6 joints" in said
    assert f"wrote {csv} and {png}" in said
    table = np.loadtxt(csv, delimiter=",", skiprows=1)
    np.testing.assert_allclose(table[0, 1:7], MOVE["from"])
    np.testing.assert_allclose(table[-1, 1:7], MOVE["to"], atol=1e-12)
    assert np.abs(table[:, 13:]).max() <= 4 + 1e-9


def test_json_has_the_polynomials(file) -> None:  # type: ignore[no-untyped-def]
    options = ["--profile", "jerk-limited", "--acceleration", "4", "--jerk", "40", "--json", "--synchronise", "time"]
    found = json.loads(run("ur5", "--move", file(MOVE), *options))
    assert found["robot"] == "ur5"
    assert found["motion"] == "jerk-limited"
    assert max(found["largest"]["jerk"]) == pytest.approx(40)
    assert found["duration"] == found["times"][-1]
    assert np.array(found["coefficients"]).shape == (len(found["times"]) - 1, 4, 6)
    np.testing.assert_allclose(found["to"], MOVE["to"], atol=1e-12)


def test_by_joint_and_through_points(file) -> None:  # type: ignore[no-untyped-def]
    points = [{"shoulder": 0, "elbow": 0}, {"elbow": 1, "shoulder": 0.5}, [1, 0]]
    limits = ["--velocity", "shoulder=1,elbow=2", "--acceleration", "3"]
    for more in ([], ["--method", "blend"], ["--degree", "5"]):
        found = json.loads(run("planar-2r", "--move", file({"through": points}), *limits, *more, "--json"))
        np.testing.assert_allclose(found["to"], [1, 0], atol=1e-9)
    times = {"through": points, "times": [0, 3, 6]}
    assert json.loads(run("planar-2r", "--move", file(times), *limits, "--json"))["duration"] == 6
    ends = {"from": {"shoulder": 0, "elbow": 0}, "to": [1, 1], "v0": {"elbow": 0.5}, "duration": 4}
    assert json.loads(run("planar-2r", "--move", file(ends), *limits, "--json"))["duration"] == 4


BAD: list[tuple[Any, str]] = [
    ("[1, 2", "move.json"),
    ([1, 2], 'expected {"from": [...], "to": [...]} or {"through": [[...], ...]}, got list'),
    ({"from": [0, 0]}, "no 'to'"),
    ({"from": [0, 0], "to": [1, 1], "speed": 3}, "unknown field 'speed'"),
    ({"through": 3}, "through: expected a list of positions"),
    ({"through": [[0, 0]]}, "points: expected two positions or more"),
    ({"from": [0, 0], "to": [1]}, "q0 has 2 joints and qf 1"),
    ({"from": [0, 0], "to": {"shoulder": 1, "wrist": 2}}, "qf: there is no joint 'wrist' (joints: shoulder, elbow)"),
    ({"from": [0, 0], "to": ["1", "2"]}, "qf: expected real numbers"),
    ({"from": [0, 0], "to": [1, 1], "duration": 1e-3}, "are too short for"),
    ({"from": [0, 0], "to": [1, None]}, "qf: expected real numbers"),
]


@pytest.mark.parametrize(("content", "message"), BAD)
def test_what_is_wrong_is_said_and_nothing_written(file, tmp_path: Path, content: Any, message: str) -> None:  # type: ignore[no-untyped-def]
    path = file(content)
    words = ["planar-2r", "--move", path, "--velocity", "1", "--acceleration", "2", "-o", str(tmp_path / "m.csv")]
    done = CliRunner().invoke(app, ["trajectory", *words])
    assert isinstance(done.exception, RobosymError), done.output
    assert message in str(done.exception)
    assert [one.name for one in tmp_path.iterdir()] == ["move.json"]


def test_missing_limits_and_wrong_usage(file, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    move = file(MOVE)
    done = CliRunner().invoke(app, ["trajectory", "stanford", "--move", move, "--velocity", "1"])
    assert "needs a limit of acceleration (rad/s^2 or m/s^2), and there is none for joints" in str(done.exception)
    for words in (["-o", "m.txt"], ["--velocity", "fast"], ["--nonsense", "1"]):
        done = CliRunner().invoke(app, ["trajectory", "ur5", "--move", move, *words])
        assert done.exit_code == 2, done.output
    done = CliRunner().invoke(
        app, ["trajectory", "ur5", "--move", move, "--acceleration", "1", "-o", str(tmp_path / "m.csv"), "--rate", "-3"]
    )
    assert "rate: got -3, expected a number above 0" in str(done.exception)
    done = CliRunner().invoke(app, ["trajectory", "ur5", "--move", str(tmp_path / "none.json")])
    assert done.exit_code != 0
    assert [one.name for one in tmp_path.iterdir()] == ["move.json"]
