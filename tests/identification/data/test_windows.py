"""Pieces with margins: the cores put together are the recording, however it comes in."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from robosym.identification.data.even_times import Even
from robosym.identification.data.windows import Plan, windows


@pytest.mark.parametrize("sizes", [[100], [7] * 15, [1] * 100, [60, 3, 40], [0, 5, 95], []])
@pytest.mark.parametrize("trim", [0, 3])
def test_cores_are_the_recording(sizes: list[int], trim: int) -> None:
    n, margin, chunk = sum(sizes), 6, 20
    rows, bad = np.arange(2.0 * n).reshape(n, 2), np.arange(n) % 5 == 0
    ends = np.cumsum([0, *sizes])
    pieces = (Even(rows[a:b], bad[a:b]) for a, b in pairwise(ends))
    found = list(windows(pieces, Plan(None, margin, chunk, trim, 2)))
    if not n:
        assert found == []
        return
    cores = np.concatenate([one.rows[one.core] for one in found])
    np.testing.assert_array_equal(cores, rows[trim : n - trim])
    np.testing.assert_array_equal(np.concatenate([one.bad[one.core] for one in found]), bad[trim : n - trim])
    assert [one.is_first for one in found] == [True] + [False] * (len(found) - 1)
    assert [one.is_last for one in found] == [False] * (len(found) - 1) + [True]
    for k, one in enumerate(found):
        np.testing.assert_array_equal(one.rows, rows[one.first : one.first + len(one.rows)])
        if k:
            assert one.core.start >= margin
        if not one.is_last:
            assert one.core.stop - one.core.start == chunk - (trim if not k else 0)
            assert len(one.rows) - one.core.stop == margin
