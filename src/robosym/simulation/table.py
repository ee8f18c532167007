"""Runs as columns: t, then q, qd and tau of every joint, as trajectories are written; and arrays again from columns.

A quantity of the joints has their names behind its own (``q_shoulder``, ``q_hip_qx`` of a joint of several axes), of a free base ``base_x`` and so on before them; what is
not of the joints is numbered from 1 (``V_d_1``; matrices by row and column, ``T_d_11``). Many runs stand one below the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..reals import Floats
from ..robot.joint_entries import speed_entries

if TYPE_CHECKING:
    from .recorded import Recorded

RUN, TIME = "run", "t"
POSE = ("base_x", "base_y", "base_z", "base_qx", "base_qy", "base_qz", "base_qw")
TWIST = ("base_vx", "base_vy", "base_vz", "base_wx", "base_wy", "base_wz")
WRENCH = ("base_fx", "base_fy", "base_fz", "base_cx", "base_cy", "base_cz")
OF_JOINTS = frozenset(
    [
        "q",
        "qd",
        "qdd",
        "tau",
        "q_d",
        "qd_d",
        "qdd_d",
        "q_motor",
        "qd_motor",
        "command",
        "disturbance",
        "work",
        "absolute_work",
        "measured_q",
        "measured_qd",
        "measured_tau",
    ]
)
POSITIONS = frozenset(["q", "measured_q"])
Layout = dict[str, tuple[str, ...]]  # the columns of each array, its entries by rows


def layout_of(run: Recorded) -> Layout:
    """The columns of every array. A name that is taken already (joints have any) gets a number behind it."""
    taken = set(_first(run))
    found: Layout = {}
    for name, values in run.as_arrays().items():
        labels = [TIME] if name == "time" else _labels(run, name, values.shape[run.q.ndim - 1 :])
        found[name] = tuple(_unique(label, taken) for label in labels)
    return found


def columns_of(run: Recorded) -> dict[str, Floats]:
    """The columns by name, each of all instants of all runs."""
    found = _first(run)
    arrays = run.as_arrays()
    arrays["time"] = np.broadcast_to(run.time, run.q.shape[:-1])
    for name, labels in layout_of(run).items():
        flat = arrays[name].reshape(-1, len(labels)) if labels else arrays[name]
        found |= {label: flat[:, k] for k, label in enumerate(labels)}
    return found


def _first(run: Recorded) -> dict[str, Floats]:
    """The columns of many runs that come before the others: the number of the run, and what differs."""
    if run.q.ndim == 2:
        return {}
    count, instants = run.q.shape[:2]
    found = {RUN: np.repeat(np.arange(count, dtype=float), instants)}
    taken = {RUN}
    for name, values in getattr(run, "varied", {}).items():
        flat = values.reshape(count, -1)
        for k, label in enumerate(_labels(run, name, values.shape[1:])):
            found[_unique(label, taken)] = np.repeat(flat[:, k], instants)
    return found


def arrays_of(
    columns: Mapping[str, Floats], layout: Mapping[str, Sequence[str]], shapes: Mapping[str, Sequence[int]]
) -> dict[str, Floats]:
    """The arrays that were written so."""
    found = {}
    for name, labels in layout.items():
        shape = tuple(shapes[name])
        found[name] = (
            np.stack([columns[label] for label in labels], axis=-1).reshape(shape) if labels else np.zeros(shape)
        )
    return found


def as_csv(columns: Mapping[str, Floats]) -> str:
    """A header and a line for each row; every number as it is, to the last digit."""
    rows = np.column_stack(list(columns.values())).tolist()
    header = ",".join(_quoted(name) for name in columns)
    return "\n".join([header, *(",".join(map(repr, row)) for row in rows)]) + "\n"


def _quoted(name: str) -> str:
    """A name with commas, quotes or ends of lines in it stands in quotes."""
    return '"' + name.replace('"', '""') + '"' if any(c in name for c in ',"\r\n') or name != name.strip() else name


def _labels(run: Recorded, name: str, shape: tuple[int, ...]) -> list[str]:
    if not shape:
        return [name]
    between = "" if max(shape) < 10 else "_"
    numbered = [between.join(str(k + 1) for k in at) for at in np.ndindex(*shape)]
    suffixes = _of_joints(run, name, shape) or numbered
    return [f"{name}_{suffix}" for suffix in suffixes]


def _of_joints(run: Recorded, name: str, shape: tuple[int, ...]) -> list[str]:
    """The joints, behind the free base if the array has it; none for what is not of the joints."""
    if name not in OF_JOINTS or len(shape) != 1:
        return []
    columns = {entry.name: entry.column for entry in speed_entries(run.robot)}
    (width,), joints = shape, [columns.get(joint, joint) for joint in run.joints]
    if name in POSITIONS and len(run.positions) != len(joints):
        joints = [entry.column for entry in run.positions]
    first: tuple[str, ...] = ()
    if run.robot.base.floating and width == len(joints) + 7:
        first = POSE
    elif run.robot.base.floating and width == len(joints) + 6:
        first = WRENCH if name in ("tau", "command", "disturbance", "measured_tau") else TWIST
    return [*first, *joints] if width == len(first) + len(joints) else []


def _unique(name: str, taken: set[str]) -> str:
    found, k = name, 2
    while found in taken:
        found, k = f"{name} ({k})", k + 1
    taken.add(found)
    return found
