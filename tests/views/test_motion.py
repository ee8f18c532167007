"""Motions as plain data: the numbers are those of the library's own calls, and what cannot be done is said in words."""

from __future__ import annotations

import json

import numpy as np
import pytest

import robosym
from robosym import control, models, trajectory
from robosym.errors import RobosymError
from robosym.scene.controls import roll_pitch_yaw
from robosym.views.motion import (
    law_source,
    laws,
    motion_view,
    simulated,
    simulated_csv,
    trajectory_csv,
    trajectory_source,
    trajectory_view,
)

A, B, C = [0.1, -0.2, 0.3, 0.2, 0.4, 0.1], [0.5, -0.4, 0.6, 0.3, 0.2, 0.4], [1.2, -0.8, 1.5, 1.0, -0.4, 0.5]


@pytest.fixture(scope="module")
def puma():
    return robosym.load("puma560")


@pytest.fixture(scope="module")
def arm():
    return robosym.load("planar-2r")


def at(view, t):
    """q of the polynomials that a page is given."""
    k = min(np.searchsorted(view["times"], t, side="right") - 1, len(view["coefficients"]) - 1)
    rows = np.array(view["coefficients"][k])
    return ((t - view["times"][k]) ** np.arange(len(rows))) @ rows


def limits(robot, **given):
    return {what: dict.fromkeys(robot.joint_names, value) for what, value in given.items()}


def test_the_view_is_json_and_names_limits_laws_and_options(puma):
    view = json.loads(json.dumps(motion_view(puma), allow_nan=False))
    assert [one["name"] for one in view["coordinates"]] == list(puma.joint_names)
    assert view["coordinates"][0]["torque"] == 97.6
    assert view["coordinates"][0]["velocity"] is None
    assert {one["name"] for one in view["laws"]} == set(control.LAWS)
    options = {one["name"]: one for one in view["laws"][0]["options"]}
    assert options["bandwidth"]["default"] == 10.0
    assert options["scheme"]["choices"] == ["tracking", "position", "predictive"]
    assert [one["name"] for one in laws(puma) if one["follows"] == "tip"] == ["task-pid", "resolved-acceleration", "impedance", "compliance"]  # fmt: skip


@pytest.mark.parametrize("profile", ["trapeze", "quintic", "jerk-limited"])
def test_a_motion_from_rest_to_rest_is_that_of_the_library_leg_after_leg(puma, profile):
    bounds = {"velocity": 2.0, "acceleration": 5.0, "jerk": 50.0}
    view = trajectory_view(puma, {"points": [A, B, C], "profile": profile, "limits": limits(puma, **bounds)})
    legs = [trajectory.point_to_point(a, b, profile, robot=puma, **bounds) for a, b in ((A, B), (B, C))]
    assert view["duration"] == pytest.approx(sum(leg.duration for leg in legs), rel=1e-12)
    assert view["arrivals"][1] == pytest.approx(legs[0].duration, rel=1e-12)
    for share in (0.2, 0.5, 0.9):
        t = share * legs[1].duration
        np.testing.assert_allclose(at(view, legs[0].duration + t), legs[1](t)[0], atol=1e-12)
    assert [one["name"] for one in view["panels"]] == ["positions", "velocities", "accelerations", "torques"]
    assert any(one["active"] for one in view["used"])


def test_splines_blends_and_the_fastest_motion_are_those_of_the_library(puma):
    bounds = {"velocity": 2.0, "acceleration": 5.0}
    asked = {"points": [A, B, C], "limits": limits(puma, **bounds)}
    for way in ("spline", "blend"):
        own = trajectory.through([A, B, C], method=way, robot=puma, **bounds)
        view = trajectory_view(puma, {**asked, "way": way})
        assert view["duration"] == own.duration
        np.testing.assert_allclose(view["coefficients"], own.coefficients)
    effort = [puma.frame(j).joint.limits.effort for j in puma.moving]
    fast = trajectory.fastest(puma, trajectory.Path.spline([A, B, C]), torque=effort, **bounds)
    assert trajectory_view(puma, {**asked, "way": "spline", "timing": "fastest"})["duration"] == fast.duration


def test_torques_are_those_of_inverse_dynamics_and_scaling_reaches_their_limit(puma):
    view = trajectory_view(puma, {"points": [A, C], "seconds": 2.0, "timing": "scaled"})
    own = trajectory.scaled_to_torque(puma, trajectory.point_to_point(A, C, robot=puma, duration=2.0))
    assert view["duration"] == own.duration
    shown = view["panels"][3]
    k = len(shown["t"]) // 3
    q, qd, qdd = own(shown["t"][k])
    tau = models.inverse_dynamics(puma).compile()(q=q, qd=qd, qdd=qdd)
    np.testing.assert_allclose([row[k] for row in shown["series"]], tau, atol=1e-5)
    torque = next(one for one in view["used"] if one["what"] == "torque")
    assert torque["joint"] == own.joint
    assert torque["share"] == pytest.approx(1, abs=1e-3)


