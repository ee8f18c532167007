"""Robots and models in a notebook: the viewer of the page in a frame of its own, which needs no server and no network.

The frame holds one document with everything in it, deflated: the modules of the viewer, those of the robot, and its scene.
"""

from __future__ import annotations

import base64
import html
import json
import re
import zlib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from posixpath import dirname, join, normpath
from typing import Any

from ..errors import RobosymError
from ..generated import Model
from ..markup import Shown
from ..options.validate import validated
from ..robot import Robot
from .data import scene
from .direct import direct_module

FIRST = "viewer/embed.js"
STYLES = ("styles/tokens.css", "styles/controls.css", "styles/viewer.css", "styles/embed.css")
IMPORT = re.compile(
    r'(\b(?:from|import)\s*)"(\.{1,2}/[^"]+)"'
)  # of a file beside it; those made when needed are not meant
HEIGHT = 560  # pixels


@validated
def show_robot(robot: Robot, q: Sequence[float] | None = None, *, height: int = HEIGHT) -> Shown:
    """The robot in 3D with its sliders, as a notebook shows it; ``q`` are the values of its controls, in radians and metres."""
    page = robot_page(robot, q=q)
    return Shown(f"{robot.name} in 3D", _frame(robot.name, page, height), page)


@validated
def show_model(model: Model, *, height: int = HEIGHT) -> Shown:
    """The robot of a model in 3D, then its equations."""
    page = robot_page(model.robot)
    return Shown(f"{model!r} in 3D", _frame(model.robot.name, page, height) + model._repr_html_(), page)


def robot_page(robot: Robot, *, q: Sequence[float] | None = None) -> str:
    """A whole HTML document that draws and moves the robot."""
    data = scene(robot)
    if q is not None and len(q) != len(data["controls"]):
        names = ", ".join(control["name"] for control in data["controls"])
        raise RobosymError(f"q: got {len(q)} values, expected {len(data['controls'])}: {names}")
    modules = {**_viewer_modules(), "robosym/direct.mjs": direct_module(robot)}
    packed = _packed({"modules": modules, "scene": data, "x": None if q is None else [float(v) for v in q]})
    style = "\n".join(_static(name).read_text(encoding="utf-8") for name in STYLES)
    loader = resources.files(__package__).joinpath("notebook.js").read_text(encoding="utf-8")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{html.escape(robot.name)}</title><style>{style}</style></head>"
        f'<body><div id="robot" class="left"></div><script type="text/plain" id="packed">{packed}</script>'
        f"<script>{loader}</script></body></html>"
    )


def _frame(name: str, page: str, height: int) -> str:
    title = html.escape(f"{name} in 3D", quote=True)
    style = f"width:100%;height:{height}px;border:0"
    return f'<iframe title="{title}" style="{style}" srcdoc="{html.escape(page, quote=True)}"></iframe>'


def _packed(data: Any) -> str:
    return base64.b64encode(zlib.compress(json.dumps(data, allow_nan=False).encode(), 9)).decode()


@cache
def _viewer_modules() -> dict[str, str]:
    """The viewer and all that it imports, each under a name that does not depend on where it stands."""
    found: dict[str, str] = {}
    waiting = [FIRST]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        text = _static(path).read_text(encoding="utf-8")
        beside = {name: normpath(join(dirname(path), name)) for _, name in IMPORT.findall(text)}
        for name, other in beside.items():
            text = text.replace(f'"{name}"', f'"robosym/{other}"')
        waiting += beside.values()
        found[path] = text
    return {f"robosym/{path}": text for path, text in found.items()}


def _static(path: str) -> Traversable:
    return resources.files("robosym").joinpath("web", "static", *path.split("/"))
