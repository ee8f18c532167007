"""URDF: the robot of a file, and the file of a robot.

A URDF puts joints anywhere and along any axis; a frame here has z on its joint's axis. Reading therefore goes in three
steps: the file as plain data (``urdf_read``), links joined by fixed joints merged into bodies, and a frame for every
body (``mdh``). Joints that close loops stand in a file of their own (``urdf_loops``) and become the last frames, cut joints and
their twins. Every link stays a frame with the link's name: the moving frame itself where the two coincide, else a
fixed frame (sigma = 2) on it, which costs nothing unless it is requested. ``docs/urdf.md`` has the rules in full.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

import numpy as np

from ..expr import Expr, evaluate, number, pi, variable
from ..robot import FIXED, PRISMATIC, REVOLUTE, Actuator, Base, Frame, Joint, Link, Mimic, Robot, Spring
from ..robot.joints import JointKind
from ..robot.parts import COMPOUND
from ..robot.physics import orthonormal
from .mdh import (
    QUARTER,
    SNAP,
    Array,
    Body,
    Row,
    Tolerance,
    inverse,
    is_identity,
    parameters,
    place_frames,
    pose,
    pose_of,
)
from .urdf_loops import LoopJoint, Loops, read_loops, same_body
from .urdf_read import GRAVITY, read_document
from .urdf_tree import Document, Inertial, Names, UrdfJoint
from .urdf_write import dumps

__all__ = ["dumps", "read"]


def read(
    path: str | Path,
    *,
    floating: bool = False,
    mimic: bool = True,
    snap: float = SNAP,
    loops: str | Path | bytes | None = None,
    text: bytes | None = None,
) -> Robot:
    """The robot of a URDF file, or of a ``text``, of which the path is only the name.

    ``floating`` frees the base. ``mimic=False`` makes dependent joints independent. ``loops`` is the file of the joints that
    close loops, or its text as bytes. ``snap`` is how far (rad, or
    relative to the lengths of what the joint carries) a value may be from a clean one and still be taken as it: the
    default removes rounding noise only; 1e-9 also reads 1.57079632679 as pi/2, which moves frames by about as much.
    """
    path = Path(path)
    document = read_document(path, Tolerance(snap), mimic, text)
    closing = Loops() if loops is None else read_loops(loops, document, Tolerance(snap))
    robot = robot_of(document, closing, mimic=mimic, snap=snap)
    base = replace(robot.base, floating=floating or document.floating)
    return robot.replace(gravity=GRAVITY, base=base, source=path.name)


def robot_of(document: Document, closing: Loops, *, mimic: bool = True, snap: float = SNAP) -> Robot:
    """The robot of links and joints placed anywhere, and of the joints that close loops between them."""
    tree = _bodies(document)
    _add_ends(tree, closing)
    rows = _Rows(document, tree, [Tolerance(snap, size) for size in _sizes(document, tree, snap)])
    return Robot(
        name=document.name,
        frames=_Frames(document, tree, rows, closing).all(mimic),
        loops=len(closing.joints),
        base=Base(name=document.root, floating=document.floating, link=rows.links[0]),
    )


# --- links merged into bodies ----------------------------------------------------------------------------------------


@dataclass
class _Tree:
    """The bodies, the base first, each with the joint that moves it; and where every link is in its body. The last bodies
    have no joint: they are the frames of the joints that close loops, first those on the predecessors, then the others."""

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
            tree.bodies.append(_moved(body, placement, joint))
            tree.joints.append(joint)
        else:
            tree.links[joint.child] = (body, placement)
        for following in leaving.get(joint.child, ()):
            heapq.heappush(ready, following)
    return tree


def _moved(antecedent: int, placement: Array, joint: UrdfJoint) -> Body:
    """The body that a joint moves; where its joint has several axes, with the frame of its link at the neutral position."""
    if joint.compound is None:
        return Body(antecedent, placement, joint.axis, joint.kind == "prismatic")
    after = neutral(joint.compound)
    frame = pose(orthonormal(joint.turned), np.zeros(3)) @ after
    return Body(antecedent, placement, frame[:3, 2], frame=frame, before=inverse(after))


def neutral(kind: JointKind) -> Array:
    """The frame of the link in that of a joint of several axes, at the neutral position.

    The elementary joints stand at zero there, and the placement is none, whatever the kind.
    """
    T: Array = np.eye(4)
    for step in kind.steps([entry.neutral for entry in kind.positions], [0.0] * kind.nv):
        gamma, alpha = evaluate((step.gamma, step.alpha), {})
        T = T @ pose_of(Row(gamma=float(gamma), alpha=float(alpha)))
    return T


def _add_ends(tree: _Tree, closing: Loops) -> None:
    """The two frames of every joint that closes a loop: a link's frame looks at them where no other joint follows."""
    for joint in closing.joints:
        if tree.links[joint.links[0]][0] == tree.links[joint.links[1]][0]:
            raise same_body(joint, closing.source)
    for side in (0, 1):
        for joint in closing.joints:
            body, in_body = tree.links[joint.links[side]]
            prismatic = joint.kind in ("prismatic", "fixed")  # these have their frame anywhere
            tree.bodies.append(Body(body, in_body @ joint.origins[side], joint.axis, prismatic))


