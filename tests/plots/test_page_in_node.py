"""The script of the page, run without a browser: it draws what it should, and hands and keys do what they say."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from robosym.plots.animation import Chart, Line, Scene, animation_page

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")
HARNESS = Path(__file__).with_name("page_in_node.js")
WIDTH, HEIGHT = 640, 480  # of the canvas there


def played(path: Path, scene: Scene, acts: list[list[Any]], at: str = "") -> list[dict[str, Any]]:
    page = path / "page.html"
    page.write_text(animation_page(scene), encoding="utf-8")
    done = subprocess.run(
        [str(NODE), str(HARNESS), str(page), json.dumps(acts)],
        capture_output=True,
        text=True,
        check=False,
        env={"HASH": at},
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def scene(count: int = 21, **changes: Any) -> Scene:
    """An arm of two limbs that turns about the vertical and rises."""
    t = np.linspace(0, 2, count)
    x, y = np.cos(t), np.sin(t)
    points = np.stack([np.zeros((count, 3)), np.column_stack([x, y, t]), np.column_stack([2 * x, 2 * y, t])], axis=1)
    charts = [Chart("q (rad)", [Line(t, 3 * t, "q1", "#112233")])]
    given: dict[str, Any] = {
        "revolute": [1],
        "prismatic": [2],
        "trace": points[:, 2],
        "gravity": np.array([0, 0, -9.81]),
    }
    return Scene("an arm", t, points, [[0, 1, 2]], **{**given, "charts": charts, **changes})


def dots(state: dict[str, Any]) -> np.ndarray:
    """Where circles were drawn: joints that turn, then the tip."""
    return np.array([call[1:3] for call in state["calls"] if call[0] == "arc"])


def test_points_are_where_an_independent_projection_puts_them(tmp_path: Path) -> None:
    """With one circle for each of many points: turned by Euler angles, then in perspective from five radii away."""
    rng = np.random.default_rng(2)
    points = rng.normal(size=(1, 12, 3))
    given = Scene("cloud", np.zeros(1), points, [], revolute=range(12))
    (state,) = played(tmp_path, given, [])
    low, high = points[0].min(axis=0), points[0].max(axis=0)
    radius = float(np.linalg.norm(high - low)) / 2
    # The eye's axes: x to the right, y up, z towards it.
    view = Rotation.from_euler("zx", [math.radians(58 - 90), math.radians(20 - 90)]).as_matrix()
    seen = (points[0] - (low + high) / 2) @ view.T
    share = 5 * radius / (5 * radius - seen[:, 2])
    scale = HEIGHT / (2.25 * radius)
    expected = np.column_stack([WIDTH / 2 + scale * share * seen[:, 0], HEIGHT / 2 - scale * share * seen[:, 1]])
    found = dots(state)
    assert found[np.lexsort(found.T)] == pytest.approx(expected[np.lexsort(expected.T)], abs=0.1)
    # Painted from the far to the near.
    depths = [seen[np.argmin(np.linalg.norm(expected - place, axis=1)), 2] for place in found]
    assert depths == sorted(depths)


def test_time_by_keys_slider_chart_and_address(tmp_path: Path) -> None:
    acts = [["key", "ArrowRight"], ["key", "ArrowLeft"], ["key", "End"], ["key", "ArrowRight"], ["key", "Home"], ["slide", "7"], ["seek", 46 + 588 / 2]]  # fmt: skip
    states = played(tmp_path, scene(), acts, "#t=0.55")
    assert [s["clock"] for s in states] == [f"{x:.3f} s" for x in (0.5, 0.6, 0.5, 2.0, 2.0, 0.0, 0.7, 1.0)]
    assert states[-1]["slider"] == "10"
    assert "q1" in states[-1]["charts"]
    assert "3.00" in states[-1]["charts"]  # q1 = 3 t at 1 s
    assert all(s["play"] != "Pause" for s in states)


def test_it_plays_in_its_own_time_and_begins_again(tmp_path: Path) -> None:
    states = played(tmp_path, scene(), [["wait", 1.0], ["wait", 1.5], ["wait", 0.7], ["click", "play"], ["wait", 1.0]])
    clocks = [float(s["clock"].split()[0]) for s in states]
    assert clocks[0] == 0
    assert clocks[1] == pytest.approx(1.0, abs=0.11)
    assert clocks[2] == 2.0  # held at the end
    assert clocks[3] < 1.0  # begun again
    assert clocks[5] == clocks[4]
    assert [s["play"] for s in states[3:5]] == ["Pause", "Play"]


def test_hands_turn_move_and_zoom(tmp_path: Path) -> None:
    acts = [["key", "0"], ["drag", 100, 0], ["key", "0"], ["drag", 30, -20, {"shiftKey": True}], ["key", "0"], ["wheel", -400], ["key", "0"], ["resize"]]  # fmt: skip
    states = played(tmp_path, scene(), acts, "#t=1")
    first, turned, again, moved, zoomed, last = (dots(states[k]) for k in (1, 2, 3, 4, 6, 8))
    assert (again == first).all()
    assert (last == first).all()
    assert np.abs(turned - first).max() > 20
    assert moved - first == pytest.approx(np.tile([30, -20], (len(first), 1)))
    middle = np.array([WIDTH, HEIGHT]) / 2
    assert zoomed - middle == pytest.approx((first - middle) * math.exp(0.6))


@pytest.mark.parametrize("case", ["one", "nowhere", "bare", "flat", "still"])
def test_no_scene_is_too_strange_to_draw(case: str, tmp_path: Path) -> None:
    given = {
        "one": lambda: scene(1),
        "nowhere": lambda: Scene("x", np.arange(3.0), np.full((3, 1, 3), np.nan), []),
        "bare": lambda: scene(5, trace=None, gravity=None, charts=()),
        "flat": lambda: scene(5, charts=[Chart("x", [Line(np.arange(5.0), np.full(5, np.nan), "gone")])]),
        "still": lambda: Scene("x", np.arange(3.0), np.zeros((3, 2, 3)), [[0, 1]], trace=np.zeros((3, 3))),
    }[case]()
    states = played(tmp_path, given, [["wait", 0.2], ["key", "End"], ["key", " "], ["wait", 0.1], ["drag", 5, 5]])
    for state in states:
        assert all(isinstance(x, (int, float, str)) and x == x for call in state["calls"] for x in call)


def test_a_hostile_name_is_text(tmp_path: Path) -> None:
    name = "</script><img src=x onerror=alert(1)>"
    (state,) = played(tmp_path, Scene(name, np.zeros(1), np.zeros((1, 1, 3)), [], note=name), [])
    assert state["title"] == state["note"] == name
