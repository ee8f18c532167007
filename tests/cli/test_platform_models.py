"""Models of platforms on legs on the command line: counted, evaluated, explained; and states that are none."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from sweeps import some
from typer.testing import CliRunner

import robosym
from robosym.cli.app import app

PLANAR = "planar-3rrr"
HOME = [0.01, 0.02, 0, 0, 0, 0, 1]
STATE = {"pose": HOME, "twist": [0.1, 0, 0, 0, 0, 0.2], "twist_rate": [0, 0.3, 0, 0, 0, 0.1]}


def run(*words: str, stdin: str = "", code: int = 0) -> str:
    done = CliRunner().invoke(app, list(words), input=stdin, catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done.stdout


def evaluated(state: dict, *words: str) -> dict:
    out = run("eval", *words, "--at", "-", "--json", stdin=json.dumps(state))
    return json.loads(out)["outputs"]


def refused(*words: str) -> str:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 2, done.output
    return " ".join(done.stderr.split())


def fails(*words: str, stdin: str = "") -> str:
    with pytest.raises(robosym.RobosymError) as caught:
        CliRunner().invoke(app, list(words), input=stdin, catch_exceptions=False)
    return str(caught.value)


def at(state: dict, *words: str) -> str:
    """The sentence about a state that is none, the same with and without JSON."""
    told = fails("eval", *words, "--at", "-", stdin=json.dumps(state))
    assert told == fails("eval", *words, "--at", "-", "--json", stdin=json.dumps(state))
    return told


# --- models -----------------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(
    "name", some([name for name in robosym.models.models_of(robosym.load(PLANAR)) if name != "expanded"], 3)
)
def test_every_model_is_counted_and_explained(name: str) -> None:
    model = robosym.models.MODELS[name](robosym.load(PLANAR))
    assert json.loads(run("count", PLANAR, name, "--json"))["operations"] == model.operations.as_dict()
    assert run("explain", PLANAR, name) == model.explain()


@pytest.mark.slow
def test_from_the_platform_and_from_its_motors() -> None:
    """The same torques, through either coordinates: q, qd, qdd of the motors follow from the platform's motion."""
    robot = robosym.load(PLANAR)
    tau = evaluated(STATE, PLANAR, "inverse-dynamics")
    assert tau["assembled"] == 1
    qd = evaluated(STATE, PLANAR, "velocities")
    qdd = evaluated(STATE, PLANAR, "accelerations")
    (q, *_) = robosym.models.inverse_geometric(robot)(HOME).solutions
    motors = {"q": q.tolist(), "qd": qd["qd"], "qdd": qdd["qdd"]}
    found = evaluated(motors, PLANAR, "inverse-dynamics", "--coordinates", "motors")
    np.testing.assert_allclose(found["tau"], tau["tau"], atol=1e-9)
    np.testing.assert_allclose(found["pose"], HOME, atol=1e-9)
    again = evaluated({**motors, "start": found["pose"]}, PLANAR, "inverse-dynamics", "--coordinates", "motors")
    np.testing.assert_allclose(again["tau"], tau["tau"], atol=1e-9)


@pytest.mark.slow
def test_one_state_serves_models_of_both_coordinates() -> None:
    (q, *_) = robosym.models.inverse_geometric(robosym.load(PLANAR))(HOME).solutions
    state = {**STATE, "q": q.tolist(), "qd": [0.0] * 3, "qdd": [0.0] * 3, "start": HOME}
    assert evaluated(state, PLANAR, "gravity")["assembled"] == 1
    assert evaluated(state, PLANAR, "gravity", "--coordinates", "motors")["assembled"] == 1


def test_a_count_says_what_an_iteration_costs() -> None:
    told = run("count", PLANAR, "direct-geometric")
    assert "each time: step of the platform" in told
    counts = json.loads(run("count", PLANAR, "direct-geometric", "--json"))
    assert counts["iterated"]["step of the platform"]["mul"] > 0
    assert "iterated" not in json.loads(run("count", PLANAR, "gravity", "--json"))


def test_options_that_only_a_platform_has() -> None:
    motors, platform = (
        json.loads(run("count", PLANAR, "inverse-dynamics", "--forces", word, "--json"))
        for word in ("motors", "platform")
    )
    assert motors["operations"] != platform["operations"]
    done = CliRunner().invoke(app, ["count", "planar-2r", "inverse-dynamics", "--forces", "platform"])
    assert done.exit_code == 1
    assert "forces: got 'platform': only models of a platform on legs have this option" in str(done.exception)
    assert "did you mean --forces?" in refused("count", PLANAR, "inverse-dynamics", "--force", "platform")


