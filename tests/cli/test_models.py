"""Every model through every command that takes one."""

from __future__ import annotations

import contextlib
import io
import json
import sys
import warnings
from dataclasses import replace
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from robots_with import robot_with
from sweeps import some

import robosym
from robosym import published
from robosym.cli import main
from robosym.cli.options import split
from robosym.expr import expr
from robosym.models.catalogue import declaration_of
from robosym.options.signatures import options_of
from robosym.program.routine import Routine
from robosym.robot import FIXED, Actuator, Friction, Motor, Robot

STATE = {"q": [0.3, -0.5], "qd": [0.7, 0.2], "qdd": [0.1, -0.4], "tau": [1.0, 2.0]}


def run(*words: str, stdin: str = "") -> str:
    """A command in this process (``test_cli`` starts the real one): what it prints."""
    printed, problems = io.StringIO(), io.StringIO()
    with (
        mock.patch.multiple(sys, argv=["robosym", *words], stdin=io.StringIO(stdin)),
        warnings.catch_warnings(),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(problems),
        pytest.raises(SystemExit) as done,
    ):
        main()
    assert not done.value.code, problems.getvalue()
    return printed.getvalue()


CLOSED = "five-bar"  # with two driven joints, like planar-2r


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("name", robosym.models.MODELS)
def test_count_generate_explain_and_eval(name: str, tmp_path: Path) -> None:
    own = robot_with(name, "planar-2r", CLOSED)
    robot = own.name
    if robot.startswith(("flexible", "sprung")):  # not built in
        robot = str(tmp_path / "own.toml")
        robosym.save(own, robot)
    model = robosym.models.MODELS[name](robosym.load(robot))
    counts = json.loads(run("count", robot, name, "--json"))
    assert counts["operations"] == model.operations.as_dict()
    assert counts["model"] == name
    if name in some(robosym.models.MODELS, 3):
        assert run("generate", robot, name, "--to", "c") == model.source("c")
        assert run("explain", robot, name) == model.explain()
    state = {a.name: [0.5 + 0.1 * i for i in range(a.shape[0])] for a in model.code.inputs if len(a.shape) == 1}
    state |= {key: values for key, values in STATE.items() if len(values) == len(state.get(key, values))}
    state |= {"dt": 0.01} if any(array.name == "dt" for array in model.code.inputs) else {}
    if model.drawing is not None:  # positions at which a platform is on its legs
        drawn = model.random_state(np.random.default_rng(0))
        state = {name: np.asarray(x).tolist() for name, x in {**model.defaults, **drawn}.items()}
    elif isinstance(model.code, Routine):
        state["T"] = robosym.models.transform(model.robot).evaluate(q=STATE["q"]).tolist()
    outputs = json.loads(run("eval", robot, name, "--at", "-", "--json", stdin=json.dumps(state)))["outputs"]
    given = {array.name: state[array.name] for array in model.code.inputs if array.name in state}
    used = {symbol.name for symbol in model.code.parameter_symbols}
    expected = model.code.call(
        **{**model.defaults, **given},
        **{array: np.zeros(shape) for array, shape in _optional_shapes(model)},
        parameters={key: value for key, value in model.values.items() if key in used},
    )
    assert set(outputs) == set(expected)
    for key, value in expected.items():
        np.testing.assert_allclose(outputs[key], value, rtol=1e-12, atol=1e-12)


def _optional_shapes(model: robosym.Model) -> list[tuple[str, tuple[int, ...]]]:
    return [
        (array.name, array.shape)
        for array in model.code.inputs
        if array.name in model.optional and len(array.shape) > 1
    ]


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("model", ["geometric", "inverse-dynamics", "inverse-geometric", "loop-geometry"])
def test_closed_loops_are_assembled_as_the_line_says(model: str) -> None:
    named = run("generate", "four-bar", model, "--to", "c", "--mode", "cut-")
    near = run("generate", "four-bar", model, "--to", "c", "--near", "coupler=-2.5,crank=1")
    assert "Closed loops assembled in mode: cut-" in named
    assert named == near != run("generate", "four-bar", model, "--to", "c")
    assert "mode: cut-" in run("explain", "four-bar", model, "--mode", "cut-")


