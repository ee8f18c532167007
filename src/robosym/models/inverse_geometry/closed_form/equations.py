"""All equations between two cuts of a chain (Paul 1981): what the groups between them do, is what the pose leaves for them.

For groups a+1 to b, with the start and the end of the chain among the constants K:

    (K0 G1 K1 ... Ga Ka)^-1 T (Kb G(b+1) ... Gm Km)^-1 = G(a+1) K(a+1) ... Gb

gives nine equations of directions, three of positions, and one of the squared distance between the origins of the cuts,
which the first and the last angle leave unchanged (Pieper 1968). Most have too many unknowns to be of use: which ones
each depends on is found on numbers first, and only the others are made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from ....expr import Expr, evaluate, number
from ....expr.generic import negligible
from ..chain.chain import Chain, inverse_rows
from ..chain.pose import pose_symbols
from ..chain.random_positions import Floats, Sample, symbol_of
from ..chain.task import Task
from .group_matrices import Known, constants, group_matrix, inverse_matrix
from .polynomials import ONE, ZERO, Polynomial, Rows, constant, product, reduced, scaled, total, unknowns

DIRECTIONS = "sna"
DISTANCE = (3, 3)  # stands for the squared distance among the places of entries

# Of the equations in the same unknowns this many are made, those between the nearest cuts first: they are the shortest.
MOST_ALIKE = 90

Vector = tuple[Polynomial, ...]  # four homogeneous coordinates


@dataclass(frozen=True)
class Equation:
    """``polynomial`` = 0, and where it comes from, in words.

    ``degree`` is its degree in lengths: 0 of directions, 1 of positions, 2 of a squared distance. What counts as zero is
    measured with it, so that an arm has the same solutions in metres and in millimetres.
    """

    polynomial: Polynomial
    source: str
    degree: int = 0

    @property
    def unknowns(self) -> frozenset[str]:
        return unknowns(self.polynomial)


class Cuts:
    """The chain with some joints known, cut in two places at a time."""

    def __init__(self, chain: Chain, known: Known, mirrored: bool = False) -> None:
        self.G: list[Rows] = [group_matrix(group, known) for group in chain.groups]
        self.G_back: list[Rows] = [inverse_matrix(rows) for rows in self.G]
        pieces = (chain.start, *chain.between, chain.end)
        self.K: list[Rows] = [constants(rows) for rows in pieces]
        self.K_back: list[Rows] = [constants(inverse_rows(rows)) for rows in pieces]
        self.pose: Rows = constants(pose_symbols())
        if mirrored:  # the chain from its end to its start
            self.G, self.G_back = self.G_back[::-1], self.G[::-1]
            self.K, self.K_back = self.K_back[::-1], self.K[::-1]
            self.pose = constants(inverse_rows(pose_symbols()))
        self.m = len(self.G)
        self.between = cache(self._between)
        self.after = cache(self._after)
        self.row = cache(self._row)
        self.origin = cache(self._origin)

    # --- vectors -----------------------------------------------------------------------------------------------------

    def _between(self, a: int, b: int, j: int) -> Vector:
        """Column j of G(a+1) K(a+1) ... Gb."""
        if b == a + 1:
            return applied(self.G[a], unit(j))
        return applied(self.G[a], applied(self.K[a + 1], self.between(a + 1, b, j)))

    def _after(self, b: int, j: int) -> Vector:
        """Column j of (Kb G(b+1) ... Gm Km)^-1."""
        column = applied(self.K_back[b], unit(j))
        for k in range(b, self.m):
            column = applied(self.K_back[k + 1], applied(self.G_back[k], column))
        return column

    def _row(self, a: int, i: int) -> Vector:
        """Row i of (K0 G1 ... Ga Ka)^-1."""
        row = row_applied(unit(i), self.K_back[a])
        for k in range(a, 0, -1):
            row = row_applied(row_applied(row, self.G_back[k - 1]), self.K_back[k - 1])
        return row

    def _origin(self, a: int) -> Vector:
        """The origin of cut a in the base: column 4 of K0 G1 ... Ga Ka."""
        column = applied(self.K[a], unit(3))
        for k in range(a, 0, -1):
            column = applied(self.K[k - 1], applied(self.G[k - 1], column))
        return column

    def end(self, a: int) -> Vector:
        """The position of the chain's end seen from cut a, its end constant included."""
        column = applied(self.K[self.m], unit(3))
        for k in range(self.m - 1, a - 1, -1):
            column = applied(self.G[k], column)
            column = applied(self.K[k], column) if k > a else column
        return column


