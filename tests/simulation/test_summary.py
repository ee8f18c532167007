"""What a run says of itself."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from simulation.sample_runs import lost_at, several, swinging
from simulation.tops import LINK, top

import robosym
from robosym.robot import Robot

ROBOTS = ["planar-2r", "scara", "eel-3", "four-bar", "puma560"]


def test_what_it_says() -> None:
    run = swinging("planar-2r", 201)
    error = run.error.copy()
    k, j = np.unravel_index(np.abs(error).argmax(), error.shape)
    lines = run.summary().splitlines()
    assert str(run) == run.summary()
    assert lines[0] == "planar-2r under computed-torque every 0.001 s: 2 s in 201 instants (step 0.001 s, rk4)."
    assert f"largest error {abs(error[k, j]):.4g} rad ({run.joints[j]} at {run.time[k]:.4g} s)" in lines[1]
    k, j = np.unravel_index(np.abs(run.tau).argmax(), run.tau.shape)
    assert f"at most {abs(run.tau[k, j]):.4g} N m ({run.joints[j]} at {run.time[k]:.4g} s)" in lines[2]


def test_radians_and_metres_are_not_compared() -> None:
    said = swinging("scara").summary()
    assert said.count("largest error") == 2
    assert " m (quill" in said
    assert " N (quill" in said


def test_limits() -> None:
    run = swinging("puma560", settings={"tau_max": [0.7, 5, 5, 5, 5, 5]})
    run = replace(run, tau=np.clip(run.tau, [-0.7, *[-5] * 5], [0.7, *[5] * 5]))
    said = run.summary()
    assert "nearest to its limit waist, 100 % of it. At the limit during waist" in said
    assert "left the range" not in said
    far = replace(run, q=run.q + np.array([0, 5, 0, 0, 0, 0]), qd=100 * run.qd)
    assert "shoulder left the range of positions" in far.summary()


def test_energy_where_nothing_drives_it() -> None:
    """Of a fall that is integrated well the drift is small, and said; of one with torques nothing is said."""
    run = robosym.simulate(robosym.load("double-pendulum"), duration=0.5, q=[1.0, 0.5], friction=False)
    said = run.summary()
    drift = run.measure("energy drift")
    assert drift < 1e-6
    assert "No torque acts." in said
    assert f"changes by at most {drift:.4g} J" in said
    rubbed = robosym.simulate(robosym.load("planar-2r"), duration=0.2, q=[1.0, 0.5])
    first, last = rubbed.energy["total"][[0, -1]]
    assert f"with its friction the energy goes from {first:.4g} to {last:.4g} J." in rubbed.summary()
    assert "Nothing drives it" not in swinging("double-pendulum").summary()


def test_what_was_lost() -> None:
    lost = lost_at(swinging("planar-2r"), 40)
    lines = lost.summary().splitlines()
    assert lines[1] == "Lost at 1 s: elbow is no number any more. What follows is of the 0.975 s before."
    assert "nan" not in lost.summary()
    assert lost.as_dict()["failed"] == 1.0
    assert lost_at(lost.valid, 0).summary().splitlines()[1:] == ["Lost at once: elbow is no number any more."]
    assert lost.as_dict()["measures"]["rms error"] == lost.valid.measure("rms error")


def test_many() -> None:
    run = swinging("planar-2r")
    runs = several([run, lost_at(run, 40), replace(run, q=run.q + 0.1)], bandwidth=[10, 20, 30])
    said = runs.summary()
    assert "bandwidth: 10 to 30." in said
    assert "1 of 3 were lost, the first number 1 at 1 s: elbow is no number any more." in said
    least, most = runs.measure("rms error")[[0, 2]]
    assert f"Rms error: {least:.4g} rad (run 0) to {most:.4g} rad (run 2)." in said
    assert f"Peak torque: {run.measure('peak torque'):.4g} N m in all." in said
    everything = several([lost_at(run, 0)] * 2)
    assert "none has a value" in everything.summary()
    assert runs.as_dict()["measures"]["rms error"][1] is None


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("case", ["whole", "lost", "one", "plain", "many"])
def test_words_and_data_of_any_run(name: str, case: str) -> None:
    run = swinging(name, 1 if case == "one" else 9, notes=("said",))
    if case == "lost":
        run = lost_at(run, 3)
    elif case == "plain":
        run = replace(run, reference={}, settings={}, tau=0 * run.tau)
    one = several([run, lost_at(run, 4)], a=[1, 2]) if case == "many" else run
    assert "Note: said" in one.summary()
    data = json.loads(json.dumps(one.as_dict(), allow_nan=False))
    assert data["robot"] == run.robot.name
    assert data["instants"] == len(run)


def test_a_run_of_joints_with_quaternions() -> None:
    text = robosym.simulation.simulate(top(), qd={"hip": [1, 2, 3]}, duration=0.1, step=1e-3, friction=False).summary()
    assert "the energy, 2.943 J at first" not in text
    assert "Nothing drives it: the energy" in text
    driven = robosym.simulation.simulate(top(), torque={"hip": [0, 3, 0]}, duration=0.1, step=1e-3).summary()
    assert "Torques: at most 3 N m (hip wy at 0 s)" in driven


def test_limits_beside_a_quaternion() -> None:
    """The position of the joint after it is compared with its limits, not an entry of the quaternion."""
    rows = [
        {"sigma": "ball", "variable": "hip", **LINK},
        {"joint": "knee", "limits": {"lower": -0.1, "upper": 0.1}, **LINK},
    ]
    robot = Robot.from_table("leg", rows, gravity=[0, 0, -9.81])
    still = robosym.simulation.simulate(robot, q=[0.6, 0, 0, 0.8, 0], duration=2e-3, step=1e-3)
    assert "Limits" not in still.summary()
    fast = robosym.simulation.simulate(robot, qd=[0, 0, 0, 5.0], duration=0.1, step=1e-3)
    assert "Limits: knee left the range of positions" in fast.summary()
