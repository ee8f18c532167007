"""The XML of a URDF file as plain data: links and joints of a tree, or every problem of the file at once.

Nothing here knows about frames and their parameters; ``urdf.py`` makes the robot.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..expr import number
from ..notices import warn
from ..robot import Limits, RobotWarning
from ..robot.joints import Free, JointKind, Planar
from ..robot.physics import orthonormal
from ..spatial.floats import quaternion_rotations
from .mdh import Array, Tolerance, pose, rotation_x, rotation_y, rotation_z, shortest_turn
from .urdf_extras import driven, refuse_xacro
from .urdf_schema import URDF
from .urdf_tree import MOVING, Document, Inertial, MimicTag, UrdfJoint, checked_tree
from .xml_read import LARGEST_NUMBER, Numbers, root_element, shown, words
from .xml_schema import checked_elements, warn_of_unknown

DEEPEST = 100  # a URDF needs 5 levels
VERSIONS = ("1.0", "1.1", "1.2")
GRAVITY = (number(0), number(0), number(-9.81))  # URDF has none; z is up by its conventions (REP 103)
UNLIMITED = 1e9  # a limit this wide is none; the writer puts it where other parsers demand a number

COMPOUND: dict[str, JointKind] = {"planar": Planar(), "floating": Free()}
JOINT_TYPES = (*MOVING, "fixed", *COMPOUND)
INERTIA_ENTRIES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


def read_document(path: Path, tolerance: Tolerance, mimic: bool = True, text: bytes | None = None) -> Document:
    """The file's links and joints; a RobotError with all its problems otherwise."""
    source = str(path)
    root = root_element(path, source, ("robot",), "a URDF", DEEPEST, text)
    name = (root.get("name") or "").strip()
    refuse_xacro(root, source)
    reader = _Reader(tolerance, root.get("version") or VERSIONS[0])
    unknown = checked_elements(root, "robot", URDF, reader.report)
    links = reader.links(root)
    joints, left_out = driven(root, reader.joints(root), reader)
    document = checked_tree(name or path.stem, links, joints, reader.problems, source, mimic)
    if left_out:
        warn(RobotWarning(f"{source}: a robot has no place for: {', '.join(left_out)}"), stacklevel=3)
    if not name:
        warn(RobotWarning(f"{source}: <robot> has no name, '{document.name}' is used"), stacklevel=3)
    reader.warn_of_doubts(path)
    warn_of_unknown(path, "URDF", unknown)
    return document


def rotation_of_origin(numbers: Numbers, where: str, tag: ET.Element, version: str) -> Array:
    """The rotation of quat_xyzw, which URDF has since its version 1.1."""
    parts = words(tag.get("quat_xyzw") or "")
    x, y, z, w = [numbers.number(f"{where} quat_xyzw", part) for part in parts] if len(parts) == 4 else [0.0] * 4
    if "rpy" in tag.attrib or version == VERSIONS[0]:
        beside = "rpy beside it" if "rpy" in tag.attrib else f"version {VERSIONS[0]} of <robot>"
        numbers.report(where, f"expected quat_xyzw alone, from version {VERSIONS[1]} on, got {beside}")
    if not any((x, y, z, w)):
        numbers.report(f"{where} quat_xyzw", f"expected a quaternion x y z w, got {shown(tag.get('quat_xyzw'))}")
        return np.eye(3)
    return quaternion_rotations(np.array([x, y, z, w]))


# --- links and joints ------------------------------------------------------------------------------------------------


