"""Three joints that Pieper's method looks for, and the directions that joints move a frame in, against matrix ranks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from models.inverse_geometry.robots import CHAINS, length, twist
from models.reference import frame_poses

import robosym
from robosym.models.inverse_geometry.chain.chain import Chain
from robosym.models.inverse_geometry.chain.features import Feature, _axes, _meet, _parallel, directions, features
from robosym.models.inverse_geometry.chain.random_positions import samples
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.robot import Robot

EXPECTED = {
    "puma560": [("intersecting", (3, 4, 5))],
    "ur5": [("parallel", (1, 2, 3))],
    "scara": [("parallel", (0, 1, 2))],
    "panda": [("intersecting", (0, 1, 2))],
    "shoulder": [("intersecting", (0, 1, 2))],
    "inner": [("intersecting", (1, 2, 3))],
    "gantry": [("prismatic", (0, 1, 2)), ("intersecting", (3, 4, 5))],
    "zigzag": [("parallel", (0, 1, 2))],
}


@pytest.mark.parametrize("name", EXPECTED)
def test_features_of_known_arms(name: str) -> None:
    found = features(chain_for(CHAINS[name]()))
    assert [(one.kind, one.joints) for one in found] == EXPECTED[name]


def revolute(rng: np.random.Generator, **changes: Any) -> dict[str, Any]:
    return {"alpha": twist(rng), "d": length(rng), "r": length(rng)} | changes


@pytest.mark.parametrize("noise", [0.0, 1e-14, 1e-6])
@pytest.mark.parametrize("first", [0, 1, 2])
@pytest.mark.parametrize("kind", ["parallel", "intersecting"])
def test_a_feature_anywhere_in_a_general_arm(kind: str, first: int, noise: float) -> None:
    """A shift or a twist of 1e-14 is rounding; one of 1e-6 is none."""
    rng = np.random.default_rng(first)
    rows = [revolute(rng) for _ in range(5)]
    rows[first + 1]["d" if kind == "intersecting" else "alpha"] = noise
    rows[first + 2]["d" if kind == "intersecting" else "alpha"] = 0.0
    if kind == "intersecting":
        rows[first + 1]["r"] = 0.0
    found = features(chain_for(Robot.from_table("arm", rows), 5))
    expected = [] if noise == 1e-6 else [(kind, (first, first + 1, first + 2))]
    assert [(one.kind, one.joints) for one in found] == expected


def test_a_slide_between_parallel_axes_is_no_feature() -> None:
    rows = [{}, {"d": 0.4}, {"d": 0.3, "sigma": "prismatic"}, {"d": 0.2}]
    assert features(chain_for(Robot.from_table("arm", rows))) == []


def test_lines_that_meet_or_are_parallel() -> None:
    rng = np.random.default_rng(3)
    u = rng.normal(size=(3, 3))
    u /= np.linalg.norm(u, axis=1)[:, None]
    point = np.array([5.0, -3, 2])
    bundle = [(point + t * v, v) for t, v in zip((1.0, -20.0, 0.0), u, strict=True)]
    assert _meet(bundle)
    p, v = bundle[1]
    aside = np.cross(u[0], v)
    assert not _meet([bundle[0], (p + 1e-6 * aside, v), bundle[2]])
    assert _meet([bundle[0], (p + 1e-13 * aside, v), bundle[2]])
    same = [(rng.normal(size=3), sign * u[0]) for sign in (1, -1, 1)]  # antiparallel axes are parallel
    assert _parallel(same)
    assert not _meet(same)
    assert not _parallel([*same[:2], (same[2][0], u[0] + 1e-6 * u[1])])
    assert not _parallel([bundle[1], *same[:2]])


@pytest.mark.parametrize("name", ["zigzag", "gantry", "slides", "panda", "ur5"])
def test_axes_are_those_of_the_frames(name: str) -> None:
    """Origins may lie elsewhere on their axes, and axes of joints that were turned over point backwards."""
    robot = CHAINS[name]()
    chain = chain_for(robot)
    sample = samples(chain, 1, seed=5)[0]
    q = dict(zip([joint.frame for joint in chain.joints], sample.q, strict=True))
    poses = frame_poses(robot, np.array([q[j] for j in robot.moving]))
    for joint, (p, u) in zip(chain.joints, _axes(chain, sample), strict=True):
        T = poses[joint.frame]
        np.testing.assert_allclose(u, joint.sign * T[:3, 2], atol=1e-12)
        if not joint.prismatic:
            np.testing.assert_allclose(np.cross(p - T[:3, 3], u), 0, atol=1e-12)


def jacobian(chain: Chain) -> np.ndarray:
    """Columns of the geometric Jacobian matrix at a random position, by the poses of the frames."""
    robot = chain.robot
    poses = frame_poses(robot, np.random.default_rng(7).uniform(-2, 2, robot.nq))
    end, columns = poses[len(robot.frames)][:3, 3], []
    for joint in chain.joints:
        z, p = poses[joint.frame][:3, 2], poses[joint.frame][:3, 3]
        columns.append(np.concatenate([z, 0 * z] if joint.prismatic else [np.cross(z, end - p), z]))
    return np.array(columns).T


FLAT = [{}, {"d": 1.0}, {"d": 1.0}, {"d": 1.0}]
ROBOTS: dict[str, Any] = {
    "planar-4r": lambda: Robot.from_table("planar-4r", FLAT),
    "slides": lambda: Robot.from_table(
        "slides", [{"sigma": "prismatic"}, {"sigma": "prismatic", "alpha": 0.0}, {"d": 0.3}]
    ),
    "ball": lambda: Robot.from_table("ball", [{}, {"alpha": "pi/2"}, {"alpha": "-pi/2"}, {"alpha": 0.4}]),
    "panda": lambda: robosym.load("panda"),
    "zigzag": CHAINS["zigzag"],
    "stanford": lambda: robosym.load("stanford"),
}


@pytest.mark.parametrize("name", ROBOTS)
def test_directions_are_ranks(name: str) -> None:
    chain = chain_for(ROBOTS[name]())
    J = jacobian(chain)
    assert directions(chain) == np.linalg.matrix_rank(J, tol=1e-9)
    assert directions(chain, position=True) == np.linalg.matrix_rank(J[:3], tol=1e-9)
    for k in range(len(chain.joints)):
        rest = np.delete(J, k, axis=1)
        assert directions(chain, without=k) == np.linalg.matrix_rank(rest, tol=1e-9)
        assert directions(chain, position=True, without=k) == np.linalg.matrix_rank(rest[:3], tol=1e-9)


def test_no_joint_moves_in_no_direction() -> None:
    assert directions(chain_for(Robot.from_table("one", [{"d": 0.2}])), without=0) == 0


def test_features_in_words() -> None:
    chain = chain_for(robosym.load("puma560"))
    three = [joint.name for joint in chain.joints[1:4]]
    for kind, words in (
        ("parallel", "are parallel"),
        ("intersecting", "meet in a point"),
        ("prismatic", "are prismatic"),
    ):
        text = Feature(kind, (1, 2, 3)).text(chain)
        assert text.endswith(words)
        assert [text.index(name) for name in three] == sorted(text.index(name) for name in three)
