"""What stands in a URDF beside links and joints: transmissions, soft limits, calibration, and xacro that is not expanded.

The reduction of a simple transmission becomes that of its joint; what a robot has no place for is named in one warning.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf

from ..notices import LOG
from ..robot import Problem, RobotError
from .urdf_tree import UrdfJoint
from .xml_read import Numbers, shown

SIMPLE = "SimpleTransmission"
XACRO = "{http://www.ros.org/wiki/xacro}", "{http://ros.org/wiki/xacro}", "{http://wiki.ros.org/xacro}"
MOST_NAMED = 4


def refuse_xacro(root: ET.Element, source: str) -> None:
    """A file with macros says nothing until they are expanded."""
    for element in root.iter():
        tag = str(element.tag)
        if tag.startswith(XACRO) or tag.startswith("xacro:"):
            name = tag.rpartition("}")[2].removeprefix("xacro:")
            problem = (
                f"<xacro:{name}> is a macro: expand the file first (xacro robot.urdf.xacro > robot.urdf) and read that"
            )
            raise RobotError([Problem("", problem)], source)


def driven(root: ET.Element, joints: Sequence[UrdfJoint], numbers: Numbers) -> tuple[list[UrdfJoint], list[str]]:
    """The joints with the reductions of their transmissions, and what was left out."""
    left_out: list[str] = []
    ratios: dict[str, float] = {}
    moving = {joint.name for joint in joints if joint.moves}
    fixed = {joint.name for joint in joints} - moving
    for k, element in enumerate(root.findall("transmission"), 1):
        where = f"transmission '{element.get('name') or k}'"
        kind = (element.findtext("type") or element.get("type") or SIMPLE).strip().rpartition("/")[2]
        names = [joint.get("name") or "" for joint in element.findall("joint")]
        if kind != SIMPLE or len(names) != 1:
            left_out.append(f"{where} ({kind}, {len(names)} joints)")
            continue
        ratio = _reduction(where, element, numbers)
        if ratio is None:
            continue
        if names[0] in fixed:
            LOG.info("%s: joint %s is fixed, and nothing is driven", where, shown(names[0]))
        elif names[0] not in moving:
            left_out.append(f"{where} (there is no joint {shown(names[0])})")
        elif names[0] in ratios:
            left_out.append(f"{where} (joint {shown(names[0])} has another)")
        elif not ratio:
            left_out.append(f"{where} (reduction 0)")
        else:
            ratios[names[0]] = ratio
    kept = [replace(joint, ratio=ratios[joint.name]) if ratios.get(joint.name, 1) != 1 else joint for joint in joints]
    return kept, [*left_out, *_of_joints(root, joints, numbers)]


def _reduction(where: str, element: ET.Element, numbers: Numbers) -> float | None:
    """mechanicalReduction of the actuator, or where older files have it; None where nothing is said."""
    for place in ("actuator/mechanicalReduction", "joint/mechanicalReduction", "mechanicalReduction"):
        found = element.find(place)
        if found is not None:
            return numbers.number(f"{where}, mechanicalReduction", (found.text or found.get("value") or "").strip())
    return None


def _of_joints(root: ET.Element, joints: Sequence[UrdfJoint], numbers: Numbers) -> Iterator[str]:
    """Elements of joints that have no place: calibration, and soft limits, unless they are the limits anyway."""
    limits = {joint.name: joint.limits for joint in joints}
    soft, calibrated = [], []
    for element in root.findall("joint"):
        name = element.get("name") or ""
        if element.find("calibration") is not None:
            calibrated.append(name)
        controller = element.find("safety_controller")
        if controller is not None and name in limits:
            own = limits[name]
            where = f"joint '{name}', safety_controller"
            lower, upper = (_bound(where, controller, side, numbers) for side in ("lower", "upper"))
            inside = lower > -inf if own.lower is None else lower > own.lower
            if inside or (upper < inf if own.upper is None else upper < own.upper):
                soft.append(name)
            else:
                LOG.info("%s: its soft limits are its limits, its gains are left out", where)
    for names, what in ((soft, "soft limits (safety_controller)"), (calibrated, "calibration")):
        if names:
            more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
            yield f"{what} of {', '.join(map(repr, names[:MOST_NAMED]))}{more}"


def _bound(where: str, element: ET.Element, side: str, numbers: Numbers) -> float:
    """A soft limit; both are 0 by default, and two that are 0 are none."""
    both = [
        numbers.number(f"{where}, soft_{one}_limit", element.get(f"soft_{one}_limit", "0"))
        for one in ("lower", "upper")
    ]
    if not any(both):
        return -inf if side == "lower" else inf
    return both[side == "upper"]
