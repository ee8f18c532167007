"""A robot as URDF: one link and one joint for each frame, in numbers.

URDF knows trees only, and no symbols: a symbol without a value is an error that names it. The joints that close loops go to a
file of their own (``urdf_loops_write``).
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections import Counter

import numpy as np

from ..expr import Expr, evaluate, free_symbols
from ..notices import warn
from ..robot import (
    FIXED,
    PRISMATIC,
    Frame,
    Friction,
    Limits,
    Link,
    Motor,
    Problem,
    Robot,
    RobotError,
    RobotWarning,
)
from ..robot.joints import Free, Planar
from ..robot.parts import COMPOUND, IDENTITY16, ZERO3
from ..robot.platforms import without_platforms
from .decomposed import decomposed
from .mdh import SNAP, Array, Row, Tolerance, pose_of
from .urdf_read import GRAVITY, UNLIMITED

CLEAN = Tolerance(SNAP)


def dumps(robot: Robot) -> str:
    """The URDF text of a tree whose symbols all have values; links have the names of the frames."""
    if robot.loops and not robot.platforms:
        message = f"URDF has trees only, and this robot has {robot.loops} closed loop(s)"
        ways = "robosym.save writes them to a file beside the URDF, and robot.equivalent_tree is the tree without them"
        raise RobotError([Problem("loops", f"{message}: {ways}")], robot.name)
    return tree_text(robot)


def tree_text(robot: Robot) -> str:
    """The URDF text of the links of a robot; joints that close loops are not in it."""
    if robot.platforms:
        raise RobotError([Problem("module", without_platforms("a URDF"))], robot.name)
    robot, replaced = decomposed(robot, (Planar, Free), "URDF")
    problems = _not_in_urdf(robot)
    writer = Writer(robot)
    if not problems:
        root = writer.robot()
        problems = writer.problems
    if problems:
        raise RobotError(problems, robot.name)
    lost = [*replaced, *_lost(robot)]
    if lost:
        warn(RobotWarning(f"{robot.name}: URDF has no place for {', '.join(lost)}"))
    ET.indent(root)
    return '<?xml version="1.0"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _not_in_urdf(robot: Robot) -> list[Problem]:
    """What a URDF cannot hold: symbols without a number, two links of one name."""
    problems = []
    missing = [s.name for s in free_symbols(*_written(robot)) if s.kind == "parameter" and s.name not in robot.values]
    if missing:
        problems.append(Problem("values", f"URDF needs numbers, and these symbols have none: {', '.join(missing)}"))
    frames = Counter([robot.base.name, *(frame.name for frame in robot.frames)])
    joints = Counter(frame.joint.name for frame in robot.frames)
    for what, names in (("frames", frames), ("joints", joints)):
        for name in (name for name, times in names.items() if times > 1):
            problems.append(Problem("", f"two {what} are named '{name}', and in a URDF each needs its own name"))
    return problems


def _written(robot: Robot) -> list[Expr]:
    """Every expression whose number goes into the file."""
    written = list(robot.base.link.inertial)
    for frame in robot.frames:
        written += [*frame.geometry, *frame.link.inertial, frame.actuator.Fv, frame.actuator.Fs]
        written += [frame.actuator.ratio] if frame.actuator.ratio is not None else []
        if frame.joint.mimic is not None:
            written += [frame.joint.mimic.ratio, frame.joint.mimic.offset]
    return written


def _lost(robot: Robot) -> list[str]:
    """What the description says and a URDF does not."""
    base = robot.base
    links = [base.link, *(frame.link for frame in robot.frames)]
    moves = (base.angular_velocity, base.angular_acceleration, base.velocity, base.acceleration)
    lost = {
        "the rotor inertias Ia": any(not frame.actuator.Ia.is_zero for frame in robot.frames),
        "the motors and their rotor inertias": any(frame.actuator.motor != Motor() for frame in robot.frames),
        "couplings of motors": bool(robot.couplings),
        "friction other than Fv and Fs": any(frame.actuator.friction != Friction() for frame in robot.frames),
        "springs": any(frame.joint.spring is not None for frame in robot.frames),
        "flexible joints": any(frame.actuator.flexibility is not None for frame in robot.frames),
        "external wrenches": any(not e.is_zero for link in links for e in link.wrench),
        "the location Z of the base": base.location != IDENTITY16,
        "the motion of the base": any(part != ZERO3 for part in moves),
        "gravity (it is read as 0, 0, -9.81)": not _is_usual(robot),
    }
    return [what for what, present in lost.items() if present]


def _is_usual(robot: Robot) -> bool:
    """Whether gravity is the one that a URDF is read with: also where nothing is said of it, or by symbols without a value."""
    at = {name: value.number for name, value in robot.values.items()}
    known = [k for k, g in enumerate(robot.gravity) if all(s.name in at for s in free_symbols(g))]
    own, usual = (evaluate([of[k] for k in known], at) for of in (robot.gravity, GRAVITY))
    return not any(own) or own == usual


class Writer:
    """The numbers of a robot; ``kind`` is what messages call the format."""

    kind = "URDF"

    def __init__(self, robot: Robot) -> None:
        self.of = robot
        self.problems: list[Problem] = []
        self.values = {name: value.number for name, value in robot.values.items()}

    def robot(self) -> ET.Element:
        root = ET.Element("robot", name=self.of.name)
        base = self.of.base.name
        if self.of.base.floating:
            world = _free_name("world", [base, *(frame.name for frame in self.of.frames)])
            ET.SubElement(root, "link", name=world)
            joint = ET.SubElement(root, "joint", name=_free_name("free_base", self._joint_names()), type="floating")
            ET.SubElement(joint, "parent", link=world)
            ET.SubElement(joint, "child", link=base)
        self._link(root, "base", base, self.of.base.link)
        for j in (j for j in self.of.order if j <= self.of.n_links):
            frame = self.of.frame(j)
            self._link(root, f"frame {j}", frame.name, frame.link)
            self._joint(root, j, frame)
        self._transmissions(root)
        return root

    def _transmissions(self, root: ET.Element) -> None:
        """The reductions, each as a simple transmission."""
        for frame in (self.of.frame(j) for j in self.of.order if j <= self.of.n_links):
            if frame.actuator.ratio is None or frame.sigma == FIXED:
                continue
            name = frame.joint.name
            element = ET.SubElement(root, "transmission", name=f"{name}_transmission")
            ET.SubElement(element, "type").text = "transmission_interface/SimpleTransmission"
            ET.SubElement(element, "joint", name=name)
            actuator = ET.SubElement(element, "actuator", name=f"{name}_motor")
            ET.SubElement(actuator, "mechanicalReduction").text = short(self.numbers(frame.actuator.ratio)[0])

    def _joint_names(self) -> list[str]:
        return [frame.joint.name for frame in self.of.frames]

    def numbers(self, *expressions: Expr, at: dict[str, float] | None = None) -> list[float]:
        return [float(value) for value in evaluate(expressions, {**self.values, **(at or {})})]

    def _link(self, root: ET.Element, where: str, name: str, link: Link) -> None:
        """Back from the frame's origin to the centre of mass: I = J - M (c.c E - c c')."""
        element = ET.SubElement(root, "link", name=name)
        XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = self.numbers(*link.inertial)
        if not any((XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M)):
            return
        moment = np.array([MX, MY, MZ])
        if M == 0 and moment.any():
            self.problems.append(Problem(f"{where}, M", "a first moment without mass cannot be written in a URDF"))
            return
        c = moment / M if M else np.zeros(3)
        J = np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]])
        J -= M * (c @ c * np.eye(3) - np.outer(c, c))
        inertial = ET.SubElement(element, "inertial")
        ET.SubElement(inertial, "origin", xyz=spaced(c), rpy="0 0 0")
        ET.SubElement(inertial, "mass", value=short(M))
        at = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}
        ET.SubElement(inertial, "inertia", {key: short(J[place]) for key, place in at.items()})

    def _joint(self, root: ET.Element, j: int, frame: Frame) -> None:
        row, slope = self.row_and_slope(j, frame)
        kind = _kind(frame)
        element = ET.SubElement(root, "joint", name=frame.joint.name, type=kind)
        parent = self.of.frame(frame.antecedent).name if frame.antecedent else self.of.base.name
        ET.SubElement(element, "parent", link=parent)
        ET.SubElement(element, "child", link=frame.name)
        origin = pose_of(row)
        ET.SubElement(element, "origin", xyz=spaced(origin[:3, 3]), rpy=spaced(np.array(roll_pitch_yaw(origin))))
        if kind in ("fixed", "floating"):
            return
        ET.SubElement(element, "axis", xyz="0 0 1" if slope > 0 else "0 0 -1")
        if kind == "planar":
            return
        limits = _limits(frame.joint.limits, kind)
        if limits:
            ET.SubElement(element, "limit", limits)
        Fv, Fs = self.numbers(frame.actuator.Fv, frame.actuator.Fs)
        if Fv or Fs:
            ET.SubElement(element, "dynamics", damping=short(Fv), friction=short(Fs))
        if frame.joint.mimic is not None:
            mimic = frame.joint.mimic
            ratio, offset = self.numbers(mimic.ratio, mimic.offset)
            master = self.of.frame(mimic.frame).joint.name
            ET.SubElement(element, "mimic", joint=master, multiplier=short(ratio), offset=short(offset))

    def row_and_slope(self, j: int, frame: Frame) -> tuple[Row, float]:
        """The geometry at q = 0 and the sign of q in it; theta or r must be a constant plus or minus q."""
        q = frame.joint.variable
        name = "" if q is None else q.name
        strangers = [s.name for s in free_symbols(*frame.geometry) if s.kind == "variable" and s.name != name]
        if strangers:
            message = f"{self.kind} needs constants, and the geometry holds {', '.join(strangers)}"
            self.problems.append(Problem(f"frame {j}", message))
            return Row(), 1.0
        start, one, two = (Row(*self.numbers(*frame.geometry, at={name: at})) for at in (0.0, 1.0, 2.0))
        if frame.sigma in (FIXED, COMPOUND):
            return start, 1.0
        moving = "r" if frame.sigma == PRISMATIC else "theta"
        slope = getattr(one, moving) - getattr(start, moving)
        expected = [start._replace(**{moving: getattr(start, moving) + k * round(slope)}) for k in (1, 2)]
        if abs(round(slope)) != 1 or not np.allclose([one, two], expected, rtol=0, atol=1e-9):
            message = f"expected q plus a constant, got {getattr(frame, moving)}"
            self.problems.append(Problem(f"frame {j}, {moving}", message))
            return start, 1.0
        return start, float(round(slope))


def _kind(frame: Frame) -> str:
    if frame.sigma == FIXED:
        return "fixed"
    if frame.joint.kind is not None:
        return "planar" if isinstance(frame.joint.kind, Planar) else "floating"
    if frame.sigma == PRISMATIC:
        return "prismatic"
    limits = frame.joint.limits
    return "continuous" if limits.lower is None and limits.upper is None else "revolute"


def _limits(limits: Limits, kind: str) -> dict[str, str]:
    """The attributes of <limit>; parsers demand all four on a revolute or prismatic joint, so none is a wide one.
    Those of acceleration and jerk are only there where they are known."""
    given = {"lower": limits.lower, "upper": limits.upper, "effort": limits.effort, "velocity": limits.velocity}
    if kind == "continuous":
        del given["lower"], given["upper"]
        if all(value is None for value in (limits.effort, limits.velocity, limits.acceleration, limits.jerk)):
            return {}
    wide = {"lower": -UNLIMITED}
    found = {key: short(wide.get(key, UNLIMITED) if value is None else value) for key, value in given.items()}
    changes = {"acceleration": limits.acceleration, "jerk": limits.jerk}
    return found | {key: short(value) for key, value in changes.items() if value is not None}


def roll_pitch_yaw(matrix: Array) -> tuple[float, float, float]:
    """The angles of R = Rz(yaw) Ry(pitch) Rx(roll), without loss near pitch = +-pi/2.

    There roll and yaw turn about nearly the same axis: yaw is taken first, and pitch and roll from what remains.
    """
    R = matrix[:3, :3]
    horizontal = math.hypot(R[0, 0], R[1, 0])
    yaw = math.atan2(R[1, 0], R[0, 0]) if horizontal > SNAP else 0.0
    pitch = math.atan2(-R[2, 0], math.cos(yaw) * R[0, 0] + math.sin(yaw) * R[1, 0])
    c, s = math.cos(yaw), math.sin(yaw)
    roll = math.atan2(s * R[0, 2] - c * R[1, 2], c * R[1, 1] - s * R[0, 1])
    return CLEAN.angle(roll), CLEAN.angle(pitch), CLEAN.angle(yaw)


def _free_name(wanted: str, taken: list[str]) -> str:
    while wanted in taken:
        wanted += "_"
    return wanted


def short(value: float) -> str:
    """The shortest text that reads back as the same float; whole numbers without a point."""
    value = float(value) + 0.0  # no -0
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def spaced(vector: Array) -> str:
    """Numbers as an attribute of XML."""
    return " ".join(short(value) for value in vector)
