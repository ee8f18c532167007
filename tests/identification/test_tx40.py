"""A simulated recording of an arm like the TX40, whose parameters are known: from CSV files to the identified robot."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import tx40_recording
from scipy import signal
from tx40_recording import RATE, REST, N, tx40

import robosym
from robosym import models
from robosym.identification import Identification, identify


@cache
def found(name: str) -> Identification:
    recording = tx40()
    return identify(recording.recipe(name), data=recording.folder)


@pytest.mark.slow
def test_the_recipe_finds_the_true_parameters() -> None:
    """Within their bootstrapped standard deviations, which are neither too small nor much too large."""
    result = found("recipe.toml")
    assert len(result.parameters) == 61
    names, B = result.model.standard_map()
    standard = tx40_recording.truth()
    true = dict(zip(result.model.columns, B @ [standard[name] for name in names], strict=True))
    apart = np.array([(one.value - true[name]) / one.sigma_bootstrap for name, one in result.parameters.items()])
    assert np.abs(apart).max() < 3.5
    assert np.sum(np.abs(apart) <= 2) >= 57
    assert 0.4 < np.mean(apart**2) < 1.6
    well_known = [name for name, one in result.parameters.items() if one.relative_sigma < 3]
    assert {"ZZR1", "ZZR2", "MXR2", "Fv1", "Fs1", "Fs2", "Fv5_6", "Fsm6"} <= set(well_known)
    for name in well_known:
        assert result.parameters[name].value == pytest.approx(true[name], rel=0.2), name
    assert not result.warnings


def test_the_errors_are_the_noise_and_hold_on_other_data() -> None:
    result = found("recipe.toml")
    noise = signal.decimate(tx40().noise, 10, ftype="fir", axis=0).std(axis=0)
    for (joint, error), expected in zip(result.errors.items(), noise, strict=True):
        assert error["rms"] == pytest.approx(expected, rel=0.1), joint
    assert result.validation is not None
    assert len(result.validation.test) == 4
    assert result.validation.mean <= 1.3
    assert result.bootstrap is not None
    assert 1.5 < result.bootstrap.inflation < 2.5  # the noise is alike from sample to sample


# --- the way of others ------------------------------------------------------------------------------------------------


def columns(q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    """(joints, samples, parameters) by Pinocchio, rotors and friction beside them; columns that are not independent too."""
    pin = pytest.importorskip("pinocchio")
    model = pin.buildModelFromUrdf(str(tx40().urdf))
    model.gravity.linear = np.array([0, 0, -9.81])
    data = model.createData()
    circles = model.nq == 12
    links = np.array(
        [
            pin.computeJointTorqueRegressor(
                model, data, np.ravel([np.cos(x), np.sin(x)], "F") if circles else x, v, a
            ).copy()
            for x, v, a in zip(q, qd, qdd, strict=True)
        ]
    )
    eye = np.eye(6)
    own = [x[:, :, None] * eye for x in (qdd[:, :5] @ eye[:5], qd, np.sign(qd), np.ones_like(qd))]
    shared = np.zeros((len(q), 6, 3))
    for k, other in ((4, 5), (5, 4)):
        shared[:, k] = np.stack([qdd[:, other], qd[:, other], np.sign(qd[:, 4] + qd[:, 5])], axis=1)
    return np.concatenate([links, *own, shared], axis=2).transpose(1, 0, 2)


def by_a_plain_script() -> np.ndarray:
    """The pipeline that ``published.toml`` describes, in NumPy and SciPy: the parameters of least norm."""
    read = [np.loadtxt(tx40().folder / f"{name}_data.csv", delimiter=",", skiprows=1) for name in ("pos_read", "curr")]
    positions, tau = read[0] @ np.linalg.inv(N).T + REST, read[1] @ N
    sections = signal.butter(4, 25, fs=RATE, output="sos")
    q = signal.sosfiltfilt(sections, positions, axis=0, padlen=12)[20:-20]
    qd = np.diff(q, axis=0, append=2 * q[-1:] - q[-2:-1]) * RATE
    qdd = np.gradient(qd, 1 / RATE, axis=0)
    qdd[:, 5] = 0
    count = len(q)
    # Of all joints in one stack, two rows short for each: joint j's begin 2 (j - 1) rows late and end with the next one's.
    where = np.minimum(np.arange(6 * count), 6 * (count - 2) - 1)
    W = columns(q, qd, qdd)[:, :-2].reshape(6 * (count - 2), -1)[where].reshape(6, count, -1)
    speeds = qd[:-2].T.ravel()[where].reshape(6, count)
    rows, sides = [], []
    low = (0.05009095, 0.05009095, 0.07504916, 0.0715585, 0.05585054, 0.12217305)
    for k in range(6):
        own = [W[k], speeds[k], tau[20:-20, k]]
        for step in (5, 2):
            own = [signal.decimate(x, step, axis=0) for x in own]
        fast = np.abs(own[1]) >= low[k]
        rows.append(own[0][fast])
        sides.append(own[2][fast])
    return np.linalg.lstsq(np.concatenate(rows), np.concatenate(sides), rcond=1e-10)[0]


@pytest.mark.slow
def test_the_published_way_is_that_of_a_plain_script() -> None:
    """With its quirks: torques along other motions, which do not depend on how the parameters are grouped."""
    result, plain = found("published.toml"), by_a_plain_script()
    assert len(result.parameters) == 60
    q, qd, qdd = np.random.default_rng(1).normal(size=(3, 20, 6))
    expected = (columns(q, qd, qdd) @ plain).T
    np.testing.assert_allclose(result.predict({"q": q, "qd": qd, "qdd": qdd}), expected, rtol=1e-6, atol=1e-6)


# --- the identified robot ---------------------------------------------------------------------------------------------


def test_the_identified_robot_gives_the_predicted_torques(tmp_path) -> None:
    result = found("recipe.toml")
    files = result.report(tmp_path / "report")
    rng = np.random.default_rng(0)
    state = {name: rng.normal(size=6) for name in ("q", "qd", "qdd")}
    expected = result.predict(state)
    with pytest.warns(robosym.robot.RobotWarning, match="physically impossible"):
        read = robosym.load(files["toml"])
    for robot in (result.robot, read):
        tau = models.inverse_dynamics(robot, friction=True).compile()(**state)
        np.testing.assert_allclose(tau, expected, rtol=1e-9)


@pytest.mark.slow
def test_a_possible_robot_explains_the_torques_as_well(tmp_path) -> None:
    pytest.importorskip("cvxpy")
    pin = pytest.importorskip("pinocchio")
    recording = tx40()
    recipe = recording.recipe(
        "recipe.toml",
        ('method = "weighted"', 'method = "weighted"\nphysical = true'),
        ("\n[data]", f"prior = '{recording.prior}'\n\n[data]"),
    )
    result = identify(recipe, data=recording.folder)
    assert result.physical is not None
    assert result.physical.rise <= 0.02
    assert np.all(result.physical.eigenvalues > 0)
    files = result.report(tmp_path / "report")
    model = pin.buildModelFromUrdf(str(files["urdf"]))
    assert all(
        inertia.mass > 0 and np.all(np.linalg.eigvalsh(inertia.inertia) > 0) for inertia in list(model.inertias)[1:]
    )
    rng = np.random.default_rng(0)
    q, qd, qdd = (rng.normal(size=6) for _ in range(3))
    rigid = models.inverse_dynamics(result.robot, rotor_inertia=False).compile()(q=q, qd=qd, qdd=qdd)
    circles = np.column_stack([np.cos(q), np.sin(q)]).ravel()  # joints without limits are unit circles there
    np.testing.assert_allclose(pin.rnea(model, model.createData(), circles, qd, qdd), rigid, rtol=1e-6, atol=1e-6)
