"""Motions as plain data: the numbers are those of the library's own calls, and what cannot be done is said in words."""

from __future__ import annotations

import json

import numpy as np
import pytest
from views.motions import A, B, C, at

import robosym
from robosym import control, models, trajectory
from robosym.errors import RobosymError
from robosym.views.motion import (
    law_source,
    laws,
    motion_view,
    simulated,
    trajectory_csv,
    trajectory_source,
    trajectory_view,
)


@pytest.fixture(scope="module")
def puma():
    return robosym.load("puma560")


@pytest.fixture(scope="module")
def arm():
    return robosym.load("planar-2r")


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


def test_what_goes_wrong_is_named(puma):
    wild = {"points": [A, [*B[:2], 3.9, *B[3:]], [*C[:2], 3.9, *C[3:]], C], "way": "spline", "seconds": 0.5}
    assert "elbow leaves its range" in " ".join(trajectory_view(puma, wild)["problems"])
    for asked, words in [
        ({"points": [A]}, "two at least, got 1"),
        ({"points": [A, [9.0] * 6], "seconds": 1}, "outside its limits"),
        ({"points": [A, B]}, "needs a limit of velocity"),
        ({"points": [A, B[:3]]}, "points, 2: expected 6 numbers"),
        ({"points": [A, ["x"] * 6]}, "expected a finite number"),
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
