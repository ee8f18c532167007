"""From the pencil to joint positions: eigenvalues give the hidden joint, eigenvectors joints 4 and 5, then the rest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ....robot import PRISMATIC, REVOLUTE
from .arm import JOINTS, Arm
from .elimination import Complexes, Pencil, RightSide, pencil, right_side
from .invariants import Floats, joint_motion, representation
from .labelling import Labelling, inner_motion, inverse

# An angle with a smaller imaginary part may be real but for rounding: where roots meet, rounding is large.
REAL = 1e-4

Indices = np.typing.NDArray[np.intp]


class Starts(NamedTuple):
    """Approximate solutions, before Newton: which pose each belongs to, joint positions, and whether its root is real
    (the others are close to real: double roots that rounding parted, or none)."""

    pose: Indices
    q: Floats
    real: np.typing.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Elimination:
    """One labelling of an arm, with the zero phi of the hidden angle. ``arm`` is in units of its length.

    ``real``: an eigenvalue whose angle has an imaginary part below this is tried.
    """

    arm: Arm
    labelling: Labelling
    phi: float = 0.7
    real: float = 1e-2

    @cached_property
    def side(self) -> RightSide:
        return right_side(self.labelling.kinds(self.arm), self._gaps)

    @cached_property
    def pencil(self) -> Pencil:
        return pencil(self.arm, self.labelling, self.side, self.phi)

    @cached_property
    def _gaps(self) -> list[Floats]:
        gaps = self.labelling.gaps(self.arm.constants)
        return [np.full((4, 4), np.nan) if gap is None else gap for gap in gaps]

    def angles(self, T: Floats) -> tuple[Complexes, Complexes]:
        """Hidden angles (N, size), complex, and the eigenvectors (N, size, size) by columns."""
        made = self.pencil
        X = self.labelling.gap_of_pose(self.arm.constants, T)
        features = (representation(X) @ made.vectors).reshape(len(T), -1)
        shape = (len(T), made.size, made.size)
        A = (features @ made.A).reshape(shape) + made.A0
        B = (features @ made.B).reshape(shape) + made.B0
        scale = np.sqrt(np.sum(A * A + B * B, axis=-1, keepdims=True))
        scale[scale == 0] = 1.0
        eigenvalues, vectors = _eigen(solved(B / scale, A / scale))
        # (A x + B) m = 0: B^-1 A m = -m / x, and cot is -eigenvalue.
        return self.phi + math.pi + 2 * np.arctan(eigenvalues.astype(complex)), vectors

    def starts(self, T: Floats) -> Starts:
        """Approximate joint positions of the poses T (N, 4, 4), in units of the arm's length."""
        angles, vectors = self.angles(T)
        chosen = (np.abs(angles.imag) <= self.real) & (angles.imag >= 0)
        pose, root = np.nonzero(chosen)
        angle = angles[pose, root]
        m = vectors[pose, : len(self.pencil.monomials), root]
        largest = np.take_along_axis(m, np.abs(m).argmax(axis=1)[:, None], axis=1)
        m = (m / np.where(largest == 0, 1.0, largest)).real
        q = self._joints(T[pose], angle.real, m)
        finite = np.isfinite(q).all(axis=1)
        sure = np.abs(angle.imag) < REAL
        if self.pencil.infinite:  # rows without the hidden angle put roots at infinity, where none was looked for
            sure &= np.abs(np.cos((angle.real - self.phi) / 2)) > 1e-5
        return Starts(pose[finite], q[finite], sure[finite])

    def polynomial(self, T: Floats) -> Floats:
        """The coefficients, highest power first, of the polynomial in tan(q/2) of the hidden joint, for one pose."""
        angles = self.angles(T[None])[0][0]
        away = np.abs(np.cos((angles - self.phi) / 2))
        finite = np.sort(np.argsort(away)[self.pencil.infinite :])
        sign = self.arm.signs[self.labelling.hidden] * (-1 if self.labelling.reverse else 1)
        product = np.ones(1, dtype=complex)
        for angle in sign * angles[finite]:
            # sin((q - angle)/2), over cos(q/2), of size one.
            factor = np.array([np.cos(angle / 2), -np.sin(angle / 2)])
            product = np.convolve(product, factor / np.linalg.norm(factor))
        real = (product / product[np.abs(product).argmax()]).real
        result: Floats = real / np.abs(real).max()
        return result

    def _joints(self, T: Floats, q3: Floats, m: Floats) -> Floats:
        """All six joints of the arm from the hidden one and the monomials of joints 4 and 5."""
        arm, labelling = self.arm, self.labelling
        kinds, gaps = labelling.kinds(arm), list(self._gaps)
        gaps[labelling.place - 1] = labelling.gap_of_pose(arm.constants, T)
        q4, q5 = self._unknowns(m, kinds)
        left = inner_motion(kinds, gaps, [q3, q4, q5], 3, 5)
        q1, q2 = self._eliminated(left, kinds)
        right = inverse(gaps[5] @ joint_motion(kinds[0], q1) @ gaps[0] @ joint_motion(kinds[1], q2) @ gaps[1])
        last = inverse(left) @ right
        q6 = np.arctan2(last[:, 1, 0] - last[:, 0, 1], last[:, 0, 0] + last[:, 1, 1])
        q: Floats = np.empty((len(T), JOINTS))
        sign = -1.0 if labelling.reverse else 1.0
        for joint, value in zip(labelling.order, (q1, q2, q3, q4, q5, q6), strict=True):
            q[:, joint] = sign * arm.signs[joint] * value
        return q

    def _unknowns(self, m: Floats, kinds: list[int]) -> tuple[Floats, Floats]:
        """Joints 4 and 5: v / u from all pairs of monomials that differ by v / u."""
        made = self.pencil
        weight = [math.sqrt(math.comb(made.degrees[0], a) * math.comb(made.degrees[1], b)) for a, b in made.monomials]
        plain = m / np.array(weight)
        at = {exponents: i for i, exponents in enumerate(made.monomials)}
        found = []
        for i, (da, db) in enumerate(((1, 0), (0, 1))):
            pairs = [(at[a, b], at[a + da, b + db]) for a, b in made.monomials if (a + da, b + db) in at]
            u, v = plain[:, [low for low, _ in pairs]], plain[:, [high for _, high in pairs]]
            uu, uv, vv = (np.sum(x * y, axis=1) for x, y in ((u, u), (u, v), (v, v)))
            prismatic = kinds[3 + i] == PRISMATIC
            found.append(uv / np.where(uu == 0, 1.0, uu) if prismatic else np.arctan2(2 * uv, uu - vv))
        return found[0], found[1]

    def _eliminated(self, left: Floats, kinds: list[int]) -> tuple[Floats, Floats]:
        """Joints 1 and 2 from their monomials, which the left side's invariants give linearly."""
        p, l = left[:, :3, 3], left[:, :3, 2]
        pp, pl = np.sum(p * p, axis=1)[:, None], np.sum(p * l, axis=1)[:, None]
        f = np.hstack([p, l, pp, pl, np.cross(p, l), pp * l - 2 * pl * p, np.ones_like(pp)])
        terms = np.ones((len(f), 9))
        terms[:, 1:] = (f - self.side.constant) @ self.side.inverse.T
        present = np.array(self.side.present).reshape(3, 3)
        table = terms.reshape(-1, 3, 3)  # terms of joint 2 by terms of joint 1
        q2 = -_position(kinds[1], table, present)
        q1 = -_position(kinds[0], table.swapaxes(1, 2), present.T)
        return q1, q2


