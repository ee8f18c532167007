"""All models of a robot as a library in C, in one archive."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

from .. import packaging
from ..robot import Robot
from .saving import archive, file_name


def c_library(robot: Robot, progress: Callable[[float | None, str], None] | None = None) -> dict[str, Any]:
    """Name and bytes (in base 64) of the archive, and which models it leaves out, with the reasons."""
    order = packaging.order(robot, "c")
    parts, steps = packaging.work(order)
    found = []
    for k, part in enumerate(parts):
        found.append(part)
        if progress is not None:
            progress((k + 1) / max(steps, 1), part.name)
    name = f"{file_name(robot.name)}-c"
    packed = archive(name, packaging.assembled(order, found))
    return {
        "name": f"{name}.zip",
        "zip": base64.b64encode(packed).decode(),
        "left_out": [{"name": one.name, "reason": one.reason} for one in packaging.left_out(found)],
    }
