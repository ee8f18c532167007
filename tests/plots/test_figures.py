"""Figures from plain arrays: what stands in them, their files, and no trace of robotics."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest
from sweeps import crossed

import robosym.plots
from robosym import RobosymError
from robosym.plots import FORMATS, Arm, Shape, ellipsoids_figure, picture_format, save, workspace_figure

pytest.importorskip("matplotlib")

BENT = np.array([[0.0, 0, 0], [0.5, 0, 0], [0.5, 0.2, 0.3]])
FLAT = np.array([[0.0, 0, 0], [0.5, 0, 0], [0.5, 0.2, 0]])
NONE = np.empty((0, 3))


def arm(limb: np.ndarray) -> Arm:
    return Arm([limb], limb[:1], limb[1:2], limb[-1], limb[0])


def cloud(flat: bool = False) -> np.ndarray:
    points = np.random.default_rng(0).normal(size=(500, 3))
    points[:, 2] *= not flat
    return points


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


def test_an_ellipsoid_is_drawn_with_its_projection() -> None:
    """A shape of semi-axes 2, 1, 1 about a turned axis: its outline has the extent sqrt(diag(A A^T))."""
    c, s = np.cos(0.4), np.sin(0.4)
    axes = np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])
    shape = Shape(axes, np.array([2.0, 1.0, 1.0]), "velocity", "C0")
    figure = ellipsoids_figure([shape], arm(BENT), "title", "note")
    line = next(l for l in figure.axes[0].lines if l.get_label() == "velocity")
    x, z = line.get_data()
    extent = np.sqrt(np.diag((axes * [4, 1, 1]) @ axes.T))
    assert np.ptp(x) / np.ptp(z) == pytest.approx(extent[0] / extent[2], rel=1e-3)
    assert (x.min() + x.max()) / 2 == pytest.approx(0.5, abs=1e-3)


STRANGE = [[1.0, 0, np.inf], [0, 0, 0], [np.inf] * 3, [1.0, 0.5, 0.2]]


@pytest.mark.parametrize(("radii", "limb"), crossed(STRANGE, [BENT, FLAT, np.zeros((2, 3))], every=3))
def test_no_ellipsoid_is_too_strange_to_draw(radii: list[float], limb: np.ndarray, tmp_path: Path) -> None:
    shape = Shape(np.eye(3), np.array(radii), "force", "C1")
    save(ellipsoids_figure([shape], arm(limb), "strange"), tmp_path / "e.svg")
    assert (tmp_path / "e.svg").stat().st_size > 1000


def test_one_point_can_be_drawn(tmp_path: Path) -> None:
    only = Arm([], NONE, NONE, np.zeros(3), np.zeros(3))
    save(workspace_figure(np.zeros((1, 3)), only, "point", np.zeros(1)), tmp_path / "p.png")
    save(workspace_figure(np.zeros((1, 3)), only, "point"), tmp_path / "p.png")


STARTS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("kind", FORMATS)
def test_files_are_whole_and_the_same_each_time(kind: str, tmp_path: Path) -> None:
    first, second = tmp_path / f"a.{kind}", tmp_path / f"b.{kind.upper()}"
    for path in (first, second):
        save(workspace_figure(cloud(), arm(BENT), "title"), path)
    assert first.read_bytes().startswith(STARTS[kind])
    assert first.read_bytes() == second.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {first.name, second.name}


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    figure = workspace_figure(cloud(), arm(BENT), "title")
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(RobosymError, match="expected a file, this is a folder"):
        save(figure, tmp_path / "folder.png")
    with pytest.raises(RobosymError, match="cannot be written"):
        save(figure, tmp_path / "missing" / "x.png")
    for name in ("x.gif", "x", "png"):
        with pytest.raises(RobosymError, match=r"one of \.png, \.svg, \.pdf"):
            picture_format(name)


def test_plots_know_nothing_of_robots() -> None:
    """Of ours, the package imports the errors and itself alone; matplotlib only inside functions."""
    for file in Path(robosym.plots.__file__).parent.glob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.level >= 2:
                assert node.module in ("errors", "brief", "files"), f"{file.name}: {node.module}"
        for node in tree.body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                assert "matplotlib" not in ast.unparse(node), file.name
