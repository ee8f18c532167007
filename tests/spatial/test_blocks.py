"""Block triangular form: zeros below the blocks, blocks that cannot be split, and the determinant as their product."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robosym.expr import number, variable
from robosym.spatial.blocks import Block, SingularPatternError, blocks, permutation_sign, sign

SIZES = st.integers(1, 6)
SEEDS = st.integers(0, 2**32 - 1)


def sparse(seed: int, n: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, n)) * (rng.random((n, n)) < rng.uniform(0.2, 0.9))


def found_in(matrix: np.ndarray) -> list[Block] | None:
    try:
        return blocks(matrix.tolist())
    except SingularPatternError:
        return None


@given(SEEDS, SIZES)
def test_rows_hold_zeros_in_the_columns_of_the_blocks_before(seed: int, n: int) -> None:
    matrix = sparse(seed, n)
    found = found_in(matrix) or []
    for k, block in enumerate(found):
        for earlier in found[:k]:
            assert not matrix[np.ix_(block.rows, earlier.columns)].any()
    if found:
        assert sorted(i for block in found for i in block.rows) == list(range(n))
        assert sorted(j for block in found for j in block.columns) == list(range(n))


@given(SEEDS, SIZES)
def test_the_determinant_is_the_product_of_the_blocks(seed: int, n: int) -> None:
    matrix = sparse(seed, n)
    found = found_in(matrix)
    expected = np.linalg.det(matrix)
    if found is None:
        assert abs(expected) < 1e-12
        return
    own = [np.linalg.det(np.array(block.of(matrix.tolist()))) for block in found]
    assert permutation_sign(found) * np.prod(own) == pytest.approx(expected, abs=1e-10)


@given(SEEDS, SIZES)
def test_a_pattern_is_singular_only_if_no_product_is_left(seed: int, n: int) -> None:
    filled = sparse(seed, n) != 0
    some = any(all(filled[i, j] for i, j in enumerate(order)) for order in permutations(range(n)))
    assert (found_in(filled.astype(float)) is not None) == some


@given(SEEDS, st.lists(st.integers(1, 3), min_size=1, max_size=4))
def test_full_blocks_are_found_however_they_are_shuffled(seed: int, sizes: list[int]) -> None:
    """A block triangular matrix with full blocks, rows and columns in any order: the sizes come back."""
    rng = np.random.default_rng(seed)
    n = sum(sizes)
    matrix = rng.uniform(1, 2, size=(n, n))
    start = 0
    for size in sizes:
        matrix[start + size :, start : start + size] = 0
        start += size
    shuffled = matrix[rng.permutation(n)][:, rng.permutation(n)]
    assert [len(block.rows) for block in blocks(shuffled.tolist())] == sizes


def test_known_zeros_of_expressions_count() -> None:
    x = variable("x")
    found = blocks([[x - x, x], [x + 1, number(0)]])
    assert [len(block.rows) for block in found] == [1, 1]


def test_a_zero_column_is_refused_by_its_number() -> None:
    with pytest.raises(SingularPatternError, match="column 2"):
        blocks([[1, 0], [1, 0]])


@given(st.permutations(range(6)))
def test_the_sign_is_the_determinant_of_the_permutation(order: list[int]) -> None:
    assert sign(order) == round(np.linalg.det(np.eye(6)[order]))
