"""Sweeps of ``robosym simulate``: what differs between the runs, and which of them did best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from .pose import numbers

if TYPE_CHECKING:
    from ..control import Law
    from ..simulation import Runs

MOST_RUNS = 1_000_000
SHOWN = 5  # of the best and of the worst


def batch_of(sweeps: list[str]) -> dict[str, Any]:
    """bandwidth=5:50:100 as what differs between runs; of several, every combination."""
    import numpy as np

    axes: dict[str, Any] = {}
    for text in sweeps:
        name, equals, values = (part.strip() for part in text.partition("="))
        if not equals or not name:
            raise typer.BadParameter(f"--sweep: got '{text}', expected NAME=FROM:TO:COUNT or NAME=X,Y,...")
        if name in axes:
            raise typer.BadParameter(f"--sweep: '{name}' is given twice")
        axes[name] = _values(text, values)
    total = int(np.prod([float(len(values)) for values in axes.values()])) if axes else 0
    if total > MOST_RUNS:
        raise typer.BadParameter(f"--sweep: {total} runs, expected at most {MOST_RUNS}")
    grids = np.meshgrid(*axes.values(), indexing="ij") if axes else []
    return {name: grid.ravel() for name, grid in zip(axes, grids, strict=True)}


def _values(text: str, values: str) -> Any:
    import numpy as np

    words = values.split(":")
    if len(words) == 1:
        return np.array(numbers("--sweep", values)) if values else np.empty(0)
    if len(words) != 3:
        raise typer.BadParameter(f"--sweep: got '{text}', expected NAME=FROM:TO:COUNT")
    first, last = (numbers("--sweep", word, (1,))[0] for word in words[:2])
    count = words[2].strip()
    if not count.isdecimal() or not 1 <= int(count) <= MOST_RUNS:
        raise typer.BadParameter(f"--sweep: got the count '{count}', expected a whole number from 1 to {MOST_RUNS}")
    return np.linspace(first, last, int(count))


def compared_by(measure: str | None, law: Law | None, many: bool) -> str:
    """The measure that compares the runs of a sweep; of a single run there is none."""
    from ..simulation.judging import MEASURES, OF_THE_ROBOT

    if not many:
        if measure is not None:
            raise typer.BadParameter("--measure: it compares the runs of a sweep: --sweep NAME=FROM:TO:COUNT")
        return ""
    followed = None if law is None else law.reference
    if measure is None:
        return {"joints": "rms error", "task": "rms position error", None: "peak speed"}[followed]
    known = [*MEASURES, *OF_THE_ROBOT]
    if measure not in known:
        raise typer.BadParameter(f"--measure: there is no '{measure}' (measures: {', '.join(known)})")
    of_task = measure in OF_THE_ROBOT and "error" in measure
    of_joints = measure in MEASURES and ("error" in measure or measure in ("settling time", "overshoot"))
    if (of_task and followed != "task") or (of_joints and followed != "joints"):
        what = "a pose" if of_task else "positions of the joints"
        raise typer.BadParameter(f"--measure: '{measure}' is of a law that follows {what}")
    return measure


def show_ranked(found: Runs, measure: str) -> None:
    """The best and the worst runs of a sweep, the lost ones last."""
    import numpy as np

    from ..simulation.judging import unit_of
    from .tables import table

    values = found.measure(measure)
    order = np.argsort(values, kind="stable")
    lines: list[int | None] = [int(k) for k in order]
    if len(lines) > 2 * SHOWN + 1:
        lines = [*lines[:SHOWN], None, *lines[-SHOWN:]]
    beside = "peak torque" if measure != "peak torque" else "peak speed"
    more = found.measure(beside)
    rows = []
    for k in lines:
        if k is None:
            rows.append(["..."] * (len(found.varied) + 3))
            continue
        own = [f"{float(x[k]):.6g}" for x in found.varied.values()]
        rows.append([str(k), *own, *(f"{x:.4g}" if np.isfinite(x) else "lost" for x in (values[k], more[k]))])
    units = (unit_of(found, name) for name in (measure, beside))
    heads = [f"{name} ({unit})" if unit else name for name, unit in zip((measure, beside), units, strict=True)]
    table(["run", *found.varied, *heads], rows, f"by {measure}")
