"""The motion of a free base: against closed forms and the identity dR/dt = R [w]."""

from __future__ import annotations

import numpy as np
import pytest
from identification.data.motions import fourier

import robosym
from robosym.identification.data.base_motion import base_motion, unflipped
from robosym.identification.data.preparing import prepare
from robosym.identification.data.recipe import Data, Processing, Recipe, Signal, Torque
from robosym.identification.data.recording import Recording


def rotations(s: np.ndarray) -> np.ndarray:
    x, y, z, w = (s / np.linalg.norm(s, axis=1, keepdims=True)).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def tumbling(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    pose, rate, second = fourier(t, 7, seed=4)
    pose[:, 6] += 2.0  # the quaternion, of any length, stays away from zero
    return pose, rate, second


def test_the_twist_is_that_of_the_rotation_and_the_position() -> None:
    t, h = np.linspace(0, 5, 40), 1e-5
    _, twist, change = base_motion(*tumbling(t))
    before, after = tumbling(t - h)[0], tumbling(t + h)[0]
    R = rotations(tumbling(t)[0][:, 3:])
    skew = np.einsum("nji,njk->nik", R, (rotations(after[:, 3:]) - rotations(before[:, 3:])) / (2 * h))
    angular = np.stack((skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]), axis=1)
    linear = np.einsum("nji,nj->ni", R, (after - before)[:, :3] / (2 * h))
    assert twist == pytest.approx(np.concatenate((linear, angular), axis=1), abs=1e-8)
    rates = (base_motion(*tumbling(t + h))[1] - base_motion(*tumbling(t - h))[1]) / (2 * h)
    assert change == pytest.approx(rates, abs=1e-8)


def test_changes_of_sign_are_undone() -> None:
    s = tumbling(np.linspace(0, 5, 200))[0][:, 3:]
    flipped = s * np.where(np.random.default_rng(0).random((200, 1)) < 0.5, -1.0, 1.0)
    found = unflipped(flipped)
    assert np.abs(found) == pytest.approx(np.abs(s))
    assert np.abs(np.diff(found, axis=0)).max() < 0.2
    parts = unflipped(flipped[:77])
    assert np.concatenate((parts, unflipped(flipped[77:], parts[-1]))).tolist() == found.tolist()


@pytest.mark.slow
def test_a_recorded_pose_gives_velocity_and_acceleration_in_the_axes_of_the_base() -> None:
    robot = robosym.load("eel-3")
    n, rate = len(robot.moving), 500.0
    t = np.arange(10_000) / rate
    pose, pose_rate, second = tumbling(t)
    q, _, qdd = fourier(t, n, seed=2)
    unit, twist, change = base_motion(pose, pose_rate, second)
    flipped = unit.copy()
    flipped[:, 3:] *= np.where(np.random.default_rng(1).random((len(t), 1)) < 0.01, -1.0, 1.0)
    recipe = Recipe(
        robot,
        Data((Recording.from_arrays({"pose": flipped, "q": q, "tau": np.sin(q)}),), rate=rate),
        Signal(tuple(f"pose.{k}" for k in range(7)) + tuple(f"q.{k}" for k in range(n))),
        Torque(tuple(f"tau.{k}" for k in range(n))),
        processing=Processing(cutoff=20.0),
    )
    (ready,) = prepare(recipe)
    samples = ready.whole()
    inside, off = slice(300, -300), 13 + 300
    expected = slice(off, off + len(samples) - 600)
    assert len(samples) == len(t) - 26
    assert np.abs(samples.q[inside, 3:7]) == pytest.approx(np.abs(unit[expected, 3:]), abs=1e-4)
    assert samples.qd[inside, :6] == pytest.approx(twist[expected], abs=2e-3)
    assert samples.qdd[inside, :6] == pytest.approx(change[expected], abs=2e-2)
    assert samples.qdd[inside, 6:] == pytest.approx(qdd[expected], abs=2e-2)
    assert not samples.tau[:, :6].any()
    assert samples.tau[:, 6:] == pytest.approx(np.sin(q)[13:-13])
