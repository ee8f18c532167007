"""The coordinates of a robot: the user's q, qd, qdd and tau, and how the joints of the tree follow from them.

With x the positions of the joints (of a free base, its place), and one row of G for each of their axes,

    x = x(q),    axis speeds xd = G qd,    axis accelerations xdd = G qdd + drift,    drift = dG/dt qd.

The power of the torques is the same on both sides, Gamma . xd = tau . qd for every qd, so that torques and matrices of the
axes come back as tau = G^T Gamma and A = G^T A_x G. Models write their equations for the axes of the tree and leave the rest
to this object: independent joints have a coordinate of their own, a dependent joint follows its master, a free base has six
speeds and seven position numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from ...caches import Kept
from ...expr import VARIABLE, Expr, expr, number, variable
from ...program import Array, Rate
from ...robot import FIXED, Robot, RobotError
from ...robot.chains import elementary, speed_symbols
from ...robot.problems import Problem
from ...spatial.scalar import Scalar, is_zero
from ..common import open_tree
from .joints import FREE, free_rates

Axis = int | tuple[int, int]  # the axis of the joint of frame j, or (0, k): axis k of a free base
Row = tuple[tuple[int, Scalar], ...]  # a row of G without its zeros: places in qd, and coefficients
AxisT = TypeVar("AxisT", bound=Axis)

_COORDINATES: Kept[Coordinates] = Kept()

BASE_AXES: tuple[Axis, ...] = tuple((0, k) for k in range(len(FREE.axes)))


@dataclass(frozen=True)
class Block:
    """The entries of q and qd that belong together: those of one joint, or of a free base."""

    q: tuple[Expr, ...]
    start: int  # the place of the first speed in qd
    nv: int
    quaternion: int | None = None  # the place of the first of its four numbers in q
    rates: Callable[[Sequence[Scalar], Sequence[Scalar]], tuple[Scalar, ...]] = lambda q, qd: tuple(qd)  # dq/dt
    placed: bool = False  # by its placement (``robot/joints/kind.py``)


@dataclass(frozen=True)
class Coordinates:
    """What q, qd, qdd and tau are, and how the axes of the tree follow from them.

    ``qd``, ``qdd`` and ``tau`` hold what the models use: a symbol, or the number that the description sets; ``symbols`` those
    of the input arrays, where such a place is kept, unread.
    """

    q: tuple[Expr, ...] = ()
    qd: tuple[Expr, ...] = ()
    qdd: tuple[Expr, ...] = ()
    tau: tuple[Expr, ...] = ()
    rates: tuple[Expr, ...] = ()  # dq/dt
    names: tuple[str, ...] = ()  # what moves with each entry of qd
    symbols: tuple[tuple[Expr, Expr, Expr], ...] = ()  # of qd, qdd, tau
    rows: tuple[tuple[Axis, Row], ...] = ()  # G
    drifts: tuple[tuple[Axis, Scalar], ...] = ()  # of the axes that have one
    positions: tuple[tuple[int, Expr], ...] = ()  # of the joints, in q
    refused: tuple[tuple[str, RobotError], ...] = ()  # arrays that cannot be inputs, and why
    row_rates: tuple[tuple[Axis, Row], ...] = ()  # dG/dt, of the rows that change
    found: tuple[Expr, ...] = ()  # positions of passive joints that come with the state
    blocks: tuple[Block, ...] = ()  # the joints that q and qd belong to

    @property
    def nq(self) -> int:
        return len(self.q)

    @property
    def nv(self) -> int:
        return len(self.qd)

    @property
    def torque_name(self) -> str | None:
        """What torques of these coordinates are always called, whatever the model; none but the wrench on a platform are."""
        return None

    # --- from the coordinates to the axes ----------------------------------------------------------------------------

    def row(self, axis: Axis) -> Row:
        """The row of G of an axis."""
        return self._rows[axis]

    def speed(self, axis: Axis) -> Scalar:
        return self._combined(axis, self.qd)

    def acceleration(self, axis: Axis) -> Scalar:
        return self._combined(axis, self.qdd) + self.drift(axis)

    def drift(self, axis: Axis) -> Scalar:
        """The acceleration of an axis with qdd = 0."""
        return self._drifts.get(axis, 0)

    def position(self, j: int) -> Expr:
        """The position of the joint of frame j."""
        return self._positions[j]

    def q_place(self, j: int) -> int:
        """Which entry of q the joint of frame j has for its own."""
        return self.q.index(self.position(j))

    @cached_property
    def motion(self) -> dict[Expr, Expr]:
        """The rate of every symbol that the positions of the axes are made of."""
        found = {x: expr(self.speed(j)) for j, x in self.positions if x in self.found}
        return {**dict(zip(self.q, self.rates, strict=True)), **found}

    def along(self, place: int) -> dict[Expr, Expr]:
        """The same where one entry of qd is one and the others are zero, whatever the description says of their speeds: a small
        motion. Of a free base it is one along or about an axis of its own frame."""
        block = next(block for block in self.blocks if block.start <= place < block.start + block.nv)
        unit = [int(block.start + k == place) for k in range(block.nv)]
        rates = dict(zip(block.q, block.rates(block.q, unit), strict=True))
        rates |= {x: dict(self.row(j)).get(place, 0) for j, x in self.positions if x in self.found}
        return {x: expr(rate) for x, rate in rates.items() if not is_zero(rate)}

    @property
    def placed(self) -> bool:
        """Whether some joints have their positions in the place of their frame, as ball joints have: the elementary joints are
        at zero wherever they are, so that derivatives by the positions of these are not those by the joint's."""
        return any(block.placed for block in self.blocks)

    @property
    def curved(self) -> bool:
        """Whether G changes with the position."""
        return any(not is_zero(drift) for _, drift in self.drifts)

    def places(self, axes: Iterable[Axis]) -> tuple[int, ...]:
        """The entries of qd that move any of these axes, in order."""
        return tuple(sorted({place for axis in axes for place, _ in self.row(axis)}))

    def own_place(self, axis: Axis, others: Iterable[Axis] = ()) -> int | None:
        """The entry of qd that is the speed of this axis, if there is one and it moves none of the others."""
        row = self.row(axis)
        if len(row) != 1 or not is_one(row[0][1]):
            return None
        place = row[0][0]
        shared = any(place == other for axis_ in others if axis_ != axis for other, _ in self.row(axis_))
        return None if shared else place

    @cached_property
    def owners(self) -> tuple[Axis, ...]:
        """The axis whose speed each entry of qd is, or that it moves."""
        moved = {
            place: axis for axis, row in reversed(self.rows) for place, _ in row
        }  # of joints whose axes all have other speeds
        found = moved | {row[0][0]: axis for axis, row in reversed(self.rows) if len(row) == 1 and is_one(row[0][1])}
        return tuple(found[place] for place in range(self.nv))

    @property
    def independent(self) -> bool:
        """Whether the speed of every axis is an entry of qd of its own."""
        return len(self.rows) == self.nv and all(len(row) == 1 and is_one(row[0][1]) for _, row in self.rows)

    def with_axis(self, axis: Axis, of: Mapping[AxisT, Scalar]) -> Coordinates:
        """With one axis more, whose speed is a constant combination ``of`` those of others."""
        found = replace(self, rows=(*self.rows, (axis, _sum(self._rows, of))))
        drift: Scalar = 0
        for other, coefficient in of.items():
            drift = drift + coefficient * self.drift(other)
        if not is_zero(drift):
            found = replace(found, drifts=(*self.drifts, (axis, drift)))
        rate = _sum(dict(self.row_rates), of)
        return replace(found, row_rates=(*self.row_rates, (axis, rate))) if rate else found

    def _combined(self, axis: Axis, values: Sequence[Scalar]) -> Scalar:
        total: Scalar = 0
        for place, coefficient in self.row(axis):
            total = total + coefficient * values[place]
        return total

    # --- back from the axes ------------------------------------------------------------------------------------------

    def torques(self, found: Mapping[AxisT, Scalar]) -> list[Scalar]:
        """G^T Gamma."""
        total: list[Scalar] = [0] * self.nv
        for axis, gamma in found.items():
            for place, coefficient in self.row(axis):
                total[place] = total[place] + coefficient * gamma
        return total

    def rate_torques(self, found: Mapping[Axis, Scalar]) -> list[Scalar]:
        """(dG/dt)^T Gamma."""
        total: list[Scalar] = [0] * self.nv
        for axis, rates in self.row_rates:
            for place, rate in rates:
                total[place] = total[place] + rate * found.get(axis, 0)
        return total

    def columns(self, found: Mapping[AxisT, Sequence[Scalar]], height: int) -> list[tuple[Scalar, ...]]:
        """J_x G, by columns: what each entry of qd does, from what each axis does. Axes that are not there do nothing."""
        total: list[tuple[Scalar, ...]] = [(0,) * height] * self.nv
        for axis, column in found.items():
            for place, coefficient in self.row(axis):
                total[place] = tuple(a + coefficient * b for a, b in zip(total[place], column, strict=True))
        return total

    def matrix(self, found: Mapping[tuple[AxisT, AxisT], Scalar]) -> list[list[Scalar]]:
        """G^T X G; entries that are not there are zero."""
        total: list[list[Scalar]] = [[0] * self.nv for _ in range(self.nv)]
        for (i, j), value in found.items():
            for a, left in self.row(i):
                for b, right in self.row(j):
                    total[a][b] = total[a][b] + left * right * value
        return total

    def symmetric(self, found: Mapping[tuple[AxisT, AxisT], Scalar]) -> dict[int, dict[int, Scalar]]:
        """The lower triangle of G^T X G by rows, without its zeros; X has each entry off the diagonal once."""
        rows: dict[int, dict[int, Scalar]] = {place: {} for place in range(self.nv)}
        for (i, j), value in found.items():
            for a, left in self.row(i):
                for b, right in self.row(j):
                    if i == j and a < b:
                        continue  # the same product as at (b, a)
                    row, column = max(a, b), min(a, b)
                    both = 2 if a == b and i != j else 1  # X_ij and X_ji fall on the same place
                    entry = both * (left * right) * value
                    if not is_zero(entry):
                        rows[row][column] = rows[row].get(column, 0) + entry
        return rows

    def full(self, found: Mapping[tuple[AxisT, AxisT], Scalar]) -> list[list[Scalar]]:
        """The same as a whole matrix."""
        total: list[list[Scalar]] = [[0] * self.nv for _ in range(self.nv)]
        for row, entries in self.symmetric(found).items():
            for column, entry in entries.items():
                total[row][column] = total[column][row] = entry
        return total

    def quadratic(self, found: Iterable[tuple[AxisT, AxisT, AxisT, Scalar]]) -> Iterator[tuple[int, int, int, Scalar]]:
        """Coefficients of products of speeds in torques: (i, j, k, T) of axes as (a, b, c, G_ia G_jb G_kc T) of places.

        Without what a G that changes adds.
        """
        for i, j, k, value in found:
            for a, first in self.row(i):
                for b, second in self.row(j):
                    for c, third in self.row(k):
                        yield a, b, c, first * second * third * value

    def matrix_of_rates(self, found: Mapping[tuple[AxisT, AxisT], Scalar]) -> list[list[Scalar]]:
        """G^T X dG/dt for a symmetric X, which has each entry off the diagonal once."""
        total: list[list[Scalar]] = [[0] * self.nv for _ in range(self.nv)]
        rates = dict(self.row_rates)
        for (i, j), value in found.items():
            for left, right in ((i, j),) if i == j else ((i, j), (j, i)):
                for a, coefficient in self.row(left):
                    for b, rate in rates.get(right, ()):
                        total[a][b] = total[a][b] + coefficient * rate * value
        return total

    # --- inputs ------------------------------------------------------------------------------------------------------

    def inputs(self, names: Sequence[str]) -> list[Array]:
        """The input arrays q, qd, qdd, tau as requested; those that have one carry the map of their rates. After q
        come the positions of passive joints that no closed form gives."""
        for array, problem in self.refused:
            if array in names:
                raise problem
        more = {"q": ("passive",)} if self.found else {}
        return [self._inputs[one] for name in names for one in (name, *more.get(name, ()))]

    @cached_property
    def _inputs(self) -> dict[str, Array]:
        qd, qdd, tau = (tuple(one[k] for one in self.symbols) for k in range(3))
        n, unknown = (self.nv,), {array for array, _ in self.refused}
        accelerations = Array("qdd", n, qdd)
        speeds = Array("qd", n, qd, None if "qdd" in unknown else Rate(accelerations, self.qdd))
        positions = Array("q", (self.nq,), self.q, None if "qd" in unknown else Rate(speeds, self.rates))
        rates = tuple(self.motion[x] for x in self.found)
        passive = Array("passive", (len(self.found),), self.found, None if "qd" in unknown else Rate(speeds, rates))
        return {"q": positions, "passive": passive, "qd": speeds, "qdd": accelerations, "tau": Array("tau", n, tau)}

    @cached_property
    def _rows(self) -> dict[Axis, Row]:
        return dict(self.rows)

    @cached_property
    def _drifts(self) -> dict[Axis, Scalar]:
        return dict(self.drifts)

    @cached_property
    def _positions(self) -> dict[int, Expr]:
        return dict(self.positions)