def test_the_tree_without_cut_joints() -> None:
    counts = [
        json.loads(run("count", "sr400", "inverse-dynamics", "--json", *more))["operations"]
        for more in ((), ("--structure", "tree"))
    ]
    assert counts[0] != counts[1]


def test_a_position_that_cannot_be_assembled_says_so() -> None:
    out = run("eval", "five-bar-general", "geometric", "--mode", "cut+", "--at", "-", stdin='{"q": [0.3, 0.4]}')
    assert "assembled = " in out


def test_a_wrench_is_given_by_the_name_of_its_link() -> None:
    state = {**STATE, "wrench": {"link2": [1, 2, 3, 4, 5, 6]}}
    words = ("eval", "planar-2r", "inverse-dynamics", "--at", "-", "--json")
    loaded = json.loads(run(*words, stdin=json.dumps(state)))["outputs"]["tau"]
    free = json.loads(run(*words, stdin=json.dumps(STATE)))["outputs"]["tau"]
    # The link pushes on its surroundings: the motor of its own joint carries CZ2 itself.
    assert loaded[1] - free[1] == pytest.approx(6)


def choices() -> list[tuple[str, str, object]]:
    """Every word that a model's signature names: (model, option, word)."""
    found = []
    for name, function in robosym.models.MODELS.items():
        of_parallel_robots = ("coordinates", *declaration_of(name).parallel_only)  # see test_platform_models
        for option in options_of(function).values():
            if option.name not in of_parallel_robots:
                found += [(name, option.name, word) for word in option.words]
    return found


@pytest.mark.mostly_slow(fast=8)
@pytest.mark.parametrize(("name", "option", "word"), some(choices(), 3))
def test_every_word_of_a_signature_gets_through(name: str, option: str, word: object) -> None:
    function = robosym.models.MODELS[name]
    _, options = split([f"--{option.replace('_', '-')}", str(word)], function)
    assert options == {option: word}
    assert type(options[option]) is type(word)
    robot = robot_with(name, "planar-3r", CLOSED)  # the Jacobian of planar-3r is square in what it can do
    assert function(driven(robot), **options).name == name


def driven(robot: Robot) -> Robot:
    """With motors that have axes, amplifiers and widths of smooth friction."""
    motor = Motor(Jm=expr(0.1), KT=expr(2), Ka=expr(3), axis=(expr(0), expr(1), expr(0)))
    actuator = Actuator(Ia=expr(0.3), friction=Friction(width=expr(0.1)), motor=motor)
    frames = [
        replace(frame, actuator=replace(actuator, flexibility=frame.actuator.flexibility))
        if frame.sigma != FIXED
        else frame
        for frame in robot.frames
    ]
    return robot.replace(frames=tuple(frames))


def test_an_order_is_a_number() -> None:
    """Of this model itself; its derivative has one only where the model has none."""
    words = ("count", "planar-3r", "inverse-kinematics-velocity", "--json")
    assert json.loads(run(*words, "--order", "2"))["options"]["order"] == 2
    assert json.loads(run(*words, "--order", "2", "--by", "q"))["options"]["order"] == 2
    assert (
        json.loads(run("count", "planar-3rrr", "inertia-matrix", "--of", "motors", "--json"))["options"]["of"]
        == "motors"
    )


@pytest.mark.parametrize("word", ["body", "LOCAL", "local"])
@pytest.mark.parametrize("model", ["velocities", "jacobian", "accelerations", "static-torques"])
def test_other_names_of_a_convention_get_through(model: str, word: str) -> None:
    function = robosym.models.MODELS[model]
    _, options = split(["--axes", word], function)
    assert function(robosym.load("planar-2r"), **options).options["axes"] == "local"


