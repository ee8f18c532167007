"""From the pencil to joint positions: eigenvalues give the hidden joint, eigenvectors joints 4 and 5, then the rest.

What is computed at a pose is written for arrays of numbers, for many poses at once, and for expressions, as programs: the
first choose the elimination of an arm (``strategy``), the others are its routine (``stages``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ....robot import PRISMATIC
from ..special_poses.scalars import (
    Entries,
    absolute,
    atan2,
    constants,
    cos,
    dot,
    log,
    logical_and,
    maximum,
)
from .arm import Arm
from .elimination import Pencil, RightSide, pencil, right_side
from .invariants import Floats, joint_motion, line_functions, representation
from .labelling import Labelling, inverse

# An angle with a smaller imaginary part may be real but for rounding: where roots meet, rounding is large.
REAL = 1e-4


class Root(NamedTuple):
    """What an eigenvalue says of the hidden angle: its real and imaginary part, whether it is real or nearly so, and
    whether surely (nearly real are double roots that rounding parted, or none)."""

    angle: Any
    imaginary: Any
    near: Any
    sure: Any


@dataclass(frozen=True, eq=False)
class Elimination:
    """One labelling of an arm, with the zero phi of the hidden angle. ``arm`` is reduced: in units of its length, without
    base and tool.

    ``real``: an eigenvalue whose angle has an imaginary part below this is tried.
    """

    arm: Arm
    labelling: Labelling
    phi: float = 0.7
    real: float = 1e-2

    @cached_property
    def side(self) -> RightSide:
        gaps = self.labelling.gaps(self.arm.constants)
        return right_side(self.kinds, [np.full((4, 4), np.nan) if gap is None else gap for gap in gaps])

    @cached_property
    def pencil(self) -> Pencil:
        return pencil(self.arm, self.labelling, self.side, self.phi)

    @property
    def kinds(self) -> list[int]:
        """Of the joints as labelled."""
        return self.labelling.kinds(self.arm)

    @property
    def hidden(self) -> int:
        """The joint (from 0) that the eigenvalues give."""
        return self.labelling.hidden

    # --- of numbers or expressions ---

    def features(self, X: Entries) -> Entries:
        """What the pencil is a linear function of, at the poses (..., 4, 4)."""
        images = representation(self.labelling.gap_of_pose(X)) @ constants(self.pencil.vectors, X)
        return images.reshape(*X.shape[:-2], -1)

    def root(self, a: Any, b: Any) -> Root:
        """The hidden angle phi + pi + 2 atan(a + i b): (A x + B) m = 0, so B^-1 A m = -m / x, and the cotangent of half
        the angle is minus the eigenvalue."""
        above, below = (a * a + (1 + s * b) * (1 + s * b) for s in (1, -1))
        imaginary = log(maximum(above, 1e-300) / maximum(below, 1e-300)) / 2
        angle = self.phi + math.pi + atan2(2 * a, 1 - a * a - b * b)
        near = logical_and(b >= 0, imaginary <= self.real)
        sure = logical_and(near, imaginary < REAL)
        if self.pencil.infinite:  # rows without the hidden angle put roots at infinity, where none was looked for
            sure = logical_and(sure, absolute(cos((angle - self.phi) / 2)) > 1e-5)
        return Root(angle, imaginary, near, sure)

    def joints(self, X: Entries, q3: Any, m: Entries) -> Entries:
        """All six joints of the arm (..., 6) from the hidden one and the monomials (..., size) of joints 4 and 5."""
        labelling, kinds = self.labelling, self.kinds
        fixed = labelling.gaps(self.arm.constants)
        gaps = [labelling.gap_of_pose(X) if gap is None else constants(gap, X) for gap in fixed]
        q4, q5 = self._unknowns(m)
        left = _product([joint_motion(kinds[i], q) @ gaps[i] for i, q in ((2, q3), (3, q4), (4, q5))])
        q1, q2 = self._eliminated(left)
        first, second = joint_motion(kinds[0], q1), joint_motion(kinds[1], q2)
        last = inverse(_product([gaps[5], first, gaps[0], second, gaps[1], left]))  # J6
        q6 = atan2(last[..., 1, 0] - last[..., 0, 1], last[..., 0, 0] + last[..., 1, 1])
        by_label = (q1, q2, q3, q4, q5, q6)
        sign = -1 if labelling.reverse else 1
        signs = [sign * int(x) for x in self.arm.signs]
        return np.stack([signs[j] * by_label[labelling.order.index(j)] for j in range(len(signs))], axis=-1)

    def _unknowns(self, m: Entries) -> list[Any]:
        """Joints 4 and 5: v / u from all pairs of monomials that differ by v / u."""
        made = self.pencil
        weight = [math.sqrt(math.comb(made.degrees[0], a) * math.comb(made.degrees[1], b)) for a, b in made.monomials]
        plain = m[..., : len(weight)] * constants([1 / w for w in weight], m)
        at = {exponents: i for i, exponents in enumerate(made.monomials)}
        found = []
        for kind, (da, db) in zip(self.kinds[3:5], ((1, 0), (0, 1)), strict=True):
            pairs = [(at[a, b], at[a + da, b + db]) for a, b in made.monomials if (a + da, b + db) in at]
            u, v = plain[..., [low for low, _ in pairs]], plain[..., [high for _, high in pairs]]
            uu, uv, vv = dot(u, u), dot(u, v), dot(v, v)
            found.append(uv / maximum(uu, 1e-300) if kind == PRISMATIC else atan2(2 * uv, uu - vv))
        return found

    def _eliminated(self, left: Entries) -> tuple[Any, Any]:
        """Joints 1 and 2 from their monomials, which the left side's invariants give linearly."""
        f = line_functions(left[..., :3, 3], left[..., :3, 2])
        rest = f - constants(self.side.constant, f)
        terms = rest @ constants(self.side.inverse, f).T
        one = np.ones((*terms.shape[:-1], 1), dtype=int)
        table = np.concatenate([one, terms], axis=-1).reshape(*terms.shape[:-1], 3, 3)  # of joint 2 by those of joint 1
        present = np.array(self.side.present).reshape(3, 3)
        q1 = -_position(self.kinds[0], table.swapaxes(-1, -2), present.T)
        return q1, -_position(self.kinds[1], table, present)

    # --- of numbers ---

    def angles(self, X: Floats) -> tuple[Root, Entries]:
        """The roots (N, size) of poses, and their eigenvectors (N, size, size) by columns, complex."""
        made = self.pencil
        features = self.features(X)
        shape = (len(X), made.size, made.size)
        A = (features @ made.A).reshape(shape) + made.A0
        B = (features @ made.B).reshape(shape) + made.B0
        eigenvalues, vectors = _eigen(solved(B, A))
        return self.root(eigenvalues.real, eigenvalues.imag), vectors

    def starts(self, X: Floats) -> tuple[Entries, Floats, Entries]:
        """Approximate solutions of the poses (N, 4, 4): which pose each belongs to, the positions of the joints, and
        whether its root is surely real."""
        root, vectors = self.angles(X)
        pose, place = np.nonzero(root.near)
        m = vectors[pose, :, place]
        largest = np.take_along_axis(m, np.abs(m).argmax(axis=1)[:, None], axis=1)
        m = (m / np.where(largest == 0, 1.0, largest)).real
        q = self.joints(X[pose], root.angle[pose, place], m)
        finite = np.isfinite(q).all(axis=1)
        return pose[finite], q[finite], root.sure[pose, place][finite]

    def polynomial(self, X: Floats) -> Floats:
        """The coefficients, highest power first, of the polynomial in tan(q/2) of the hidden joint, for one pose."""
        root = self.angles(X[None])[0]
        angles = root.angle[0] + 1j * root.imaginary[0]
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


