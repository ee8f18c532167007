"""Samples in parts."""

from __future__ import annotations

import numpy as np

from robosym.identification.data.samples import Samples, joined


def test_parts_joined_are_the_whole() -> None:
    rng = np.random.default_rng(0)
    whole = Samples(np.arange(9.0), *rng.normal(size=(4, 9, 2)), rng.random((9, 2)) > 0.5)
    parts = [whole.part(slice(0, 4)), whole.part(slice(4, 5)), whole.part(slice(5, None))]
    assert [len(part) for part in parts] == [4, 1, 4]
    again = joined(parts)
    for name in ("time", "q", "qd", "qdd", "tau", "keep"):
        np.testing.assert_array_equal(getattr(again, name), getattr(whole, name))
        np.testing.assert_array_equal(getattr(parts[1], name), getattr(whole, name)[4:5])
