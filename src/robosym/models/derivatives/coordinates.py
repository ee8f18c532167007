"""Derivatives of the axes brought to the coordinates.

With the torques Gamma(x, xd, xdd) of the axes, xd = G qd, xdd = G qdd + drift and tau = G^T Gamma,

    dtau/dq  = G^T (Gamma_x G + Gamma_xd dG/dt + A d(xdd)/dq) + sum of dG_i/dq Gamma_i
    dtau/dqd = G^T (Gamma_xd G + 2 A dG/dt)

since d(G qd)/dq is dG/dt, G being a Jacobian matrix, and the drift is quadratic in qd. Where G is constant only the first terms are there.
What acts in the joints, rotors, springs and friction, is short, and differentiated as it is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...expr import Expr, expr, substitute
from ...program import Scope
from ...spatial.scalar import Scalar, is_zero
from ..tree.bodies import Tree
from ..tree.coordinates import Axis
from ..tree.friction import FrictionKind
from ..tree.joint_torques import MODERN, actuator_torque
from . import directions
from .entries import Derivatives, Entries

Matrix = list[list[Scalar]]


@dataclass(frozen=True)
class InCoordinates:
    """By rows: of the torques by the positions and the speeds; and the torques."""

    by_position: Matrix
    by_speed: Matrix
    torques: list[Scalar]


def in_coordinates(
    bodies: Tree, found: Derivatives, friction: FrictionKind, qdd: Mapping[Expr, Expr] | None = None
) -> InCoordinates:
    """``bodies`` accelerate as their symbols say; ``qdd`` is what these stand for in ``found``, if it is another thing."""
    own = bodies.coordinates
    acting: dict[Axis, Expr] = {body.j: actuator_torque(bodies, body, friction) for body in bodies.bodies}
    acting = {axis: x for axis, x in acting.items() if not x.is_zero}
    positions = [own.along(place) for place in range(own.nv)]
    speeds = [directions.by_symbol(x) for x in own.qd]
    by_q, by_qd = own.matrix(found.by_position), own.matrix(found.by_speed)
    for matrix, seeds in ((by_q, positions), (by_qd, speeds)):
        for place, column in enumerate(directions.columns(list(acting.values()), seeds, qdd)):
            _add_column(matrix, place, own.torques(dict(zip(acting, column, strict=True))))
    values = dict(zip(acting, substitute(list(acting.values()), qdd or {}), strict=True))
    total = {axis: x + values.get(axis, 0) for axis, x in found.torques.items()}
    if own.curved:
        _add_curvature(bodies, found, total, positions, (by_q, by_qd), qdd)
    return InCoordinates(by_q, directions.cleared(by_qd, directions.unread(own)), own.torques(total))


def by_forward_mode(bodies: Tree, friction: FrictionKind, qdd: Mapping[Expr, Expr] | None = None) -> InCoordinates:
    """The same by forward mode of the torques, for robots some of whose joints are placed by their positions: a small motion of a
    ball joint turns its axes too."""
    own = bodies.coordinates
    _, axes = MODERN(bodies, Scope())
    acting: dict[Axis, Expr] = {body.j: actuator_torque(bodies, body, friction) for body in bodies.bodies}
    torques = own.torques({axis: x + acting.get(axis, 0) for axis, x in axes.items()})
    halves = (
        directions.columns(torques, seeds, qdd)
        for seeds in ([own.along(k) for k in range(own.nv)], [directions.by_symbol(x) for x in own.qd])
    )
    by_q, by_qd = ([list(row) for row in zip(*half, strict=True)] for half in halves)
    return InCoordinates(by_q, by_qd, [*substitute(list(map(expr, torques)), qdd or {})])


def _add_column(matrix: Matrix, place: int, column: Sequence[Scalar]) -> None:
    for row, x in zip(matrix, column, strict=True):
        row[place] = row[place] + x


def _add_curvature(
    bodies: Tree,
    found: Derivatives,
    total: Mapping[Axis, Scalar],
    positions: Sequence[directions.Seeds],
    into: tuple[Matrix, Matrix],
    qdd: Mapping[Expr, Expr] | None,
) -> None:
    """What a G that changes adds."""
    own = bodies.coordinates
    by_q, by_qd = into
    axes = [axis for axis, _ in own.rows]
    rates = {axis: dict(row) for axis, row in own.row_rates}  # dG/dt
    accelerations = directions.columns([own.acceleration(axis) for axis in axes], positions, qdd)
    slots = [(axis, k, expr(c)) for axis, row in own.rows for k, c in row]
    changes = directions.columns([c for _, _, c in slots], positions, qdd)  # dG/dq
    for place in range(own.nv):
        speed: dict[Axis, Scalar] = {axis: row[place] for axis, row in rates.items() if place in row}
        twice: dict[Axis, Scalar] = {axis: 2 * x for axis, x in speed.items()}
        changed = {a: x for a, x in zip(axes, accelerations[place], strict=True) if not x.is_zero}
        gamma = _times(found.by_speed, speed)
        for axis, x in _times(_both_halves(found.inertia), changed).items():
            gamma[axis] = gamma.get(axis, 0) + x
        column = own.torques(gamma)
        for (axis, k, _), change in zip(slots, changes[place], strict=True):
            column[k] = column[k] + change * total.get(axis, 0)
        _add_column(by_q, place, column)
        _add_column(by_qd, place, own.torques(_times(_both_halves(found.inertia), twice)))


def _both_halves(found: Entries) -> Entries:
    return {**{(j, i): x for (i, j), x in found.items()}, **found}


def _times(found: Entries, vector: Mapping[Axis, Scalar]) -> dict[Axis, Scalar]:
    total: dict[Axis, Scalar] = {}
    for (i, j), x in found.items():
        if j in vector and not is_zero(x):
            total[i] = total.get(i, 0) + x * vector[j]
    return total