def is_one(x: Scalar) -> bool:
    return is_zero(x - 1)


def _sum(rows: Mapping[Axis, Row], of: Mapping[AxisT, Scalar]) -> Row:
    """A combination of rows; one that is not there is zero."""
    total: dict[int, Scalar] = {}
    for axis, factor in of.items():
        for place, coefficient in rows.get(axis, ()):
            total[place] = total.get(place, 0) + factor * coefficient
    return tuple((place, entry) for place, entry in sorted(total.items()) if not is_zero(entry))


# --- constructors ----------------------------------------------------------------------------------------------------


def coordinates(robot: Robot) -> Coordinates:
    """Of a serial or tree robot: its free base, its independent joints, and the dependent ones that follow them."""
    tree = elementary(open_tree(robot))
    return _COORDINATES.of(tree, (), lambda: _of_tree(tree))


def blocks_of(robot: Robot) -> tuple[Block, ...]:
    """The entries of q and qd by joint, of any robot: with closed loops those of the actuated joints."""
    found = []
    for block in robot.blocks:
        q, kind = robot.coordinates[block.q], block.kind
        if not block.frame:
            found.append(Block(q, block.qd.start, len(block.speeds), 3, free_rates))
        elif kind is None:
            found.append(Block(q, block.qd.start, 1))
        else:
            found.append(Block(q, block.qd.start, kind.nv, kind.quaternion, kind.rates, bool(kind.placement(q))))
    return tuple(found)


