"""The motions of a chain as matrices of polynomials in the joints still to be found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from ....expr import Expr, cos, sin
from ..chain.chain import ConstantRows, Group
from .polynomials import ONE, ZERO, Polynomial, atom, constant, matrix_product, product, scaled, total


@dataclass(frozen=True)
class Known:
    """The joints already found, as symbols: sine and cosine of the absolute angle, or the length."""

    atoms: dict[str, Expr]

    def __call__(self, name: str) -> Polynomial:
        return constant(self.atoms[name]) if name in self.atoms else atom(name)


def group_matrix(group: Group, known: Known) -> list[list[Polynomial]]:
    """The motion of a group: one turn by its last absolute angle, and arms turned by those before."""
    position: list[Polynomial] = [ZERO, ZERO, ZERO]
    angle: tuple[Polynomial, Polynomial] = (ONE, ZERO)  # cosine and sine of the angle so far
    for k, joint in enumerate(group.joints):
        if k:
            x, y, z = group.shifts[k - 1]
            c, s = angle
            arm = (total(scaled(c, x), scaled(s, -y)), total(scaled(s, x), scaled(c, y)), constant(z))
            position = [total(p, a) for p, a in zip(position, arm, strict=True)]
            if joint.prismatic:  # its constant turn; a revolute joint's is part of its absolute angle
                turn = group.turns[k - 1]
                angle = _added(angle, turn)
        if joint.prismatic:
            position[2] = total(position[2], known(f"r{joint.number}"))
        else:
            angle = (known(f"C{joint.number}"), known(f"S{joint.number}"))
    c, s = angle
    return [[c, scaled(s, -1), ZERO, position[0]], [s, c, ZERO, position[1]], [ZERO, ZERO, ONE, position[2]]]


def _added(angle: tuple[Polynomial, Polynomial], turn: Expr) -> tuple[Polynomial, Polynomial]:
    c, s = angle
    ct, st = cos(turn), sin(turn)
    return total(scaled(c, ct), scaled(s, -st)), total(scaled(s, ct), scaled(c, st))


def inverse_matrix(rows: Sequence[Sequence[Polynomial]]) -> list[list[Polynomial]]:
    """Of a motion given by polynomials."""
    found = []
    for i in range(3):
        column = [rows[k][i] for k in range(3)]
        moved = total(*(scaled(product(column[k], rows[k][3]), -1) for k in range(3)))
        found.append([*column, moved])
    return found


def constants(rows: ConstantRows) -> list[list[Polynomial]]:
    return [[constant(x) for x in row] for row in rows]


def multiplied(*matrices: Sequence[Sequence[Polynomial]]) -> list[list[Polynomial]]:
    return reduce(matrix_product, matrices)  # type: ignore[arg-type]
