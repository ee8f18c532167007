"""``robosym identify``: what it prints, what it writes, and what it says about mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from identification.synthetic import Motion, recording

import robosym
from robosym.cli import main

RECIPE = """
robot = "planar-2r"
[data]
files = ["motion.csv"]
rate = 200
[position]
columns = ["q.{0..1}"]
[velocity]
columns = ["qd.{0..1}"]
[acceleration]
columns = ["qdd.{0..1}"]
[torque]
columns = ["tau.{0..1}"]
[model]
friction = ["viscous", "coulomb", "offset"]
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    robot = robosym.load("planar-2r")
    made = recording(robot, Motion.random(np.random.default_rng(0), 2), 200.0, 8.0)
    names = made.names
    rows = made.columns(names)
    np.savetxt(tmp_path / "motion.csv", rows, delimiter=",", header=",".join(names), comments="")
    (tmp_path / "recipe.toml").write_text(RECIPE)
    return tmp_path / "recipe.toml"


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.argv", ["robosym", *words])
    with pytest.raises(SystemExit) as ended:
        raise SystemExit(main())
    out = capsys.readouterr()
    return int(ended.value.code or 0), out.out, out.err


def test_json_has_the_promised_keys(
    recipe: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = run(capsys, monkeypatch, "identify", str(recipe), "-o", str(recipe.parent / "report"), "--json")
    assert code == 0
    found = json.loads(out)
    assert {"robot", "base_parameters", "parameters", "joints", "validation", "warnings"} <= set(found)
    assert found["base_parameters"] == len(found["parameters"])
    for one in found["parameters"].values():
        assert {"value", "sigma", "sigma_bootstrap"} <= set(one)
    for one in found["joints"].values():
        assert {"rms", "relative"} <= set(one)
    assert (recipe.parent / "report" / "report.html").read_text().startswith("<!doctype html>")
    assert json.loads((recipe.parent / "report" / "identification.json").read_text()) == found


def test_tables_for_people(recipe: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = run(capsys, monkeypatch, "identify", str(recipe))
    assert code == 0
    assert "ZZR1" in out
    assert "% of torque" in out


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ('robot = "planar-2r"', 'robot = "planar-9r"', "planar-9r"),
        ("motion.csv", "nowhere.csv", "nowhere.csv"),
        ("q.{0..1}", "p.{0..1}", "p.0"),
        ("rate = 200", "rat = 200", "rat"),
        ('"offset"]', '"dry"]', "dry"),
    ],
)
def test_mistakes_are_named(
    recipe: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, old: str, new: str, word: str
) -> None:
    recipe.write_text(recipe.read_text().replace(old, new))
    code, _, err = run(capsys, monkeypatch, "identify", str(recipe), "-o", str(recipe.parent / "report"))
    assert code == 1
    assert word in err
    assert "Traceback" not in err
    assert not (recipe.parent / "report").exists()