def test_a_line_of_the_tip_is_that_of_to_joints():
    scara = robosym.load("scara")
    q0 = np.array([0.4, 0.7, 0.2, 0.1])
    T = models.transform(scara).compile()(q=q0)
    first = [*T[:3, 3], *roll_pitch_yaw(T[:3, :3])]
    second = [first[0] - 0.08, first[1] + 0.05, *first[2:]]
    view = trajectory_view(scara, {"space": "tip", "points": [first, second], "seed": q0.tolist(), "linear": [0.5, 2], "angular": [1, 4]})  # fmt: skip
    end = T.copy()
    end[:2, 3] += [-0.08, 0.05]
    line = trajectory.timed(trajectory.straight(T, end), linear=(0.5, 2), angular=(1, 4), profile="quintic")
    own = trajectory.to_joints(scara, line, 200.0, seed=q0)
    assert view["duration"] == pytest.approx(own.duration, rel=1e-9)
    np.testing.assert_allclose(at(view, 0.6 * own.duration), own(0.6 * own.duration)[0], atol=1e-9)
    with pytest.raises(RobosymError, match="reach"):
        trajectory_view(scara, {"space": "tip", "points": [first, [9.0, *first[1:]]], "seed": q0.tolist()})


def test_what_goes_wrong_is_named(puma):
    wild = {"points": [A, [*B[:2], 3.9, *B[3:]], [*C[:2], 3.9, *C[3:]], C], "way": "spline", "seconds": 0.5}
    assert "elbow leaves its range" in " ".join(trajectory_view(puma, wild)["problems"])
    for asked, words in [
        ({"points": [A]}, "two at least, got 1"),
        ({"points": [A, [9.0] * 6], "seconds": 1}, "outside its limits"),
        ({"points": [A, B]}, "needs a limit of velocity"),
        ({"points": [A, B[:3]]}, "points, 2: expected 6 numbers"),
        ({"points": [A, ["x"] * 6]}, "expected a number"),
        ({"points": [A, B], "way": "zigzag"}, "way: got 'zigzag', expected one of rest"),
        ({"points": [A, B], "limits": {"velocity": {"knee": 1}}}, "there is no velocity of knee"),
        ({"points": [A, B], "limits": {"velocity": {"elbow": -1}}}, "above 0"),
        ({"space": "tip", "way": "arc", "points": [A, B]}, "3, 5, 7"),
        (7, "expected points"),
    ]:
        with pytest.raises(RobosymError, match=words):
            trajectory_view(puma, asked)


def test_platforms_and_free_bases_move_as_far_as_the_library_goes():
    robot = robosym.load("gough-stewart")
    view = motion_view(robot)
    assert "closed loops" in view["simulation"]
    home = [one["at"] for one in robosym.scene.scene(robot)["controls"]]
    up = [*home[:2], home[2] + 0.1, *home[3:]]
    move = trajectory_view(robot, {"points": [home, up], "seconds": 1})
    np.testing.assert_allclose(at(move, 1.0), up)
    assert move["no_torques"]
    free = robosym.load("planar-2r", floating=True)
    run = simulated(free, {"law": "computed-torque", "move": {"points": [[0, 0], [0.5, 0.3]], "seconds": 0.2}})
    assert len(run["played"]["q"][0]) == free.nq
    with pytest.raises(RobosymError, match="only its joints"):
        trajectory_view(free, {"space": "tip", "points": [A, B]})


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
        ({"law": "impedance", "move": move}, "impedance needs stiffness and inertia"),
        ({"law": "resolved-acceleration", "move": move}, "leads the tip"),
        ({"law": "magic", "move": move}, "expected computed-torque"),
        ({"q": [0, 0]}, "expected seconds"),
        ({"q": [0, 0], "duration": 1, "step": "x"}, "step: got 'x', expected a number"),
        ({**base, "options": [1]}, "options: got"),
        ({**base, "payload": {"mass": -1}}, "not negative"),
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


def test_files_and_sources(arm):
    asked = {"points": [[0, 0], [1.0, -0.5]], "seconds": 1.0}
    own = trajectory.point_to_point([0, 0], [1.0, -0.5], robot=arm, duration=1.0)
    assert trajectory_csv(arm, asked) == own.as_csv()
    assert trajectory_source(arm, asked) == robosym.codegen.source(trajectory.program(own), "c")
    assert law_source(arm, "pid", {"bandwidth": 5}) == control.pid(arm, bandwidth=5).source("c")


def test_missing_numbers_are_named():
    robot = robosym.load("planar-2r")
    bare = robot.replace(values={name: value for name, value in robot.values.items() if name.startswith("L")})
    assert "Without a value" in motion_view(bare)["simulation"]
    view = trajectory_view(bare, {"points": [[0, 0], [1, 0.5]], "seconds": 1})
    assert "without a value" in view["no_torques"]


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