def _of_tree(robot: Robot) -> Coordinates:
    own = [_chain(robot, j) if j in robot.chains else _independent_joint(robot, j) for j in robot.moving]
    found = joined([free_base(robot), *own] if robot.base.floating else own)
    following = [j for j in robot.order if robot.frame(j).sigma != FIXED and robot.frame(j).joint.mimic is not None]
    return _with_closure(_with_dependent(found, robot, following), robot)


def joined(parts: Iterable[Coordinates]) -> Coordinates:
    """Coordinates one after the other, in one q and one qd."""
    total: dict[str, list[object]] = {name: [] for name in Coordinates.__dataclass_fields__}
    for part in parts:
        start = len(total["qd"])
        moved: dict[str, Iterable[object]] = {
            name: [(axis, tuple((place + start, c) for place, c in row)) for axis, row in getattr(part, name)]
            for name in ("rows", "row_rates")
        }
        moved["blocks"] = [replace(block, start=block.start + start) for block in part.blocks]
        for name, entries in total.items():
            entries.extend(moved.get(name, getattr(part, name)))
    return Coordinates(**{name: tuple(entries) for name, entries in total.items()})  # type: ignore[arg-type]


def _independent_joint(robot: Robot, j: int) -> Coordinates:
    """A joint with a coordinate of its own."""
    joint = robot.frame(j).joint
    assert joint.variable is not None
    qd, qdd, tau = (
        default if own is None else own
        for own, default in zip(
            (joint.velocity, joint.acceleration, joint.torque),
            (variable(f"{name}{j}") for name in ("qd", "qdd", "tau")),
            strict=True,
        )
    )
    own = {"qd": qd, "qdd": qdd, "tau": tau}
    return Coordinates(
        q=(joint.variable,),
        qd=(qd,),
        qdd=(qdd,),
        tau=(tau,),
        rates=(qd,),
        names=(joint.name,),
        symbols=((_symbol(j, "qd", qd), _symbol(j, "qdd", qdd), _symbol(j, "tau", tau)),),
        rows=((j, ((0, 1),)),),
        positions=((j, joint.variable),),
        refused=tuple((name, _no_symbol(robot, j, name, x)) for name, x in own.items() if not _may_be_input(x)),
        blocks=(Block((joint.variable,), 0, 1),),
    )