def unit(j: int) -> Vector:
    return tuple(ONE if k == j else ZERO for k in range(4))


def applied(rows: Rows, column: Vector) -> Vector:
    found = [total(*(product(x, y) for x, y in zip(row, column, strict=True) if x and y)) for row in rows]
    return (*found, column[3])


def row_applied(row: Vector, rows: Rows) -> Vector:
    found = [total(*(product(row[k], rows[k][j]) for k in range(3) if row[k] and rows[k][j])) for j in range(4)]
    return (found[0], found[1], found[2], total(found[3], row[3]))


def dot(a: Vector, b: Vector) -> Polynomial:
    return total(*(product(x, y) for x, y in zip(a[:3], b[:3], strict=True) if x and y))


# --- the equations ---------------------------------------------------------------------------------------------------


def equations(
    chain: Chain, known: Known, samples: Sequence[Sample], task: Task, most: int = 2, mirrored: bool = False
) -> list[Equation]:
    """The equations of at most ``most`` unknowns, each once, without the terms that vanish.

    ``mirrored`` gives those of the chain from its end to its start: where the origin of one cut is seen from the other.
    """
    cuts = Cuts(chain, known, mirrored)
    found: dict[tuple[tuple[tuple[str, ...], Expr], ...], Equation] = {}
    for a, b, (i, j) in _useful(chain, known, samples[0], task, most, mirrored):
        polynomial = pruned(_entry(cuts, a, b, i, j, task), samples)
        if polynomial and unknowns(polynomial):
            key = tuple(sorted(polynomial.items(), key=lambda term: term[0]))
            degree = 2 if (i, j) == DISTANCE else int(j == 3)
            found.setdefault(key, Equation(polynomial, _source(a, b, i, j, cuts.m, mirrored), degree))
    return list(found.values())


def position_row(cuts: Cuts, a: int, b: int, i: int, task: Task) -> Polynomial:
    """The equation of coordinate i of the position between two cuts."""
    return _entry(cuts, a, b, i, 3, task)


def _entry(cuts: Cuts, a: int, b: int, i: int, j: int, task: Task) -> Polynomial:
    """Left minus right of one equation."""
    if task == "position":
        target: Vector = (*(constant(row[3]) for row in pose_symbols()), ONE)
        arm = cuts.end(a)
        if (i, j) == DISTANCE:
            return _distance(cuts, a, target, total(*(product(p, p) for p in target[:3])), arm)
        return total(_times(cuts.row(a, i), target), scaled(arm[i], -1))
    column = cuts.after(b, j)
    if (i, j) == DISTANCE:
        p = (*(row[3] for row in cuts.pose), ZERO)
        turned = applied(cuts.pose, (*column[:3], ZERO))
        square = total(dot(column, column), scaled(dot(p, turned), 2), dot(p, p))  # |R y + p|^2
        return _distance(cuts, a, applied(cuts.pose, column), square, cuts.between(a, b, 3))
    return total(_times(cuts.row(a, i), applied(cuts.pose, column)), scaled(cuts.between(a, b, j)[i], -1))


def _times(row: Vector, column: Vector) -> Polynomial:
    return total(*(product(x, y) for x, y in zip(row, column, strict=True) if x and y))


def _distance(cuts: Cuts, a: int, target: Vector, square: Polynomial, arm: Vector) -> Polynomial:
    """|x - o|^2 = |arm|^2, with |x|^2 given: a rotation does not change it."""
    o = cuts.origin(a)
    return reduced(total(square, scaled(dot(target, o), -2), dot(o, o), scaled(dot(arm, arm), -1)))


def pruned(p: Polynomial, samples: Sequence[Sample]) -> Polynomial:
    """Without the terms that are zero at every sample."""
    kept = {}
    for monomial, c in p.items():
        if not all(negligible(float(evaluate([c], s.numbers)[0])) for s in samples):
            kept[monomial] = c
    return kept


def place_of(a: int, b: int, m: int) -> str:
    """Two cuts in words."""
    return f"between cuts {a} and {b}" if (a, b) != (0, m) else "of the whole chain"


