"""``verify``: right models are the same, wrong ones are found, and what cannot be compared is said."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from cli.test_cli import fails
from cli.test_cli import run as command
from cli.test_models import run as line
from models.parallel.test_hybrids import STACKED
from random_robots import random_robot
from robots_with import sprung
from sweeps import some
from verification.moving_bases import moving_base
from verification.pendulums import pendulum
from verification.subsets import DYNAMIC, KINEMATIC, some_models

import robosym
from robosym import models
from robosym.expr import number
from robosym.models.resolve import hybrid_as_loops
from robosym.robot import FIXED, Mimic, Robot, Value
from robosym.verification import run as running
from robosym.verification import steps, verify, work
from robosym.verification.pinocchio_tree import installed
from robosym.verification.run import with_numbers


def verdicts(robot: Robot, **options: Any) -> dict[str, str]:
    return {f"{row.model} {row.compared_with}": row.verdict for row in verify(robot, states=2, **options)}


def random_mimics(seed: int) -> Robot:
    """A random tree with masses, rotors, dependent joints and one with a spring."""
    rng = np.random.default_rng(seed)
    robot = sprung(random_robot(rng, 6))
    frames = list(robot.frames)
    moving = [j for j in robot.moving if robot.frame(j).joint.spring is None]
    if len(moving) > 2:
        joint = replace(frames[moving[-1] - 1].joint, mimic=Mimic(moving[0], number(-1.5), number(0.25)))
        frames[moving[-1] - 1] = replace(frames[moving[-1] - 1], joint=joint)
    return robot.replace(frames=tuple(frames))


# --- models against them ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pinocchio", some([True, False], every=2))
def test_every_model_of_a_small_arm_is_the_same(pinocchio: bool) -> None:
    if pinocchio and not installed():
        pytest.skip("Pinocchio is not installed")
    rows = verify(robosym.load("planar-2r"), states=2, pinocchio=pinocchio)
    assert not [row for row in rows if row.differs]
    assert sum(row.verdict == "same" for row in rows) >= 29
    assert {row.model for row in rows} == set(models.models_of(robosym.load("planar-2r")))
    assert all(row.why for row in rows if row.verdict == "not verified")
    assert all(("Pinocchio" in row.compared_with) is pinocchio for row in rows if row.verdict == "same")


@pytest.mark.parametrize("seed", some([1, 2, 3], every=3))
def test_random_trees_with_springs_and_dependent_joints(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    some_models(monkeypatch)
    found = verdicts(random_mimics(seed), pinocchio=False)
    assert "same" in found.values()
    assert "DIFFERENT" not in found.values(), found


def test_a_free_base(monkeypatch: pytest.MonkeyPatch) -> None:
    some_models(monkeypatch, (*KINEMATIC, *DYNAMIC, "base-acceleration", "lagrange"))
    rows = verify(robosym.load("planar-2r", floating=True), states=2, pinocchio=False)
    assert not [row for row in rows if row.differs]
    assert {row.model for row in rows if row.verdict == "same"} >= {*KINEMATIC, "base-acceleration"}
    assert "not of a free base" in next(row.why for row in rows if row.model == "lagrange")


@pytest.mark.slow
def test_closed_loops_by_multipliers(monkeypatch: pytest.MonkeyPatch) -> None:
    some_models(monkeypatch, (*KINEMATIC, *DYNAMIC, "loop-geometry", "loop-kinematics", "inverse-geometric"))
    rows = verify(robosym.load("four-bar"), states=2, pinocchio=False)
    assert not [row for row in rows if row.differs]
    assert {"loop-geometry", "loop-kinematics", "inverse-dynamics"} <= {
        row.model for row in rows if row.verdict == "same"
    }
    assert all("Lagrange multipliers" in row.compared_with for row in rows if row.verdict == "same")


def test_what_is_outside_is_said() -> None:
    robot = robosym.load("planar-2r")
    assert {row.verdict for row in verify(models.base_parameters(robot).robot)} == {"not verified"}
    assert hybrid_as_loops(robot) is robot
    assert all(frame.sigma != FIXED or frame.joint.variable is None for frame in robot.frames)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_base_that_moves_as_described(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = ("jacobian", "velocities", "accelerations", "centre-of-mass", *DYNAMIC)
    some_models(monkeypatch, (*compared, "coriolis"))
    verdicts = moving_base(seed)
    for name in compared:
        assert verdicts[name] == "same"
    assert verdicts["coriolis"] == "not verified"  # which has no part for the motion of the base


def planar_arm(seed: int) -> Robot:
    """An arm in a plane with four to eight joints, the plane turned at random: its Jacobian matrix has rank three or less."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 9))
    frames = [{"d": float(rng.uniform(0.2, 0.5)), "alpha": 0 if j else float(rng.uniform(-1, 1))} for j in range(n)]
    return Robot.from_table(f"planar-{n}", [*frames, {"d": 0.3, "sigma": "fixed"}])


