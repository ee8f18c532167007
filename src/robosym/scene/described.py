"""``described_scene``: a robot with the shapes that its description has for its links."""

from __future__ import annotations

from typing import Any

from ..formats.visuals import Visual, visuals
from ..robot import Robot, RobotError
from .data import scene

WITH_SHAPES = {"urdf": b"<robot", "mjcf": b"<mujoco"}  # formats that have any, and how they begin


def described_scene(robot: Robot, text: str = "", format: str | None = None) -> dict[str, Any]:
    """The ``scene`` of a robot that was read from a text. What cannot be read of its shapes is not drawn: links are, by
    their frames."""
    return scene(robot, shapes=_shapes(robot, text.encode("utf-8", "surrogatepass"), format))


def _shapes(robot: Robot, content: bytes, format: str | None) -> tuple[Visual, ...]:
    kinds = [kind for kind, tag in WITH_SHAPES.items() if tag in content and format in (None, kind, "xml")]
    if not kinds:
        return ()
    try:
        found = visuals(content, kinds[0])
    except RobotError:
        return ()
    known = {robot.base.name, *(frame.name for frame in robot.frames)}
    return tuple(visual for visual in found if visual.link in known)
