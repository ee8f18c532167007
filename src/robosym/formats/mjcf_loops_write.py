"""Closed loops as equality constraints of MJCF, between sites, so that they hold wherever the robot is drawn.

A cut joint that is fixed becomes a weld; a ball, written as three hinges of which the last is cut, one connect; a hinge two connects
on its axis. A cut slide gets a body of its own, which slides, and a weld.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..robot import FIXED, PRISMATIC, REVOLUTE, Actuator, Link, Robot
from .mdh import Array, cross, pose, pose_of
from .mjcf_values import place
from .urdf_tree import Names
from .urdf_write import Writer, short

if TYPE_CHECKING:
    from .mjcf_write import MjcfWriter

ARM = 0.1  # metres between the two points that make a hinge
MEET = 1e-9  # of a metre: how near the axes of a ball go by its point
CROSSED = 1e-9  # the cosine between two axes of a ball that follow each other


@dataclass(frozen=True)
class Ball:
    """``point`` is its centre in the frame ``carrier``; ``height`` where that is on the axis of the cut joint."""

    carrier: int
    point: Array
    height: float


class LoopWriter:
    """``skipped`` are the massless frames of balls, which are no bodies; ``carriers`` the frames that sites stand on."""

    def __init__(self, robot: Robot) -> None:
        self.of, self.writer = robot, Writer(robot)
        self.children: dict[int, list[int]] = {}
        for j, frame in enumerate(robot.frames, 1):
            self.children.setdefault(frame.antecedent, []).append(j)
        self.balls: dict[int, Ball] = {}  # by their cut joints
        self.skipped: set[int] = set()
        for k in self._cuts():
            self._find_ball(k)
        ends = [self.balls[k].carrier if k in self.balls else self._place(k)[0] for k in self._cuts()]
        self.carriers = {*ends, *(self._place(k + robot.loops)[0] for k in self._cuts())}
        self.added: list[str] = []

    def _cuts(self) -> range:
        return range(self.of.n_links + 1, self.of.n_links + self.of.loops + 1)

    def _place(self, j: int) -> tuple[int, Array]:
        """The link that a frame of a cut joint is on, and its pose there at q = 0; it may be placed from other twins."""
        at = pose_of(self.writer.row_and_slope(j, self.of.frame(j))[0])
        on = self.of.frame(j).antecedent
        while on > self.of.n_links:
            at = pose_of(self.writer.row_and_slope(on, self.of.frame(on))[0]) @ at
            on = self.of.frame(on).antecedent
        return on, at

    def notes(self) -> list[str]:
        return [f"a slide that closes a loop gets a light body: {', '.join(self.added)}"] if self.added else []

    def _find_ball(self, k: int) -> None:
        """Whether the cut hinge k and two passive massless hinges before it go through one point, in three directions."""
        robot = self.of
        if robot.frame(k).sigma != REVOLUTE:
            return
        second = robot.frame(k).antecedent
        first = robot.frame(second).antecedent if second else 0
        if not first or not (self._bare(second) and self._bare(first)):
            return
        lines = []
        at = np.eye(4)  # in the frame that the first stands on
        for j in (first, second, k):
            at = at @ pose_of(self.writer.row_and_slope(j, robot.frame(j))[0])
            lines.append((at[:3, 3], at[:3, 2]))
        (p1, z1), (p2, z2), (p3, z3) = lines
        if abs(z1 @ z2) > CROSSED or abs(z2 @ z3) > CROSSED:
            return
        point = p1 + ((p2 - p1) @ z1) * z1  # where the second crosses the first, if it does
        if all(np.linalg.norm(cross(point - p, z)) < MEET for p, z in ((p2, z2), (p3, z3))):
            self.balls[k] = Ball(robot.frame(first).antecedent, point, float((point - p3) @ z3))
            self.skipped |= {first, second}

    def _bare(self, j: int) -> bool:
        """A passive hinge that carries nothing but the next one."""
        frame = self.of.frame(j)
        joint = frame.joint
        plain = frame.link == Link() and frame.actuator == Actuator() and joint.spring is None
        return (
            frame.sigma == REVOLUTE
            and j <= self.of.n_links
            and not joint.active
            and joint.mimic is None
            and plain
            and len(self.children.get(j, ())) == 1
        )

    # --- elements ----------------------------------------------------------------------------------------------------

    def write(self, writer: MjcfWriter, equality: ET.Element) -> None:
        frames = [self.of.base.name, *(frame.name for frame in self.of.frames)]
        self.sites, self.bodies, B = Names(()), Names(frames), self.of.loops
        for k in self._cuts():
            cut = self.of.frame(k)
            name = cut.joint.name
            (on, T), (under, S) = self._place(k), self._place(k + B)
            seat = writer.bodies[under]
            if k in self.balls:
                ball = self.balls[k]
                centre = pose(np.eye(3), ball.point), S @ pose(np.eye(3), np.array([0.0, 0.0, ball.height]))
                self._equal(equality, "connect", name, (writer.bodies[ball.carrier], centre[0]), (seat, centre[1]))
                continue
            own = writer.bodies[on]
            if cut.sigma == FIXED:
                self._equal(equality, "weld", name, (own, T), (seat, S))
            elif cut.sigma == PRISMATIC:
                self._equal(equality, "weld", name, (self._slide(writer, own, k, T), np.eye(4)), (seat, S))
            else:
                up = pose(np.eye(3), np.array([0.0, 0.0, ARM]))
                self._equal(equality, "connect", name, (own, T), (seat, S))
                self._equal(equality, "connect", f"{name}_axis", (own, T @ up), (seat, S @ up))

    def _equal(
        self,
        equality: ET.Element,
        tag: str,
        name: str,
        first: tuple[ET.Element, Array],
        second: tuple[ET.Element, Array],
    ) -> None:
        """A site on either body, and the constraint that they are one."""
        sites = []
        for side, (body, at) in enumerate((first, second), 1):
            site = ET.Element("site", name=self.sites.new(f"{name}_{side}"))
            place(site, at)
            children = [child.tag for child in body]
            body.insert(children.index("body") if "body" in children else len(children), site)
            sites.append(site.get("name") or "")
        ET.SubElement(equality, tag, name=name, site1=sites[0], site2=sites[1])

    def _slide(self, writer: MjcfWriter, parent: ET.Element, k: int, T: Array) -> ET.Element:
        """A light body on a slide."""
        frame = self.of.frame(k)
        body = ET.SubElement(parent, "body", name=self.bodies.new(f"{frame.name}_slide"))
        place(body, T)
        axis = "0 0 1" if self.writer.row_and_slope(k, frame)[1] > 0 else "0 0 -1"
        ET.SubElement(body, "joint", name=frame.joint.name, type="slide", axis=axis)
        light = writer.masses.light
        ET.SubElement(body, "inertial", pos="0 0 0", mass=short(light), diaginertia=" ".join([short(light * 1e-2)] * 3))
        self.added.append(frame.joint.name)
        return body
