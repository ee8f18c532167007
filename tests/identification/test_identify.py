"""The whole way from a recording to the parameters, on robots whose parameters are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from identification.synthetic import FRICTION, Motion, recipe, recording
from models.driven_robots import driven_robot
from random_robots import random_robot
from sweeps import many

import robosym
from robosym import models
from robosym.identification import identify
from robosym.identification.data.recipe import Processing
from robosym.models.regressors.regressor import Regressor
from robosym.robot import Robot


def true_values(model: Regressor) -> np.ndarray:
    return np.array(list(model.described_values().values()))


def identified(
    robot: Robot, seed: int, seconds: float = 12.0, **options: object
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What was found, the truth, and the size of each column's contribution to the torques."""
    rng = np.random.default_rng(seed)
    centre = models.inverse_dynamics(robot).centre.get("q", 0.0)
    motion = Motion.random(rng, len(robot.moving), 0.5 if np.ndim(centre) == 0 else 0.08, centre)
    found = identify(recipe(robot, recording(robot, motion, seconds=seconds), **options))  # type: ignore[arg-type]
    return found.estimate.values, true_values(found.model), found


@pytest.mark.mostly_slow(fast=4)
@pytest.mark.parametrize("seed", range(many(8)))
def test_exact_data_of_random_robots_give_their_parameters_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, 1 + seed % 5, symbolic=seed % 2 == 0)
    values, truth, found = identified(robot, seed)
    assert np.abs(values - truth).max() < 1e-8 * np.abs(truth).max()
    assert max(error["relative"] for error in found.errors.values()) < 1e-8


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["sr400", "five-bar-general", "four-bar"])
def test_exact_data_of_closed_loops_give_their_parameters_back(name: str) -> None:
    values, truth, _ = identified(robosym.load(name), 3)
    assert np.abs(values - truth).max() < 1e-8 * np.abs(truth).max()


def test_coupled_motors_and_all_their_friction_are_found() -> None:
    robot = coupled()
    plain = robot.replace(
        frames=tuple(
            replace(f, actuator=replace(f.actuator, friction=f.actuator.friction.__class__())) for f in robot.frames
        )
    )
    values, truth, found = identified(plain, 5, friction=(*FRICTION, "coupled"))
    assert np.abs(values - truth).max() < 1e-8 * np.abs(truth).max()
    assert any("_" in name for name in found.parameters)


def coupled() -> Robot:
    """The first random robot with motors that turn with several joints."""
    made = (driven_robot(np.random.default_rng(seed), 5, couplings=1) for seed in range(20))
    return next(robot for robot in made if robot.couplings)


def without_coulomb_friction(robot: Robot) -> Robot:
    """Whose sign jumps, where quadratures are of first order only."""
    zero = robot.frame(1).gamma * 0
    return robot.replace(frames=tuple(replace(f, actuator=replace(f.actuator, Fs=zero)) for f in robot.frames))


# --- the models without accelerations ------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("kind", ["filtered", "energy", "power"])
def test_models_without_accelerations_converge(kind: str) -> None:
    """The error falls with the square of the step: that of central differences and of the trapezoidal rule."""
    robot = without_coulomb_friction(robosym.load("planar-2r"))
    rng = np.random.default_rng(1)
    motion = Motion.random(rng, len(robot.moving))
    errors = []
    for rate in (200.0, 400.0, 800.0):
        recorded = recording(robot, motion, rate, 10.0)
        exact = kind != "power"  # power takes accelerations, here by central differences
        processing = (
            Processing(trim=2, decimation=(round(rate / 50),)) if kind == "energy" else Processing(trim=2, cutoff=0)
        )
        given = recipe(robot, recorded, rate, exact=exact, kind=kind, friction=("viscous",), processing=processing)
        found = identify(given)
        truth = true_values(found.model)
        errors.append(np.abs(found.estimate.values - truth).max())
    orders = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert orders.min() > 1.7, (kind, errors)


# --- noise -------------------------------------------------------------------------------------------------------------


def test_naive_intervals_cover_the_truth_where_the_noise_is_white() -> None:
    """500 trials on a robot's own equations: 93 to 97 % of the 95 % intervals, over all parameters."""
    from robosym.identification.estimation.equations import Equations
    from robosym.identification.estimation.estimation import weighted
    from robosym.identification.estimation.factors import Factors
    from robosym.identification.estimation.uncertainty import intervals

    robot = robosym.load("scara")
    model = models.regressor(robot, friction=FRICTION)
    rng = np.random.default_rng(0)
    t = np.arange(400) / 50.0
    q, qd, qdd = Motion.random(rng, 4)(t)
    D = model.compile()(q=q, qd=qd, qdd=qdd)
    truth = true_values(model)
    tau = model.dense(D) @ truth
    sigma = 0.02 * np.abs(tau).max(axis=0)
    inside = total = 0
    for _ in range(500):
        noisy = tau + sigma * rng.normal(size=tau.shape)
        equations = Equations.from_packed(model.columns, model.rows, model.places["D"], D, noisy, t)
        estimate = weighted(Factors.of(equations, width=8.0))
        low, high = intervals(estimate)
        inside += int(np.sum((low <= truth) & (truth <= high)))
        total += len(truth)
    assert 0.93 <= inside / total <= 0.97


