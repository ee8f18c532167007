"""Velocities where only positions are measured: their differences from call to call, filtered.

With the cut-off w_c and the period T, and a = exp(-w_c T) the pole of the filter w_c / (s + w_c) at the samples,

    qd_k = a qd_(k-1) + (1 - a) (q_k - q_(k-1)) / T.

The first call has nothing to compare with: its velocity is zero. A position that is not a number is not remembered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..expr import absolute, maximum, parameter, select
from ..options.markers import Positive
from ..program.of_arrays import program_of, run_over
from ..program.routine import Slot, Stage
from .joints import Joints

Velocity = Literal["measured"] | Positive  # or the cut-off of the filter, rad/s
POLE = "velocity_pole"
LARGEST = 1e100  # positions beyond are taken for none: a comparison with nan is false too


@dataclass(frozen=True)
class Speeds:
    """Where a law has its velocities from: ``name`` is their array, which ``stages`` make of the positions and the ``state``."""

    name: str
    inputs: tuple[Slot, ...]  # what is measured
    state: tuple[Slot, ...] = ()
    stages: tuple[Stage, ...] = ()
    cut_off: float | None = None


NOTHING = Speeds("", ())  # of a law that measures nothing


def speeds(joints: Joints, velocity: Velocity, period: float) -> Speeds:
    """Measured, or by filtered differences with this cut-off in rad/s. A free base measures its own speeds in any case."""
    q, qd = joints.measured()
    if velocity == "measured":
        return Speeds(qd.name, (q, qd))
    cut_off = float(velocity)
    n = joints.count
    state = (
        Slot("q_before", (n,), "positions at the call before"),
        Slot("qd_before", (n,), "velocities found there"),
        Slot("started", (n,), "0 before the first position of a joint, then 1"),
    )
    measured = (q, qd) if joints.in_qd else (q,)
    shapes = {slot.name: slot.shape for slot in (*measured, *state)}

    def differences(q_before: Any, qd_before: Any, started: Any, **given: Any) -> dict[str, Any]:
        now, base = given[q.name][joints.in_q :], list(given[qd.name][: joints.in_qd]) if joints.in_qd else []
        pole, before, found, begun = parameter(POLE), [], [], []
        for k in range(n):
            step = now[k] - q_before[k]
            is_number = absolute(step) < LARGEST
            filtered = pole * qd_before[k] + (1 - pole) / period * step
            found.append(select(started[k], select(is_number, filtered, qd_before[k]), 0))
            before.append(select(is_number, now[k], q_before[k]))
            begun.append(maximum(started[k], is_number))
        return {"speeds": [*base, *found], "q_before_now": before, "qd_before_now": found, "started_now": begun}

    program = program_of("velocities", shapes, differences)
    return Speeds("speeds", measured, state, (run_over(program),), cut_off)