def _sizes(document: Document, tree: _Tree, snap: float) -> list[float]:
    """The largest length of each body's placement, of its links and of all that it carries: what noise is measured by.

    A joint feels what it carries and nothing else, so a small tool keeps its digits at the end of a long boom. A body
    that is itself only noise beside its antecedent is measured by that one.
    """
    sizes = [float(np.abs(body.placement[:3, 3]).max()) for body in tree.bodies]
    for name, (body, in_body) in tree.links.items():
        inertial = document.links.get(name)  # a link between two joints of one body has no frame of its own
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
        _join_ends(tree, frames, tolerances)
        inverses = [inverse(frame) for frame in frames]
        placed = []
        for moved, frame, tolerance in zip(tree.bodies[1:], frames[1:], tolerances[1:], strict=True):
            T = inverses[moved.antecedent] @ moved.placement @ frame
            placed.append(parameters(T if moved.before is None else T @ moved.before, tolerance))
        self.bodies, self.ends = placed[: len(tree.joints) - 1], placed[len(tree.joints) - 1 :]
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


def _join_ends(tree: _Tree, frames: list[Array], tolerances: list[Tolerance]) -> None:
    """The two frames of a joint that closes a loop are one and the same: that with theta = r = 0 on the successor. On the
    predecessor they stand beside the joint's variable."""
    loops = (len(tree.bodies) - len(tree.joints)) // 2
    for k in range(len(tree.joints), len(tree.joints) + loops):
        twin = tree.bodies[k + loops]
        own = parameters(inverse(frames[twin.antecedent]) @ twin.placement @ frames[k + loops], tolerances[k + loops])
        frames[k] = frames[k + loops] = frames[k + loops] @ inverse(pose_of(Row(theta=own[-1].theta, r=own[-1].r)))


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


