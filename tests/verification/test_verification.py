"""``verify``: right models are the same, wrong ones are found, and what cannot be compared is said."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from cli.test_cli import fails
from cli.test_cli import run as command
from cli.test_models import run as line
from models.parallel.test_hybrids import STACKED
from random_robots import random_robot
from robots_with import flexible, sprung
from sweeps import some

import robosym
from robosym import models
from robosym.expr import number, parameter
from robosym.models.resolve import hybrid_as_loops
from robosym.robot import FIXED, Mimic, Robot
from robosym.verification import verify
from robosym.verification.floats import FloatMoment
from robosym.verification.mechanism import Mechanism, State
from robosym.verification.pinocchio_tree import PinocchioTree, installed
from robosym.verification.reference import pose_of

KINEMATIC = ("jacobian", "accelerations", "centroidal-momentum-rate")
DYNAMIC = ("inverse-dynamics", "gravity", "energy", "forward-dynamics", "regressor")


def some_models(monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...] = (*KINEMATIC, *DYNAMIC)) -> None:
    """Only these are verified, which is what takes the time."""
    here = set(names)
    monkeypatch.setattr(
        "robosym.verification.run.models_of", lambda robot: [n for n in models.models_of(robot) if n in here]
    )


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


# --- the two references against each other ---------------------------------------------------------------------------


@pytest.mark.skipif(not installed(), reason="Pinocchio is not installed")
@pytest.mark.parametrize("seed", range(6))
def test_floats_agree_with_pinocchio_on_random_trees(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, 7)
    if seed % 2:
        robot = robot.replace(base=replace(robot.base, floating=True))
    mechanism = Mechanism(robot)
    tree = PinocchioTree(mechanism)
    x = {j: float(rng.uniform(-1, 1)) for j in mechanism.joints}
    poses = {0: pose_of(rng.uniform(-1, 1, 7))} if seed % 2 else {}
    state, a = State(x, poses, rng.uniform(-1, 1, mechanism.n)), rng.uniform(-1, 1, mechanism.n)
    ours, theirs = FloatMoment(mechanism, state), tree.at(state)
    for j in range(len(robot.frames) + 1):
        for name in ("pose", "jacobian", "drift"):
            np.testing.assert_allclose(getattr(ours, name)(j), getattr(theirs, name)(j), atol=1e-11, err_msg=name)
    np.testing.assert_allclose(ours.torques(a), theirs.torques(a), atol=1e-10)
    np.testing.assert_allclose(ours.torques(a, gravity=False), theirs.torques(a, gravity=False), atol=1e-10)
    np.testing.assert_allclose(ours.momentum(), theirs.momentum(), atol=1e-10)
    np.testing.assert_allclose(ours.momentum_rate(a), theirs.momentum_rate(a), atol=1e-10)
    np.testing.assert_allclose(ours.centre(), theirs.centre(), atol=1e-11)
    np.testing.assert_allclose(ours.potential(), theirs.potential(), atol=1e-10)


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


TWO_MASSES = ("forward-dynamics", "flexible-joint-forward-dynamics", "flexible-joint-inverse-dynamics", "energy")


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["planar-2r", "five-bar", "eel-2"])
def test_flexible_joints(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an arm, with closed loops and on a free base: motors and links as two masses each."""
    more = ("linearised", "step") if name != "eel-2" else ()
    some_models(monkeypatch, (*TWO_MASSES, *more, "inverse-dynamics"))
    robot = flexible(sprung(robosym.load(name)))
    rows = verify(robot, states=2, pinocchio=False)
    compared = {row.model for row in rows if row.verdict == "same"}
    assert not [row for row in rows if row.differs]
    assert compared >= {*TWO_MASSES, *more, "inverse-dynamics"}


def test_a_free_base(monkeypatch: pytest.MonkeyPatch) -> None:
    some_models(monkeypatch, (*KINEMATIC, *DYNAMIC, "base-acceleration", "lagrange"))
    rows = verify(robosym.load("planar-2r", floating=True), states=2, pinocchio=False)
    assert not [row for row in rows if row.differs]
    assert {row.model for row in rows if row.verdict == "same"} >= {*KINEMATIC, "base-acceleration"}
    assert "not of a free base" in next(row.why for row in rows if row.model == "lagrange")


