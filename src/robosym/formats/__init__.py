"""Descriptions of robots in files, one module for each format: ``toml``, ``par``, ``urdf``, and ``dh`` tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ..files import write_text
from ..robot import Problem, Robot, RobotError
from ..robot.checks import checked

SUFFIXES = (".toml", ".par", ".urdf")

__all__ = ["SUFFIXES", "adapted", "load_file", "save"]


def load_file(path: str | Path, *, floating: bool = False, mimic: bool = True) -> Robot:
    """The robot of a file, by its suffix.

    ``floating`` gives the robot a free base; ``mimic=False`` frees the dependent joints.
    """
    path = Path(path)
    suffix = _suffix(path)
    if suffix == ".urdf":
        from . import urdf

        return checked(urdf.read(path, floating=floating, mimic=mimic), str(path))
    if suffix == ".toml":
        from .toml import read
    else:
        from .par import read
    return adapted(read(path), floating, mimic)


def adapted(robot: Robot, floating: bool, mimic: bool) -> Robot:
    """The robot with a free base, if requested, and with every joint independent, if dependence is to be dropped."""
    if floating and not robot.base.floating:
        robot = robot.replace(base=replace(robot.base, floating=True))
    if not mimic:
        frames = tuple(replace(frame, joint=replace(frame.joint, mimic=None)) for frame in robot.frames)
        robot = robot.replace(frames=frames)
    return robot


def save(robot: Robot, path: str | Path) -> None:
    """Write a robot in the format of the path's suffix. The file is complete or untouched, never half written."""
    path = Path(path)
    suffix = _suffix(path)
    if suffix == ".toml":
        from .toml import dumps
    elif suffix == ".par":
        from .par import dumps
    else:
        from .urdf import dumps
    write_text(path, dumps(checked(robot)))


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        expected = f"expected a file whose name ends in {', '.join(SUFFIXES)}"
        raise RobotError([Problem("", f"{expected}, got {suffix or 'no suffix'!r}")], str(path))
    return suffix
