"""The chain of an inverse problem: joints about or along z, in groups of parallel axes, with constant matrices between.

Over parallel axes the angles add up: a group has the absolute angles phi_k of its joints as unknowns, so that its
orientation is one rotation and its reach a sum of arms. Antiparallel axes are turned over first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from ....brief import brief
from ....expr import (
    Expr,
    ExprError,
    cos,
    derivative,
    evaluate,
    expr,
    free_symbols,
    number,
    pi,
    sin,
    substitute,
    variable,
)
from ....program import Unmarked
from ....robot import FIXED, PRISMATIC, Robot, RobotError
from ....robot.problems import Problem
from ....spatial.screws import Motion, Rigid, Screw, from_left, joined
from ...tree.paths import WORLD, motions

ConstantRows = tuple[tuple[Expr, ...], ...]


@dataclass(frozen=True)
class Unknown:
    """A joint of the chain: its angle about z (or length along z) is ``sign`` q + ``offset``."""

    number: int  # from 1 along the chain
    frame: int
    name: str
    prismatic: bool
    sign: int
    offset: Expr


@dataclass(frozen=True)
class Group:
    """Joints with parallel axes, one after the other; ``steps`` are the screws between them (turn and shifts)."""

    joints: tuple[Unknown, ...]
    turns: tuple[Expr, ...]  # the constant angle before each joint after the first
    shifts: tuple[tuple[Expr, Expr, Expr], ...]  # and the constant shift, in the axes after the joint before it

    @property
    def revolute(self) -> tuple[Unknown, ...]:
        return tuple(joint for joint in self.joints if not joint.prismatic)


class Columns(Protocol):
    """The joints whose positions are the columns of solutions: those of a chain, or others that follow from them."""

    @property
    def robot(self) -> Robot: ...

    @property
    def joints(self) -> tuple[Unknown, ...]: ...

    @property
    def units(self) -> tuple[float, ...]: ...


@dataclass(frozen=True, repr=False)
class Chain:
    """start G1 K1 G2 K2 ... Gm end = T.

    Lengths are in units of ``unit`` metres, a power of two near to the length of the arm, so that what is small beside the
    arm is small. It is one for an arm of ordinary length.
    """

    robot: Robot
    joints: tuple[Unknown, ...]
    groups: tuple[Group, ...]
    between: tuple[ConstantRows, ...]  # K1 to K(m-1)
    start: ConstantRows
    end: ConstantRows
    given: tuple[int, ...] = ()  # the frames of joints given with the pose
    unit: float = 1.0

    def __repr__(self) -> str:
        return brief(f"chain of {self.robot.name!r:.42}: {', '.join(joint.name for joint in self.joints)}")

    @property
    def units(self) -> tuple[float, ...]:
        """What the positions of the joints are measured with: radians, or units of the arm's length."""
        return tuple(self.unit if joint.prismatic else 1.0 for joint in self.joints)

    @property
    def pieces(self) -> tuple[ConstantRows, ...]:
        """A0 to An of A0 J1 A1 J2 ... Jn An = T: the constant motions before, between and after the single joints."""
        found = [self.start]
        for k, group in enumerate(self.groups):
            found += [self.between[k - 1]] if k else []
            found += [_turned_and_shifted(turn, shift) for turn, shift in zip(group.turns, group.shifts, strict=True)]
        return (*found, self.end)

    @property
    def lengths(self) -> tuple[Expr, ...]:
        """Every length of the arm, along an axis: the shifts between the joints, to the first and from the last."""
        found = dict.fromkeys(row[3] for rows in self.pieces for row in rows)
        found.update(dict.fromkeys(joint.offset for joint in self.joints if joint.prismatic))
        return tuple(x for x in found if not x.is_zero)


def given_symbol(j: int) -> Expr:
    """The position of a joint that is given with the pose."""
    return variable(f"given{j}")


def chain_of(robot: Robot, frame: int, base: int | str = 0, given: Sequence[int] = ()) -> Chain:
    """The chain from the base (or the world) to a frame. The joints of the frames ``given`` are no unknowns."""
    path = list(robot.path(frame))
    _check_kinds(robot, path)
    moving = [j for j in path if robot.frame(j).sigma != FIXED and j not in given]
    if not moving:
        raise RobotError([Problem("frame", "no joint moves it: there is nothing to solve")], robot.name)
    pieces: list[list[Motion]] = [motions(robot, WORLD, 0) if base == WORLD else []]
    joints: list[Unknown] = []
    for j in path:
        before, own, after = parted(robot, j, len(joints) + 1, j in given)
        pieces[-1] += before
        if own is not None:
            joints.append(own)
            pieces.append([])
        pieces[-1] += after
    return assembled(robot, joints, pieces, given)


