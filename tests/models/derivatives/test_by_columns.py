"""Systems solved column by column in loops, against NumPy on the whole matrices."""

from __future__ import annotations

import numpy as np
import pytest
from models.derivatives.test_solving import random_system

from robosym.expr import expr, number, substitute, variable
from robosym.models.derivatives.by_columns import branches, packed, right_hand_sides, routine
from robosym.models.derivatives.solving import Factors
from robosym.program import Array, Graph


def sides(A: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Two right-hand sides with the zeros of A, and one column that is nothing at all."""
    b = rng.normal(size=(len(A), 2 * len(A))) * np.hstack([A != 0, A != 0])
    b[:, -1] = 0
    return b


@pytest.mark.parametrize("free", [False, True])
def test_the_factors_as_one_array(free: bool) -> None:
    rng = np.random.default_rng(1)
    A, _, factors = random_system(rng, 6, free)
    own = packed(factors)
    assert len(own.given) == len(own.array.entries) == len(set(own.array.entries))
    b = rng.normal(size=len(A))
    x = [expr(value) for value in own.factors.solved([float(v) for v in b])]
    values = dict(zip(own.array.entries, own.given, strict=True))
    found = [float(value.value) for value in substitute(x, values)]
    np.testing.assert_allclose(found, np.linalg.solve(A, b), atol=1e-10)


def test_branches_have_the_columns_with_the_same_zeros() -> None:
    """Joints 1-2 and 3-4 are two branches of a fixed base; columns of zeros are in none."""
    factors = Factors({0: {}, 1: {0: 1.0}, 2: {}, 3: {2: 1.0}}, [1.0] * 4, 0, [[], [], [], []])
    b = [[1, 2, 0, 0, 3, 4, 0, 0], [5, 6, 0, 0, 7, 8, 0, 0], [0, 0, 1, 2, 0, 0, 0, 0], [0, 0, 3, 4, 0, 0, 0, 0]]
    found = branches(factors, b)
    assert [(one.columns, one.rows) for one in found] == [((0, 1, 4, 5), (0, 1)), ((2, 3), (2, 3))]
    assert len({one.solved for one in found}) == 2
    arrays = right_hand_sides(found, b)
    assert [array.shape for array in arrays] == [(4, 2), (2, 2)]
    assert arrays[0].entries == tuple(map(number, (1, 5, 2, 6, 3, 7, 4, 8)))


@pytest.mark.parametrize("free", [False, True])
def test_the_whole_routine(free: bool) -> None:
    rng = np.random.default_rng(2)
    A, _, factors = random_system(rng, 4, free)
    b, n, scale = sides(A, rng), len(A), variable("scale")
    given = Graph("systems", (Array("s", (1,), (scale,)),), (Array("same", (1,), (scale,)),), {})
    rows = [[scale * float(x) if x else 0 for x in row] for row in b]
    made = routine(given, factors, rows, "inverse", ("left", "right"))
    found = made.call(s=[2.0])
    np.testing.assert_allclose(found["inverse"], np.linalg.inv(A), atol=1e-10)
    np.testing.assert_allclose(np.hstack([found["left"], found["right"]]), np.linalg.solve(A, 2 * b), atol=1e-10)
    assert found["same"] == 2
    assert found["left"].shape == (n, n)
