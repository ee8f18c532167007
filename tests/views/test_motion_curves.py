"""Arrays as JSON, and long records thinned."""

from __future__ import annotations

import json

import numpy as np

from robosym.simulation.files import plain
from robosym.views import motion_curves
from robosym.views.motion_curves import drawn, drawn_times, panel, played


def test_plain_lists() -> None:
    assert plain(np.array([[1, np.nan], [np.inf, -2.5]])) == [[1.0, None], [None, -2.5]]
    assert json.dumps(plain(np.arange(3.0))) == "[0.0, 1.0, 2.0]"
    assert drawn(np.array([123456.789012, 1e-9, np.nan])) == [123456.79, 0.0, None]
    assert drawn(np.zeros(2)) == [0.0, 0.0]
    assert drawn(np.array([-0.000123456789012])) == [-0.00012345679]


def test_panels_keep_their_peaks() -> None:
    t = np.linspace(0, 1, 50_000)
    curves = np.sin(7 * t)[:, None] * [1, 2]
    curves[31_234, 1] = 9.0
    found = panel("n", ["m"], ["a", "b"], t, curves, curves + 1)
    assert len(found["t"]) < 3 * motion_curves.MOST_DRAWN
    assert max(found["series"][1]) == 9.0
    assert np.shape(found["series"]) == np.shape(found["wanted"]) == (2, len(found["t"]))
    np.testing.assert_allclose(np.array(found["wanted"]) - np.array(found["series"]), 1, atol=1e-6)
    short = panel("n", ["m"], ["a"], t[:100], curves[:100, :1])
    assert short["t"] == t[:100].tolist()
    assert short["wanted"] is None


def test_what_is_played() -> None:
    t = np.linspace(0, 5, 9_000)
    found = played(t, t[:, None] * [1, -1])
    assert (found["t"][0], found["t"][-1]) == (0.0, 5.0)
    assert motion_curves.MOST_PLAYED - 2 <= len(found["t"]) <= motion_curves.MOST_PLAYED
    np.testing.assert_allclose(np.array(found["q"])[:, 1], -np.array(found["t"]))
    assert played(t[:3], t[:3, None])["t"] == t[:3].tolist()


def test_instants_on_both_sides_of_a_jump() -> None:
    found = drawn_times(np.array([0.0, 0.4321, 2.0]), 2.0)
    assert (np.diff(found) > 0).all()
    assert (found[0], found[-1]) == (0.0, 2.0)
    near = found[np.abs(found - 0.4321) < 1e-8]
    np.testing.assert_allclose(near, [0.4321 - 2e-9, 0.4321], rtol=0, atol=1e-12)
    assert len(drawn_times(np.linspace(0, 1, 300), 1.0)) == 501
