"""Inverses of a Jacobian at run time: qd for a desired twist, near singularities and with joints to spare.

All take one matrix (m, n) or a batch (..., m, n), and rest on the singular value decomposition J = U diag(s) V^T.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..errors import RobosymError
from ..options.validate import validated
from ..reals import Floats, real_array
from .matrices import RANK_TOLERANCE, Tolerance, Whole, beyond, jacobian_array, singular, weight_factor


class PseudoInverse(NamedTuple):
    """Pseudo-inverse of a Jacobian, with its rank.

    Attributes
    ----------
    matrix
        Pseudo-inverse (n, m).
    rank
        Rank with which it was computed.
    """

    matrix: Floats
    rank: Whole


class NullSpace(NamedTuple):
    """Joint motions that leave the frame at rest.

    Attributes
    ----------
    basis
        Orthonormal columns (n, k), k = n - rank. In a batch k is the largest, and matrices of higher rank have zero
        columns.
    projector
        Projector onto the null space (n, n), basis @ basis^T.
    rank
        Rank of the Jacobian.
    """

    basis: Floats
    projector: Floats
    rank: Whole


@validated
def pseudo_inverse(J: Any, tolerance: Tolerance = RANK_TOLERANCE) -> PseudoInverse:
    """Moore-Penrose inverse of a Jacobian.

    It gives the shortest joint velocity among those nearest to the desired twist. It jumps where the rank changes,
    unlike the damped inverse.

    Parameters
    ----------
    J
        Jacobian matrix (m, n), or a batch of them (..., m, n).
    tolerance
        Ratio to the largest singular value up to which a singular value counts as zero. Such singular values are not
        inverted.

    Returns
    -------
    PseudoInverse
        The matrix V diag(1/s) U^T, and its rank.
    """
    array = jacobian_array(J)
    U, s, V, rank = singular(array, tolerance)
    k = s.shape[-1]
    used = np.arange(k) < rank[..., None]
    inverted = np.where(used, 1 / np.where(used, s, 1), 0)
    return PseudoInverse((V[..., :k] * inverted[..., None, :]) @ np.swapaxes(U[..., :k], -1, -2), rank)


@validated
def damped_inverse(
    J: Any,
    damping: Any,
    joint_weights: Any = None,
    task_weights: Any = None,
    tolerance: Tolerance = RANK_TOLERANCE,
) -> Floats:
    """Damped least-squares inverse of a Jacobian.

    Parameters
    ----------
    J
        Jacobian matrix (m, n), or a batch of them (..., m, n).
    damping
        Damping factor: one number, or one for each matrix of the batch. With 0 the result is the weighted
        pseudo-inverse.
    joint_weights
        Weights W of the joint velocities: positive numbers, or a symmetric positive definite matrix. None: one for
        every joint.
    task_weights
        Weights T of the twist: positive numbers, or a symmetric positive definite matrix. None: one for every
        component.
    tolerance
        Ratio to the largest singular value up to which a singular value counts as zero. It matters without damping:
        such singular values are not inverted.

    Returns
    -------
    ndarray
        Matrix X (n, m) with qd = X v.

    Notes
    -----
    Wampler (1986); Nakamura and Hanafusa (1986): qd = X v minimises ``(J qd - v)^T T (J qd - v) + damping^2 qd^T W
    qd``, with ``X = (J^T T J + damping^2 W)^-1 J^T T``.
    """
    array = jacobian_array(J)
    m, n = array.shape[-2:]
    damp = real_array("damping", damping)
    if not (np.isfinite(damp).all() and (damp >= 0).all()):
        raise RobosymError(f"damping: expected a finite number, zero or above, got {damp.tolist()!r:.200}")
    if damp.shape not in ((), array.shape[:-2]):
        raise RobosymError(f"damping: has shape {damp.shape}, expected one number or shape {array.shape[:-2]}")
    # In y = Lw^T qd and Lt^T v the weights are gone: A = Lt^T J Lw^-T.
    Lw = np.eye(n) if joint_weights is None else weight_factor("joint_weights", joint_weights, n)
    Lt = np.eye(m) if task_weights is None else weight_factor("task_weights", task_weights, m)
    back = np.linalg.inv(Lw.T)
    U, s, V, rank = singular(Lt.T @ array @ back, tolerance)
    k = s.shape[-1]
    square = damp[..., None] ** 2
    used = (np.arange(k) < rank[..., None]) | (square > 0)
    gains = np.where(used, s, 0) / np.where(used, s**2 + square, 1)
    inverse: Floats = back @ ((V[..., :k] * gains[..., None, :]) @ np.swapaxes(U[..., :k], -1, -2)) @ Lt.T
    return inverse


@validated
def null_space(J: Any, tolerance: Tolerance = RANK_TOLERANCE) -> NullSpace:
    """Null space of a Jacobian: joint motions with J qd = 0.

    Parameters
    ----------
    J
        Jacobian matrix (m, n), or a batch of them (..., m, n).
    tolerance
        Ratio to the largest singular value up to which a singular value counts as zero.

    Returns
    -------
    NullSpace
        Basis and projector.
    """
    _, _, V, rank = singular(jacobian_array(J), tolerance)
    basis = beyond(V, rank)
    return NullSpace(basis, basis @ np.swapaxes(basis, -1, -2), rank)
