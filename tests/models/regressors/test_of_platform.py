"""Identification models of platforms on legs: columns against Pinocchio's, torques against another implementation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from models.parallel import reference
from models.parallel.platform_cases import case_of, mode_near, value
from models.parallel.platform_states import State
from models.parallel.unit_parameters import columns_at
from models.reference import relative_error
from sweeps import some

import robosym
from robosym import models
from robosym.errors import RobosymError
from robosym.models.parallel.kinematics import modes_of
from robosym.models.parallel.owners import owners_of
from robosym.models.parallel.states import random_states
from robosym.models.parallel.structure import module_of
from robosym.models.regressors.regressor import Regressor
from robosym.robot import Robot
from robosym.spatial.floats import pose_rows

FRICTION = ("viscous", "coulomb", "offset")
# One of each sort, and one with joints on the platform.
SOME = ("gough-stewart", "delta", "planar-3-RPR", "3-RPS", "five-bar", "6-UPS-wrist")


def carried(robot: Robot, state: State) -> dict[str, np.ndarray]:
    """Inputs of the joints that stand on the platform."""
    if not len(state.carried):
        return {}
    return {"q": state.legs[reference.carried_joints(robot)], "qd": state.carried, "qdd": state.carried_rate}


def matrix(made: Regressor, robot: Robot, state: State) -> np.ndarray:
    return made.dense(value(made, "D", state, **carried(robot, state)))


def described(made: Regressor) -> np.ndarray:
    return np.array(list(made.described_values().values()))


def forces(robot: Robot, state: State, friction: bool) -> np.ndarray:
    rates = {"carried": state.carried, "carried_rate": state.carried_rate}
    here = (robot, state.pose, state.legs, state.twist, state.twist_rate)
    return reference.inverse_dynamics(*here, **rates, friction=friction)


# --- against others ----------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", some(["planar-3rrr", "delta", "3-RPS", "6-UPS-wrist"], 2))
def test_columns_are_those_of_pinocchio(name: str) -> None:
    """Parameter by parameter; of legs alike the sum over the legs."""
    robot, states = case_of(name)
    near = mode_near(robot, states[0].legs)
    made = models.regressor(robot, parameters="standard", near=near)
    assert made.rows == robot.joint_names
    owners = owners_of(module_of(robot), None)
    known = {key: made.columns.index(symbol.name) for key, symbol in made.standard.items()}
    expected = np.zeros((len(robot.moving), len(made.columns)))
    for key, column in columns_at(robot, states[0]).items():
        if key[1] != "Ia" or key[0] in owners.rotors:
            expected[:, known[owners.of_key(key)]] += column
    assert relative_error(matrix(made, robot, states[0]), expected) < 1e-10


@pytest.mark.slow
@pytest.mark.parametrize("name", some(SOME, 2))
def test_torques_with_friction_from_base_parameters(name: str) -> None:
    robot, states = case_of(name)
    made = models.regressor(robot, friction=True, near=mode_near(robot, states[0].legs))
    tau = forces(robot, states[0], True)
    assert relative_error(matrix(made, robot, states[0]) @ described(made), tau) < 1e-10


@pytest.mark.slow
def test_torques_at_random_states_of_a_batch() -> None:
    """Base and standard parameters with any values, compiled."""
    robot = robosym.load("orthoglide")
    at = inputs(robot, 20)
    base, standard = (models.regressor(robot, parameters=one) for one in ("base", "standard"))
    names, B = base.standard_map()
    x = np.random.default_rng(3).normal(size=len(names))
    known = dict(zip(names, x, strict=True))
    K = np.array([known[name] for name in standard.columns])
    tau = [made.dense(made.compile()(**at)["D"]) for made in (base, standard)]
    assert relative_error(tau[0] @ (B @ x), tau[1] @ K) < 1e-10


def inputs(robot: Robot, count: int, branches: tuple[int, ...] | None = None) -> dict[str, Any]:
    states = random_states(module_of(robot), branches or modes_of(robot).default, count, seed=9)
    pose = pose_rows(states.T)
    return {"pose": pose, "twist": states.u[:, :6], "twist_rate": states.ud[:, :6]}


# --- identities --------------------------------------------------------------------------------------------------------


def test_columns_of_legs_alike_are_sums_of_their_own() -> None:
    robot, states = case_of("planar-3rrr")
    alike, each = (models.regressor(robot, parameters="standard", alike=one) for one in (None, False))
    D, own = (matrix(one, robot, states[0]) for one in (alike, each))
    for k, name in enumerate(alike.columns):
        parts = [i for i, other in enumerate(each.columns) if other.partition("_")[0] == name]
        assert len(parts) in (1, 3)
        np.testing.assert_allclose(D[:, k], own[:, parts].sum(axis=1), atol=1e-12)


@pytest.mark.parametrize("name", ["planar-3rrr", "3-RPS"])
def test_wrench_on_the_platform(name: str) -> None:
    """On a state's own twist it does the work of the motors."""
    robot, states = case_of(name)
    near = mode_near(robot, states[0].legs)
    made = models.regressor(robot, forces="platform", parameters="standard", near=near)
    assert made.rows == ("FX", "FY", "FZ", "CX", "CY", "CZ")
    W = matrix(made, robot, states[0]) @ described(made)
    assert abs(W @ states[0].twist - states[0].tau @ states[0].qd) < 1e-11 * np.abs(states[0].tau).max()


