"""Ellipsoids at the tip of an arm."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from plots.arms import BENT, FLAT, arm
from scipy.spatial.transform import Rotation
from sweeps import crossed

from robosym.plots import Shape, ellipsoids_figure, save
from robosym.plots.ellipsoids import ENDLESS, SHARE, _outline
from robosym.plots.panels import onto

pytest.importorskip("matplotlib")


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


@pytest.mark.parametrize("size", [1.0, 3.0])
def test_the_longest_finite_axis_is_a_part_of_the_arm(size: float) -> None:
    """And an endless one leaves the panel, whatever the others are."""
    axes = Rotation.from_euler("xyz", [0.3, -0.5, 0.9]).as_matrix()
    drawn = Shape(axes, np.array([4.0, 1.0, 0.0]), "", "C0").drawn(size)
    np.testing.assert_allclose(np.linalg.norm(drawn, axis=0), size * SHARE * np.array([1, 0.25, 0]), atol=1e-15)
    np.testing.assert_allclose(drawn[:, 0] / np.linalg.norm(drawn[:, 0]), axes[:, 0])
    endless = Shape(axes, np.array([np.inf, 2.0, 1.0]), "", "C0").drawn(size)
    np.testing.assert_allclose(np.linalg.norm(endless, axis=0), size * np.array([ENDLESS, SHARE, SHARE / 2]))
    assert (Shape(axes, np.zeros(3), "", "C0").drawn(size) == 0).all()


def test_the_outline_is_the_edge_of_the_projected_points() -> None:
    """Of any ellipsoid: no point of its surface is seen outside, and the outline is reached in every direction."""
    rng = np.random.default_rng(3)
    A = rng.normal(size=(3, 3))
    edge = _outline(A, onto(0, 2))
    sphere = rng.normal(size=(20_000, 3))
    seen = (sphere / np.linalg.norm(sphere, axis=1)[:, None] @ A.T)[:, [0, 2]]
    for angle in np.linspace(0, np.pi, 7):
        way = np.array([np.cos(angle), np.sin(angle)])
        assert (seen @ way).max() <= (edge @ way).max() * (1 + 1e-3)
        assert (seen @ way).max() >= (edge @ way).max() * 0.99
        assert (edge @ way).max() == pytest.approx(np.linalg.norm(A[[0, 2]].T @ way), rel=1e-3)


def test_a_flat_arm_is_seen_from_above_its_plane() -> None:
    shape = Shape(np.eye(3), np.ones(3), "force $x$", "C1")
    for order, labels in (([0, 1, 2], ("x (m)", "y (m)")), ([0, 2, 1], ("x (m)", "z (m)")), ([2, 0, 1], ("y (m)", "z (m)"))):  # fmt: skip
        figure = ellipsoids_figure([shape], arm(FLAT[:, order]), "title")
        (panel,) = figure.axes
        assert (panel.get_xlabel(), panel.get_ylabel()) == labels
    assert figure.legends[0].get_texts()[0].get_text() == r"force \$x\$"
