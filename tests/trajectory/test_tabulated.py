"""A trajectory as a routine with tables: the same in Python, compiled and in C, between, at and beyond its pieces."""

from __future__ import annotations

import numpy as np
import pytest

from robosym import codegen, runtime
from robosym.trajectory import Path, Trajectory, point_to_point, routine, tables, through

POINTS = np.random.default_rng(3).uniform(-1, 1, (90, 2))
MOVES = {
    "one piece": point_to_point([0.0], [1.0], "quintic", duration=2.0),
    "two pieces": point_to_point([0.0, 1.0], [1.0, -1.0], "bang-bang", duration=1.0),
    "three pieces": point_to_point([0.0, 0.5], [1.0, 0.2], "trapeze", velocity=1, acceleration=2),
    "89 pieces": through(POINTS, np.arange(90) / 10),
    "a piece without length": Trajectory(
        ("a",), np.array([0.0, 1.0, 1.0, 2.0]), np.array([[[0.0], [1.0]], [[1.0], [5.0]], [[1.0], [-1.0]]])
    ),
}


@pytest.mark.parametrize("name", MOVES)
def test_equals_the_object(name: str) -> None:
    """At all times between pieces, just beside them, in the middle and beyond the ends."""
    move = MOVES[name]
    edges = move.times
    t = np.unique(np.concatenate([edges, edges - 1e-9, edges + 1e-9, (edges[1:] + edges[:-1]) / 2, [-1.0, 1e3]]))
    made = runtime.compile_program(routine(move))(t=t, **tables(move))
    for word, expected in zip(("q", "qd", "qdd"), move(t), strict=True):
        np.testing.assert_allclose(made[word], expected, atol=1e-12 * (1 + np.abs(expected).max()))


def test_other_data_for_the_same_function() -> None:
    """The code holds no number of the motion: source text is the same for another one of as many pieces."""
    moves = [point_to_point([0.0], [x], "trapeze", velocity=1, acceleration=2) for x in (1.0, 3.0)]
    assert codegen.source(routine(moves[0]), "c") == codegen.source(routine(moves[1]), "c")
    f = runtime.compile_program(routine(moves[0]))
    np.testing.assert_allclose(f(t=0.7, **tables(moves[1]))["q"], moves[1](0.7)[0], atol=1e-14)


@pytest.mark.parametrize(
    "language", ["c", "cpp", "fortran", "javascript", "julia", "matlab", "numpy", "python", "rust"]
)
def test_every_language_with_loops_prints_it(language: str) -> None:
    move = MOVES["89 pieces"]
    assert "coefficients" in codegen.source(routine(move), language)


def test_a_path_of_many_places() -> None:
    import robosym

    robot = robosym.load("ur5")
    path = Path.spline([[0.0] * 6, [0.3] * 6, [0.5, 0.1, 0.2, 0.3, 0.1, 0.0]])
    fast = robosym.trajectory.fastest(robot, path, velocity=1.0, acceleration=3.0, steps=200)
    t = np.linspace(0, fast.duration, 57)
    made = runtime.compile_program(routine(fast))(t=t, **tables(fast))
    np.testing.assert_allclose(made["q"], fast(t)[0], atol=1e-12)
    nan = runtime.compile_program(routine(fast))(t=np.nan, **tables(fast))
    assert not np.isfinite(nan["q"]).any()