def _check_kinds(robot: Robot, path: Sequence[int]) -> None:
    """Raise RobotError where a joint on the way is neither revolute nor prismatic."""
    kinds = ((robot.frame(j).joint.name, robot.kind(j)) for j in path)
    problems = [
        Problem(
            f"joint '{name}'",
            f"expected revolute and prismatic joints on the way to the frame, got a {kind.name} joint. "
            "Write it as revolute and prismatic joints: a ball joint is three revolute ones whose axes meet",
        )
        for name, kind in kinds
        if kind is not None
    ]
    if problems:
        raise RobotError(problems, robot.name)


def assembled(robot: Robot, joints: list[Unknown], pieces: list[list[Motion]], given: Sequence[int]) -> Chain:
    """The chain of joints with these motions before, between and after them."""
    joints, pieces = _turned_over(joints, [joined(piece) for piece in pieces])
    return _in_units(replace(_grouped(robot, joints, pieces), given=tuple(given)))


def _of_several_axes(robot: Robot, j: int) -> RobotError:
    owner, chain = next((owner, chain) for owner, chain in robot.chains.items() if j in (*chain.frames, chain.placed))
    problem = f"the inverse geometric model does not support a {chain.kind.name} joint: write it as revolute and prismatic joints"
    return RobotError([Problem(f"joint '{robot.frame(owner).joint.name}'", problem)], robot.name)


def parted(robot: Robot, j: int, number_: int, given: bool) -> tuple[list[Motion], Unknown | None, list[Motion]]:
    """The constant motions before the joint of a frame, the joint, and those after it."""
    frame = robot.frame(j)
    gamma, b, alpha, d, theta, r = robot.geometry(j)
    if given and frame.joint.variable is not None:
        theta, r = substitute([theta, r], {frame.joint.variable: given_symbol(j)})
    lead: list[Motion] = [Screw("z", gamma, b, j), Screw("x", alpha, d, j)]
    if frame.sigma == FIXED or given:
        return [*lead, Screw("z", theta, r, j)], None, []
    if frame.joint.mimic is not None:
        problem = "a dependent joint on the way to the frame: its inverse geometric model is not available"
        raise RobotError([Problem(f"joint '{frame.joint.name}'", problem)], robot.name)
    q, moved = frame.joint.variable, (r if frame.sigma == PRISMATIC else theta)
    if q is None:
        raise _of_several_axes(robot, j)
    sign = derivative(moved, q)
    if sign not in (number(1), number(-1)):
        problem = f"moves by '{moved}': expected the variable itself, with a sign and an offset"
        raise RobotError([Problem(f"joint '{frame.joint.name}'", problem)], robot.name)
    offset = substitute([moved], {q: number(0)})[0]
    prismatic = frame.sigma == PRISMATIC
    own = Unknown(number_, j, frame.joint.name, prismatic, 1 if sign is number(1) else -1, offset)
    rest = Screw("z", theta, number(0), j) if prismatic else Screw("z", number(0), r, j)
    return lead, own, [rest]


def _turned_over(joints: list[Unknown], pieces: list[list[Motion]]) -> tuple[list[Unknown], list[list[Motion]]]:
    """Antiparallel axes made parallel: Rx(pi) Rz(a) Tz(r) = Rz(-a) Tz(-r) Rx(pi) moves a half turn along the chain."""
    found = []
    for k, joint in enumerate(joints, 1):
        piece = pieces[k - 1]
        if len(piece) and all(isinstance(m, Screw) for m in piece):
            turns = [m for m in piece if isinstance(m, Screw) and m.axis == "x" and not _flat(m)]
            if k > 1 and len(turns) == 1 and expr(turns[0].angle) in (pi, -pi):
                place = piece.index(turns[0])
                rest = [_mirrored(m) for m in piece[place + 1 :]]
                pieces[k - 1] = joined([*piece[:place], Screw("x", number(0), turns[0].shift, turns[0].link), *rest])
                pieces[k] = _after_half_turn(pieces[k], joint.frame)
                joint = Unknown(k, joint.frame, joint.name, joint.prismatic, -joint.sign, -joint.offset)
        found.append(joint)
    return found, pieces


