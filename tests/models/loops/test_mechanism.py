"""Robots with loops in numbers: poses, residuals and their slopes, and positions found, against what is known of the linkages."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.loops.described_places import place, values_at
from models.loops.iterated_linkages import seven_revolutes, sliding_ring
from models.loops.linkages import bennett, six_bar, slider_crank
from models.loops.random_mechanisms import KINDS, random_mechanism

import robosym
from robosym import models
from robosym.expr import number
from robosym.models.loops.mechanism import LoopMechanism, mechanism_of, numbers_for, whole_mechanism
from robosym.models.loops.positions import closed_positions
from robosym.models.loops.structure import passive
from robosym.robot import PRISMATIC, Mimic, Robot

REFERENCES = [
    (seven_revolutes, [0.4, -0.7, 0.9, 0.5, -1.1, 0.8, 0.3]),
    (sliding_ring, [0.2, -0.5, 0.8, 0.35, -0.9, 0.7, 0.4]),
]


def search_of(robot: Robot) -> LoopMechanism:
    return mechanism_of(robot, numbers_for(robot, np.random.default_rng(0))[0])


def whole(robot: Robot) -> LoopMechanism:
    return whole_mechanism(robot, numbers_for(robot, np.random.default_rng(0))[0])


@pytest.mark.parametrize(("make", "x"), REFERENCES)
def test_the_position_it_was_made_at_is_closed(make, x) -> None:
    search = search_of(make())
    assert search.residual(np.array([x]))[0] < 1e-14
    near = np.array([x]) + np.random.default_rng(1).uniform(-0.02, 0.02, (5, 7))
    near[:, 0] = x[0]
    found = search.closed(near, search.joints[1:])
    assert len(found) == 5
    np.testing.assert_allclose(found, np.repeat([x], 5, axis=0), atol=1e-9)


@pytest.mark.parametrize(("make", "x"), REFERENCES)
def test_twists_are_the_derivatives_of_what_is_left(make, x) -> None:
    search = search_of(make())
    h, here = 1e-6, np.array([x])
    W = search.slopes(here)[0]
    for k in range(7):
        step = np.zeros((1, 7))
        step[0, k] = h
        ends = [search.closure.equations(here / search.units + s * step)[0][0] for s in (1, -1)]
        slope = (ends[0] - ends[1]) / (2 * h)
        np.testing.assert_allclose(W[:, k], slope, atol=1e-8)
    assert search.rank(here[0], search.loops, search.joints) == 6


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["four-bar", "five-bar-general", "slider-crank", "sr400"])
def test_as_many_positions_as_modes(name: str) -> None:
    """Closed forms say how many there are, and which."""
    robot = robosym.load(name)
    search = search_of(robot)
    made = models.loop_geometry(robot)
    q = np.array([robot.frame(j).joint.position or 0.3 + 0.17 * k for k, j in enumerate(robot.moving)])
    rows = []
    for mode in made.modes:
        found = models.loop_geometry(robot, mode=mode).evaluate(q=q)
        if found["assembled"]:
            by_name = made.by_name(found)
            rows.append(np.array([float(by_name[robot.frame(j).joint.name]) for j in search.joints]))
    follow = [j for j in passive(robot) if j in search.joints]
    found = search.different(search.closed(search.random_starts(np.random.default_rng(2), rows[0], follow), follow))
    assert len(found) == len(rows) > 1
    assert all(min(search.distance(row, other) for other in found) < 1e-8 for row in rows)


@pytest.mark.parametrize("robot", [robosym.load("sr400"), bennett(), six_bar(), slider_crank()], ids=lambda r: r.name)
def test_slopes_are_the_derivatives_of_the_residuals(robot: Robot) -> None:
    found = closed_positions(robot, wanted=3)
    own = found.mechanism
    assert len(found.positions) == 3
    h = 1e-6
    for x in np.array(found.positions) / own.units:
        assert np.abs(own.closure.equations(x[None])[0]).max() < 1e-11
        steps = np.eye(len(x)) * h
        expected = (own.closure.equations(x + steps)[0] - own.closure.equations(x - steps)[0]).T / (2 * h)
        assert np.allclose(own.closure.equations(x[None])[1][0], expected, atol=1e-8)


def test_closing_is_quadratic_where_rows_are_redundant() -> None:
    own = whole(robosym.load("four-bar"))
    x = closed_positions(own.robot, wanted=1).positions[0]
    closed = own.reached((x + 1e-3)[None])
    assert closed.residual[0] < 1e-14
    assert np.abs(closed.x[0] - x).max() < 5e-3
    held = own.reached((x + 1e-3)[None], own.joints[1:])
    assert held.residual[0] < 1e-14
    assert held.x[0, 0] == x[0] + 1e-3


@pytest.mark.parametrize("kind", KINDS)
def test_the_described_position_in_plain_matrices(kind: str) -> None:
    """The ends of all loops; they are closed, and the numbers of the symbols are those of the description."""
    robot = random_mechanism(kind, 12, named=None)
    own = whole(robot)
    x = own.described
    values = values_at(robot)
    found = own.values_at(x)
    assert all(abs(values[s] - v) < 1e-12 for s, v in found.items())
    assert_ends(own, x, values)
    assert own.residual(x[None])[0] < 1e-11
    assert own.names == tuple(robot.frame(j).joint.name for j in own.joints)
    assert own.places(own.joints) == list(range(len(own.joints)))
    cuts = [j for j in own.joints if j > robot.n_links]
    assert list(own.joints[len(own.joints) - len(cuts) :]) == cuts
    np.testing.assert_array_equal(own.units, [own.size if robot.frame(j).sigma == PRISMATIC else 1 for j in own.joints])


def assert_ends(own: LoopMechanism, x: np.ndarray, values: dict) -> None:
    """Poses of the cut frames and their twins, seen from the frame that both sides of a loop have in common."""
    for loop, pair in zip(own.loops, own.closure.pairs, strict=True):
        shared = own.robot.frame(loop.around[0].frame).antecedent
        for end, chain in ((loop.cut, pair.chain), (loop.twin, pair.other)):
            expected = np.linalg.inv(place(own.robot, shared, values)) @ place(own.robot, end, values)
            expected[:3, 3] /= own.size
            np.testing.assert_allclose(chain.end((x / own.units)[None])[0][0], expected, atol=1e-12)


def test_dependent_joints_move_with_others() -> None:
    robot = robosym.load("five-bar")
    frames = list(robot.frames)
    frames[2] = replace(frames[2], joint=replace(frames[2].joint, mimic=Mimic(1, number(-2), number(0.5))))
    own = whole(robot.replace(frames=tuple(frames)))
    x = np.random.default_rng(1).uniform(-1, 1, len(own.joints))
    at = dict(zip(own.names, x, strict=True))
    assert_ends(own, x, values_at(robot, at | {robot.frame(3).joint.name: 0.5 - 2 * at[robot.frame(1).joint.name]}))


def test_differences_of_positions_are_within_half_a_turn() -> None:
    own = whole(slider_crank())
    k = own.names.index("slider")
    x, y = np.zeros((2, 4))
    x[:], y[k] = 4.0, 1.0
    expected = np.full(4, 4.0 - 2 * np.pi)
    expected[k] = 3.0 / own.size
    np.testing.assert_allclose(own.difference(x, y), expected)
    np.testing.assert_allclose(own.difference(y, x), -expected)
    assert own.distance(x, y) == pytest.approx(np.abs(expected).max())
    assert own.distance(x, y, [own.joints[k]]) == pytest.approx(3.0 / own.size)


def test_positions_are_counted_and_sorted() -> None:
    own = search_of(seven_revolutes())
    a, b = np.full(7, 0.5), np.full(7, -0.5)
    positions, times = own.counted(np.array([a, b, a + 2 * np.pi, a + 1e-7]))
    assert times == [1, 3]
    near = np.array([own.robot.frame(j).joint.position or 0.0 for j in own.joints])
    for found, expected in zip(positions, (b, a), strict=True):
        np.testing.assert_allclose(np.exp(1j * found), np.exp(1j * expected), atol=1e-12)
        assert np.abs(found - near).max() <= np.pi
    assert len(own.different(np.array([a, a]))) == 1
    assert own.counted(np.zeros((0, 7))) == ([], [])
