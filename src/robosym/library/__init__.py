"""The built-in robots, and ``load``: a robot by name or from a file."""

from __future__ import annotations

import difflib
import re
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from ..errors import RobosymError
from ..files import Text
from ..options.markers import FILE, PAYLOAD
from ..options.validate import validated
from ..robot import Robot
from ..robot.angles import Snap
from ..robot.origin import coming_from
from ..robot.payload import Payloads, with_payloads
from .general import LONGEST, eel, general_robot

_GENERAL = re.compile(r"general-(\d{1,6})r")
_EEL = re.compile(r"eel-(\d{1,6})")


@validated
def load(
    name: str | Path,
    *,
    floating: bool = False,
    mimic: bool = True,
    loops: Annotated[str | Path | None, FILE] = None,
    snap: Snap | None = None,
    payload: Annotated[Payloads, PAYLOAD] = None,
) -> Robot:
    """Load a robot: a built-in one by name, or a file.

    Parameters
    ----------
    name
        Built-in robot such as "rx90", or path of a .toml, .par, .urdf, .xml (MJCF), .mjcf or .sdf file. "general-12r"
        and "eel-5" stand for robots with any number of joints or links.
    floating
        Floating base for the robot.
    mimic
        Coupling of dependent (mimic) joints to their masters; without it they are independent.
    loops
        File with the joints that close the loops of a URDF.
    snap
        Tolerance within which an angle counts as a multiple of pi/12 [rad]. 1e-9 reads 1.57079632679 as pi/2, 1e-4
        also 1.5708. Models get shorter, and poses move by about as much. At most 1e-3. None: only angles that equal
        such a multiple in double precision.
    payload
        Payload of a frame: mass [kg], centre [m] and inertia about the centre [kg m^2]; several are possible. A frame
        by name or number, or the arguments of Robot.with_payload by name, such as {"frame": "tool0", "mass": 2.0}.
        A frame alone has a payload whose parameters are given at run time. A list gives several payloads.

    Returns
    -------
    Robot
        Robot of the description.
    """
    from ..formats import adapted, load_file, without_loops

    text = str(name)
    if _is_path(text):
        return with_payloads(load_file(Path(text), floating=floating, mimic=mimic, loops=loops, snap=snap), payload)
    without_loops(loops, text)
    robot = coming_from(adapted(_built_in(text), floating, mimic, snap), f"built-in {text}")
    return with_payloads(robot, payload)


@validated
def loads(
    text: Text,
    format: str | None = None,
    *,
    floating: bool = False,
    mimic: bool = True,
    loops: Annotated[str | Path | bytes | None, FILE] = None,
    snap: Snap | None = None,
    payload: Annotated[Payloads, PAYLOAD] = None,
) -> Robot:
    """Load a robot from a text, from bytes or from an open file.

    Parameters
    ----------
    text
        Text of a description, its bytes, or an open file. It has no folder: an MJCF text cannot include files.
    format
        Format of the text: "toml", "par", "urdf", "mjcf" or "sdf". None: recognised from the text.
    floating
        Floating base for the robot.
    mimic
        Coupling of dependent (mimic) joints to their masters; without it they are independent.
    loops
        File with the joints that close the loops of a URDF. It can be a text too, as bytes.
    snap
        Tolerance within which an angle counts as a multiple of pi/12 [rad]. 1e-9 reads 1.57079632679 as pi/2, 1e-4
        also 1.5708. Models get shorter, and poses move by about as much. At most 1e-3. None: only angles that equal
        such a multiple in double precision.
    payload
        Payload of a frame: mass [kg], centre [m] and inertia about the centre [kg m^2]; several are possible. A frame
        by name or number, or the arguments of Robot.with_payload by name, such as {"frame": "tool0", "mass": 2.0}.
        A frame alone has a payload whose parameters are given at run time. A list gives several payloads.

    Returns
    -------
    Robot
        Robot of the description.

    Examples
    --------
    >>> loads('name = "pendulum"\\n[[frame]]').joint_names
    ('q1',)
    """
    from ..formats import load_text

    robot = load_text(text, format, floating=floating, mimic=mimic, loops=loops, snap=snap)
    return with_payloads(robot, payload)


def _is_path(text: str) -> bool:
    """Whether a file is meant; a built-in name is never a file, whatever lies in the current folder."""
    return Path(text).suffix != "" or "/" in text or "\\" in text


def _built_in(name: str) -> Robot:
    general = _GENERAL.fullmatch(name)
    if general is not None:
        joints = int(general.group(1))
        if not 1 <= joints <= LONGEST:
            raise RobosymError(f"general-Nr takes N from 1 to {LONGEST}, got {joints}")
        return general_robot(joints)
    swimming = _EEL.fullmatch(name)
    if swimming is not None:
        links = int(swimming.group(1))
        if not 2 <= links <= LONGEST:
            raise RobosymError(f"eel-N takes N from 2 to {LONGEST}, got {links}")
        return eel(links)
    names = robot_names()
    if name not in names:
        close = difflib.get_close_matches(name, names, 3)
        hint = f"did you mean {' or '.join(close)}?" if close else f"built-in robots: {', '.join(names)}"
        raise RobosymError(f"there is no robot '{name}' ({hint}); a file ends in .toml, .par, .urdf, .xml or .sdf")
    from ..formats import toml

    source = resources.files(__package__).joinpath("robots", f"{name}.toml")
    return toml.loads(source.read_text(encoding="utf-8"), f"{name}.toml")


def is_built_in(name: str) -> bool:
    """Whether a name is that of a built-in robot, and not a file.

    Parameters
    ----------
    name
        Name of a robot, or a path.
    """
    return name in robot_names() or bool(_GENERAL.fullmatch(name) or _EEL.fullmatch(name))


def robot_names() -> tuple[str, ...]:
    """Names of the built-in robots.

    Robots general-Nr and eel-N exist for other numbers N too.

    Returns
    -------
    tuple of str
        Names, sorted.
    """
    folder = resources.files(__package__).joinpath("robots")
    files = [entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")]
    return tuple(sorted([*files, "general-6r"]))


def catalogue() -> list[dict[str, Any]]:
    """Name, joints, structure and description of every built-in robot."""
    found = []
    for name in robot_names():
        robot = _built_in(name)
        found.append(
            {"name": name, "joints": len(robot.moving), "structure": robot.structure, "description": robot.description}
        )
    return found
