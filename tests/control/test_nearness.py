"""The norm of a pseudo-inverse in straight-line code, beside NumPy's, up to singular matrices."""

from __future__ import annotations

import numpy as np
import pytest

from robosym.control.nearness import nearness, nearness_of
from robosym.program.of_arrays import program_of


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (2, 3), (3, 3), (6, 6), (6, 9)])
def test_it_is_the_norm_of_the_pseudo_inverse(rows: int, columns: int) -> None:
    rng = np.random.default_rng(rows)
    program = program_of("near", {"J": (rows, columns)}, lambda J: {"mu": [nearness(J)]})
    U, V = (np.linalg.qr(rng.normal(size=(n, n)))[0] for n in (rows, columns))
    for smallest in (1.0, 0.1, 1e-2, 1e-4):
        s = np.append(rng.uniform(0.5, 2, rows - 1), smallest)
        J = U @ np.diag(s) @ V[:rows]
        expected = 1 / np.linalg.norm(np.linalg.pinv(J))
        assert program.call(J=J)["mu"][0] == pytest.approx(expected, rel=1e-6)
        assert nearness_of(J[None])[0] == pytest.approx(expected)
        assert smallest / np.sqrt(rows) * 0.999 <= expected <= s.min() * 1.001
    singular = U @ np.diag(np.append(s[:-1], 0.0)) @ V[:rows]
    assert 0 <= program.call(J=singular)["mu"][0] < 1e-6
    assert 0 <= program.call(J=np.zeros((rows, columns)))["mu"][0] < 1e-6
