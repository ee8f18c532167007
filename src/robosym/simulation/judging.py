"""The measures by name: a number for each joint, and how those of all joints become one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..errors import RobosymError
from ..reals import Floats
from . import measures

if TYPE_CHECKING:
    from .recorded import Recorded

Kind = Literal["position", "speed", "torque", "energy", "time", "share", "metres", "radians"]


@dataclass(frozen=True)
class Measure:
    """``each`` gives (..., n) of a recorded motion, ``of_all`` makes (...) of it."""

    each: Callable[[Recorded], Floats]
    of_all: Callable[[Floats], Floats]
    kind: Kind


def _most(each: Floats) -> Floats:
    found: Floats = each.max(axis=-1, initial=0.0)
    return found


def _most_that_moved(each: Floats) -> Floats:
    """The largest, joints without a number left out; nan if none has one."""
    found: Floats = np.where(np.isnan(each), -np.inf, each).max(axis=-1, initial=-np.inf)
    return np.where(np.isneginf(found), np.nan, found)


def _mean_square(each: Floats) -> Floats:
    return measures.rms(each[..., :, None])[..., 0] if each.shape[-1] else np.zeros(each.shape[:-1])


def _sum(each: Floats) -> Floats:
    found: Floats = each.sum(axis=-1)
    return found


def _length(vectors: Floats) -> Floats:
    found: Floats = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return found


def _drift(run: Recorded) -> Floats:
    total = run.energy["total"]
    found: Floats = np.abs(total - total[..., :1]).max(axis=-1, keepdims=True)
    return found


MEASURES: dict[str, Measure] = {
    "rms error": Measure(lambda run: measures.rms(run.error), _mean_square, "position"),
    "largest error": Measure(lambda run: measures.largest(run.error), _most, "position"),
    "final error": Measure(lambda run: np.abs(run.error[..., -1, :]), _most, "position"),
    "settling time": Measure(lambda run: run.settling_time(), _most, "time"),
    "overshoot": Measure(lambda run: run.overshoot, _most_that_moved, "share"),
    "peak torque": Measure(lambda run: run.peak_torque, _most, "torque"),
    "rms torque": Measure(lambda run: run.rms_torque, _mean_square, "torque"),
    "peak load": Measure(lambda run: run.peak_torque / run.bounds.effort, _most, "share"),
    "saturation": Measure(lambda run: run.saturation, _most, "share"),
    "peak speed": Measure(lambda run: measures.largest(run.qd_joints), _most, "speed"),
    "work": Measure(lambda run: run.work, _sum, "energy"),
    "absolute work": Measure(lambda run: run.absolute_work, _sum, "energy"),
}
# Of the whole robot: no joint can be chosen.
OF_THE_ROBOT: dict[str, Measure] = {
    "energy drift": Measure(_drift, _most, "energy"),
    "rms position error": Measure(lambda run: measures.rms(_length(run.task_error[..., :3])), _most, "metres"),
    "largest position error": Measure(lambda run: measures.largest(_length(run.task_error[..., :3])), _most, "metres"),
    "rms orientation error": Measure(lambda run: measures.rms(_length(run.task_error[..., 3:])), _most, "radians"),
    "largest orientation error": Measure(
        lambda run: measures.largest(_length(run.task_error[..., 3:])), _most, "radians"
    ),
}


def judged(run: Recorded, name: str, joint: str | int | None) -> Any:
    """A number, or (B,) of many runs; nan of those that were lost."""
    chosen = {**MEASURES, **OF_THE_ROBOT}.get(name)
    if chosen is None:
        raise RobosymError(f"there is no measure {name!r:.60} (measures: {', '.join([*MEASURES, *OF_THE_ROBOT])})")
    if joint is not None and name in OF_THE_ROBOT:
        raise RobosymError(f"joint: '{name}' is of the whole robot, not of a joint")
    with np.errstate(invalid="ignore"):
        each = run.counted[name] if name in run.counted else chosen.each(run)
        found = chosen.of_all(each) if joint is None else each[..., place(run, joint)]
    found = np.where(run.lost, np.nan, found)
    return float(found) if found.ndim == 0 else found


def place(run: Recorded, joint: str | int) -> int:
    """The place of a joint given by name or by its place, counted from 0."""
    if isinstance(joint, str) and joint in run.joints:
        return run.joints.index(joint)
    if not isinstance(joint, (str, bool)) and 0 <= joint < len(run.joints):
        return int(joint)
    raise RobosymError(f"joint: there is no {joint!r:.60} (joints: {', '.join(run.joints)})")


def unit_of(run: Recorded, name: str, joint: str | int | None = None) -> str:
    """The unit of a measure; of both kinds of joints together both."""
    kind = {**MEASURES, **OF_THE_ROBOT}[name].kind
    fixed = {"energy": "J", "time": "s", "share": "", "metres": "m", "radians": "rad"}
    if kind in fixed:
        return fixed[kind]
    among = run.prismatic if joint is None else (run.prismatic[place(run, joint)],)
    turns, slides = {"position": ("rad", "m"), "speed": ("rad/s", "m/s"), "torque": ("N m", "N")}[kind]
    return " or ".join(unit for unit, there in ((turns, False in among), (slides, True in among)) if there)
