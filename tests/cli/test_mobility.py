"""``robosym mobility`` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import robosym
from robosym.cli.app import app


def run(*words: str) -> str:
    done = CliRunner().invoke(app, ["mobility", *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_sentences() -> None:
    said = run("sr400").splitlines()
    assert said[0] == "sr400: 9 joints, 1 loop, mobility 6"
    assert "Gruebler's count: 9 - 6 x 1 = 3" in said
    assert "with the dimension of each loop's own motions: 9 - 3 = 6" in said
    assert "redundant constraints: 3 (cut vz, cut wx, cut wy)" in said
    assert "  in place of crank one could drive elbow, coupler or cut" in said


def test_json() -> None:
    found = json.loads(run("four-bar", "--json"))
    assert (found["gruebler"], found["mobility"], found["rank"], found["redundant"]) == (-2, 1, 3, 3)
    assert found["fully_actuated"] is True
    assert found["at"] is None


def test_position(tmp_path: Path) -> None:
    by_list = run("four-bar", "--at", "0.3")
    assert "the motors control it" in by_list
    assert "cut4 moves in 1 way" in by_list
    other = json.loads(run("four-bar", "--at", "crank=0.3,rocker=2", "--json"))["at"]["position"]
    assert other["rocker"] > 0
    file = tmp_path / "q.json"
    file.write_text(json.dumps({"q": [0.3]}))
    assert run("four-bar", "--at", str(file)) == by_list
    file.write_text(json.dumps({"crank": 0.3, "rocker": 2}))
    assert json.loads(run("four-bar", "--at", str(file), "--json"))["at"]["position"] == other


def test_frame() -> None:
    assert "link3 moves in 1 way" in run("four-bar", "--at", "0.3", "--frame", "link3")


def test_what_is_refused() -> None:
    runner = CliRunner()
    for words, said in ((("--at", "crank"), "there is no such file"), (("--at", "arm=1"), "there is no joint 'arm'")):
        with pytest.raises(robosym.RobosymError, match=said):
            runner.invoke(app, ["mobility", "four-bar", *words], catch_exceptions=False)
    for word in ("crank=1,crank=2", "=1", "crank=x"):
        assert runner.invoke(app, ["mobility", "four-bar", "--at", word]).exit_code == 2
