"""Inverses of a Jacobian at run time: qd for a desired twist, near singularities and with joints to spare.

All take one matrix (m, n) or a batch (..., m, n), and rest on the singular value decomposition J = U diag(s) V^T.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..arguments import judged
from ..errors import RobosymError
from ..reals import Floats, real_array
from .matrices import RANK_TOLERANCE, Whole, beyond, jacobian_array, singular, weight_factor


class PseudoInverse(NamedTuple):
    """``matrix`` (n, m), and the ``rank`` it was found with."""

    matrix: Floats
    rank: Whole


class NullSpace(NamedTuple):
    """The joint motions that leave the frame at rest.

    ``basis`` (n, k) has orthonormal columns, k = n - rank. In a batch of different ranks k is the largest, and matrices
    of higher rank have zero columns. ``projector`` = basis @ basis^T (n, n) takes any qd to its part in the null space.
    """

    basis: Floats
    projector: Floats
    rank: Whole


@judged
def pseudo_inverse(J: Any, tolerance: float = RANK_TOLERANCE) -> PseudoInverse:
    """The Moore-Penrose inverse V diag(1/s) U^T: the shortest qd among those nearest to the desired twist.

    Singular values up to ``tolerance`` times the largest are taken as zero, not inverted. It jumps where the rank
    changes; ``damped_inverse`` does not.
    """
    array = jacobian_array(J)
    U, s, V, rank = singular(array, tolerance)
    k = s.shape[-1]
    used = np.arange(k) < rank[..., None]
    inverted = np.where(used, 1 / np.where(used, s, 1), 0)
    return PseudoInverse((V[..., :k] * inverted[..., None, :]) @ np.swapaxes(U[..., :k], -1, -2), rank)


@judged
def damped_inverse(
    J: Any,
    damping: Any,
    joint_weights: Any = None,
    task_weights: Any = None,
    tolerance: float = RANK_TOLERANCE,
) -> Floats:
    """The damped least-squares inverse (Wampler 1986; Nakamura and Hanafusa 1986): qd = X v minimises

        (J qd - v)^T T (J qd - v) + damping^2 qd^T W qd,   X = (J^T T J + damping^2 W)^-1 J^T T

    ``joint_weights`` W and ``task_weights`` T: a vector of positive numbers (a diagonal) or a symmetric positive definite
    matrix; by default one. ``damping`` is a number or one for each matrix of the batch; with damping 0 this is the
    weighted pseudo-inverse, and ``tolerance`` says which singular values it leaves out.
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


@judged
def null_space(J: Any, tolerance: float = RANK_TOLERANCE) -> NullSpace:
    """The joint motions with J qd = 0, up to singular values of ``tolerance`` times the largest."""
    _, _, V, rank = singular(jacobian_array(J), tolerance)
    basis = beyond(V, rank)
    return NullSpace(basis, basis @ np.swapaxes(basis, -1, -2), rank)
