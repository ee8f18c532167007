"""Positions, velocities, accelerations and torques of the joints, from one piece of a recording.

Differences are taken before the filter: the two commute, and so rounding is not multiplied by the square of the rate.
"""

from __future__ import annotations

import numpy as np

from .base_motion import base_motion
from .inspection import Survey
from .joint_side import JointSide
from .notes import Notes
from .recipe import Processing, Recipe
from .samples import Samples
from .signals import (
    Array,
    Mask,
    central_differences,
    continued,
    forward_backward,
    forward_differences,
    near,
    shifted,
    zero_phase,
)
from .windows import Plan, Window


def motion_of(window: Window, recipe: Recipe, side: JointSide, found: Survey, delay: Array, notes: Notes) -> Samples:
    """The samples of one piece; what of it does not count is noted."""
    plan, step, core = window.plan, found.step, window.core
    at = side(window.rows)
    if len(window.rows) < 3:
        core = slice(0, 0)
        q, qd, qdd = at.q, np.zeros_like(at.tau), np.zeros_like(at.tau)
    elif recipe.processing.padding is not None or recipe.processing.differences == "forward":
        q, qd, qdd = _filtered_first(recipe.processing, plan, at.q, step)
    else:
        q, qd, qdd = _derived(window, at.q, at.qd, at.qdd, step, side.base)
    tau = at.tau.copy()
    for k, seconds in enumerate(delay):
        if seconds:
            column = side.base + k
            tau[:, column] = shifted(at.tau[:, column], float(seconds) / step)
    for joint in recipe.processing.no_acceleration:
        qdd[:, side.base + joint - 1] = 0.0
    made_up = near(window.bad, plan.reach)[core]
    at_limit = at.saturated[core]
    time = found.start + step * (window.first + np.arange(core.start, core.stop))
    _count(notes, window, made_up, at_limit)
    return Samples(time, q[core], qd[core], qdd[core], tau[core], ~(made_up[:, None] | at_limit))


def _count(notes: Notes, window: Window, made_up: Mask, at_limit: Mask) -> None:
    notes.leave_out("near a gap in time", int(made_up.sum()))
    notes.leave_out("torque at its limit (rows of one joint)", int(at_limit.sum()))
    if window.is_last:
        notes.leave_out("trimmed at the ends", 2 * window.plan.trim)


def _derived(
    window: Window, q: Array, qd: Array | None, qdd: Array | None, step: float, base: int
) -> tuple[Array, Array, Array]:
    """Filtered positions, velocities and accelerations; differences first, where these are not measured."""
    extra = min(window.plan.margin, len(window.rows) - 1) if window.plan.sections is not None else 0
    ends = (extra if window.is_first else 0, extra if window.is_last else 0)
    inside = slice(ends[0], ends[0] + len(q))

    def smooth(signal: Array) -> Array:
        sections = window.plan.sections
        return (signal if sections is None else forward_backward(signal, sections))[inside]

    longer = continued(q, *ends)
    if qd is not None:
        speeds = continued(qd, *ends)
        rates = central_differences(speeds, step) if qdd is None else continued(qdd, *ends)
        places = smooth(longer)
        if base:
            places[:, 3:7] /= np.linalg.norm(places[:, 3:7], axis=1, keepdims=True)
        return places, smooth(speeds), smooth(rates)
    first = central_differences(longer, step)
    second = central_differences(first, step)
    places, speeds, rates = smooth(longer), smooth(first), smooth(second)
    if not base:
        return places, speeds, rates
    pose, twist, change = base_motion(places[:, :7], speeds[:, :7], rates[:, :7])
    return (
        np.concatenate((pose, places[:, 7:]), axis=1),
        np.concatenate((twist, speeds[:, 7:]), axis=1),
        np.concatenate((change, rates[:, 7:]), axis=1),
    )


def _filtered_first(processing: Processing, plan: Plan, q: Array, step: float) -> tuple[Array, Array, Array]:
    """As others have published it: the filter with a short continuation, then differences, in one piece."""
    places = q if plan.sections is None else zero_phase(q, plan.sections, processing.padding)
    inside = slice(plan.trim, len(places) - plan.trim)
    differences = forward_differences if processing.differences == "forward" else central_differences
    speeds, rates = np.zeros_like(places), np.zeros_like(places)
    speeds[inside] = differences(places[inside], step)
    rates[inside] = np.gradient(speeds[inside], step, axis=0)
    return places, speeds, rates
