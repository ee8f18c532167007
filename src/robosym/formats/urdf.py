"""URDF: the robot of a file, and the file of a robot.

A URDF puts joints anywhere and along any axis; a frame here has z on its joint's axis. Reading therefore goes in three
steps: the file as plain data (``urdf_read``), links joined by fixed joints merged into bodies, and a frame for every
body (``mdh``). Every link stays a frame with the link's name: the moving frame itself where the two coincide, else a
fixed frame (sigma = 2) on it, which costs nothing unless it is requested. ``docs/urdf.md`` has the rules in full.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np

from ..expr import Expr, number, pi, variable
from ..robot import FIXED, PRISMATIC, REVOLUTE, Actuator, Base, Frame, Joint, Link, Mimic, Robot
from ..robot.physics import orthonormal
from .mdh import QUARTER, SNAP, Array, Body, Row, Tolerance, inverse, is_identity, parameters, place_frames
from .urdf_read import read_document
from .urdf_tree import Document, Inertial, UrdfJoint
from .urdf_write import dumps

__all__ = ["dumps", "read"]

GRAVITY = (number(0), number(0), number(-9.81))  # URDF has none; z is up by its conventions (REP 103)


def read(path: str | Path, *, floating: bool = False, mimic: bool = True, snap: float = SNAP) -> Robot:
    """The robot of a URDF file.

    ``floating`` frees the base. ``mimic=False`` makes dependent joints independent. ``snap`` is how far (rad, or
    relative to the lengths of what the joint carries) a value may be from a clean one and still be taken as it: the
    default removes rounding noise only; 1e-9 also reads 1.57079632679 as pi/2, which moves frames by about as much.
    """
    path = Path(path)
    document = read_document(path, Tolerance(snap))
    tree = _bodies(document)
    rows = _Rows(document, tree, [Tolerance(snap, size) for size in _sizes(document, tree, snap)])
    return Robot(
        name=document.name,
        frames=tuple(_frames(document, tree, rows, mimic)),
        gravity=GRAVITY,
        base=Base(name=document.root, floating=floating or document.floating, link=rows.links[0]),
        source=path.name,
    )


# --- links merged into bodies ----------------------------------------------------------------------------------------


@dataclass
class _Tree:
    """The bodies, the base first, each with the joint that moves it; and where every link is in its body."""

    bodies: list[Body] = field(default_factory=lambda: [Body(0, np.eye(4), np.array([0.0, 0.0, 1.0]))])
    joints: list[UrdfJoint | None] = field(default_factory=lambda: [None])
    links: dict[str, tuple[int, Array]] = field(default_factory=dict)


def _bodies(document: Document) -> _Tree:
    """Follow the joints from the root, as in the file; fixed ones at once: they do not delay what they carry."""
    leaving: dict[str, list[tuple[bool, int]]] = {}
    for i, joint in enumerate(document.joints):
        leaving.setdefault(joint.parent, []).append((joint.moves, i))
    tree = _Tree(links={document.root: (0, np.eye(4))})
    ready = list(leaving.get(document.root, ()))
    heapq.heapify(ready)
    while ready:
        moves, i = heapq.heappop(ready)
        joint = document.joints[i]
        body, parent = tree.links[joint.parent]
        placement = parent @ joint.origin
        placement[:3, :3] = orthonormal(placement[:3, :3])  # a rotation still after many fixed joints
        if moves:
            tree.links[joint.child] = (len(tree.bodies), np.eye(4))
            tree.bodies.append(Body(body, placement, joint.axis, joint.kind == "prismatic"))
            tree.joints.append(joint)
        else:
            tree.links[joint.child] = (body, placement)
        for following in leaving.get(joint.child, ()):
            heapq.heappush(ready, following)
    return tree


def _sizes(document: Document, tree: _Tree, snap: float) -> list[float]:
    """The largest length of each body's placement, of its links and of all that it carries: what noise is measured by.

    A joint feels what it carries and nothing else, so a small tool keeps its digits at the end of a long boom. A body
    that is itself only noise beside its antecedent is measured by that one.
    """
    sizes = [float(np.abs(body.placement[:3, 3]).max()) for body in tree.bodies]
    for name, (body, in_body) in tree.links.items():
        inertial = document.links[name]
        reach = 0.0 if inertial is None else max(float(np.abs(inertial.centre).max()), _gyration(inertial))
        sizes[body] = max(sizes[body], float(np.abs(in_body[:3, 3]).max()), reach)
    for j in range(len(sizes) - 1, 0, -1):
        antecedent = tree.bodies[j].antecedent
        sizes[antecedent] = max(sizes[antecedent], sizes[j])
    sizes[0] = sizes[0] or 1.0
    for j in range(1, len(sizes)):
        sizes[j] = _beside(sizes[j], sizes[tree.bodies[j].antecedent], snap)
    return sizes


def _gyration(part: Inertial) -> float:
    """The length of a link that its inertia tells: the largest radius of gyration."""
    moment = float(np.abs(part.inertia).max())
    return math.sqrt(moment / part.mass) if part.mass > 0 else 0.0


def _beside(own: float, outer: float, snap: float) -> float:
    """A size of its own, unless it is only noise beside the one around it."""
    return own if own > snap * outer else outer


class _Rows:
    """The parameters of every frame: one or two rows for each body, and for each link that is not its body's frame."""

    def __init__(self, document: Document, tree: _Tree, tolerances: list[Tolerance]) -> None:
        frames = place_frames(tree.bodies, tolerances)
        inverses = [inverse(frame) for frame in frames]
        self.bodies = [
            parameters(inverses[body.antecedent] @ body.placement @ frame, tolerance)
            for body, frame, tolerance in zip(tree.bodies[1:], frames[1:], tolerances[1:], strict=True)
        ]
        self.named: dict[int, str] = {}  # bodies whose frame is the frame of the link their joint moves
        self.fixed: dict[str, tuple[int, tuple[Row, ...]]] = {}
        lumps = [_Lump(tolerance) for tolerance in tolerances]
        for name, inertial in document.links.items():
            body, in_body = tree.links[name]
            in_frame = inverses[body] @ in_body
            tolerance = tolerances[body]
            joint = tree.joints[body]
            own = joint is not None and joint.child == name
            if own and is_identity(in_frame, tolerance):
                self.named[body] = name
            elif name != document.root:
                self.fixed[name] = (body, parameters(in_frame, tolerance))
            if inertial is not None:
                lumps[body].add(inertial, in_frame)
        self.links = [lump.link() for lump in lumps]


