"""A run in words and as data: how long, how well, how hard, and what went wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import RobosymError
from ..reals import Floats
from . import measures
from .files import plain
from .plant import has_wrenches

if TYPE_CHECKING:
    from .recorded import Recorded
    from .result import Run, Runs

SHOWN = ("rms error", "largest error", "rms position error", "largest position error", "peak torque", "saturation")
MOST_NOTES = 12


def in_words(run: Run) -> str:
    """A sentence or two on a line for each subject."""
    lines = [_what(run)]
    if run.failed is not None:
        why = f": {run.reason}" if run.reason else ""
        if not np.isfinite(run.q[0]).all():
            return "\n".join([*lines, f"Lost at once{why}.", *_notes(run)])
        lines.append(f"Lost at {run.failed:.6g} s{why}. What follows is of the {run.valid.duration:.4g} s before.")
    of = run.valid
    lines += [line for line in (_tracking(of), _task(of), _torques(of), _beyond(of), _energy(of)) if line]
    return "\n".join([*lines, *_notes(run)])


def all_in_words(runs: Runs) -> str:
    """What differs, the range of the measures, and which were lost."""
    lines = [f"{len(runs)} runs of {runs.robot.name}{_law(runs)}, {_length(runs)}."]
    for name, values in runs.varied.items():
        if len(values):
            span = f"{_number(values.min())} to {_number(values.max())}"
            lines.append(f"{name}: {span}{'' if values.ndim == 1 else f', {values[0].size} numbers each'}.")
    lost = np.flatnonzero(runs.lost)
    if len(lost):
        first = int(lost[np.argmin(runs.failed[lost])])
        why = f": {runs.reasons[first]}" if runs.reasons[first] else ""
        lines.append(
            f"{len(lost)} of {len(runs)} were lost, the first number {first} at {runs.failed[first]:.6g} s{why}."
        )
    lines += [f"{name.capitalize()}: {_span(values, _unit(runs, name))}." for name, values in _measured(runs).items()]
    return "\n".join([*lines, *_notes(runs)])


def _span(values: Floats, unit: str) -> str:
    """From the least to the largest, and which runs have them."""
    good = np.flatnonzero(np.isfinite(values))
    if not len(good):
        return "none has a value"
    low, high = good[np.argmin(values[good])], good[np.argmax(values[good])]
    if _number(values[low]) == _number(values[high]):
        return f"{_number(values[low])}{unit} in all"
    return f"{_number(values[low])}{unit} (run {low}) to {_number(values[high])}{unit} (run {high})"


def summary_data(run: Recorded) -> dict[str, Any]:
    """The same as data, for JSON: null is what is not a number."""
    many = run.q.ndim == 3
    data: dict[str, Any] = {"robot": run.robot.name, "joints": run.joints, "units": run.units, "duration": run.duration}
    data |= {"instants": run.q.shape[-2], "settings": dict(run.settings), "notes": run.notes}
    data |= {"failed": getattr(run, "failed", None)}
    data |= {name: getattr(run, name) for name in ("reason", "reasons", "varied") if hasattr(run, name)}
    of: Recorded = run if many else run.valid  # type: ignore[attr-defined]
    data["measures"] = _measured(of)
    if not many and run.joints:
        data["joint_measures"] = _of_each(of)
    return plain(data)  # type: ignore[no-any-return]


# --- the subjects ----------------------------------------------------------------------------------------------------------


def _what(run: Run) -> str:
    used = [f"step {run.settings['step']:g} s" if isinstance(run.settings.get("step"), float) else ""]
    used += [str(run.settings.get("integrator") or "")]
    friction = run.settings.get("friction")
    used += [f"friction: {friction}" if isinstance(friction, str) else "without friction" if friction is False else ""]
    said = ", ".join(word for word in used if word)
    return f"{run.robot.name}{_law(run)}: {_length(run)}{f' ({said})' if said else ''}."


def _law(run: Recorded) -> str:
    law, period = run.settings.get("law"), run.settings.get("period")
    every = f" every {period:g} s" if law and isinstance(period, float) else ""
    return f" under {law}{every}" if law else ""


def _length(run: Recorded) -> str:
    count = run.q.shape[-2]
    return f"{run.duration:.6g} s in {count} instant{'' if count == 1 else 's'}"


def _tracking(run: Run) -> str:
    if "q_d" not in run.reference or not run.joints:
        return ""
    said = []
    for unit, chosen in _kinds(run):
        e = run.error[:, chosen]
        k, j = np.unravel_index(np.argmax(np.abs(e)), e.shape)
        most, mean = np.abs(e).max(axis=0), measures.rms(e)
        when = f" at {run.time[k]:.4g} s"
        if "largest error" in run.counted:  # also between the instants that were recorded: when is not known
            most, when = run.counted["largest error"][chosen], ""
            j = np.argmax(most)
        if "rms error" in run.counted:
            mean = run.counted["rms error"][chosen]
        worst = int(np.argmax(mean))
        name, other = (run.joints[chosen[i]] for i in (int(j), worst))
        said.append(
            f"largest error {_number(most[j])} {unit} ({name}{when}), rms {_number(mean[worst])} {unit} ({other}), "
            f"at the end {_number(np.abs(e[-1]).max())} {unit}"
        )
    return f"Tracking: {'; '.join(said)}."


def _task(run: Run) -> str:
    if "T_d" not in run.reference:
        return ""
    if not run.follows_pose:
        return "Pose: of which frame the one to follow is, was not recorded."
    e = run.task_error
    said = []
    for part, unit in ((e[:, :3], "m"), (e[:, 3:], "rad")):
        length = np.linalg.norm(part, axis=-1)
        k = int(np.argmax(length))
        said.append(
            f"largest error {_number(length[k])} {unit} at {run.time[k]:.4g} s, rms {_number(np.sqrt(np.mean(length**2)))} {unit}"
        )
    return f"Pose: {'; '.join(said)}."


def _torques(run: Run) -> str:
    if not run.joints:
        return ""
    if not run.tau.any():
        return "No torque acts."
    said = []
    for unit, chosen in _kinds(run):
        j = int(np.argmax(run.peak_torque[chosen]))
        own = np.abs(run.tau_joints[:, chosen[j]])
        when = "" if "peak torque" in run.counted else f" at {run.time[np.argmax(own)]:.4g} s"
        force = "N m" if unit == "rad" else "N"
        said.append(f"{_number(run.peak_torque[chosen[j]])} {force} ({run.joints[chosen[j]]}{when})")
    text = f"Torques: at most {' and '.join(said)}"
    share = run.peak_torque / run.bounds.effort
    if np.isfinite(run.bounds.effort).any():
        most = int(np.argmax(share))
        text += f"; nearest to its limit {run.joints[most]}, {100 * share[most]:.3g} % of it"
    at = run.saturation
    if at.any():
        limited = ", ".join(f"{run.joints[j]} {100 * at[j]:.3g} %" for j in np.argsort(-at) if at[j])
        text += f". At the limit during {limited} of the time"
    return f"{text}. The motors gave {_number(run.work.sum())} J."


def _beyond(run: Run) -> str:
    """Joints that left their range or went faster than they can."""
    lower, upper = run.position_limits
    q = run.q_joints
    room = 1e-9 * (1 + np.abs(q))
    out = ((q < lower - room) | (q > upper + room)).any(axis=0)
    fast = (np.abs(run.qd_joints) > run.bounds.velocity * (1 + 1e-9)).any(axis=0)
    positions = [entry.name for entry in run.positions] if run.turning else run.joints
    said = [
        f"{', '.join(np.array(names)[of])} {what}"
        for of, names, what in (
            (out, positions, "left the range of positions"),
            (fast, run.joints, "went faster than the limit"),
        )
        if of.any()
    ]
    return f"Limits: {'; '.join(said)}." if said else ""


def _energy(run: Run) -> str:
    """Only where no motor drives it and nothing pushes: else the energy is not meant to stay."""
    if run.tau.any() or any(np.any(run.more[name]) for name in ("disturbance", "wrench") if name in run.more):
        return ""
    if has_wrenches(run.robot):
        return ""
    try:
        total, kinetic = run.energy["total"], run.energy["kinetic"]
    except RobosymError:
        return ""
    if not np.isfinite(total).all():
        return ""
    if run.settings.get("friction", False) is not False:
        return (
            f"Nothing drives it: with its friction the energy goes from {_number(total[0])} to {_number(total[-1])} J."
        )
    drift, most = float(np.abs(total - total[0]).max()), float(kinetic.max())
    share = f", {_number(drift / most)} of the largest kinetic energy" if most > 0 else ""
    return (
        f"Nothing drives it: the energy, {_number(total[0])} J at first, changes by at most {_number(drift)} J{share}."
    )


def _notes(run: Recorded) -> list[str]:
    more = len(run.notes) - MOST_NOTES
    return [*(f"Note: {note}" for note in run.notes[:MOST_NOTES]), *([f"and {more} more notes"] if more > 0 else [])]


# --- parts -------------------------------------------------------------------------------------------------------------------


def _kinds(run: Recorded) -> list[tuple[str, list[int]]]:
    """The joints by their unit: radians and metres do not compare."""
    return [
        (unit, chosen) for unit in ("rad", "m") if (chosen := [j for j, own in enumerate(run.units) if own == unit])
    ]


def _measured(run: Recorded) -> dict[str, Any]:
    names = [name for name in SHOWN if _applies(run, name)]
    return {name: run.measure(name) for name in names}


def _applies(run: Recorded, name: str) -> bool:
    if not run.joints:
        return False
    if "error" in name:
        return run.follows_pose if "position" in name else "q_d" in run.reference
    return True


def _of_each(run: Recorded) -> dict[str, Floats]:
    found = {
        "peak torque": run.peak_torque,
        "rms torque": run.rms_torque,
        "saturation": run.saturation,
        "work": run.work,
    }
    if "q_d" in run.reference:
        found |= {"largest error": measures.largest(run.error), "rms error": measures.rms(run.error)}
    return found


def _unit(run: Recorded, name: str) -> str:
    from .judging import unit_of

    unit = unit_of(run, name)
    return f" {unit}" if unit else ""


def _number(value: float) -> str:
    return f"{float(value):.4g}"