class _Reader(Numbers):
    """Reads elements and collects what is wrong with them; a wrong value is replaced so that reading goes on."""

    def __init__(self, tolerance: Tolerance, version: str) -> None:
        super().__init__()
        self.tolerance, self.version = tolerance, version
        if version not in VERSIONS:
            self.doubts.append(f"robot, version: expected one of {', '.join(VERSIONS)}, got {shown(version)}")

    def links(self, root: ET.Element) -> dict[str, Inertial | None]:
        links: dict[str, Inertial | None] = {}
        for name, element in self._named(root, "link"):
            tag = element.find("inertial")
            links[name] = None if tag is None else self._inertial(f"link '{name}', inertial", tag)
        if not links:
            self.report("", "there is no <link>")
        return links

    def joints(self, root: ET.Element) -> list[UrdfJoint]:
        return [self._joint(name, element) for name, element in self._named(root, "joint")]

    def _named(self, root: ET.Element, tag: str) -> Iterable[tuple[str, ET.Element]]:
        """The elements with their names, each name once."""
        seen: set[str] = set()
        for i, element in enumerate(root.findall(tag), 1):
            name = element.get("name") or ""
            if not name.strip():
                self.report(f"{tag} {i}", f"<{tag}> has no name")
            elif name in seen:
                self.report(f"{tag} '{name}'", f"two <{tag}> have this name")
            else:
                seen.add(name)
                yield name, element

    def _inertial(self, where: str, element: ET.Element) -> Inertial:
        origin = self._origin(where, element)
        mass = self._attribute(where, element, "mass", "value")
        tag = element.find("inertia")
        if tag is None:
            self.doubts.append(f"{where}: there is no <inertia>, the mass is taken as a point")
        entries = [0.0] * 6 if tag is None else [self.number(f"{where}, {e}", tag.get(e)) for e in INERTIA_ENTRIES]
        xx, xy, xz, yy, yz, zz = entries
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        rotation = origin[:3, :3]
        return Inertial(mass, origin[:3, 3], rotation @ inertia @ rotation.T)

    def _joint(self, name: str, element: ET.Element) -> UrdfJoint:
        where = f"joint '{name}'"
        kind = element.get("type") or ""
        if kind not in JOINT_TYPES:
            self.report(f"{where}, type", f"expected one of {', '.join(JOINT_TYPES)}, got '{kind}'")
        joint = UrdfJoint(
            name,
            kind,
            self._link_of(where, element, "parent"),
            self._link_of(where, element, "child"),
            self._origin(where, element),
            self._axis(where, element) if kind in (*MOVING, "planar") else np.array([1.0, 0.0, 0.0]),
        )
        if kind in COMPOUND:
            return self._compound(where, element, joint)
        if not joint.moves:
            return joint
        return replace(
            joint,
            limits=self._limits(where, element, kind),
            damping=self._friction(where, element, "damping"),
            friction=self._friction(where, element, "friction"),
            mimic=self._mimic(where, element),
        )

    def _compound(self, where: str, element: ET.Element, joint: UrdfJoint) -> UrdfJoint:
        """A planar joint, which moves across its axis, or a floating one."""
        for tag in ("limit", "dynamics", "mimic"):
            found = element.find(tag)
            if found is not None and any(value.strip() not in ("0", "0.0") for value in found.attrib.values()):
                self.doubts.append(f"{where}, {tag}: a {joint.kind} joint has no place for it")
        turned = shortest_turn(joint.axis) if joint.kind == "planar" else np.eye(3)
        return replace(joint, compound=COMPOUND[joint.kind], turned=turned)

    def _link_of(self, where: str, element: ET.Element, tag: str) -> str:
        found = element.find(tag)
        name = "" if found is None else found.get("link") or ""
        if not name:
            self.report(where, f'there is no <{tag} link="...">')
        return name

    def _origin(self, where: str, element: ET.Element) -> Array:
        """[R p; 0 1] with R = Rz(yaw) Ry(pitch) Rx(roll)."""
        tag = element.find("origin")
        if tag is None:
            return np.eye(4)
        xyz = self.three(f"{where}, origin xyz", tag.get("xyz", "0 0 0"))
        if "quat_xyzw" in tag.attrib:
            R = rotation_of_origin(self, f"{where}, origin", tag, self.version)
            return pose(orthonormal(np.where(np.abs(R) <= self.tolerance.snap, 0.0, R)), xyz)
        angles = self.three(f"{where}, origin rpy", tag.get("rpy", "0 0 0"))
        roll, pitch, yaw = (self.tolerance.angle(float(angle)) for angle in angles)
        return pose(rotation_z(yaw) @ rotation_y(pitch) @ rotation_x(roll), xyz)

    def _axis(self, where: str, element: ET.Element) -> Array:
        tag = element.find("axis")
        axis = self.three(f"{where}, axis", "1 0 0" if tag is None else tag.get("xyz", "1 0 0"))
        largest = np.abs(axis).max()
        if largest == 0:
            self.report(f"{where}, axis", "the axis is zero, expected a direction")
            return np.array([1.0, 0.0, 0.0])
        axis = axis / largest
        axis[np.abs(axis) <= self.tolerance.snap] = 0.0
        return np.array(axis / np.linalg.norm(axis))

    def _limits(self, where: str, element: ET.Element, kind: str) -> Limits:
        tag = element.find("limit")
        if tag is None:
            return Limits()
        given = {key: tag.get(key) for key in ("lower", "upper", "velocity", "effort")}
        if kind == "continuous":
            given["lower"] = given["upper"] = None
        elif given["lower"] is not None or given["upper"] is not None:  # one alone: the other is 0 (URDF's default)
            given.update({key: "0" for key in ("lower", "upper") if given[key] is None})
        values = {key: self._limit(f"{where}, limit {key}", text) for key, text in given.items()}
        for key in ("velocity", "effort"):
            self.doubt_negative(f"{where}, limit {key}", values[key] or 0.0)
        changes = {key: self._limit(f"{where}, limit {key}", tag.get(key)) for key in ("acceleration", "jerk")}
        return Limits(**values, **{key: value or None for key, value in changes.items()})  # 0: not known

    def _limit(self, where: str, text: str | None) -> float | None:
        if text is None:
            return None
        value = self.number(where, text, largest=math.inf)
        return None if abs(value) >= UNLIMITED else value

    def _mimic(self, where: str, element: ET.Element) -> MimicTag | None:
        tag = element.find("mimic")
        if tag is None:
            return None
        multiplier = self.number(f"{where}, mimic multiplier", tag.get("multiplier", "1"))
        offset = self.number(f"{where}, mimic offset", tag.get("offset", "0"))
        return MimicTag(tag.get("joint") or "", multiplier, offset)

    def number(self, where: str, text: str | None, largest: float = LARGEST_NUMBER) -> float:
        """A number; blanks after it are doubtful, as urdfdom then drops the element."""
        if text is not None and text.strip() and text != text.rstrip():
            self.doubts.append(f"{where}: blanks after the number {shown(text)}, which urdfdom refuses")
        return super().number(where, text, largest)

    def _friction(self, where: str, element: ET.Element, key: str) -> float:
        value = self._attribute(where, element, "dynamics", key, 0.0)
        return self.doubt_negative(f"{where}, dynamics {key}", value)

    # Numbers.

    def _attribute(self, where: str, element: ET.Element, tag: str, key: str, default: float | None = None) -> float:
        found = element.find(tag)
        text = None if found is None else found.get(key)
        if text is None and default is not None:
            return default
        return self.number(f"{where}, {tag} {key}", text)
