"""Manipulability, condition number, velocity and force ellipsoids of a Jacobian array (Yoshikawa 1985).

A Jacobian with rows in metres and in radians has no one size: take a half (``part``) or weigh the joints.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..arguments import judged
from ..brief import one_line
from ..reals import Floats
from .matrices import (
    RANK_TOLERANCE,
    Part,
    Whole,
    beyond,
    condition_of,
    jacobian_array,
    rank_of,
    singular,
    values_alone,
    volume,
    weight_factor,
)


@dataclass(frozen=True, repr=False)
class Ellipsoid:
    """The velocities reached with joint speeds of norm one, or the forces held with joint torques of norm one.

    Of one Jacobian (m, n), or of a batch with its axes in front. Column i of ``axes`` (m, m) is the unit direction of the
    semi-axis ``radii[i]``; both ellipsoids of a Jacobian list the axes from the fastest to the slowest. Where the rank is
    lost a radius is exactly 0 (no velocity) or inf (the structure holds any force), never a NaN.
    """

    __repr__ = one_line

    kind: Literal["velocity", "force"]
    axes: Floats
    radii: Floats
    rank: Whole
    joint_motions: Floats  # (n, n): column i moves the frame along axis i; those from ``rank`` on do not move it

    @property
    def lost(self) -> Floats:
        """The directions (columns) in which the frame cannot move, and any force is held.

        In a batch as many columns as the lowest rank leaves, zero where a Jacobian has fewer.
        """
        return beyond(self.axes, self.rank)

    @property
    def idle(self) -> Floats:
        """The joint motions (columns) that do not move the frame; in a batch as for ``lost``."""
        return beyond(self.joint_motions, self.rank)


@judged
def velocity_ellipsoid(J: Any, weights: Any = None, part: Part = "all", tolerance: float = RANK_TOLERANCE) -> Ellipsoid:
    """{J qd : qd^T W qd <= 1}. ``weights`` W is a vector (a diagonal; 1/qd_max^2 of each joint) or a matrix.

    Singular values up to ``tolerance`` times the largest are zero.
    """
    array = jacobian_array(J, part)
    size = array.shape[-1]
    # qd = L^-T y with |y| <= 1
    back = np.eye(size) if weights is None else np.linalg.inv(weight_factor("weights", weights, size).T)
    U, radii, V, rank = _axes(array @ back, tolerance)
    return Ellipsoid("velocity", U, radii, rank, _unit(back @ V))


@judged
def force_ellipsoid(J: Any, weights: Any = None, part: Part = "all", tolerance: float = RANK_TOLERANCE) -> Ellipsoid:
    """{f : tau^T W tau <= 1, tau = J^T f}: the same axes as the velocities, the inverse radii (when W is one).

    With ``part`` the other half of the wrench is zero. ``weights`` W: 1/tau_max^2 of each joint, or a matrix.
    """
    array = jacobian_array(J, part)
    factor = np.eye(array.shape[-1]) if weights is None else weight_factor("weights", weights, array.shape[-1])
    U, speeds, V, rank = _axes(array @ factor, tolerance)
    radii = np.where(speeds > 0, 1 / np.where(speeds > 0, speeds, 1), np.inf)
    return Ellipsoid("force", U, radii, rank, _unit(factor @ V))


@judged
def manipulability(J: Any, part: Part = "all") -> Floats:
    """Yoshikawa's w = sqrt(det(J J^T)), as the product of the singular values: zero at a singularity.

    With fewer joints than rows that determinant is always zero: then w = sqrt(det(J^T J)), the volume of what the joints
    reach. Choose the rows of the task (J[:2] of a planar arm) to ask about fewer directions.
    """
    return volume(singular_values(J, part))


@judged
def condition(J: Any, part: Part = "all", tolerance: float = RANK_TOLERANCE) -> Floats:
    """The largest singular value over the smallest, from 1 (all directions alike) to inf (rank lost).

    Of the min(m, n) singular values; inf as soon as the smallest is at most ``tolerance`` times the largest.
    """
    s = singular_values(J, part)
    return condition_of(s, rank_of(s, tolerance))


@judged
def singular_values(J: Any, part: Part = "all") -> Floats:
    """The min(m, n) singular values, from the largest down."""
    return values_alone(jacobian_array(J, part))


def _axes(A: Floats, tolerance: float) -> tuple[Floats, Floats, Floats, Whole]:
    """Axes, semi-axes (m of them, zero beyond the rank), joint motions and rank."""
    m = A.shape[-2]
    U, s, V, rank = singular(A, tolerance)
    # A singular vector has two directions: the one whose largest component is positive is taken, here and everywhere.
    leading = np.take_along_axis(U, np.argmax(np.abs(U), axis=-2, keepdims=True), axis=-2)
    signs = np.where(leading < 0, -1.0, 1.0)
    U, V = U * signs, V.copy()
    V[..., : s.shape[-1]] *= signs[..., : s.shape[-1]]
    padded = np.zeros((*s.shape[:-1], m))
    padded[..., : s.shape[-1]] = s
    return U, np.where(np.arange(m) < rank[..., None], padded, 0.0), V, rank


def _unit(columns: Floats) -> Floats:
    """Columns of length one (a weighted basis is not orthonormal, but none of its columns is zero)."""
    lengths: Floats = np.sqrt((columns**2).sum(axis=-2, keepdims=True))
    return columns / lengths
