"""The bodies of an MJCF file as plain data: where they are, their joints, inertia and sites; and what is left out.

Coordinates and names are resolved here: <frame> elements, classes of defaults, units. ``mjcf_links`` makes links and joints.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from ..robot import Limits
from ..robot.physics import impossible
from .mdh import Array
from .mjcf_geoms import LIGHTEST, Shape, compiled, given_inertia, lumped
from .mjcf_geoms import TYPES as SHAPES
from .mjcf_schema import TABLE
from .mjcf_values import Values
from .mjcf_xml import Defaults
from .urdf_tree import Inertial, Names
from .xml_read import shown, words

WORLD = "world"
HINGE, SLIDE, BALL, FREE = "hinge", "slide", "ball", "free"
TYPES = (HINGE, SLIDE, BALL, FREE)
UNLIMITED = 1e9
SMALLEST = 1e-15  # mass and moments of a body that moves
MADE = ("replicate", "composite", "flexcomp", "attach")  # make bodies of their own: MuJoCo writes them out


@dataclass(frozen=True)
class MjJoint:
    """``pos`` and ``axis`` are in the body's frame where the file puts it, which is where the position is ``ref``."""

    name: str
    kind: str
    pos: Array
    axis: Array
    ref: float = 0.0
    limits: Limits = field(default_factory=Limits)
    damping: float = 0.0
    friction: float = 0.0
    armature: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0


@dataclass
class MjBody:
    """``pose`` is that in its parent, ``at`` that in the world, both where all joints are at ``ref``."""

    name: str
    parent: str
    pose: Array
    at: Array
    joints: list[MjJoint] = field(default_factory=list)
    inertial: Inertial | None = None
    mocap: bool = False
    moves: bool = False


@dataclass
class Bodies:
    """All bodies by name, the world first, parents before children, in MuJoCo's order; sites with their bodies and poses."""

    bodies: dict[str, MjBody]
    sites: dict[str, tuple[str, Array]]

    def joints(self) -> Iterator[MjJoint]:
        for body in self.bodies.values():
            yield from body.joints