TOOL = '[["cos(A)", "-sin(A)", 0, 0], ["sin(A)", "cos(A)", 0, 0], [0, 0, 1, "LT"], [0, 0, 0, 1]]'


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--frame", "link3", "--axes", "2"], {"frame": "link3", "axes": 2}),
        (["--axes", "link2"], {"axes": "link2"}),
        (["--tool", "0,-0.1,LT"], {"tool": [0, -0.1, "LT"]}),
        (["--tool", "0.1,0,0.2,0,0,0,1"], {"tool": [[1, 0, 0, 0.1], [0, 1, 0, 0], [0, 0, 1, 0.2], [0, 0, 0, 1]]}),
        (["--tool", TOOL], {"tool": json.loads(TOOL)}),
        (["--frames", "3,link6"], {"frames": [3, "link6"]}),
        (["--frames=all"], {"frames": "all"}),
    ],
)
def test_frames_axes_and_tools(words: list[str], expected: dict[str, object]) -> None:
    function = robosym.models.velocities
    _, options = split(words, function)
    assert options == expected
    assert function(robosym.load("rx90"), **options).name == "velocities"


def test_a_reference_and_a_tool_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "tool.json"
    file.write_text(json.dumps({"position": [0, 0, 0.1], "rpy": [0.1, 0.2, 0.3]}))
    words = ("count", "rx90", "transform", "--reference", "world", "--tool", str(file), "--json")
    options = json.loads(run(*words))["options"]
    assert options["reference"] == "world"
    assert options["frame"] == "link6"
    assert options["tool"][3] == ["0", "0", "0", "1"]


def test_a_state_may_serve_several_models() -> None:
    others = {"twist": [0] * 6, "acceleration": [0] * 6, "damping": [0], "motion": [0, 0], "weights": [1, 1]}
    pose = {"T": np.eye(4).tolist(), "given": [0], "seed": [0, 0], "seeded": 1, "limits": [[-3, -3], [3, 3]]}
    state = {**STATE, **others, **pose, "task_weights": [1] * 6}
    assert json.loads(run("eval", "planar-2r", "jacobian", "--at", "-", "--json", stdin=json.dumps(state)))


@pytest.mark.slow
def test_reproduce() -> None:
    """One in six of the cells; test_published.py has all."""
    with mock.patch("robosym.published.cells", return_value=published.cells()[::6]):
        rows = json.loads(run("reproduce", "--json"))
    assert len(rows) > 5
    assert all(row["ratio"] <= 1 for row in rows)
    assert {"robot", "model", "parameters", "published", "ours", "ratio", "source"} <= set(rows[0])


# --- derivatives -------------------------------------------------------------------------------------------------------


def test_any_model_may_be_differentiated() -> None:
    """--by and --of stand beside the options of the model."""
    robot = robosym.load("planar-2r")
    model = robosym.models.inverse_dynamics(robot, friction=True)
    made = robosym.derivative(model, of="tau", by=["q", "qd"], value=True)
    words = ("planar-2r", "inverse-dynamics", "--friction", "--of", "tau", "--by=q,qd", "--value")
    assert json.loads(run("count", *words, "--json"))["operations"] == made.operations.as_dict()
    assert run("generate", *words, "--to", "c") == made.source("c")
    assert run("explain", *words) == made.explain()
    outputs = json.loads(run("eval", *words, "--at", "-", "--json", stdin=json.dumps(STATE)))["outputs"]
    assert list(outputs) == ["tau", "dtau_dq", "dtau_dqd"]
    second = run("explain", "planar-2r", "gravity", "--by", "q", "--order", "2")
    assert "ddQ_dq_dq" in second


@pytest.mark.parametrize("words", [("--by",), ("--order", "2"), ("--by", "q", "--order", "7"), ("--by", "z")])
def test_a_derivative_that_makes_no_sense(words: tuple[str, ...]) -> None:
    with pytest.raises(AssertionError, match=r"needs a value|no option --order|expected 1, 2 or 3|got 'z'"):
        run("count", "planar-2r", "gravity", *words)
