"""Exciting motions and simulated recordings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import robosym
from robosym.errors import RobosymError
from robosym.identification.excitation import FourierMotion, SplineMotion, motion_as_dict, motion_from_dict
from robosym.robot import Robot, RobotError
from robosym.views import identification as views
from robosym.views import identification_trials as trials


@pytest.fixture(scope="module")
def robot() -> Robot:
    return robosym.load("planar-2r")


ROOT = Path(__file__).parents[2]


def test_a_simulated_recording_is_inverse_dynamics(robot: Robot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "HEAVIER", 0.0)
    made = views.simulated_recording(robot, seconds=4.0, noise=0.0, rate=1000)
    data = np.genfromtxt(made["text"].splitlines(), delimiter=",", names=True, deletechars="")
    q = np.column_stack([data["q.shoulder"], data["q.elbow"]])
    qd = np.gradient(q, 1e-3, axis=0, edge_order=2)
    qdd = np.gradient(qd, 1e-3, axis=0, edge_order=2)
    tau = robosym.models.inverse_dynamics(robot, friction=True).compile()(q=q, qd=qd, qdd=qdd)
    moving = (np.abs(qd) > 1e-2).all(axis=1)
    moving[:5] = moving[-5:] = False
    assert np.abs(tau[:, 0] - data["tau.shoulder"])[moving].max() < 1e-2
    assert np.abs(tau[:, 1] - data["tau.elbow"])[moving].max() < 1e-2
    assert views.simulated_recording(robot, seconds=4.0, noise=0.0, rate=1000)["text"] == made["text"]


def test_a_robot_without_masses_cannot_be_simulated() -> None:
    with pytest.raises(RobotError, match="no value for"):
        views.simulated_recording(robosym.load(ROOT / "examples" / "tx40" / "tx40.toml"))
    text = """name = "bare"\n[[frame]]\njoint = "turn"\n"""
    with pytest.raises(RobosymError, match="all masses and inertias are zero"):
        views.simulated_recording(robosym.loads(text, "toml"))


def test_an_exciting_motion(robot: Robot) -> None:
    told: list[float] = []
    found = views.excited(
        robot,
        {"duration": 6, "velocity": 2, "evaluations": 60, "height": None},
        lambda share, words: told.append(share),
    )
    assert json.dumps(found, allow_nan=False)
    assert told == sorted(told)
    assert told
    samples = found["samples"]
    assert np.abs(samples["qd"]).max() <= 2
    assert np.allclose(np.gradient(samples["q"][0], samples["t"]), samples["qd"][0], atol=1e-2)
    rows = views.motion_file(found["motion"], rate=100).splitlines()
    assert len(rows) == 602
    assert rows[0].startswith("t,q.shoulder")
    assert "void motion(" in views.motion_file(found["motion"], "c")
    for options, words in (
        ({"boxes": 1}, "boxes"),
        ({"evaluations": 10**9}, "evaluations"),
        ({"duration": "x"}, "duration"),
    ):
        with pytest.raises(RobosymError, match=words):
            views.excited(robot, options)


def test_motions_are_made_again_of_their_coefficients() -> None:
    rng = np.random.default_rng(0)
    motions = [
        FourierMotion(("a", "b"), 3.0, rng.normal(size=2), rng.normal(size=(2, 4)), rng.normal(size=(2, 4))),
        SplineMotion(("a", "b"), 3.0, rng.normal(size=(2, 9))),
    ]
    t = np.linspace(0, 3, 50)
    for motion in motions:
        again = motion_from_dict(json.loads(json.dumps(motion_as_dict(motion))))
        assert all(np.array_equal(a, b) for a, b in zip(motion(t), again(t), strict=True))
    good = motion_as_dict(motions[0])
    for wrong in (
        {}, {**good, "kind": "jump"}, {**good, "sine": [[1]]}, {**good, "offset": [0]}, {**good, "duration": 0},
        {**good, "cosine": [["x"]]}, {**good, "offset": [float("nan"), 0]}, {**motion_as_dict(motions[1]), "control": [[1], [2]]},
    ):  # fmt: skip
        with pytest.raises(RobosymError, match="motion"):
            motion_from_dict(wrong)


def test_links_are_heavier_or_lighter_each_by_a_factor_of_its_own(robot: Robot) -> None:
    made = views.simulated_recording(robot, seconds=2.0, rate=50)
    described = robosym.models.regressor(robot, parameters="standard", friction=trials.FRICTION).described_values()
    assert set(made["factors"]) == {"link 1", "link 2"}
    assert len(set(made["factors"].values())) == 2
    for name, x in described.items():
        link = f"link {name[-1]}"
        moved = made["true"][name] / x if x else 1.0
        inertial = name.startswith(("XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M"))
        assert moved == pytest.approx(made["factors"][link] if inertial and x else 1.0, abs=6e-5), name
    assert all(abs(factor - 1) <= trials.HEAVIER for factor in made["factors"].values())
    assert "2 s at 50 Hz" in made["words"]
    other = views.simulated_recording(robot, seconds=2.0, rate=50, seed=1)
    assert other["factors"] != made["factors"]


def test_noise_is_a_part_of_the_largest_torque(robot: Robot) -> None:
    def torques(noise: float) -> np.ndarray:
        text = views.simulated_recording(robot, seconds=4.0, rate=250, noise=noise)["text"]
        return np.genfromtxt(text.splitlines(), delimiter=",", skip_header=1)[:, 3:]

    clean, noisy = torques(0.0), torques(0.05)
    share = (noisy - clean).std(axis=0) / np.abs(clean).max(axis=0)
    np.testing.assert_allclose(share, 0.05, rtol=0.1)


def test_a_sliding_joint_without_limits_stays_within_a_stroke() -> None:
    """With limits within these; its position is in metres."""
    inertia = {"M": 2.0, "XX": 0.1, "YY": 0.1, "ZZ": 0.1}
    robot = Robot.from_table("slider", [{"joint": "turn", **inertia}, {"joint": "slide", "sigma": 1, "alpha": "pi/2", **inertia}], gravity=[0, 0, -9.81])  # fmt: skip
    rows = np.genfromtxt(views.simulated_recording(robot, seconds=2.0, rate=50)["text"].splitlines(), delimiter=",", names=True, deletechars="")  # fmt: skip
    assert rows.dtype.names == ("t", "q.turn", "q.slide", "tau.turn", "tau.slide")
    assert 0.05 < np.abs(rows["q.slide"]).max() <= trials.STROKE + 1e-9
    assert trials._strokes(robot) == {"slide": (-0.2, 0.2)}
    limited = Robot.from_table("slider", [{"sigma": 1, "limits": {"lower": 0, "upper": 1}, **inertia}], gravity=[0, 0, -9.81])  # fmt: skip
    assert trials._strokes(limited) == {}
    found = views.excited(robot, {"duration": 2, "velocity": 1, "evaluations": 20, "limits": {"slide": [-0.1, 0.1]}})
    assert found["units"] == ["rad", "m"]
    assert np.abs(found["samples"]["q"][1]).max() <= 0.1 + 1e-9


def test_platforms_are_recorded_by_no_simulation() -> None:
    with pytest.raises(RobotError, match=r"platform|legs"):
        views.simulated_recording(robosym.load("planar-3rrr"))


def test_motions_as_files(robot: Robot) -> None:
    """Samples at the rate, as often as repeated: they are those of the motion."""
    rng = np.random.default_rng(0)
    motion = FourierMotion(("a", "b"), 2.0, rng.normal(size=2), rng.normal(size=(2, 4)), rng.normal(size=(2, 4)))
    rows = np.genfromtxt(views.motion_file(motion_as_dict(motion), rate=20, repeats=3).splitlines(), delimiter=",", skip_header=1)  # fmt: skip
    assert len(rows) == 121
    np.testing.assert_allclose(np.diff(rows[:, 0]), 0.05, atol=1e-9)
    q, qd, qdd = motion(rows[:, 0] % 2.0)
    np.testing.assert_allclose(rows[:, 1:], np.hstack([q, qd, qdd]), rtol=1e-6, atol=1e-6)
    with pytest.raises(RobosymError, match="kind: got 'matlab', expected 'csv' or 'c'"):
        views.motion_file(motion_as_dict(motion), "matlab")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"speed": 1}, "speed: excite has no such argument"),
        ({"evaluations": trials.MOST_EVALUATIONS + 1}, "evaluations: got 5001, expected at most 5000"),
    ],
)
def test_options_that_no_motion_has(robot: Robot, options: dict[str, Any], words: str) -> None:
    with pytest.raises(RobosymError, match=words):
        views.excited(robot, options)