# --- states that are none ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_pose_out_of_reach() -> None:
    told = at({**STATE, "pose": [5, 0, 0, 0, 0, 0, 1]}, PLANAR, "inverse-dynamics")
    assert told.startswith("planar-3rrr: the platform cannot be at this pose in mode 'elbow+': leg1 misses its seat by")
    assert "loop" not in told


@pytest.mark.slow
def test_a_pose_and_motions_that_the_legs_do_not_allow() -> None:
    lifted = at({**STATE, "pose": [0, 0, 0.1, 0, 0, 0, 1]}, PLANAR, "inverse-dynamics")
    assert "misses its seat" in lifted
    for name in ("twist", "twist_rate"):
        told = at({**STATE, name: [0, 0, 1, 0, 0, 0]}, PLANAR, "inverse-dynamics")
        assert told == f"planar-3rrr: the {name} is no motion of the platform, which has vx, vy, wz alone"


def test_a_quaternion_that_is_none() -> None:
    told = at({"pose": [0, 0, 1, 0, 0, 0, 2]}, "gough-stewart", "jacobian-inverse")
    assert told == "-: pose: the quaternion qx qy qz qw has length 2, expected 1 (pose is x y z qx qy qz qw)"


def turned(angle: float) -> list[float]:
    return [0, 0, 0, 0, 0, math.sin(angle / 2), math.cos(angle / 2)]


@pytest.mark.slow
def test_a_singular_pose() -> None:
    """Turned so far that the lines of the three rods meet in the centre, the platform turns about it with the motors held."""
    f = robosym.models.jacobian_inverse(robosym.load(PLANAR)).compile()
    low, high = 0.6, 0.7
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if f(pose=turned(middle))["J_inv"][0, 5] < 0 else (low, middle)
    told = at({"pose": turned(low)}, PLANAR, "jacobian")
    assert told.startswith(
        "planar-3rrr: J is without meaning at this state: singularity of type 2: with all motors held"
    )
    assert evaluated({"pose": turned(low)}, PLANAR, "jacobian-inverse")["assembled"] == 1


@pytest.mark.slow
def test_motors_without_a_pose() -> None:
    state = {"q": [0.0, 0.0, 2.0]}
    told = at(state, PLANAR, "gravity", "--coordinates", "motors")
    assert told.startswith(
        "planar-3rrr: no pose of the platform with these motor positions was found from the pose of the"
    )
    assert "robosym fk planar-3rrr --q" in told


# --- the robot itself -------------------------------------------------------------------------------------------------


def test_check_looks_at_the_platform(tmp_path: Path) -> None:
    path = tmp_path / "robot.toml"
    robosym.save(robosym.load(PLANAR), path)
    assert run("check", str(path)).strip().endswith("1 platform on 3 legs: no problems")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("active = false", "active = true", 1), encoding="utf-8")
    told = fails("check", str(path))
    assert "over-actuated by 1" in told
    assert told.startswith(str(path))


def test_the_same_robot_with_closed_loops(tmp_path: Path) -> None:
    path = tmp_path / "loops.toml"
    run("convert", PLANAR, str(path), "--closed-loops")
    robot = robosym.load(str(path))
    assert (robot.structure, robot.loops, robot.platforms) == ("closed", 2, ())


def test_mobility() -> None:
    told = run("mobility", PLANAR).splitlines()
    assert told[0] == "planar-3rrr: read as a robot with closed loops, one for each leg of a platform after the first"
    assert told[1] == "planar-3rrr: 9 joints, 2 loops, mobility 3"
    assert "with the dimension of each loop's own motions: 9 - 3 - 3 = 3" in told
    assert json.loads(run("mobility", "gough-stewart", "--json"))["mobility"] == 6


@pytest.mark.slow
def test_simulations_and_laws_have_the_motors() -> None:
    assert run("simulate", PLANAR, "--q", "2.3,2.3,2.3", "--duration", "0.01").startswith(
        "planar-3rrr: 0.01 s in 11 instants"
    )
    code = run("generate", PLANAR, "controller", "--law", "computed-torque")
    assert "leg3_motor" in code
    assert "assembled" in code


def test_a_move_of_the_motors_is_planned(tmp_path: Path) -> None:
    move = tmp_path / "move.json"
    move.write_text(json.dumps({"from": [2.3] * 3, "to": [2.2, 2.3, 2.4]}))
    found = json.loads(run("trajectory", PLANAR, "--move", str(move), "--duration", "1", "--json"))
    assert list(robosym.load(PLANAR).joint_names) == found["joints"]
