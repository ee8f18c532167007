"""Random walks along closed positions: from one position, by short steps along the motions that the closures leave.

All positions that a walk meets belong to one assembly mode: a walk stays where it is if it would come near a singular
position, where modes meet, or pass one, or if what can move would turn at once. Where some joints follow from the others, a
singular position is one at which they do not; beyond it the same motion moves the others the other way.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...reals import Floats
from ...spatial.ranks import null_space, rank, singular_value
from .newton import CLOSED, Equations, Truths, moved, newton

STEP = 0.15  # the longest of a joint, in radians or parts of the size
FIRM = 0.1  # the least regularity of a position, beside that of the start
GOES_ON = 0.7  # the least cosine between motions before and after a step
RANK = 1e-7  # a singular value of the closures that is zero


def walks(
    equations: Equations,
    start: Floats,
    count: int,
    steps: int,
    rng: np.random.Generator,
    follow: Sequence[int] = (),
) -> tuple[Floats, Truths]:
    """The states (steps, count, n) after every step from one closed state, and which walks have gone on there. ``follow``: the
    columns of the slopes for the joints that follow from the others; if there are none, positions are singular where the closures
    depend on each other."""
    J = equations(start[None])[1]
    full, n = rank(J[0], RANK), J.shape[2]
    columns = list(follow) or list(range(n))
    leading = [k for k in range(n) if k not in columns]
    held = rank(J[0][:, columns], RANK)
    firm = FIRM * singular_value(J[:, :, columns], held)[0]
    x, free = np.repeat(start[None], count, axis=0), np.repeat(null_space(J[0], RANK)[None], count, axis=0)
    visited, went = np.empty((steps, *x.shape)), np.zeros((steps, count), bool)
    for k in range(steps):
        step = np.einsum("bij,bj->bi", free, rng.uniform(-1, 1, (count, free.shape[2])))
        step *= STEP / np.abs(step).max(axis=1, initial=1e-300, keepdims=True)
        after, residual = newton(equations, moved(x, step))
        slopes = equations(after)[1]
        values, rows = np.linalg.svd(slopes)[1:]
        motions = np.swapaxes(rows[:, full:], 1, 2)
        turned = np.swapaxes(free, 1, 2) @ motions
        cosines = np.linalg.svd(turned, compute_uv=False)[:, -1]
        loose = values[:, full] if values.shape[1] > full else np.zeros(count)
        went[k] = (residual < CLOSED) & (singular_value(slopes[:, :, columns], held) > firm)
        went[k] &= (loose < RANK) & (cosines > GOES_ON)
        if len(leading) == free.shape[2]:
            went[k] &= (
                np.prod([np.linalg.det(part) for part in (free[:, leading], turned, motions[:, leading])], axis=0) > 0
            )
        x, free = np.where(went[k, :, None], after, x), np.where(went[k, :, None, None], motions, free)
        visited[k] = x
    return visited, went