def _chain(robot: Robot, j: int) -> Coordinates:
    """A joint of several axes."""
    chain = robot.chains[j]
    kind, steps = chain.kind, tuple(zip(chain.frames, chain.steps, strict=True))
    qdd, tau = (speed_symbols(j, kind.nv, name) for name in ("qdd", "tau"))
    drifts = ((i, sum((rate * chain.qd[k] for k, rate in step.rates), number(0))) for i, step in steps)
    return Coordinates(
        q=chain.q,
        qd=chain.qd,
        qdd=qdd,
        tau=tau,
        rates=tuple(map(expr, kind.rates(chain.q, chain.qd))),
        names=tuple(f"{robot.frame(j).joint.name} {entry.suffix}".strip() for entry in kind.speeds),
        symbols=tuple(zip(chain.qd, qdd, tau, strict=True)),
        rows=tuple((i, step.row) for i, step in steps),
        drifts=tuple((i, drift) for i, drift in drifts if not is_zero(drift)),
        positions=tuple((i, expr(step.position)) for i, step in steps),
        row_rates=tuple((i, step.rates) for i, step in steps if step.rates),
        blocks=(Block(chain.q, 0, kind.nv, kind.quaternion, kind.rates, bool(chain.placement)),),
    )


FIELDS = {"qd": "velocity", "qdd": "acceleration", "tau": "torque"}


