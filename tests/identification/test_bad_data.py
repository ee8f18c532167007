"""Mistakes in recordings and recipes are named with the column and the remedy, and what is left out is counted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from identification.spoiled import PROCESSING, RATE, Spoiled, one_warning
from identification.synthetic import FRICTION, Motion, torques

import robosym
from robosym.errors import RobosymError
from robosym.identification.data.recipe import (
    Data,
    Estimation,
    ModelChoice,
    Signal,
    Transmission,
)
from robosym.identification.data.recording import Recording


@pytest.fixture
def data() -> Spoiled:
    return Spoiled()


def test_a_good_recording_has_no_warnings(data: Spoiled) -> None:
    assert not data.identified().warnings


@pytest.mark.parametrize("factor", [1e-3, 1e3])
def test_torques_in_another_unit(data: Spoiled, factor: float) -> None:
    data.tau *= factor
    assert one_warning(data.identified(), "tau.0", "unit or gain")


@pytest.mark.parametrize("factor", [1e-3, 1e3])
def test_torques_in_another_unit_of_a_robot_without_numbers(data: Spoiled, factor: float) -> None:
    """The links come out far too heavy or too light for any robot."""
    geometry = {name: value for name, value in data.robot.values.items() if name in ("D2", "D3", "G3")}
    data.robot = data.robot.replace(values=geometry)
    data.tau *= 3 * factor if factor < 1 else factor
    assert one_warning(data.identified(), "first moment", "unit or gain")


def test_the_sign_of_a_torque(data: Spoiled) -> None:
    data.tau[:, 1] *= -1
    assert one_warning(data.identified(), "'tau.1' (joint elbow)", "other sign")


def test_the_sign_of_a_position(data: Spoiled) -> None:
    data.q[:, 1] *= -1
    assert one_warning(data.identified(), "'q.1' (joint elbow)", "other sign")


def test_the_sign_of_all_torques(data: Spoiled) -> None:
    data.tau *= -1
    assert one_warning(data.identified(), "Fv1", "negative", "(joint shoulder, column 'tau.0')")


def test_the_scale_of_one_torque(data: Spoiled) -> None:
    data.tau[:, 1] *= 2
    assert one_warning(data.identified(), "'tau.1' (joint elbow)", "0.5 times the torque")


def test_a_wrong_ratio(data: Spoiled) -> None:
    data.q[:, 1] *= 1.5
    data.tau[:, 1] /= 1.5
    assert one_warning(data.identified(), "joint elbow", "correct the ratio")


@pytest.mark.parametrize("name", ["q", "tau"])
def test_swapped_columns(data: Spoiled, name: str) -> None:
    rows = getattr(data, name)
    rows[:, [0, 1]] = rows[:, [1, 0]]
    assert one_warning(data.identified(), f"'{name}.0' and '{name}.1'", "swapped")


def test_the_delay_of_one_joint(data: Spoiled) -> None:
    data.tau[:, 1] = np.interp(data.t - 0.01, data.t, data.tau[:, 1])
    assert one_warning(data.identified(), "'tau.1' (joint elbow)", "delay of each joint")


def test_saturated_torques(data: Spoiled) -> None:
    limit = float(data.tau[:, 0].std())
    data.tau[:, 0] = np.clip(data.tau[:, 0], -limit, limit)
    assert one_warning(data.identified(), "'tau.0'", "saturated", "limit")


def test_rows_recorded_twice(data: Spoiled) -> None:
    rows = np.sort(np.concatenate((np.arange(len(data.t)), np.arange(100, 5000, 100))))
    data.q, data.tau = data.q[rows], data.tau[rows]
    assert one_warning(data.identified(), "49 rows repeat", "column of time")


def test_a_failed_estimate_says_what_is_wrong_with_the_recording(data: Spoiled) -> None:
    data.q[:, 1] = 0.3
    with pytest.raises(RobosymError, match=r"nothing depends on IA2[\s\S]*column 'q.1' is constant"):
        data.identified()


# --- outliers ----------------------------------------------------------------------------------------------------------


def test_outliers_are_named_left_out_and_counted(data: Spoiled) -> None:
    places = np.arange(200, len(data.t), 400)
    data.tau[places] += 30 * data.tau.std(axis=0)
    spoiled = data.identified()
    assert one_warning(spoiled, "'tau.0'", f"{len(places)} single samples", "outliers")
    found = data.identified(processing=replace(PROCESSING, outliers=5.0))
    truth = np.array(list(found.model.described_values().values()))
    assert found.bootstrap is not None
    assert np.abs((found.estimate.values - truth) / found.bootstrap.sigma).max() < 5
    assert max(found.estimate.rms / spoiled.estimate.rms) < 0.4
    lost = spoiled.estimate.rows - found.estimate.rows
    noted = [n for why, n in found.notes.left_out.items() if why.startswith("outliers of")]
    assert noted == list(lost)
    assert min(lost) >= len(places)


@pytest.mark.slow
def test_outliers_go_with_every_method(data: Spoiled) -> None:
    processing = replace(PROCESSING, outliers=5.0)
    for method in ("ordinary", "huber", "total", "instrumental"):
        found = data.identified(processing=processing, estimate=Estimation(method=method, block=1.0))
        assert max(found.estimate.relative) < 3


# --- columns that are left out or added ----------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("method", ["weighted", "instrumental"])
def test_a_column_taken_as_zero_is_zero_everywhere(data: Spoiled, method: str, tmp_path: Path) -> None:
    found = data.identified(
        model=ModelChoice(friction=FRICTION, without=("IA2",)), estimate=Estimation(method=method, block=1.0)
    )
    assert "IA2" not in found.parameters
    assert found.bootstrap is not None
    rng = np.random.default_rng(1)
    state = {name: rng.normal(size=(5, 4)) for name in ("q", "qd", "qdd")}
    np.testing.assert_allclose(torques(found.robot, **state), found.predict(state), rtol=1e-9)
    assert found.report(tmp_path)["html"].exists()


def test_a_physical_estimate_without_a_column(data: Spoiled) -> None:
    pytest.importorskip("cvxpy")
    found = data.identified(
        model=ModelChoice(friction=FRICTION, without=("IA2",)), estimate=Estimation(physical=True, block=1.0)
    )
    assert found.physical is not None
    values = dict(zip(found.physical.names, found.physical.values, strict=True))
    assert abs(values["IA2"]) < 1e-6


def test_a_column_of_ones_own_is_predicted(data: Spoiled) -> None:
    data.tau[:, 0] += 3 * np.sin(data.q[:, 0])
    found = data.identified(model=ModelChoice(friction=FRICTION, extra={"balancer": {"shoulder": "sin(q1)"}}))
    rng = np.random.default_rng(1)
    state = {name: rng.normal(size=(5, 4)) for name in ("q", "qd", "qdd")}
    expected = torques(data.robot, **state)
    expected[:, 0] += 3 * np.sin(state["q"][:, 0])
    np.testing.assert_allclose(found.predict(state), expected, atol=0.01 * np.abs(expected).max())
    assert one_warning(found, "no place for the columns balancer")


# --- transmissions -----------------------------------------------------------------------------------------------------


def with_ratios(data: Spoiled, ratio: str = "-50") -> None:
    frames = [replace(f, actuator=replace(f.actuator, ratio=robosym.expr.parse(ratio))) for f in data.robot.frames]
    data.robot = data.robot.replace(frames=tuple(frames))


def test_motor_columns_of_a_robot_without_ratios(data: Spoiled) -> None:
    recipe = data.recipe()
    found = data.identified(position=replace(recipe.position, side="motor"))
    assert one_warning(found, "no ratio of shoulder, elbow", "[transmission]")


def test_velocities_of_motors_beside_positions_of_joints(data: Spoiled) -> None:
    with_ratios(data)
    speeds = -50 * np.gradient(data.q, 1 / RATE, axis=0)
    recorded = Recording.from_arrays({"q": data.q, "qd": speeds, "tau": data.tau}, "spoiled")
    velocity = Signal(recorded.expanded("qd"), side="motor", unit=("rad/s",))
    found = data.identified(data=Data((recorded,), rate=RATE), velocity=velocity)
    truth = np.array(list(found.model.described_values().values()))
    assert found.bootstrap is not None
    assert np.abs((found.estimate.values - truth) / found.bootstrap.sigma).max() < 5


def test_two_transmissions_that_differ(data: Spoiled) -> None:
    with_ratios(data)
    data.q *= -50
    data.tau /= -50
    recipe = data.recipe()
    motors = {"position": replace(recipe.position, side="motor"), "torque": replace(recipe.torque, side="motor")}
    assert not data.identified(**motors).warnings
    found = data.identified(**motors, transmission=Transmission(ratio=(-50.0, 50.0, -50.0, -50.0)))
    assert one_warning(found, "not that of the robot's description")


def test_a_gain_of_zero_is_refused(data: Spoiled) -> None:
    with pytest.raises(RobosymError, match="torque, gain: expected numbers other than 0"):
        data.identified(torque=replace(data.recipe().torque, gain=(0.0,)))


def test_of_two_signs_the_one_that_leaves_inertia_positive(data: Spoiled) -> None:
    """With two joints the other torque's sign fits as well, and makes all parameters negative."""
    data.robot = robosym.load("planar-2r")
    rng = np.random.default_rng(0)
    q, qd, qdd = Motion.random(rng, 2)(data.t)
    data.q, data.tau = q, torques(data.robot, q, qd, qdd) + 0.01 * rng.normal(size=q.shape)
    data.tau[:, 1] *= -1
    assert one_warning(data.identified(), "'tau.1'", "other sign: set")
