"""A tool: a pose fixed in a frame, in numbers or expressions of parameters.

A point of three coordinates stands for a translation. What has a rotation is mounted on the robot as fixed frames, so
that no model needs to know of tools.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Annotated, Any, Protocol, cast

from ..errors import RobosymError
from ..expr import CONSTANT, VARIABLE, Expr, ExprError, atan2, cos, evaluate, expr, free_symbols, number, parse, pi, sin
from ..options.markers import TOOL
from ..options.numbers import is_number
from ..robot import FIXED, Frame, Joint, Robot, RobotError
from ..robot.origin import derived
from ..robot.problems import Problem
from ..spatial.rotations import quaternion_columns


class ArrayLike(Protocol):
    """An array of NumPy."""

    @property
    def dtype(self) -> Any: ...

    def tolist(self) -> Any: ...


# A matrix (4, 4), a point (3,) or a point with a unit quaternion (7,), x y z qx qy qz qw: nested sequences or an array of numbers, texts such as "LT/2" and expressions.
Tool = Annotated[Sequence[Any] | ArrayLike, TOOL]

Rows = tuple[tuple[Expr, Expr, Expr], ...]

EXACT = 1e-12  # an angle this near to a multiple of 45 degrees is one
ORTHONORMAL = 1e-6  # what a rotation given in numbers may miss being one by
UNIT = 1e-3  # what the length of a quaternion may miss one by


@dataclass(frozen=True)
class Mounted:
    """The pose of a tool in its frame; ``rotation`` is None where its axes are those of the frame."""

    position: tuple[Expr, Expr, Expr]
    rotation: Rows | None = None

    @property
    def symbols(self) -> frozenset[str]:
        """The names of its parameters."""
        entries = (*self.position, *(x for row in self.rotation or () for x in row))
        return frozenset(symbol.name for symbol in free_symbols(*entries))

    @property
    def option(self) -> list[Any]:
        """As the options of a model record it."""
        if self.rotation is None:
            return [str(x) for x in self.position]
        rows = [[*row, p] for row, p in zip(self.rotation, self.position, strict=True)]
        return [*([str(x) for x in row] for row in rows), ["0", "0", "0", "1"]]


def tool_pose(robot: Robot, tool: Tool) -> Mounted:
    """The pose the user gives, checked."""
    entries = _nested(robot, tool)
    if len(entries) == 3 and not any(_is_row(one) for one in entries):
        return Mounted(_three([_entry(robot, f"tool {i}", x) for i, x in enumerate(entries, 1)]))
    if len(entries) == 7 and not any(_is_row(one) for one in entries):
        place = _three([_entry(robot, f"tool {i}", x) for i, x in enumerate(entries[:3], 1)])
        return _turned(place, _quaternion(robot, entries[3:]))
    rows = [_nested(robot, row) if _is_row(row) else () for row in entries]
    if [len(row) for row in rows] != [4] * 4 or any(_is_row(x) for row in rows for x in row):
        raise _unexpected(robot, tool)
    pose = [
        [_entry(robot, f"tool row {i} column {j}", x) for j, x in enumerate(row, 1)] for i, row in enumerate(rows, 1)
    ]
    if [_number(x) for x in pose[3]] != [0, 0, 0, 1]:
        raise _problem(robot, f"the last row is {[str(x) for x in pose[3]]}, expected [0, 0, 0, 1]")
    rotation = tuple(_three(row[:3]) for row in pose[:3])
    _check_rotation(robot, rotation)
    return _turned(_three([row[3] for row in pose[:3]]), rotation)


def _turned(position: tuple[Expr, Expr, Expr], rotation: Rows) -> Mounted:
    return Mounted(position, rotation if any(not angle.is_zero for angle in _angles(rotation)) else None)


def mounted(robot: Robot, frame: int, tool: Tool | None) -> tuple[Robot, int]:
    """The robot with a tool as the user gives it, if one is given, and the frame that is meant."""
    return (robot, frame) if tool is None else with_tool(robot, frame, tool_pose(robot, tool))


def with_tool(robot: Robot, frame: int, tool: Mounted) -> tuple[Robot, int]:
    """The robot with the frame of a tool at its end, and its number: Tx Tz, then Ty = Rz(pi/2) Tx Rz(-pi/2), then
    Rz Rx Rz; what is zero is left out."""
    x, y, z = tool.position
    motions: list[dict[str, Any]] = [{"d": x, "b": z}]
    if not y.is_zero:
        motions.append({"gamma": pi / 2, "d": y, "theta": -pi / 2})
    if tool.rotation is not None:
        motions.append(dict(zip(("gamma", "alpha", "theta"), _angles(tool.rotation), strict=True)))
    before = robot
    for fields in motions:
        k = len(robot.frames) + 1
        added = Frame(_unused(robot, "tool"), frame, Joint(f"tool_mount{k}"), FIXED, **fields)
        robot, frame = replace(robot, frames=(*robot.frames, added)), k
    return derived(before, robot, "with a tool mounted"), frame


# --- reading ---------------------------------------------------------------------------------------------------------


def _nested(robot: Robot, value: Any) -> Sequence[Any]:
    """What has an order: the keys of a mapping would pass for names of lengths."""
    if hasattr(value, "dtype"):
        from ..reals import finite_array  # NumPy is read where it is used

        try:
            value = value.tolist() if value.dtype == object else finite_array("tool", value).tolist()
        except RobosymError as error:
            raise _problem(robot, str(error).removeprefix("tool: ")) from error
    if not _is_row(value):
        raise _unexpected(robot, value)
    return cast(Sequence[Any], value)


def _is_row(value: Any) -> bool:
    return hasattr(value, "__len__") and hasattr(value, "__iter__") and not isinstance(value, (str, Mapping, Set, Expr))


def _entry(robot: Robot, where: str, value: Any) -> Expr:
    try:
        if isinstance(value, str):
            found = parse(value)
        elif isinstance(value, Expr):
            found = value
        elif is_number(value):
            found = number(int(value) if isinstance(value, Integral) else float(value))
        else:
            raise ExprError(f"expected a number or an expression as text, got {value!r}")
    except ExprError as error:
        raise RobotError([Problem(where, str(error))], robot.name) from error
    taken = {symbol.name for symbol in robot.coordinates}
    if found.level == VARIABLE or any(symbol.name in taken for symbol in free_symbols(found)):
        raise RobotError([Problem(where, f"'{found}' moves: a tool is fixed in its frame")], robot.name)
    return found


def _quaternion(robot: Robot, entries: Sequence[Any]) -> Rows:
    """The rotation of x, y, z, w: numbers of length one."""
    found = [_number(_entry(robot, f"tool {i}", x)) for i, x in enumerate(entries, 4)]
    numbers = [one for one in found if one is not None]
    size = math.sqrt(sum(one * one for one in numbers))
    if len(numbers) != 4 or not abs(size - 1) < UNIT:
        told = f"has length {size:.6g}" if len(numbers) == 4 else f"is {[str(one) for one in entries]}"
        raise _problem(robot, f"its quaternion qx, qy, qz, qw {told}, expected four numbers of length 1")
    x, y, z, w = (one / size for one in numbers)
    return tuple(_three([expr(one) for one in row]) for row in zip(*quaternion_columns(x, y, z, w), strict=True))


def _check_rotation(robot: Robot, rotation: Rows) -> None:
    """A rotation with whatever values its symbols have: looked at with some."""
    flat = [x for row in rotation for x in row]
    draw = random.Random(5)
    values = {symbol: draw.uniform(0.1, 0.9) for symbol in free_symbols(*flat)}
    always = " for all values of its symbols" if values else ""
    try:
        numbers = [float(x) for x in evaluate(flat, values)]
    except (RobosymError, ValueError, ArithmeticError) as error:
        raise _problem(robot, f"its rotation has no value{always}: {error}") from error
    s, n, a = (numbers[i::3] for i in range(3))
    miss = max(abs(sum(x * y for x, y in zip(u, v, strict=True)) - (u is v)) for u in (s, n, a) for v in (s, n, a))
    if not miss <= ORTHONORMAL:  # also if it is not a number
        raise _problem(robot, f"its rotation is not orthonormal{always}: R^T R misses the identity by {miss:.2g}")
    if (s[0] * n[1] - s[1] * n[0]) * a[2] + (s[1] * n[2] - s[2] * n[1]) * a[0] + (s[2] * n[0] - s[0] * n[2]) * a[1] < 0:
        raise _problem(robot, "its rotation is a reflection: the determinant is negative")


def _three(values: Sequence[Expr]) -> tuple[Expr, Expr, Expr]:
    x, y, z = values
    return x, y, z


# --- its rotation in angles ------------------------------------------------------------------------------------------


def _angles(R: Rows) -> tuple[Expr, Expr, Expr]:
    """gamma, alpha, theta with R = Rz(gamma) Rx(alpha) Rz(theta), whatever values its symbols have."""
    zero, right = number(0), pi / 2
    if _small(R[0][2]) and _small(R[1][2]):  # about z, or a half turn over
        turn = _angle(R[1][0], R[0][0])
        return (turn, pi, zero) if (_number(R[2][2]) or 1.0) < 0 else (zero, zero, turn)
    if _small(R[1][0]) and _small(R[2][0]) and _is_one(R[0][0]):  # about x
        return zero, _angle(R[2][1], R[2][2]), zero
    if _small(R[0][1]) and _small(R[2][1]) and _is_one(R[1][1]):  # about y
        return right, _angle(R[0][2], R[2][2]), -right
    gamma = _angle(R[0][2], -R[1][2])
    s, c = sin(gamma), cos(gamma)
    alpha = _angle(s * R[0][2] - c * R[1][2], R[2][2])
    # From the first two columns, which also tell it where alpha is zero with the values given later.
    theta = _angle(-c * R[0][1] - s * R[1][1], c * R[0][0] + s * R[1][0])
    return gamma, alpha, theta


def _number(x: Expr) -> float | None:
    return float(evaluate([x], {})[0]) if x.level == CONSTANT else None


def _small(x: Expr) -> bool:
    value = _number(x)
    return value is not None and abs(value) < EXACT


def _is_one(x: Expr) -> bool:
    return _small(x - 1)


def _angle(s: Expr, c: Expr) -> Expr:
    """The angle of a sine and a cosine: exact for multiples of 45 degrees, the symbol itself of sin(A), cos(A)."""
    sine, cosine = _number(s), _number(c)
    if sine is not None and cosine is not None:
        a = math.atan2(sine, cosine)
        steps = round(a / (math.pi / 4))
        return pi * number(steps) / 4 if abs(a - steps * math.pi / 4) < EXACT else number(a)
    if c.op == "cos":
        for angle in (c.args[0], -c.args[0]):
            if s is sin(angle):
                return angle
    return atan2(s, c)


def _unused(robot: Robot, name: str) -> str:
    taken = {one.name for one in robot.frames} | {robot.base.name}
    return name if name not in taken else next(f"{name}{k}" for k in range(2, 10000) if f"{name}{k}" not in taken)


def _problem(robot: Robot, message: str) -> RobotError:
    return RobotError([Problem("tool", message)], robot.name)


def _unexpected(robot: Robot, value: Any) -> RobotError:
    return _problem(robot, f"got {' '.join(repr(value).split()):.120}, expected {TOOL.phrase}")
