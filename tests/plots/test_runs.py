"""Curves in panels and sweeps: what stands in the figures, from plain arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robosym.plots import save
from robosym.plots.runs import Curve, Panel, Scale, Series, curves_figure, sweep_figure

pytest.importorskip("matplotlib")

T = np.linspace(0, 2, 101)


def shown(figure: Any) -> list[Any]:
    return [axes for axes in figure.axes if axes.get_visible()]


def test_panels_fill_rows_and_the_last_of_each_column_has_the_time() -> None:
    panels = [Panel("q (rad)", [Curve(np.sin(T) + k, "q")], f"joint {k}") for k in range(5)]
    axes = shown(curves_figure(T, panels, "title", columns=2))
    assert [one.get_title(loc="left") for one in axes] == [f"joint {k}" for k in range(5)]
    assert [one.get_xlabel() for one in axes] == ["", "", "", "t (s)", "t (s)"]
    assert axes[0].get_xlim() == (0, 2)


def test_limits_are_shown_where_they_are_near() -> None:
    panel = Panel("q", [Curve(np.sin(np.pi * T))], limits=(-100.0, 1.2, np.inf))
    (axes,) = shown(curves_figure(T, [panel], "title"))
    assert [line.get_ydata()[0] for line in axes.lines[1:]] == [1.2]
    low, high = axes.get_ylim()
    assert 1.2 < high < 2
    assert -2 < low < -1


def test_one_legend_with_each_name_once() -> None:
    panels = [Panel("q", [Curve(T, "q"), Curve(T, "wanted", look="wanted")]) for _ in range(3)]
    own = Panel("energy", [Curve(T, "kinetic"), Curve(T, "total")], own_legend=True)
    figure = curves_figure(T, [*panels, own], "title")
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["q", "wanted"]
    inside = shown(figure)[3].get_legend()
    assert [text.get_text() for text in inside.get_texts()] == ["kinetic", "total"]


@pytest.mark.parametrize("values", [np.full(101, np.nan), np.zeros(101), np.full(101, 5.0), T * 1e300, T * 1e-300])
def test_no_curve_is_too_strange_to_draw(values: np.ndarray, tmp_path: Path) -> None:
    panel = Panel("x", [Curve(values, "x")], limits=(1.0, -np.inf))
    figure = curves_figure(T, [panel], "strange", lost=1.5, note="note")
    save(figure, tmp_path / "x.svg")
    low, high = shown(figure)[0].get_ylim()
    assert low < high


def test_noise_of_rounding_does_not_fill_the_panel() -> None:
    values = 3.0 + 4e-16 * np.sin(50 * T)
    (axes,) = shown(curves_figure(T, [Panel("x", [Curve(values)])], "flat"))
    low, high = axes.get_ylim()
    assert high - low > 0.1


def test_one_instant_is_a_dot(tmp_path: Path) -> None:
    figure = curves_figure(np.zeros(1), [Panel("x", [Curve(np.ones(1), "x")])], "one")
    assert shown(figure)[0].lines[0].get_marker() == "o"
    save(figure, tmp_path / "x.png")


def test_names_are_no_formulas(tmp_path: Path) -> None:
    names = ["$x_1$", "\\frac{", "$", "a\nb\x00", "_hidden", "<b>"]
    panel = Panel("$q_", [Curve(T, name) for name in names], "$")
    figure = curves_figure(T, [panel], "$t^", note="$", scale=Scale("$\\bad", 0, 1))
    assert len(figure.legends[0].get_texts()) == len(names)
    save(figure, tmp_path / "x.svg")
    figure = sweep_figure([Series(T, T, name) for name in names], "$", "$", "$a")
    assert len(figure.legends[0].get_texts()) == len(names)
    save(figure, tmp_path / "x.svg")


def test_shades_and_their_scale() -> None:
    curves = [Curve(T * k, look="thin", shade=k / 2) for k in range(3)]
    figure = curves_figure(T, [Panel("x", curves)], "bundle", scale=Scale("bandwidth", 5, 80))
    colours = {line.get_color() for line in figure.axes[0].lines}
    assert len(colours) == 3
    assert figure.axes[-1].get_ylabel() == "bandwidth"
    assert figure.axes[-1].get_ylim() == (5, 80)


# --- sweeps ----------------------------------------------------------------------------------------------------------------


def test_a_sweep_is_drawn_in_the_order_of_x() -> None:
    x, y = np.array([3.0, 1, 2, 4]), np.array([9.0, 1, 4, np.nan])
    (axes,) = sweep_figure([Series(x, y, lost=np.array([4.0]))], "bandwidth", "rms error", "title").axes
    line = next(one for one in axes.lines if len(one.get_xdata()) == 3 and one.get_linestyle() == "-")
    assert line.get_xdata().tolist() == [1, 2, 3]
    assert line.get_ydata().tolist() == [1, 4, 9]
    lost = next(one for one in axes.lines if one.get_marker() == "x")
    assert lost.get_xdata().tolist() == [4]


def test_several_runs_at_one_place_have_a_median() -> None:
    x, y = np.repeat([1.0, 2.0], 3), np.array([1.0, 2, 9, 4, 6, 5])
    figure = sweep_figure([Series(x, y)], "x", "y", "title")
    line = next(one for one in figure.axes[0].lines if len(one.get_xdata()) == 2)
    assert line.get_ydata().tolist() == [2, 5]
    assert figure.legends[0].get_texts()[0].get_text() == "median"


def test_decades_are_logarithmic() -> None:
    x = np.geomspace(0.1, 1000, 9)
    (axes,) = sweep_figure([Series(x, x - 50)], "x", "y", "title").axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "linear")


@pytest.mark.parametrize("y", [np.full(3, np.nan), np.full(3, np.inf), np.zeros(3)])
def test_no_sweep_is_too_strange_to_draw(y: np.ndarray, tmp_path: Path) -> None:
    save(sweep_figure([Series(np.arange(3.0), y, "a", np.arange(3.0))], "x", "y", "title"), tmp_path / "x.svg")
    save(sweep_figure([], "x", "y", "title"), tmp_path / "x.svg")
