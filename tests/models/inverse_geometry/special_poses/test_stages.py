"""The search at a special pose: its neighbours, what is collected, and that it finds what the equations lost."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from random_poses import random_pose

import robosym
from robosym.models.inverse_geometry.chain.random_positions import forward, samples
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.special_poses.iteration import Iteration
from robosym.models.inverse_geometry.special_poses.stages import (
    FAR,
    MORE_NEIGHBOURS,
    NEIGHBOURS,
    SAME,
    _moved,
    begun,
    candidate,
    neighbours,
    solution,
    special_stages,
)
from robosym.program.of_arrays import program_of
from robosym.program.routine import Routine, Run, Slot
from robosym.robot import Robot
from robosym.runtime import compile_program


@pytest.mark.parametrize(("joints", "count"), [(6, NEIGHBOURS), (5, MORE_NEIGHBOURS), (3, MORE_NEIGHBOURS)])
def test_neighbours_lie_at_all_distances(joints: int, count: int) -> None:
    found = neighbours(joints)
    assert found.shape == (1 + count * len(FAR), 6)
    assert not found[0].any()
    sizes = np.abs(found[1:]).max(axis=1).reshape(len(FAR), count)
    for distance, size in zip(FAR, sizes, strict=True):
        assert (size <= distance).all()
        assert (size > distance / 3).all()
    assert len(np.unique(found, axis=0)) == len(found)


def test_a_neighbour_is_turned_about_its_own_place_and_shifted() -> None:
    rng = np.random.default_rng(1)
    T = random_pose(rng)
    twist = rng.normal(size=6)
    Y = _moved().call(T=T, size=np.array(2.5), twist=twist)["Y"]
    np.testing.assert_allclose(Y[:3, :3], T[:3, :3] + np.cross(twist[:3], T[:3, :3].T).T, atol=1e-14)
    np.testing.assert_allclose(Y[:3, 3], T[:3, 3] + 2.5 * twist[3:], atol=1e-14)
    np.testing.assert_array_equal(Y[3], [0, 0, 0, 1])


def test_what_is_collected() -> None:
    chain = chain_for(robosym.load("scara"))
    made = solution(chain, "q", "ok")
    assert made.turns == (True, True, True, False)
    assert made.within == tuple(SAME * unit for unit in chain.units)
    wider = solution(chain, "rows", "there", 1e-3)
    assert wider.within == tuple(1e-3 * unit for unit in chain.units)
    assert (made.into, made.count, candidate("q", "ok").into, candidate("q", "ok").count) == (
        "solutions",
        "count",
        "candidates",
        "candidate_count",
    )
    fills = {one.array: one.shape for one in begun(8, 4)}
    assert fills == {"solutions": (8, 4), "count": (), "moving": ()}


@cache
def search() -> tuple[Robot, Any]:
    """The search alone: the candidates are three fixed positions, whatever the pose."""
    robot = robosym.load("planar-3r")
    chain = chain_for(robot)
    iteration = Iteration(chain, "pose")
    starts = np.array([[0.3, 0.5, 0.2], [0.3, -0.5, 0.2], [-0.4, 2.0, 0.1]])
    given = Run(program_of("starts", {}, lambda: {"rows": starts, "there": np.ones(3)}))
    stages = (*begun(8, 3), Run(iteration.measures), *special_stages(iteration, (given, candidate("rows", "there")), 3))
    inputs = (Slot("T", (4, 4)), Slot("seed", (3,)), Slot("seeded", ()), Slot("limits", (2, 3)))
    outputs = (Slot("solutions", (8, 3)), Slot("count", ()), Slot("moving", ()))
    routine = Routine("search", inputs, outputs, stages)
    used = {symbol.name for symbol in routine.parameter_symbols}
    return robot, compile_program(routine, values={k: v.number for k, v in robot.values.items() if k in used})


def found(q: list[float], seed: list[float] | None = None) -> tuple[np.ndarray, np.ndarray, bool]:
    robot, solve = search()
    chain = chain_for(robot)
    T = forward(chain, samples(chain, 1)[0].numbers, q)
    limits = np.array([[-np.inf] * 3, [np.inf] * 3])
    out = solve(T=T, seed=np.array(seed or [0.0] * 3), seeded=float(seed is not None), limits=limits)
    return T, out["solutions"][: int(out["count"])], bool(out["moving"])


def test_both_elbows_once_each() -> None:
    """Nine times ten candidates lead to two solutions."""
    q = [0.4, 0.9, -0.3]
    robot, _ = search()
    chain = chain_for(robot)
    T, rows, moving = found(q)
    assert not moving
    assert len(rows) == 2
    numbers = samples(chain, 1)[0].numbers
    for row in rows:
        np.testing.assert_allclose(forward(chain, numbers, row.tolist()), T, atol=1e-9)
    assert np.abs(rows - q).max(axis=1).min() < 1e-9
    assert np.abs(rows[0] - rows[1]).max() > 0.1


def test_a_stretched_arm_has_one_solution_where_two_meet() -> None:
    _, rows, moving = found([0.4, 0.0, -0.3])
    assert not moving
    assert len(rows) == 1
    np.testing.assert_allclose(rows[0], [0.4, 0.0, -0.3], atol=1e-6)


def test_a_seed_that_makes_the_pose_is_a_solution_as_it_is() -> None:
    q = [2.9, -0.9, 1.3]
    _, rows, _ = found(q, seed=q)
    np.testing.assert_array_equal(rows[0], q)
    assert len(rows) == 2
