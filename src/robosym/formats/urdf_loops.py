"""The closed loops of a URDF, which knows trees only: a TOML file beside it lists the joints that close them.

Each joint joins two links of the tree, the predecessor and the successor. It has a frame on either side, given as in a URDF by
an origin on the link; the two are one frame but for the motion along or about the axis. ``docs/urdf.md`` describes the file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..files import decoded, read_text
from ..robot import Problem, RobotError
from ..robot.entries import Entries, shown
from .mdh import Array, Tolerance, pose, rotation_x, rotation_y, rotation_z
from .toml import parsed
from .urdf_tree import MOVING, Document

KINDS = (*MOVING, "fixed")
FILE_KEYS = ("passive", "positions", "loop")
SIDES = ("predecessor", "successor")
LOOP_KEYS = ("name", "type", *SIDES, *(f"{side}_origin" for side in SIDES), "axis", "damping", "friction")
ORIGIN_KEYS = ("xyz", "rpy")
Z: Array = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class LoopJoint:
    """``links`` are predecessor and successor, ``origins`` the poses of the joint's frame on them; ``axis`` is a unit vector
    in that frame."""

    name: str
    kind: str
    links: tuple[str, str]
    origins: tuple[Array, Array]
    axis: Array = field(default_factory=lambda: Z)
    damping: float = 0.0
    friction: float = 0.0


@dataclass(frozen=True)
class Loops:
    """What the file says: the joints that close loops, those without a motor, and where joints are."""

    joints: tuple[LoopJoint, ...] = ()
    passive: frozenset[str] = frozenset()
    positions: Mapping[str, float] = field(default_factory=dict)
    source: str = ""


def beside(path: Path) -> Path:
    """Where the loops of a URDF are written: robot.loops.toml beside robot.urdf."""
    return path.with_suffix(".loops.toml")


def read_loops(loops_in: str | Path | bytes, document: Document, tolerance: Tolerance) -> Loops:
    """The loops of a file, or of bytes, which are its text; a RobotError with all its problems otherwise."""
    source = "loops" if isinstance(loops_in, bytes) else str(loops_in)
    text = decoded(loops_in, source) if isinstance(loops_in, bytes) else read_text(loops_in)
    reader = _Reader(document, tolerance)
    loops = reader.loops(parsed(text, source), source)
    if reader.entries.problems:
        raise RobotError(reader.entries.problems, source)
    return loops


class _Reader:
    """Reads the tables and collects what is wrong with them."""

    def __init__(self, document: Document, tolerance: Tolerance) -> None:
        self.document, self.tolerance = document, tolerance
        self.entries = Entries(())

    def loops(self, data: dict[str, Any], source: str) -> Loops:
        data = self.entries.table("", data, FILE_KEYS)
        rows = data.get("loop", [])
        if not isinstance(rows, list) or not rows:
            self.entries.problem("loop", f"expected [[loop]] tables, one for each joint to close, got {shown(rows)}")
            rows = []
        joints = tuple(self._joint(f"loop {i}", row, i) for i, row in enumerate(rows, 1))
        taken = [joint.name for joint in self.document.joints]
        for i, joint in enumerate(joints, 1):
            if joint.name in taken:
                self.entries.problem(f"loop {i}, name", f"there is a joint '{joint.name}' already")
            taken.append(joint.name)
        moving = [joint.name for joint in self.document.joints if joint.moves]
        closing = [joint.name for joint in joints if joint.kind != "fixed"]
        return Loops(
            joints,
            frozenset(self._passive(data.get("passive", []), moving)),
            self._positions(data.get("positions", {}), [*moving, *closing]),
            source,
        )

    def _joint(self, where: str, raw: Any, number: int) -> LoopJoint:
        row = self.entries.table(where, raw, LOOP_KEYS)
        kind = row.get("type", "revolute")
        if kind not in KINDS:
            self.entries.problem(f"{where}, type", f"expected one of {', '.join(KINDS)}, got {shown(kind)}")
            kind = "revolute"
        first, second = (self._link(f"{where}, {side}", row.get(side)) for side in SIDES)
        if first and first == second:
            self.entries.problem(f"{where}, successor", f"expected another link than the predecessor, '{first}'")
        before, after = (self._origin(f"{where}, {side}_origin", row.get(f"{side}_origin", {})) for side in SIDES)
        name = self.entries.text(f"{where}, name", row.get("name", f"loop{number}"), "") or f"loop{number}"
        damping, friction = (
            self.entries.number(f"{where}, {key}", row.get(key, 0)) or 0.0 for key in ("damping", "friction")
        )
        axis = self._axis(f"{where}, axis", row["axis"]) if "axis" in row else Z
        return LoopJoint(name, kind, (first, second), (before, after), axis, damping, friction)

    def _link(self, where: str, raw: Any) -> str:
        if raw is None:
            self.entries.problem(where, "missing: expected the name of a link")
        elif not isinstance(raw, str) or raw not in self.document.links:
            self.entries.problem(where, f"there is no link {shown(raw)} ({_listed('links', self.document.links)})")
        else:
            return raw
        return ""

    def _origin(self, where: str, raw: Any) -> Array:
        """[R p; 0 1] with R = Rz(yaw) Ry(pitch) Rx(roll)."""
        row = self.entries.table(where, raw, ORIGIN_KEYS)
        xyz, angles = (self._three(f"{where}, {key}", row.get(key, [0, 0, 0])) for key in ORIGIN_KEYS)
        roll, pitch, yaw = (self.tolerance.angle(float(angle)) for angle in angles)
        return pose(rotation_z(yaw) @ rotation_y(pitch) @ rotation_x(roll), xyz)

    def _axis(self, where: str, raw: Any) -> Array:
        axis = self._three(where, raw)
        largest = np.abs(axis).max()
        if largest == 0:
            self.entries.problem(where, "expected the direction of the axis, got three zeros")
            return Z
        axis = axis / largest
        axis[np.abs(axis) <= self.tolerance.snap] = 0.0
        return np.array(axis / np.linalg.norm(axis))

    def _three(self, where: str, raw: Any) -> Array:
        if not isinstance(raw, list) or len(raw) != 3:
            self.entries.problem(where, f"expected a list of three numbers, got {shown(raw)}")
            return np.ones(3)
        return np.array([self.entries.number(where, x) or 0.0 for x in raw])

    def _passive(self, raw: Any, moving: Collection[str]) -> list[str]:
        if not isinstance(raw, list):
            self.entries.problem("passive", f"expected a list of joint names, got {shown(raw)}")
            return []
        for name in raw:
            if name not in moving:
                self.entries.problem("passive", f"there is no moving joint {shown(name)} ({_listed('joints', moving)})")
        twice = [name for k, name in enumerate(raw) if name in raw[:k]]
        if twice:
            self.entries.problem("passive", f"{shown(twice[0])} is given twice")
        return [name for name in raw if name in moving]

    def _positions(self, raw: Any, moving: Collection[str]) -> dict[str, float]:
        given = self.entries.table("positions", raw, raw if isinstance(raw, dict) else ())
        found = {}
        for name, position in given.items():
            if name not in moving:
                self.entries.problem("positions", f"there is no moving joint '{name}' ({_listed('joints', moving)})")
            else:
                found[name] = self.entries.number(f"positions, {name}", position) or 0.0
        return found


def same_body(joint: LoopJoint, source: str) -> RobotError:
    """Of a loop that closes nothing."""
    first, second = joint.links
    problem = f"'{second}' is fixed to '{first}': expected a link that can move beside it"
    return RobotError([Problem(f"loop '{joint.name}', successor", problem)], source)


def _listed(what: str, names: Collection[str]) -> str:
    return f"{what}: {', '.join([*names][:12])}{' ...' if len(names) > 12 else ''}"
