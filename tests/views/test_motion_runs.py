"""Simulations: the runs are those of simulate, and requests that mean nothing are named."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import robosym
from robosym import control, models, trajectory
from robosym.errors import RobosymError
from robosym.expr import evaluate
from robosym.options.errors import ArgumentError
from robosym.views.motion import (
    simulated,
    simulated_csv,
)
from robosym.views.motion_runs import _carrying, _leg_after_leg, _of_several, run_of


@pytest.fixture(scope="module")
def arm():
    return robosym.load("planar-2r")


def test_a_run_is_that_of_simulate_and_its_file_has_every_instant(arm):
    move = {"points": [[0, 0], [1.0, -0.5]], "seconds": 1.0}
    asked = {"law": "computed-torque", "options": {"bandwidth": 20, "friction": True}, "move": move, "duration": 1.3}
    said = []
    view = json.loads(json.dumps(simulated(arm, asked, lambda *words: said.append(words)), allow_nan=False))
    own = robosym.simulate(
        arm,
        control.computed_torque(arm, bandwidth=20, friction=True),
        trajectory.point_to_point([0, 0], [1.0, -0.5], robot=arm, duration=1.0),
        duration=1.3,
    )
    measures = {one["name"]: one["value"] for one in view["measures"]}
    for name in ("rms error", "largest error", "peak torque", "work"):
        assert measures[name] == pytest.approx(own.measure(name), rel=1e-9)
    np.testing.assert_allclose(view["played"]["q"][-1], own.q[-1], atol=1e-12)
    errors = next(one for one in view["panels"] if one["name"] == "errors")
    assert max(map(abs, errors["series"][0])) == pytest.approx(np.abs(own.error[:, 0]).max(), rel=1e-6)
    assert said[0][0] is None
    assert said[-1][0] == 1
    rows = simulated_csv(arm, asked).splitlines()
    assert rows[0].split(",")[:3] == ["t", "q_shoulder", "q_elbow"]
    assert [float(x) for x in rows[-1].split(",")[1:3]] == own.q[-1].tolist()


@pytest.mark.slow
def test_loads_disturbances_and_free_motion(arm):
    move = {"points": [[0, 0], [1.0, -0.5]], "seconds": 1.0}
    base = {"law": "computed-torque", "options": {"bandwidth": 20, "friction": True}, "move": move, "duration": 1.5}

    def final(**more):
        found = simulated(arm, {**base, **more})["measures"]
        return next(one["value"] for one in found if one["name"] == "final error")

    assert final() < 1e-3
    assert final(payload={"mass": 1.0, "when": 0.5}) > 0.02
    assert final(disturbance={"elbow": 0.5}) > 1e-3
    fall = simulated(robosym.load("double-pendulum"), {"q": [1.0, 0.5], "duration": 1.0, "friction": "none"})
    assert next(one["value"] for one in fall["measures"] if one["name"] == "energy drift") < 1e-9
    for asked, words in [
        ({"law": "impedance", "move": move}, "impedance needs inertia and stiffness"),
        ({"law": "resolved-acceleration", "move": move}, "leads the tip"),
        ({"law": "magic", "move": move}, "expected computed-torque"),
        ({"q": [0, 0]}, "expected seconds"),
        ({"q": [0, 0], "duration": 1, "step": "x"}, "step: got 'x', expected a number"),
        ({**base, "options": [1]}, "options: got"),
        ({**base, "payload": {"mass": -1}}, "payload: mass: got -1, expected a number of at least 0"),
        (None, "run: got None"),
        ({"q": [0, 0], "duration": 1e9}, "more than"),
    ]:
        with pytest.raises(RobosymError, match=words):
            simulated(arm, asked)


def test_long_records_are_thinned_without_losing_a_peak(arm):
    view = simulated(arm, {"q": [1.0, 0.5], "duration": 8.0})
    assert view["instants"] == 8001
    assert max(len(one["t"]) for one in view["panels"]) < 4000
    assert len(view["played"]["t"]) == 1500


def test_radians_and_metres_do_not_mix():
    stanford = robosym.load("stanford-3")
    move = {"points": [[0.1, 0.5, 0.3], [0.4, 0.8, 0.5]], "seconds": 0.3}
    view = simulated(stanford, {"law": "computed-torque", "move": move})
    own = robosym.simulate(
        stanford,
        control.computed_torque(stanford),
        trajectory.point_to_point(*move["points"], robot=stanford, duration=0.3),
    )
    found = {one["unit"]: one["value"] for one in view["measures"] if one["name"] == "rms error"}
    assert found["m"] == pytest.approx(own.measure("rms error", "extension"))
    assert found["rad"] == pytest.approx(np.hypot(*(own.measure("rms error", j) for j in (0, 1))) / np.sqrt(2))


# --- what a run takes ------------------------------------------------------------------------------------------------------


def test_poses_led_leg_after_leg_are_those_of_each_leg() -> None:
    """At every instant the pose and the twist of the leg that is on, then the last pose at rest."""
    turned = np.eye(4)
    turned[:3, :3] = Rotation.from_euler("z", 0.5).as_matrix()
    turned[:3, 3] = 0.1, 0.2, 0.0
    last = turned.copy()
    last[2, 3] = 0.3
    motions = tuple(
        trajectory.timed(trajectory.straight(a, b), linear=(0.5, 2), angular=(1, 4), profile="quintic")
        for a, b in ((np.eye(4), turned), (turned, last))
    )
    at = _leg_after_leg(motions)
    first = motions[0].duration
    for t, motion, begun in ((0.3 * first, motions[0], 0.0), (first + 0.2, motions[1], first)):
        T, V, _ = at(t)
        np.testing.assert_allclose(T, motion(t - begun), atol=1e-12)
        slope = (at(t + 1e-5)[0] - at(t - 1e-5)[0]) / 2e-5
        turning = slope[:3, :3] @ T[:3, :3].T
        np.testing.assert_allclose(V, [*slope[:3, 3], turning[2, 1], turning[0, 2], turning[1, 0]], atol=1e-7)
        np.testing.assert_allclose(at(t)[2], (at(t + 1e-5)[1] - at(t - 1e-5)[1]) / 2e-5, atol=1e-4)
    T, V, A = at(first + motions[1].duration + 1.0)
    np.testing.assert_allclose(T, last, atol=1e-12)
    assert not V.any()
    assert not A.any()
    np.testing.assert_allclose(at(first)[0], turned, atol=1e-12)


def test_a_load_is_there_from_the_start_or_from_a_time_on(arm) -> None:
    for none in (None, {}, {"mass": 0}, {"mass": None, "when": 3}):
        assert _carrying(arm, none) == (arm, {})
    loaded, now = _carrying(arm, {"mass": 2, "centre": [0.1, 0, -0.2]})
    values = {"load": 2.0, "load_x": 0.1, "load_y": 0.0, "load_z": -0.2}
    assert now == {"parameters": values}
    assert set(values) <= set(loaded.payload_names)
    assert _carrying(arm, {"mass": 2, "centre": [0.1, 0, -0.2], "when": 0.5}) == (loaded, {"changes": {0.5: values}})
    assert _carrying(arm, {"mass": 1})[0] is loaded  # derived once


def test_a_load_moves_as_a_point_at_the_tip(arm) -> None:
    """The accelerations from rest, by the inertia matrix and the Jacobian matrix of the tip, by hand."""
    load = {"mass": 1.0, "centre": [0.0, 0.0, 0.0]}
    asked = {"q": [0.3, 0.4], "duration": 0.002, "friction": "none", "step": 1e-4}
    bare, loaded = (run_of(arm, {**asked, "payload": one}).run for one in (None, load))
    q = np.array([0.3, 0.4])
    L = [arm.values[name].number for name in ("L1", "L2")]
    a, b = q[0], q.sum()
    J = np.array([[-L[0] * np.sin(a) - L[1] * np.sin(b), -L[1] * np.sin(b)], [L[0] * np.cos(a) + L[1] * np.cos(b), L[1] * np.cos(b)]])  # fmt: skip
    A = models.inertia_matrix(arm).evaluate(q=q)
    G = models.gravity(arm).evaluate(q=q)
    g = np.array(
        [float(v) for v in evaluate(list(arm.gravity[:2]), {name: v.number for name, v in arm.values.items()})]
    )
    for run, mass in ((bare, 0.0), (loaded, 1.0)):
        qdd = np.linalg.solve(A + mass * J.T @ J, -G + mass * J.T @ g)
        np.testing.assert_allclose(run.qd[-1] / 0.002, qdd, rtol=2e-3)


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        ({"mass": "heavy"}, "payload: mass: got 'heavy', expected a number"),
        ({"mass": 1, "when": -1}, "payload: when: got -1, expected a number of at least 0"),
        ({"mass": 1, "centre": [1, 2]}, "payload: centre: expected three numbers, in the axes of the tip"),
        ({"mass": 1, "centre": [1, 2, None]}, "payload: centre: got None, expected a finite number"),
        ([1], r"payload: got \[1\], expected values by name"),
    ],
)
def test_loads_that_mean_nothing(arm, payload, words) -> None:
    with pytest.raises(ArgumentError, match=words):
        _carrying(arm, payload)


def test_a_measure_that_is_no_number_is_null(arm) -> None:
    """A robot left to itself follows nothing: no errors, and the energy that it keeps."""
    view = simulated(arm, {"q": [0.3, 0.4], "duration": 0.05, "friction": "none"})
    names = [one["name"] for one in view["measures"]]
    assert "energy drift" in names
    assert not [name for name in names if "error" in name]
    assert "rms error" not in view["joint_measures"]
    assert [one["name"] for one in view["panels"]] == ["positions", "velocities", "torques", "energy"]
    assert view["law"] is None
    assert view["gains"] == {}


@pytest.mark.parametrize(("name", "whole"), [("rms error", np.sqrt((9 + 16) / 2)), ("largest error", 4.0)])
def test_measures_of_several_joints(name, whole) -> None:
    assert _of_several(name, [3.0, 4.0]) == pytest.approx(whole)
