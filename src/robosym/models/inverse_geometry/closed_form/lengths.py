"""Two or three lengths at once: where all angles are known, the position of the end is linear in them.

Three lengths along d1, d2, d3 that have to make up p follow from triple products, r1 = (d2 x d3) . p / (d2 x d3) . d1, and two
of them from the normal equations of r1 d1 + r2 d2 = p. Either divides by nothing that vanishes where the arm is regular.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....expr import Expr, count, expr, number
from ....spatial.vectors import Vector, cross, dot
from ..chain.chain import Chain
from ..chain.random_positions import Sample
from ..chain.task import Task
from .equations import Cuts, Equation, place_of, position_row, pruned
from .group_matrices import Known
from .polynomials import Monomial, Polynomial


def length_equations(chain: Chain, known: Known, tried: Sequence[Sample], task: Task) -> Iterator[Equation]:
    """An equation for each of the joints that are left, if these are two or three that slide."""
    left = [joint for joint in chain.joints if f"{'r' if joint.prismatic else 'S'}{joint.number}" not in known.atoms]
    if not all(joint.prismatic for joint in left) or len(left) not in (2, 3) or task == "orientation":
        return
    names: list[Monomial] = [(f"r{joint.number}",) for joint in left]
    cuts = Cuts(chain, known)
    systems = []
    for a in range(cuts.m):
        for b in range(a + 1, cuts.m + 1) if task == "pose" else (cuts.m,):
            rows = [pruned(position_row(cuts, a, b, i, task), tried) for i in range(3)]
            if {monomial for row in rows for monomial in row if monomial} == set(names):
                cost = count([c for row in rows for c in row.values()]).total
                systems.append((cost, a, b, rows))
    for _, a, b, rows in sorted(systems, key=lambda one: one[:3])[:1]:
        for name in names:
            polynomial = _solved(rows, name, [other for other in names if other != name])
            yield Equation(polynomial, f"positions x, y, z {place_of(a, b, cuts.m)}, the other lengths eliminated", 1)


def _solved(rows: Sequence[Polynomial], name: Monomial, others: Sequence[Monomial]) -> Polynomial:
    """X r + Z = 0 of one length, from three equations of the first degree."""
    own, constant = _column(rows, name), _column(rows, ())
    if len(others) == 2:
        normal = cross(*(_column(rows, other) for other in others))
    else:
        other = _column(rows, others[0])
        normal = cross(other, cross(own, other))
    return {name: _product(normal, own), (): _product(normal, constant)}


def _column(rows: Sequence[Polynomial], monomial: Monomial) -> Vector:
    x, y, z = (row.get(monomial, number(0)) for row in rows)
    return x, y, z


def _product(a: Vector, b: Vector) -> Expr:
    return expr(dot(a, b))