def _symbol(j: int, name: str, own: Expr) -> Expr:
    """The input symbol of one joint: the description's own, if it names one."""
    return own if own.kind == "variable" else variable(f"{name}{j}")


def _may_be_input(own: Expr) -> bool:
    """Whether a call can give it: a symbol; or a number, whose place stays unread."""
    return own.kind == "variable" or own.level < VARIABLE


def _no_symbol(robot: Robot, j: int, name: str, own: Expr) -> RobotError:
    problem = f"got '{own}', expected one symbol or a number"
    return RobotError([Problem(f"frame {j}, {FIELDS[name]}", problem)], robot.name)


def speed_problems(robot: Robot) -> list[Problem]:
    """The speeds, accelerations and torques of the description that no input array can hold."""
    entries = [(j, name, getattr(robot.frame(j).joint, field)) for j in robot.moving for name, field in FIELDS.items()]
    refused = [_no_symbol(robot, j, name, x) for j, name, x in entries if x is not None and not _may_be_input(x)]
    return [problem for error in refused for problem in error.problems]


def free_base(robot: Robot) -> Coordinates:
    """A free base: linear, then angular speed in the axes of frame 0; the accelerations are the rates of these."""
    q = robot.coordinates[:7]
    qd, qdd, tau = (
        tuple(variable(f"{name}_base{k}") for k in range(1, len(FREE.axes) + 1)) for name in ("qd", "qdd", "tau")
    )
    return Coordinates(
        q=q,
        qd=qd,
        qdd=qdd,
        tau=tau,
        rates=free_rates(q, qd),
        names=tuple(f"base {name}" for name in ("vx", "vy", "vz", "wx", "wy", "wz")),
        symbols=tuple(zip(qd, qdd, tau, strict=True)),
        rows=tuple((axis, ((k, 1),)) for k, axis in enumerate(BASE_AXES)),
        blocks=(Block(q, 0, len(qd), 3, free_rates),),
    )


def _with_dependent(found: Coordinates, robot: Robot, following: Sequence[int]) -> Coordinates:
    """With joints that follow others: position ratio x + offset, speed and acceleration ratio times the master's."""
    rows, positions = list(found.rows), list(found.positions)
    for j in following:
        master, ratio = robot.master(j)
        rows.append((j, tuple((place, ratio * coefficient) for place, coefficient in found.row(master))))
        positions.append((j, robot.position(j)))
    return replace(found, rows=tuple(rows), positions=tuple(positions))


def _with_closure(found: Coordinates, robot: Robot) -> Coordinates:
    """With the passive joints of closed loops."""
    if robot.closure is None:
        return found
    start = found.nv - len(robot.moving)  # after a free base
    rows = tuple((j, tuple((start + k, c) for k, c in row)) for j, row in robot.closure.rows.items())
    drifts = tuple((j, drift) for j, drift in robot.closure.drifts.items() if not drift.is_zero)
    rates = tuple((j, tuple((start + k, c) for k, c in row)) for j, row in robot.closure.rates.items() if row)
    return replace(
        found,
        rows=(*found.rows, *rows),
        drifts=(*found.drifts, *drifts),
        positions=(*found.positions, *{**robot.closure.positions, **robot.closure.angles}.items()),
        row_rates=(*found.row_rates, *rates),
        found=robot.closure.found,
    )
