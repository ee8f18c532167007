"""The actuators of an MJCF file: which joints are driven, through which gear, and how strongly."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from .mdh import Array
from .mjcf_bodies import Bodies, BodyReader
from .mjcf_values import Values
from .mjcf_xml import Defaults
from .xml_read import shown, words

# Actuators whose force is the control itself: its range is a range of forces. Of the others it is one of positions or speeds.
TORQUES = ("motor",)


@dataclass
class Drive:
    """The actuators of one joint: gear, the most they can do, and what turns with their rotors, all on the joint's side."""

    gears: list[float] = field(default_factory=list)
    efforts: list[float | None] = field(default_factory=list)
    armature: float = 0.0
    damping: float = 0.0

    @property
    def ratio(self) -> float | None:
        """The reduction, if all actuators have the same; 1 is a direct drive."""
        return self.gears[0] if len(set(self.gears)) == 1 and self.gears[0] not in (0.0, 1.0) else None

    @property
    def effort(self) -> float | None:
        known = [effort for effort in self.efforts if effort is not None]
        return sum(known) if known and len(known) == len(self.efforts) else None


class DriveReader:
    def __init__(self, bodies: BodyReader, found: Bodies) -> None:
        self.values: Values = bodies.values
        self.defaults: Defaults = bodies.defaults
        self.left_out: Counter[str] = bodies.left_out
        self.bodies = bodies
        self.kinds = {joint.name: joint.kind for joint in found.joints()}
        self.drives: dict[str, Drive] = {}
        self.driven: set[str] = set()
        # By ball joint, the directions about which actuators turn it, and whether that is all that they say.
        self.turns: dict[str, list[tuple[Array, bool]]] = {}

    def read(self, root: ET.Element) -> None:
        """Every actuator; ``driven`` are the joints they act on, also through tendons."""
        for section in root.iterfind("actuator"):
            for i, element in enumerate(section, 1):
                name = element.get("name") or str(i)
                where = f"actuator '{name}'"
                if element.get("name") and not self.bodies.once("actuator", name):
                    continue
                given = self.defaults.of(element, where)
                joint = given.get("joint") or given.get("jointinparent")
                if joint is None:
                    self._elsewhere(root, element, given)
                elif joint not in self.kinds:
                    self.values.report(where, f"there is no joint {shown(joint)}")
                elif self.kinds[joint] == "ball":
                    self._turn(where, str(element.tag), given, joint)
                elif self.kinds[joint] == "free":
                    self.left_out["actuator of a free joint"] += 1
                else:
                    self._drive(where, str(element.tag), given, self.drives.setdefault(joint, Drive()))
                    self.driven.add(joint)
        self._turned()

    def _turn(self, where: str, kind: str, given: Mapping[str, str], joint: str) -> None:
        """An actuator of a ball joint."""
        gear = [self.values.number(f"{where}, gear", text) for text in words(given.get("gear", "1"))]
        axis = np.array([*gear, 0.0, 0.0][:3])
        ranges = [self._range(where, given, what, 1.0) for what in ("force", "ctrl")]
        plain = kind in TORQUES and abs(float(np.linalg.norm(axis)) - 1) <= 1e-12 and all(one is None for one in ranges)
        self.turns.setdefault(joint, []).append((axis, plain))

    def _turned(self) -> None:
        """Ball joints are driven where actuators turn them about all directions; what these have beside that is left out."""
        for joint, axes in self.turns.items():
            driven = np.linalg.matrix_rank(np.array([axis for axis, _ in axes])) == 3
            self.driven |= {joint} if driven else set()
            self.left_out["actuator of a ball joint"] += sum(not (driven and plain) for _, plain in axes)

    def _elsewhere(self, root: ET.Element, element: ET.Element, given: Mapping[str, str]) -> None:
        """An actuator of a tendon drives the joints that a fixed tendon names; others act on sites and bodies."""
        ways = ("tendon", "site", "body", "cranksite")
        self.left_out[f"actuator of a {next((way for way in ways if way in given), element.tag)}"] += 1
        for tendon in root.iterfind("tendon/fixed"):
            if tendon.get("name") == given.get("tendon"):
                self.driven |= {joint.get("joint") or "" for joint in tendon.iterfind("joint")} & set(self.kinds)

    def _drive(self, where: str, kind: str, given: Mapping[str, str], drive: Drive) -> None:
        gear, _ = self.values.first(where, given, "gear", 1.0)
        drive.gears.append(gear)
        for key in ("armature", "damping"):
            own, more = self.values.first(where, given, key)
            own = self.values.not_negative(f"{where}, {key}", own)
            setattr(drive, key, getattr(drive, key) + gear * gear * own)
            self.left_out[f"{key} that is not linear"] += more
        ranges = [self._range(where, given, "force", 1.0)]
        gain = self._gain(where, kind, given)
        if gain is None:
            self.left_out[f"control law of an actuator ({kind})"] += 1
        else:
            ranges.append(self._range(where, given, "ctrl", gain))
        known = [self.bodies.symmetric(gear * one) for one in ranges if one is not None]
        limits = [one for one in known if one is not None]
        drive.efforts.append(min(limits) if limits else None)

    def _gain(self, where: str, kind: str, given: Mapping[str, str]) -> float | None:
        """Force by control, if the force is nothing else."""
        if kind in TORQUES:
            return 1.0
        plain = given.get("biastype", "none") == "none" and given.get("dyntype", "none") == "none"
        if kind == "general" and plain and given.get("gaintype", "fixed") == "fixed":
            return self.values.first(where, given, "gainprm", 1.0)[0]
        return None

    def _range(self, where: str, given: Mapping[str, str], what: str, gain: float) -> Array | None:
        ends = self.bodies.range(where, given, f"{what}limited", f"{what}range")
        return None if ends is None else np.array(gain * ends)
