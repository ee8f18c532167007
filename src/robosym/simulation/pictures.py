"""Runs as pictures: their numbers given to ``robosym.plots``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import RobosymError
from ..plots import picture_format, save
from ..plots.runs import DECADES, Curve, Panel, Scale, Series, curves_figure, sweep_figure
from ..reals import Floats
from .judging import judged, place, unit_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .recorded import Recorded
    from .result import Run, Runs

VIEWS = ("tracking", "torques", "errors", "energy", "all")
BUNDLES = ("tracking", "torques", "errors")
MOST_PANELS = 40  # joints beyond share one panel
MOST_CURVES = 300  # of a bundle
INKED = "#1f2430"


def plot_run(run: Run, path: str | Path, what: str) -> None:
    """One of ``VIEWS``, in the format of the file's ending."""
    picture_format(path)
    if what not in VIEWS:
        raise RobosymError(f"what: got {what!r:.60}, expected one of {', '.join(map(repr, VIEWS))}")
    panels = {"tracking": _tracking, "torques": _torques, "errors": _errors, "energy": _energy, "all": _all}[what](run)
    columns = 1 if what in ("errors", "energy", "all") else _columns(len(panels))
    title = f"{run.robot.name}{_law(run)}" + ("" if what == "all" else f": {what}")
    note = f"lost at {run.failed:.6g} s: {run.reason}" if run.failed is not None and run.reason else ""
    save(curves_figure(run.time, panels, title, columns=columns, note=note, lost=run.failed), path)


def plot_runs(
    runs: Runs, path: str | Path, x: str | None, y: str, by: str | None, what: str, joint: str | int | None
) -> None:
    """A measure over what was varied, or the curves of all."""
    picture_format(path)
    if x is None:
        save(_bundle(runs, what, joint), path)
    else:
        save(_sweep(runs, x, y, by, joint), path)


# --- one run ---------------------------------------------------------------------------------------------------------------


def _tracking(run: Run) -> list[Panel]:
    wanted = run.reference.get("q_d")
    if len(run.joints) > MOST_PANELS:
        return [*_of_base(run), *_of_positions(run, wanted)]
    panels = _of_base(run)
    b = run.bounds
    if run.turning:
        return [*panels, *_of_positions(run, wanted)]
    for j, (name, unit) in enumerate(zip(run.joints, run.units, strict=True)):
        curves = [Curve(run.q_joints[:, j], "q")]
        if "q_motor" in run.more:
            motor = run.more["q_motor"]
            curves.insert(0, Curve(motor[:, motor.shape[1] - len(run.joints) + j], "motor", "C1", "faint"))
        if wanted is not None:
            curves.append(Curve(wanted[:, j], "wanted", INKED, "wanted"))
        panels.append(Panel(f"q ({unit})", curves, name, (b.lower[j], b.upper[j])))
    return [*panels, *_of_task(run)]


def _of_positions(run: Run, wanted: Floats | None) -> list[Panel]:
    """All positions of a unit in one panel."""
    if not run.turning:
        return _together(run, "q", run.q_joints, wanted, run.units)
    panels = []
    for unit in dict.fromkeys(entry.label for entry in run.positions):
        chosen = [(k, entry.name) for k, entry in enumerate(run.positions) if entry.label == unit]
        curves = [Curve(run.q_joints[:, k], name, f"C{i % 10}") for i, (k, name) in enumerate(chosen)]
        panels.append(Panel(unit if unit == "quaternion" else f"q ({unit})", curves, own_legend=True))
    return panels


def _of_base(run: Run) -> list[Panel]:
    if not run.robot.base.floating:
        return []
    position = [Curve(run.q[:, k], name, f"C{k}") for k, name in enumerate("xyz")]
    turned = [Curve(run.q[:, 3 + k], name, f"C{4 + k}") for k, name in enumerate(("qx", "qy", "qz", "qw"))]
    words = ("position (m)", "quaternion")
    return [Panel(word, own, "free base", own_legend=True) for word, own in zip(words, (position, turned), strict=True)]


