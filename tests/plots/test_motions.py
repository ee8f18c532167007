"""The picture of a motion: the curves of each joint in three panels, and names that stand as they are."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robosym.plots import save
from robosym.plots.motions import MOST_NAMED, ROWS, motion_figure

pytest.importorskip("matplotlib")

T = np.linspace(0.5, 2.5, 41)


def motion(joints: int, time: np.ndarray = T) -> list[np.ndarray]:
    k = np.arange(1, joints + 1)
    phase = np.outer(time, k)
    return [np.sin(phase), k * np.cos(phase), -(k**2) * np.sin(phase)]


def names(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.legends[0].get_texts()]


def test_each_panel_has_the_curves_of_all_joints() -> None:
    values = motion(3)
    figure = motion_figure(T, values, ["a", "b", "c"], "a motion")
    assert [axes.get_ylabel() for axes in figure.axes] == list(ROWS)
    assert [axes.get_xlabel() for axes in figure.axes] == ["", "", "t (s)"]
    for axes, rows in zip(figure.axes, values, strict=True):
        assert axes.get_xlim() == (0.5, 2.5)
        for line, curve in zip(axes.lines, rows.T, strict=True):
            np.testing.assert_array_equal(line.get_xdata(), T)
            np.testing.assert_array_equal(line.get_ydata(), curve)
    assert names(figure) == ["a", "b", "c"]
    assert figure.get_suptitle() == "a motion"
    legend = [line.get_color() for line in figure.legends[0].get_lines()]
    assert legend == [line.get_color() for line in figure.axes[2].lines]
    assert len(set(legend)) == 3


def test_of_many_joints_the_first_are_named() -> None:
    figure = motion_figure(T, motion(25), [f"j{k}" for k in range(25)], "many")
    assert names(figure) == [f"j{k}" for k in range(MOST_NAMED)]
    assert all(len(axes.lines) == 25 for axes in figure.axes)


def test_names_of_joints_are_no_formulas_and_none_is_left_out(tmp_path: Path) -> None:
    joints = ["$x_1$", "\\frac{$", "_hidden", "two\nlines"]
    figure = motion_figure(T, motion(4), joints, "arm $\\bad{ of $")
    save(figure, tmp_path / "x.svg")
    assert names(figure) == [r"\$x_1\$", r"\frac{\$", "_hidden", "two lines"]
    assert figure.get_suptitle() == r"arm \$\bad{ of \$"


def test_a_motion_of_one_instant_is_drawn_without_a_word(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save(motion_figure(np.zeros(1), motion(2, np.zeros(1)), ["a", "b"], "still"), tmp_path / "x.png")


def test_values_and_panels_are_as_many() -> None:
    with pytest.raises(ValueError, match="zip"):
        motion_figure(T, motion(2)[:2], ["a", "b"], "two rows")
