"""Panels of curves, and long records with as many instants as can be seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..plots.thinning import kept
from ..reals import Floats
from ..simulation.files import plain

MOST_DRAWN = 1200  # instants of a panel, about
MOST_PLAYED = 1500  # positions for playing
MARKED = 200  # pieces of a trajectory whose ends are drawn
PER = {"velocities": "/s", "accelerations": "/s²"}  # units of what joints do, after those of their positions


def drawn(values: Floats) -> Any:
    """For drawings: eight digits of the largest are more than a picture has, and half of what is sent."""
    finite = np.abs(values[np.isfinite(values)])
    largest = float(finite.max()) if finite.size else 0.0
    return plain(np.round(values, 7 - math.floor(math.log10(largest)) if largest > 0 else 0))


def panel(
    name: str, unit: list[str], labels: list[str], time: Floats, curves: Floats, wanted: Floats | None = None
) -> dict[str, Any]:
    """One drawing: curves (N, n) over time, and where it applies what they should be. No peak of a curve is lost."""
    chosen = _chosen(time, curves if wanted is None else np.concatenate([curves, wanted], axis=1))
    return {
        "name": name,
        "units": unit,
        "labels": labels,
        "t": plain(time[chosen]),
        "series": drawn(curves[chosen].T),
        "wanted": None if wanted is None else drawn(wanted[chosen].T),
    }


def joint_panel(
    name: str, unit: Sequence[str], joints: Sequence[str], time: Floats, curves: Floats, wanted: Floats | None = None
) -> dict[str, Any]:
    """A panel of the joints, whose positions are in ``unit``."""
    if name == "torques":
        units = ["N" if one == "m" else "N m" for one in unit]
    else:
        units = [f"{one}{PER.get(name, '')}" for one in unit]
    return panel(name, units, list(joints), time, curves, wanted)


def _chosen(time: Floats, curves: Floats) -> Any:
    if len(time) <= MOST_DRAWN:
        return np.arange(len(time))
    each = max(16, MOST_DRAWN // max(1, curves.shape[1]))
    return np.unique(np.concatenate([kept(curve, each) for curve in curves.T]))


def played(time: Floats, q: Floats) -> dict[str, Any]:
    """Positions at instants that were recorded, evenly thinned, for a viewer."""
    chosen = np.unique(np.linspace(0, len(time) - 1, min(len(time), MOST_PLAYED)).round().astype(int))
    return {"t": plain(time[chosen]), "q": plain(q[chosen])}


def drawn_times(times: Floats, duration: float) -> Floats:
    """Instants at which a trajectory is drawn: even ones, and both sides of where its pieces meet."""
    even = np.linspace(0.0, duration, 501)
    if len(times) > MARKED:
        return even
    before = np.maximum(times - 1e-9 * max(duration, 1e-9), 0.0)  # what jumps there is drawn as a jump
    return np.unique(np.concatenate([even, times, before]))