def _of_task(run: Run) -> list[Panel]:
    """The position of the frame that shall follow a pose."""
    if not run.follows_pose:
        return []
    own, wanted = run.tip(), run.reference["T_d"][..., :3, 3]
    axes = enumerate("xyz")
    return [
        Panel(f"{name} (m)", [Curve(own[:, k], "frame", "C2"), Curve(wanted[:, k], "wanted", INKED, "wanted")], "frame")
        for k, name in axes
    ]


def _torques(run: Run) -> list[Panel]:
    asked = run.more.get("command")
    units = ["N" if slides else "N m" for slides in run.prismatic]
    if len(run.joints) > MOST_PANELS:
        return _together(run, "torque", run.tau_joints, None, units)
    panels = []
    for j, (name, unit, limit) in enumerate(zip(run.joints, units, run.bounds.effort, strict=True)):
        curves = [Curve(run.tau_joints[:, j], "torque")]
        if asked is not None:
            own = asked[:, asked.shape[1] - len(run.joints) + j]
            curves.insert(0, Curve(own, "asked for", "C1", "faint"))
        panels.append(Panel(f"torque ({unit})" if unit == "N m" else f"force ({unit})", curves, name, (-limit, limit)))
    return panels or [Panel("torque", [], "no joints")]


def _errors(run: Run) -> list[Panel]:
    if "q_d" not in run.reference and run.follows_pose:
        e = run.task_error
        along = [Curve(e[:, k], f"along {name}", f"C{k}") for k, name in enumerate("xyz")]
        about = [Curve(e[:, 3 + k], f"about {name}", f"C{3 + k}") for k, name in enumerate("xyz")]
        return [Panel("position error (m)", along), Panel("orientation error (rad)", about)]
    return _together(run, "wanted - q", run.error, None, run.units)


def _energy(run: Run) -> list[Panel]:
    names = {"kinetic": "C0", "potential": "C2", "total": INKED}
    curves = [Curve(run.energy[name], name, colour) for name, colour in names.items()]
    return [Panel("energy (J)", curves, own_legend=True)]


def _all(run: Run) -> list[Panel]:
    panels = [*_of_base(run)[:1], *_of_positions(run, run.reference.get("q_d"))]
    if "q_d" in run.reference or run.follows_pose:
        panels += _errors(run)
    panels += _together(run, "torque", run.tau_joints, None, ["N" if slides else "N m" for slides in run.prismatic])
    try:
        return [*panels, *_energy(run)]
    except RobosymError:  # a robot whose energy is not known: written in base parameters
        return panels


def _together(run: Recorded, what: str, values: Floats, wanted: Floats | None, units: Sequence[str]) -> list[Panel]:
    """All joints of a unit in one panel."""
    panels = []
    for unit in dict.fromkeys(units):
        chosen = [j for j, one in enumerate(units) if one == unit]
        curves = [Curve(values[:, j], run.joints[j], f"C{j % 10}") for j in chosen]
        if wanted is not None:
            curves += [Curve(wanted[:, j], "wanted", INKED, "wanted") for j in chosen]
        panels.append(Panel(f"{'force' if unit == 'N' else what} ({unit})", curves))
    return panels


def _columns(count: int) -> int:
    return 1 if count <= 3 else 2 if count <= 8 else 3 if count <= 18 else 4


def _law(run: Recorded) -> str:
    return f" under {run.settings['law']}" if run.settings.get("law") else ""


# --- many runs -------------------------------------------------------------------------------------------------------------


def _sweep(runs: Runs, x: str, y: str, by: str | None, joint: str | int | None) -> Figure:
    values = judged(runs, y, joint)
    at = _scalar(runs, x)
    groups = [("", np.ones(len(runs), dtype=bool))]
    if by is not None:
        other = _scalar(runs, by)
        groups = [(f"{by} {value:.4g}", other == value) for value in np.unique(other)]
    series = [
        Series(at[own], np.where(np.isfinite(values[own]), values[own], np.nan), name, at[own & runs.lost])
        for name, own in groups
    ]
    unit = unit_of(runs, y, joint)
    of = f" of {joint if isinstance(joint, str) else runs.joints[joint]}" if joint is not None else ""
    never = int(np.isinf(values).sum())
    note = f"{never} of {len(runs)} runs have none within their time" if never else ""
    return sweep_figure(series, x, f"{y}{of}{f' ({unit})' if unit else ''}", f"{runs.robot.name}{_law(runs)}", note)