def _source(a: int, b: int, i: int, j: int, m: int, mirrored: bool) -> str:
    place = place_of(a, b, m)
    place = f"{place}, seen from the end" if mirrored else place
    if (i, j) == DISTANCE:
        return f"squared distance {place}"
    return f"position {'xyz'[i]} {place}" if j == 3 else f"direction {DIRECTIONS[j]}{'xyz'[i]} {place}"


# --- which are of use ------------------------------------------------------------------------------------------------


def _useful(
    chain: Chain, known: Known, sample: Sample, task: Task, most: int, mirrored: bool
) -> list[tuple[int, int, tuple[int, int]]]:
    """The places of the equations with few unknowns: each unknown is moved in turn, to see what changes."""
    free = [joint for joint in chain.joints if _atoms(joint.number, joint.prismatic)[0] not in known.atoms]
    base = _numbers(chain, sample, task, None, mirrored)
    changed = [(joint.number, _numbers(chain, sample, task, joint.number, mirrored)) for joint in free]
    columns = range(3) if task == "orientation" else (3,) if task == "position" or mirrored else range(4)
    found = []
    made: Counter[tuple[int, ...]] = Counter()
    for (a, b), (left, right) in sorted(base.items(), key=lambda one: one[0][1] - one[0][0]):
        for place in [(i, j) for i in range(3) for j in columns] + [DISTANCE] * (task != "orientation"):
            depends = []
            for number_, other in changed:
                l, r = other[a, b]
                if not (negligible(l[place] - left[place]) and negligible(r[place] - right[place])):
                    depends.append(number_)
            if 0 < len(depends) <= most and made[tuple(depends)] < MOST_ALIKE:
                made[tuple(depends)] += 1
                found.append((a, b, place))
    return found


def _atoms(number_: int, prismatic: bool) -> tuple[str, ...]:
    return (f"r{number_}",) if prismatic else (f"S{number_}", f"C{number_}")


def _numbers(
    chain: Chain, sample: Sample, task: Task, moved: int | None, mirrored: bool
) -> dict[tuple[int, int], tuple[Floats, Floats]]:
    """Left and right of all cuts at a sample, with the atoms of one joint changed and the pose kept."""
    values = dict(sample.numbers)
    if moved is not None:
        joint = chain.joints[moved - 1]
        if joint.prismatic:
            values[symbol_of(f"r{moved}")] += 0.7
        else:
            s, c = (values[symbol_of(f"{x}{moved}")] for x in "SC")
            values[symbol_of(f"S{moved}")], values[symbol_of(f"C{moved}")] = 0.8 * s + 0.6 * c, 0.8 * c - 0.6 * s
    G = [_numeric(group_matrix(group, _All()), values) for group in chain.groups]
    K = [_numeric(constants(rows), values) for rows in (chain.start, *chain.between, chain.end)]
    m, T = len(G), sample.T
    if mirrored:
        G, K, T = [_inverse(g) for g in G[::-1]], [_inverse(k) for k in K[::-1]], _inverse(T)
    before, after = [K[0]], [K[m]]
    for k in range(m):
        before.append(before[-1] @ G[k] @ K[k + 1])
    for k in range(m - 1, -1, -1):
        after.insert(0, K[k] @ G[k] @ after[0])
    found = {}
    for a in range(m):
        right = np.eye(4)
        for b in range(a + 1, m + 1):
            right = right @ (K[b - 1] if b - 1 > a else np.eye(4)) @ G[b - 1]
            if task != "position":
                left = _inverse(before[a]) @ T @ _inverse(after[b])
                found[a, b] = (_with_distance(left), _with_distance(right))
            elif b == m:
                found[a, b] = (_with_distance(_inverse(before[a]) @ T), _with_distance(right @ K[m]))
    return found


class _All(Known):
    """Every joint as a symbol."""

    def __init__(self) -> None:
        super().__init__({})

    def __call__(self, name: str) -> Polynomial:
        return constant(symbol_of(name))


def _numeric(rows: Rows, values: dict[Expr, float]) -> Floats:
    flat = [evaluate([p.get((), number(0))], values)[0] for row in rows for p in row]
    return np.vstack([np.array(flat, dtype=float).reshape(3, 4), [0, 0, 0, 1]])


def _with_distance(T: Floats) -> Floats:
    T = T.copy()
    T[DISTANCE] = float(T[:3, 3] @ T[:3, 3])
    return T


def _inverse(T: Floats) -> Floats:
    return np.asarray(np.linalg.inv(T), dtype=np.float64)
