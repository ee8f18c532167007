"""Manipulability, condition number, velocity and force ellipsoids of a Jacobian array (Yoshikawa 1985).

A Jacobian with rows in metres and in radians has no one size: take a half (``part``) or weigh the joints.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..brief import one_line
from ..options.validate import validated
from ..reals import Floats
from .matrices import (
    RANK_TOLERANCE,
    Part,
    Tolerance,
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
    """Velocity or force ellipsoid of a Jacobian, or of a batch of Jacobians.

    It holds the velocities reached with joint velocities of norm one, or the forces held with joint torques of norm
    one. A batch has its axes in front. Both ellipsoids of a Jacobian list their axes from the fastest to the slowest.

    Attributes
    ----------
    kind
        Quantity: "velocity" or "force".
    axes
        Unit directions of the semi-axes, by columns (m, m).
    radii
        Lengths of the semi-axes. Where the rank is lost a radius is exactly 0 (no velocity) or inf (the structure
        holds any force), never nan.
    rank
        Rank of the Jacobian.
    joint_motions
        Joint motions (n, n): column i moves the frame along axis i; columns from the rank on do not move it.
    """

    __repr__ = one_line

    kind: Literal["velocity", "force"]
    axes: Floats
    radii: Floats
    rank: Whole
    joint_motions: Floats  # (n, n): column i moves the frame along axis i; those from ``rank`` on do not move it

    @property
    def lost(self) -> Floats:
        """Directions (columns) in which the frame cannot move, and any force is held.

        In a batch there are as many columns as the lowest rank leaves, zero where a Jacobian has fewer.
        """
        return beyond(self.axes, self.rank)

    @property
    def idle(self) -> Floats:
        """Joint motions (columns) that do not move the frame.

        In a batch there are as many columns as the lowest rank leaves, zero where a Jacobian has fewer.
        """
        return beyond(self.joint_motions, self.rank)


@validated
def velocity_ellipsoid(
    J: Any, weights: Any = None, part: Part = "all", tolerance: Tolerance = RANK_TOLERANCE
) -> Ellipsoid:
    """Velocity ellipsoid of a Jacobian: velocities for joint velocities of norm one.

    The ellipsoid is ``{J qd : qd^T W qd <= 1}``.

    Parameters
    ----------
    J
        Jacobian matrix (m, n), or a batch of them (..., m, n).
    weights
        Weights W of the joint velocities: one number per joint, such as 1/qd_max^2, or a matrix. None: one for every
        joint.
    part
        Part of the motion: "linear", "angular", or "all" (metres and radians mixed). A part requires a Jacobian of
        six rows, linear first.
    tolerance
        Ratio to the largest singular value up to which a singular value counts as zero.

    Returns
    -------
    Ellipsoid
        Axes and semi-axes of the ellipsoid.
    """
    array = jacobian_array(J, part)
    size = array.shape[-1]
    # qd = L^-T y with |y| <= 1
    back = np.eye(size) if weights is None else np.linalg.inv(weight_factor("weights", weights, size).T)
    U, radii, V, rank = _axes(array @ back, tolerance)
    return Ellipsoid("velocity", U, radii, rank, _unit(back @ V))


@validated
def force_ellipsoid(
    J: Any, weights: Any = None, part: Part = "all", tolerance: Tolerance = RANK_TOLERANCE
) -> Ellipsoid:
    """Force ellipsoid of a Jacobian: forces held with joint torques of norm one.

    The ellipsoid is ``{f : tau^T W tau <= 1, tau = J^T f}``. Without weights it has the axes of the velocity
    ellipsoid and the inverse radii. With a part, the other half of the wrench is zero.

    Parameters
    ----------
    J
        Jacobian matrix (m, n), or a batch of them (..., m, n).
    weights
        Weights W of the joint torques: one number per joint, such as 1/tau_max^2, or a matrix. None: one for every
        joint.
    part
        Part of the motion: "linear", "angular", or "all" (metres and radians mixed). A part requires a Jacobian of
        six rows, linear first.
    tolerance
        Ratio to the largest singular value up to which a singular value counts as zero.

    Returns
    -------
    Ellipsoid
        Axes and semi-axes of the ellipsoid.
    """
    array = jacobian_array(J, part)
    factor = np.eye(array.shape[-1]) if weights is None else weight_factor("weights", weights, array.shape[-1])
    U, speeds, V, rank = _axes(array @ factor, tolerance)
    radii = np.where(speeds > 0, 1 / np.where(speeds > 0, speeds, 1), np.inf)
    return Ellipsoid("force", U, radii, rank, _unit(factor @ V))


@validated
def manipulability(J: Any, part: Part = "all") -> Floats:
    """Manipulability of Yoshikawa: w = sqrt(det(J J^T)), zero at a singularity.

    It is computed as the product of the singular values. With fewer joints than rows that determinant is always zero.
    The result is then sqrt(det(J^T J)), the volume of what the joints reach. Choose the rows of the task, such as
    J[:2] for a planar arm, to look at fewer directions.

    Parameters
    ----------
    J
        Jacobian matrix (m, n), or a batch of them (..., m, n).
    part
        Part of the motion: "linear", "angular", or "all" (metres and radians mixed). A part requires a Jacobian of
        six rows, linear first.

    Returns
    -------
    ndarray
        One number for each Jacobian.
    """
    return volume(singular_values(J, part))


@validated
def condition(J: Any, part: Part = "all", tolerance: Tolerance = RANK_TOLERANCE) -> Floats:
    """Condition number of a Jacobian: largest singular value over the smallest.

    Parameters
    ----------
    J
        Jacobian matrix (m, n), or a batch of them (..., m, n).
    part
        Part of the motion: "linear", "angular", or "all" (metres and radians mixed). A part requires a Jacobian of
        six rows, linear first.
    tolerance
        Ratio to the largest singular value up to which a singular value counts as zero. The condition number is then
        infinite.

    Returns
    -------
    ndarray
        From 1 (all directions alike) to inf (rank lost), of the min(m, n) singular values.
    """
    s = singular_values(J, part)
    return condition_of(s, rank_of(s, tolerance))


@validated
def singular_values(J: Any, part: Part = "all") -> Floats:
    """Singular values of a Jacobian, the largest first.

    Parameters
    ----------
    J
        Jacobian matrix (m, n), or a batch of them (..., m, n).
    part
        Part of the motion: "linear", "angular", or "all" (metres and radians mixed). A part requires a Jacobian of
        six rows, linear first.

    Returns
    -------
    ndarray
        The min(m, n) singular values.
    """
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
