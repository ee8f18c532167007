"""``robosym excite`` as a person uses it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from robosym.cli.app import app


def run(*words: str) -> str:
    done = CliRunner().invoke(app, ["excite", *words, "--evaluations", "30"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def refused(*words: str) -> str:
    """Wrong usage: exit code 2 and a message."""
    done = CliRunner().invoke(app, ["excite", *words])
    assert done.exit_code == 2, done.output
    return " ".join(done.stderr.split())


@pytest.mark.slow
def test_all_files(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    csv, c, png = (tmp_path / name for name in ("m.csv", "m.c", "m.png"))
    said = run("ur5", "-o", str(csv), "--c", str(c), "--plot", str(png), "--rate", "100", "--velocity", "1.5")
    assert "condition number" in said
    assert f"wrote {csv} and {c} and {png}" in said
    assert sorted(tmp_path.iterdir()) == [c, csv, png]
    table = np.loadtxt(csv, delimiter=",", skiprows=1)
    assert table.shape == (1001, 19)
    assert np.abs(table[:, 7:13]).max() <= 1.5
    assert "void motion(double t" in c.read_text()


def test_json_says_everything() -> None:
    found = json.loads(
        run("planar-2r", "--json", "--torque", "shoulder=500,elbow=300", "--seed", "4", "--shape", "spline")
    )
    assert found["seed"] == 4
    assert found["condition"] >= 1
    assert found["raw_condition"] >= 1
    assert set(found["margins"]) == {"position", "torque"}
    assert all(one["margin"] >= 0 for one in found["margins"].values())
    assert found["motion"]["kind"] == "spline"
    assert found["written"] == []


def test_the_period_is_the_duration() -> None:
    words = ["planar-2r", "--json", "--harmonics", "2", "--no-rest", "--friction", "none"]
    found = json.loads(run(*words, "--period", "4"))
    assert found["motion"]["duration"] == 4
    assert not any(name.startswith("Fv") for name in found["columns"])
    assert found == json.loads(run("--duration", "4", *words))


def test_a_box_and_limits(tmp_path: Path) -> None:
    options = ["--box", "-0.5:0.5,,0.1:", "--limit", "elbow_joint=-2:2", "--reserve", "0.05", "--height", "0.2"]
    found = json.loads(run("ur5", "--json", *options))
    assert {"box", "height"} <= set(found["margins"])


def test_wrong_usage() -> None:
    assert "say where to write the motion" in refused("ur5")
    assert "expected three pairs" in refused("ur5", "--json", "--box", "0:1")
    assert "expected LOWER:UPPER" in refused("ur5", "--json", "--box", "a:1,,")
    assert "--velocity: got 'fast', expected a number" in refused("ur5", "--json", "--velocity", "fast")
    assert "expected a number above 0" in refused("ur5", "--json", "--rate", "0")
    assert "--repeats" in refused("ur5", "--json", "--shape", "spline", "--repeats", "2")
    assert "expected a whole number of at least 1" in refused("ur5", "--json", "--evaluations", "0")
    assert "no option --velocty (did you mean --velocity?)" in refused("ur5", "--json", "--velocty", "2")
    assert "no option --nothing" in refused("ur5", "--json", "--nothing", "2")


@pytest.mark.slow
def test_what_cannot_be_is_said_without_a_traceback(tmp_path: Path) -> None:
    words = ["excite", "ur5", "-o", str(tmp_path / "m.csv"), "--height", "7"]
    done = subprocess.run([sys.executable, "-m", "robosym", *words], capture_output=True, text=True, timeout=300)
    assert done.returncode == 1
    assert done.stderr.startswith("robosym: ur5: there is no such motion")
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())
