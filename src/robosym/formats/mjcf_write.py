"""A robot as MJCF: a body for each frame, its joints, inertia, motors and closed loops, in numbers.

A platform on legs is written as closed loops. MuJoCo demands mass of everything that moves: a massless frame between two joints
becomes one more joint of the body that follows it.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence

import numpy as np

from ..expr import Expr, free_symbols
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
    Spring,
)
from ..robot.joints import Ball
from ..robot.loop_closure import standing_positions
from ..robot.parts import ZERO, ZERO3
from .decomposed import decomposed
from .mdh import Array, inverse, pose_of
from .mjcf_loops_write import LoopWriter
from .mjcf_masses import Masses
from .mjcf_values import place
from .urdf_read import UNLIMITED
from .urdf_tree import Names
from .urdf_write import Writer, short, spaced

DEEPEST = 450  # bodies inside one another: MuJoCo reads 500 elements
WORLD = "world"


def dumps(robot: Robot) -> str:
    """The text of the file; a warning says what has no place in it."""
    robot, replaced = decomposed(robot.closed_loops(), (Ball,), "MJCF")
    problems = _not_in_mjcf(robot)
    if problems:
        raise RobotError(problems, robot.name)
    writer = MjcfWriter(robot, LoopWriter(robot))
    root = writer.document()
    if writer.problems:
        raise RobotError(writer.problems, robot.name)
    lost = [*replaced, *_lost(robot)]
    notes = [f"MJCF has no place for {', '.join(lost)}"] if lost else []
    notes += writer.notes()
    if notes:
        warn(RobotWarning(f"{robot.name}: {'; '.join(notes)}"))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode") + "\n"


def _not_in_mjcf(robot: Robot) -> list[Problem]:
    """Symbols without a number."""
    base = robot.base
    written: list[Expr] = [*robot.gravity, *base.link.inertial, *base.location]
    for frame in robot.frames:
        joint, motor, actuator = frame.joint, frame.actuator.motor, frame.actuator
        written += [*frame.geometry, *frame.link.inertial, actuator.Ia, actuator.Fv, actuator.Fs]
        written += [motor.Jm, motor.Fv, motor.Fs, *_known(actuator.ratio)]
        if joint.spring is not None:
            written += [joint.spring.stiffness, joint.spring.damping, joint.spring.rest]
        if joint.mimic is not None:
            written += [joint.mimic.ratio, joint.mimic.offset]
    missing = [s.name for s in free_symbols(*written) if s.kind == "parameter" and s.name not in robot.values]
    if not missing:
        return []
    return [Problem("values", f"MJCF needs numbers, and these symbols have none: {', '.join(missing)}")]


def _known(*entries: Expr | None) -> list[Expr]:
    return [entry for entry in entries if entry is not None]


def _lost(robot: Robot) -> list[str]:
    """What the description says and MJCF does not."""
    base, frames = robot.base, robot.frames
    links: Sequence[Link] = [base.link, *(frame.link for frame in frames)]
    moves = (base.angular_velocity, base.angular_acceleration, base.velocity, base.acceleration)
    cut = frames[robot.n_links : robot.n_links + robot.loops]
    limits = [frame.joint.limits for frame in frames]
    motors = [frame.actuator.motor for frame in frames]
    lost = {
        "limits of velocity, acceleration and jerk": any(
            one != Limits(one.lower, one.upper, effort=one.effort) for one in limits
        ),
        "constants, limits and axes of motors": any(one != Motor(Jm=one.Jm, Fv=one.Fv, Fs=one.Fs) for one in motors),
        "couplings of motors (their rotors are left out)": bool(robot.couplings),
        "flexible joints (their motors move with their links)": any(
            frame.actuator.flexibility is not None for frame in frames
        ),
        "friction other than Fv and Fs": any(frame.actuator.friction != Friction() for frame in frames),
        "friction and rotors of joints that close loops": any(
            not e.is_zero for one in cut for e in (one.actuator.Ia, one.actuator.Fv, one.actuator.Fs)
        ),
        "external wrenches": any(not e.is_zero for link in links for e in link.wrench),
        "the motion of the base": any(part != ZERO3 for part in moves),
    }
    return [what for what, present in lost.items() if present]


class MjcfWriter(Writer):
    """Bodies are made from the base outwards; ``loops`` says which frames are parts of a closing ball joint."""

    kind = "MJCF"

    def __init__(self, robot: Robot, loops: LoopWriter) -> None:
        super().__init__(robot)
        self.loops = loops
        self.order: list[int] = []  # moving frames in MuJoCo's order
        self.children: dict[int, list[int]] = {j: [] for j in range(robot.n_links + 1)}
        for j in (j for j in robot.order if j <= robot.n_links and j not in loops.skipped):
            self.children[robot.frame(j).antecedent].append(j)
        self.poses = [np.eye(4), *(pose_of(self.row_and_slope(j, robot.frame(j))[0]) for j in robot.links)]
        self.masses = Masses(self, self.poses, self.children)
        self.merged = self._merged()
        self.bodies: dict[int, ET.Element] = {}

    def document(self) -> ET.Element:
        root = ET.Element("mujoco", model=self.of.name)
        ET.SubElement(root, "compiler", angle="radian", autolimits="true")
        Z = np.array(self.numbers(*self.of.base.location)).reshape(4, 4)
        Z = np.eye(4) if self.of.base.floating else Z
        ET.SubElement(root, "option", gravity=spaced(Z[:3, :3] @ np.array(self.numbers(*self.of.gravity))))
        self._tree(ET.SubElement(root, "worldbody"), Z)
        if self.problems:
            return root
        equality = ET.Element("equality")
        self._mimics(equality)
        self.loops.write(self, equality)
        if len(equality):
            root.append(equality)
        self._motors(root)
        self._key(root)
        return root

    def notes(self) -> list[str]:
        """What is not as in the description, beside what is lost."""
        notes = self.masses.notes() + self.loops.notes()
        if self.merged:
            names = ", ".join(self.of.frame(j).name for j in self.merged)
            notes.append(f"frames without mass have become joints of the next body: {names}")
        if self.of.base.name == WORLD and any(self.numbers(*self.of.base.link.inertial)):
            notes.append("the base is the world, and its inertia is left out")
        moving = set(self.of.moving)
        written = [self.of.frame(j).joint.name for j in self.order if j in moving]
        if tuple(written) != self.of.joint_names:
            notes.append(f"in MuJoCo the order of the joints is {', '.join(written)}")
        return notes

    # --- bodies ------------------------------------------------------------------------------------------------------

    def _merged(self) -> dict[int, None]:
        """Frames without mass that carry nothing but one more frame, up to a moving one."""
        return dict.fromkeys(j for j in self.of.order if j in self.children and self._passes_on(j))

    def _passes_on(self, j: int) -> bool:
        """Whether frame j is massless, moves (or hangs on such a frame) and has one frame on it that leads to a moving one."""
        robot, seen = self.of, j
        if robot.frame(j).joint.kind is not None:  # MuJoCo accepts no rotation of a body after a ball
            return False
        if robot.frame(j).sigma == FIXED and not (
            robot.frame(j).antecedent and self._passes_on(robot.frame(j).antecedent)
        ):
            return False
        while not self.masses.has(seen) and seen not in self.loops.carriers and len(self.children[seen]) == 1:
            (seen,) = self.children[seen]
            if robot.frame(seen).sigma != FIXED:
                return True
        return False

    def _base(self, world: ET.Element, Z: Array, names: Names) -> None:
        base = self.of.base
        if base.name == WORLD and not base.floating:
            if not np.array_equal(Z, np.eye(4)):
                self.problems.append(
                    Problem("base, location", "the base is MuJoCo's world, which stands at the origin")
                )
            self.bodies[0] = world
        else:
            name = names.new("base") if base.name == WORLD else base.name
            self.bodies[0] = _body(world, name, Z)
            if base.floating:
                ET.SubElement(self.bodies[0], "freejoint", name=Names(self._joint_names()).new("free_base"))
            self.masses.write(self.bodies[0], 0, moves=base.floating)

    def _tree(self, world: ET.Element, Z: Array) -> None:
        robot = self.of
        names = Names([robot.base.name, *(frame.name for frame in robot.frames)])
        self._base(world, Z, names)
        depth = {0: 1}
        waiting = [(k, 0, np.eye(4), [k]) for k in reversed(self.children[0])]
        while waiting:  # depth first, as MuJoCo numbers joints
            j, parent, before, joints = waiting.pop()
            at = before @ self.poses[j]
            if j in self.merged:
                (k,) = self.children[j]
                waiting.append((k, parent, at, [*joints, k]))
                continue
            depth[j] = depth[parent] + 1
            if depth[j] > DEEPEST:
                self.problems.append(
                    Problem("frames", f"more than {DEEPEST} bodies on one another: MuJoCo reads fewer")
                )
                return
            frame = robot.frame(j)
            self.bodies[j] = _body(self.bodies[parent], frame.name if frame.name != WORLD else names.new(WORLD), at)
            self._joints(self.bodies[j], joints)
            self.masses.write(self.bodies[j], j, moves=any(robot.frame(i).sigma != FIXED for i in joints))
            waiting += [(k, j, np.eye(4), [k]) for k in reversed(self.children[j])]

    # --- joints ------------------------------------------------------------------------------------------------------

    def _joints(self, body: ET.Element, frames: list[int]) -> None:
        """The joints of a body in order, each seen from the body: M in T1 M T2 is T1 T2 M' with M' = T2^-1 M T2."""
        for i, j in enumerate(frames):
            frame = self.of.frame(j)
            if frame.sigma == FIXED:
                continue
            after = np.eye(4)
            for k in frames[i + 1 :]:
                after = after @ self.poses[k]
            seen = inverse(after)
            self.order.append(j)
            self._joint_of(body, j, frame, seen)

    def _joint_of(self, body: ET.Element, j: int, frame: Frame, seen: Array) -> None:
        if isinstance(frame.joint.kind, Ball):  # the last joint of its body, so that its axes are those of the body
            ET.SubElement(body, "joint", name=frame.joint.name, type="ball")
            return
        _, slope = self.row_and_slope(j, frame)
        kind = "slide" if frame.sigma == PRISMATIC else "hinge"
        element = ET.SubElement(body, "joint", name=frame.joint.name, type=kind)
        if seen[:3, 3].any() and kind == "hinge":
            element.set("pos", spaced(seen[:3, 3]))
        element.set("axis", spaced(slope * seen[:3, 2]))
        limits = frame.joint.limits
        if limits.lower is not None or limits.upper is not None:
            lower = -UNLIMITED if limits.lower is None else limits.lower
            upper = UNLIMITED if limits.upper is None else limits.upper
            element.set("range", spaced(np.array([lower, upper])))
        for key, value in self._dynamics(frame).items():
            if value:
                element.set(key, short(value))

    def _dynamics(self, frame: Frame) -> dict[str, float]:
        """Friction and rotor inertia on the joint's side, the motor's own through its reduction; and the spring."""
        actuator, motor = frame.actuator, frame.actuator.motor
        Ia, Fv, Fs, Jm, motor_Fv, motor_Fs = self.numbers(
            actuator.Ia, actuator.Fv, actuator.Fs, motor.Jm, motor.Fv, motor.Fs
        )
        N = self._ratio(frame)
        if any(self.of.frame(j) is frame for coupling in self.of.couplings for j in coupling.frames):
            Jm = motor_Fv = motor_Fs = 0.0
        spring = frame.joint.spring or Spring(ZERO)
        stiffness, damping, rest = self.numbers(spring.stiffness, spring.damping, spring.rest)
        return {
            "armature": Ia + N * N * Jm,
            "damping": Fv + N * N * motor_Fv + damping,
            "frictionloss": Fs + abs(N) * motor_Fs,
            "stiffness": stiffness,
            "springref": rest if stiffness else 0.0,
        }

    def _ratio(self, frame: Frame) -> float:
        return 1.0 if frame.actuator.ratio is None else self.numbers(frame.actuator.ratio)[0]

    def _joint_names(self) -> list[str]:
        return [frame.joint.name for frame in self.of.frames]

    def _mimics(self, equality: ET.Element) -> None:
        for j in self.order:
            frame = self.of.frame(j)
            if frame.joint.mimic is not None:
                ratio, offset = self.numbers(frame.joint.mimic.ratio, frame.joint.mimic.offset)
                master = self.of.frame(frame.joint.mimic.frame).joint.name
                polynomial = spaced(np.array([offset, ratio, 0, 0, 0]))
                ET.SubElement(equality, "joint", joint1=frame.joint.name, joint2=master, polycoef=polynomial)

    def _motors(self, root: ET.Element) -> None:
        driven = [self.of.frame(j) for j in self.order if self.of.frame(j).joint.active]
        driven = [frame for frame in driven if frame.joint.mimic is None]
        section = ET.SubElement(root, "actuator") if driven else None
        names = Names(self._joint_names())
        for frame in driven:
            assert section is not None
            if frame.joint.kind is not None:
                for speed, axis in zip(frame.joint.kind.speeds, np.eye(3), strict=True):
                    name = names.new(f"{frame.joint.name}_{speed.suffix}")
                    ET.SubElement(section, "motor", name=name, joint=frame.joint.name, gear=spaced(axis))
                continue
            N, effort = self._ratio(frame), frame.joint.limits.effort
            motor = ET.SubElement(section, "motor", name=frame.joint.name, joint=frame.joint.name)
            if frame.actuator.ratio is not None:
                motor.set("gear", short(N))
            if effort is not None:
                motor.set("forcerange", spaced(np.array([-effort, effort]) / abs(N)))

    def _key(self, root: ET.Element) -> None:
        """Where the joints are when the loops are closed, near their described positions."""
        at = [self.of.frame(j).joint.position for j in self.order]
        if self.of.loops and any(one is not None for one in at) and not self.loops.added:
            closed = standing_positions(self.of) or {}
            at = [closed.get(j, one) for j, one in zip(self.order, at, strict=True)]
            free = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0] if self.of.base.floating else []
            qpos = [*free, *(0.0 if one is None else one for one in at)]
            ET.SubElement(ET.SubElement(root, "keyframe"), "key", name="assembled", qpos=spaced(np.array(qpos)))


def _body(parent: ET.Element, name: str, at: Array) -> ET.Element:
    body = ET.SubElement(parent, "body", name=name)
    place(body, at)
    return body
