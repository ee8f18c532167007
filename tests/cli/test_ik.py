"""``robosym ik`` as a person uses it."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import robosym
from robosym.cli.app import app
from robosym.cli.pose import read_pose
from robosym.models import transform


def run(*words: str, stdin: str = "", code: int = 0) -> str:
    done = CliRunner().invoke(app, ["ik", *words], input=stdin, catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done.stdout


def refused(*words: str) -> str:
    done = CliRunner().invoke(app, ["ik", *words])
    assert done.exit_code == 2, done.output
    return " ".join(done.stderr.split())


def fails(*words: str, stdin: str = "") -> str:
    with pytest.raises(robosym.RobosymError) as caught:
        CliRunner().invoke(app, ["ik", *words], input=stdin, catch_exceptions=False)
    return str(caught.value)


def test_solutions_in_degrees_and_radians() -> None:
    said = run("planar-2r", "--pose", "0.9,0,0")
    assert "planar-2r, paul: reachable, 1 solution\n" in said
    assert "shoulder (deg)" in said
    assert "elbow (rad)" in said
    assert "extension (m)" in run("stanford", "--pose", "0.3,0.2,0.4,0,0,0,1")


def test_out_of_reach_is_exit_code_1_and_a_distance() -> None:
    assert "out of reach: the arm stays 0.6 m away" in run("planar-2r", "--pose", "-1.5,0,0", code=1)
    data = json.loads(run("planar-2r", "--pose", "1.5,0,0", "--json", code=1))
    assert (data["status"], data["solutions"]) == ("out of reach", [])
    assert data["distance"] == pytest.approx(0.6)


def test_a_position_in_place_of_a_whole_pose_is_explained() -> None:
    said = refused("palletizer", "--pose", "1.3,0.2,0.5")
    assert "got a position x,y,z, and the whole pose of this frame is solved for: expected x,y,z,qx,qy,qz,qw" in said


@pytest.mark.slow
def test_json_has_the_solutions(tmp_path: Path) -> None:
    q = [0.4, -0.5, 0.6, 0.7, -0.8, 0.9]
    T = transform(robosym.load("puma560")).compile()(q=q)
    file = tmp_path / "T.json"
    file.write_text(json.dumps(T.tolist()))
    (tmp_path / "q.json").write_text(json.dumps({"q": q}))
    data = json.loads(run("puma560", "--pose", str(file), "--seed", str(tmp_path / "q.json"), "--json", "--explain"))
    assert len(data["solutions"]) == 8
    assert np.allclose(data["solutions"][0], q)
    assert data["joint_names"][0] == "waist"
    assert data["derivation"]["branches"] == 8
    assert (
        json.loads(run("puma560", "--pose", "-", "--json", stdin=json.dumps({"T": T.tolist()})))["status"]
        == "reachable"
    )


@pytest.mark.slow
def test_a_given_joint_limits_and_a_singular_pose() -> None:
    said = run("panda", "--pose", "0.5,0.3,0.4,1,0,0,0", "--given", "panda_joint7=0.3", "--limits")
    assert "panda_joint6 (deg)" in said
    assert "panda_joint7" not in said
    pose = json.dumps(transform(robosym.load("puma560")).compile()(q=[0.1, 0.2, 0.3, 0.4, 0, 0.5]).tolist())
    assert "singular" in (said := run("puma560", "--pose", "-", "--seed", "0,0,0,0,0,0", stdin=pose))
    assert "wrist_roll may have any value" in said


def test_ways_to_say_a_pose(tmp_path: Path) -> None:
    half = math.sqrt(0.5)
    file = tmp_path / "pose.json"
    poses = [read_pose(f"1,2,3,0,0,{half},{half}")]
    for data in ({"position": [1, 2, 3], "rpy": [0, 0, math.pi / 2]}, [1, 2, 3, 0, 0, half, half]):
        file.write_text(json.dumps(data))
        poses.append(read_pose(str(file)))
    file.write_text(json.dumps({"position": [1, 2, 3], "quaternion": [0, 0, half, half]}))
    poses.append(read_pose(str(file)))
    for pose in poses:
        assert np.allclose(pose, [[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]])
    file.write_text(json.dumps({"position": [0, 0, 0], "rpy": [0.1, 0.2, 0.3]}))
    R = np.array(read_pose(str(file)))[:3, :3]
    assert np.allclose(R @ R.T, np.eye(3))
    assert math.atan2(R[2, 1], R[2, 2]) == pytest.approx(0.1)
    assert math.asin(-R[2, 0]) == pytest.approx(0.2)
    assert math.atan2(R[1, 0], R[0, 0]) == pytest.approx(0.3)


@pytest.mark.slow
def test_what_is_wrong_is_said() -> None:
    assert "got 4 numbers, expected 3 or 7" in refused("puma560", "--pose", "1,2,3,4")
    assert "expected joint=value" in refused("panda", "--pose", "1,2,3,0,0,0,1", "--given", "panda_joint7")
    assert "expected numbers" in refused("panda", "--pose", "1,2,3,0,0,0,1", "--given", "panda_joint7=x")
    assert "length 2, expected 1" in fails("puma560", "--pose", "1,2,3,0,0,0,2")
    assert "not JSON" in fails("puma560", "--pose", "-", stdin="{")
    assert "expected three numbers" in fails("puma560", "--pose", "-", stdin='{"position": [1, 2]}')
    assert "got place" in fails("puma560", "--pose", "-", stdin='{"place": [1, 2, 3]}')
    assert "7 joints move the frame" in fails("panda", "--pose", "1,2,3,0,0,0,1")
    assert "--method" in refused("puma560", "--pose", "1,2,3,0,0,0,1", "--method", "magic")
    assert "not orthonormal" in fails("puma560", "--pose", "-", stdin="[[1,0,0,0],[0,1,0,0],[0,0,2,0],[0,0,0,1]]")


@pytest.mark.slow
def test_a_tool_and_a_reference(tmp_path: Path) -> None:
    q = [0.4, -0.5, 0.6, 0.7, -0.8, 0.9]
    tool = [[0, -1, 0, 0.1], [1, 0, 0, 0], [0, 0, 1, 0.2], [0, 0, 0, 1]]
    file = tmp_path / "T.json"
    T = transform(robosym.load("puma560"), reference="world", tool=tool).compile()(q=q)
    file.write_text(json.dumps(T.tolist()))
    words = ("puma560", "--pose", str(file), "--reference", "world", "--tool", json.dumps(tool), "--json")
    assert any(np.allclose(found, q) for found in json.loads(run(*words))["solutions"])
    assert "reference: got 3" in fails("puma560", "--pose", str(file), "--reference", "3")
    assert "expected a pose (4 x 4), a point" in fails("puma560", "--pose", str(file), "--tool", "[1, 2]")


@pytest.mark.slow
def test_closed_loops() -> None:
    """The columns are the motors; the mode is the one that the line names or that is near."""
    robot = robosym.load("sr400")
    q = [0.3, 0.4, 0.5, 0.8, 0.2, 0.1]
    pose = json.dumps(transform(robot).evaluate(q=q).tolist())
    found = json.loads(run("sr400", "--pose", "-", "--json", stdin=pose))
    assert found["mode"] == "parallel"
    assert found["joint_names"] == list(robot.joint_names)
    assert np.abs(np.array(found["solutions"]) - q).max(axis=1).min() < 1e-9
    assert "sr400, paul, mode parallel: reachable, 8 solutions" in run("sr400", "--pose", "-", stdin=pose)
    place = transform(robosym.load("four-bar"), mode="cut-").evaluate(q=[0.7])["T"][:3, 3]
    words = ("four-bar", "--pose", ",".join(map(repr, place.tolist())), "--json")
    named = json.loads(run(*words, "--mode", "cut-"))
    assert np.abs(np.array(named["solutions"]) - 0.7).min() < 1e-9
    assert json.loads(run(*words, "--near", "crank=1,coupler=-2.5")) == named
    run(*words, "--mode", "cut+", code=1)
    assert "expected one of 'cut+', 'cut-'" in fails(*words, "--mode", "sideways")
    assert "--near: got 'crank', expected joint=value" in refused(*words, "--near", "crank")
    assert "--near: 'crank' is given twice" in refused(*words, "--near", "crank=1,crank=2")


def test_the_frame_is_named_and_what_is_fixed_on_it(tmp_path: Path) -> None:
    """Of several fixed frames none is the tip: which frame the pose is of must be said."""
    toml = "".join(
        f'[[frame]]\nname = "link{j}"\nalpha = "{alpha}"\nd = {d}\n'
        for j, (alpha, d) in enumerate([("0", 0), ("pi/2", 0.1), ("0", 0.4)], 1)
    )
    fixed = "".join(
        f'[[frame]]\nname = "{name}"\nantecedent = 3\nsigma = "fixed"\nd = 0.3\n' for name in ("flange", "tcp")
    )
    (tmp_path / "arm.toml").write_text(toml + fixed)
    words = (str(tmp_path / "arm.toml"), "--pose", "3,0,0,0,0,0,1")
    assert "pose of frame link3; fixed on it, for --frame: flange, tcp" in run(*words, code=1)
    assert "pose of frame tcp\n" in run(*words, "--frame", "tcp", code=1)
    shown = CliRunner().invoke(app, ["show", str(tmp_path / "arm.toml")])
    assert "unless --frame says another: link3" in shown.output


def test_solutions_by_their_number() -> None:
    arm = robosym.load("rx90")
    found = robosym.models.inverse_geometric(arm)(robosym.models.geometric(arm).compile()(q=[0.1] * 6))
    assert len(list(found)) == len(found) == 8
    np.testing.assert_array_equal(found[-1], found.solutions[7])