class BodyReader:
    """Walks through <worldbody>; ``left_out`` counts what has no place in a robot."""

    def __init__(self, values: Values, defaults: Defaults, left_out: Counter[str], floating: bool = False) -> None:
        self.floating = floating  # whether the whole is freed later
        self.values, self.defaults, self.left_out = values, defaults, left_out
        self.found = Bodies({WORLD: MjBody(WORLD, "", np.eye(4), np.eye(4))}, {})
        self.taken: dict[str, set[str]] = {"body": {WORLD}}
        self.parts: dict[str, list[Inertial]] = {}

    def read(self, root: ET.Element) -> Bodies:
        self._reserve(root)
        waiting: list[tuple[ET.Element, Array, str, str]] = []
        for section in root.iterfind("worldbody"):
            own = self._contents(section, WORLD, "")
            self._inertia(WORLD, self.found.bodies[WORLD])
            waiting = [*reversed(own), *waiting]
        while waiting:  # depth first, as MuJoCo numbers bodies and joints
            element, around, childclass, parent = waiting.pop()
            waiting += reversed(self._body(element, around, childclass, parent))
        given = {name: (body.inertial, body.pose) for name, body in self.found.bodies.items() if name != WORLD}
        for name, inertial in compiled(given, self.values.settings).items():
            self.found.bodies[name].inertial = inertial
        return self.found

    def _reserve(self, root: ET.Element) -> None:
        """Names that the file gives are not invented for something else."""
        worlds = list(root.iterfind("worldbody"))
        given = {tag: {e.get("name") or "" for world in worlds for e in world.iter(tag)} for tag in ("body", "joint")}
        self.names = {tag: Names(given[tag] | {WORLD}) for tag in given}

    def _name(self, element: ET.Element, kind: str, wanted: str) -> str:
        """The element's name, once; a new one if it has none."""
        name = element.get("name") or ""
        if not name:
            return self.names[kind].new(wanted)
        return name if self.once(kind, name) else self.names[kind].new(name)

    def once(self, kind: str, name: str) -> bool:
        """Whether no other element of this kind has the name, which is reported."""
        taken = self.taken.setdefault(kind, set())
        again = name in taken
        if again:
            self.values.report(f"{kind} '{name}'", f"two {kind} elements have this name")
        taken.add(name)
        return not again

    def _body(self, element: ET.Element, around: Array, childclass: str, parent: str) -> list[_Waiting]:
        name = self._name(element, "body", f"body{len(self.found.bodies)}")
        where = f"body '{name}'"
        pose = around @ self.values.pose(where, element.attrib)
        mocap = self.values.truth(f"{where}, mocap", element.get("mocap", "false"))
        body = MjBody(name, parent, pose, self.found.bodies[parent].at @ pose, mocap=mocap)
        self.found.bodies[name] = body
        self.left_out["body moved from outside (mocap)"] += mocap
        if self.values.number(f"{where}, gravcomp", element.get("gravcomp", "0")):
            self.left_out["gravity compensation of a body (gravcomp)"] += 1
        children = self._contents(element, name, element.get("childclass") or childclass)
        body.moves = self.floating or self.found.bodies[parent].moves or bool(body.joints)
        self._inertia(where, body)
        return children

    def _inertia(self, where: str, body: MjBody) -> None:
        """What is given counts, unless <compiler> says that shapes do; without it the shapes do, unless it says no. Where no shape
        has mass, what is given counts in any case."""
        use = self.values.settings.inertiafromgeom
        shapes = [Shape(f"{where}, geom {k}", given, around) for k, (given, around) in enumerate(self.shapes, 1)]
        given = use == "false" or (use == "auto" and body.inertial is not None) or body.name == WORLD
        heavy = []
        for shape in shapes:
            if shape.counts(self.values) and not given:
                heavy.append(shape)
            else:
                shape.read(self.values)
        unknown = [shape for shape in heavy if shape.unknown]
        if unknown and not body.moves:  # its mass acts on nothing
            self.left_out["mass of a body that does not move"] += 1
            body.inertial = None
            return
        for shape in unknown:
            self.values.report(shape.where, shape.unknown)
        parts = [shape.inertia(self.values) for shape in heavy if not shape.unknown]
        body.inertial = lumped(part for part in parts if part.mass > LIGHTEST) or body.inertial

    def _contents(self, element: ET.Element, name: str, childclass: str) -> list[_Waiting]:
        """Joints, sites, inertia and shapes of one body, those in its <frame> elements included; its child bodies."""
        body, where = self.found.bodies[name], f"body '{name}'"
        self.shapes: list[tuple[Mapping[str, str], Array]] = []
        children: list[_Waiting] = []
        rest = [(child, np.eye(4), childclass) for child in reversed(element)]
        while rest:
            child, around, own = rest.pop()
            tag = child.tag
            if tag == "frame":
                inner = around @ self.values.pose(f"{where}, frame", child.attrib)
                rest += [(one, inner, child.get("childclass") or own) for one in reversed(child)]
            elif tag == "body":
                children.append((child, around, own, name))
            elif tag in ("joint", "freejoint"):
                self._joint(child, around, own, body)
            elif tag == "inertial":
                if name == WORLD or body.inertial is not None:
                    allowed = "none, it does not move" if name == WORLD else "one"
                    self.values.report(f"{where}, inertial", f"expected {allowed}, got {'one' if name == WORLD else 2}")
                body.inertial = given_inertia(self.values, f"{where}, inertial", child.attrib, around)
            elif tag == "geom":
                self._geom(child, around, own, where)
            elif tag == "site":
                self._site(child, around, own, name)
            elif tag in MADE:
                message = f"<{tag}> is not read: have MuJoCo write the model out (mj_saveLastXML) and read that"
                self.values.report(where, message)
            elif tag in TABLE["body"].kinds:
                self.left_out[str(tag)] += 1
        return children

    def _geom(self, element: ET.Element, around: Array, childclass: str, where: str) -> None:
        name = element.get("name")
        where = f"geom '{name}'" if name else f"{where}, geom"
        given = self.defaults.of(element, where, childclass)
        self.values.one_of(where, given, "type", SHAPES)
        if name:
            self.once("geom", name)
        self.shapes.append((given, around))
        self.left_out["geom (its shape)"] += 1

    def _site(self, element: ET.Element, around: Array, childclass: str, body: str) -> None:
        name = element.get("name") or ""
        where = f"site '{name}'"
        given = self.defaults.of(element, where, childclass)
        self.left_out["site"] += 1
        if name and self.once("site", name) and "fromto" not in given:
            self.found.sites[name] = (body, around @ self.values.pose(where, given))

    # --- joints ------------------------------------------------------------------------------------------------------

    def _joint(self, element: ET.Element, around: Array, childclass: str, body: MjBody) -> None:
        several = "" if not body.joints else str(len(body.joints) + 1)
        name = self._name(element, "joint", f"{body.name}_joint{several}")
        where, values = f"joint '{name}'", self.values
        if body.name == WORLD:
            values.report(where, "the world has no joint")
            return
        if element.tag == "freejoint":
            align = values.one_of(where, element.attrib, "align", ("auto", "false", "true"))
            if align == "true" or (align == "auto" and values.settings.alignfree):
                self.left_out["frame of a free body at its centre of mass (align)"] += 1
            body.joints.append(MjJoint(name, FREE, np.zeros(3), np.zeros(3)))
            return
        given = self.defaults.of(element, where, childclass)
        kind = values.one_of(where, given, "type", TYPES)
        pos = around[:3, :3] @ values.three(f"{where}, pos", given.get("pos", "0 0 0")) + around[:3, 3]
        axis = around[:3, :3] @ values.direction(f"{where}, axis", given.get("axis", "0 0 1"))
        if kind in (BALL, FREE):
            body.joints.append(MjJoint(name, kind, pos, axis))
            for key in ("damping", "frictionloss", "armature", "stiffness"):
                if values.first(where, given, key)[0]:
                    self.left_out[f"{key} of a {kind} joint"] += 1
            if self.range(where, given, "limited", "range") is not None:
                self.left_out[f"range of a {kind} joint"] += 1
            return
        body.joints.append(self._moved(where, given, MjJoint(name, kind, pos, axis)))

    def _moved(self, where: str, given: Mapping[str, str], joint: MjJoint) -> MjJoint:
        """A hinge or slide with all that its attributes say."""
        unit = self.values.angle if joint.kind == HINGE else float
        numbers = {}
        for key in ("damping", "frictionloss", "armature", "stiffness", "ref", "springref"):
            numbers[key], more = self.values.first(where, given, key)
            self.left_out[f"{key} that is not linear"] += more
        for key in ("armature", "frictionloss"):
            numbers[key] = self.values.not_negative(f"{where}, {key}", numbers[key])
        self.values.doubt_negative(f"{where}, damping", numbers["damping"])
        for key in ("springdamper", "springyield"):
            if any(self.values.number(f"{where}, {key}", text) for text in words(given.get(key, ""))):
                self.left_out[f"{key} of a joint"] += 1
        if self.values.truth(f"{where}, actuatorgravcomp", given.get("actuatorgravcomp", "false")):
            self.left_out["gravity compensation of a joint (actuatorgravcomp)"] += 1
        lower = upper = effort = None
        ends = self.range(where, given, "limited", "range")
        if ends is not None:
            lower, upper = (_bound(unit(float(one))) for one in ends)
        forces = self.range(where, given, "actuatorfrclimited", "actuatorfrcrange")
        if forces is not None:
            effort = self.symmetric(forces)
        return MjJoint(
            joint.name,
            joint.kind,
            joint.pos,
            joint.axis,
            unit(numbers["ref"]),
            Limits(lower=lower, upper=upper, effort=effort),
            numbers["damping"],
            numbers["frictionloss"],
            numbers["armature"],
            numbers["stiffness"],
            unit(numbers["springref"]),
        )

    def symmetric(self, ends: Array) -> float | None:
        """The effort of a range of forces: one number for both directions, the larger."""
        if ends[0] != -ends[1]:
            self.left_out["range of forces that is not the same both ways (the larger is taken)"] += 1
        return _bound(float(np.abs(ends).max()))

    def range(self, where: str, given: Mapping[str, str], switch: str, key: str) -> Array | None:
        """The range in force: as the switch says, or by itself where <compiler> allows it; two equal ends are no range."""
        said = self.values.one_of(where, given, switch, ("auto", "false", "true"))
        ends = self.values.vector(f"{where}, {key}", given.get(key, "0 0"), 2)
        if said == "auto" and ends.any() and not self.values.settings.autolimits:
            self.values.report(f"{where}, {switch}", f"expected true or false beside {key}, as autolimits is false")
        if said == "false" or (said == "auto" and ends[0] == ends[1]):
            return None
        if ends[0] >= ends[1]:
            self.values.report(
                f"{where}, {key}", f"expected a smaller and a larger number, got {shown(given.get(key))}"
            )
        return ends


