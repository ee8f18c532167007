"""Newton's iteration for equations of joint positions, and of the pose of a platform, from many starts at once.

A state is a row of joint positions; with a platform, its rotation by rows and its position stand before them. A step is then
(dp, w, dx) with R <- exp(w) R. Lengths are over the size of the robot.

Far from a solution a step is damped by the square of the residual (Yamashita and Fukushima 2001), so that redundant rows and
singular positions do no harm, and by more where steps overshoot
(Marquardt 1963). Near one it is the shortest without damping, along directions that lengths written with few
digits do not decide: quadratic, and exact to the last digits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...reals import Floats
from ...spatial.floats import rotations

STEPS, LONGEST = 60, 0.7  # of one start; of a step: radians, or parts of the size
CLOSED = 1e-11  # a residual that is rounding
INEXACT = 1e-6  # a residual that lengths written with few digits leave, where there are more equations than joints
EXACT = 4e-16  # where the iteration ends
DAMPING = 1e-14  # the least
HARDER, GAIN = (
    4.0,
    0.25,
)  # times as much damping after a step that led nearer by less than this part of what was expected
STUCK, OPEN = 1e-5, 3e-4  # steps so short at residuals so large lead nowhere
POSE = 12  # numbers of a rotation and a position in a state

Truths = NDArray[np.bool_]
# State (N, n) or (N, 12 + n) to residuals (N, m) and their slopes (N, m, n) or (N, m, 6 + n).
Equations = Callable[[Floats], tuple[Floats, Floats]]


class Reached(NamedTuple):
    """The states with the smallest residuals that were met from each start, and the norms of these residuals."""

    x: Floats
    residual: Floats

    def closed(self, tolerance: float = CLOSED) -> Floats:
        return self.x[self.residual < tolerance]


def newton(
    equations: Equations, starts: Floats, free: Sequence[int] | slice = slice(None), steps: int = STEPS
) -> Reached:
    """From each start, by the columns ``free`` of the slopes alone."""
    x = np.array(starts, float)
    best, least = x.copy(), np.full(len(x), np.inf)
    factor, expected = np.ones(len(x)), np.full(len(x), np.inf)  # of the damping; squared residuals after the last step
    going = np.arange(len(x))
    last = least[going]
    for k in range(steps + 1):
        e, J = equations(x[going])
        square = np.einsum("bi,bi->b", e, e)
        before = least[going]
        better = square < before
        best[going[better]], least[going[better]] = x[going[better]], square[better]
        overshot = square > (1 - GAIN) * last + GAIN * expected[going]
        factor[going] = np.where(overshot, factor[going] * HARDER, np.maximum(factor[going] / HARDER, 1.0))
        step = np.zeros((len(going), J.shape[2]))
        step[:, free] = _step(e, J[:, :, free], square, factor[going])
        expected[going] = ((e + np.einsum("bij,bj->bi", J, step)) ** 2).sum(axis=1)
        stays = (before < INEXACT**2) & (square > before / 2)  # close to a solution, and no closer than before
        stuck = (np.abs(step).max(axis=1, initial=0.0) < STUCK) & (square > OPEN**2)
        on = (square > EXACT**2) & ~stays & ~stuck
        going, last = going[on], square[on]
        if not len(going) or k == steps:
            break
        x[going] = moved(x[going], step[on])
    return Reached(best, np.sqrt(least))


def largest_residuals(equations: Equations, x: Floats) -> Floats:
    """The largest residual of each state."""
    return np.abs(equations(x)[0]).max(axis=1, initial=0.0) if len(x) else np.zeros(0)


def _step(e: Floats, J: Floats, square: Floats, factor: Floats) -> Floats:
    """Damped where the residual is large, else the shortest one."""
    step = np.empty((len(e), J.shape[2]))
    near = square < INEXACT**2
    if near.any():
        small = np.where(square[near] > CLOSED**2, 1e-6, 1e-9)
        step[near] = -np.einsum("bij,bj->bi", np.linalg.pinv(J[near], rcond=small), e[near])
    far = ~near
    if far.any():
        e, J = e[far], J[far]
        A = np.swapaxes(J, 1, 2) @ J
        A += (np.minimum(square[far], 1.0) * factor[far] + DAMPING)[:, None, None] * np.eye(J.shape[2])
        step[far] = -np.linalg.solve(A, np.einsum("bij,bi->bj", J, e)[:, :, None])[:, :, 0]
    longest = np.abs(step).max(axis=1, initial=1e-300)
    return np.asarray(step * np.minimum(1.0, LONGEST / longest)[:, None])


def moved(x: Floats, step: Floats) -> Floats:
    """The states after steps; a state with a pose has six numbers more than its step."""
    if x.shape[1] == step.shape[1]:
        return x + step
    y = np.array(x)
    y[:, :9] = (rotations(step[:, 3:6]) @ x[:, :9].reshape(-1, 3, 3)).reshape(-1, 9)
    y[:, 9:] += np.delete(step, [3, 4, 5], axis=1)
    return y
