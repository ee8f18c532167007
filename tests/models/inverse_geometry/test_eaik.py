"""As many solutions as EAIK finds, and the same ones, on the arms it solves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from models.inverse_geometry.robots import Floats, Solved, pieper, solved, spherical_shoulder, three_parallel
from sweeps import many, some

from robosym import models

eaik = pytest.importorskip("eaik.IK_HP", reason="EAIK is not installed: solution counts are not compared")

POSES = many(60)
ARMS: dict[str, Callable[[], Solved]] = {
    "puma560": lambda: solved("puma560"),
    "rx90": lambda: solved("rx90"),
    "ur5": lambda: solved("ur5"),
    "pieper-1": lambda: solved(pieper(1)),
    "pieper-2": lambda: solved(pieper(2)),
    "three-parallel-1": lambda: solved(three_parallel(1)),
    "three-parallel-2": lambda: solved(three_parallel(2)),
    "spherical-shoulder-1": lambda: solved(spherical_shoulder(1)),
}


def twin(S: Solved) -> tuple[Any, Floats]:
    """The same arm for EAIK: axes and the steps between them at zero, and the tool's orientation there."""
    zero = np.zeros(S.robot.nq)
    frames = [models.transform(S.robot, frame=j).evaluate(q=zero) for j in range(1, 7)]
    origins = np.array([T[:3, 3] for T in frames])
    steps = np.vstack([origins[0], np.diff(origins, axis=0), np.zeros(3)])
    return eaik.HPRobot(np.array([T[:3, 2] for T in frames]), steps), frames[-1][:3, :3]


def theirs(S: Solved, T: Floats) -> list[Floats]:
    """EAIK's distinct solutions of each pose.

    What it marks as least squares is no measure (its general arms are all marked): what makes the pose counts.
    """
    robot, tool = twin(S)
    assert robot.hasKnownDecomposition()
    asked = T.copy()
    asked[:, :3, :3] = T[:, :3, :3] @ tool.T
    found = []
    for pose, answer in zip(T, robot.IK_batched(asked, num_worker_threads=1), strict=True):
        Q = np.array(answer.Q).reshape(-1, 6)
        right = Q[np.abs(S.poses(Q) - pose).max(axis=(1, 2)) < 1e-6] if len(Q) else Q
        kept: list[Floats] = []
        for q in right:
            if all(S.distances(q, other) > 1e-5 for other in kept):
                kept.append(q)
        found.append(np.array(kept).reshape(-1, 6))
    return found


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", some(ARMS, 2))
def test_the_same_solutions(name: str) -> None:
    S = ARMS[name]()
    T = S.poses(S.positions(POSES, seed=31))
    Q, valid, _ = S.solve(T)
    others = theirs(S, T)
    ours, counts = valid.sum(axis=1), np.array([len(one) for one in others])
    differ = np.flatnonzero(ours != counts)
    assert not len(differ), [(int(i), f"ours {ours[i]}, EAIK {counts[i]}") for i in differ]
    for i, other in enumerate(others):
        apart = S.distances(Q[i, valid[i]][:, None], other[None])
        assert apart.min(axis=1).max() < 1e-5
        assert apart.min(axis=0).max() < 1e-5


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["puma560", "rx90", "ur5"])
def test_unreachable_for_both(name: str) -> None:
    S = ARMS[name]()
    T = S.poses(S.positions(20, seed=32))
    T[:, :3, 3] *= 10 / np.linalg.norm(T[:, :3, 3], axis=1)[:, None]
    assert not any(len(one) for one in theirs(S, T))
    assert not S.solve(T)[1].any()
