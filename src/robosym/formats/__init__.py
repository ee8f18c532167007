"""Descriptions of robots in files, one module for each format: ``toml``, ``par``, ``urdf``, ``mjcf``, ``sdf``, and ``dh`` tables."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from ..files import LARGEST_FILE, OpenFile, Text, decoded, read_text, write_text
from ..notices import LOG, warn
from ..options.validate import validated
from ..robot import Problem, Robot, RobotError, RobotWarning
from ..robot.angles import Snap, as_meant
from ..robot.checks import checked
from ..robot.origin import base_name, coming_from

SUFFIXES = (".toml", ".par", ".urdf", ".xml", ".mjcf", ".sdf")
MJCF = (".xml", ".mjcf")

FORMATS = ("toml", "par", "urdf", "mjcf", "sdf")  # of texts

__all__ = ["FORMATS", "SUFFIXES", "adapted", "load_file", "load_text", "save", "texts", "without_loops"]


@validated
def load_file(
    path: str | Path,
    *,
    floating: bool = False,
    mimic: bool = True,
    loops: str | Path | None = None,
    snap: Snap | None = None,
) -> Robot:
    """Read the robot of a file, in the format of its suffix.

    Parameters
    ----------
    path
        Path of a .toml, .par, .urdf, .xml (MJCF), .mjcf or .sdf file.
    floating
        Whether the robot gets a floating base.
    mimic
        Whether dependent (mimic) joints follow their masters; False makes them independent.
    loops
        File with the joints that close the loops of a URDF.
    snap
        Tolerance within which an angle counts as a multiple of pi/12 [rad]. 1e-9 reads 1.57079632679 as pi/2, 1e-4
        also 1.5708. Models get shorter, and poses move by about as much. At most 1e-3. None: only angles that equal
        such a multiple in double precision.

    Returns
    -------
    Robot
        Robot of the description.
    """
    path = Path(path)
    suffix = _suffix(path)
    robot = _read(path, "mjcf" if suffix in MJCF else suffix[1:], None, floating, mimic, loops, snap)
    LOG.info("read %s: %r", path, robot)
    beside = f" and {base_name(str(loops))}" if loops is not None else ""
    return coming_from(robot, f"file {base_name(str(path))}{beside}")


@validated
def load_text(
    text: Text,
    format: str | None = None,
    *,
    floating: bool = False,
    mimic: bool = True,
    loops: str | Path | bytes | None = None,
    snap: Snap | None = None,
) -> Robot:
    """Read the robot of a text.

    Parameters
    ----------
    text
        Text of a description, its bytes, or an open file. It has no folder: an MJCF text cannot include files.
    format
        Format of the text: "toml", "par", "urdf", "mjcf" or "sdf". None: recognised from the text.
    floating
        Whether the robot gets a floating base.
    mimic
        Whether dependent (mimic) joints follow their masters; False makes them independent.
    loops
        File with the joints that close the loops of a URDF. It can be a text too, as bytes.
    snap
        Tolerance within which an angle counts as a multiple of pi/12 [rad]. 1e-9 reads 1.57079632679 as pi/2, 1e-4
        also 1.5708. Models get shorter, and poses move by about as much. At most 1e-3. None: only angles that equal
        such a multiple in double precision.

    Returns
    -------
    Robot
        Robot of the description.
    """
    content = _content(text)
    kind = _format_of(content) if format is None else str(format).lower().removeprefix(".")
    kind = "mjcf" if kind == "xml" else kind
    if kind not in FORMATS:
        raise RobotError([Problem("format", f"got {format!r:.40}, expected one of {', '.join(FORMATS)}")], "text")
    robot = _read(Path("text"), kind, content, floating, mimic, loops, snap)
    LOG.info("read a text: %r", robot)
    return coming_from(robot, "a text")


def _content(text: Text) -> bytes:
    """The bytes of a text, of bytes or of a file that is open."""
    if isinstance(text, OpenFile):
        text = text.read()
    content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else bytes(memoryview(text))
    if len(content) > LARGEST_FILE:
        raise RobotError([Problem("text", f"larger than {LARGEST_FILE} bytes")], "text")
    return content


def _format_of(content: bytes) -> str:
    """What a text looks like: in XML its outermost element says it, whatever stands in comments before that."""
    start = content.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"<"):
        element = _ELEMENT.match(start)
        return ROOTS.get(element[1] if element else b"", "urdf")
    start = start[:LOOKED_AT]
    return "par" if start.startswith(b"(*") or (b"NF" in start and b"{" in start and b"[[" not in start) else "toml"


# The name of the first element, after declarations and comments; each of these is read once (possessive: +).
_ELEMENT = re.compile(rb"(?:\s++|<\?(?>.*?\?>)|<!--(?>.*?-->)|<![^>]*+>)*+<([\w.:-]++)", re.DOTALL)
ROOTS = {b"mujoco": "mjcf", b"mujocoinclude": "mjcf", b"sdf": "sdf"}
LOOKED_AT = 4096  # bytes of a text that is not XML, to tell its format


def _read(
    path: Path,
    kind: str,
    text: bytes | None,
    floating: bool,
    mimic: bool,
    loops: str | Path | bytes | None,
    snap: Snap | None,
) -> Robot:
    """The robot of a file, or of a text, of which the path is only the name."""
    if kind == "urdf":
        return _urdf(path, floating, mimic, loops, tolerance_of(snap), text)
    without_loops(loops, str(path))
    if kind in ("mjcf", "sdf"):
        from . import mjcf, sdf

        tolerance, read = tolerance_of(snap), mjcf.read if kind == "mjcf" else sdf.read
        robot = read(path, floating=floating, mimic=mimic, snap=_clean(tolerance), text=text)
        return checked(as_meant(robot, tolerance), str(path))
    if kind == "toml":
        from .toml import loads

        decode = decoded
    else:
        from .par import loads
        from .par import text_of as decode
    written = read_text(path, decode) if text is None else decode(text, path)
    return adapted(loads(written, str(path)), floating, mimic, snap)


def tolerance_of(snap: Snap | None) -> float:
    """How far an angle may be from what it is taken for: a small number of radians, by default nothing."""
    return 0.0 if snap is None else float(snap)


def _clean(tolerance: float) -> float:
    """The same for lengths and quarter turns, from which rounding noise is removed in any case."""
    from .mdh import SNAP

    return max(SNAP, tolerance)


def _urdf(
    path: Path, floating: bool, mimic: bool, loops: str | Path | bytes | None, tolerance: float, text: bytes | None
) -> Robot:
    from . import urdf
    from .urdf_loops import beside

    read = urdf.read(path, floating=floating, mimic=mimic, loops=loops, snap=_clean(tolerance), text=text)
    robot = checked(as_meant(read, tolerance), str(path))
    if (
        text is None and loops is None and beside(path).is_file()
    ):  # never read unless named, and never passed over in silence
        message = f"{path}: its closed loops in {beside(path).name} are left open: give loops= (--loops) to close them"
        warn(RobotWarning(message), stacklevel=3)
    return robot


def without_loops(loops: str | Path | bytes | None, source: str) -> None:
    """Raise an error if a file of loops is given for a format other than URDF.

    Parameters
    ----------
    loops
        File of loops, or None.
    source
        Name of the description, for the message.
    """
    if loops is not None:
        got = "a text" if isinstance(loops, bytes) else repr(str(loops))
        raise RobotError([Problem("loops", f"got {got}, which goes with a .urdf file only")], source)


@validated
def adapted(robot: Robot, floating: bool, mimic: bool, snap: Snap | None = None) -> Robot:
    """Apply the options of ``load`` to a robot.

    Parameters
    ----------
    robot
        Robot.
    floating
        Whether the robot gets a floating base.
    mimic
        Whether dependent (mimic) joints follow their masters; False makes them independent.
    snap
        Tolerance within which an angle counts as a multiple of pi/12 [rad]. 1e-9 reads 1.57079632679 as pi/2, 1e-4
        also 1.5708. Models get shorter, and poses move by about as much. At most 1e-3. None: only angles that equal
        such a multiple in double precision.

    Returns
    -------
    Robot
        Robot with these options.
    """
    robot = as_meant(robot, tolerance_of(snap))
    if floating and not robot.base.floating:
        robot = robot.replace(base=replace(robot.base, floating=True))
    if not mimic:
        frames = tuple(replace(frame, joint=replace(frame.joint, mimic=None)) for frame in robot.frames)
        robot = robot.replace(frames=frames)
    return robot


@validated
def save(robot: Robot, path: str | Path) -> tuple[Path, ...]:
    """Write a robot to a file, in the format of its suffix.

    The file is complete or untouched, never half written. A URDF has no closed loops: they are written beside it, for
    robot.urdf in robot.loops.toml.

    Parameters
    ----------
    robot
        Robot.
    path
        Path of a .toml, .par, .urdf, .xml (MJCF) or .mjcf file.

    Returns
    -------
    tuple of Path
        Files that were written.
    """
    found = texts(robot, path)
    for place, text in found.items():
        write_text(place, text)
    return tuple(found)


def texts(robot: Robot, path: str | Path) -> dict[Path, str]:
    """Texts of the files that ``save`` writes, by path.

    Parameters
    ----------
    robot
        Robot.
    path
        Path of a .toml, .par, .urdf, .xml (MJCF) or .mjcf file.

    Returns
    -------
    dict
        All texts, before the first file is written.
    """
    path = Path(path)
    suffix, robot = _suffix(path), checked(robot)
    if suffix == ".sdf":
        problem = Problem("", "an SDF file is read, not written: write a .urdf, which Gazebo reads")
        raise RobotError([problem], str(path))
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
