"""The elimination (Raghavan and Roth 1993; the pencil after Manocha and Canny 1994), set up once for an arm.

The right side's monomials are projected away; what is left are rows N D(z) P m = 0, with z = exp(i theta_3), m the
monomials of joints 4 and 5, and D(z) turning the (x, y) parts of the invariants. N has few rows, so combinations of them
have no term in z (or in 1/z): written in x = tan((theta_3 - phi)/2), most rows are linear and few quadratic. That removes
the spurious factor (1 + x^2)^4 exactly: the pencil A x + B is 16 x 16 for 6R and 5R1P, 8 x 8 for 4R2P.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....robot import PRISMATIC
from .arm import Arm
from .invariants import AXIS, ONE, PP, SIZE, TURNING_X, TURNING_Y, Floats, W, joint_forms, joint_terms, representation
from .labelling import Labelling, Tensor, inverse

# u and v times the quadratic forms (u u, sqrt(2) u v, v v), in the cubic ones (u u u, sqrt(3) u u v, ...): the bases in
# which a change of the zero of an angle is a rotation.
Complexes = NDArray[Any]
RANK = 1e-9  # of numbers of one arm, not of a generic place: a direction fainter than this would cost the digits

TIMES_U: Floats = np.array([[1, 0, 0, 0], [0, math.sqrt(2 / 3), 0, 0], [0, 0, math.sqrt(1 / 3), 0]])
TIMES_V: Floats = TIMES_U[::-1, ::-1]


@dataclass(frozen=True, eq=False)
class RightSide:
    """f = constant + columns m12, and the rows N (n, 15) that vanish on the columns (and take the constant away)."""

    constant: Floats  # (15,)
    inverse: Floats  # (8, 15): m12 from f - constant
    present: tuple[bool, ...]  # which of the nine products of terms of joints 2 and 1 occur
    rows: Floats


@dataclass(frozen=True, eq=False)
class Rows:
    """Polynomials in x whose coefficients act on f: constant (1), linear (2) and quadratic (3) ones."""

    constant: list[Floats]
    linear: list[Floats]
    quadratic: list[Floats]


@dataclass(frozen=True, eq=False)
class Pencil:
    """A x + B = (features of the pose) . (A, B) + what does not depend on it."""

    size: int
    monomials: Tensor  # exponents of (v of joint 4, v of joint 5)
    degrees: tuple[int, int]
    vectors: Floats  # (15, c): what the pose's rho is applied to
    A: Floats  # (15 c, size size)
    B: Floats
    A0: Floats  # (size, size)
    B0: Floats
    infinite: int  # rows that do not depend on x: roots x at infinity that mean nothing


def affine_only(kinds: list[int]) -> bool:
    """One prismatic joint on each side: p, l, p.l and p x l suffice, all linear in the lengths."""
    return kinds[0] + kinds[1] == 1 and kinds[3] + kinds[4] == 1


def right_side(kinds: list[int], gaps: list[Floats]) -> RightSide:
    """C2^-1 J2^-1 C1^-1 J1^-1 C6^-1 on the axis of joint 6, in the terms of joints 2 and 1 (of -q2 and -q1)."""
    f = joint_terms(kinds[0]) @ (representation(inverse(gaps[5])) @ AXIS)
    f = f @ representation(inverse(gaps[0])).T
    products = np.einsum("bij,aj->bai", joint_terms(kinds[1]), f) @ representation(inverse(gaps[1])).T
    constant, columns = products[0, 0], products.reshape(9, SIZE)[1:].T
    kept = np.ones(SIZE, dtype=bool)
    kept[ONE] = False
    if affine_only(kinds):
        kept[PP] = kept[W] = False
    columns = columns[kept]
    present = np.linalg.norm(columns, axis=0) > 1e-12 if sum(kinds[:2]) else np.ones(8, dtype=bool)
    U, _, _ = np.linalg.svd(columns)
    null = U[:, int(present.sum()) :].T
    rows = np.zeros((len(null), SIZE))
    rows[:, kept] = null
    rows[:, ONE] = -null @ constant[kept]
    back = np.zeros((8, SIZE))
    back[:, kept] = np.linalg.pinv(columns, rcond=1e-9)
    return RightSide(constant, back, (True, *map(bool, present)), rows)


def split_rows(N: Floats, phi: float, linear_only: bool) -> Rows:
    """Combinations of the rows with as little of the hidden angle as possible."""
    U, rank = _left(np.hstack([N[:, TURNING_X], N[:, TURNING_Y]]))
    moving, fixed = U[:, :rank].T @ N, U[:, rank:].T @ N
    V, rank = _left(moving[:, TURNING_X] - 1j * moving[:, TURNING_Y])
    half = V[:, rank:].conj().T  # no term in z
    both = np.vstack([half.real, half.imag])
    _, _, rest = np.linalg.svd(both)
    constant, _, back = _powers(half @ moving, phi)
    first, second = constant + back, 1j * (constant - back)
    linear = [np.vstack([row.real, row.imag]) for row in (first, second)]
    c0, c1, c2 = _powers(rest[len(both) :] @ moving, phi)
    quadratic = [(c0 + c1 + c2).real, (2j * (c1 - c2)).real, (c0 - c1 - c2).real]
    return Rows([fixed], linear, [rows[:0] if linear_only else rows for rows in quadratic])


def _left(matrix: Complexes) -> tuple[Complexes, int]:
    """The left singular vectors, as columns, and the rank."""
    U, sizes, _ = np.linalg.svd(matrix)
    return U, int(np.sum(sizes > RANK * max(1.0, *sizes)))


def _powers(rows: Complexes, phi: float) -> tuple[Complexes, Complexes, Complexes]:
    """rows D(z) = c0 + c1 z' + c2 / z' with z' = z exp(-i phi)."""
    c0 = rows.astype(complex)
    c0[:, TURNING_X] = c0[:, TURNING_Y] = 0
    found = []
    for sign in (1, -1):
        part = (rows[:, TURNING_X] - sign * 1j * rows[:, TURNING_Y]) / 2 * np.exp(sign * 1j * phi)
        power = np.zeros(rows.shape, dtype=complex)
        power[:, TURNING_X], power[:, TURNING_Y] = part, sign * 1j * part
        found.append(power)
    return c0, found[0], found[1]