@pytest.mark.slow
def test_base_parameters_are_columns_that_are_independent() -> None:
    """Also beside friction of every kind, in another mode: an offset on a slider that lifts is not told from weight."""
    robot = robosym.load("orthoglide")
    mode = modes_of(robot).names_of(0)[0]
    options = {"friction": FRICTION, "mode": mode, "alike": False, "customised": True}
    made, plain = (models.regressor(robot, parameters=one, **options) for one in ("base", "standard"))
    at = inputs(robot, 40, (0, 0, 0))
    D, whole = (one.dense(one.compile()(**at)["D"]) for one in (made, plain))
    flat = D.reshape(-1, len(made.columns))
    flat = flat / np.linalg.norm(flat, axis=0)
    assert np.linalg.matrix_rank(flat, tol=1e-7) == len(made.columns)
    assert set(made.terms) - set(made.columns) == {"offset1_leg3"}
    names, B = made.standard_map()
    x = np.random.default_rng(1).normal(size=len(names))
    known = dict(zip(names, x, strict=True))
    expected = whole @ np.array([known[name] for name in plain.columns])
    assert relative_error(D @ (B @ x), expected) < 1e-10
    assert made.options["mode"] == mode


def test_customised_leaves_out_what_is_zero() -> None:
    robot, states = case_of("delta")
    made = models.regressor(robot, parameters="standard", customised=True)
    assert all(not x.is_zero for x in made.described.values())
    assert relative_error(matrix(made, robot, states[0]) @ described(made), states[0].tau) < 1e-11
    less = models.regressor(robot, parameters="standard", customised=True, rotor_inertia=False)
    assert set(made.columns) - set(less.columns) == {"IA1"}


def test_what_columns_mean() -> None:
    made = models.regressor(robosym.load("planar-3rrr"))
    assert made.meaning["MRP"] == "3*M3 + MP + 10*MX2"  # 3: what is between the last pivots and the platform
    assert made.meaning["ZZR2"] == "ZZ2 - 0.3*MX2"
    assert any(note.startswith("D[0] to ") for note in made.program.notes)
    assert any("Motors" in note for note in made.program.notes)


# --- what is refused ---------------------------------------------------------------------------------------------------


def test_what_is_refused() -> None:
    robot, states = case_of("planar-3rrr")
    for options, words in (
        ({"parameters": "all"}, "expected 'standard' or 'base'"),
        ({"forces": "legs"}, "forces: got 'legs', expected 'platform'.* 'motors'"),
        ({"friction": ("viscous", "sticky")}, "sticky"),
        ({"extra": {}}, "is no option of regressor"),
        (
            {"rotor_inertia": "gyroscopic"},
            "rotor_inertia: got 'gyroscopic', expected True or False .'gyroscopic' is for torques",
        ),
    ):
        with pytest.raises(RobosymError, match=words):
            models.regressor(robot, **options)
    made = models.regressor(robot)
    with pytest.raises(RobosymError, match="RP"):
        value(made, "D", states[0], parameters={"RP": 0.11})
    value(models.regressor(robot, parameters="standard"), "D", states[0], parameters={"RP": 0.11})
