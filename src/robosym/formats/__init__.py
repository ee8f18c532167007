"""Descriptions of robots in files, one module for each format: ``toml``, ``par``, ``urdf``, ``mjcf``, and ``dh`` tables."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

from ..files import write_text
from ..robot import Problem, Robot, RobotError, RobotWarning
from ..robot.angles import FAR, as_meant
from ..robot.checks import checked

SUFFIXES = (".toml", ".par", ".urdf", ".xml", ".mjcf")
MJCF = (".xml", ".mjcf")

__all__ = ["SUFFIXES", "adapted", "load_file", "save", "texts", "without_loops"]


def load_file(
    path: str | Path,
    *,
    floating: bool = False,
    mimic: bool = True,
    loops: str | Path | None = None,
    snap: float | None = None,
) -> Robot:
    """The robot of a file, by its suffix.

    ``floating`` gives the robot a free base; ``mimic=False`` frees the dependent joints. ``loops`` is the file with the joints
    that close the loops of a URDF. Angles that are within ``snap`` of a multiple of pi/12 are taken for it.
    """
    path = Path(path)
    suffix = _suffix(path)
    if suffix == ".urdf":
        return _urdf(path, floating, mimic, loops, tolerance_of(snap))
    without_loops(loops, str(path))
    if suffix in MJCF:
        from . import mjcf

        tolerance = tolerance_of(snap)
        read_mjcf = mjcf.read(path, floating=floating, mimic=mimic, snap=_clean(tolerance))
        return checked(as_meant(read_mjcf, tolerance), str(path))
    if suffix == ".toml":
        from .toml import read
    else:
        from .par import read
    return adapted(read(path), floating, mimic, snap)


def tolerance_of(snap: float | None) -> float:
    """How far an angle may be from what it is taken for: a small number of radians, by default nothing."""
    if snap is None:
        return 0.0
    if isinstance(snap, bool) or not isinstance(snap, (int, float)) or not 0 <= snap <= FAR:
        raise RobotError([Problem("snap", f"got {snap!r:.40}, expected radians from 0 to {FAR:g}")])
    return float(snap)


def _clean(tolerance: float) -> float:
    """The same for lengths and quarter turns, from which rounding noise is removed in any case."""
    from .mdh import SNAP

    return max(SNAP, tolerance)


def _urdf(path: Path, floating: bool, mimic: bool, loops: str | Path | None, tolerance: float) -> Robot:
    from . import urdf
    from .urdf_loops import beside

    read = urdf.read(path, floating=floating, mimic=mimic, loops=loops, snap=_clean(tolerance))
    robot = checked(as_meant(read, tolerance), str(path))
    if loops is None and beside(path).is_file():  # never read unless named, and never passed over in silence
        message = f"{path}: its closed loops in {beside(path).name} are left open: give loops= (--loops) to close them"
        warnings.warn(message, RobotWarning, stacklevel=3)
    return robot


def without_loops(loops: str | Path | None, source: str) -> None:
    """Only a URDF has its loops in a file of their own."""
    if loops is not None:
        raise RobotError([Problem("loops", f"got {str(loops)!r}, which goes with a .urdf file only")], source)


def adapted(robot: Robot, floating: bool, mimic: bool, snap: float | None = None) -> Robot:
    """The robot with a free base, if requested, with every joint independent, if dependence is to be dropped, and with angles
    that are nearly exact as they are meant."""
    robot = as_meant(robot, tolerance_of(snap))
    if floating and not robot.base.floating:
        robot = robot.replace(base=replace(robot.base, floating=True))
    if not mimic:
        frames = tuple(replace(frame, joint=replace(frame.joint, mimic=None)) for frame in robot.frames)
        robot = robot.replace(frames=frames)
    return robot


def save(robot: Robot, path: str | Path) -> tuple[Path, ...]:
    """Write a robot in the format of the path's suffix. The file is complete or untouched, never half written.

    A URDF has no closed loops: they are written beside it, those of robot.urdf in robot.loops.toml. The files written are
    returned.
    """
    found = texts(robot, path)
    for place, text in found.items():
        write_text(place, text)
    return tuple(found)


def texts(robot: Robot, path: str | Path) -> dict[Path, str]:
    """What ``save`` puts into each file; all of it is there before the first is written."""
    path = Path(path)
    suffix, robot = _suffix(path), checked(robot)
    if suffix == ".toml":
        from .toml import dumps
    elif suffix == ".par":
        from .par import dumps
    elif suffix in MJCF:
        from .mjcf import dumps
    elif robot.loops:
        from .urdf_loops import beside
        from .urdf_loops_write import dumps
        from .urdf_write import tree_text

        return {path: tree_text(robot), beside(path): dumps(robot)}
    else:
        from .urdf import dumps
    return {path: dumps(robot)}


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        expected = f"expected a file whose name ends in {', '.join(SUFFIXES)}"
        raise RobotError([Problem("", f"{expected}, got {suffix or 'no suffix'!r}")], str(path))
    return suffix