class _Frames:
    """The frames made so far: moving ones in the order of q, each after its auxiliary frame if it has one; then the fixed
    links, and last the frames of the joints that close loops."""

    def __init__(self, document: Document, tree: _Tree, rows: _Rows, closing: Loops) -> None:
        self.document, self.tree, self.rows, self.closing = document, tree, rows, closing
        self.made: list[Frame] = []
        self.numbers = [0]  # of the frames of the bodies
        for own in rows.bodies:
            self.numbers.append(self.numbers[-1] + len(own))
        self.frame_names = Names(document.links)
        self.joint_names = Names([*(j.name for j in document.joints), *(j.name for j in closing.joints)])

    def all(self, mimic: bool) -> tuple[Frame, ...]:
        self._moving(mimic)
        self._fixed()
        self._ends()
        return tuple(self.made)

    def _turned(self, name: str, antecedent: int, rows: tuple[Row, ...]) -> int:
        """The antecedent of the last row: of two, the first is an auxiliary frame."""
        if len(rows) == 1:
            return antecedent
        joint = Joint(self.joint_names.new(f"{name}_turn"))
        self.made.append(_frame(self.frame_names.new(f"{name}_turn"), antecedent, joint, FIXED, rows[0]))
        return len(self.made)

    def _moving(self, mimic: bool) -> None:
        of_joint = {joint.name: self.numbers[i] for i, joint in enumerate(self.tree.joints) if joint is not None}
        for i, own in enumerate(self.rows.bodies, 1):
            urdf, body = self.tree.joints[i], self.tree.bodies[i]
            assert urdf is not None
            name = self.rows.named.get(i) or self.frame_names.new(urdf.name)
            antecedent = self._turned(name, self.numbers[body.antecedent], own)
            dependent = None
            if mimic and urdf.mimic is not None:
                tag = urdf.mimic
                dependent = Mimic(of_joint[tag.joint], number(tag.multiplier), number(tag.offset))
            stem, kind = f"q{self.numbers[i]}", urdf.compound
            joint = Joint(
                urdf.name,
                variable(stem) if kind is None else None,
                active=urdf.name not in self.closing.passive,
                kind=kind,
                variables=() if kind is None else kind.symbols(stem),
                limits=urdf.limits,
                mimic=dependent,
                position=self.closing.positions.get(urdf.name),
                spring=_spring(urdf),
            )
            sigma = COMPOUND if kind is not None else PRISMATIC if body.prismatic else REVOLUTE
            damping = 0.0 if urdf.stiffness else urdf.damping  # beside a spring it is that of the spring
            ratio = None if urdf.ratio is None else number(urdf.ratio)
            actuator = Actuator(number(urdf.armature), number(damping), number(urdf.friction), ratio)
            self.made.append(_frame(name, antecedent, joint, sigma, own[-1], self.rows.links[i], actuator))

    def _fixed(self) -> None:
        fixed_joint = {joint.child: joint.name for joint in self.document.joints if not joint.moves}
        for name, (attached, own) in self.rows.fixed.items():
            antecedent = self._turned(name, self.numbers[attached], own)
            joint = Joint(fixed_joint.get(name) or self.joint_names.new(f"{name}_frame"))
            self.made.append(_frame(name, antecedent, joint, FIXED, own[-1]))

    def _ends(self) -> None:
        """The cut joints, then their twins; auxiliary frames are links and come before."""
        joints, ends = self.closing.joints, self.tree.bodies[len(self.tree.joints) :]
        names = [f"{joint.name}{end}" for end in ("", "_twin") for joint in joints]
        rows = self.rows.ends
        carriers = [
            self._turned(name, self.numbers[end.antecedent], own)
            for name, end, own in zip(names, ends, rows, strict=True)
        ]
        for i, (name, carrier, own) in enumerate(zip(names, carriers, rows, strict=True)):
            frame_name = self.frame_names.new(name)
            if i < len(joints):
                self.made.append(self._cut(frame_name, carrier, own[-1], joints[i]))
            else:
                twin = Joint(self.joint_names.new(name), active=False)
                self.made.append(_frame(frame_name, carrier, twin, FIXED, own[-1]))

    def _cut(self, name: str, antecedent: int, row: Row, cut: LoopJoint) -> Frame:
        if cut.kind == "fixed":
            return _frame(name, antecedent, Joint(cut.name, active=False), FIXED, row)
        own = variable(f"q{len(self.made) + 1}")
        joint = Joint(cut.name, own, active=False, position=self.closing.positions.get(cut.name))
        actuator = Actuator(Fv=number(cut.damping), Fs=number(cut.friction))
        sigma = PRISMATIC if cut.kind == "prismatic" else REVOLUTE
        return _frame(name, antecedent, joint, sigma, row, actuator=actuator)


def _spring(joint: UrdfJoint) -> Spring | None:
    """The spring and damper that act on a joint."""
    if not joint.stiffness:
        return None
    return Spring(number(joint.stiffness), number(joint.damping), number(joint.rest))


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