def test_closed_loops_by_multipliers(monkeypatch: pytest.MonkeyPatch) -> None:
    some_models(monkeypatch, (*KINEMATIC, *DYNAMIC, "loop-geometry", "loop-kinematics", "inverse-geometric"))
    rows = verify(robosym.load("four-bar"), states=2, pinocchio=False)
    assert not [row for row in rows if row.differs]
    assert {"loop-geometry", "loop-kinematics", "inverse-dynamics"} <= {
        row.model for row in rows if row.verdict == "same"
    }
    assert all("Lagrange multipliers" in row.compared_with for row in rows if row.verdict == "same")


@pytest.mark.parametrize("name", some(["planar-3rrr", "delta", "gough-stewart"], every=3))
def test_platforms_on_legs(name: str) -> None:
    rows = {row.model: row for row in verify(robosym.load(name), states=1, pinocchio=False)}
    for model in ("inverse-geometric", "inverse-dynamics", "energy"):
        assert rows[model].verdict == "same", rows[model]
    assert "of platforms" in rows["jacobian"].why


def test_what_is_outside_is_said() -> None:
    robot = robosym.load("planar-2r")
    assert {row.verdict for row in verify(models.base_parameters(robot).robot)} == {"not verified"}
    assert hybrid_as_loops(robot) is robot
    assert all(frame.sigma != FIXED or frame.joint.variable is None for frame in robot.frames)


def moving_base(seed: int) -> dict[str, str]:
    """The verdicts on a random tree, or a four-bar, whose base is somewhere and moves as described."""
    rng = np.random.default_rng(seed)
    robot = robosym.load("four-bar") if seed % 4 == 0 else random_robot(rng, 5, symbolic=seed % 2 == 1)
    motion = {name: rng.uniform(-2, 2, 3) for name in ("velocity", "angular_velocity", "acceleration")}
    pose = pose_of(rng.uniform(-1, 1, 7)).ravel()
    base = replace(robot.base, location=pose, angular_acceleration=(parameter("WDX"), 0, 0.5), **motion)
    rows = verify(robot.replace(base=base), states=2, pinocchio=installed() and seed % 3 == 0)
    assert not [row for row in rows if row.differs], [row for row in rows if row.differs]
    return {row.model: row.verdict for row in rows}


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


class Wrong(dict[str, Any]):
    """The models, one of them of another robot."""

    def __init__(self, name: str) -> None:
        right = models.MODELS
        super().__init__(right)

        def wrong(robot: Robot, **options: Any) -> Any:
            return right[name](heavier(robot), **options)

        wrong.__signature__ = __import__("inspect").signature(right[name])  # type: ignore[attr-defined]
        self[name] = wrong


@pytest.mark.parametrize("name", ["inverse-dynamics", "inertia-matrix", "energy", "centre-of-mass", "forward-dynamics"])
def test_a_wrong_model_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    some_models(monkeypatch, ("jacobian", name))
    monkeypatch.setattr("robosym.verification.run.MODELS", Wrong(name))
    rows = verify(robosym.load("scara"), states=2, pinocchio=False)
    assert {row.model for row in rows if row.differs} == {name}


def test_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    some_models(monkeypatch, ("jacobian", "gravity", "transmission"))
    said = line("verify", "planar-2r", "--floats")
    assert "plain floats" in said
    assert "not verified: transmission" in said
    found = json.loads(line("verify", "planar-2r", "--json", "--seed", "5"))
    assert found["same"] is True
    assert [one["model"] for one in found["models"]] == ["jacobian", "gravity", "transmission"]
    assert found["models"][0]["difference"] < 1e-12
    monkeypatch.setattr("robosym.verification.run.MODELS", Wrong("gravity"))
    assert "there is no robot" in fails(1, "verify", "rx9000")
    with pytest.raises(AssertionError):
        line("verify", "scara", "--floats")


def test_symbols_without_values_get_made_up_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    some_models(monkeypatch, ("jacobian", "inverse-dynamics"))
    robot = robosym.load("planar-2r")
    rows = verify(robot.replace(values={}), states=1, pinocchio=False)
    assert [row.verdict for row in rows[:-1]] == ["same"] * 3
    assert "made-up numbers" in rows[-1].why
