"""Line charts as SVG: places of corners and ticks, gaps, and names as text."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from robosym.identification.charts import BOTTOM, HEIGHT, LEFT, MOST_POINTS, RIGHT, TOP, WIDTH, Line, chart, ticks


def drawn(*lines: Line, x_name: str = "s", y_name: str = "N m") -> ElementTree.Element:
    return ElementTree.fromstring(chart(lines, x_name, y_name))


def points(picture: ElementTree.Element) -> list[np.ndarray]:
    """The corners of each polyline, (N, 2)."""
    texts = [one.attrib["points"] for one in picture.iter("polyline")]
    return [np.array([[float(x) for x in corner.split(",")] for corner in text.split()]) for text in texts]


def line(x: np.ndarray, y: np.ndarray, kind: str = "measured") -> Line:
    return Line(kind, kind, np.asarray(x, float), np.asarray(y, float))


@pytest.mark.parametrize(
    ("low", "high", "about", "expected"),
    [
        (0, 10, 5, [0, 2, 4, 6, 8, 10]),
        (0.0, 1.0, 8, [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (-1.3, 1.3, 5, [-1, 0, 1]),
        (99.7, 100.3, 3, [99.8, 100.0, 100.2]),
        (-5e-4, 5e-4, 5, [-4e-4, -2e-4, 0, 2e-4, 4e-4]),
        (1e6, 3e6, 4, [1e6, 1.5e6, 2e6, 2.5e6, 3e6]),
    ],
)
def test_ticks_are_round_numbers(low: float, high: float, about: int, expected: list[float]) -> None:
    assert ticks(low, high, about) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("seed", range(20))
def test_ticks_of_any_range(seed: int) -> None:
    """Between a third of the requested number and all of them plus one, evenly, by 1, 2 or 5 times a power of ten."""
    rng = np.random.default_rng(seed)
    low = rng.normal() * 10.0 ** rng.integers(-4, 5)
    high = low + rng.uniform(0.5, 2) * max(abs(low), 1e-3)
    found = np.array(ticks(low, high, 8))
    assert 2 <= len(found) <= 9
    assert low - 1e-9 * abs(low) <= found[0]
    assert found[-1] <= high + 1e-9 * abs(high)
    step = np.diff(found)
    np.testing.assert_allclose(step, step[0], rtol=1e-6)
    assert f"{step[0]:.0e}"[0] in "125"


def test_corners_are_where_the_numbers_are() -> None:
    """Time over the whole width, values with 6 % of their range above and below."""
    x, y = np.array([0.0, 1.0, 2.0, 4.0]), np.array([-1.0, 3.0, 1.0, -1.0])
    (found,) = points(drawn(line(x, y)))
    np.testing.assert_allclose(found[:, 0], LEFT + x / 4 * (WIDTH - RIGHT - LEFT), atol=0.051)
    part = (y + 1 + 0.24) / 4.48
    np.testing.assert_allclose(found[:, 1], HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - TOP), atol=0.051)


def test_lines_share_their_axes() -> None:
    one, other = line([0, 1], [0, 1]), line([1, 2], [5, 6], "predicted")
    first, second = points(drawn(one, other))
    assert first[1, 0] == second[0, 0]
    assert first[:, 1].min() > second[:, 1].max()
    picture = drawn(one, other)
    assert [element.attrib["class"] for element in picture.iter("polyline")] == ["measured", "predicted"]
    assert [(e.attrib["class"], e.text) for e in picture.iter("tspan")] == [
        ("measured", "measured"),
        ("predicted", "predicted"),
    ]


def test_ticks_are_at_their_numbers() -> None:
    """Every labelled line of the grid across time is where that time is drawn."""
    picture = drawn(line([0, 10], [0, 1]))
    verticals = [float(e.attrib["x1"]) for e in picture.iter("line") if e.attrib["x1"] == e.attrib["x2"]]
    labels = [float(e.text) for e in picture.iter("text") if e.attrib.get("y") == str(HEIGHT - BOTTOM + 14)]
    assert labels == [0, 2, 4, 6, 8, 10]
    np.testing.assert_allclose(verticals, LEFT + np.array(labels) / 10 * (WIDTH - RIGHT - LEFT), atol=0.051)


def test_a_gap_is_not_drawn_over() -> None:
    x = np.concatenate((np.arange(50), np.arange(80, 100))) / 10
    first, second = points(drawn(line(x, np.sin(x))))
    assert (len(first), len(second)) == (50, 20)
    (whole,) = points(drawn(line(np.arange(6.0) * 4, np.arange(6))))  # slow, and without a gap
    assert len(whole) == 6


def test_long_lines_are_thinned_and_keep_their_peaks() -> None:
    x = np.arange(100_000) / 1000
    y = np.sin(x)
    y[[12_345, 67_890]] = 9.0, -9.0
    (found,) = points(drawn(line(x, y)))
    assert MOST_POINTS / 2 < len(found) <= MOST_POINTS
    assert (np.diff(found[:, 0]) >= 0).all()
    top, bottom = found[:, 1].argmin(), found[:, 1].argmax()
    np.testing.assert_allclose(found[[top, bottom], 0], LEFT + np.array([12.345, 67.89]) / 100 * 826, atol=0.3)
    middle = np.delete(found, [top, bottom], axis=0)
    assert middle[:, 1].min() > found[top, 1] + 50


def test_numbers_that_are_all_alike_have_room() -> None:
    for value in (0.0, 5.0, -1e-12):
        (found,) = points(drawn(line([0, 1, 2], [value] * 3)))
        np.testing.assert_allclose(found[:, 1], (TOP + HEIGHT - BOTTOM) / 2, atol=0.051)
    (found,) = points(drawn(line([3], [2])))
    assert found.shape == (1, 2)


def test_nothing_is_said_of_nothing() -> None:
    nothing = line([], [])
    assert chart([nothing, nothing], "s", "N m") == "<p>nothing to draw</p>"
    assert len(points(drawn(nothing, line([0, 1], [0, 1])))) == 1


def test_names_are_text() -> None:
    named = Line("<b>&", "measured", np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    picture = drawn(named, x_name='"a" & <i>', y_name="<script>")
    assert next(picture.iter("tspan")).text == "<b>&"
    assert '"a" & <i>' in [element.text for element in picture.iter("text")]
    assert picture.attrib["aria-label"] == '<script> over "a" & <i>'