def _scalar(runs: Runs, name: str) -> Floats:
    if name not in runs.varied:
        raise RobosymError(f"'{name}' was not varied (varied: {', '.join(runs.varied) or 'nothing'})")
    values = np.asarray(runs.varied[name], dtype=float)
    flat = values.reshape(len(runs), -1)
    if flat.shape[1] != 1 and not (flat == flat[:, :1]).all():
        raise RobosymError(
            f"'{name}' is {flat.shape[1]} different numbers in each run: expected one number to draw over"
        )
    return flat[:, 0]


def _bundle(runs: Runs, what: str, joint: str | int | None) -> Figure:
    if what not in BUNDLES:
        raise RobosymError(f"what: got {what!r:.60}, expected one of {', '.join(map(repr, BUNDLES))}, or x=")
    if runs.time.ndim != 1:
        raise RobosymError("the instants of these runs differ: draw them one by one, or a measure over x=")
    if what == "tracking" and runs.turning:
        raise RobosymError(
            f"what: expected 'torques' for a robot with quaternions ({', '.join(runs.turning)}), got 'tracking'. "
            "Plot each run by itself: runs[0].plot(...)"
        )
    chosen = list(range(len(runs.joints)))[:MOST_PANELS] if joint is None else [place(runs, joint)]
    numbers = np.unique(np.linspace(0, len(runs) - 1, min(len(runs), MOST_CURVES)).round().astype(int))
    shade, scale = _shading(runs)
    values = {"tracking": runs.q_joints, "torques": runs.tau_joints}.get(what)
    values = runs.error if values is None else values
    panels = []
    for j in chosen:
        slides = runs.prismatic[j]
        unit = ("N" if slides else "N m") if what == "torques" else runs.units[j]
        # The calm ones over the wild ones, which would hide them.
        wild = np.nan_to_num(np.nanmax(np.abs(np.diff(values[numbers, :, j], axis=1)), axis=1, initial=0.0))
        order = numbers[np.argsort(-wild, kind="stable")]
        curves = [Curve(values[k, :, j], look="thin", shade=float(shade[k])) for k in order]
        wanted = runs.reference.get("q_d")
        if what == "tracking" and wanted is not None and (wanted[:, :, j] == wanted[:1, :, j]).all():
            curves.append(Curve(wanted[0, :, j], "wanted", INKED, "wanted"))
        limits = {
            "tracking": (runs.bounds.lower[j], runs.bounds.upper[j]),
            "torques": (-np.max(runs.bounds.effort[..., j]), np.max(runs.bounds.effort[..., j])),
        }.get(what, ())
        label = {"tracking": "q", "torques": "torque", "errors": "wanted - q"}[what]
        panels.append(Panel(f"{label} ({unit})", curves, runs.joints[j], limits))
    note = f"{len(numbers)} of {len(runs)} runs drawn" if len(numbers) < len(runs) else ""
    title = f"{runs.robot.name}{_law(runs)}: {what} of {len(runs)} runs"
    return curves_figure(runs.time, panels, title, columns=_columns(len(panels)), note=note, scale=scale)


def _shading(runs: Runs) -> tuple[Floats, Scale | None]:
    """The shade of each run by the first quantity that is one number and differs; else one for all."""
    for name, values in runs.varied.items():
        one = np.asarray(values, dtype=float)
        if one.ndim == 1 and len(one) and np.isfinite(one).all() and one.max() > one.min():
            low, high = float(one.min()), float(one.max())
            spans = low > 0 and high > DECADES * low
            shade = np.log(one / low) / np.log(high / low) if spans else (one - low) / (high - low)
            return shade, Scale(name, low, high, spans)
    return np.full(len(runs), 0.3), None
