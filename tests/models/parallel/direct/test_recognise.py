"""What a platform is, from what its legs do."""

from __future__ import annotations

import numpy as np
import pytest
from models.parallel.direct_robots import known, lengths, random_pose, struts
from models.parallel.random_platforms import renumbered
from sweeps import crossed

from robosym.models.parallel.direct.mechanism import mechanism_of
from robosym.models.parallel.direct.recognise import recognised

CLASSES = {
    "6-UPS": "spheres",
    "6-RUS": "spheres",
    "6-PUS": "spheres",
    "6-UPS-wrist": "spheres",
    "planar-3-RRR": "planar",
    "planar-3-RPR": "planar",
    "planar-3-PRR": "planar",
    "3-RUU": "translation",
    "3-PUU": "translation",
    "3-UPU": "translation",
    "4-RUU": None,  # its fourth motor turns it
    "five-bar": None,
    "spherical-3-RRR": None,
    "wrist-3-UPU": None,
    "3-RPS": None,
    "3-UPS-UP": None,
}


@pytest.mark.parametrize(("kind", "seed"), crossed(CLASSES, range(3), every=3))
def test_classes(kind: str, seed: int) -> None:
    robot, q, _ = known(kind, seed)
    found = recognised(mechanism_of(robot, q))
    assert (found.kind if found is not None else None) == CLASSES[kind]


@pytest.mark.parametrize("kind", ["planar-3-RRR", "3-RUU"])
def test_elsewhere_too(kind: str) -> None:
    """The class of a robot does not depend on where its motors are."""
    robot, q, _ = known(kind, 0)
    for step in (-0.2, 0.15):
        found = recognised(mechanism_of(robot, q + step * np.arange(1, len(q) + 1)))
        assert found is not None
        assert found.kind == CLASSES[kind]


def test_a_translating_platform_without_a_described_position() -> None:
    """Its orientation is then found by a search."""
    robot, q, home = known("3-RUU", 1)
    from dataclasses import replace

    frames = tuple(replace(frame, joint=replace(frame.joint, position=None)) for frame in robot.frames)
    found = recognised(mechanism_of(robot.replace(frames=frames), q))
    assert found is not None
    assert found.kind == "translation"
    location = np.array([float(x) for x in mechanism_of(robot, q).location.ravel()]).reshape(4, 4)
    np.testing.assert_allclose(location[:3, :3] @ found.rotation, home[:3, :3], atol=1e-9)


def test_the_data_of_struts() -> None:
    """Points, centres and radii come back as they were put in."""
    rng = np.random.default_rng(4)
    points, centres, T = rng.normal(size=(6, 3)), rng.normal(size=(6, 3)), random_pose(rng)
    mechanism = mechanism_of(struts(points, centres), lengths(points, centres, T))
    found = recognised(mechanism)
    assert found is not None
    np.testing.assert_allclose(found.points * mechanism.size, points, atol=1e-9)
    np.testing.assert_allclose(found.centres * mechanism.size, centres, atol=1e-9)
    np.testing.assert_allclose(found.radii * mechanism.size, lengths(points, centres, T), atol=1e-9)


def test_the_order_of_frames_does_not_matter() -> None:
    robot, q, _ = known("6-RUS", 1)
    other = renumbered(robot, 3)
    names = [robot.joint_names.index(name) for name in other.joint_names]
    found = recognised(mechanism_of(other, q[names]))
    assert found is not None
    assert found.kind == "spheres"
