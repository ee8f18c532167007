"""Joints of SDF: their axes with limits, dynamics and dependence, and the joints of several axes.

A universal joint is one joint where its axes are at right angles and say nothing but their directions; otherwise it is two
revolute joints, as ``revolute2`` always is. A screw moves by the metres in one turn of ``screw_thread_pitch``, positive for a
right-hand thread; the older ``thread_pitch`` is in radians in a metre, positive for a left-hand one.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..expr import number
from ..robot import Limits
from ..robot.joints import Ball, Screw, Universal
from .mdh import Array, cross, shortest_turn
from .urdf_read import UNLIMITED
from .urdf_tree import MimicTag, Names, UrdfJoint
from .xml_read import Numbers, shown

PITCH, OLD_PITCH = "screw_thread_pitch", "thread_pitch"
# What joints of several axes have beside what every joint has.
MORE = {"universal": ("axis2",), "revolute2": ("axis2",), "screw": (PITCH, OLD_PITCH)}


class Axes:
    """Reads the axes of joints; ``in_joint`` turns the direction of an axis into the axes of its joint."""

    def __init__(
        self,
        numbers: Numbers,
        names: Names,
        left_out: Counter[str],
        snap: float,
        in_joint: Callable[[str, ET.Element, str, Array], Array],
    ) -> None:
        self.numbers, self.names, self.left_out = numbers, names, left_out
        self.snap, self.in_joint = snap, in_joint

    def joints(self, element: ET.Element, joint: UrdfJoint) -> list[UrdfJoint]:
        """The joint of an element with all that it says: two joints where a kind has two axes of their own."""
        if joint.kind == "ball":
            self.left_out["<axis> of a ball joint"] += element.find("axis") is not None
            return [replace(joint, compound=Ball())]
        if joint.kind in ("revolute", "continuous", "prismatic"):
            return [self._moving(element, joint)]
        if joint.kind == "screw":
            return [self._screw(element, joint)]
        if joint.kind in ("universal", "revolute2"):
            return self._two_axes(element, joint)
        return [joint]

    def _screw(self, element: ET.Element, joint: UrdfJoint) -> UrdfJoint:
        where = f"joint '{joint.name}'"
        moving = self._moving(element, joint)
        if moving.mimic is not None:
            self.numbers.report(f"{where}, mimic", "expected a revolute or prismatic joint that follows, got a screw")
        compound = Screw(number(self._pitch(where, element)))
        return replace(moving, mimic=None, compound=compound, turned=shortest_turn(moving.axis))

    def _pitch(self, where: str, element: ET.Element) -> float:
        """The displacement in one turn, in metres."""
        tag = PITCH if element.find(PITCH) is not None or element.find(OLD_PITCH) is None else OLD_PITCH
        text = element.findtext(tag)
        if text is None:
            self.numbers.report(f"{where}, {PITCH}", "there is none: expected the displacement in one turn [m]")
            return 1.0
        pitch = self.numbers.number(f"{where}, {tag}", text.strip())
        if pitch == 0:
            self.numbers.report(f"{where}, {tag}", f"expected a number that is not zero, got {shown(text)}")
            return 1.0
        return pitch if tag == PITCH else -2 * math.pi / pitch

    def _two_axes(self, element: ET.Element, joint: UrdfJoint) -> list[UrdfJoint]:
        """A universal joint, or two revolute joints through one point with a link between them."""
        first, second = self._moving(element, joint), self._moving(element, joint, "axis2")
        plain = _directed(first) and _directed(second)
        if joint.kind == "universal" and plain and abs(float(first.axis @ second.axis)) <= self.snap:
            # A quarter turn about x brings z, the first axis, to the second.
            x, y = cross(first.axis, second.axis), -second.axis
            return [replace(joint, compound=Universal(), turned=np.column_stack((x, y, first.axis)))]
        between = self.names.new(f"{joint.name}_between")
        names = [self.names.new(f"{joint.name}_{k}") for k in (1, 2)]
        return [
            replace(first, name=names[0], kind="revolute", child=between),
            replace(second, name=names[1], kind="revolute", parent=between, origin=np.eye(4)),
        ]

    def _moving(self, element: ET.Element, joint: UrdfJoint, tag: str = "axis") -> UrdfJoint:
        """The joint with what one of its axes says."""
        where, numbers, axis = f"joint '{joint.name}'", self.numbers, element.find(tag)
        if axis is None:
            numbers.report(f"{where}, {tag}", "there is none")
            return joint
        text = axis.findtext("xyz")
        direction = numbers.three(f"{where}, {tag}", "0 0 1" if text is None else text)
        direction = self.in_joint(joint.name, axis, f"{where}, {tag}", direction)
        size = float(np.linalg.norm(direction))
        if not size:
            numbers.report(f"{where}, {tag}", "the axis is zero, expected a direction")
            return joint
        direction = np.where(np.abs(direction) <= self.snap * size, 0.0, direction)
        where = where if tag == "axis" else f"{where}, {tag}"
        limits = {key: axis.findtext(f"limit/{key}") for key in ("lower", "upper", "velocity", "effort")}
        bounds = {key: self._limit(f"{where}, limit {key}", value) for key, value in limits.items()}
        if joint.kind == "continuous":
            bounds["lower"] = bounds["upper"] = None
        dynamics = {
            key: numbers.number(f"{where}, {key}", axis.findtext(f"dynamics/{key}", "0").strip())
            for key in ("damping", "friction", "spring_stiffness", "spring_reference")
        }
        for key in ("damping", "friction"):
            numbers.doubt_negative(f"{where}, {key}", dynamics[key])
        return replace(
            joint,
            axis=direction / np.linalg.norm(direction),
            limits=Limits(**bounds),
            damping=dynamics["damping"],
            friction=dynamics["friction"],
            stiffness=dynamics["spring_stiffness"],
            rest=dynamics["spring_reference"],
            mimic=self._mimic(where, axis),
        )

    def _mimic(self, where: str, axis: ET.Element) -> MimicTag | None:
        """q = multiplier (q of the leader - reference) + offset."""
        tag = axis.find("mimic")
        if tag is None:
            return None
        given = {"multiplier": "1", "offset": "0", "reference": "0"}
        ratio, offset, reference = (
            self.numbers.number(f"{where}, mimic {key}", tag.findtext(key, usual).strip())
            for key, usual in given.items()
        )
        return MimicTag(tag.get("joint") or "", ratio, offset - ratio * reference)

    def _limit(self, where: str, text: str | None) -> float | None:
        """A bound; none where it is as wide as SDF's default, or negative where that means none."""
        if text is None or not text.strip():
            return None
        value = self.numbers.number(where, text.strip(), largest=np.inf)
        if abs(value) >= UNLIMITED or (value < 0 and where.endswith(("velocity", "effort"))):
            return None
        return value


def _directed(joint: UrdfJoint) -> bool:
    """Whether the axis of a joint has a direction and nothing else: no limits, no dynamics, no joint that it follows."""
    forces = (joint.damping, joint.friction, joint.stiffness)
    return joint.limits == Limits() and not any(forces) and joint.mimic is None
