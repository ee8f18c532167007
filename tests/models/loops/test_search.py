"""The search for closed positions in numbers, against what is known of the linkages."""

from __future__ import annotations

import numpy as np
import pytest
from models.loops.iterated_linkages import seven_revolutes, sliding_ring

import robosym
from robosym import models
from robosym.models.loops.search import Search, numbers_for
from robosym.models.loops.structure import passive
from robosym.robot import Robot

REFERENCES = [
    (seven_revolutes, [0.4, -0.7, 0.9, 0.5, -1.1, 0.8, 0.3]),
    (sliding_ring, [0.2, -0.5, 0.8, 0.35, -0.9, 0.7, 0.4]),
]


def search_of(robot: Robot) -> Search:
    return Search(robot, numbers_for(robot, np.random.default_rng(0))[0])


@pytest.mark.parametrize(("make", "x"), REFERENCES)
def test_the_position_it_was_made_at_is_closed(make, x) -> None:
    search = search_of(make())
    assert search.apart(np.array([x]))[0] < 1e-14
    near = np.array([x]) + np.random.default_rng(1).uniform(-0.02, 0.02, (5, 7))
    near[:, 0] = x[0]
    found = search.closed(near, search.joints[1:])
    assert len(found) == 5
    np.testing.assert_allclose(found, np.repeat([x], 5, axis=0), atol=1e-9)


@pytest.mark.parametrize(("make", "x"), REFERENCES)
def test_twists_are_the_derivatives_of_what_is_left(make, x) -> None:
    search = search_of(make())
    h, here = 1e-6, np.array([x])
    W = search.around(here)[1][0]
    for k in range(7):
        step = np.zeros((1, 7))
        step[0, k] = h * search.units[k]
        slope = (search.around(here + step)[0] - search.around(here - step)[0])[0] / (2 * h)
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