def pencil(arm: Arm, labelling: Labelling, side: RightSide, phi: float) -> Pencil:
    """The matrices of the pencil as linear functions of the pose's invariants."""
    kinds, gaps = labelling.kinds(arm), labelling.gaps(arm.constants)
    affine = affine_only(kinds)
    rows = split_rows(side.rows, phi, affine)
    vectors, before = _left_side(labelling, kinds, gaps)
    monomials, degrees = _monomials(kinds, labelling.lifted, affine)

    def lift(R: Floats) -> Floats:
        columns = np.einsum("ri,iabf->rabf", R, before)
        if labelling.lifted is not None:
            spec = ("rabf,ad->rdbf", "rabf,bd->radf")[labelling.lifted]
            columns = np.concatenate([np.einsum(spec, columns, t) for t in (TIMES_U, TIMES_V)])
        taken: Floats = columns[:, [a for a, _ in monomials], [b for _, b in monomials]]
        return taken

    constant, (l0, l1) = lift(rows.constant[0]), [lift(R) for R in rows.linear]
    q0, q1, q2 = (lift(R) for R in rows.quadratic)
    m, extra, flat = len(monomials), len(q0), len(constant) + len(l0)
    size = m + extra
    if flat + extra != m:
        raise np.linalg.LinAlgError("the rows of this labelling depend on each other")
    A, B = np.zeros((2, size, size, before.shape[-1]))
    B[: len(constant), :m], B[len(constant) : flat, :m], A[len(constant) : flat, :m] = constant, l0, l1
    # c0 m + x (c1 m + w) = 0 with w = x c2 m.
    B[flat : flat + extra, :m], A[flat : flat + extra, :m], A[m:, :m] = q0, q1, -q2
    A0, B0 = np.zeros((2, size, size))
    A0[flat : flat + extra, m:] = B0[m:, m:] = np.eye(extra)
    features = before.shape[-1]
    flatten = [M.reshape(size * size, features).T.copy() for M in (A, B)]
    return Pencil(size, monomials, degrees, vectors, flatten[0], flatten[1], A0, B0, len(constant))


def _left_side(labelling: Labelling, kinds: list[int], gaps: list[Floats | None]) -> tuple[Floats, Floats]:
    """C3 J4 C4 J5 C5 on the axis of joint 6, cut at the pose: the vectors (15, c) after it, and the coefficient of
    each of their images in f for each product of forms of joints 4 and 5, (15, 3, 3, 15 c)."""
    F4, F5 = joint_forms(kinds[3]), joint_forms(kinds[4])
    C3, C4, C5 = (representation(np.eye(4) if gap is None else gap) for gap in gaps[2:5])
    if labelling.place == 5:
        vectors = AXIS[:, None]
        before = np.einsum("ij,ajk,kl,blm->iabm", C3, F4, C4, F5, optimize=True)
        return vectors, before
    if labelling.place == 4:
        vectors = np.einsum("bij,j->ib", F5, C5 @ AXIS)
        before = np.einsum("ij,ajk,bc->iabkc", C3, F4, np.eye(3), optimize=True)
        return vectors, before.reshape(SIZE, 3, 3, -1)
    vectors = np.einsum("aij,jk,bkl,l->iab", F4, C4, F5, C5 @ AXIS, optimize=True).reshape(SIZE, 9)
    before = np.einsum("ij,abc->iabjc", np.eye(SIZE), np.eye(9).reshape(3, 3, 9))
    return vectors, before.reshape(SIZE, 3, 3, -1)


def _monomials(kinds: list[int], lifted: int | None, affine: bool) -> tuple[Tensor, tuple[int, int]]:
    """Which products of forms of joints 4 and 5 occur, by the exponents of their v; and the degrees of the forms."""
    degrees = (3 if lifted == 0 else 2, 3 if lifted == 1 else 2)
    top = [1 if affine and kinds[3 + i] == PRISMATIC else degrees[i] for i in range(2)]
    both = kinds[3] == kinds[4] == PRISMATIC
    products = [(a, b) for a in range(top[0] + 1) for b in range(top[1] + 1)]
    return tuple((a, b) for a, b in products if not both or a + b <= 2), degrees
