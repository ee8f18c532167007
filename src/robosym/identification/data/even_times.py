"""The columns of a recording at even times, in pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .base_motion import unflipped
from .inspection import Survey, raw_blocks
from .joint_side import JointSide
from .recipe import Recipe
from .recording import Recording
from .resampling import Resampler
from .signals import Array, Mask


@dataclass(frozen=True)
class Even:
    """Rows at even times: the joints' raw signals, and which rows are made up."""

    rows: Array
    bad: Mask


def even_times(recipe: Recipe, recording: Recording, side: JointSide, found: Survey) -> Iterator[Even]:
    """The columns at even times, in pieces. Quaternions of a base go on without changes of sign."""
    as_they_are = (found.is_even or not recipe.data.resample) and not found.missing_rows
    resampler = Resampler(found.step)
    quaternion: Array | None = None
    last = -np.inf
    for times, block in raw_blocks(recipe, recording, side):
        if not as_they_are:
            later = np.isfinite(block).all(axis=1) & np.isfinite(times)
            highest = np.maximum.accumulate(np.concatenate(([last], np.where(later, times, -np.inf))))
            later &= times > highest[:-1]
            last = float(highest[-1])
            times, block = times[later], block[later]
        if recipe.robot.base.floating and len(block):  # of the rows that are left: what is missing has no sign
            block = block.copy()
            block[:, 3:7] = unflipped(block[:, 3:7], quaternion)
            quaternion = block[-1, 3:7]
        if as_they_are:
            yield Even(block, np.zeros(len(block), dtype=bool))
            continue
        _, rows, gap = resampler.push(times, block)
        yield Even(rows, gap)
    if not as_they_are:
        _, rows, gap = resampler.finish()
        yield Even(rows, gap)
