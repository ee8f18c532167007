"""One sample in so many, of signals that all go through the same unity-gain filter, and the rows that count."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .notes import Notes
from .recipe import Recipe
from .samples import Samples, joined
from .signals import Array, Decimator, Mask, decimate_chebyshev, low_pass, slow


def decimated(parts: Iterator[Samples], recipe: Recipe, step: float, notes: Notes) -> Iterator[Samples]:
    """q, qd, qdd and tau of samples ``step`` apart."""
    processing = recipe.processing
    if processing.decimation_filter == "chebyshev":
        pieces = [part for part in parts if len(part)]
        if pieces:
            yield _by_chebyshev(joined(pieces), recipe, notes)
        return
    factor = processing.factor
    signals, marks = Decimator(factor), Decimator(factor, neighbourhood(factor))
    start: float | None = None
    done = 0
    for part in parts:
        if not len(part):
            continue
        start = float(part.time[0]) if start is None else start
        rows = signals.push(np.concatenate((part.q, part.qd, part.qdd, part.tau), axis=1))
        bad = marks.push((~part.keep).astype(float)) > 0
        yield without_slow(_split(rows, bad, _times(start, step * factor, done, len(rows)), recipe), recipe, notes)
        done += len(rows)
    if start is not None:
        rows, bad = signals.finish(), marks.finish() > 0
        yield without_slow(_split(rows, bad, _times(start, step * factor, done, len(rows)), recipe), recipe, notes)


def neighbourhood(factor: int) -> Array:
    """Weights that find a bad row within one sample of the low rate, as long as those of the low-pass."""
    weights = np.zeros_like(low_pass(factor))
    middle = len(weights) // 2
    weights[max(0, middle - factor) : middle + factor + 1] = 1.0
    return weights


def without_slow(part: Samples, recipe: Recipe, notes: Notes) -> Samples:
    """The same samples; where a joint is slower than its limit its row does not count."""
    least = recipe.processing.low_speed
    if least is None:
        return part
    n = len(recipe.robot.moving)
    keep = part.keep.copy()
    too_slow = slow(part.qd[:, -n:], np.broadcast_to(least, n))
    notes.leave_out("joint too slow (rows of one joint)", int((too_slow & keep[:, -n:]).sum()))
    keep[:, -n:] &= ~too_slow
    return Samples(part.time, part.q, part.qd, part.qdd, part.tau, keep)


def _times(start: float, step: float, done: int, count: int) -> Array:
    return np.asarray(start + step * np.arange(done, done + count), dtype=float)


def _split(rows: Array, bad: Mask, time: Array, recipe: Recipe) -> Samples:
    nq, nv = recipe.robot.nq, recipe.robot.nv
    q, qd, qdd, tau = np.split(rows, [nq, nq + nv, nq + 2 * nv], axis=1)
    if recipe.robot.base.floating:
        q[:, 3:7] /= np.linalg.norm(q[:, 3:7], axis=1, keepdims=True)
    return Samples(time, q, qd, qdd, tau, ~bad)


def _by_chebyshev(whole: Samples, recipe: Recipe, notes: Notes) -> Samples:
    stages, factor = recipe.processing.decimation, recipe.processing.factor
    rows = decimate_chebyshev(np.concatenate((whole.q, whole.qd, whole.qdd, whole.tau), axis=1), stages)
    marks = Decimator(factor, neighbourhood(factor))
    bad = np.concatenate((marks.push((~whole.keep).astype(float)), marks.finish())) > 0
    return without_slow(_split(rows, bad, whole.time[::factor], recipe), recipe, notes)
