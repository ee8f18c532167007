"""Robots of all kinds: the identified robot, as an object and as the file that is written, has the torques of the true one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from identification.spoiled import Spoiled
from identification.synthetic import FRICTION, Motion, identified, recipe, recording, torques
from models.driven_robots import driven_robot
from sweeps import crossed

import robosym
from robosym import models
from robosym.expr import Expr
from robosym.identification import identify
from robosym.identification.data.recipe import ModelChoice
from robosym.identification.identified_robot import Found, _motors, _per_motor, _unit
from robosym.robot import Friction, Robot, RobotError


def check(robot: Robot, folder: Path, physical: bool, friction: tuple[str, ...] = FRICTION) -> None:
    centre = models.inverse_dynamics(robot).centre.get("q", 0.0)
    motion = Motion.random(np.random.default_rng(0), len(robot.moving), 0.5 if np.ndim(centre) == 0 else 0.08, centre)
    found = identify(recipe(robot, recording(robot, motion, seconds=12.0), friction=friction, physical=physical))
    q, qd, qdd = motion(np.linspace(50, 60, 40))
    expected = torques(robot, q, qd, qdd)
    size = np.abs(expected).max()
    np.testing.assert_allclose(found.predict({"q": q, "qd": qd, "qdd": qdd}), expected, atol=1e-9 * size)
    tolerance = 1e-5 if physical else 1e-9
    for one in (found.robot, robosym.load(found.report(folder)["toml"])):
        np.testing.assert_allclose(torques(one, q, qd, qdd), expected, atol=tolerance * size)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
@pytest.mark.parametrize(
    ("name", "physical"), crossed(["stanford", "ur5", "five-bar", "sr400", "slider-crank"], [False, True], every=3)
)
def test_the_robot_that_is_written(name: str, physical: bool, tmp_path: Path) -> None:
    if physical:
        pytest.importorskip("cvxpy")
    check(robosym.load(name), tmp_path, physical)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
@pytest.mark.parametrize("physical", [False, True])
def test_coupled_motors_with_rotors_of_their_own(physical: bool, tmp_path: Path) -> None:
    """Two motors that both turn with two joints: their inertias are not negative."""
    robot = driven_robot(np.random.default_rng(3), 4, couplings=1)
    assert robot.couplings
    check(robot, tmp_path, physical, (*FRICTION, "coupled"))


def test_names_of_rotors_are_not_those_of_coupled_ones() -> None:
    robot = driven_robot(np.random.default_rng(2), 4, couplings=1)
    names, _ = models.regressor(robot, friction=[*FRICTION, "coupled"]).standard_map()
    assert len(set(names)) == len(names)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("physical", [False, True])
def test_the_identified_robot_has_the_same_torques(physical: bool) -> None:
    if physical:
        pytest.importorskip("cvxpy")
    robot = robosym.load("scara")
    _, _, found = identified(robot, 6, physical=physical)
    rng = np.random.default_rng(0)
    state = {name: rng.normal(size=4) for name in ("q", "qd", "qdd")}
    expected = models.inverse_dynamics(robot, friction=True).compile()(**state)
    got = models.inverse_dynamics(found.robot, friction=True).compile()(**state)
    np.testing.assert_allclose(got, expected, rtol=1e-3 if physical else 1e-7)
    np.testing.assert_allclose(found.predict(state), expected, rtol=1e-7)


def test_friction_that_was_not_estimated_is_not_in_the_robot() -> None:
    """A curve of the description would come on top of what was estimated."""
    data = Spoiled()
    frames = [
        replace(f, actuator=replace(f.actuator, friction=Friction(offset=f.actuator.Fv))) for f in data.robot.frames
    ]
    data.robot = data.robot.replace(frames=tuple(frames))
    found = data.identified(model=ModelChoice(friction=("viscous", "coulomb")))
    rng = np.random.default_rng(1)
    state = {name: rng.normal(size=(5, 4)) for name in ("q", "qd", "qdd")}
    np.testing.assert_allclose(torques(found.robot, **state), found.predict(state), rtol=1e-9)


# --- its symbols and numbers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("MX3", "kg m"), ("MYR12", "kg m"), ("M1", "kg"), ("MR2", "kg"), ("XXR3", "kg m^2"), ("ZZ1_", "kg m^2"),
        ("IA2", "kg m^2"), ("IAR2", "kg m^2"), ("L1", ""), ("Fv1", ""),
    ],
)  # fmt: skip
def test_units_of_new_symbols(name: str, unit: str) -> None:
    assert _unit(name) == unit


def test_a_symbol_has_a_name_of_its_own_and_says_where_its_number_is_from() -> None:
    found = Found({"Fv1": 0.5, "Fs1": 0.25}, {"Fv1": "identified", "Fs1": "identified too"}, {"FV1", "FV1_"})
    entry = found.symbol("FV1", 0.5, "N m s/rad", "Fv1")
    assert isinstance(entry, Expr)
    assert entry.name == "FV1__"
    assert (found.made["FV1__"].number, found.made["FV1__"].source) == (0.5, "identified")
    found.symbol("FS1", 0.2, "N m", "Fs1")
    assert found.made["FS1"].source == "follows from Fs1: identified too"
    found.symbol("JM1", 0.1, "kg m^2", "")
    assert "between joints" in found.made["JM1"].source
    assert found.symbol("FS2", 0.0, "N m", "Fs2").is_zero
    assert "FS2" not in found.made
    assert found.get("unknown") == 0.0


def test_numbers_come_with_their_uncertainty() -> None:
    """Of base parameters their sigmas, of the geometry what was known, and nothing for what regrouping made zero."""
    robot = robosym.load("planar-2r")
    _, _, found = identified(robot, 1, seconds=4.0)
    values = found.robot.values
    one = found.parameters["ZZR1"]
    assert values["ZZR1"].number == one.value
    assert values["ZZR1"].unit == "kg m^2"
    assert values["ZZR1"].source == (
        f"identified, standard deviation {one.sigma:.3g}, {one.sigma_bootstrap:.3g} by the bootstrap"
    )
    assert values["L1"] == robot.values["L1"]
    assert found.robot.name == "planar-2r-identified"
    actuator = found.robot.frame(1).actuator
    assert values[actuator.Fv.name].number == pytest.approx(0.5, rel=1e-6)
    assert values[actuator.Fs.name].number == pytest.approx(0.8, rel=1e-6)
    assert "M1" not in values


def test_a_column_taken_as_zero_is_zero_in_the_robot() -> None:
    robot = robosym.load("planar-2r")
    exact = recording(robot, Motion.random(np.random.default_rng(0), 2), seconds=4.0)
    given = recipe(robot, exact)
    found = identify(replace(given, model=replace(given.model, without=("Fv2", "MY2"))), workers=1)
    assert found.robot.frame(2).actuator.Fv.is_zero
    assert found.robot.values["MY2"].number == 0.0
    assert found.robot.values["MY2"].source == "taken as zero"
    q, qd, qdd = np.random.default_rng(1).normal(size=(3, 9, 2))
    np.testing.assert_allclose(
        torques(found.robot, q, qd, qdd), found.predict({"q": q, "qd": qd, "qdd": qdd}), rtol=1e-9
    )


# --- coupled motors ----------------------------------------------------------------------------------------------------


def coupled(matrix: list[list[float]]) -> Robot:
    rows = [{"d": 0}, {"d": 1}, {"d": 1}][: len(matrix)]
    frames = list(range(1, len(matrix) + 1))
    return Robot.from_table("coupled", rows, coupling=[{"frames": frames, "matrix": matrix}])


INVERSE = np.array([[2.0, 0.0, 0.0], [1.0, 3.0, 0.0], [-1.0, 2.0, 4.0]])  # speeds of motors from those of joints
JM = np.array([0.7, 0.2, 0.05])


def between(stem: str, constants: np.ndarray) -> dict[str, float]:
    """J^-T diag(constants) J^-1 between two joints."""
    whole = INVERSE.T @ np.diag(constants) @ INVERSE
    return {f"{stem}{a + 1}_{b + 1}": float(whole[a, b]) for a in range(3) for b in range(a + 1, 3)}


def test_motors_from_what_they_add_between_joints() -> None:
    """Those that turn with several joints; the first turns with one and adds nothing between two."""
    robot = coupled(np.linalg.inv(INVERSE).tolist())
    found = Found(between("IA", JM) | between("Fv", 10 * JM) | {"Fsm2": 0.9, "Fsm3": 2.0}, {}, set())
    np.testing.assert_allclose(
        _per_motor(robot, found, "IA", (1, 2, 3), INVERSE, [1, 2]), [0.0, 0.2, 0.05], rtol=1e-10, atol=1e-15
    )
    shared = _motors(robot, found)
    for k, j in enumerate((1, 2, 3)):
        own = np.array([0.0, 0.2, 0.05])
        assert shared[j].Jm == pytest.approx(own[k], rel=1e-9)
        assert shared[j].Fv == pytest.approx(10 * own[k], rel=1e-9)
        assert shared[j].inertia == pytest.approx(own @ INVERSE[:, k] ** 2, rel=1e-9)
        assert shared[j].viscous == pytest.approx(10 * own @ INVERSE[:, k] ** 2, rel=1e-9)
    assert [shared[j].Fs for j in (1, 2, 3)] == pytest.approx([0.0, 0.9 / 3, 2.0 / 4])


def test_numbers_that_no_motors_have() -> None:
    robot = coupled(np.linalg.inv(INVERSE).tolist())
    numbers = between("IA", JM)
    for wrong in ({"IA1_2": -numbers["IA1_2"]}, {"IA1_3": 3 * numbers["IA1_3"]}):
        with pytest.raises(
            RobotError, match="coupled: coupling: what was found between the joints is not that of single"
        ):
            _per_motor(robot, Found(numbers | wrong, {}, set()), "IA", (1, 2, 3), INVERSE, [1, 2])
    none = _per_motor(robot, Found({}, {}, set()), "IA", (1, 2, 3), INVERSE, [1, 2])
    assert none.tolist() == [0, 0, 0]
