"""Directions in which a state changes, against differences along small motions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.derivatives.manifold import free_robot, moved, slopes

import robosym
from robosym.expr import Expr, cos, evaluate, number, sin, variable
from robosym.models.derivatives import directions
from robosym.models.tree.coordinates import Block, Coordinates, coordinates


def columns_at(own: Coordinates, roots: list[Expr], q: np.ndarray) -> np.ndarray:
    found = directions.columns(roots, [own.along(place) for place in range(own.nv)])
    at = dict(zip(own.q, q, strict=True))
    return np.array([evaluate(column, at) for column in found], dtype=float).T


def test_positions_of_a_free_base_and_its_joints() -> None:
    own = coordinates(free_robot(2))
    q = np.random.default_rng(1).normal(size=own.nq)
    q[3:7] /= np.linalg.norm(q[3:7])
    roots = [sin(x) * own.q[(k + 1) % own.nq] for k, x in enumerate(own.q)]

    def at(d: np.ndarray) -> np.ndarray:
        return np.array(evaluate(roots, dict(zip(own.q, moved(q, d), strict=True))), dtype=float)

    np.testing.assert_allclose(columns_at(own, roots, q), slopes(at, own.nv), atol=1e-9)


@pytest.mark.parametrize("place", [0, 1])
def test_passive_positions_that_come_with_the_state_follow(place: int) -> None:
    x, y, follower = variable("x"), variable("y"), variable("follower")
    own = Coordinates(
        q=(x, y),
        qd=(variable("xd"), variable("yd")),
        rows=((1, ((0, 1),)), (2, ((1, 1),)), (3, ((0, number(3) * y), (1, x)))),
        positions=((1, x), (2, y), (3, follower)),
        found=(follower,),
        blocks=(Block((x,), 0, 1), Block((y,), 1, 1)),
    )
    assert own.along(place) == {(x, y)[place]: number(1), follower: (3 * y, x)[place]}
    only_first = replace(own, rows=(*own.rows[:2], (3, ((0, number(3) * y),))))
    assert (follower in only_first.along(place)) == (place == 0)


def test_columns_with_values_put_in_afterwards() -> None:
    x, y = variable("x"), variable("y")
    roots = [x * y, 7, sin(x)]
    found = directions.columns(roots, [{x: number(1)}, {}, {x: y, y: number(2)}], {x: number(0)})
    assert found == [[y, number(0), number(1)], [number(0)] * 3, [y * y, number(0), y]]
    assert directions.columns(roots, [{x: number(1)}]) == [[y, number(0), cos(x)]]


def test_what_the_description_sets_to_a_number_is_not_read() -> None:
    robot = robosym.load("planar-3r")
    frames = list(robot.frames)
    frames[1] = replace(frames[1], joint=replace(frames[1].joint, velocity=number(0.5)))
    own = coordinates(robot.replace(frames=tuple(frames)))
    assert directions.unread(own) == [1]
    assert directions.by_symbol(own.qd[0]) == {own.qd[0]: number(1)}
    matrix = [[1, 2, 3], [4, 5, 6]]
    assert directions.cleared(matrix, [1]) == [[1, 0, 3], [4, 0, 6]]
    assert directions.cleared(matrix, []) is matrix
