"""The fourteen functions of a line that a rigid motion transforms linearly (Raghavan and Roth 1993, section 3).

A directed line with a marked point p and unit direction l gives f = (p, l, p.p, p.l, p x l, (p.p) l - 2 (p.l) p, 1).
Moving the line by a rigid motion g multiplies these fifteen numbers by a matrix rho(g): so the closure equations of a
chain, all fourteen of them, are products of constant matrices and of matrices quadratic in one joint each, and nothing
is ever expanded by hand.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....robot import PRISMATIC
from ....spatial.floats import skew
from ..special_poses.scalars import Entries, cos, cross, dot, kind_of, sin

Floats = NDArray[np.float64]

P, L, PP, PL, PXL, W, ONE = slice(0, 3), slice(3, 6), 6, 7, slice(8, 11), slice(11, 14), 14
SIZE = 15
# The line of a joint: through the origin, along z.
AXIS: Floats = np.eye(SIZE)[5] + np.eye(SIZE)[ONE]
# The rows that turn with a rotation about z, (x, y) pair by pair.
TURNING_X = np.array([0, 3, 8, 11])
TURNING_Y = TURNING_X + 1


def representation(motion: Entries) -> Entries:
    """rho of rigid motions (..., 4, 4): f of the moved line is rho f of the line; (..., 15, 15).

    p' = R p + t and what follows from it: with p, l, p.l and so on those of the line turned by R,
    (p.p)' = p.p + 2 t.p + t.t, (p.l)' = p.l + t.l, (p x l)' = p x l + t x l,
    w' = w - 2 t x (p x l) + (t.t) l - 2 (t.l) t - 2 (p.l) t.
    """
    R, t = motion[..., :3, :3], motion[..., :3, 3]
    tt = np.asarray(dot(t, t))
    tR = (t[..., None, :] @ R)[..., 0, :]
    tx = skew(t) @ R
    rho = np.zeros((*t.shape[:-1], SIZE, SIZE), dtype=kind_of(motion))
    for block in (P, L, PXL, W):
        rho[..., block, block] = R
    for i in (PP, PL, ONE):
        rho[..., i, i] = 1
    rho[..., P, ONE], rho[..., PP, ONE] = t, tt
    rho[..., PP, P], rho[..., PL, L] = 2 * tR, tR
    rho[..., PXL, L], rho[..., W, PXL] = tx, -2 * tx
    rho[..., W, L] = tt[..., None, None] * R - 2 * t[..., :, None] * tR[..., None, :]
    rho[..., W, PL] = -2 * t
    return rho


def line_functions(p: Entries, l: Entries) -> Entries:
    """The fifteen numbers of lines, (..., 15)."""
    pp, pl = (np.asarray(dot(p, x))[..., None] for x in (p, l))
    one = np.ones(pp.shape, dtype=int)
    return np.concatenate([p, l, pp, pl, cross(p, l), pp * l - 2 * pl * p, one], axis=-1)


def joint_motion(kind: int, q: Any) -> Entries:
    """The motion of a joint about or along z, for any array of positions."""
    position = np.asarray(q)
    motion = np.zeros((*position.shape, 4, 4), dtype=kind_of(position))
    for i in range(4):
        motion[..., i, i] = 1
    if kind == PRISMATIC:
        motion[..., 2, 3] = position
        return motion
    c, s = cos(position), sin(position)
    motion[..., 0, 0], motion[..., 0, 1], motion[..., 1, 0], motion[..., 1, 1] = c, -s, s, c
    return motion


def joint_forms(kind: int) -> Floats:
    """rho of a joint as a quadratic form: coefficients (3, 15, 15) of u u, sqrt(2) u v and v v.

    (u, v) is (cos, sin) of half the angle of a revolute joint, (1, r) of a prismatic one.
    """
    if kind == PRISMATIC:
        low, middle, high = (representation(joint_motion(kind, r)) for r in (-1.0, 0.0, 1.0))
        forms = [middle, (high - low) / 2 / math.sqrt(2), (high + low) / 2 - middle]
    else:
        zero, quarter, half = (representation(joint_motion(kind, a)) for a in (0.0, math.pi / 2, math.pi))
        forms = [zero, (2 * quarter - zero - half) / math.sqrt(2), half]
    return np.stack(forms)


def joint_terms(kind: int) -> Floats:
    """rho of a joint with its constant term apart: coefficients (3, 15, 15) of 1, cos, sin, or of 1, r, r r."""
    uu, uv, vv = joint_forms(kind)
    if kind == PRISMATIC:
        return np.stack([uu, uv * math.sqrt(2), vv])
    return np.stack([(uu + vv) / 2, (uu - vv) / 2, uv / math.sqrt(2)])
