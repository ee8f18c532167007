"""SDF, the XML of Gazebo (SDFormat): the robot of a model of links and joints.

Poses of links, joints and frames are given with respect to one another (``relative_to``); they are resolved to poses in the model
first. From there the links and joints (``sdf_joints``) are those of a URDF. A joint that is not where its child's frame is gets a link of its
own between, which carries nothing. ``docs/urdf.md`` has the rules.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..expr import number
from ..notices import warn
from ..robot import Problem, Robot, RobotError, RobotWarning
from .mdh import SNAP, Array, Tolerance, inverse, pose, rotation_x, rotation_y, rotation_z
from .sdf_joints import MORE, Axes
from .urdf import robot_of
from .urdf_loops import Loops
from .urdf_read import DEEPEST, INERTIA_ENTRIES
from .urdf_schema import SDF
from .urdf_tree import Inertial, Names, UrdfJoint, checked_tree
from .xml_read import Numbers, root_element, shown, words
from .xml_schema import checked_elements, warn_of_unknown

MODEL, WORLD = "__model__", "world"
KINDS = ("revolute", "prismatic", "continuous", "fixed", "ball", "universal", "revolute2", "screw")
REFUSED = {"gearbox": "a <mimic> of its joint"}
SHOWN = ("visual", "collision", "sensor", "light", "audio_source", "projector", "particle_emitter", "battery")
FLAGS = (
    "self_collide",
    "gravity",
    "kinematic",
    "enable_wind",
    "allow_auto_disable",
    "velocity_decay",
    "must_be_base_link",
)
# Flags of links and models that change how they move, when they say this.
TRUE = ("true", "1")
UNUSUAL = {"gravity": ("false", "0"), "kinematic": TRUE, "static": TRUE}
READ = {
    "model": ("link", "joint", "frame", "pose", "static"),
    "link": ("pose", "inertial"),
    "joint": ("pose", "parent", "child", "axis"),
}


def read(
    path: str | Path,
    *,
    floating: bool = False,
    mimic: bool = True,
    snap: float = SNAP,
    text: bytes | None = None,
) -> Robot:
    """The robot of an SDF file with one model, or of a ``text``, of which the path is only the name; the options are those of ``urdf.read``."""
    path = Path(path)
    source = str(path)
    root = root_element(path, source, ("sdf",), "an SDF file", DEEPEST, text)
    model, gravity = _model(root, source)
    reader = _Reader(model, Tolerance(snap), _version(root, source))
    unknown = checked_elements(root, "sdf", SDF, reader.report)
    joints = reader.joints()
    links = {**reader.links(), **dict.fromkeys(reader.between)}
    document = checked_tree(model.get("name") or path.stem, links, joints, reader.problems, source, mimic)
    document = replace(document, links={k: v for k, v in document.links.items() if k not in reader.between})
    robot = robot_of(document, Loops(), mimic=mimic, snap=snap)
    listed = [f"{count} x {what}" if count > 1 else what for what, count in reader.left_out.items() if count]
    if listed:
        warn(RobotWarning(f"{source}: a robot has no place for: {', '.join(listed)}"), stacklevel=3)
    reader.warn_of_doubts(path)
    warn_of_unknown(path, "SDF", unknown)
    x, y, z = (number(float(g)) for g in (gravity if floating else reader.of_base(document.root, gravity)))
    return robot.replace(gravity=(x, y, z), base=replace(robot.base, floating=floating), source=path.name)


def _model(root: ET.Element, source: str) -> tuple[ET.Element, Array]:
    """The one model of a file, or of its world, and gravity there."""
    worlds = root.findall("world")
    found = [*root.findall("model"), *(model for world in worlds for model in world.findall("model"))]
    if len(found) != 1:
        names = ", ".join(shown(model.get("name")) for model in found[:8])
        raise RobotError(
            [Problem("model", f"expected one <model>, got {len(found)}{': ' if names else ''}{names}")], source
        )
    numbers = Numbers()
    texts = [world.findtext("gravity") for world in worlds]
    gravity = numbers.three("gravity", texts[0] or "") if texts and texts[0] else np.array([0.0, 0.0, -9.81])
    problems = list(numbers.problems)
    for tag, why in (("include", "another file"), ("model", "a model in a model")):
        if found[0].find(tag) is not None:
            problems.append(Problem(f"<{tag}>", f"{why} is not read: write it out in one model (gz sdf -p does)"))
    if problems:
        raise RobotError(problems, source)
    return found[0], gravity


def _version(root: ET.Element, source: str) -> tuple[int, ...]:
    """(1, 7) of version="1.7"; the newest where nothing is said."""
    parts = (root.get("version") or "").strip().split(".")
    if parts == [""]:
        return (1, 12)
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise RobotError([Problem("version", f"got {shown(root.get('version'))}, expected such as 1.7")], source)
    return tuple(map(int, parts))


@dataclass(frozen=True)
class _Placed:
    """A pose as the file gives it: with respect to a frame by name."""

    pose: Array
    to: str


class _Reader(Numbers):
    def __init__(self, model: ET.Element, tolerance: Tolerance, version: tuple[int, ...]) -> None:
        super().__init__()
        self.model, self.tolerance, self.version = model, tolerance, version
        self.left_out: Counter[str] = Counter()
        self.between: set[str] = set()
        self.taken: dict[str, str] = {}
        self.named: dict[str, dict[str, ET.Element]] = {tag: self._elements(tag) for tag in ("link", "joint", "frame")}
        self.names = Names([*(name for own in self.named.values() for name in own), WORLD])
        self.placed = self._placements()
        self.axes = Axes(self, self.names, self.left_out, tolerance.snap, self._in_joint)
        self._count()

    def _elements(self, tag: str) -> dict[str, ET.Element]:
        found: dict[str, ET.Element] = {}
        for k, element in enumerate(self.model.findall(tag), 1):
            name = element.get("name") or ""
            if not name or name in found or name in (WORLD, MODEL):
                self.report(f"{tag} {k}", f"expected a name of its own, got {shown(name)}")
            elif name in self.taken:  # as files before 1.7 may: a pose with respect to it would have two meanings
                self.report(f"{tag} '{name}'", f"expected a name of its own: a {self.taken[name]} has it too")
            else:
                found[name], self.taken[name] = element, tag
        if tag == "link" and not found:
            self.report("", "there is no <link>")
        return found

    def _count(self) -> None:
        """What has no place in a robot."""
        elements = [("model", self.model), *((tag, e) for tag in ("link", "joint") for e in self.named[tag].values())]
        for kind, element in elements:
            for child in element:
                if child.tag not in (*READ[kind], *MORE.get(element.get("type", ""), ()), *SHOWN, *FLAGS):
                    self.left_out[f"<{child.tag}> of a {kind}"] += 1
                elif child.tag in UNUSUAL and (child.text or "").strip().lower() in UNUSUAL[child.tag]:
                    self.left_out[f"<{child.tag}>{(child.text or '').strip()}</{child.tag}> of a {kind}"] += 1
        own = self._pose("model", self.model)
        self.left_out["pose of the model in the world"] += not np.allclose(own, np.eye(4))

    # --- poses -------------------------------------------------------------------------------------------------------

    def _pose(self, where: str, element: ET.Element) -> Array:
        """[R p; 0 1] of <pose>x y z roll pitch yaw</pose>."""
        tag = element.find("pose")
        if tag is None or not (tag.text or "").strip():
            return np.eye(4)
        parts = words(tag.text or "")
        form = tag.get("rotation_format", "euler_rpy")
        if form != "euler_rpy" or len(parts) != 6:
            self.report(f"{where}, pose", f"expected x y z roll pitch yaw, got {shown(tag.text)} ({form})")
            return np.eye(4)
        x, y, z, *angles = (self.number(f"{where}, pose", word) for word in parts)
        if (tag.get("degrees") or "").strip().lower() in TRUE:
            angles = [float(np.radians(angle)) for angle in angles]
        roll, pitch, yaw = (self.tolerance.angle(angle) for angle in angles)
        return pose(rotation_z(yaw) @ rotation_y(pitch) @ rotation_x(roll), np.array([x, y, z]))

    def _placements(self) -> Mapping[str, _Placed]:
        """Of links in the model, of joints in their child, of frames in what they are attached to, unless the file says otherwise."""
        found: dict[str, _Placed] = {}
        for tag, elements in self.named.items():
            for name, element in elements.items():
                usual = MODEL
                if tag == "joint":
                    usual = (element.findtext("child") or "").strip() or MODEL
                elif tag == "frame":
                    usual = element.get("attached_to") or MODEL
                own = element.find("pose")
                word = "relative_to" if self.version >= (1, 7) else "frame"
                to = (own.get("relative_to") or own.get(word) if own is not None else None) or usual
                found[name] = _Placed(self._pose(f"{tag} '{name}'", element), to)
        return found

    def at(self, name: str, where: str) -> Array:
        """The pose of a link, joint or frame in the model."""
        T, seen = np.eye(4), {name}
        while name not in (MODEL, WORLD):
            if name not in self.placed:
                self.report(where, f"there is no frame {shown(name)}")
                return np.eye(4)
            T, name = self.placed[name].pose @ T, self.placed[name].to
            if name in seen:
                self.report(where, f"the poses lead in a circle through {shown(name)}")
                return np.eye(4)
            seen.add(name)
        return T

    def _in_joint(self, joint: str, axis: ET.Element, where: str, direction: Array) -> Array:
        """The direction of an axis, which may be in any frame, in the axes of its joint."""
        tag = axis.find("xyz")
        to = tag.get("expressed_in") if tag is not None else None
        # Before 1.7 an axis might be in the axes of the model, and before 1.5 it always was.
        usual = "true" if self.version < (1, 5) else "false"
        if axis.findtext("use_parent_model_frame", usual).strip().lower() in TRUE:
            to = to or MODEL
        if not to:
            return direction
        return np.array((inverse(self.at(joint, where)) @ self.at(to, where))[:3, :3] @ direction)

    def of_base(self, root: str, gravity: Array) -> Array:
        """Gravity of the world in the axes of the root link, or of the model where that is the world's."""
        R = self._pose("model", self.model)[:3, :3] @ self.at(root, "")[:3, :3]
        turned: Array = R.T @ gravity
        return np.where(np.abs(turned) <= self.tolerance.snap * np.linalg.norm(gravity), 0.0, turned)

    # --- links and joints --------------------------------------------------------------------------------------------

    def links(self) -> dict[str, Inertial | None]:
        joints = self.named["joint"].values()
        on_world = any((joint.findtext("parent") or "").strip() == WORLD for joint in joints)
        found: dict[str, Inertial | None] = {WORLD: None} if on_world else {}
        for name, element in self.named["link"].items():
            tag = element.find("inertial")
            found[name] = self._inertial(f"link '{name}', inertial", tag) if tag is not None else UNIT
        return found

    def _inertial(self, where: str, element: ET.Element) -> Inertial:
        if element.get("auto", "false").strip().lower() in TRUE:
            self.report(where, "auto makes it of shapes and densities, which are not read: expected mass and inertia")
        T = self._pose(where, element)
        mass = self.number(f"{where}, mass", element.findtext("mass", "1").strip())
        tag = element.find("inertia")
        usual = {"ixx": "1", "iyy": "1", "izz": "1"}
        xx, xy, xz, yy, yz, zz = (
            self.number(f"{where}, {e}", (tag.findtext(e) if tag is not None else None) or usual.get(e, "0"))
            for e in INERTIA_ENTRIES
        )
        R = T[:3, :3]
        return Inertial(mass, T[:3, 3], R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T)

    def joints(self) -> list[UrdfJoint]:
        made: list[UrdfJoint] = []
        for name, element in self.named["joint"].items():
            made += self._joint(name, element)
        return made

    def _joint(self, name: str, element: ET.Element) -> list[UrdfJoint]:
        where = f"joint '{name}'"
        kind = element.get("type") or ""
        if kind not in KINDS:
            instead = f": expected {REFUSED[kind]}" if kind in REFUSED else ""
            self.report(f"{where}, type", f"got {shown(kind)}{instead} (known: {', '.join(KINDS)})")
        parent, child = ((element.findtext(tag) or "").strip() for tag in ("parent", "child"))
        joint, own, carrier = (
            self.at(name, where),
            self.at(child, f"{where}, child"),
            self.at(parent, f"{where}, parent"),
        )
        if kind == "ball":  # its speeds are in the axes of the child
            joint = pose(own[:3, :3], joint[:3, 3])
        to_child = inverse(joint) @ own
        if child not in self.named["link"]:
            self.report(f"{where}, child", f"there is no link {shown(child)}")
        if parent not in (*self.named["link"], WORLD):
            self.report(f"{where}, parent", f"there is no link {shown(parent)}")
        apart = kind != "fixed" and not np.allclose(to_child, np.eye(4), rtol=0, atol=1e-12)
        link = self.names.new(f"{name}_link") if apart else child
        origin = inverse(carrier) @ (joint if apart else own)
        made = self.axes.joints(element, UrdfJoint(name, kind, parent, link, origin, np.array([0.0, 0.0, 1.0])))
        self.between |= {one.child for one in made} - {child}
        if apart:
            fixed = self.names.new(f"{child}_fixed")
            made.append(UrdfJoint(fixed, "fixed", link, child, to_child, np.array([0.0, 0.0, 1.0])))
        return made


UNIT = Inertial(1.0, np.zeros(3), np.eye(3))  # of a link that says nothing (SDFormat's defaults)
