"""MJCF, the XML of MuJoCo: the robot of a file, and the file of a robot.

Reading goes from elements with their includes and defaults (``mjcf_xml``, ``mjcf_values``) to bodies (``mjcf_bodies``), to links and
joints of one tree (``mjcf_links``) with its actuators (``mjcf_drives``) and equality constraints (``mjcf_equality``); frames are placed on
them as on those of a URDF. ``docs/mjcf.md`` has the rules in full.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..expr import number
from ..notices import warn
from ..robot import Problem, Robot, RobotError, RobotWarning
from .mdh import SNAP, Array
from .mjcf_bodies import BALL, FREE, Bodies, BodyReader, impossible_parts, weightless
from .mjcf_drives import DriveReader
from .mjcf_equality import Equalities
from .mjcf_links import Links, links_of
from .mjcf_schema import TABLE
from .mjcf_values import Values
from .mjcf_write import dumps
from .mjcf_xml import Defaults, odd_numbers, read_elements
from .urdf import robot_of
from .urdf_loops import Loops
from .urdf_tree import Document, UrdfJoint, checked_tree
from .xml_schema import checked_elements, warn_of_unknown

__all__ = ["dumps", "read"]

READ = ("compiler", "option", "default", "worldbody", "equality", "actuator", "keyframe")
SHOWN = ("size", "statistic", "visual")  # say nothing of the robot
FLUID = ("density", "viscosity")
UNUSUAL = ("constraint", "equality", "frictionloss", "limit", "spring", "damper", "actuation")  # flags, when disabled


def read(
    path: str | Path,
    *,
    floating: bool = False,
    mimic: bool = True,
    snap: float = SNAP,
    text: bytes | None = None,
) -> Robot:
    """The robot of an MJCF file, or of a ``text``, of which the path is only the name; one warning lists what has no place in a robot.

    ``floating`` frees the base. ``mimic=False`` makes dependent joints independent. ``snap`` is as in ``urdf.read``.
    """
    path = Path(path)
    root = read_elements(path, text)
    values = Values()
    unknown = checked_elements(root, "mujoco", TABLE, values.report)
    left_out = _sections(root)
    values.read_settings(root)
    for flag in UNUSUAL:
        left_out[f'flag {flag}="disable"'] += flag in values.disabled
    if values.settings.fusestatic and values.settings.inertiafromgeom == "true":
        left_out["inertia computed again after bodies are fused (fusestatic, inertiafromgeom)"] += 1
    bodies = BodyReader(values, Defaults(root, values), left_out, floating)
    found = bodies.read(root)
    made = links_of(found, values, left_out, hinged=_closed(root))
    drives = DriveReader(bodies, found)
    drives.read(root)
    equal = Equalities(values, bodies.defaults, found, made, left_out)
    equal.read(root)
    joints = [_driven(joint, drives) for joint in equal.applied()]
    document = _document(root.get("model") or path.stem, made, joints, values.problems, str(path), mimic)
    passive = _passive(joints, drives, equal)
    free = {joint.name for joint in joints if joint.moves and joint.mimic is None}
    positions = _positions(root, found, values, free) if equal.closing else {}
    left_out["keyframe"] += max(0, len(root.findall("keyframe/key")) - bool(positions))
    if values.problems:
        raise RobotError(values.problems, str(path))
    closing = Loops(tuple(equal.closing), frozenset(passive), positions, str(path))
    robot = robot_of(document, closing, mimic=mimic, snap=snap)
    _say(path, left_out)
    values.doubts += [*weightless(found), *impossible_parts(found), *odd_numbers(root)]
    values.warn_of_doubts(path)
    warn_of_unknown(path, "MJCF", unknown)
    return _placed(robot, made, values.settings.gravity, floating).replace(source=path.name)


def _sections(root: ET.Element) -> Counter[str]:
    """What the file says and a robot does not, by kind."""
    left_out: Counter[str] = Counter()
    for section in root:
        if section.tag in READ:
            continue
        if section.tag in SHOWN:
            left_out[f"section {section.tag}"] += 1
            continue
        for element in section:
            left_out[f"{section.tag} ({element.tag})"] += 1
    for option in root.iterfind("option"):
        left_out["fluid around the robot"] += any(option.get(key, "0").strip("0.") for key in FLUID)
    return left_out


def _closed(root: ET.Element) -> bool:
    """Whether there are constraints that close loops: joints of several axes do not move in them."""
    constraints = [*root.iterfind("equality/connect"), *root.iterfind("equality/weld")]
    return any(element.get("active", "true") == "true" for element in constraints)


def _driven(joint: UrdfJoint, drives: DriveReader) -> UrdfJoint:
    """A joint with its actuators: gear, strength, rotor."""
    drive = drives.drives.get(joint.name)
    if drive is None:
        return joint
    efforts = [effort for effort in (joint.limits.effort, drive.effort) if effort is not None]
    return replace(
        joint,
        limits=replace(joint.limits, effort=min(efforts) if efforts else None),
        ratio=drive.ratio,
        armature=joint.armature + drive.armature,
        damping=joint.damping + drive.damping,
    )


def _document(
    name: str, made: Links, joints: list[UrdfJoint], problems: list[Problem], source: str, mimic: bool
) -> Document:
    document = checked_tree(name, made.links, joints, problems, source, mimic)
    links = {link: inertial for link, inertial in document.links.items() if link not in made.between}
    return replace(document, root=made.root, links=links, floating=made.floating)


def _passive(joints: list[UrdfJoint], drives: DriveReader, equal: Equalities) -> set[str]:
    """Joints without an actuator, where any joint has one; in a file without actuators every joint is driven."""
    independent = {joint.name for joint in joints if joint.moves and joint.mimic is None}
    idle = independent - drives.driven - equal.passive
    return equal.passive | (idle if drives.driven & independent else set())


def _positions(root: ET.Element, found: Bodies, values: Values, free: set[str]) -> Mapping[str, float]:
    """Where the independent joints of a robot with loops are: as the first keyframe says, else where the file puts them."""
    key = root.find("keyframe/key")
    text = "" if key is None else key.get("qpos", "")
    if not text.strip():
        return {joint.name: joint.ref for joint in found.joints() if joint.name in free}
    lengths = {FREE: 7, BALL: 4}
    qpos = values.vector("key, qpos", text, sum(lengths.get(joint.kind, 1) for joint in found.joints()))
    positions, at = {}, 0
    for joint in found.joints():
        if joint.name in free:
            positions[joint.name] = float(qpos[at])
        at += lengths.get(joint.kind, 1)
    return positions


def _say(path: Path, left_out: Counter[str]) -> None:
    """One warning for all that was left out."""
    listed = [f"{count} x {what}" if count > 1 else what for what, count in left_out.items() if count]
    if listed:
        warn(RobotWarning(f"{path}: a robot has no place for: {', '.join(listed)}"), stacklevel=4)


def _placed(robot: Robot, made: Links, gravity: tuple[float, float, float], floating: bool) -> Robot:
    """The base in the world, and gravity in the axes of the base."""
    Z: Array = np.eye(4) if floating else made.location  # a free base is anywhere
    g = Z[:3, :3].T @ gravity
    x, y, z = (number(float(one) + 0.0) for one in g)
    location = tuple(number(float(entry) + 0.0) for entry in Z.ravel())
    base = replace(robot.base, location=location, floating=floating or made.floating)
    return robot.replace(gravity=(x, y, z), base=base)
