"""The whole way from a recording to the parameters, on robots whose parameters are known."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from identification.synthetic import FRICTION, Motion, identified, recipe, recording, true_values
from models.driven_robots import driven_robot
from random_robots import random_robot
from sweeps import many

import robosym
from robosym import models
from robosym.errors import RobosymError
from robosym.identification import identify
from robosym.identification.data.notes import Notes
from robosym.identification.data.preparing import prepare
from robosym.identification.data.recipe import Data, Processing, Recipe, RecipeError
from robosym.identification.data.recording import Recording
from robosym.identification.estimation.estimation import EstimationError
from robosym.identification.from_recipe import _if_possible, _linear, _merged, factors_of, regressor_of, smoother
from robosym.identification.sampled import Sampler
from robosym.robot import Robot


@pytest.mark.mostly_slow(fast=4)
@pytest.mark.parametrize("seed", range(many(8)))
def test_exact_data_of_random_robots_give_their_parameters_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, 1 + seed % 5, symbolic=seed % 2 == 0)
    values, truth, found = identified(robot, seed)
    assert np.abs(values - truth).max() < 1e-8 * np.abs(truth).max()
    assert max(error["relative"] for error in found.errors.values()) < 1e-8


@pytest.mark.slow
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


# --- the parts ---------------------------------------------------------------------------------------------------------


@cache
def planar(seconds: float = 4.0, seed: int = 0) -> Recording:
    robot, rng = robosym.load("planar-2r"), np.random.default_rng(seed)
    exact = recording(robot, Motion.random(rng, 2), seconds=seconds)
    columns = {name: exact.columns(exact.expanded(name)) for name in ("q", "qd", "qdd", "tau")}
    columns["tau"] = columns["tau"] + 0.1 * rng.normal(size=columns["tau"].shape)
    return Recording.from_arrays(columns, f"run{seed}")


def of(*recordings: Recording, **options: object) -> Recipe:
    """The recipe of recordings of the planar arm, by other options than by default."""
    data = {key: options.pop(key) for key in ("role",) if key in options}
    options = {"processing": Processing(trim=0, low_speed=(0.0,)), **options}
    given = recipe(robosym.load("planar-2r"), recordings[0], **options)  # type: ignore[arg-type]
    return replace(given, data=Data(recordings, rate=200.0, **data))  # type: ignore[arg-type]


def test_ordinary_least_squares_are_those_of_numpy() -> None:
    """On the columns of the regressor along the recording, all joints in one stack."""
    given = of(planar())
    found = identify(given, workers=1)
    q, qd, qdd, tau = (planar().columns(planar().expanded(name)) for name in ("q", "qd", "qdd", "tau"))
    model = models.regressor(given.robot, parameters="base", friction=FRICTION)
    D = model.dense(model.compile()(q=q, qd=qd, qdd=qdd)).reshape(-1, len(model.columns))
    K, _, _, _ = np.linalg.lstsq(D, tau.ravel(), rcond=None)
    np.testing.assert_allclose(found.estimate.values, K, rtol=1e-8, atol=1e-10)
    assert found.estimate.columns == model.columns
    left = (tau.ravel() - D @ K).reshape(tau.shape)
    np.testing.assert_allclose(found.estimate.rms, np.sqrt((left**2).mean(axis=0)), rtol=1e-6)


def test_what_is_being_done_is_told() -> None:
    told: list[tuple[str, float]] = []
    identify(of(planar()), progress=lambda what, part: told.append((what, part)), workers=1)
    stages = list(dict.fromkeys(what for what, _ in told))
    assert stages == ["reading", "factors of run0", "estimating (ordinary)", "bootstrap", "physical"]
    parts = [part for what, part in told if what == "factors of run0"]
    assert parts == sorted(parts)
    assert parts[-1] == 1.0
    assert all(0 <= part <= 1 for _, part in told)


def test_the_model_of_a_recipe() -> None:
    """Friction between joints where the friction of coupled motors is asked for; rotors and columns of one's own."""
    plain = of(planar())
    names = regressor_of(plain).columns
    assert {"Fv1", "Fs2", "offset1"} <= set(names)
    bare = replace(
        plain, model=replace(plain.model, friction=("viscous",), rotor_inertia=False, extra={"c": {"elbow": "q2"}})
    )
    less = regressor_of(bare).columns
    assert {"Fv1", "c"} <= set(less)
    assert {"Fs1", "offset1", "IA2"}.isdisjoint(less)
    robot = coupled()
    exact = recording(robot, Motion.random(np.random.default_rng(0), len(robot.moving)), seconds=0.5)
    for friction, has in ((("viscous", "coulomb"), True), (("offset",), False), (("viscous", "coupled"), True)):
        columns = regressor_of(recipe(robot, exact, friction=friction)).columns
        assert any(re.fullmatch(r"Fv\d+_\d+", name) for name in columns) is has


