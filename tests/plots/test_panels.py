"""Views, proportions and labels that all figures share."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robosym.plots import save
from robosym.plots.canvas import new_figure, styled
from robosym.plots.panels import (
    FLAT,
    flat_direction,
    heading,
    label,
    label_space,
    onto,
    plain_text,
    towards_viewer,
)

figure = pytest.importorskip("matplotlib.figure")

CLOUD = np.random.default_rng(0).normal(size=(50, 3)) * [1.0, 2.0, 0.5]


def test_a_view_takes_the_two_axes_in_their_order() -> None:
    np.testing.assert_array_equal(onto(2, 0)(CLOUD), CLOUD[:, [2, 0]])


@pytest.mark.parametrize("axis", range(3))
def test_the_direction_in_which_nothing_extends(axis: int) -> None:
    flat = CLOUD.copy()
    flat[:, axis] = 7.0
    assert flat_direction(flat) == axis
    flat[0, axis] += 0.5 * FLAT * np.ptp(CLOUD, axis=0).max() * 0.9
    assert flat_direction(flat) == axis  # rounding is no extent
    flat[0, axis] += 1e-3
    assert flat_direction(flat) is None


def test_a_line_and_a_point_are_flat_too() -> None:
    assert flat_direction(np.zeros((1, 3))) is not None
    assert flat_direction(np.outer(np.arange(4.0), [1, 0, 0])) in (1, 2)
    assert flat_direction(np.outer(np.arange(4.0), [1, 1, 1])) is None
    assert flat_direction(CLOUD * 1e-9) is None  # however small it is


def test_a_panel_in_metres_has_equal_axes() -> None:
    axes = figure.Figure().add_subplot()
    label(axes, "seen along y", "x", "z")
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_title(loc="left")) == ("x (m)", "z (m)", "seen along y")
    assert axes.get_aspect() == 1
    assert [axes.spines[side].get_visible() for side in ("top", "right", "left")] == [False, False, True]


@pytest.mark.parametrize("points", [CLOUD, CLOUD * [1, 1, 0], CLOUD + 100.0])
def test_space_holds_all_points_at_one_scale(points: np.ndarray) -> None:
    space = figure.Figure().add_subplot(projection="3d")
    label_space(space, "in space", points)
    limits = np.array([getattr(space, f"get_{name}lim")() for name in "xyz"])
    assert (limits[:, 0] <= points.min(axis=0)).all()
    assert (limits[:, 1] >= points.max(axis=0)).all()
    aspect = np.array(space._box_aspect)
    np.testing.assert_allclose(np.diff(limits, axis=1)[:, 0] / aspect, np.diff(limits[0])[0] / aspect[0])
    assert [space.get_xlabel(), space.get_ylabel(), space.get_zlabel()] == ["x (m)", "y (m)", "z (m)"]


def test_the_eye_is_where_the_half_in_front_is_taken_away() -> None:
    """The horizontal part of the direction in which matplotlib looks."""
    space = figure.Figure().add_subplot(projection="3d")
    label_space(space, "", CLOUD)
    turn, rise = np.radians([space.azim, space.elev])
    eye = np.array([np.cos(turn) * np.cos(rise), np.sin(turn) * np.cos(rise), np.sin(rise)])
    np.testing.assert_allclose(towards_viewer(), [*eye[:2] / np.cos(rise), 0])
    assert np.linalg.norm(towards_viewer()) == pytest.approx(1)


def test_text_stands_as_it_is(tmp_path: Path) -> None:
    """A title that would be a broken formula is drawn, and so are its note and an empty one."""
    assert plain_text("a $x_1$ b") == r"a \$x_1\$ b"
    assert plain_text("a\nb\x00\u2028c") == "a b  c"
    assert plain_text("µ é 漢") == "µ é 漢"
    with styled():
        made = new_figure(3, 2)
        heading(made, "$\\frac{$", "note $^$")
    assert (made.get_suptitle(), made.get_supxlabel()) == (r"\$\frac{\$", r"note \$^\$")
    save(made, tmp_path / "x.svg")
    bare = figure.Figure()
    heading(bare, "title")
    assert bare.get_supxlabel() == ""
