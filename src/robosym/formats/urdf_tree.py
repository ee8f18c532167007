"""The links and joints of a URDF as plain data, and what makes them one tree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from ..notices import warn
from ..robot import Limits, Problem, RobotError, RobotWarning
from ..robot.joints import JointKind
from .mdh import Array

MOVING = ("revolute", "continuous", "prismatic")


@dataclass(frozen=True)
class Inertial:
    """Mass, centre of mass in the link frame, inertia about the centre along the link's axes."""

    mass: float
    centre: Array
    inertia: Array


@dataclass(frozen=True)
class MimicTag:
    joint: str
    multiplier: float
    offset: float


@dataclass(frozen=True)
class UrdfJoint:
    """``origin`` is the pose of the child in the parent at q = 0; ``axis`` is a unit vector in the child.

    A joint of several axes has its ``compound`` kind, and ``turned`` is the orientation of the frame of the joint in the child.
    """

    name: str
    kind: str
    parent: str
    child: str
    origin: Array
    axis: Array
    limits: Limits = field(default_factory=Limits)
    damping: float = 0.0
    friction: float = 0.0
    mimic: MimicTag | None = None
    # What other formats have beside: rotor inertia on the joint's side, a spring with its rest, the reduction.
    armature: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0
    ratio: float | None = None
    compound: JointKind | None = None
    turned: Array = field(default_factory=lambda: np.eye(3))

    @property
    def moves(self) -> bool:
        return self.kind in MOVING or self.compound is not None


@dataclass(frozen=True)
class Document:
    """A checked tree, in the order of the file. ``floating``: the file joins its root to a world by a free joint."""

    name: str
    root: str
    links: dict[str, Inertial | None]
    joints: tuple[UrdfJoint, ...]
    floating: bool = False


def checked_tree(
    name: str,
    links: dict[str, Inertial | None],
    joints: list[UrdfJoint],
    problems: list[Problem],
    source: str,
    mimic: bool = True,
) -> Document:
    """The tree, if neither its parts (``problems`` so far) nor the whole are wrong; else all problems together.

    Where dependent joints are freed (``mimic=False``), what is wrong with their dependence is a warning.
    """
    following = _mimic_problems(joints)
    found = [*problems, *_tree_problems(links, joints), *(following if mimic else ())]
    if found:
        raise RobotError(found, source)
    if not mimic:
        for problem in following:
            warn(RobotWarning(f"{source}: {problem} (the joint is free: mimic=False)"), stacklevel=5)
    children = {joint.child for joint in joints}
    root = next(link for link in links if link not in children)
    return _with_free_base(Document(name, root, links, tuple(joints)))


def _tree_problems(links: dict[str, Inertial | None], joints: list[UrdfJoint]) -> list[Problem]:
    """What keeps links and joints from being one tree: unknown links, two parents, several roots, cycles."""
    problems = []
    parent_of: dict[str, UrdfJoint] = {}
    for joint in joints:
        for role, link in (("parent", joint.parent), ("child", joint.child)):
            if link and link not in links:
                problems.append(Problem(f"joint '{joint.name}', {role}", f"there is no link '{link}'"))
        if joint.child in parent_of:
            first = parent_of[joint.child].name
            message = f"link '{joint.child}' already has a parent through joint '{first}'"
            problems.append(Problem(f"joint '{joint.name}', child", message))
        elif joint.child in links and joint.parent in links:
            parent_of[joint.child] = joint
    roots = [link for link in links if link not in parent_of]
    if len(roots) > 1 and not problems:  # a broken joint makes roots of its links: say the cause only
        problems.append(Problem("", f"expected one root link, got {len(roots)}: {_listed(roots)}"))
    return problems + _cycles(links, parent_of)


def _cycles(links: dict[str, Inertial | None], parent_of: dict[str, UrdfJoint]) -> list[Problem]:
    problems = []
    done: set[str] = set()
    for start in links:
        path: dict[str, None] = {}
        link = start
        while link not in done and link not in path and link in parent_of:
            path[link] = None
            link = parent_of[link].parent
        if link in path:
            around = list(path)[list(path).index(link) :]
            problems.append(Problem("", f"the links {_listed(around)} form a cycle, expected a tree"))
        done.update(path)
    return problems


def _mimic_problems(joints: list[UrdfJoint]) -> list[Problem]:
    problems = []
    by_name = {joint.name: joint for joint in joints}
    circular = _circular(by_name)
    for joint in joints:
        if joint.mimic is None:
            continue
        where = f"joint '{joint.name}', mimic"
        master = by_name.get(joint.mimic.joint)
        if master is None:
            problems.append(Problem(where, f"there is no joint '{joint.mimic.joint}'"))
        elif master.compound is not None:
            expected = "expected a revolute or prismatic joint to follow"
            problems.append(Problem(where, f"joint '{master.name}' is {master.kind}: {expected}"))
        elif not master.moves:
            problems.append(Problem(where, f"joint '{master.name}' is {master.kind}, it has no position of its own"))
        elif joint.name in circular:
            problems.append(Problem(where, "the joint mimics itself"))
    return problems


def _circular(by_name: dict[str, UrdfJoint]) -> set[str]:
    """The joints from which following the masters comes back; each joint is followed once."""
    circular: set[str] = set()
    done: set[str] = set()
    for start in by_name:
        path: dict[str, None] = {}
        name = start
        while name in by_name and name not in done and name not in path:
            path[name] = None
            mimic = by_name[name].mimic
            name = "" if mimic is None else mimic.joint
        if name in path:
            circular.update(list(path)[list(path).index(name) :])
        done.update(path)
    return circular


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:8])
    return shown + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _with_free_base(document: Document) -> Document:
    """A floating joint makes its child the free base where it is the one joint of the root link, at the frame of that."""
    first = [joint for joint in document.joints if joint.parent == document.root]
    if len(first) != 1 or first[0].kind != "floating" or not np.array_equal(first[0].origin, np.eye(4)):
        return document
    links = {name: inertial for name, inertial in document.links.items() if name != document.root}
    rest = tuple(joint for joint in document.joints if joint is not first[0])
    return replace(document, root=first[0].child, links=links, joints=rest, floating=True)


class Names:
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
