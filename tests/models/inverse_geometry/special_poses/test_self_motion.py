"""The programs of self-motions, against linear algebra of numbers."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from models.inverse_geometry.robots import CHAINS

from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.special_poses.iteration import Iteration
from robosym.models.inverse_geometry.special_poses.self_motion import (
    LONGEST_PART,
    LONGEST_PULL,
    PART_WAY,
    PULL,
    REACH,
    SHORTEST_STRIDE,
    SLACK_VALUE,
    STRIDE,
    SelfMotion,
)


@cache
def motion() -> SelfMotion:
    return SelfMotion(Iteration(chain_for(CHAINS["puma560"]()), "pose"))


def jacobian(rng: np.random.Generator, least: float) -> tuple[np.ndarray, np.ndarray]:
    """A matrix with this least singular value, and the direction that belongs to it."""
    U, V = (np.linalg.qr(rng.normal(size=(6, 6)))[0] for _ in "ab")
    return U @ np.diag([3, 2, 1, 1, 0.5, least]) @ V, V[5]


def factor(J: np.ndarray) -> np.ndarray:
    return np.asarray(motion().iteration.damped.call(J=J, e=np.zeros(6), damping=np.array(SLACK_VALUE))["R"])


@pytest.mark.parametrize(("least", "slack"), [(1.0, 0), (1e-3, 0), (1e-7, 1), (0.0, 1)])
def test_slack_is_a_small_singular_value(least: float, slack: int) -> None:
    J, null = jacobian(np.random.default_rng(2), least)
    R = factor(J)
    assert motion().slackened.call(R=R)["slack"] == slack
    joint = int(np.abs(null).argmax())
    made = motion().stepped.call(R=R, x=np.zeros(6), joint=np.array(float(joint)))
    assert made["held"].tolist() == np.eye(6)[joint].tolist()
    assert made["loose"] == slack
    if slack:  # along the null space
        assert np.linalg.norm(made["y"]) == pytest.approx(REACH)
        assert made["y"] @ null / REACH == pytest.approx(np.sign(null[joint]), abs=1e-6)


def test_walked_is_another_position_with_the_frame_at_rest() -> None:
    rng = np.random.default_rng(3)
    x, z, way = rng.normal(size=(3, 6))
    way /= np.linalg.norm(way)
    for length, moved, moves in (
        (REACH, 0.0, 1),
        (REACH / 4.1, 0.0, 0),
        (REACH * 3.9, 0.0, 1),
        (REACH * 4.1, 0.0, 0),
        (REACH, 0.9e-12, 1),
        (REACH, 1.1e-12, 0),
    ):
        frames = {"frame_x": np.zeros((3, 4)), "frame_y": np.zeros((3, 4))}
        frames["frame_y"][1, 2] = moved
        made = motion().walked.call(x=x, y=x + length * way, z=z, **frames)
        assert made["moves"] == moves, (length, moved)
        np.testing.assert_allclose(made["z_now"], x + length * way if moves else z, atol=1e-15)


def test_a_part_of_the_way() -> None:
    x, y = np.random.default_rng(4).normal(size=(2, 6))
    np.testing.assert_allclose(motion().part_way.call(x=x, y=y)["y_now"], (1 - PART_WAY) * x + PART_WAY * y, atol=1e-14)


def test_departure_and_strides() -> None:
    rng = np.random.default_rng(5)
    x, z = rng.normal(size=(2, 6))
    made = motion().departed.call(x=x, z=z)
    np.testing.assert_array_equal(made["w"], z)
    np.testing.assert_array_equal(made["best"], x)
    np.testing.assert_allclose(made["v"], (z - x) / np.linalg.norm(z - x), atol=1e-14)
    assert made["stride"] == STRIDE
    w, v, s = rng.normal(size=(3, 6))
    np.testing.assert_allclose(motion().ahead.call(w=w, v=v, stride=np.array(0.3))["there"], w + 0.3 * v, atol=1e-14)
    np.testing.assert_allclose(motion().corrected.call(there=w, s=s)["there_now"], w + s, atol=1e-14)


@pytest.mark.parametrize("correction", [0.0, 1.0])
def test_a_stride_goes_on_along_the_motion_or_is_halved(correction: float) -> None:
    """A large second correction means that the stride was too long; of the two positions the nearer to the seed is best."""
    J, null = jacobian(np.random.default_rng(6), 0.0)
    rng = np.random.default_rng(7)
    w, there, seed, s = rng.uniform(-1, 1, (4, 6))
    v = 0.8 * null + 0.6 * np.linalg.qr(np.column_stack([null, rng.normal(size=6)]))[0][:, 1]
    for stride, grown in ((0.2, 0.3), (0.35, STRIDE)):
        for best, nearer in ((seed + 2 * (there - seed), True), (seed + 0.5 * (there - seed), False)):
            inputs = {"s": correction * s, "there": there, "w": w, "v": v, "best": best, "seed": seed}
            made = motion().strode.call(R=factor(J), stride=np.array(stride), size=np.array(1.0), **inputs)
            if correction:
                np.testing.assert_array_equal(made["w_now"], w)
                np.testing.assert_array_equal(made["v_now"], v)
                np.testing.assert_array_equal(made["best_now"], best)
                assert made["stride_now"] == stride / 2
            else:
                np.testing.assert_array_equal(made["w_now"], there)
                np.testing.assert_allclose(made["v_now"], null * np.sign(null @ v), atol=1e-8)
                np.testing.assert_array_equal(made["best_now"], there if nearer else best)
                assert made["stride_now"] == pytest.approx(grown)
    short = motion().strode.call(
        R=factor(J),
        stride=np.array(0.9 * SHORTEST_STRIDE),
        size=np.array(1.0),
        s=s,
        there=there,
        w=w,
        v=v,
        best=w,
        seed=seed,
    )
    np.testing.assert_array_equal(short["w_now"], there)  # the shortest goes on


def test_the_pull_is_the_part_of_the_way_to_the_seed_along_the_motion() -> None:
    """With Barzilai and Borwein's part of it, within bounds, and no joint turning by more than LONGEST_PULL."""
    rng = np.random.default_rng(8)
    J, null = jacobian(rng, 0.0)
    R = factor(J)
    z, s = rng.uniform(-0.5, 0.5, (2, 6))
    seed = z + rng.uniform(-0.5, 0.5, 6)
    now = null * (null @ (seed - z))
    for pull, moved in (
        (np.full(6, 6.0), np.full(6, 6.0)),  # as before the first
        (2.5 * now, now),
        (1.05 * now, now),
        (0.5 * now, now),  # bent the other way
        (now + 1e-3 * now, now),
    ):
        made = motion().pulled.call(R=R, s=s, z=z, pull=pull, moved=moved, size=np.array(1.0), seed=seed)
        np.testing.assert_allclose(made["pull_now"], now, atol=1e-9)
        bend = moved @ (pull - now)
        part = moved @ moved / bend if bend > 0 else PULL
        went = now * np.clip(part, PULL / 4, LONGEST_PART)
        went *= min(1, LONGEST_PULL / np.abs(went).max())
        np.testing.assert_allclose(made["moved_now"], went, atol=1e-7)
        np.testing.assert_allclose(made["z_now"], z + s + went, atol=1e-7)
        assert made["settled"] == 0
    there = motion().pulled.call(R=R, s=s, z=z, pull=now, moved=now, size=np.array(1.0), seed=z.copy())
    assert there["settled"] == 1


def test_the_better_is_the_nearer_to_the_seed_that_makes_the_pose() -> None:
    rng = np.random.default_rng(9)
    seed = rng.uniform(-1, 1, 6)
    near, far = seed + 0.01, seed + 0.2
    for x, z, ok, expected in ((far, near, 1, near), (far, near, 0, far), (near, far, 1, near)):
        q = motion().better.call(size=np.array(2.0), x=x, z=z, ok_there=np.array(float(ok)), seed=seed)["q"]
        np.testing.assert_allclose(q, expected, atol=1e-14)
