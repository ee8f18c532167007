"""Numbers on a grid as pictures: every cell in its place, with the colour of its value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from plots.arms import BENT, arm

from robosym.plots import area_figure, save, slices_figure

pytest.importorskip("matplotlib")

X, Y, Z = np.linspace(-1, 1, 5), np.linspace(0, 3, 4), np.linspace(-0.3, 0.3, 7)


def mesh(axes: Any) -> Any:
    return axes.collections[0]


def plane() -> np.ndarray:
    values = np.add.outer(10 * np.arange(5.0), np.arange(4.0))
    values[0, 0] = values[4, 3] = np.nan
    return values


def ball() -> np.ndarray:
    """A value wherever a point is within a ball about the middle of the grid."""
    x, y, z = np.meshgrid(X, (Y - 1.5) / 1.5, Z / 0.3, indexing="ij")
    r = np.sqrt(x**2 + y**2 + z**2)
    return np.where(r < 1.05, 1 - r / 2, np.nan)


def test_an_area_has_every_cell_in_its_place() -> None:
    figure = area_figure((X, Y), plane(), (0, 2), arm(BENT), "title", "distance", "note")
    panel = figure.axes[0]
    assert (panel.get_xlabel(), panel.get_ylabel()) == ("x (m)", "z (m)")
    assert panel.get_title(loc="left") == "in the plane xz"
    values = np.ma.filled(mesh(panel).get_array().astype(float), np.nan).reshape(4, 5)
    np.testing.assert_array_equal(values, plane().T)
    edges = mesh(panel).get_coordinates()  # shading puts the ticks in the middle of the cells
    np.testing.assert_allclose((edges[0, 1:, 0] + edges[0, :-1, 0]) / 2, X, atol=1e-12)
    np.testing.assert_allclose((edges[1:, 0, 1] + edges[:-1, 0, 1]) / 2, Y, atol=1e-12)
    assert figure.axes[-1].get_ylabel() == "distance"
    assert (figure.get_suptitle(), figure.get_supxlabel()) == ("title", "note")
    assert panel.lines  # the robot over the cells


def test_colours_begin_at_zero_and_one_large_value_does_not_spoil_them() -> None:
    values = np.ones((40, 40))
    values[3, 3] = 1e6
    figure = area_figure((np.arange(40.0), np.arange(40.0)), values, (0, 1), arm(BENT), "", "")
    assert mesh(figure.axes[0]).get_clim() == (0, 1)


@pytest.mark.parametrize("value", [0.0, 3.0])
def test_an_even_area_has_colours(value: float, tmp_path: Path) -> None:
    figure = area_figure((X, Y), np.full((5, 4), value), (0, 1), arm(BENT), "", "")
    assert mesh(figure.axes[0]).get_clim() == (0, value or 1.0)
    save(figure, tmp_path / "x.png")


def test_three_level_slices_and_an_upright_one_through_the_point() -> None:
    values = ball()
    figure = slices_figure((X, Y, Z), values, np.array([0.0, 1.9, 0.0]), arm(BENT), "", "distance")
    *level, upright, bar = figure.axes
    assert [one.get_title(loc="left") for one in level] == ["z = -0.2 m", "z = 0 m", "z = 0.2 m"]
    for panel, k in zip(level, (1, 3, 5), strict=True):
        found = np.ma.filled(mesh(panel).get_array().astype(float), np.nan).reshape(4, 5)
        np.testing.assert_array_equal(found, values[:, :, k].T)
        assert (panel.get_xlabel(), panel.get_ylabel()) == ("x (m)", "y (m)")
        assert not panel.lines
    assert upright.get_title(loc="left") == "y = 2 m"  # the nearest of the grid
    np.testing.assert_array_equal(
        np.ma.filled(mesh(upright).get_array().astype(float), np.nan).reshape(7, 5), values[:, 2, :].T
    )
    assert (upright.get_xlabel(), upright.get_ylabel()) == ("x (m)", "z (m)")
    assert upright.lines  # with the robot in it
    assert {mesh(one).get_clim() for one in (*level, upright)} == {(0.0, np.nanquantile(values, 0.995))}
    assert bar.get_ylabel() == "distance"


def test_heights_are_where_the_cells_are() -> None:
    """All cells but few stand high up, and so do the slices."""
    values = np.full((5, 4, 7), np.nan)
    values[:, :, 5:] = 1.0
    values[0, 0, 0] = 1.0
    figure = slices_figure((X, Y, Z), values, np.zeros(3), arm(BENT), "", "")
    titles = [axes.get_title(loc="left") for axes in figure.axes[:-2]]
    assert titles == ["z = 0.2 m", "z = 0.3 m"]


def test_a_single_layer_is_one_slice(tmp_path: Path) -> None:
    values = np.full((5, 4, 7), np.nan)
    values[2, 1, 3] = 0.5
    figure = slices_figure((X, Y, Z), values, np.zeros(3), arm(BENT), "$", "$")
    assert [axes.get_title(loc="left") for axes in figure.axes[:-1]] == ["z = 0 m", "y = 0 m"]
    save(figure, tmp_path / "x.svg")
