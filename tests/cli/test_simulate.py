"""``robosym simulate``: what it shows, writes and refuses, beside the Python functions it calls."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import robosym
from robosym import RobosymError, control, simulation
from robosym.cli.app import app
from robosym.cli.simulate import _reference
from robosym.cli.sweep import batch_of
from robosym.trajectory import point_to_point, straight, timed, to_joints

MOVE = {"from": [0.1, -0.2], "to": {"elbow": 0.7, "shoulder": 0.9}, "duration": 0.4}
LAW = ["--control", "computed-torque", "--bandwidth", "15", "--period", "0.002"]


@pytest.fixture
def file(tmp_path: Path) -> Any:
    def made(content: Any, name: str = "move.json") -> str:
        path = tmp_path / name
        path.write_text(json.dumps(content), encoding="utf-8")
        return str(path)

    return made


def run(*words: str) -> str:
    done = CliRunner().invoke(app, ["simulate", *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def expected(**options: Any) -> Any:
    robot = robosym.load("planar-2r")
    law = control.computed_torque(robot, bandwidth=15, period=2e-3)
    return robosym.simulate(robot, law, point_to_point([0.1, -0.2], [0.9, 0.7], "quintic", duration=0.4), **options)


@pytest.mark.slow
def test_a_run_is_that_of_the_function(file: Any, tmp_path: Path) -> None:
    names = [str(tmp_path / name) for name in ("run.npz", "run.svg", "run.html")]
    words = ["planar-2r", "--move", file(MOVE), *LAW, "--noise-q", "1e-4", "--seed", "3", "--delay", "0.002"]
    said = run(*words, "-o", names[0], "--plot", names[1], "--animate", names[2])
    own = expected(noise={"q": 1e-4}, seed=3, delay=2e-3)
    assert said.startswith(own.summary())
    assert said.splitlines()[-1] == f"wrote {' and '.join(names)}"
    saved = simulation.read(names[0])
    for name, values in own.as_arrays().items():
        np.testing.assert_array_equal(saved[name], values)
    assert "<svg" in Path(names[1]).read_text(encoding="utf-8")
    assert "planar-2r" in Path(names[2]).read_text(encoding="utf-8")
    data = json.loads(run(*words, "--json"))
    assert {key: data[key] for key in own.as_dict()} == own.as_dict()


@pytest.mark.slow
def test_options_of_the_law_and_of_the_robot_have_names_of_their_own(file: Any) -> None:
    robot = robosym.load("puma560")
    goal = [0.3, 0.1, -0.2, 0.1, 0.2, 0.1]
    move = file({"from": [0] * 6, "to": goal, "duration": 0.3})
    words = ["puma560", "--move", move, "--control", "computed-torque", "--law-friction", "--no-law-limits"]
    data = json.loads(run(*words, "--friction", "none", "--parameters", "M2=20", "--json"))
    law = control.computed_torque(robot, friction=True, limits=False)
    goes = point_to_point([0] * 6, goal, "quintic", duration=0.3)
    own = robosym.simulate(robot, law, goes, friction=False, parameters={"M2": 20})
    assert data["measures"] == own.as_dict()["measures"]
    assert data["settings"]["parameters"] == {"M2": 20}


def test_a_motion_by_itself(file: Any) -> None:
    state = file({"q": [1.2, 0.3], "qd": [0.0, 0.5]}, "state.json")
    said = run("double-pendulum", "--duration", "0.5", "--start", state, "--friction", "none")
    own = robosym.simulate(robosym.load("double-pendulum"), q=[1.2, 0.3], qd=[0.0, 0.5], duration=0.5, friction=False)
    assert said.strip() == own.summary()
    assert "Nothing drives it: the energy" in said


def test_a_start_in_a_file_and_on_the_line(file: Any) -> None:
    state = file({"q": [1.2, 0.3], "parameters": {"M1": 2.0, "M2": 0.5}}, "state.json")
    words = ["--duration", "0.2", "--friction", "none", "--json"]
    data = json.loads(run("double-pendulum", *words, "--start", state, "--qd", "0,0.5", "--parameters", "M1=3"))
    values = {"M1": 3.0, "M2": 0.5}
    robot = robosym.load("double-pendulum")
    own = robosym.simulate(robot, q=[1.2, 0.3], qd=[0, 0.5], duration=0.2, friction=False, parameters=values)
    assert data["settings"]["parameters"] == values
    assert data["measures"] == own.as_dict()["measures"]
    done = CliRunner().invoke(app, ["simulate", "double-pendulum", *words, "--start", state, "--q", "0,0"])
    assert done.exit_code == 2
    assert "has q too" in done.output


def test_noise_by_name_and_alone(file: Any) -> None:
    """--noise takes numbers by name, --noise-q also one for each joint."""
    words = ["planar-2r", "--move", file(MOVE), *LAW, "--step", "0.001", "--json"]
    named = json.loads(run(*words, "--noise", "q=1e-3,qd=0.01", "--seed", "2"))
    alone = json.loads(run("--seed", "2", *words, "--noise-q", "1e-3,1e-3", "--noise-qd", "0.01"))
    assert named["measures"] == alone["measures"]
    assert named["measures"] != json.loads(run(*words, "--seed", "2"))["measures"]


@pytest.mark.parametrize("flag", ["--mode", "--law-mode"])
def test_the_assembly_mode_is_that_of_the_law_and_of_the_robot(file: Any, flag: str) -> None:
    robot = robosym.load("five-bar")
    mode = robosym.models.MODELS["loop-geometry"](robot).modes[1]
    words = ["five-bar", "--move", file({"hold": [-1.2, -1.4]}), "--law", "pd-gravity", flag, mode]
    words += ["--q", "-1.2,-1.4", "--duration", "0.01"]
    assert json.loads(run(*words, "--json"))["settings"]["mode"] == mode


def test_a_position_to_hold(file: Any) -> None:
    words = ["--duration", "0.1", "--q", "0,0", "--json"]
    held = json.loads(run("planar-2r", "--move", file({"hold": [0.3, 0.2]}), *LAW, *words))
    assert held["joint_measures"]["largest error"] == pytest.approx([0.3, 0.2])


@pytest.mark.slow
def test_a_line_to_follow(file: Any) -> None:
    """A law in space follows it from where it starts; for a law of the joints it becomes their motion."""
    robot, q0 = robosym.load("puma560"), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    A = robosym.models.transform(robot).compile()(q=q0)
    B = A.copy()
    B[:3, 3] += [-0.02, 0.02, 0.02]
    move = file({"straight": [A.tolist(), B.tolist()], "linear": [0.5, 2.0], "angular": [1.0, 4.0]})
    line = timed(straight(A, B), linear=(0.5, 2.0), angular=(1.0, 4.0), profile="quintic")
    words = ["puma560", "--move", move, "--friction", "none", "--json"]
    task = json.loads(run(*words, "--control", "resolved-acceleration"))
    assert task["duration"] == pytest.approx(line.duration, abs=1e-3)
    assert task["measures"]["largest position error"] < 1e-4
    joints = _reference(robot, control.pd_gravity(robot), move, {}, {"q": q0})
    np.testing.assert_array_equal(joints.coefficients, to_joints(robot, line, seed=q0).coefficients)


def test_a_sweep_shows_the_best_and_the_worst(file: Any, tmp_path: Path) -> None:
    words = ["planar-2r", "--move", file(MOVE), *LAW, "--sweep", "bandwidth=5:40:8", "--sweep", "M2=1,2", "--q", "0,0"]
    said = run(*words, "--threads", "1", "--plot", str(tmp_path / "sweep.svg"), "-o", str(tmp_path / "runs.csv"))
    batch = {"bandwidth": np.repeat(np.linspace(5, 40, 8), 2), "M2": np.tile([1.0, 2.0], 8)}
    own = expected(batch=batch, q=[0, 0])
    assert own.summary() in said
    rows = [line.split() for line in said.splitlines() if line.strip() and line.split()[0].isdecimal()]
    ranked = [int(row[0]) for row in rows if len(row) == 5]
    order = np.argsort(own.measure("rms error"), kind="stable")
    assert ranked == [*order[:5], *order[-5:]]
    assert len(simulation.read(tmp_path / "runs.csv")["run"]) == own.q.shape[0] * own.q.shape[1]
    data = json.loads(run(*words, "--json", "--measure", "peak torque"))
    assert data["measure"] == "peak torque"
    np.testing.assert_allclose(data["measures"]["peak torque"], own.measure("peak torque"), rtol=1e-12)


def test_ranges() -> None:
    assert batch_of([]) == {}
    np.testing.assert_array_equal(batch_of(["a=1:3:3"])["a"], [1, 2, 3])
    found = batch_of(["a=1,5", "b=0:1:2"])
    assert [x.tolist() for x in found.values()] == [[1, 1, 5, 5], [0, 1, 0, 1]]


def test_what_is_wrong_with_the_loop_is_said(file: Any) -> None:
    fast = ["--control", "computed-torque", "--bandwidth", "700", "--period", "0.002"]
    said = run("planar-2r", "--move", file(MOVE), *fast)
    assert "\nWarning: " in said


USAGE: list[tuple[list[str], str]] = [
    (["--control", "magic"], "there is no law 'magic' (laws: computed-torque"),
    (["--control", "pid"], "a law follows a move"),
    (["--move", "move.json"], "without a law nothing follows it"),
    ([], "--duration: expected seconds"),
    (["--duration", "1", "--friction", "some"], "option --friction: got 'some', expected stick, smooth"),
    (["--duration", "1", "-o", "run.txt"], "ends in one of .csv, .parquet, .npz"),
    (["--duration", "1", "--animate", "run.png"], "ends in .html"),
    (["--duration", "1", "--animate", "run.html", "--sweep", "M2=1:2:3"], "a sweep has many"),
    (["--duration", "1", "--sweep", "M2"], "expected NAME=FROM:TO:COUNT"),
    (["--duration", "1", "--sweep", "M2=1:2"], "expected NAME=FROM:TO:COUNT"),
    (["--duration", "1", "--sweep", "M2=1:2:0"], "got the count '0'"),
    (["--duration", "1", "--sweep", "M2=1:2:9999", "--sweep", "M1=1:2:9999"], "99980001 runs"),
    (["--duration", "1", "--sweep", "M2=1:2:3", "--sweep", "M2=1"], "given twice"),
    (["--duration", "1", "--sweep", "M2=1:2:3", "--measure", "beauty"], "there is no 'beauty' (measures: rms error"),
    (["--duration", "1", "--sweep", "M2=1:2:3", "--measure", "rms error"], "of a law that follows positions"),
    (["--duration", "1", "--measure", "work"], "compares the runs of a sweep"),
    (["--duration", "1", "--bandwidth", "3"], "no option --bandwidth"),
    (["--duration", "1", "--stp", "3"], "no option --stp (did you mean --step?)"),
    (["--duration", "1", "--step", "-3"], "expected a number above 0"),
    (["--move", "m.json", "--control", "impedance"], "expected --inertia and --stiffness too"),
    (["--duration", "1", "--q", "1,x"], "expected numbers"),
]


@pytest.mark.mostly_slow(fast=8)
@pytest.mark.parametrize(("words", "message"), USAGE, ids=[" ".join(words) or "nothing" for words, _ in USAGE])
def test_wrong_usage_is_said(words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["simulate", "planar-2r", *words])
    assert done.exit_code == 2, done.output
    assert message in " ".join(done.output.split())
    assert not list(tmp_path.iterdir())


PROBLEMS: list[tuple[Any, list[str], str]] = [
    ({"hold": [1, 2, 3]}, ["--duration", "1"], "expected 2 numbers"),
    ({"hold": [0, 0]}, [], "duration: expected seconds"),
    ({"straight": [[0, 0, 1]], "linear": [1, 1]}, [], "straight: expected two poses"),
    ({"holding": [0, 0]}, [], "unknown field 'holding'"),
    (MOVE, ["--step", "0.0007"], "does not divide the period"),
    (MOVE, ["--sweep", "speed=1:2:3"], "nothing is called 'speed'"),
    (MOVE, ["--plot", "run.gif"], "a picture ends in one of"),
    (MOVE, ["-o", "nowhere/run.csv"], "there is no folder"),
    (MOVE, ["-o", "folder.csv"], "this is a folder"),
    (MOVE, ["--q", "1"], "q: expected 2 numbers"),
]


@pytest.mark.parametrize(("content", "words", "message"), PROBLEMS, ids=[message for *_, message in PROBLEMS])
def test_what_is_wrong_is_said_and_nothing_written(
    file: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: Any, words: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.csv").mkdir()
    line = ["planar-2r", "--move", file(content), *LAW, "--animate", "run.html"]
    line = line[:-2] if "--sweep" in words else line
    done = CliRunner().invoke(app, ["simulate", *line, *words])
    assert isinstance(done.exception, RobosymError), done.output
    assert message in str(done.exception)
    shutil.rmtree(tmp_path / "folder.csv")
    assert [one.name for one in tmp_path.iterdir()] == ["move.json"]
