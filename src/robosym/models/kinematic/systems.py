"""The linear system behind an inverse of the Jacobian, in the intermediate frames where it is cheapest to solve.

J qd = v is written for another point O of the target's link, and the two halves in the axes of two frames a and b:

    aRr (v + L x w) = linear rows at O in a,   bRr w = angular rows in b,   L from O to the target's point,

(Renaud's outer factors, SYMORO+ 1997, equation 4, moved to the side of the twist). At the centre of a wrist, with the
linear half in the axes of the forearm and the angular half in those of the wrist, three unknowns are solved for by
themselves and the others one by one; an inner wrist or parallel axes come apart in other frames.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product

from ...expr import Expr, expr, number
from ...expr.generic import Generic, negligible
from ...program import Scope, Unmarked
from ...robot import FIXED, Robot
from ...spatial.blocks import Block
from ...spatial.scalar import Scalar, is_zero
from ...spatial.vectors import Vector, cross, dot, plus, times
from .. import limits
from ..tree.paths import FrameName
from .columns import Column, Joints, Lever, Point, about_middle, origins
from .jacobian import Wanted, rows_of
from .task import Row, at_random, moved_by, rows_named

LINEAR, ANGULAR = range(3), range(3, 6)

Zeros = frozenset[tuple[int, int]]  # the places of entries that are zero everywhere


@dataclass(frozen=True)
class Task:
    """Which components of the twist are requested, and which velocities serve them.

    ``able``: the components that some joint can make; ``rows``: those of them requested; ``whole``: for the two halves,
    whether all that a joint can make is requested, so that the half may be turned into other axes.
    """

    robot: Robot
    wanted: Wanted
    asked: tuple[int, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    whole: tuple[bool, bool]
    able: tuple[int, ...]

    @property
    def has_linear(self) -> bool:
        return any(i in LINEAR for i in self.rows)

    @property
    def has_angular(self) -> bool:
        return any(i in ANGULAR for i in self.rows)

    @property
    def is_regular(self) -> bool:
        """Whether the matrix is square, and not singular everywhere."""
        if len(self.rows) != len(self.columns) or not self.rows:
            return False
        import numpy as np

        joints = Joints(self.robot, self.wanted.frame, Unmarked())
        matrix = _part(rows_of(joints.columns(*self.place, "across")), self.rows, self.columns)
        s = np.linalg.svd(np.array(at_random(self.robot, matrix, self.rows)), compute_uv=False)
        return not negligible(float(s[-1]), float(s[0]))

    @property
    def place(self) -> tuple[FrameName, Point]:
        return self.wanted.axes, self.wanted.point


def task(robot: Robot, wanted: Wanted, rows: Iterable[Row] | None) -> Task:
    """The rows named (vx vy vz wx wy wz; by default all six), and the velocities that move the frame."""
    asked = rows_named(robot, rows)
    columns = moved_by(robot, wanted.frame)
    joints = Joints(robot, wanted.frame, Unmarked())
    matrix = rows_of(joints.columns(wanted.axes, wanted.point, "across"))
    zeros = vanishing(matrix)
    columns = tuple(j for j in columns if any((i, j) not in zeros for i in range(6)))
    able = tuple(i for i in range(6) if any((i, j) not in zeros for j in columns))
    whole = tuple(all(i in asked or i not in able for i in half) for half in (LINEAR, ANGULAR))
    return Task(robot, wanted, asked, tuple(i for i in asked if i in able), columns, (whole[0], whole[1]), able)


def vanishing(matrix: Sequence[Sequence[Expr]]) -> Zeros:
    """The entries of six rows that vanish at a generic place, and so at every position and with all values."""
    found = iter(Generic()([x for row in matrix for x in row]))
    return small([[float(next(found)) for _ in row] for row in matrix])


def small(numbers: Sequence[Sequence[float]]) -> Zeros:
    """The entries of six rows that are rounding beside the largest of their half."""
    found = []
    for half in (LINEAR, ANGULAR):
        largest = max((abs(x) for i in half for x in numbers[i]), default=0.0)
        found += [(i, j) for i in half for j, x in enumerate(numbers[i]) if negligible(x, largest)]
    return frozenset(found)


def _part(matrix: Sequence[Sequence[Expr]], rows: Sequence[int], columns: Sequence[int]) -> list[list[Expr]]:
    return [[matrix[i][j] for j in columns] for i in rows]


def known(components: Sequence[Scalar], asked: Sequence[int]) -> list[Scalar]:
    """Six components from those requested, the others zero."""
    found: list[Scalar] = [0] * 6
    for i, x in zip(asked, components, strict=True):
        found[i] = x
    return found


# --- splits ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Split:
    """Where a system is written: the axes of the linear half and of the angular half, and the point O."""

    linear: FrameName
    angular: FrameName
    origin: Point


@dataclass(frozen=True)
class Pattern:
    """A split with its rows that are not zero, the entries of those that are, and the blocks if it is square."""

    split: Split
    rows: tuple[int, ...]
    zeros: Zeros  # by place in the whole matrix
    blocks: tuple[Block, ...] = ()


def direct(of: Task) -> Split:
    """The requested axes and point."""
    return Split(of.wanted.axes, of.wanted.axes, of.wanted.point)


def splits(of: Task, same_point: bool = False) -> list[Split]:
    """Those on the way to the target. A half that is requested in part stays in the requested axes, and the point may
    change only if both halves are known. ``same_point`` keeps it: then the outer factor is a rotation."""
    frames = _axes(of)
    a = frames if of.whole[0] and of.has_linear else [of.wanted.axes]
    b = frames if of.whole[1] and of.has_angular else [of.wanted.axes]
    points = [of.wanted.point]
    if all(of.whole) and of.has_angular and not same_point:
        points += [point for point in _points(of.robot, of.wanted.frame) if point != _first(of.robot, of.wanted.point)]
    found = [Split(*one) for one in product(a, b, points)]
    return found if direct(of) in found else [direct(of), *found]


def _axes(of: Task) -> list[FrameName]:
    moving = [j for j in of.robot.path(of.wanted.frame) if of.robot.frame(j).sigma != FIXED]
    near: list[FrameName] = [*about_middle([0, *moving], limits.MOST_TRIED)]
    return near if of.wanted.axes in near else [*near, of.wanted.axes]


def _points(robot: Robot, n: int) -> list[Point]:
    """The origins on the way, and where an axis meets the one before it away from an origin."""
    found = [Point(j) for j in origins(robot, n)]
    for j in robot.path(n):
        _, b, alpha, d, _, _ = robot.geometry(j)
        if is_zero(d) and not is_zero(alpha) and not is_zero(b):
            found.append(Point(robot.frame(j).antecedent, (0, 0, b)))
    return about_middle(found, limits.MOST_TRIED)


def _first(robot: Robot, point: Point) -> Point:
    """Of the frames whose origin a point is, the first."""
    j = point.frame
    while isinstance(j, int) and j and point == Point(j) and all(is_zero(robot.geometry(j)[i]) for i in (1, 3, 5)):
        j = robot.frame(j).antecedent
        point = Point(j)
    return point


# --- the system on given joints --------------------------------------------------------------------------------------


@dataclass
class Systems:
    """Writes the systems of a task, with the columns ``made`` so far.

    ``lever_form`` says how the columns are made, ``carry`` whether vectors are turned frame by frame.
    """

    task: Task
    joints: Joints
    lever_form: Lever = "across"
    carry: bool = True
    made: dict[tuple[FrameName, Point], list[Column]] = field(default_factory=dict)

    def whole(self, split: Split) -> list[list[Expr]]:
        """All six rows of all columns."""
        linear, angular = (rows_of(self.columns(axes, split.origin)) for axes in (split.linear, split.angular))
        return [*linear[:3], *angular[3:]]

    def matrix(self, pattern: Pattern) -> list[list[Expr]]:
        whole = self.whole(pattern.split)
        for i, j in pattern.zeros:
            whole[i] = [number(0) if k == j else x for k, x in enumerate(whole[i])]
        return _part(whole, pattern.rows, self.task.columns)

    def columns(self, axes: FrameName, point: Point) -> list[Column]:
        if (axes, point) not in self.made:
            self.made[axes, point] = self.joints.columns(axes, point, self.lever_form)
        return self.made[axes, point]

    def names(self, own: Scope) -> dict[Expr, str]:
        """The names of one way of writing a model: its own, and those of the joints' vectors, which all ways share."""
        return own.names | self.joints.scope.names

    def entering(self, split: Split, twist: Sequence[Scalar], number: int | None = None) -> list[Scalar]:
        """The six components of a twist in the split, given those in the requested axes and at the requested point."""
        v, w = (twist[0], twist[1], twist[2]), (twist[3], twist[4], twist[5])
        linear = self._in(split.linear, v, "U", number)
        if split.origin != self.task.wanted.point:
            spun = self._in(split.linear, w, "OL", number)
            linear = plus(linear, cross(self.lever(split.origin, split.linear), spun))
        return [*linear, *self._in(split.angular, w, "O", number)]

    def wrench(self, split: Split, wrench: Sequence[Scalar]) -> list[Scalar]:
        """A wrench in the split: its moment is about O."""
        f, m = (wrench[0], wrench[1], wrench[2]), (wrench[3], wrench[4], wrench[5])
        moment = self._in(split.angular, m, "N")
        if split.origin != self.task.wanted.point:
            moment = plus(moment, cross(self.lever(split.origin, split.angular), self._in(split.angular, f, "FA")))
        return [*self._in(split.linear, f, "F"), *moment]

    def leaving(self, split: Split, row: Sequence[Scalar], number: int) -> list[Scalar]:
        """A row of an inverse in the split, as it multiplies the requested twist: it transforms like a wrench."""
        force, moment = (row[0], row[1], row[2]), (row[3], row[4], row[5])
        moves = split.origin != self.task.wanted.point
        if moves and split.linear == split.angular:
            moment = plus(moment, cross(force, self.lever(split.origin, split.linear)))
            moves = False
        y, z = self._out(split.linear, force, "F", number), self._out(split.angular, moment, "N", number)
        if moves:
            y = self.joints.scope.vector("Y", number, y)
            z = plus(z, cross(y, self.lever(split.origin, self.task.wanted.axes)))
        return [*y, *z]

    def residual(
        self, split: Split, asked: Sequence[Scalar], rest: Callable[[Split], Sequence[Scalar]]
    ) -> list[Scalar]:
        """What is requested less ``rest``, in the split: what no joint can make is left out of both."""
        of = self.task
        six = [x if i in of.able else 0 for i, x in enumerate(known(asked, of.asked))]
        unable = [i for i in range(6) if i not in of.able]
        own = rest(direct(of)) if unable else ()
        if all(is_zero(own[i]) for i in unable):
            return [x - y for x, y in zip(self.entering(split, six), rest(split), strict=True)]
        return self.entering(
            split, [x - y if i in of.able else 0 for i, (x, y) in enumerate(zip(six, own, strict=True))]
        )

    def lever(self, origin: Point, axes: FrameName) -> Vector:
        start, end = (self.joints.position(one, axes) for one in (origin, self.task.wanted.point))
        return self.joints.scope.vector("L", 0, plus(end, times(-1, start)))

    def _in(self, axes: FrameName, vector: Vector, stem: str, number: int | None = None) -> Vector:
        return self.turned(vector, axes, self.task.wanted.axes, stem, number)

    def _out(self, axes: FrameName, vector: Vector, stem: str, number: int) -> Vector:
        return self.turned(vector, self.task.wanted.axes, axes, stem, number)

    def turned(self, vector: Vector, into: FrameName, of: FrameName, stem: str, number: int | None = None) -> Vector:
        if into == of or all(is_zero(x) for x in vector):
            return vector
        return self.joints.turned(vector, self.joints.path(into, of), f"{stem}I", self.carry, number)


