"""The built-in robots by their structure: every file of tests that is collected wants them, and they are read once."""

from __future__ import annotations

import robosym
from robosym.library import robot_names

_ROBOTS = {name: robosym.load(name) for name in robot_names()}

OPEN = tuple(name for name, robot in _ROBOTS.items() if robot.structure in ("serial", "tree"))
PARALLEL = tuple(name for name, robot in _ROBOTS.items() if robot.structure == "parallel")
LOOPED = tuple(name for name, robot in _ROBOTS.items() if robot.loops)
