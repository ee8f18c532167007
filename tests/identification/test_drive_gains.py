"""Gains of the drives from recordings with and without a known payload."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from identification.estimation.random_equations import random_equations
from identification.synthetic import Motion, recipe, recording, torques, true_values

import robosym
from robosym.identification import identify
from robosym.identification.data.preparing import prepare
from robosym.identification.data.recipe import Data, Payload, Processing, Recipe
from robosym.identification.data.recording import Recording
from robosym.identification.drive_gains import MUCH, SURE, gains_of, joined, warnings_of
from robosym.identification.estimation.equations import Equations
from robosym.identification.estimation.estimation import EstimationError
from robosym.identification.estimation.gains import DriveGains
from robosym.identification.from_recipe import regressor_of
from robosym.identification.sampled import Sampler
from robosym.robot import Robot


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


# --- the parts ---------------------------------------------------------------------------------------------------------


def test_rows_of_several_equations_are_one_after_the_other() -> None:
    rng = np.random.default_rng(0)
    parts = [random_equations(rng, rows, np.ones(3), ((0, 1), (1, 2))) for rows in ((3, 4), (0, 2), (5, 1))]
    found = joined(parts)
    assert isinstance(found, Equations)
    assert found.rows == (8, 7)
    np.testing.assert_array_equal(found.values[0][3:], parts[2].values[0])
    np.testing.assert_array_equal(found.torques[1], np.concatenate([part.torques[1] for part in parts]))
    np.testing.assert_array_equal(found.times[1], [*parts[0].times[1], *parts[1].times[1], *parts[2].times[1]])


def test_warnings_of_gains_that_are_surely_not_one() -> None:
    """By more than a part of one, and by more than some standard deviations."""
    gains = np.array([1 + 0.9 * MUCH, 1 + 1.1 * MUCH, 1 - 1.1 * MUCH, 1.5, 0.2])
    sigma = np.array([1e-6, 1e-6, 1e-6, 0.51 / SURE, 0.79 / SURE])
    none = np.zeros(0)
    found = warnings_of(DriveGains(tuple("abcde"), gains, sigma, (), none, none, none))
    assert [text[:21] for text in found] == ["the torque of b has t", "the torque of c has t", "the torque of e has t"]
    assert "multiplied by 0.200 +- 0.263" in found[2]


def planar(loads: tuple[bool, ...], kind: str = "dynamic", short: tuple[int, ...] = ()) -> Sampler:
    """Exact recordings of an arm with and without a payload, of which some are two samples long."""
    robot, values = robosym.load("planar-2r"), {"M": 2.0, "MX": 0.3, "MY": 0.0, "MZ": 0.0, "ZZ": 0.1}
    t, recordings = np.arange(600) / 200.0, []
    for k, loaded in enumerate(loads):
        q, qd, qdd = Motion.random(np.random.default_rng(k), 2)(t)
        tau = torques(with_payload(robot, 2, values) if loaded else robot, q, qd, qdd) / [1.0, 4.0]
        rows = slice(0, 12 if k in short else None)
        columns = {"q": q[rows], "qd": qd[rows], "qdd": qdd[rows], "tau": tau[rows]}
        recordings.append(Recording.from_arrays(columns, f"run{k}"))
    given = recipe(robot, recordings[0], kind=kind, processing=Processing(trim=6))
    where = tuple(k for k, loaded in enumerate(loads, 1) if loaded)
    payload = Payload(robot.frame(2).name, values, where) if where else None
    given = replace(given, data=Data(tuple(recordings), rate=200.0), payload=payload)
    return Sampler(given, regressor_of(given), 1)


def test_gains_need_recordings_of_both_kinds() -> None:
    for loads, kind in (((True, True), "dynamic"), ((False,), "dynamic"), ((False, True), "power")):
        sampler = planar(loads, kind)
        assert gains_of(sampler, prepare(sampler.recipe)) is None


def test_gains_of_exact_recordings() -> None:
    """Signals of the second joint are a quarter of its torque, in three recordings of which two have the payload."""
    sampler = planar((False, True, True))
    found = gains_of(sampler, prepare(sampler.recipe))
    assert found is not None
    np.testing.assert_allclose(found.gains, [1, 4], rtol=1e-9)
    truth = sampler.model.described_values()
    np.testing.assert_allclose(found.values, [truth[name] for name in found.columns], atol=1e-8)


@pytest.mark.parametrize(("short", "words"), [((1,), "with the payload"), ((0,), "without the payload")])
def test_recordings_of_which_nothing_is_left(short: tuple[int, ...], words: str) -> None:
    """Twelve samples, of which twelve are trimmed."""
    sampler = planar((False, True), short=short)
    with pytest.raises(EstimationError, match=f"drive gains: nothing is left of the recordings {words}"):
        gains_of(sampler, prepare(sampler.recipe))
    sampler = planar((False, True, *(k == 1 for k in short)), short=(2,))
    found = gains_of(sampler, prepare(sampler.recipe))
    assert found is not None
    np.testing.assert_allclose(found.gains, [1, 4], rtol=1e-9)


def test_columns_that_are_taken_as_zero_are_left_out() -> None:
    sampler = planar((False, True))
    given: Recipe = replace(sampler.recipe, model=replace(sampler.recipe.model, without=("FS1", "offset2")))
    sampler = replace(sampler, recipe=given)
    found = gains_of(sampler, prepare(given))
    assert found is not None
    assert set(sampler.model.columns) - set(found.columns) == {"FS1", "offset2"} & set(sampler.model.columns)
