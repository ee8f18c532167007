"""Closed positions of robots with loops: the described one first, others from random starts."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from models.loops.described_places import opening
from models.loops.linkages import bennett, slider_crank, triangle
from models.loops.random_mechanisms import random_mechanism

import robosym
from robosym.expr import parameter
from robosym.models.loops.mechanism import LoopMechanism, numbers_for, whole_mechanism
from robosym.models.loops.positions import closed_positions, random_start
from robosym.robot import Limits, Robot, Value


def whole(robot: Robot) -> LoopMechanism:
    return whole_mechanism(robot, numbers_for(robot, np.random.default_rng(0))[0])


def test_random_starts_are_within_the_limits_of_sliding_joints() -> None:
    robot = slider_crank()
    frames = [
        replace(f, joint=replace(f.joint, limits=Limits(0.4, 0.5))) if f.joint.name == "slider" else f
        for f in robot.frames
    ]
    plain = whole(robot)
    assert plain.size > 0.6
    for bounded, low, high in ((robot, -plain.size, plain.size), (robot.replace(frames=tuple(frames)), 0.4, 0.5)):
        own = whole(bounded)
        starts = np.array([random_start(own, np.random.default_rng(k)) for k in range(60)])
        slider = starts[:, own.names.index("slider")]
        assert low <= slider.min() < low + 0.1 * (high - low)
        assert high - 0.1 * (high - low) < slider.max() <= high
        angles = np.delete(starts, own.names.index("slider"), axis=1)
        assert 3 < np.abs(angles).max() <= math.pi


def test_the_smallest_gap_is_in_metres() -> None:
    """Links of 0.3, 0.4 and 1.7 stay one metre apart, in parts of the longest one; of 0.3, 0.4, 0.7 they are flat."""
    found = closed_positions(triangle(1.7), starts=2)
    assert found.positions == ()
    assert found.gap == pytest.approx(1.0, rel=1e-6)
    assert not found.described
    flat = closed_positions(triangle(0.7), wanted=1)
    assert len(flat.positions) == 1
    assert np.abs(np.sin(flat.positions[0])).max() < 1e-4


def test_the_described_position_comes_first() -> None:
    robot = random_mechanism("four-bar", 3)
    found = closed_positions(robot, wanted=3)
    assert found.described
    own = found.mechanism
    assert np.abs(own.difference(found.positions[0], own.described)).max() < 1e-9
    assert len(found.positions) == 3
    for x in found.positions:
        assert opening(robot, own.values_at(x)) < 1e-11
    nowhere = tuple(replace(f, joint=replace(f.joint, position=None)) for f in robot.frames)
    again = closed_positions(robot.replace(frames=nowhere), wanted=1)
    assert not again.described


def test_lengths_of_few_digits() -> None:
    """A Bennett linkage with lengths to seven digits: it nearly closes, and its described position counts."""
    exact = bennett()
    closed = closed_positions(exact, wanted=1)
    at = dict(zip(closed.mechanism.names, closed.positions[0], strict=True))
    robot = exact.replace(values={**exact.values, "OFF": Value(1 + 3e-8)})
    frames = tuple(replace(f, joint=replace(f.joint, position=at.get(f.joint.name))) for f in robot.frames)
    found = closed_positions(robot.replace(frames=frames), wanted=2)
    assert found.described
    assert closed.mechanism.tolerance < 1e-10 < found.mechanism.tolerance
    x = found.positions[0]
    assert 1e-11 < found.mechanism.residual(x[None])[0] < found.mechanism.tolerance
    assert np.abs(found.mechanism.difference(x, closed.positions[0])).max() < 1e-5


def test_parameters_without_a_value_are_drawn() -> None:
    robot = robosym.load("four-bar")
    values = {name: value for name, value in robot.values.items() if name != "D3"}
    found = closed_positions(robot.replace(values=values), wanted=1, starts=2)
    assert found.assumed == ("D3",)
    assert found.positions
    assert 0.5 <= found.mechanism.values[parameter("D3")] <= 1.5
