"""Workspaces in cells and in space."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from plots.arms import BENT, FLAT, NONE, arm, cloud

from robosym.plots import Arm, save, workspace_figure
from robosym.plots.panels import towards_viewer

pytest.importorskip("matplotlib")


def test_three_equal_panels_in_space() -> None:
    figure = workspace_figure(cloud(), arm(BENT), "title", np.ones(500), "w")
    panels = [axes for axes in figure.axes if axes.get_xlabel()]
    assert len(panels) == 3
    assert [axes.get_ylabel() for axes in panels] == ["z (m)", "y (m)", "y (m)"]
    assert panels[0].get_aspect() == panels[1].get_aspect() == 1
    assert figure.get_suptitle() == "title"


def test_a_flat_workspace_is_one_panel() -> None:
    figure = workspace_figure(cloud(flat=True), arm(FLAT), "flat")
    labels = [(axes.get_xlabel(), axes.get_ylabel()) for axes in figure.axes if axes.get_xlabel()]
    assert labels == [("x (m)", "y (m)")]
    turned = FLAT[:, [0, 2, 1]]
    figure = workspace_figure(cloud(flat=True)[:, [0, 2, 1]], arm(turned), "flat")
    assert [axes.get_ylabel() for axes in figure.axes if axes.get_xlabel()] == ["z (m)"]


def test_cells_hold_every_point() -> None:
    """The number of samples in the hexagons of the side and top views is the number of samples."""
    figure = workspace_figure(cloud(), arm(BENT), "density")
    counts = [axes.collections[0].get_array().sum() for axes in figure.axes[:2]]
    assert counts == [500, 500]
    assert figure.axes[0].collections[0].get_clim() == figure.axes[1].collections[0].get_clim()


def test_one_point_can_be_drawn(tmp_path: Path) -> None:
    only = Arm([], NONE, NONE, np.zeros(3), np.zeros(3))
    save(workspace_figure(np.zeros((1, 3)), only, "point", np.zeros(1)), tmp_path / "p.png")
    save(workspace_figure(np.zeros((1, 3)), only, "point"), tmp_path / "p.png")


def test_values_are_means_of_the_cells() -> None:
    """Of points that all have the same value in each half, every cell is one of the two."""
    points = cloud()
    values = np.where(points[:, 1] > 0, 3.0, 1.0)
    figure = workspace_figure(points, arm(BENT), "", values, "manipulability")
    above = figure.axes[1].collections[0]
    centres = above.get_offsets()
    means = above.get_array()
    assert means.min() == 1.0
    assert means.max() == 3.0
    apart = np.abs(centres[:, 1]) > 1.0  # hexagons that do not reach over y = 0
    assert apart.sum() > 5
    np.testing.assert_array_equal(means[apart], np.where(centres[apart, 1] > 0, 3.0, 1.0))
    assert figure.axes[-1].get_ylabel() == "manipulability"


def test_the_side_view_has_the_distance_from_the_vertical_of_the_base() -> None:
    base = np.array([2.0, -1.0, 0.5])
    points = base + cloud()
    limb = base + BENT
    figure = workspace_figure(points, arm(limb), "")
    r = np.linalg.norm(points[:, :2] - base[:2], axis=1)
    x0, x1 = figure.axes[0].collections[0].get_offsets()[:, 0].min(), figure.axes[0].collections[0].get_offsets()[:, 0].max()  # fmt: skip
    cell = (r.max() - r.min()) / 5
    assert r.min() - cell <= x0 <= r.min() + cell
    assert r.max() - cell <= x1 <= r.max() + cell
    assert figure.axes[0].get_xlabel() == "r to the vertical of the base (m)"


def test_in_space_only_what_is_behind_the_base_is_seen() -> None:
    points = cloud()
    figure = workspace_figure(points, arm(BENT), "", np.arange(500.0), "")
    shown = np.array(figure.axes[2].collections[0]._offsets3d).T
    behind = points @ towards_viewer() <= 0
    assert len(shown) == behind.sum()
    np.testing.assert_allclose(shown[np.lexsort(shown.T)], points[behind][np.lexsort(points[behind].T)])


def test_a_name_with_dollars_is_a_title(tmp_path: Path) -> None:
    figure = workspace_figure(cloud(flat=True), arm(FLAT), "arm $\\frac{ of $", note="$^ joint")
    save(figure, tmp_path / "x.svg")
    assert figure.get_suptitle() == r"arm \$\frac{ of \$"
