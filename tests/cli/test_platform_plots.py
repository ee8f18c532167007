"""``robosym plot ROBOT workspace`` and ``robosym singularities`` of platforms on legs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import robosym
from robosym.cli.app import app

WORKSPACE = ("plot", "planar-3rrr", "workspace", "--samples", "200")


def run(*words: str) -> str:
    done = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def refused(*words: str) -> str:
    """Wrong usage: exit code 2 and a message."""
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 2, done.output
    return " ".join(done.stderr.split())


def fails(*words: str) -> str:
    with pytest.raises(robosym.RobosymError) as caught:
        CliRunner().invoke(app, list(words), catch_exceptions=False)
    return str(caught.value)


@pytest.mark.slow
def test_a_workspace_in_numbers_and_as_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    target = tmp_path / "w.png"
    words = (*WORKSPACE, "--orientation", "0.2", "--limit", "elbow=0.5:2.5", "--clearance", "0.01")
    facts = json.loads(run(*words, "--json", "-o", str(target)))
    assert target.read_bytes().startswith(b"\x89PNG")
    assert facts["limits"]["leg3_elbow"] == [0.5, 2.5]
    assert facts["clearance"] == 0.01
    assert facts["orientation"][3] == pytest.approx(0.995, abs=1e-3)
    found = robosym.workspace(
        robosym.load("planar-3rrr"), samples=200, orientation=0.2, limits={"elbow": (0.5, 2.5)}, clearance=0.01
    )
    assert facts == json.loads(json.dumps(found.as_dict()))
    assert run(*WORKSPACE, "--orientation", "any", "--colour", "orientations", "-o", str(target)) == f"wrote {target}\n"


def test_mode_and_box() -> None:
    facts = json.loads(run(*WORKSPACE, "--mode", "elbow-", "--box=-0.1,-0.1,0,0.1,0.1,0", "--json"))
    assert facts["mode"] == "elbow-"
    assert facts["fraction"] == pytest.approx(1)
    assert facts["measure"] == pytest.approx(0.04)


@pytest.mark.slow
def test_singularities_of_a_pose() -> None:
    facts = json.loads(run("singularities", "planar-3rrr", "--pose=-0.2,0,0", "--json"))
    assert facts["kinds"] == ["type 1"]
    shown = run("singularities", "planar-3rrr", "--pose=-0.2,0,0")
    assert "singularity of type 1: leg1 can move" in shown
    home = run("singularities", "delta", "--length", "1")
    assert "regular: the nearest singularity" in home
    assert "lengths over 1 m" in " ".join(home.split())
    assert "misses its seat by" in run("singularities", "delta", "--pose", "0,0,-2,0,0,0,1")
    other = json.loads(run("singularities", "delta", "--parameters", "LA=0.5", "--json"))
    assert other["distance"] != json.loads(run("singularities", "delta", "--json"))["distance"]


def test_wrong_usage() -> None:
    assert "--frame is not for the workspace of a platform" in refused(*WORKSPACE, "--json", "--frame", "3")
    assert "expected distance or condition" in refused(*WORKSPACE, "--json", "--colour", "density")
    assert "expected an angle, any, or" in refused(*WORKSPACE, "--json", "--orientation", "up")
    assert "--box: got 2 numbers, expected 6" in refused(*WORKSPACE, "--json", "--box", "1,2")
    assert "no option --structure" in refused("singularities", "delta", "--structure", "tree")
    assert "--clearance is for the workspace of a platform" in refused(
        "plot", "planar-2r", "workspace", "--json", "--clearance", "1"
    )


def test_problems_with_the_input() -> None:
    assert "'leg1_length' has no limits" in fails("plot", "gough-stewart", "workspace", "--json")
    assert "no platform on legs" in fails("singularities", "rx90")
    assert "there is no leg joint 'knee'" in fails(*WORKSPACE, "--json", "--limit", "knee=0:1")
