"""What an identification found: parameters, errors, predictions, and all of it as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from identification.synthetic import Motion, recipe, recording, torques

import robosym
from robosym.identification import Identification, identify
from robosym.identification.data.recipe import Data, Processing
from robosym.identification.data.recording import Recording
from robosym.identification.estimation.gains import DriveGains
from robosym.identification.estimation.physical import Physical
from robosym.identification.report import finite
from robosym.identification.result import Parameter


@cache
def noisy() -> Identification:
    """Two recordings of a planar arm with noise, of which the second is for validation."""
    robot, rng = robosym.load("planar-2r"), np.random.default_rng(0)
    recordings = []
    for k in range(2):
        exact = recording(robot, Motion.random(np.random.default_rng(k), 2), seconds=4.0)
        columns = {name: exact.columns(exact.expanded(name)) for name in ("q", "qd", "qdd", "tau")}
        columns["tau"] = columns["tau"] + 0.05 * rng.normal(size=columns["tau"].shape)
        recordings.append(Recording.from_arrays(columns, f"run{k}"))
    given = recipe(robot, recordings[0], processing=Processing(trim=0, low_speed=(0.0,)), method="weighted", block=0.5)
    return identify(replace(given, data=Data(tuple(recordings), rate=200.0, role=("train", "validate"))), workers=1)


def test_a_sigma_in_per_cent() -> None:
    assert Parameter("a", -4.0, 0.5, None, "").relative_sigma == 12.5
    assert Parameter("a", 0.0, 0.5, None, "").relative_sigma == float("inf")


def test_parameters_are_those_of_the_estimate_by_name() -> None:
    found = noisy()
    assert tuple(found.parameters) == found.estimate.columns
    assert found.bootstrap is not None
    for k, (name, one) in enumerate(found.parameters.items()):
        assert one.name == name
        assert (one.value, one.sigma) == (found.estimate.values[k], found.estimate.sigma[k])
        assert one.sigma_bootstrap == found.bootstrap.sigma[k]
        assert one.meaning == found.model.meaning.get(name, "")
    assert "ZZ1" in found.parameters["ZZR1"].meaning
    without = replace(found, bootstrap=None)
    assert {one.sigma_bootstrap for one in without.parameters.values()} == {None}


def test_errors_are_rms_and_per_cent_of_the_torque() -> None:
    """By the residuals of the model along the recording."""
    found = noisy()
    (samples,) = found.prepared[0].samples()
    left = samples.tau - found.predict(samples)
    for k, (joint, error) in enumerate(found.errors.items()):
        assert joint == found.recipe.joints[k]
        assert error["rms"] == pytest.approx(np.sqrt((left[:, k] ** 2).mean()), rel=1e-9)
        relative = 100 * np.linalg.norm(left[:, k]) / np.linalg.norm(samples.tau[:, k])
        assert error["relative"] == pytest.approx(relative, rel=1e-9)


def test_predicted_torques_of_one_state_of_many_and_of_samples() -> None:
    found = noisy()
    q, qd, qdd = np.random.default_rng(1).normal(size=(3, 7, 2))
    expected = np.stack([found.sampler.dense(q, qd, qdd)[k] @ found.estimate.values for k in range(7)])
    np.testing.assert_allclose(found.predict({"q": q, "qd": qd, "qdd": qdd}), expected, rtol=1e-12)
    one = found.predict({"q": q[3].tolist(), "qd": qd[3].tolist(), "qdd": qdd[3].tolist()})
    np.testing.assert_allclose(one, expected[3], rtol=1e-12)
    truth = torques(found.recipe.robot, q, qd, qdd)
    np.testing.assert_allclose(expected, truth, atol=0.1 * np.abs(truth).max())


def test_parameters_by_the_columns_of_another_model() -> None:
    """Those that it has and we do not are zero."""
    found = noisy()
    other = robosym.models.regressor(found.recipe.robot, parameters="base", friction=["coulomb", "asymmetric"])
    values = dict(zip(other.columns, found.values_for(other), strict=True))
    assert values["ZZR1"] == found.parameters["ZZR1"].value
    new = set(other.columns) - set(found.parameters)
    assert new
    assert all(values[name] == 0.0 for name in new)


def test_the_dictionary_is_json_with_all_parts() -> None:
    found = noisy()
    said = json.loads(json.dumps(finite(found.as_dict())))
    assert said["robot"] == "planar-2r"
    assert said["base_parameters"] == len(said["parameters"]) == len(found.estimate.columns)
    assert said["method"] == "weighted"
    assert said["rows"] == dict.fromkeys(found.recipe.joints, 800)
    assert said["parameters"]["ZZR1"]["value"] == found.parameters["ZZR1"].value
    assert said["condition"]["raw"] == pytest.approx(found.estimate.condition)
    assert said["joints"] == found.errors
    assert found.validation is not None
    assert said["validation"]["folds"] == len(found.validation.test)
    assert said["validation"]["mean_ratio"] == pytest.approx(found.validation.mean)
    assert list(said["validation"]["recordings"]) == ["run1"]
    assert said["validation"]["recordings"]["run1"]["elbow"]["rms"] == pytest.approx(0.05, rel=0.2)
    assert said["bootstrap"]["inflation"] == pytest.approx(1.0, rel=0.5)
    assert "physical" not in said
    assert "drive_gains" not in said
    bare = replace(found, bootstrap=None, validation=None, essential=None, unseen={})
    said = bare.as_dict()
    assert said["validation"] == {}
    assert {"bootstrap", "essential"}.isdisjoint(said)


def test_gains_and_physical_parameters_in_the_dictionary() -> None:
    found, none = noisy(), np.zeros(0)
    gains = DriveGains(("shoulder", "elbow"), np.array([1.0, 1.25]), np.array([0.1, 0.2]), (), none, none, none)
    possible = Physical(
        ("M1", "IA1"), np.array([5.0, 0.3]), none, (100.0, 110.0), 1.0, 0.5, none, ("link1",), 0.1, 105.0
    )
    said = replace(found, gains=gains, physical=possible, physical_errors={"fit": found.unseen["run1"]}).as_dict()
    assert said["drive_gains"]["elbow"] == {"gain": 1.25, "sigma": 0.2}
    assert said["physical"]["values"] == {"M1": 5.0, "IA1": 0.3}
    assert said["physical"]["chi_squared_rise"] == pytest.approx(0.1)
    assert said["physical"]["feasible_rise"] == pytest.approx(0.05)
    assert said["physical"]["at_limit"] == ["link1"]
    assert said["physical"]["joints"]["fit"].keys() == {"shoulder", "elbow"}


def test_warnings_are_a_copy_and_the_whole_is_one_line() -> None:
    found = noisy()
    found.warnings.append("mine")
    assert "mine" not in found.warnings
    assert repr(found).startswith(f"<Identification of 'planar-2r': {len(found.parameters)} parameters, errors ")
    assert "\n" not in repr(found)