@dataclass
class _Lump:
    """The inertia of the links of one body, about its frame's origin, and the sizes that noise is measured by.

    A frame turned by the angle of noise changes a product of inertia by that much of the largest moment, but a moment
    by its square only: the small moment of a thin link keeps its digits.
    """

    tolerance: Tolerance
    mass: float = 0.0
    first: Array = field(default_factory=lambda: np.zeros(3))
    second: Array = field(default_factory=lambda: np.zeros((3, 3)))
    reach: float = 0.0
    second_size: float = 0.0
    moment_sizes: Array = field(default_factory=lambda: np.zeros(3))

    def add(self, part: Inertial, in_frame: Array) -> None:
        """Rotate, and shift by J = R I R' + m (c.c E - c c')."""
        turn, position = in_frame[:3, :3], in_frame[:3, 3]
        R = np.where(np.abs(turn) <= self.tolerance.snap, 0.0, turn)
        reach = float(np.abs(part.centre).max() + np.abs(position).max())
        lengths = Tolerance(self.tolerance.snap, max(reach, self.tolerance.size))
        x, y, z = c = np.array([lengths.length(float(at)) for at in turn @ part.centre + position])
        shift = np.array(
            [[y * y + z * z, -x * y, -x * z], [-x * y, x * x + z * z, -y * z], [-x * z, -y * z, x * x + y * y]]
        )
        self.mass += part.mass
        self.first = self.first + part.mass * c
        self.second = self.second + R @ part.inertia @ R.T + part.mass * shift
        self.reach += abs(part.mass) * reach
        self.second_size += float(np.abs(part.inertia).max()) + abs(part.mass) * reach**2
        turned = np.abs(R) @ np.abs(part.inertia) @ np.abs(R.T)
        self.moment_sizes = self.moment_sizes + np.diag(turned + abs(part.mass) * shift)

    def link(self) -> Link:
        """The ten parameters, free of rounding noise."""
        snap = self.tolerance.snap
        first = Tolerance(snap, max(self.reach, abs(self.mass) * self.tolerance.size))
        size = np.full((3, 3), self.second_size)
        np.fill_diagonal(size, np.maximum(self.moment_sizes, snap * self.second_size))
        XX, XY, XZ, YY, YZ, ZZ = (
            number(Tolerance(snap, float(size[at])).length(float(self.second[at]))) for at in _UPPER
        )
        MX, MY, MZ = (number(first.length(float(moment))) for moment in self.first)
        return Link(XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, number(self.mass))


