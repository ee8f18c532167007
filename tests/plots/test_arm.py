"""An arm as lines and dots: its corners, seams and joints, in views of two and of three dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from plots.arms import BENT, NONE, arm

from robosym.plots import Arm
from robosym.plots.arm import ACCENT, BODY, PIECES, draw_arm
from robosym.plots.canvas import INK
from robosym.plots.panels import onto

figure = pytest.importorskip("matplotlib.figure")


def drawn(given: Arm, view: Any = None, size: float = 1.0) -> list[Any]:
    axes = figure.Figure().add_subplot()
    draw_arm(axes, given, view or onto(0, 2), size)
    return list(axes.lines)


def data(line: Any) -> np.ndarray:
    return np.column_stack(line.get_data())


def test_a_limb_is_its_seam_and_its_body_through_all_corners() -> None:
    seam, body, *_ = drawn(arm(BENT))
    assert (seam.get_color(), body.get_color()) == ("white", BODY)
    assert seam.get_linewidth() > body.get_linewidth()
    assert seam.get_zorder() < 6
    np.testing.assert_array_equal(data(seam), data(body))
    assert len(data(body)) == 2 * PIECES + 1
    np.testing.assert_allclose(data(body)[::PIECES], BENT[:, [0, 2]])
    np.testing.assert_allclose(np.diff(data(body), n=2, axis=0)[: PIECES - 2], 0, atol=1e-15)  # even, on the line


def test_straight_limbs_are_curves_where_the_view_is_one() -> None:
    """Distance from the vertical and height: each piece has its own place."""

    def radial(points: np.ndarray) -> np.ndarray:
        return np.stack([np.hypot(points[:, 0], points[:, 1]), points[:, 2]], axis=1)

    limb = np.array([[1.0, -1.0, 0.0], [1.0, 1.0, 0.0]])
    r = data(drawn(Arm([limb], NONE, NONE, limb[1], limb[0]), radial)[0])[:, 0]
    assert r.min() == pytest.approx(1.0)
    assert r[[0, -1]] == pytest.approx(2**0.5)


def test_joints_base_and_tip_have_marks_of_their_own() -> None:
    turns, slides = np.array([[0.0, 0, 1]]), np.array([[1.0, 0, 0], [2.0, 0, 0]])
    lines = drawn(Arm([BENT], turns, slides, BENT[-1], BENT[0]))
    marks = [(line.get_marker(), data(line).tolist()) for line in lines[2:]]
    assert marks == [("o", [[0, 1]]), ("s", [[1, 0], [2, 0]]), ("s", [[0, 0]]), ("o", [[0.5, 0.3]])]
    assert [line.get_color() for line in lines[-2:]] == [INK, ACCENT]
    assert lines[-1].get_zorder() == max(line.get_zorder() for line in lines)


def test_joints_that_there_are_not_leave_nothing() -> None:
    lines = drawn(Arm([], NONE, NONE, np.zeros(3), np.zeros(3)))
    assert [line.get_marker() for line in lines] == ["s", "o"]  # base and tip


def test_limbs_that_do_not_lead_to_the_tip_are_under_the_others() -> None:
    other = np.array([[0.0, 0, 0], [0.0, 0, -1.0]])
    first, *lines = drawn(Arm([BENT], NONE, NONE, BENT[-1], BENT[0], [other]))
    assert first.get_zorder() < min(line.get_zorder() for line in lines)
    np.testing.assert_allclose(data(first)[[0, -1]], [[0, 0], [0, -1]])
    assert first.get_color() not in ("white", BODY)


def test_a_limb_of_one_point_is_drawn() -> None:
    seam, *_ = drawn(Arm([BENT[:1]], NONE, NONE, BENT[0], BENT[0]))
    np.testing.assert_array_equal(data(seam), [[0, 0]])


def test_a_smaller_arm_has_thinner_lines() -> None:
    for small, large in zip(drawn(arm(BENT), size=0.5), drawn(arm(BENT)), strict=True):
        if small.get_linestyle() != "None":
            assert small.get_linewidth() == large.get_linewidth() / 2


def test_an_arm_in_space_is_in_its_place() -> None:
    space = figure.Figure().add_subplot(projection="3d")
    draw_arm(space, arm(BENT), lambda points: points)
    np.testing.assert_allclose(np.array(space.lines[0].get_data_3d()).T[::PIECES], BENT)
    np.testing.assert_allclose(np.array(space.lines[-1].get_data_3d()).T, BENT[-1:])


def test_an_arm_at_a_prompt_is_one_line() -> None:
    assert "\n" not in repr(arm(BENT))
    assert repr(arm(BENT)).startswith("<Arm ")
