"""Parallel robots in the reference: closed legs, motions that they allow, and forces by virtual power."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from sweeps import some

import robosym
from robosym.errors import RobosymError
from robosym.models import MODELS, models_of
from robosym.verification import platforms, verify
from robosym.verification.mechanism import Floats, State
from robosym.verification.platforms import PlatformReference, _joints, _next_to_described, platform_rows


@pytest.mark.parametrize("name", some(["planar-3rrr", "delta", "gough-stewart"], every=3))
def test_platforms_on_legs(name: str) -> None:
    rows = {row.model: row for row in verify(robosym.load(name), states=1, pinocchio=False)}
    for model in ("inverse-geometric", "inverse-dynamics", "energy"):
        assert rows[model].verdict == "same", rows[model]
    assert "of platforms" in rows["jacobian"].why


# --- the reference alone -----------------------------------------------------------------------------------------------

NAME = "planar-3rrr"
TURN = np.array([0.0, 0.0, 0.8])  # rad/s
GO = np.array([0.3, -0.2, 0.0])  # m/s
TURN_RATE, GO_RATE = np.array([0.0, 0.0, -0.5]), np.array([0.4, 0.1, 0.0])


@cache
def reference() -> tuple[PlatformReference, dict[int, float], Floats]:
    """The reference, all joints of its legs, and the pose of the platform they are closed at."""
    robot = robosym.load(NAME)
    own = PlatformReference(robot, False)
    solver: Any = MODELS["inverse-geometric"](robot)
    pose = np.asarray(MODELS["inverse-dynamics"](robot).random_state(np.random.default_rng(0))["pose"], float)
    guess = dict(zip(_joints(robot), map(float, solver(pose).positions[0]), strict=True))
    return own, own.legs(pose, guess), pose


def later(s: float) -> tuple[Floats, Floats]:
    """Pose and twist a time later, to the second order."""
    _, _, pose = reference()
    turn = Rotation.from_rotvec(s * TURN + s * s / 2 * TURN_RATE) * Rotation.from_quat(pose[3:])
    place = pose[:3] + s * GO + s * s / 2 * GO_RATE
    return np.concatenate([place, turn.as_quat()]), np.concatenate([GO + s * GO_RATE, TURN + s * TURN_RATE])


def moving(s: float = 0.0) -> tuple[State, Floats, Floats]:
    own, x, _ = reference()
    pose, twist = later(s)
    return own.motion(own.legs(pose, x), pose, twist, np.concatenate([GO_RATE, TURN_RATE]))


def test_legs_are_closed_at_a_pose() -> None:
    own, x, pose = reference()
    moment = own.reference.moment(State(x, {own.frame: platforms.pose_of(pose)}, np.zeros(own.mechanism.n)))
    assert np.abs(own.mechanism.misses(moment)).max() < 1e-10
    np.testing.assert_allclose(moment.pose(own.frame)[:3, 3], pose[:3], atol=1e-14)
    assert set(x) >= set(_joints(robosym.load(NAME)))


def test_motions_keep_the_legs_closed() -> None:
    """Rates and accelerations of all joints are the differences of their positions at closed legs."""
    own, _, _ = reference()
    state, a, N = moving()
    C, g = own.mechanism.ties(own.reference.moment(state))
    np.testing.assert_allclose(C @ state.v, 0, atol=1e-9)
    np.testing.assert_allclose(C @ a + g, 0, atol=1e-8)
    np.testing.assert_allclose(C @ N, 0, atol=1e-8)
    assert N.shape[1] == own.mechanism.n - np.linalg.matrix_rank(C, tol=1e-9 * np.linalg.norm(C, 2))
    h = 1e-4
    before, at, after = (moving(s)[0] for s in (-h, 0.0, h))
    for j in _joints(robosym.load(NAME)):
        column = own.mechanism.columns[j][0]
        assert state.v[column] == pytest.approx((after.x[j] - before.x[j]) / (2 * h), abs=1e-6)
        assert a[column] == pytest.approx((after.x[j] - 2 * at.x[j] + before.x[j]) / h**2, abs=1e-5)


def test_the_twist_of_the_platform_is_given_in_the_axes_of_the_base() -> None:
    own, _, _ = reference()
    state, a, _ = moving()
    moment = own.reference.moment(state)
    np.testing.assert_allclose(moment.jacobian(own.frame) @ state.v, [*GO, *TURN], atol=1e-12)
    np.testing.assert_allclose(
        moment.jacobian(own.frame) @ a + moment.drift(own.frame), [*GO_RATE, *TURN_RATE], atol=1e-12
    )


def test_the_power_of_the_motors_is_the_rate_of_the_energy() -> None:
    own, _, _ = reference()
    state, a, N = moving()
    power = own.torques(state, a, N) @ state.v[own.motors]
    h = 1e-4
    before, after = (own.energies(moving(s)[0]).sum() for s in (-h, h))
    assert power == pytest.approx((after - before) / (2 * h), rel=1e-5)
    assert abs(power) > 0.01


# --- rows --------------------------------------------------------------------------------------------------------------


def test_an_angle_is_taken_next_to_the_described_one() -> None:
    """Springs wind up over turns; what slides has none."""
    robot = robosym.load(NAME)
    j = _joints(robot)[0]
    near = _next_to_described(robot, j, 0.3)
    for turns in (-2, 1, 5):
        assert _next_to_described(robot, j, 0.3 + 2 * np.pi * turns) == pytest.approx(near, abs=1e-12)
    stewart = robosym.load("gough-stewart")
    slides = [j for j in _joints(stewart) if stewart.frame(j).sigma == platforms.PRISMATIC]
    assert slides
    assert _next_to_described(stewart, slides[0], 99.0) == 99.0


def test_a_robot_that_cannot_be_compared_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*given: object) -> None:
        raise RobosymError("no legs today")

    monkeypatch.setattr(platforms, "PlatformReference", fails)
    robot = robosym.load(NAME)
    rows = list(platform_rows(robot, 1, np.random.default_rng(0), False))
    assert [row.model for row in rows] == models_of(robot)
    assert {(row.verdict, row.why) for row in rows} == {("not verified", "no legs today")}
