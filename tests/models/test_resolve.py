"""Robots with closed loops: every model of a tree exists for them, of the driven joints, in a mode that is said."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from robots_with import OF_LOOPS, OF_SOME
from sweeps import crossed

import robosym
from robosym import codegen, models
from robosym.cli import main
from robosym.formats import load_file, save
from robosym.models import MODELS, inverse_dynamics, loop_geometry, transform
from robosym.models.common import open_tree
from robosym.models.resolve import resolve
from robosym.models.tree.bodies import tree
from robosym.models.tree.coordinates import coordinates
from robosym.robot import Robot, RobotError
from robosym.robot.checks import problems

CLOSED = ["sr400", "four-bar", "five-bar"]
# What has another result than numbers of a state, or a limit of its own.
SPECIAL = {"base-parameters", "inverse-geometric", "expanded"} | set(OF_SOME) - set(OF_LOOPS)


@pytest.fixture(scope="module", params=CLOSED)
def robot(request: pytest.FixtureRequest) -> Robot:
    return robosym.load(request.param)


@cache
def closed(name: str) -> Robot:
    return robosym.load(name)


@pytest.mark.mostly_slow(fast=5)
@pytest.mark.parametrize(("of", "name"), crossed(CLOSED, [name for name in MODELS if name not in SPECIAL], every=2))
def test_every_model_is_of_the_driven_joints(of: str, name: str) -> None:
    robot = closed(of)
    model = MODELS[name](robot)
    assert model.robot is robot
    assert model.options["mode"] == loop_geometry(robot).mode
    state = model.random_state(np.random.default_rng(1), reach=0.5)
    assert all(state[key].shape == (robot.nv,) for key in ("q", "qd", "qdd", "tau") if key in state)
    found = model.evaluate(**state)
    for array in found.values() if isinstance(found, dict) else (found,):
        assert np.isfinite(np.asarray(array, float)).all()


def test_the_driven_joints_are_the_coordinates() -> None:
    robot = robosym.load("sr400")
    assert robot.joint_names == ("waist", "shoulder", "wrist_roll", "wrist_bend", "flange", "crank")
    assert robot.nq == robot.nv == len(robot.coordinates) == 6
    assert robot.equivalent_tree.nq == 8
    assert robot.equivalent_tree.structure == "tree"


def test_the_tree_is_there_for_who_asks(robot: Robot) -> None:
    tree = robot.equivalent_tree
    ours, theirs = inverse_dynamics(robot, structure="tree"), inverse_dynamics(tree)
    state = theirs.random_state(np.random.default_rng(2))
    assert np.array_equal(ours.evaluate(**state), theirs.evaluate(**state))
    assert "mode" not in ours.options
    with pytest.raises(RobotError, match="closed loops, which this function does not close"):
        open_tree(robot)
    with pytest.raises(RobotError, match=r"expected a Robot \(load it first"):
        open_tree("four-bar")  # type: ignore[arg-type]


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("language", sorted(codegen.languages()))
def test_every_header_says_the_mode(language: str) -> None:
    model = inverse_dynamics(robosym.load("four-bar"), mode="cut+")
    for numeric in (False, True):
        texts = model.generate(language, numeric=numeric).values()
        said = json.loads(next(iter(texts)))["notes"] if language == "json" else "\n".join(texts)
        assert "in mode: cut+" in (said[0] if isinstance(said, list) else said)


def test_modes_are_chosen_by_name_and_by_position() -> None:
    robot = robosym.load("four-bar")
    at = {"q": np.array([0.7])}
    by_mode = {
        mode: (one := loop_geometry(robot, mode=mode)).by_name(one.evaluate(**at))
        for mode in loop_geometry(robot).modes
    }
    assert len(by_mode) == 2
    for mode, joints in by_mode.items():
        near = {"crank": 0.7, "coupler": float(joints["coupler"]) + 0.1 + 2 * np.pi}
        assert loop_geometry(robot, near=near).mode == mode


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mode": "upside down"}, r"mode: got 'upside down', expected one of 'cut\+', 'cut-'"),
        ({"near": {"elbow": 1.0}}, r"near: there is no joint 'elbow', expected positions of joints by name \(crank"),
        ({"near": {"crank": 1.0}}, "near: no joint that follows from the loops"),
        ({"near": [1.0]}, "near: got"),
        ({"near": {"coupler": np.nan}}, "near, coupler"),
        ({"mode": "cut+", "near": {"coupler": 1.0}}, "near: give a mode or a position"),
        ({"mode": "cut+", "structure": "tree"}, "mode: the loops are left open"),
        ({"structure": "open"}, "structure: got 'open', expected 'closed' or 'tree'"),
    ],
)
def test_what_cannot_be_chosen(options: dict[str, object], message: str) -> None:
    with pytest.raises(robosym.RobosymError, match=message):
        inverse_dynamics(robosym.load("four-bar"), **options)


def test_a_robot_without_loops_has_no_modes() -> None:
    with pytest.raises(RobotError, match="mode: there is no closed loop"):
        inverse_dynamics(robosym.load("rx90"), mode="parallel")
    with pytest.raises(RobotError, match="loops: there is none"):
        loop_geometry(robosym.load("rx90"))


def test_frames_of_a_cut_are_one(robot: Robot) -> None:
    k = robot.n_links + 1
    ends = [transform(robot, frame=j) for j in (k, k + robot.loops)]
    state = ends[0].random_state(np.random.default_rng(3), reach=0.5)
    found = [one.evaluate(**state) for one in ends]
    a, b = (one["T"] if isinstance(one, dict) else one for one in found)
    assert np.abs(a - b).max() < 1e-14


def test_closed_loops_are_described_all_the_same(
    robot: Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not [problem for problem in problems(robot) if not problem.is_warning]
    for suffix in (".toml", ".par"):
        save(robot, tmp_path / f"robot{suffix}")
        assert load_file(tmp_path / f"robot{suffix}").loops == robot.loops
    monkeypatch.setattr("sys.argv", ["robosym", "show", robot.name, "--json"])
    with pytest.raises(SystemExit, match="0"):
        main()
    assert json.loads(capsys.readouterr().out)["loops"] == robot.loops


# --- resolve -----------------------------------------------------------------------------------------------------------


def test_resolve_gives_the_tree_and_the_choice_that_leads_to_it(robot: Robot) -> None:
    found = resolve(robot)
    assert found.closed
    assert found.robot is robot
    assert not found.tree.loops
    assert found.tree.closure is not None
    assert found.mode == found.tree.closure.mode
    assert resolve(robot, **found.choice).tree is found.tree
    assert resolve(robot, mode=found.mode).tree is found.tree
    assert resolve(found.tree).tree is found.tree  # which is a tree already
    opened = resolve(robot, structure="tree")
    assert (opened.closed, opened.mode, opened.choice) == (False, None, {})
    assert opened.robot is opened.tree
    assert opened.tree == robot.equivalent_tree


def test_resolve_leaves_a_tree_as_it_is() -> None:
    arm = robosym.load("rx90")
    found = resolve(arm)
    assert found.tree is arm
    assert found.finished(models.gravity(arm)).robot is arm


@pytest.mark.slow
def test_what_trees_and_platforms_have_no_choice_of_is_refused() -> None:
    arm, platform = robosym.load("rx90"), robosym.load("gough-stewart")
    for options, message in (
        ({"mode": "elbow+"}, "mode: there is no closed loop"),
        ({"near": {"j1": 0.0}}, "near: there is no closed loop"),
        ({"coordinates": "motors"}, "coordinates: got 'motors': only a platform"),
    ):
        with pytest.raises(RobotError, match=message):
            resolve(arm, **options)  # type: ignore[arg-type]
    with pytest.raises(RobotError, match="coordinates: got 'platform': this model"):
        resolve(platform, coordinates="platform")
    assert resolve(platform).closed
    assert resolve(platform).robot == platform.closed_loops()
    with pytest.raises(RobotError, match="mode: the loops are left open"):
        resolve(robosym.load("four-bar"), mode="cut+", structure="tree")
    with pytest.raises(RobotError, match="near: give a mode or a position"):
        resolve(robosym.load("four-bar"), mode="cut+", near={"crank": 0.1})


def test_algorithms_refuse_robots_with_loops(robot: Robot) -> None:
    """A forgotten resolve is an error, not the model of the open tree."""
    for algorithm in (coordinates, tree):
        with pytest.raises(RobotError, match="has closed loops"):
            algorithm(robot)