def _product(matrices: Sequence[Entries]) -> Entries:
    made = matrices[0]
    for matrix in matrices[1:]:
        made = made @ matrix
    return made


def _position(kind: int, table: Entries, present: np.typing.NDArray[np.bool_]) -> Any:
    """A joint from the products of its terms (1, cos, sin or 1, r, r r; along the last axis but one) with another's."""
    one, first, second = (table[..., i, :] * present[i].astype(int) for i in range(3))
    if kind != PRISMATIC:
        return atan2(dot(one, second), dot(one, first))
    return dot(one, first) / maximum(dot(one, one * present[1].astype(int)), 1e-300)


def _eigen(matrices: Floats) -> tuple[Entries, Entries]:
    """Eigenvalues and eigenvectors, complex; a matrix on which the iteration fails has none (zeros)."""
    try:
        eigenvalues, vectors = np.linalg.eig(matrices)
    except np.linalg.LinAlgError:
        if len(matrices) == 1:
            return np.zeros(matrices.shape[:2], dtype=complex), np.zeros(matrices.shape, dtype=complex)
        halves = [_eigen(half) for half in np.array_split(matrices, 2)]
        return np.concatenate([half[0] for half in halves]), np.concatenate([half[1] for half in halves])
    return eigenvalues.astype(complex), vectors.astype(complex)


def solved(A: Floats, B: Floats) -> Floats:
    """A^-1 B for a stack of matrices; zero where A is singular. What one matrix gives does not depend on the others."""
    try:
        X = np.linalg.solve(A, B)
    except np.linalg.LinAlgError:
        if len(A) == 1:
            return np.zeros(B.shape)
        half = len(A) // 2
        return np.concatenate([solved(A[:half], B[:half]), solved(A[half:], B[half:])])
    good = np.isfinite(X).all(axis=(-1, -2), keepdims=True)
    return np.where(good, X, 0.0)