def test_noisy_data_are_within_their_sigmas_and_say_how_sure_they_are() -> None:
    robot = robosym.load("planar-2r")
    rng = np.random.default_rng(2)
    motion = Motion.random(rng, 2)
    t = np.arange(4000) / 400.0
    q, qd, qdd = motion(t)
    from identification.synthetic import torques

    from robosym.identification.data.recording import Recording

    tau = torques(robot, q, qd, qdd)
    noisy = Recording.from_arrays({"q": q, "qd": qd, "qdd": qdd, "tau": tau + 0.05 * rng.normal(size=tau.shape)})
    found = identify(recipe(robot, noisy, 400.0, method="weighted"))
    truth = true_values(found.model)
    assert found.bootstrap is not None
    sigmas = np.maximum(found.estimate.sigma, found.bootstrap.sigma)
    assert np.all(np.abs(found.estimate.values - truth) < 5 * sigmas)
    assert found.validation is not None
    assert 0.9 < found.validation.mean < 1.2


# --- the robot that comes out --------------------------------------------------------------------------------------------


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


# --- a known payload -----------------------------------------------------------------------------------------------------


def with_payload(robot: Robot, frame: int, values: dict[str, float]) -> Robot:
    from robosym.expr import number

    link = robot.frame(frame).link
    more = {name: getattr(link, name) + number(value) for name, value in values.items()}
    frames = list(robot.frames)
    frames[frame - 1] = replace(frames[frame - 1], link=replace(link, **more))
    return robot.replace(frames=tuple(frames))


def test_a_known_payload_is_taken_off_and_shows_the_gains_of_the_drives() -> None:
    """Two recordings, one with a payload; the torques of one joint are given 20 % too small."""
    from robosym.identification.data.recipe import Data, Payload
    from robosym.identification.data.recording import Recording

    robot = robosym.load("scara")
    values = {"M": 2.5, "MX": 0.1, "MZ": 0.2, "ZZ": 0.03}
    rng = np.random.default_rng(3)
    made = []
    for one in (robot, with_payload(robot, 4, values)):
        whole = recording(one, Motion.random(rng, 4), seconds=10.0)
        made.append({name: whole.columns(whole.expanded(name)) for name in ("q", "qd", "qdd", "tau")})
    for wrong in (1.0, 0.8):
        scaled = [
            Recording.from_arrays({**x, "tau": x["tau"] * [1, wrong, 1, 1]}, f"run{k}") for k, x in enumerate(made)
        ]
        given = recipe(robot, scaled[0])
        given = replace(
            given,
            data=Data(tuple(scaled), rate=200.0),
            payload=Payload(robot.frame(4).name, values, (2,)),
        )
        found = identify(given)
        assert found.gains is not None
        np.testing.assert_allclose(found.gains.gains, [1, 1 / wrong, 1, 1], atol=1e-6)
        if wrong == 1.0:
            np.testing.assert_allclose(found.estimate.values, true_values(found.model), atol=1e-7)
            assert not found.warnings
        else:
            assert any("multiplied by 1.25" in warning for warning in found.warnings)


# --- a free base ---------------------------------------------------------------------------------------------------------


def test_exact_data_of_a_free_base_give_its_parameters_back() -> None:
    """A two-link eel that swims as it likes: pose, twist and its rate, wrench on the base and torques."""
    from scipy.spatial.transform import Rotation

    robot = robosym.load("eel-2")
    n = len(robot.moving)
    motion = Motion.random(np.random.default_rng(5), 6 + n, 0.3)

    def pose(t: np.ndarray) -> tuple[np.ndarray, Rotation]:
        x = motion(t)[0]
        return x[:, :3], Rotation.from_euler("ZYX", x[:, 3:6])

    def twist(t: np.ndarray, h: float = 2e-3) -> np.ndarray:
        """In the base's axes, by differences of the sixth order of the pose."""
        weights = {1: 45.0, 2: -9.0, 3: 1.0}
        _, R = pose(t)
        linear = sum(w * (pose(t + k * h)[0] - pose(t - k * h)[0]) for k, w in weights.items()) / (60 * h)
        turns = {
            k: (R.inv() * pose(t + k * h)[1]).as_rotvec() - (R.inv() * pose(t - k * h)[1]).as_rotvec() for k in weights
        }
        angular = sum(w * turns[k] for k, w in weights.items()) / (60 * h)
        return np.hstack([R.inv().apply(linear), angular])

    def rate(t: np.ndarray, h: float = 2e-3) -> np.ndarray:
        return sum(w * (twist(t + k * h) - twist(t - k * h)) for k, w in {1: 45.0, 2: -9.0, 3: 1.0}.items()) / (60 * h)

    t = np.arange(2000) / 200.0
    joints = tuple(x[:, 6:] for x in motion(t))
    place, R = pose(t)
    q = np.hstack([place, R.as_quat(), joints[0]])
    qd, qdd = np.hstack([twist(t), joints[1]]), np.hstack([rate(t), joints[2]])
    from identification.synthetic import torques

    from robosym.identification.data.recording import Recording

    recorded = Recording.from_arrays({"q": q, "qd": qd, "qdd": qdd, "tau": torques(robot, q, qd, qdd)}, "swim")
    found = identify(recipe(robot, recorded, 200.0))
    truth = true_values(found.model)
    assert np.abs(found.estimate.values - truth).max() < 1e-8 * np.abs(truth).max()