_UPPER = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


# --- frames ----------------------------------------------------------------------------------------------------------


def _frames(document: Document, tree: _Tree, rows: _Rows, mimic: bool) -> Iterator[Frame]:
    """The moving frames in the order of q, each after its auxiliary frame if it has one; then the fixed links."""
    numbers = [0]
    for own in rows.bodies:
        numbers.append(numbers[-1] + len(own))
    of_joint = {joint.name: numbers[i] for i, joint in enumerate(tree.joints) if joint is not None}
    frame_names = _Names(document.links)
    joint_names = _Names(joint.name for joint in document.joints)

    def auxiliary(name: str, antecedent: int, row: Row) -> Frame:
        joint = Joint(joint_names.new(f"{name}_turn"))
        return _frame(frame_names.new(f"{name}_turn"), antecedent, joint, FIXED, row)

    for i, own in enumerate(rows.bodies, 1):
        urdf, body = tree.joints[i], tree.bodies[i]
        assert urdf is not None
        antecedent = numbers[body.antecedent]
        name = rows.named.get(i) or frame_names.new(urdf.name)
        if len(own) == 2:
            yield auxiliary(name, antecedent, own[0])
            antecedent = numbers[i] - 1
        dependent = None
        if mimic and urdf.mimic is not None:
            tag = urdf.mimic
            dependent = Mimic(of_joint[tag.joint], number(tag.multiplier), number(tag.offset))
        joint = Joint(urdf.name, variable(f"q{numbers[i]}"), limits=urdf.limits, mimic=dependent)
        sigma = PRISMATIC if body.prismatic else REVOLUTE
        actuator = Actuator(Fv=number(urdf.damping), Fs=number(urdf.friction))
        yield _frame(name, antecedent, joint, sigma, own[-1], rows.links[i], actuator)

    count = numbers[-1]
    fixed_joint = {joint.child: joint.name for joint in document.joints if not joint.moves}
    for name, (attached, own) in rows.fixed.items():
        antecedent = numbers[attached]
        if len(own) == 2:
            yield auxiliary(name, antecedent, own[0])
            count += 1
            antecedent = count
        joint = Joint(fixed_joint.get(name) or joint_names.new(f"{name}_frame"))
        yield _frame(name, antecedent, joint, FIXED, own[-1])
        count += 1


def _frame(
    name: str,
    antecedent: int,
    joint: Joint,
    sigma: int,
    row: Row,
    link: Link | None = None,
    actuator: Actuator | None = None,
) -> Frame:
    """The frame of a row; the joint's variable adds to theta or r."""
    q = joint.variable if joint.variable is not None else number(0)
    return Frame(
        name,
        antecedent,
        joint,
        sigma,
        gamma=_angle(row.gamma),
        b=number(row.b),
        alpha=_angle(row.alpha),
        d=number(row.d),
        theta=_angle(row.theta) + q if sigma == REVOLUTE else _angle(row.theta),
        r=number(row.r) + q if sigma == PRISMATIC else number(row.r),
        link=link or Link(),
        actuator=actuator or Actuator(),
    )


def _angle(value: float) -> Expr:
    """The angle, exact when it is a quarter turn."""
    turns = round(value / QUARTER)
    return pi * Fraction(turns, 2) if value == turns * QUARTER else number(math.remainder(value, math.tau))


class _Names:
    """New names beside those a file uses."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.taken = set(taken)

    def new(self, wanted: str) -> str:
        name, i = wanted, 1
        while name in self.taken:
            i += 1
            name = f"{wanted}_{i}"
        self.taken.add(name)
        return name
