"""The equality constraints of an MJCF file: joints that follow others, and closed loops.

``joint``: q1 - ref1 = c0 + c1 (q2 - ref2) makes joint 1 follow joint 2. ``weld`` joins two bodies as one. ``connect`` joins two points
of them, which is a ball joint; where all hinges between the bodies are parallel it is a hinge along them, and two of them between the
same bodies are a hinge through both points.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..spatial.floats import quaternion_rotations
from .mdh import Array, cross, inverse, pose, shortest_turn
from .mjcf_bodies import HINGE, SLIDE, WORLD, Bodies, MjJoint
from .mjcf_links import BALL_AXES, Links, motion
from .mjcf_values import Values
from .mjcf_xml import Defaults
from .urdf_loops import LoopJoint
from .urdf_tree import MimicTag, Names, UrdfJoint
from .xml_read import shown, words

PARALLEL = 1e-9  # the sine between two axes
UNCHANGED = [0.0, 1.0, 0.0, 0.0, 0.0]  # polycoef: what is not given
MISMATCH = 1e-6  # of the distances between two points on either body


class Equalities:
    def __init__(self, values: Values, defaults: Defaults, found: Bodies, made: Links, left_out: Counter[str]) -> None:
        self.values, self.defaults, self.found, self.made, self.left_out = values, defaults, found, made, left_out
        self.joints = {joint.name: joint for joint in found.joints()}
        self.mimics: dict[str, MimicTag] = {}
        self.held: dict[str, float] = {}  # joints that stand still, and where
        self.closing: list[LoopJoint] = []
        self.passive: set[str] = set()
        self.sites: set[str] = set()  # that close loops
        self.points: dict[tuple[str, str], list[tuple[str, Array, Array]]] = {}  # connect, by bodies
        taken = [joint.name for joint in made.joints]
        self.names = Names([*taken, *made.links])

    def read(self, root: ET.Element) -> None:
        for section in root.iterfind("equality"):
            for i, element in enumerate(section, 1):
                where = f"equality '{element.get('name') or i}'"
                given = self.defaults.of(element, where, tag="equality")
                if not self.values.truth(f"{where}, active", given.get("active", "true")):
                    self.left_out[f"{element.tag} constraint that is not active"] += 1
                elif element.tag == "joint":
                    self._joint(where, given)
                elif element.tag in ("connect", "weld"):
                    self._closed(where, str(element.tag), given)
                else:
                    self.left_out[f"{element.tag} constraint"] += 1
        self.left_out["site"] -= len(self.sites)
        for (first, second), points in self.points.items():
            self._connected(first, second, points)

    # --- joints that follow others ---------------------------------------------------------------------------------------

    def _joint(self, where: str, given: Mapping[str, str]) -> None:
        texts = words(given.get("polycoef", ""))
        c = [self.values.number(f"{where}, polycoef", text) for text in texts]
        c += UNCHANGED[len(c) :]
        if len(c) > len(UNCHANGED):
            self.values.report(f"{where}, polycoef", f"expected at most {len(UNCHANGED)} numbers, got {len(c)}")
        own = self._known(where, "joint1", given)
        if own is None:
            return
        if own.name in self.mimics or own.name in self.held:
            self.values.report(where, f"joint '{own.name}' follows another joint already")
        if "joint2" not in given:
            self.held[own.name] = own.ref + c[0]
            return
        other = self._known(where, "joint2", given)
        if any(c[2:]):
            self.values.report(f"{where}, polycoef", f"expected a joint that follows linearly, got {' '.join(texts)!r}")
        elif other is not None:
            self.mimics[own.name] = MimicTag(other.name, c[1], own.ref + c[0] - c[1] * other.ref)

    def _known(self, where: str, key: str, given: Mapping[str, str]) -> MjJoint | None:
        joint = self.joints.get(given.get(key, ""))
        if joint is None or joint.kind not in (HINGE, SLIDE):
            self.values.report(f"{where}, {key}", f"expected a hinge or slide joint, got {shown(given.get(key))}")
            return None
        return joint

    def applied(self) -> list[UrdfJoint]:
        """The joints of the tree with those that follow others, and those that stand still as fixed ones."""
        return [self._applied(joint) for joint in self.made.joints]

    def _applied(self, joint: UrdfJoint) -> UrdfJoint:
        if joint.name in self.mimics:
            return replace(joint, mimic=self.mimics[joint.name])
        if joint.name not in self.held:
            return joint
        moved = replace(self.joints[joint.name], axis=joint.axis)
        return replace(joint, kind="fixed", origin=joint.origin @ motion(moved, self.held[joint.name]))

    # --- closed loops ----------------------------------------------------------------------------------------------------

    def _closed(self, where: str, tag: str, given: Mapping[str, str]) -> None:
        ends = (
            self._by_sites(where, given) if "site1" in given or "site2" in given else self._by_bodies(where, tag, given)
        )
        if ends is None:
            return
        (first, at_first), (second, at_second) = (self._on_root(*end) for end in ends)
        if self.found.bodies[first].mocap or self.found.bodies[second].mocap:
            self.left_out[f"{tag} to a body moved from outside"] += 1
            return
        if {first, second} & self.made.objects:
            self.left_out[f"{tag} to a free body without joints"] += 1
            return
        for body in (first, second):
            if body not in self.made.links:
                self.values.report(
                    where, f"'{body}' is no part of the robot, whose base is free: expected two of its bodies"
                )
                return
        name = self.names.new(given.get("name") or f"{tag}_{first}_{second}")
        if tag == "weld":
            self.closing.append(LoopJoint(name, "fixed", (first, second), (at_first, at_second)))
        elif (second, first) in self.points:
            self.points[second, first].append((name, at_second, at_first))
        else:
            self.points.setdefault((first, second), []).append((name, at_first, at_second))

    def _on_root(self, body: str, at: Array) -> tuple[str, Array]:
        """A place on the world is one on the body that is fixed to it and is the root."""
        if body != WORLD or self.made.floating or self.made.root == WORLD:
            return body, at
        return self.made.root, inverse(self.made.location) @ at

    def _by_sites(self, where: str, given: Mapping[str, str]) -> tuple[tuple[str, Array], tuple[str, Array]] | None:
        for key in ("site1", "site2"):
            if given.get(key) not in self.found.sites:
                self.values.report(f"{where}, {key}", f"there is no site {shown(given.get(key))}")
                return None
        self.sites |= {given["site1"], given["site2"]}
        return self.found.sites[given["site1"]], self.found.sites[given["site2"]]

    def _by_bodies(
        self, where: str, tag: str, given: Mapping[str, str]
    ) -> tuple[tuple[str, Array], tuple[str, Array]] | None:
        """Where the second body is not said to be, it is where the file puts it."""
        first, second = given.get("body1", ""), given.get("body2") or WORLD
        for key, name in (("body1", first), ("body2", second)):
            if name not in self.found.bodies:
                self.values.report(f"{where}, {key}", f"there is no body {shown(name)}")
                return None
        between = inverse(self.found.bodies[second].at) @ self.found.bodies[first].at  # the first in the second
        if tag == "connect":
            anchor = pose(np.eye(3), self.values.three(f"{where}, anchor", given.get("anchor", "")))
            return (first, anchor), (second, between @ anchor)
        relative = self.values.vector(f"{where}, relpose", given.get("relpose", "0 1 0 0 0 0 0"), 7)
        if not relative[3:].any():
            return (first, inverse(between)), (second, np.eye(4))
        return (first, pose(quaternion_rotations(relative[[4, 5, 6, 3]]), relative[:3])), (second, np.eye(4))

    def _connected(self, first: str, second: str, points: list[tuple[str, Array, Array]]) -> None:
        name, at_first, at_second = points[0]
        if len(points) > 2:
            self.values.report(f"equality '{points[2][0]}'", "more than two connect two bodies: expected a weld")
        elif len(points) == 2:
            apart = [other[:3, 3] - own[:3, 3] for own, other in ((at_first, points[1][1]), (at_second, points[1][2]))]
            self._hinged(name, (first, second), (at_first[:3, 3], at_second[:3, 3]), apart)
        else:
            axis = self._plane(first, second)
            between = inverse(self.found.bodies[second].at) @ self.found.bodies[first].at
            ends = (pose(np.eye(3), at_first[:3, 3]), pose(between[:3, :3], at_second[:3, 3]))
            if axis is not None:
                self.closing.append(LoopJoint(name, "revolute", (first, second), ends, axis))
            else:
                self._ball(name, first, second, ends)

    def _hinged(self, name: str, bodies: tuple[str, str], points: tuple[Array, Array], apart: list[Array]) -> None:
        """Two points of either body are one: a hinge through them."""
        lengths = [float(np.linalg.norm(one)) for one in apart]
        if min(lengths) == 0 or abs(lengths[0] - lengths[1]) > MISMATCH * max(lengths):
            message = f"the two points are {lengths[0]:g} apart on '{bodies[0]}' and {lengths[1]:g} on '{bodies[1]}'"
            self.values.report(f"equality '{name}'", message)
            return
        turns = [shortest_turn(one / length) for one, length in zip(apart, lengths, strict=True)]
        before, after = (pose(turn, point) for turn, point in zip(turns, points, strict=True))
        self.closing.append(LoopJoint(name, "revolute", bodies, (before, after)))

    def _ball(self, name: str, first: str, second: str, ends: tuple[Array, Array]) -> None:
        """Hinges about x and y on massless links, and the loop closed by one about z."""
        parent, origin = first, ends[0]
        for axis in "xy":
            joint = self.names.new(f"{name}_{axis}")
            link = self.names.new(f"{name}_{axis}_link")
            self.made.joints.append(UrdfJoint(joint, "revolute", parent, link, origin, BALL_AXES[axis]))
            self.made.links[link] = None
            self.made.between.add(link)
            self.passive.add(joint)
            parent, origin = link, np.eye(4)
        self.closing.append(LoopJoint(name, "revolute", (parent, second), (origin, ends[1])))

    def _plane(self, first: str, second: str) -> Array | None:
        """The direction of all hinges between two bodies, in the first, if every slide is across it; else None."""
        paths = [self._path(first), self._path(second)]
        common = set(paths[0]) & set(paths[1])
        axes: list[tuple[str, Array]] = []
        for name in (name for path in paths for name in path if name not in common):  # in the order of the file
            body = self.found.bodies[name]
            axes += [(joint.kind, body.at[:3, :3] @ joint.axis) for joint in body.joints]
        hinges = [axis for kind, axis in axes if kind == HINGE]
        if not hinges or any(kind not in (HINGE, SLIDE) for kind, _ in axes):
            return None
        n = hinges[0]
        flat = all(float(np.linalg.norm(cross(n, axis))) < PARALLEL for axis in hinges)
        if flat and all(abs(float(n @ axis)) < PARALLEL for kind, axis in axes if kind == SLIDE):
            return np.array(self.found.bodies[first].at[:3, :3].T @ n)
        return None

    def _path(self, name: str) -> list[str]:
        path = [name]
        while self.found.bodies[path[-1]].parent:
            path.append(self.found.bodies[path[-1]].parent)
        return path
