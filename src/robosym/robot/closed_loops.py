"""A parallel robot as a robot with closed loops, in the notation of cut joints (SYMORO+ 1997, section 2.1).

The first leg of each platform carries it: its end, then the inverse of the seat, then the platform, fixed. Every other leg is
closed at its joint with the platform, one loop each. A spherical joint becomes three revolute ones through one point, which are
x, y and z where they are at zero; the first is y or z instead where the second would be near a quarter turn, at which the first
and the last are in line. Every joint has the position at which the described robot stands.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from ..expr import Expr, pi, variable
from .checks import checked
from .loop_closure import Floats, described_poses, standing_positions
from .parts import FIXED, PRISMATIC, REVOLUTE, SPHERICAL, ZERO, Actuator, Coupling, Frame, Joint, Leg, Link
from .problems import Problem, RobotError
from .robot import Robot

QUARTER = pi / 2
AXES = ("x", "y", "z")  # of a spherical joint as three revolute ones
# gamma and alpha that bring z onto x, y or z: the first axis of a spherical joint in the end of its leg.
FIRST_AXES = ((QUARTER, QUARTER), (pi, QUARTER), (ZERO, ZERO))
IN_LINE = 0.95  # cosine between the first and the last axis of a spherical joint, above which another axis is the first


def closed_loops(robot: Robot) -> Robot:
    """The same mechanism with closed loops instead of platforms; a robot without platforms is returned as it is.

    Frames, joints and their variables keep their names and the motors their order. There is one loop for each leg but the first
    of each platform.
    """
    if not robot.platforms:
        return robot
    made = checked(_Opened(robot).robot())
    if (
        made.joint_names != robot.joint_names
    ):  # a motor on a platform that is described before the leg that now carries it
        names = ", ".join(made.joint_names)
        message = f"expected legs before the motors that stand on their platforms, else the order of q becomes {names}"
        raise RobotError([Problem("frames", message)], robot.name)
    return _standing(made)


def _standing(robot: Robot) -> Robot:
    """The robot with the joint positions that close its loops near the described ones; as it is if they do not close."""
    closed = standing_positions(robot)
    if closed is None:
        return robot
    placed = [
        replace(frame, joint=replace(frame.joint, position=closed[j])) if j in closed else frame
        for j, frame in enumerate(robot.frames, 1)
    ]
    return robot.replace(frames=tuple(placed))


@dataclass
class _Slot:
    """A frame of the result while it has no number: ``on`` is what it stands on, a frame of the robot or another slot."""

    frame: Frame
    on: int | _Slot
    old: int = 0  # the frame it was, if any


class _Opened:
    def __init__(self, robot: Robot) -> None:
        self.old = robot
        self.names = {robot.base.name, *(one.name for one in robot.frames), *(one.joint.name for one in robot.frames)}
        self.symbols = {entry.name for entry in robot.parameter_symbols} | set(robot.values)
        self.symbols |= {v.name for one in robot.frames if (v := one.joint.variable) is not None}
        # What became of each frame; those of the platforms are replaced.
        self.slots = {j: _Slot(one, one.antecedent, j) for j, one in enumerate(robot.frames, 1)}
        self.more: dict[int, list[_Slot]] = {j: [] for j in self.slots}  # frames that come before a frame of the robot
        self.last: list[_Slot] = []
        self.cuts: list[tuple[_Slot, _Slot]] = []
        self.cut: set[int] = set()  # frames of legs that become cut joints
        self.poses = described_poses(robot)
        for platform in robot.platforms:
            first, *others = platform.legs
            self._carry(platform.frame, first)
            for leg in others:
                self._close(leg)

    # --- modules ---------------------------------------------------------------------------------------------------------

    def _carry(self, platform: int, leg: Leg) -> None:
        """The platform on the end of a leg: by the inverse of its seat."""
        before = self.more[platform]
        on: int | _Slot = leg.end
        if leg.joint == SPHERICAL:
            for joint in self._ball(leg):
                on = _Slot(joint, on)
                before.append(on)
        *between, last = [_inverse(self.old.frame(j)) for j in self._seat(platform, leg)]
        for k, geometry in enumerate(between, 1):
            on = _Slot(self._fixed(f"{leg.name}_to_platform_{k}", geometry), on)
            before.append(on)
        body = self.old.frame(platform)
        gamma, b, alpha, d, theta, r = last
        placed = replace(body, sigma=FIXED, gamma=gamma, b=b, alpha=alpha, d=d, theta=theta, r=r)
        self.slots[platform] = _Slot(placed, on, platform)

    def _seat(self, platform: int, leg: Leg) -> list[int]:
        """The frames from the seat down to the platform, which is not one of them."""
        path = self.old.path(leg.seat)
        return list(reversed(path[path.index(platform) + 1 :]))

    def _close(self, leg: Leg) -> None:
        """A cut joint between the end of a leg and its seat: the last of its joint with the platform."""
        if leg.joint == SPHERICAL:
            *most, last = self._ball(leg)
            on: int | _Slot = leg.end
            for joint in most:
                on = _Slot(joint, on)
                self.last.append(on)
            cut = _Slot(last, on)
        elif self._may_be_cut(leg.end):
            cut = self.slots[leg.end]
            self.cut.add(leg.end)
        else:  # the end has a body, a motor or more frames on it: the loop is closed where it is fixed to the seat
            cut = _Slot(self._fixed(f"{leg.name}_cut"), leg.end)
        self.cuts.append((cut, _Slot(self._fixed(f"{leg.name}_twin"), leg.seat)))

    def _may_be_cut(self, j: int) -> bool:
        """Whether nothing is lost when the joint of frame j is cut: a passive joint that carries nothing."""
        frame, old = self.old.frame(j), self.old
        return (
            frame.sigma in (REVOLUTE, PRISMATIC)
            and not frame.joint.active
            and frame.joint.spring is None
            and frame.link == Link()
            and frame.actuator == Actuator()
            and all(one.antecedent != j and one.actuator.motor.link != j for one in old.frames)
            and all(one.joint.mimic is None or one.joint.mimic.frame != j for one in old.frames)
        )

    # --- frames ----------------------------------------------------------------------------------------------------------

    def _ball(self, leg: Leg) -> list[Frame]:
        """Three revolute joints through the end of a leg."""
        gamma, alpha, angles = self._turned(leg)
        made = []
        for axis, angle in zip(AXES, angles, strict=True):
            own = variable(self._symbol(f"{leg.name}_{axis}"))
            joint = Joint(self._name(f"{leg.name}_ball_{axis}_joint"), own, active=False, position=angle)
            fixed = self._fixed(f"{leg.name}_ball_{axis}")
            made.append(replace(fixed, sigma=REVOLUTE, gamma=gamma, alpha=alpha, theta=own, joint=joint))
            gamma = alpha = QUARTER
        return made

    def _turned(self, leg: Leg) -> tuple[Expr, Expr, tuple[float | None, ...]]:
        """gamma and alpha of the first axis of a spherical joint, and the angles of all three in the described configuration."""
        if leg.end not in self.poses or leg.seat not in self.poses:
            return QUARTER, QUARTER, (None, None, None)
        R = self.poses[leg.end][:3, :3].T @ self.poses[leg.seat][:3, :3]
        first = 0 if abs(R[0, 2]) <= IN_LINE else int(abs(R[:, 2]).argmin())
        gamma, alpha = FIRST_AXES[first]
        return gamma, alpha, _angles(_axes(first).T @ R)

    def _fixed(self, name: str, geometry: Iterable[Expr] = (ZERO,) * 6) -> Frame:
        gamma, b, alpha, d, theta, r = geometry
        called = self._name(name)
        return Frame(called, 0, Joint(called), FIXED, gamma, b, alpha, d, theta, r)

    def _name(self, name: str) -> str:
        while name in self.names:
            name += "_"
        self.names.add(name)
        return name

    def _symbol(self, name: str) -> str:
        name = re.sub(r"[^A-Za-z0-9_]", "_", name)
        name = name if name[0].isalpha() else f"leg_{name}"
        while name in self.symbols:
            name += "_"
        self.symbols.add(name)
        return name

    # --- the robot -------------------------------------------------------------------------------------------------------

    def robot(self) -> Robot:
        """Links, then the cut joints of the robot's own loops and of its legs, then their twins."""
        old, B = self.old, self.old.loops
        links = [slot for j in old.links if j not in self.cut for slot in (*self.more[j], self.slots[j])] + self.last
        own = [self.slots[j] for j in range(old.n_links + 1, len(old.frames) + 1)]
        slots = [*links, *own[:B], *(cut for cut, _ in self.cuts), *own[B:], *(twin for _, twin in self.cuts)]
        place = {id(slot): j for j, slot in enumerate(slots, 1)}
        number = {0: 0} | {slot.old: place[id(slot)] for slot in slots if slot.old}

        def renumbered(slot: _Slot) -> Frame:
            frame, on = slot.frame, slot.on
            joint, motor = frame.joint, frame.actuator.motor
            if joint.mimic is not None:
                joint = replace(joint, mimic=replace(joint.mimic, frame=number[joint.mimic.frame]))
            if motor.link is not None:
                motor = replace(motor, link=number[motor.link])
            return replace(
                frame,
                antecedent=number[on] if isinstance(on, int) else place[id(on)],
                joint=joint,
                actuator=replace(frame.actuator, motor=motor),
            )

        return old.replace(
            frames=tuple(renumbered(slot) for slot in slots),
            loops=B + len(self.cuts),
            couplings=tuple(Coupling(tuple(number[j] for j in one.frames), one.matrix) for one in old.couplings),
            platforms=(),
            par_type=None,
        )


def _inverse(frame: Frame) -> tuple[Expr, ...]:
    """gamma, b, alpha, d, theta, r of the antecedent in a fixed frame: the six steps backwards, each undone.

    (Rz(gamma) Tz(b) Rx(alpha) Tx(d) Rz(theta) Tz(r))^-1 = Rz(-theta) Tz(-r) Rx(-alpha) Tx(-d) Rz(-gamma) Tz(-b)
    """
    return (-frame.theta, -frame.r, -frame.alpha, -frame.d, -frame.gamma, -frame.b)


def _axes(first: int) -> Floats:
    """The rotation of gamma and alpha of a first axis."""
    x = ((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (1.0, 0.0, 0.0))[first]
    z = [float(k == first) for k in range(3)]
    return np.array([x, np.cross(z, x), z]).T


def _angles(R: Floats) -> tuple[float, float, float]:
    """The angles of R = Rz(a) C Rz(b) C Rz(c), with C = Rz(pi/2) Rx(pi/2): R C = Rz(a) Rx(b) Ry(c)."""
    middle = math.asin(max(-1.0, min(1.0, float(R[2, 2]))))
    return math.atan2(-R[0, 2], R[1, 2]), middle, math.atan2(-R[2, 1], R[2, 0])