_Waiting = tuple[ET.Element, Array, str, str]


def weightless(found: Bodies) -> list[str]:
    """Bodies that move without mass or inertia, of their own or of a body fixed to them: MuJoCo does not accept them."""
    heavy: set[str] = set()
    for body in reversed(found.bodies.values()):
        part = body.inertial
        if part is not None and min(part.mass, *np.linalg.eigvalsh(part.inertia)) >= SMALLEST:
            heavy.add(body.name)
        if body.name in heavy and not body.joints:
            heavy.add(body.parent)
    names = [repr(body.name) for body in found.bodies.values() if body.joints and body.name not in heavy]
    return [f"bodies that move have no mass or inertia, which MuJoCo refuses: {', '.join(names)}"] if names else []


def impossible_parts(found: Bodies) -> list[str]:
    """Bodies fixed to others whose inertia no body has: the sum with the others hides it."""
    told = []
    for body in found.bodies.values():
        if body.inertial is not None and not body.joints:
            moments = [float(moment) for moment in body.inertial.inertia[np.triu_indices(3)]]
            why = impossible([*moments, 0.0, 0.0, 0.0, body.inertial.mass])
            if why:
                told.append(f"body '{body.name}', inertial: physically impossible: {why}")
    return told


def _bound(value: float) -> float | None:
    return None if abs(value) >= UNLIMITED or not math.isfinite(value) else value