def determinant_is_the_same(robot: Robot) -> None:
    rows = [row for row in verify(robot, states=2, pinocchio=False) if row.model == "jacobian-determinant"]
    assert [row.verdict for row in rows] == ["same"], rows


@pytest.mark.parametrize("seed", range(3))
def test_determinants_of_the_rows_that_the_model_has(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of arms in a plane, of arms with fewer and with more joints than six."""
    some_models(monkeypatch, ("jacobian-determinant",))
    determinant_is_the_same(planar_arm(seed))
    determinant_is_the_same(random_robot(np.random.default_rng(seed), 3 + 2 * seed))


@pytest.mark.slow
def test_determinant_of_two_stacked_platforms(monkeypatch: pytest.MonkeyPatch) -> None:
    some_models(monkeypatch, ("jacobian-determinant",))
    determinant_is_the_same(robosym.formats.load_text(STACKED, "toml"))


def test_nothing_compared_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    some_models(monkeypatch, ("transmission", "motor-torques"))
    done = command("verify", "planar-2r", "--floats")
    assert done.returncode == 1
    assert "nothing was compared" in done.stdout
    assert "0 of 0" not in done.stdout
    found = json.loads(command("verify", "planar-2r", "--floats", "--json").stdout)
    assert (found["compared"], found["same"]) == (0, False)


# --- wrong models ----------------------------------------------------------------------------------------------------


def heavier(robot: Robot) -> Robot:
    """The same with another mass at its last moving link."""
    j = robot.moving[-1]
    frames = list(robot.frames)
    frames[j - 1] = replace(frames[j - 1], link=replace(frames[j - 1].link, M=frames[j - 1].link.M * number(1.001)))
    return robot.replace(frames=tuple(frames))


def with_function(monkeypatch: pytest.MonkeyPatch, name: str, function: Callable[..., Any]) -> None:
    """A model has another function as long as the test lasts."""
    monkeypatch.setattr("robosym.verification.run.MODELS", {**models.MODELS, name: function})


def make_wrong(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A model is that of another robot."""

    right = models.MODELS[name]

    @functools.wraps(right)
    def wrong(robot: Robot, **options: Any) -> Any:
        return right(heavier(robot), **options)

    with_function(monkeypatch, name, wrong)


@pytest.mark.parametrize("name", ["inverse-dynamics", "inertia-matrix", "energy", "centre-of-mass", "forward-dynamics"])
def test_a_wrong_model_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    some_models(monkeypatch, ("jacobian", name))
    make_wrong(monkeypatch, name)
    rows = verify(robosym.load("scara"), states=2, pinocchio=False)
    assert {row.model for row in rows if row.differs} == {name}


def test_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    some_models(monkeypatch, ("jacobian", "gravity", "transmission"))
    said = line("verify", "planar-2r", "--floats")
    assert "plain floats" in said
    assert "not verified: transmission" in said
    found = json.loads(line("verify", "planar-2r", "--json", "--seed", "5"))
    assert found["same"] is True
    assert [one["model"] for one in found["models"]] == ["jacobian", "transmission", "gravity"]
    assert found["models"][0]["difference"] < 1e-12
    make_wrong(monkeypatch, "gravity")
    assert "there is no robot" in fails(1, "verify", "rx9000")
    with pytest.raises(AssertionError):
        line("verify", "scara", "--floats")


def test_symbols_without_values_get_made_up_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    some_models(monkeypatch, ("jacobian", "inverse-dynamics"))
    robot = robosym.load("planar-2r")
    rows = verify(robot.replace(values={}), states=1, pinocchio=False)
    assert [row.verdict for row in rows[:-1]] == ["same"] * 3
    assert "made-up numbers" in rows[-1].why


@pytest.mark.skipif(not installed(), reason="Pinocchio is not installed")
def test_a_robot_with_one_joint_is_compared_with_pinocchio(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose matrices of one column are vectors in Pinocchio."""
    some_models(monkeypatch, ("jacobian", "inverse-dynamics", "centroidal-momentum", "centroidal-momentum-rate"))
    rows = verify(pendulum(), states=1, pinocchio=True)
    assert {row.verdict for row in rows} == {"same"}
    assert len(rows) == 5
    assert all("Pinocchio" in row.compared_with for row in rows)


# --- the run -----------------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    some_models(monkeypatch, ("jacobian", "gravity", "inverse-geometric"))
    robot = robosym.load("planar-2r")
    first, again, other = (verify(robot, states=2, seed=seed, pinocchio=False) for seed in (1, 1, 2))
    assert first == again == list(work(robot, states=2, seed=1, pinocchio=False))
    assert [row.difference for row in first] != [row.difference for row in other]


def test_rows_come_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the second model is computed before the first is told."""
    some_models(monkeypatch, ("jacobian", "gravity"))
    make_wrong(monkeypatch, "gravity")
    rows = work(robosym.load("planar-2r"), states=1, pinocchio=False)
    assert next(rows).model == "jacobian"


@pytest.mark.parametrize("name", ["planar-2r", "four-bar", "delta"])
def test_steps_of_a_progress_bar(name: str) -> None:
    robot = robosym.load(name)
    assert steps(robot) == len(models.models_of(robot)) + 2


def test_numbers_only_for_symbols_that_have_none() -> None:
    robot = robosym.load("planar-2r")
    same, missing = with_numbers(robot, np.random.default_rng(0))
    assert same is robot
    assert missing == []
    values = {name: value for name, value in robot.values.items() if name not in ("L1", "M2")}
    found, missing = with_numbers(robot.replace(values=values), np.random.default_rng(0))
    assert sorted(missing) == ["L1", "M2"]
    assert all(0.3 <= found.values[name].number <= 1.2 for name in missing)
    assert {name: found.values[name] for name in values} == values
    assert isinstance(found.values["M2"], Value)


def test_made_up_numbers_are_listed_in_short() -> None:
    assert running._few(["a", "b"]) == "a, b"
    assert running._few(list("abcdefg")) == "a, b, c, d, e, ..."


def longer(robot: Robot) -> Robot:
    """The same with another length between its first two joints."""
    return robot.replace(values={**robot.values, "L1": Value(robot.values["L1"].number * 1.001)})


def test_wrong_solutions_of_inverse_geometry_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a pose that the robot has and no solution reaches."""
    some_models(monkeypatch, ("inverse-geometric",))
    right = models.MODELS
    robot = robosym.load("planar-2r")

    def verdict(make: Any) -> tuple[str, float | None, str]:
        monkeypatch.setattr("robosym.verification.run.MODELS", {**right, "inverse-geometric": make})
        (row,) = verify(robot, states=2, pinocchio=False)
        return row.verdict, row.difference, row.why

    assert verdict(right["inverse-geometric"])[0] == "same"
    wrong, difference, _ = verdict(lambda robot, **options: right["inverse-geometric"](longer(robot), **options))
    assert wrong == "DIFFERENT"
    assert difference is not None
    assert 1e-5 < difference < 1e-2
    short = robot.replace(values={**robot.values, "L2": Value(0.001)})
    none = verdict(lambda robot, **options: right["inverse-geometric"](short, **options))
    assert none == ("DIFFERENT", None, "a pose that the robot has is out of reach")


def test_a_model_that_cannot_be_made_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    some_models(monkeypatch, ("gravity",))

    def fails(robot: Robot) -> None:
        raise robosym.RobosymError("not today")

    with_function(monkeypatch, "gravity", fails)
    (row,) = verify(robosym.load("planar-2r"), states=1, pinocchio=False)
    assert (row.verdict, row.why) == ("not verified", "not today")