def _after_half_turn(piece: list[Motion], link: int) -> list[Motion]:
    """Rx(pi) before a piece, moved on to its first turn about x, which it may undo."""
    for place, motion in enumerate(piece):
        if isinstance(motion, Screw) and motion.axis == "z":
            continue
        before = [_mirrored(m) for m in piece[:place]]
        if not isinstance(motion, Screw):
            return joined([*before, Screw("x", pi, number(0), link), *piece[place:]])
        angle = expr(motion.angle + pi)
        angle = number(0) if angle is 2 * pi else angle
        return joined([*before, Screw("x", angle, motion.shift, motion.link), *piece[place + 1 :]])
    return joined([*(_mirrored(m) for m in piece), Screw("x", pi, number(0), link)])


def _flat(motion: Screw) -> bool:
    return expr(motion.angle).is_zero


def _mirrored(motion: Motion) -> Motion:
    """A screw seen after a half turn about x: those about z are reversed."""
    assert isinstance(motion, Screw)
    return motion.inverse if motion.axis == "z" else motion


def _grouped(robot: Robot, joints: list[Unknown], pieces: list[list[Motion]]) -> Chain:
    groups: list[Group] = []
    between: list[ConstantRows] = []
    for k, joint in enumerate(joints):
        piece = pieces[k]
        if k and all(isinstance(m, Screw) and (m.axis == "z" or _flat(m)) for m in piece):
            turn = expr(sum((m.angle for m in piece if isinstance(m, Screw)), number(0)))
            _, place = from_left(piece, Unmarked())
            last = groups[-1]
            shift = (expr(place[0]), expr(place[1]), expr(place[2]))
            groups[-1] = Group((*last.joints, joint), (*last.turns, turn), (*last.shifts, shift))
            continue
        if k:
            between.append(rows_of(piece))
        groups.append(Group((joint,), (), ()))
    return Chain(robot, tuple(joints), tuple(groups), tuple(between), rows_of(pieces[0]), rows_of(pieces[-1]))


def _turned_and_shifted(turn: Expr, shift: tuple[Expr, Expr, Expr]) -> ConstantRows:
    c, s, zero, one = cos(turn), sin(turn), number(0), number(1)
    x, y, z = shift
    return ((c, -s, zero, x), (s, c, zero, y), (zero, zero, one, z))


# An arm whose lengths add up to less or more is described in units of its own.
SHORT, LONG = 0.1, 20.0


def _in_units(chain: Chain) -> Chain:
    """The chain in units of its length, if that is not ordinary. Symbols have the robot's values; one is 1 without."""
    symbols = free_symbols(*chain.lengths)
    values = {s: chain.robot.values[s.name].number if s.name in chain.robot.values else 1.0 for s in symbols}
    try:
        length = sum(abs(float(x)) for x in evaluate(list(chain.lengths), values))
    except (ExprError, ArithmeticError):
        return chain
    if not 0 < length < math.inf or SHORT <= length <= LONG:
        return chain
    unit = 2.0 ** round(math.log2(length))
    scale = number(1 / unit)

    def shorter(rows: ConstantRows) -> ConstantRows:
        return tuple((*row[:3], row[3] * scale) for row in rows)

    def offset(joint: Unknown) -> Unknown:
        return replace(joint, offset=joint.offset * scale) if joint.prismatic else joint

    groups = tuple(
        Group(
            tuple(map(offset, group.joints)),
            group.turns,
            tuple((x * scale, y * scale, z * scale) for x, y, z in group.shifts),
        )
        for group in chain.groups
    )
    return replace(
        chain,
        joints=tuple(map(offset, chain.joints)),
        groups=groups,
        between=tuple(map(shorter, chain.between)),
        start=shorter(chain.start),
        end=shorter(chain.end),
        unit=unit,
    )


def rows_of(path: Sequence[Motion]) -> ConstantRows:
    """The constant matrix of some motions, three rows."""
    columns, position = from_left(path, Unmarked())
    return tuple(tuple(expr(column[i]) for column in (*columns, position)) for i in range(3))


def inverse_rows(rows: ConstantRows) -> ConstantRows:
    """Of a rigid motion: R^T, -R^T p."""
    columns = tuple(tuple(row[j] for row in rows) for j in range(3))
    moved = Rigid(columns, tuple(row[3] for row in rows)).inverse  # type: ignore[arg-type]
    return tuple(tuple(expr(column[i]) for column in (*moved.columns, moved.position)) for i in range(3))
