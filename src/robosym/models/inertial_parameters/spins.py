"""Rotor inertias and ZZ that have one effect: speeds that are fixed sums of others.

The rotor of joint j has the energy 1/2 Ia qd_j^2, and ZZ of a link 1/2 ZZ w_z^2. Where joints follow others by constant factors
(parallelograms, gears), qd_j is a fixed sum of driven speeds, and w_z is one of joint speeds if the axes before it are
parallel to it or across it; a cut joint turns by the difference of the links it joins. Combinations of such parameters for
which the squares cancel have no effect (derived here).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement

from ...expr import expr
from ...robot import Robot
from ...spatial.rotations import into
from ...spatial.scalar import Scalar
from ..tree.bodies import Tree
from ..tree.parallel import rotation_between

Row = tuple[Fraction, ...]
Spin = tuple[int, str]  # (j, "Ia") or (j, "ZZ")


def cancelling_spins(
    robot: Robot, tree: Tree, rotors: Sequence[int], links: Sequence[int]
) -> list[dict[Spin, Fraction]]:
    """Combinations of rotor inertias and ZZ of these joints and links with no effect."""
    if not tree.fixed_base:
        return []
    speeds = _speeds(robot, tree)
    found: dict[Spin, Row] = {}
    for j in links:
        spin = _spin(tree, j, j, speeds)
        if spin is not None:
            found[j, "ZZ"] = spin
    found |= {(j, "Ia"): speeds[j] for j in rotors}
    return _null_vectors({key: _squares(row) for key, row in found.items()})


def _speeds(robot: Robot, tree: Tree) -> dict[int, Row]:
    """The speeds of the joints: by factors of qd where these are numbers, else each for itself."""
    own = tree.coordinates
    width = own.nv + len(tree.bodies)
    found: dict[int, Row] = {}
    for k, body in enumerate(tree.bodies):
        row = [Fraction(0)] * width
        factors = [(place, _fraction(c)) for place, c in own.row(body.j)]
        for place, factor in factors if all(x is not None for _, x in factors) else [(own.nv + k, Fraction(1))]:
            row[place] = factor or Fraction(0)
        found[body.j] = tuple(row)
    for cut, twin in robot.closure.cuts if robot.closure is not None else ():
        if cut in found and any(found[cut][own.nv :]):
            ends = [_spin(tree, robot.carrier(robot.frame(j).antecedent), cut, found) for j in (twin, cut)]
            if ends[0] is not None and ends[1] is not None and not tree.body(cut).prismatic:
                found[cut] = tuple(a - b for a, b in zip(*ends, strict=True))
    return found


def _spin(tree: Tree, j: int, axis: int, speeds: Mapping[int, Row]) -> Row | None:
    """The angular velocity of link j along z of frame ``axis``, if it is such a sum."""
    total = (Fraction(0),) * (tree.coordinates.nv + len(tree.bodies))
    while j:
        body = tree.body(j)
        if not body.prismatic:
            along = _fraction(into(rotation_between(tree, j, axis), (0, 0, 1))[2])
            if along is None:
                return None
            total = tuple(a + along * b for a, b in zip(total, speeds[j], strict=True))
        j = body.parent
    return total


def _fraction(x: Scalar) -> Fraction | None:
    value = expr(x)
    return Fraction(value.value) if value.is_number and isinstance(value.value, int | Fraction) else None


def _squares(row: Row) -> Row:
    """The coefficients of the products of speeds in the square of a sum."""
    pairs = combinations_with_replacement(range(len(row)), 2)
    return tuple(row[a] * row[b] * (1 if a == b else 2) for a, b in pairs)


def _null_vectors(rows: dict[Spin, Row]) -> list[dict[Spin, Fraction]]:
    """Combinations of the rows that vanish: what is left of each one after those before it are taken off."""
    basis: list[tuple[int, Row, dict[Spin, Fraction]]] = []
    found: list[dict[Spin, Fraction]] = []
    for key, row in rows.items():
        made = {key: Fraction(1)}
        for k, other, combination in basis:
            factor = row[k] / other[k]
            if factor:
                row = tuple(a - factor * b for a, b in zip(row, other, strict=True))
                for one, x in combination.items():
                    made[one] = made.get(one, Fraction(0)) - factor * x
        pivot = next((k for k, x in enumerate(row) if x), None)
        if pivot is None:
            found.append({one: x for one, x in made.items() if x})
        else:
            basis.append((pivot, row, made))
    return found
