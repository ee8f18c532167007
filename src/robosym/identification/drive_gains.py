"""The gains of the drives, from recordings with and without a known payload: what the recipe's torques have to be multiplied by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .data.preparing import Prepared
from .estimation.equations import Equations
from .estimation.estimation import EstimationError
from .estimation.gains import DriveGains, drive_gains
from .sampled import Sampler

SURE, MUCH = 3.0, 0.05  # sigmas and parts by which a gain differs from one


def gains_of(sampler: Sampler, recordings: Sequence[Prepared]) -> DriveGains | None:
    """One gain a joint, 1 where the recipe's torques are right. None unless some recordings have the payload and others do not."""
    loaded = [one for one in recordings if one.loaded]
    unloaded = [one for one in recordings if not one.loaded]
    if not (loaded and unloaded) or sampler.kind != "dynamic":
        return None
    load = _all(replace(sampler, load_alone=True), loaded, "with").torques
    measured = _all(sampler, [replace(one, loaded=False) for one in loaded], "with")
    free = _all(sampler, unloaded, "without")
    kept = [name for name in sampler.model.columns if name not in sampler.recipe.model.without]
    return drive_gains(free.select(kept), measured.select(kept), load)


def _all(sampler: Sampler, recordings: Sequence[Prepared], which: str) -> Equations:
    parts = [part for one in recordings for part in sampler.equations(one)]
    if not parts:
        raise EstimationError(f"drive gains: nothing is left of the recordings {which} the payload")
    return joined(parts)


def warnings_of(found: DriveGains) -> list[str]:
    """Gains that are surely not one."""
    return [
        f"the torque of {joint} has to be multiplied by {gain:.3f} +- {sigma:.3f}, as the known payload shows: correct its gain, ratio "
        "or unit in the recipe"
        for joint, gain, sigma in zip(found.joints, found.gains, found.sigma, strict=True)
        if abs(gain - 1) > max(SURE * sigma, MUCH)
    ]


def joined(parts: Sequence[Equations]) -> Equations:
    """The rows of all of them."""
    first = parts[0]
    values, torques, times = (
        tuple(np.concatenate([getattr(part, name)[k] for part in parts]) for k in range(len(first.joints)))
        for name in ("values", "torques", "times")
    )
    return replace(first, values=values, torques=torques, times=times)
