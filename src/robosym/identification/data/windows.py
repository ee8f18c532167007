"""Pieces of a recording with as much overlap as the filters need: their numbers are those of one pass."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .even_times import Even
from .recipe import Processing
from .signals import Array, Mask, butterworth, settling, shift_reach

DIFFERENCES = 4  # rows on each side that two differences read


@dataclass(frozen=True)
class Plan:
    """How long the pieces are and how much they overlap, in rows."""

    sections: Array | None
    margin: int
    chunk: int
    trim: int
    reach: int  # rows around a made-up one that do not count


@dataclass(frozen=True)
class Window:
    """A piece with its surroundings: ``core`` are the rows of it that come out, ``first`` the place of its first row."""

    rows: Array
    bad: Mask
    core: slice
    first: int
    is_first: bool
    is_last: bool
    plan: Plan


def plan_of(processing: Processing, rate: float, delay: Array, chunk: int) -> Plan:
    cutoff = processing.cutoff or None
    sections = None if cutoff is None else butterworth(rate, cutoff, processing.order)
    half_period = 0 if cutoff is None else math.ceil(rate / cutoff / 2)
    trim = half_period if processing.trim is None else processing.trim
    shift = max(shift_reach(float(one) * rate) for one in delay)
    settled = 0 if sections is None else settling(sections)
    reach = 4 * half_period + DIFFERENCES
    margin = max(settled, trim, reach, shift) + DIFFERENCES
    in_one_piece = processing.padding is not None or processing.differences == "forward"
    length = 2**62 if in_one_piece else max(chunk, 2 * margin)
    return Plan(sections, margin, length, trim, reach)


def windows(pieces: Iterator[Even], plan: Plan) -> Iterator[Window]:
    """Pieces of equal length, each with a margin on both sides where there are rows."""
    held: list[Even] = []
    have, before, core = 0, 0, 0  # rows held, the place of the first of them, the place where the next core starts
    for piece in pieces:
        held.append(piece)
        have += len(piece.rows)
        while before + have - core >= plan.chunk + plan.margin:
            whole = _joined(held)
            yield _window(whole, before, core, plan, False)
            core += plan.chunk
            drop = max(0, core - plan.margin) - before
            held = [Even(whole.rows[drop:], whole.bad[drop:])]
            before, have = before + drop, have - drop
    if before + have > core:
        yield _window(_joined(held), before, core, plan, True)


def _joined(held: list[Even]) -> Even:
    if len(held) == 1:
        return held[0]
    return Even(np.concatenate([piece.rows for piece in held]), np.concatenate([piece.bad for piece in held]))


def _window(held: Even, before: int, core: int, plan: Plan, is_last: bool) -> Window:
    start = core - before
    stop = len(held.rows) if is_last else start + plan.chunk
    used = slice(0, stop if is_last else stop + plan.margin)
    if not before:
        start = max(start, plan.trim)
    if is_last:
        stop -= plan.trim
    inside = slice(start, max(start, stop))
    return Window(held.rows[used], held.bad[used], inside, before, before == 0, is_last, plan)
