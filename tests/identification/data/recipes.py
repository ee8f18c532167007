"""Small recipes: as text, and of columns in memory."""

from __future__ import annotations

from pathlib import Path

import robosym
from robosym.identification.data.recipe import Data, Recipe, Signal, Torque
from robosym.identification.data.recording import Recording

TEXT = """
robot = "planar-2r"
[data]
files = ["a.csv"]
rate = 1000
[position]
columns = ["q1", "q2"]
offset = ["-pi/2", "30 deg"]
[torque]
columns = "tau{1..2}"
"""


def read(tmp_path: Path, text: str = TEXT, more: str = "") -> Recipe:
    path = tmp_path / "recipe.toml"
    path.write_text(text + more)
    return Recipe.read(path)


def recipe_with(columns: dict[str, object], **changes: object) -> Recipe:
    parts: dict[str, object] = {
        "robot": robosym.load("planar-2r"),
        "data": Data((Recording.from_arrays(columns),), rate=100.0),
        "position": Signal(("q1", "q2")),
        "torque": Torque(("tau1", "tau2")),
    }
    return Recipe(**(parts | changes))  # type: ignore[arg-type]


ONE_ROW = {"q1": [90.0], "q2": [400.0], "tau1": [2.0], "tau2": [3.0]}
