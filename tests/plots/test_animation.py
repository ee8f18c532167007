"""The page as text: whole, alone, and with nothing in it that was not meant."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from robosym.plots.animation import Chart, Line, Scene, animation_page, facing, nice, ticks, upright

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]><img src=x onerror=alert(1)>",
    "&lt;script&gt;",
    '" onload="alert(1)',
    "\u2028\u2029\x00\x1b",
    "${7*7} $data $script",
    "\ud800",
]


def scene(name: str = "arm") -> Scene:
    t = np.linspace(0, 1, 5)
    points = np.stack([np.zeros((5, 3)), np.column_stack([np.cos(t), np.sin(t), t])], axis=1)
    curve = Line(np.linspace(0, 1, 9), np.arange(9.0), name, "#123456")
    return Scene(
        name, t, points, [[0, 1]], (), [0], [1], 0, points[:, 1], points[:, 1] + 0.1, np.array([0, 0, -9.81]),
        (Chart(name, [curve], (8.5, 99.0)),), name,
    )  # fmt: skip


class Page(HTMLParser):
    """Elements, attributes and the texts of scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.elements and self.elements[-1][0] in ("script", "style") and self.cdata_elem is not None:
            self.scripts[-1] += data


def data_of(text: str) -> dict[str, Any]:
    held = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert held is not None
    return json.loads(held[1])


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_does_nothing(name: str) -> None:
    """The elements of the page are those of a page with a harmless name, and the name arrives as data."""
    page, harmless = animation_page(scene(name)), animation_page(scene())
    assert [tag for tag, _ in Page(page).elements] == [tag for tag, _ in Page(harmless).elements]
    assert [list(a) for _, a in Page(page).elements] == [list(a) for _, a in Page(harmless).elements]
    assert page.count("<script") == harmless.count("<script") == 2
    printable = "".join(c if c.isprintable() else " " for c in name)
    assert data_of(page)["title"] == printable
    assert data_of(page)["charts"][0]["curves"][0]["name"] == printable
    page.encode("utf-8")


def test_only_the_script_of_the_page_may_run_and_nothing_is_loaded() -> None:
    text = animation_page(scene())
    page = Page(text)
    policy = next(a["content"] for tag, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    style, _, script = page.scripts
    digests = [base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in (script, style)]
    assert policy == f"default-src 'none'; script-src 'sha256-{digests[0]}'; style-src 'sha256-{digests[1]}'"
    assert not any(key in a for _, a in page.elements for key in ("src", "href", "style"))
    assert not any(key.startswith("on") for _, a in page.elements for key in a)
    for word in (
        "http:",
        "https:",
        "//cdn",
        "import(",
        "fetch(",
        "XMLHttp",
        "innerHTML",
        "eval(",
        "Function(",
        "document.write",
    ):
        assert word not in script
        assert word not in style


def test_the_same_scene_is_the_same_page() -> None:
    assert animation_page(scene()) == animation_page(scene())


def test_lengths_arrive_fine_enough() -> None:
    given = scene()
    data = data_of(animation_page(given))
    found = np.array(data["points"]).reshape(5, 2, 3) * data["unit"]
    assert found == pytest.approx(given.points, abs=data["radius"] / 2e4)
    assert data["time"] == pytest.approx(given.time)
    assert data["charts"][0]["limits"] == [8.5]
    assert data["gravity"] == [0, 0, -1]


def test_pictures_without_a_place_are_empty() -> None:
    given = scene()
    points, trace = given.points.copy(), given.trace.copy()
    points[2, 1, 0] = trace[2, 0] = np.nan
    data = data_of(animation_page(replace(given, points=points, trace=trace)))
    assert [row is None for row in data["points"]] == [False, False, True, False, False]
    assert data["trace"][2] is None
    nowhere = replace(given, points=points * np.nan, trace=None, wanted=None, charts=(), gravity=None)
    assert data_of(animation_page(nowhere))["points"] == [None] * 5


def test_things_fall_down() -> None:
    rng = np.random.default_rng(0)
    for g in [*rng.normal(size=(20, 3)), *np.eye(3), *-np.eye(3), np.array([1e-300, 0, 1])]:
        axes = upright(g)
        assert axes @ axes.T == pytest.approx(np.eye(3), abs=1e-14)
        assert np.linalg.det(axes) == pytest.approx(1)
        assert axes @ g == pytest.approx([0, 0, -np.linalg.norm(g)], abs=1e-14)
    for none in (None, np.zeros(3)):
        assert (upright(none) == np.eye(3)).all()
    assert (upright(np.array([0, 0, -9.81])) == np.eye(3)).all()


def test_what_moves_in_a_plane_is_seen_straight() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        normal = rng.normal(size=3)
        normal /= np.linalg.norm(normal)
        spread = rng.normal(size=(50, 3)) @ (np.eye(3) - np.outer(normal, normal)) + rng.normal(size=3)
        turn, rise = facing(spread, 1.0)
        eye = [np.cos(turn) * np.cos(rise), np.sin(turn) * np.cos(rise), np.sin(rise)]
        assert abs(normal @ eye) == pytest.approx(1)
    usual = facing(rng.normal(size=(50, 3)), 1.0)
    for few in (np.zeros((1, 3)), np.zeros((9, 3)), np.outer(np.arange(9.0), [1, 2, 3])):
        assert facing(few, 1.0) == usual
    assert facing(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]), 1.0) == pytest.approx((-np.pi / 2, np.pi / 2))


def test_round_numbers() -> None:
    assert [nice(x) for x in (0.1, 0.11, 0.21, 0.51, 7.0, 1e-9, 3e5)] == [0.1, 0.2, 0.5, 1.0, 10.0, 1e-9, 5e5]
    assert ticks(0, 1, 5) == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert ticks(3, 3, 5) == [3]
    assert ticks(-0.31, 0.29, 3) == [-0.2, 0, 0.2]
