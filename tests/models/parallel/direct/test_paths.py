"""The paths from the solutions of one system to those of another."""

from __future__ import annotations

import numpy as np

from robosym.models.parallel.direct.family import start, system
from robosym.models.parallel.direct.paths import follow, refined


def test_a_closed_way_permutes_the_solutions() -> None:
    """Around a loop in the family each solution leads to one of the forty, and no two to the same."""
    rng = np.random.default_rng(3)
    first, z = start()
    there = system(rng.normal(size=(6, 17)) + 1j * rng.normal(size=(6, 17)))
    back = np.concatenate([first[:6] * np.exp(2j), first[6:]])
    out = follow(first, there, refined(first, z)[0], 1e-7)
    home = follow(there, back, out.z, 1e-7)
    assert out.reached.all()
    assert home.reached.all()
    same = np.abs(home.z.conj() @ refined(first, z)[0].T) > 1 - 1e-9
    assert (same.sum(axis=0) == 1).all()
    assert (same.sum(axis=1) == 1).all()
    assert not np.array_equal(same, np.eye(40, dtype=bool))
