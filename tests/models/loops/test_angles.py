"""Angles of passive joints: continuous from the described position on, whatever atan2 makes of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from models.loops.closed_reference import Closed
from models.loops.iterated_linkages import chained, stephenson
from models.loops.spring_ways import check_springs, closed, described_all, followed, gaps, with_spring
from sweeps import many

import robosym
from robosym import models
from robosym.robot import PRISMATIC, Robot

TURN = 2 * np.pi
SEEDS = {
    "four-bar": (0, 2),
    "five-bar": (1, 102),
    "slider-crank": (0, 102),
    "rod": (2,),
    "six-bar": (2,),
    "spherical": (4,),
    "parallelogram": (3,),
    "palletizer": (3,),
}
K = 10.0


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(("kind", "seed"), [(kind, seed) for kind, seeds in SEEDS.items() for seed in seeds])
def test_springs_of_random_mechanisms_go_on_by_continuity(kind: str, seed: int) -> None:
    check_springs(seed, kind)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", range(1000, 1000 + many(2)))
def test_springs_of_any_mechanism(seed: int) -> None:
    check_springs(seed)


def crank_rocker(**positions: float) -> Robot:
    """A crank that turns all the way around; without positions of the passive joints unless they are given."""
    robot = robosym.load("four-bar")
    values = {"D2": 1.0, "D3": 0.3, "D4": 0.8, "D5": 0.7}
    assert set(values) <= set(robot.values)
    robot = robot.replace(values={**robot.values, **{k: replace(robot.values[k], number=x) for k, x in values.items()}})
    joints = {f.joint.name: replace(f.joint, position=positions.get(f.joint.name)) for f in robot.frames}
    return robot.replace(frames=tuple(replace(f, joint=joints[f.joint.name]) for f in robot.frames))


def passive_joints(robot: Robot) -> list[int]:
    return [j for j in Closed(robot).frames if j not in robot.moving]


def positions(robot: Robot, q: float) -> np.ndarray:
    return np.asarray(models.loop_geometry(robot).evaluate(q=np.array([q]))["positions"])


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("turns", [0, 1, -2])
def test_three_turns_of_a_crank_wind_up_the_springs_it_turns(turns: int) -> None:
    plain = crank_rocker()
    reference = Closed(plain)
    start = positions(plain, 0.0) + TURN * turns * np.array([0, 1, 0, -1])
    names = [plain.frame(j).joint.name for j in reference.frames]
    robot = crank_rocker(**dict(zip(names, start.tolist(), strict=True)))
    reference = Closed(robot)
    for j in passive_joints(robot):
        robot = with_spring(robot, j, K, 0.0, 0.1)
    energy = models.energy(robot).compile()
    plain_energy = models.energy(plain).compile()
    ways = followed(reference, described_all(reference), np.array([3 * TURN]))
    assert abs(ways[-1][reference.driven[0]] - 3 * TURN) < 1e-12
    x = np.array(ways[:: len(ways) // 40])
    q = x[:, reference.driven]
    found, without = (f(q=q, qd=0 * q)["potential"] for f in (energy, plain_energy))
    expected = K / 2 * ((x[:, reference.passive] - 0.1) ** 2).sum(axis=1)
    np.testing.assert_allclose(np.ravel(found) - np.ravel(without), expected, rtol=1e-7)
    assert np.ptp(x[:, reference.passive], axis=0).max() > 5 * np.pi, "some joint turns with the crank"


@pytest.mark.slow
def test_without_a_described_position_an_angle_is_next_to_where_its_spring_is_at_rest() -> None:
    plain = crank_rocker()
    here = positions(plain, 0.0)
    for place, j in enumerate(Closed(plain).frames):
        if j in plain.moving:
            continue
        for turns in (0, 2):
            robot = with_spring(plain, j, K, 0.0, here[place] + TURN * turns + 0.5)
            bias = models.bias(robot).evaluate(q=np.zeros(1), qd=np.zeros(1))["H"]
            gravity = models.gravity(robot).evaluate(q=np.zeros(1))["Q"]
            G = Closed(plain).projection(here)
            np.testing.assert_allclose(bias - gravity, -0.5 * K * G[place], rtol=1e-9, atol=1e-12)


def test_without_numbers_angles_are_next_to_the_described_position() -> None:
    robot = crank_rocker()
    j = passive_joints(robot)[0]
    at = positions(robot, 0.0)
    place = Closed(robot).frames.index(j)
    described = {robot.frame(j).joint.name: float(at[place]) + TURN}
    numbers = {name: value.number for name, value in robot.values.items()}
    symbolic = with_spring(crank_rocker(**described), j, K, 0.0, described[robot.frame(j).joint.name]).replace(
        values={}
    )
    mode = models.loop_geometry(robot).mode
    found = models.bias(symbolic, mode=mode).evaluate(q=np.zeros(1), qd=np.zeros(1), parameters=numbers)["H"]
    gravity = models.gravity(symbolic, mode=mode).evaluate(q=np.zeros(1), parameters=numbers)["Q"]
    np.testing.assert_allclose(found, gravity, atol=1e-9)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("make", [stephenson, chained])
@pytest.mark.parametrize("seed", [1, 2])
def test_joints_found_by_an_iteration_begin_next_to_the_described_position(
    make: Callable[[], Robot], seed: int
) -> None:
    plain, rng = make(), np.random.default_rng(seed)
    geometry = models.loop_geometry(plain)
    q = np.array([geometry.reference.get(plain.frame(j).joint.name, 0.0) for j in plain.moving])
    x = np.array(geometry.evaluate(q=q)["positions"])
    frames = Closed(plain).frames
    turning = np.array([plain.frame(j).sigma != PRISMATIC for j in frames])
    x = x + TURN * turning * rng.integers(-1, 2, len(x))
    own = dict(zip(frames, x.tolist(), strict=True))
    described = tuple(
        replace(f, joint=replace(f.joint, position=own[j])) if j in own else f for j, f in enumerate(plain.frames, 1)
    )
    robot = plain.replace(frames=described)
    reference = Closed(robot)
    assert closed(reference, x)
    assert np.abs(gaps(reference, x)).max() < 1e-9
    ways = followed(reference, x, x[reference.driven] + rng.uniform(-0.5, 0.5, robot.nv))
    found = models.loop_geometry(robot).compile()
    for there in (ways[0], ways[len(ways) // 2], ways[-1]):
        np.testing.assert_allclose(found(q=there[reference.driven])["positions"], there, atol=1e-9)