# --- their zeros --------------------------------------------------------------------------------------------------------


def kept_rows(of: Task, split: Split, zeros: Zeros) -> tuple[int, ...]:
    """The rows of the requested halves that are not zero; of a half in the requested axes, those requested."""
    kept: list[int] = []
    for half, axes, there, whole in (
        (LINEAR, split.linear, of.has_linear, of.whole[0]),
        (ANGULAR, split.angular, of.has_angular, of.whole[1]),
    ):
        rows = [i for i in half if there and any((i, j) not in zeros for j in of.columns)]
        kept += rows if whole else [i for i in rows if i in of.rows and axes == of.wanted.axes]
    return tuple(kept)


def patterns(of: Task, found: Sequence[Split]) -> list[Pattern]:
    """Systems that need not be square."""
    numbers = Numbers(of)
    zeros = [numbers.zeros(split) for split in found]
    return [Pattern(split, kept_rows(of, split, one), one) for split, one in zip(found, zeros, strict=True)]


class Numbers:
    """The systems of a task at a generic place, in numbers: what vanishes there vanishes always."""

    def __init__(self, of: Task) -> None:
        self.task = of
        self.joints = Joints(of.robot, of.wanted.frame, Unmarked())
        self.there = Generic()
        columns = self.joints.columns(of.wanted.axes, of.wanted.point, "across")
        halves = self._values([half for column in columns for half in (column.linear, column.angular)])
        self.columns = list(zip(halves[::2], halves[1::2], strict=True))
        self.turned = cache(self._turned)
        self.halves = cache(self._halves)

    def zeros(self, split: Split) -> Zeros:
        """The entries of all six rows and all columns that vanish."""
        linear, angular = self.halves(split.linear, split.origin)[0], self.halves(split.angular, split.origin)[1]
        return linear | angular

    def _halves(self, axes: FrameName, point: Point) -> tuple[Zeros, Zeros]:
        """The zeros of the linear and of the angular rows."""
        frame = self.turned(axes)
        asked = self.task.wanted
        start, end = self._values([self.joints.position(one, asked.axes) for one in (asked.point, point)])
        arm = plus(end, times(-1, start))
        columns = []
        for v, w in self.columns:
            moved = plus(v, cross(w, arm))
            columns.append([dot(axis, x) for x in (moved, w) for axis in frame])
        found = small([[column[i] for column in columns] for i in range(6)])
        return frozenset(one for one in found if one[0] in LINEAR), frozenset(one for one in found if one[0] in ANGULAR)

    def _turned(self, axes: FrameName) -> list[Vector]:
        """The axes of a frame in those requested."""
        return self._values(self.joints.orientation(self.task.wanted.axes, axes))

    def _values(self, vectors: Sequence[Vector]) -> list[Vector]:
        x = [float(x) for x in self.there([expr(x) for vector in vectors for x in vector])]
        return [(x[i], x[i + 1], x[i + 2]) for i in range(0, len(x), 3)]
