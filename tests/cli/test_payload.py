"""``--payload`` on the commands that take a robot, and symbolic tools in ``robosym ik``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import robosym
from robosym import models
from robosym.cli.app import app

Q = [0.3, -0.4, 0.5, 0.6, -0.7, 0.8]


def run(*words: str, stdin: str = "") -> str:
    done = CliRunner().invoke(app, list(words), input=stdin, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def refused(*words: str) -> str:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 2, done.output
    return " ".join(done.stderr.split())


def gravity(*payload: str, **parameters: float) -> np.ndarray:
    words = [word for one in payload for word in ("--payload", one)]
    state = json.dumps({"q": Q, "parameters": parameters} if parameters else {"q": Q})
    return np.array(
        json.loads(run("eval", "ur5", "gravity", "--at", "-", "--json", *words, stdin=state))["outputs"]["Q"]
    )


def test_parameters_and_numbers_are_the_same_body() -> None:
    robot = robosym.load("ur5").with_payload("link6", 2.0, (0.1, 0.0, 0.2))
    expected = models.gravity(robot).compile()(q=Q)
    np.testing.assert_allclose(gravity("link6,2,0.1,0,0.2"), expected, atol=1e-12)
    np.testing.assert_allclose(gravity("link6", load=2, load_x=0.1, load_z=0.2), expected, atol=1e-12)
    np.testing.assert_allclose(gravity("link6"), gravity(), atol=1e-12)


def test_several() -> None:
    robot = robosym.load("ur5").with_payload("link6", 2.0).with_payload("link4", 1.0).with_payload("link5", 3.0)
    expected = models.gravity(robot).compile()(q=Q)
    np.testing.assert_allclose(gravity("link6", "link4,1", "link5", load=2, load2=3), expected, atol=1e-12)


@pytest.mark.parametrize(("text", "count"), [("link6,2", 0), ("link6,2,0,0,0.1,1,1,1", 0), ("link6", 4)])
def test_code_takes_parameters_or_has_numbers(text: str, count: int) -> None:
    source = run("generate", "ur5", "gravity", "--payload", text, "--to", "c", "--name", "g")
    names = [name for name in ("load", "load_x", "load_y", "load_z") if f"] {name} (" in source]
    assert len(names) == count


def test_it_is_in_counts_steps_and_descriptions(tmp_path: Path) -> None:
    counted = json.loads(run("count", "rx90", "inverse-dynamics", "--payload", "link6", "--json"))
    assert counted["operations"] == json.loads(run("count", "rx90", "inverse-dynamics", "--json"))["operations"]
    assert "load_x" in run("explain", "planar-2r", "gravity", "--payload", "tip")
    assert "dQ_dload" in run("explain", "planar-2r", "gravity", "--payload", "tip", "--by", "load")
    assert "load_ZZ" in run("show", "planar-2r", "--payload", "tip")
    target = tmp_path / "loaded.toml"
    run("convert", "planar-2r", str(target), "--payload", "tip,2")
    assert "no problems" in run("check", str(target), "--payload", "tip")


def test_a_simulation_falls_with_it(tmp_path: Path) -> None:
    def positions(*words: str) -> np.ndarray:
        file = str(tmp_path / "run.npz")
        run("simulate", "planar-2r", "--duration", "0.1", "--q", "0.3,0.4", "-o", file, *words)
        with np.load(file) as found:
            return np.array(found["q"])

    late = positions("--payload", "tip", "--parameters", "load=2,load_ZZ=0.1")
    np.testing.assert_allclose(late, positions("--payload", "tip,2,0,0,0,0.1,0.1,0.1"), atol=1e-12)
    assert np.abs(late - positions()).max() > 1e-4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("link6,two", "--payload: got 'two', expected numbers"),
        ("link6,1,2", "--payload: got 2 numbers, expected 1 or 4 or 7 or 10"),
        (",2", "expected FRAME or FRAME,MASS,X,Y,Z"),
        ("link6,nan", "expected finite numbers"),
    ],
)
def test_what_is_wrong_is_named(text: str, said: str) -> None:
    assert said in refused("count", "ur5", "gravity", "--payload", text)


def test_what_no_body_is() -> None:
    for text, said in (("lnk6", "did you mean 'link"), ("link6,-1", "mass: got -1.0, expected a number of at least 0")):
        with pytest.raises(robosym.RobosymError, match=said):
            CliRunner().invoke(app, ["count", "ur5", "gravity", "--payload", text], catch_exceptions=False)


# --- tools of ik -----------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(("robot", "tool"), [("ur5", "0.05,0,LT"), ("sr400", "0.05,0,LT,0,0,0.6,0.8")])
def test_ik_with_a_symbolic_tool(robot: str, tool: str) -> None:
    """Every solution brings the tool to the pose, by forward geometry."""
    words = ("--tool", tool, "--parameters", "LT=0.12", "--json")
    loaded = robosym.load(robot)
    given = [0.05, 0, 0.12, *([] if tool.endswith("LT") else [0, 0, 0.6, 0.8])]
    forward = models.transform(loaded, tool=given).compile()
    T = forward(q=[0.2, -0.3, 0.3, 0.5, 0.4, 0.1])
    T = T["T"] if isinstance(T, dict) else T
    pose = json.dumps({"T": T.tolist()})
    found = json.loads(run("ik", robot, "--pose", "-", *words, stdin=pose))["solutions"]
    assert found
    for q in found:
        reached = forward(q=q["q"] if isinstance(q, dict) else q)
        np.testing.assert_allclose(reached["T"] if isinstance(reached, dict) else reached, T, atol=1e-9)


@pytest.mark.slow
def test_ik_and_fk_of_a_platform_with_a_tool() -> None:
    pose = "0.02,0.01,-0.7,0,0,0,1"
    found = json.loads(run("ik", "delta", "--pose", pose, "--tool", "0,0,LT", "--parameters", "LT=0.1", "--json"))
    plain = json.loads(run("ik", "delta", "--pose", "0.02,0.01,-0.8,0,0,0,1", "--json"))
    np.testing.assert_allclose(found["solutions"], plain["solutions"], atol=1e-12)
    motors = ",".join(map(repr, found["solutions"][0]))
    poses = json.loads(run("fk", "delta", "--q", motors, "--tool", "0,0,0.1", "--json"))["pose"]
    assert min(np.abs(np.array(one[:3]) - [0.02, 0.01, -0.7]).max() for one in poses) < 1e-9


def test_ik_without_a_value_of_its_tool() -> None:
    with pytest.raises(robosym.RobosymError, match="without a value: LT"):
        CliRunner().invoke(
            app, ["ik", "ur5", "--pose", "0.4,0.1,0.4,0,0,0,1", "--tool", "0,0,LT"], catch_exceptions=False
        )
