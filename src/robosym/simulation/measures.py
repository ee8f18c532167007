"""What a motion is judged by: errors, torques, settling, overshoot, work. On plain arrays of time, for one run or many at once.

Arrays are (..., N, n): runs, instants, joints. A number that is not one stays so: whatever was lost is not judged by its beginning.
"""

from __future__ import annotations

import numpy as np

from ..reals import Floats

AT_LIMIT = 1 - 1e-9  # a torque is at its limit from this share of it on: rounding does not take it off


def largest(values: Floats) -> Floats:
    """The largest magnitude of each joint, (..., n)."""
    found: Floats = np.abs(values).max(axis=-2)
    return found


def rms(values: Floats) -> Floats:
    """The root of the mean square of each joint over the instants, (..., n). Scaled, so that squares neither vanish nor overflow."""
    scale = largest(values)
    safe = np.where(scale > 0, scale, 1.0)
    found: Floats = scale * np.sqrt(np.mean((values / safe[..., None, :]) ** 2, axis=-2))
    return found


def integral(time: Floats, values: Floats) -> Floats:
    """Over time by trapezoids, (..., n); zero of a single instant."""
    steps = np.diff(time, axis=-1)[..., None]
    found: Floats = (steps * (values[..., 1:, :] + values[..., :-1, :]) / 2).sum(axis=-2)
    return found


def share_at_limit(values: Floats, limits: Floats) -> Floats:
    """The share of the instants at which each joint is at its limit, (..., n)."""
    reached = np.abs(values) >= AT_LIMIT * limits[..., None, :]
    found: Floats = np.where(np.isnan(values).any(axis=-2), np.nan, reached.mean(axis=-2))
    return found


def travel(q: Floats, target: Floats) -> Floats:
    """From where each joint was to where it should end, signed, (..., n)."""
    found: Floats = target[..., -1, :] - q[..., 0, :]
    return found


def settling_time(time: Floats, error: Floats, band: Floats) -> Floats:
    """How long after the start each error stays within its band (..., n) until the end; inf if it is outside at the end."""
    inside = np.abs(error) <= band[..., None, :]
    stays = np.logical_and.accumulate(inside[..., ::-1, :], axis=-2)[..., ::-1, :]
    first = stays.argmax(axis=-2)  # of none, the first: told apart below
    since = np.take_along_axis(np.broadcast_to(time[..., None], error.shape), first[..., None, :], axis=-2)[..., 0, :]
    found: Floats = np.where(stays[..., -1, :], since - time[..., :1], np.inf)
    found[np.isnan(error).any(axis=-2)] = np.nan
    return found


def overshoot(q: Floats, target: Floats) -> Floats:
    """How far each joint went beyond where it should end, as a share of its travel, (..., n); nan of a joint that travels nowhere."""
    way = travel(q, target)
    beyond = ((q - target[..., -1:, :]) * np.sign(way)[..., None, :]).max(axis=-2)
    found: Floats = np.maximum(beyond, 0.0) / np.where(way == 0, np.nan, np.abs(way))
    return found