def test_parameters_to_leave_out_must_exist() -> None:
    given = of(planar())
    with pytest.raises(RecipeError, match=r"model, without: there is no parameter Fv9, XX: expected some of .*Fv1"):
        identify(replace(given, model=replace(given.model, without=("Fv9", "Fv1", "XX"))))


def test_recordings_shorter_than_what_is_trimmed() -> None:
    with pytest.raises(
        EstimationError, match="no equations are left: every row was left out, or the recording is shorter"
    ):
        identify(of(planar(0.2), processing=Processing(trim=20, low_speed=(0.0,))))
    one = identify(of(planar(), processing=Processing(trim=20, low_speed=(0.0,))), workers=1)
    both = identify(of(planar(0.2, 3), planar(), processing=Processing(trim=20, low_speed=(0.0,))), workers=1)
    np.testing.assert_array_equal(both.estimate.values, one.estimate.values)


def test_parallel_robots_are_not_identified() -> None:
    robot = robosym.load("planar-3rrr")
    n = len(robot.moving)
    exact = Recording.from_arrays({name: np.zeros((9, n)) for name in ("q", "qd", "qdd", "tau")})
    with pytest.raises(RobosymError, match=r"parallel|platform"):
        identify(recipe(robot, exact))


def test_recordings_kept_for_validation_are_not_fitted() -> None:
    """The estimate is that of the first alone; the errors on the second are those of its torques."""
    alone, both = identify(of(planar()), workers=1), of(planar(), planar(seed=1), role=("train", "validate"))
    found = identify(both, workers=1)
    np.testing.assert_array_equal(found.estimate.values, alone.estimate.values)
    assert list(found.unseen) == ["run1"]
    samples = found.prepared[1].whole()
    left = samples.tau - found.predict(samples)
    np.testing.assert_allclose(found.unseen["run1"].rms, np.sqrt((left**2).mean(axis=0)), rtol=1e-9)


def test_one_block_of_time_has_no_bootstrap() -> None:
    found = identify(of(planar(), block=100.0), workers=1)
    assert found.bootstrap is None
    assert any("bootstrap: expected at least two blocks of time" in text for text in found.warnings)


def test_a_torque_that_is_explained_badly_names_its_column() -> None:
    """Torques that follow nothing: a sum of sines of other frequencies."""
    t = np.arange(800) / 200.0
    columns = {name: planar().columns(planar().expanded(name)) for name in ("q", "qd", "qdd", "tau")}
    columns["tau"] = columns["tau"] + 30 * np.sin(17 * t)[:, None] * [0, 1]
    found = identify(of(Recording.from_arrays(columns, "run")), workers=1)
    assert any("the torque of elbow (column 'tau.1') is explained badly" in text for text in found.warnings)
    assert not any("shoulder (column" in text and "badly" in text for text in found.warnings)


def test_factors_tell_how_far_they_are_and_fail_without_rows() -> None:
    given = of(planar())
    sampler = Sampler(given, regressor_of(given), 1)
    ready = prepare(given)
    told: list[float] = []
    found = factors_of(sampler, ready, lambda what, part: told.append(part), 1)
    assert told[-1] == 1.0
    assert found.count.tolist() == [800, 800]
    with pytest.raises(EstimationError, match="no equations are left"):
        factors_of(sampler, ())


def test_instruments_are_of_half_the_frequency() -> None:
    given = of(planar(), planar(seed=1), role=("train", "validate"), processing=Processing(cutoff=20.0, trim=5))
    (smooth,) = smoother(given)
    assert (smooth.recipe.processing.cutoff, smooth.recipe.processing.trim) == (10.0, 5)
    for processing in (Processing(trim=5), Processing(cutoff=20.0)):
        with pytest.raises(EstimationError, match="instruments need processing, cutoff and trim"):
            smoother(replace(given, processing=processing))


def test_small_parts() -> None:
    assert [_linear(name) for name in ("ordinary", "weighted", "huber", "total", "instrumental")] == [
        "ordinary",
        "weighted",
        *["weighted"] * 3,
    ]
    notes = Notes()

    def fails() -> int:
        raise EstimationError("no way")

    assert _if_possible(notes, lambda: 3) == 3
    assert _if_possible(notes, fails) is None
    assert notes.warnings == ["no way"]
    with pytest.raises(ZeroDivisionError):
        _if_possible(notes, lambda: 1 // 0)
    other = Notes()
    other.warn("no way")
    other.remark("done")
    for one, rows in ((notes, 3), (other, 4)):
        one.leave_out("slow", rows)
    whole = _merged([notes, other])
    assert (whole.warnings, whole.remarks, whole.left_out) == (["no way"], ["done"], {"slow": 7})
    assert notes.left_out == {"slow": 3}
