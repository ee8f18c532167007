"""Poses by search on the closures of the legs, which knows of no class."""

from __future__ import annotations

import numpy as np
import pytest
from models.parallel.direct_robots import known
from sweeps import crossed

from robosym.models.parallel.direct.general import general_poses
from robosym.models.parallel.direct.mechanism import mechanism_of
from robosym.models.parallel.direct.solve import assembly_modes


def same_poses(one, other) -> bool:
    return len(one) == len(other) and all(other.near(T)[1] < 1e-7 for T in one)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(
    ("kind", "seed"), crossed(["planar-3-RRR", "planar-3-RPR", "planar-3-PRR"], range(10), every=5)
)
def test_planar_platforms(kind: str, seed: int) -> None:
    """The roots of the polynomial are all there are, and none is found by the search alone: also with the motors elsewhere."""
    robot, q, home = known(kind, seed)
    q = q + (0.05 * seed if seed % 2 else 0.0)
    roots, searched = assembly_modes(robot, q), general_poses(mechanism_of(robot, q), seed)
    assert (roots.method, searched.method) == ("planar", "general")
    assert same_poses(roots, searched)
    if not seed % 2:
        assert searched.near(home)[1] < 1e-8


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(("kind", "seed"), [("3-RUU", 0), ("3-PUU", 1)])
def test_translating_platforms_also_turn(kind: str, seed: int) -> None:
    robot, q, home = known(kind, seed)
    both, every = assembly_modes(robot, q), assembly_modes(robot, q, all_modes=True)
    assert len(both) == 2
    assert every.method == "general"
    assert len(every) > 2
    assert every.complete
    assert "left out" in both.message
    for T in both:
        assert every.near(T)[1] < 1e-8
        np.testing.assert_allclose(T[:3, :3], home[:3, :3], atol=1e-8)
    alike = [T for T in every if np.abs(T[:3, :3] - home[:3, :3]).max() < 1e-6]
    assert len(alike) == 2


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("kind", ["6-UPS", "6-RUS"])
def test_spheres(kind: str) -> None:
    robot, q, _ = known(kind, 3)
    assert same_poses(assembly_modes(robot, q), general_poses(mechanism_of(robot, q)))


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("kind", ["3-RPS", "3-PRS", "3-UPS-UP", "spherical-3-RRR", "five-bar"])
def test_other_platforms(kind: str) -> None:
    """The pose at which the motors are is found; another seed finds the same poses; all close."""
    robot, q, home = known(kind, 0)
    one, other = assembly_modes(robot, q), assembly_modes(robot, q, seed=5)
    assert one.method == "general"
    assert one.near(home)[1] < 1e-8
    assert one.complete
    assert one.missed == 0.0
    assert len(one) % 2 == 0
    assert one.residuals.max() < 1e-12
    np.testing.assert_allclose(one.poses, other.poses, atol=1e-8)


def test_legs_that_do_not_close() -> None:
    robot, _, _ = known("3-RPS", 0)
    found = general_poses(mechanism_of(robot, [0.001, 30.0, 0.001]))
    assert len(found) == 0
    assert not found.complete
    assert "may not close" in found.message


def test_a_motor_too_few() -> None:
    """With one motor passive the platform moves: no list of accidental poses."""
    from dataclasses import replace

    robot, q, _ = known("3-RPS", 1)
    first = robot.moving[0]
    frames = tuple(
        replace(frame, joint=replace(frame.joint, active=False)) if j == first else frame
        for j, frame in enumerate(robot.frames, 1)
    )
    found = assembly_modes(robot.replace(frames=frames), q[1:])
    assert found.infinite
    assert not found.complete
    assert len(found) == 0