def _position(kind: int, table: Floats, present: np.typing.NDArray[np.bool_]) -> Floats:
    """A joint from the products of its terms (1, cos, sin or 1, r, r r; along axis 1) with those of another."""
    first, second = (table[:, i] * present[i] for i in (1, 2))
    one = table[:, 0] * present[0]
    along = np.sum(one * first, axis=1)
    weight = np.sum(one * one * present[1], axis=1)
    revolute = kind == REVOLUTE
    position: Floats = np.arctan2(np.sum(one * second, axis=1), along) if revolute else along / np.fmax(weight, 1e-300)
    return position


def _eigen(matrices: Floats) -> tuple[Complexes, Complexes]:
    """Eigenvalues and eigenvectors; a matrix on which the iteration fails has none (zeros)."""
    try:
        eigenvalues, vectors = np.linalg.eig(matrices)
    except np.linalg.LinAlgError:
        if len(matrices) == 1:
            return np.zeros(matrices.shape[:2], dtype=complex), np.zeros(matrices.shape, dtype=complex)
        halves = [_eigen(half) for half in np.array_split(matrices, 2)]
        return np.concatenate([half[0] for half in halves]), np.concatenate([half[1] for half in halves])
    return eigenvalues, vectors


def solved(A: Floats, B: Floats) -> Floats:
    """A^-1 B for a stack of matrices; the shortest least-squares solution where A is singular, zero where it is not
    finite. What one matrix gives does not depend on the others."""
    try:
        X = np.linalg.solve(A, B)
    except np.linalg.LinAlgError:
        if len(A) > 1:
            half = len(A) // 2
            return np.concatenate([solved(A[:half], B[:half]), solved(A[half:], B[half:])])
        X = np.linalg.pinv(A, rcond=1e-12) @ B if np.isfinite(A).all() else np.zeros(B.shape)
    good = np.isfinite(X).all(axis=(-1, -2), keepdims=True)
    return np.where(good, X, 0.0)
