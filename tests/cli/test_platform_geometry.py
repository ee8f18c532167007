"""``robosym ik`` and ``robosym fk`` of platforms on legs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import robosym
from robosym.cli.app import app
from robosym.cli.ik import short_names

PLANAR = "planar-3rrr"
HOME = "0,0,0,0,0,0,1"


def run(*words: str, code: int = 0) -> str:
    done = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done.stdout


def refused(*words: str) -> str:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 2, done.output
    return " ".join(done.stderr.split())


def fails(*words: str) -> str:
    with pytest.raises(robosym.RobosymError) as caught:
        CliRunner().invoke(app, list(words), catch_exceptions=False)
    return str(caught.value)


# --- ik ---------------------------------------------------------------------------------------------------------------


def test_solutions_with_their_working_modes() -> None:
    told = run("ik", PLANAR, "--pose", HOME).splitlines()
    assert told[0] == "planar-3rrr: reachable, 8 solutions"
    assert any("leg1_motor (deg)" in line for line in told)
    assert any("leg1_motor (rad)" in line for line in told)
    rows = [line.split() for line in told]
    assert ["1", "131.8103", "131.8103", "131.8103", "elbow+"] in rows
    assert ["2", "131.8103", "131.8103", "-131.8103", "leg3", "elbow-"] in rows
    assert ["8", "-131.8103", "-131.8103", "-131.8103", "all", "legs", "elbow-"] in rows


@pytest.mark.slow
def test_json_is_what_the_model_gives() -> None:
    data = json.loads(run("ik", "delta", "--pose", "0.1,0.05,-1,0,0,0,1", "--json"))
    result = robosym.models.inverse_geometric(robosym.load("delta"))([0.1, 0.05, -1, 0, 0, 0, 1])
    assert data == {"robot": "delta", "mode": "elbow_1+ elbow+", **json.loads(json.dumps(result.as_dict()))}


def test_angles_are_without_whole_turns() -> None:
    found = robosym.models.inverse_geometric(robosym.load(PLANAR))([0.02, 0.01, 0, 0, 0, 0, 1])
    assert np.abs(found.solutions).max() <= np.pi
    assert np.abs(found.positions).max() <= np.pi


def test_many_modes_are_shown_when_they_are_requested() -> None:
    words = ("ik", "gough-stewart", "--pose", "-1.5,0,1,0,0,0,1")
    few, all_ = run(*words), run(*words, "--every-mode")
    assert "and 48 more in other working modes" in few
    assert "63 of the 64 have negative lengths" in few
    assert (len(few.splitlines()), "more in other" in all_) < (len(all_.splitlines()), True)
    assert "64" in [line.split()[0] for line in all_.splitlines() if line.split()]


@pytest.mark.slow
def test_seed_mode_and_explanation() -> None:
    seeded = json.loads(run("ik", PLANAR, "--pose", HOME, "--seed", "2.3,-2.3,2.3", "--json"))
    assert seeded["modes"][0] == "leg1 elbow+, leg2 elbow-, leg3 elbow+"
    first = json.loads(run("ik", PLANAR, "--pose", HOME, "--mode", "elbow-", "--json"))
    assert (first["mode"], first["modes"][0]) == ("elbow-", "elbow-")
    assert "3 degrees of freedom" in run("ik", PLANAR, "--pose", HOME, "--explain")
    derived = json.loads(run("ik", PLANAR, "--pose", HOME, "--explain", "--json"))["derivation"]
    assert "components of its twist that are free: vx, vy, wz" in derived


@pytest.mark.slow
def test_out_of_reach_is_exit_code_1() -> None:
    told = run("ik", "delta", "--pose", "0,0,-9,0,0,0,1", code=1)
    assert told.startswith("delta: out of reach: leg1, leg2, leg3 do not reach the platform at this pose")
    assert json.loads(run("ik", "delta", "--pose", "0,0,-9,0,0,0,1", "--json", code=1))["solutions"] == []


@pytest.mark.parametrize(
    "words",
    [("--frame", "3"), ("--given", "leg1_motor=1"), ("--method", "paul"), ("--copies",)],
)
def test_options_of_arms_are_refused(words: tuple[str, ...]) -> None:
    told = refused("ik", PLANAR, "--pose", HOME, *words)
    assert f"{words[0]} is not for a platform on legs" in told


def test_a_position_alone_is_no_pose() -> None:
    assert "expected the pose of the platform: x,y,z,qx,qy,qz,qw" in refused("ik", PLANAR, "--pose", "0,0,0")
    assert "--every-mode is for a platform on legs" in refused("ik", "rx90", "--pose", HOME, "--every-mode")


def test_short_names() -> None:
    assert short_names(["a", "leg1 a, leg2 b", "b"]) == ["a", "leg2 b", "all legs b"]
    assert short_names(["leg1 a, leg2 b", "leg1 b, leg2 b", "a"]) == ["leg1 a, leg2 b", "leg1 b", "all legs a"]
    assert short_names([]) == []


# --- fk ---------------------------------------------------------------------------------------------------------------


def test_all_poses() -> None:
    told = run("fk", PLANAR, "--q", "2.3,2.3,2.3")
    assert told.startswith("planar-3rrr: 2 poses in the plane: all roots of the polynomial of degree six (complete)")
    data = json.loads(run("fk", PLANAR, "--q", "2.3,2.3,2.3", "--json"))
    assert (len(data["pose"]), data["complete"], data["q"]) == (2, True, [2.3] * 3)
    solver = robosym.models.inverse_geometric(robosym.load(PLANAR))
    for pose in data["pose"]:
        apart = np.abs(solver(pose).solutions - 2.3).max(axis=1)
        assert apart.min() < 1e-9


def test_motors_by_name_and_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "q.json"
    path.write_text(json.dumps({"q": [2.2, 2.3005, 2.3005]}))
    by_name = json.loads(run("fk", PLANAR, "--q", "leg1_motor=2.2", "--json"))
    assert by_name == json.loads(run("fk", PLANAR, "--q", str(path), "--json"))
    assert "there is no motor 'arm' (motors: leg1_motor" in fails("fk", PLANAR, "--q", "arm=1")


@pytest.mark.slow
def test_the_pose_near_one() -> None:
    data = json.loads(run("fk", "delta", "--q", "0.3,0.3,0.3", "--near", "0,0,-1,0,0,0,1", "--json"))
    every = json.loads(run("fk", "delta", "--q", "0.3,0.3,0.3", "--json"))["pose"]
    np.testing.assert_allclose(data["pose"], every[0], atol=1e-9)
    assert "working mode elbow_1+ elbow+" in run("fk", "delta", "--q", "0.3,0.3,0.3", "--near", "0,0,-1,0,0,0,1")


def test_motors_that_no_pose_belongs_to(tmp_path: Path) -> None:
    """A platform of this size is not there with all cranks turned outwards."""
    told = run("fk", PLANAR, "--q", "0,0,0", code=1)
    assert told.startswith("planar-3rrr: 0 poses") or "no pose" in told
    assert "no pose was found near this one" in fails("fk", PLANAR, "--q", "0,0,0", "--near", HOME)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("given", ["x", {"leg1_motor": "a"}, {"leg1_motor": [1, 2]}, ["a", 1, 2], [1, 2], None])
def test_motors_that_are_no_numbers(given: object, tmp_path: Path) -> None:
    path = tmp_path / "q.json"
    path.write_text(json.dumps(given))
    assert "q" in fails("fk", PLANAR, "--q", str(path))


def test_what_is_refused() -> None:
    assert "robosym eval rx90 transform --at STATE.json" in fails("fk", "rx90", "--q", "1")
    assert "--q: got 2 numbers, expected 3" in refused("fk", PLANAR, "--q", "1,2")
    assert "it is for --near" in refused("fk", PLANAR, "--q", "1,2,3", "--mode", "elbow+")
    assert "one pose is found, not all" in refused("fk", PLANAR, "--q", "1,2,3", "--near", HOME, "--all-modes")
    assert "expected the pose of the platform" in refused("fk", PLANAR, "--q", "1,2,3", "--near", "0,0,0")
