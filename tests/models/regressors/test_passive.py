"""The passive regressor: Pinocchio's columns made bilinear, the torques of passive dynamics, and D for v = qd."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from models.driven_robots import driven_robot
from models.pinocchio_states import Twin, pin
from models.reference import loaded_robot, relative_error
from models.regressors.regressor_states import FRICTION, matrix, of, state
from random_robots import random_robot
from robots_with import sprung
from sweeps import many

import robosym
from robosym import RobosymError, models
from robosym.program import verified
from robosym.robot import Robot, RobotError

THEIRS = ("M", "MX", "MY", "MZ", "XX", "XY", "YY", "XZ", "YZ", "ZZ")  # Pinocchio's order of the parameters of a body
NAMES = ("rx90", "scara", "five-bar-general", "slider-crank", "eel-2")
EVERY = (*NAMES, "random-1", "random-3", "random-6", "driven", "moving", "sprung")


def moved(robot: Robot, seed: int, centre: Any = None) -> dict[str, np.ndarray]:
    """q, qd, v and a."""
    rng = np.random.default_rng(seed)
    at = state(robot, rng, centre)
    return {"q": at["q"], "qd": at["qd"], "v": at["qdd"], "a": rng.normal(size=robot.nv)}


def theirs(twin: Twin, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    rates = (twin.spread @ qd, twin.spread @ qdd)
    W = pin.computeJointTorqueRegressor(twin.model, twin.data, twin.configuration(q), *rates)
    return np.asarray(twin.spread.T @ W.reshape(twin.model.nv, -1))


@pytest.mark.parametrize("seed", range(many(4)))
def test_columns_are_those_of_pinocchio_made_bilinear(seed: int) -> None:
    """D(q, qd, qdd) is quadratic in qd: h(qd, v) = 1/2 [h(qd, qd) + h(v, v) - h(qd - v, qd - v)], column by column."""
    rng = np.random.default_rng(seed)
    robot = loaded_robot(rng, 1 + seed, symbolic=bool(seed % 2), moving_base=False)
    twin, model = Twin.of_robot(robot), models.passive_regressor(robot, parameters="standard")
    q, qd, v, a = moved(robot, seed).values()
    none = 0 * a
    W = theirs(twin, q, qd, a) + theirs(twin, q, v, a) - theirs(twin, q, qd - v, none) + theirs(twin, q, none, none)
    Y = matrix(model, {"q": q, "qd": qd, "v": v, "a": a})
    for j, joint in twin.joints.items():
        ours = np.column_stack([Y[:, model.columns.index(f"{stem}{j}")] for stem in THEIRS])
        assert relative_error(ours, W[:, 10 * (joint - 1) : 10 * joint] / 2) < 1e-11


@cache
def robots() -> dict[str, Robot]:
    rng = np.random.default_rng(3)
    found = {name: robosym.load(name) for name in NAMES}
    found |= {f"random-{n}": random_robot(rng, n, symbolic=n % 2 == 0) for n in (1, 3, 6)}
    found["driven"] = driven_robot(np.random.default_rng(11), 5, couplings=2)
    found["moving"] = loaded_robot(np.random.default_rng(2), 5, symbolic=True)
    found["sprung"] = sprung(robosym.load("stanford-3"))
    assert tuple(found) == EVERY
    return found


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("parameters", ["base", "standard"])
@pytest.mark.parametrize("name", EVERY)
def test_columns_are_those_of_the_regressor_for_the_real_motion(name: str, parameters: str) -> None:
    """Column by column, with the same names and meanings; and for any v its torques are those of passive dynamics."""
    robot = robots()[name]
    friction = (*FRICTION, "coupled") if robot.couplings else FRICTION
    D = of(robot, "dynamic", parameters, friction=friction)
    Y = models.passive_regressor(robot, parameters=parameters, friction=friction)
    verified(Y.program)
    assert (Y.columns, Y.rows, list(Y.meaning)) == (D.columns, D.rows, list(D.meaning))
    (names, B), (as_there, other) = Y.standard_map(), D.standard_map()
    assert names == as_there
    np.testing.assert_allclose(B, other, rtol=0, atol=1e-11)
    assert set(D.places["D"]) <= set(Y.places["Y"])
    at = moved(robot, 1, Y.centre.get("q"))
    real = matrix(D, {"q": at["q"], "qd": at["qd"], "qdd": at["a"]})
    assert relative_error(matrix(Y, {**at, "v": at["qd"]}), real) < 1e-12
    found = models.passive_dynamics(robot, friction=True, wrench="none").evaluate(**at)
    tau = found["tau"] if isinstance(found, dict) else found
    assert relative_error(matrix(Y, at) @ list(Y.described_values().values()), tau) < 1e-11


def test_friction_of_the_description() -> None:
    robot = driven_robot(np.random.default_rng(4), 4, couplings=1)
    model = models.passive_regressor(robot, friction=True)
    at = moved(robot, 2)
    tau = models.passive_dynamics(robot, friction=True, wrench="none").evaluate(**at)
    assert relative_error(matrix(model, at) @ list(model.described_values().values()), tau) < 1e-12


def test_friction_is_that_at_the_reference_speeds() -> None:
    model = models.passive_regressor(robosym.load("rx90"), friction=("viscous", "coulomb"))
    at = moved(model.robot, 3)
    Y = matrix(model, at)
    for j, v in enumerate(at["v"], 1):
        assert Y[j - 1, model.columns.index(f"Fv{j}")] == v
        assert Y[j - 1, model.columns.index(f"Fs{j}")] == np.sign(v)


def test_a_column_of_ones_own_may_use_both_motions() -> None:
    robot = robosym.load("rx90")
    joint = robot.joint_names[1]
    model = models.passive_regressor(robot, extra={"balancer": {joint: "sin(q2)*qd1*v3 + a2"}})
    at = moved(robot, 4)
    expected = np.sin(at["q"][1]) * at["qd"][0] * at["v"][2] + at["a"][1]
    np.testing.assert_allclose(matrix(model, at)[:, -1], [0, expected, 0, 0, 0, 0], atol=1e-15)
    with pytest.raises(RobotError, match="got the symbol 'qdd2'"):
        models.passive_regressor(robot, extra={"balancer": {joint: "qdd2"}})


def test_batches_of_the_compiled_function() -> None:
    model = models.passive_regressor(robosym.load("scara"))
    many = {name: np.random.default_rng(k).normal(size=(4, 4)) for k, name in enumerate(("q", "qd", "v", "a"))}
    found = model.dense(model.compile()(**many))
    for k in range(4):
        one = matrix(model, {name: rows[k] for name, rows in many.items()})
        np.testing.assert_allclose(found[k], one, rtol=0, atol=1e-13)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(("name", "most"), [("puma560", 767), ("rx90", 703)])
def test_counts_do_not_grow(name: str, most: int) -> None:
    assert models.passive_regressor(robosym.load(name)).operations.total <= most


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"parameters": "all"}, "parameters: got 'all'"),
        ({"friction": ("dry",)}, "friction: got 'dry'"),
        ({"rotor_inertia": "gyroscopic"}, "rotor_inertia"),
    ],
)
def test_what_is_refused(options: dict[str, Any], word: str) -> None:
    with pytest.raises(RobosymError, match=word):
        models.passive_regressor(robosym.load("rx90"), **options)
    with pytest.raises(RobosymError, match="expected a Robot"):
        models.passive_regressor("rx90")
