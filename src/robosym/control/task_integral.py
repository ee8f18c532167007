"""The integral of the error in task space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..expr import absolute, expr, logical_and, parameter, select
from ..program.of_arrays import program_of, run_over
from ..program.routine import Slot, Stage
from ..reals import Floats
from .integral import INTEGRAL, LARGEST
from .saturation import limited
from .task_space import TaskSpace


@dataclass(frozen=True)
class TaskIntegral:
    """Of e, as it was at the calls before. It stands still while a motor is at its limit (what is missing there is no
    fault of the gains, and the integral would wind up), and where an error is not a number."""

    space: TaskSpace
    period: float

    @property
    def slot(self) -> Slot:
        return Slot(INTEGRAL, (len(self.space.rows),), "of the errors at the calls before, times the period")

    def stage(self, most: Floats) -> Stage:
        """After the torques: from ``error``, ``tau_wanted`` and the integral the one at the next call."""
        joints = self.space.joints
        names = limited(joints, most)

        def summed(error: Any, tau_wanted: Any, integral: Any) -> dict[str, Any]:
            adds = expr(1)
            for e in error:
                adds = logical_and(adds, absolute(e) < LARGEST)
            for k, name in names.items():
                adds = logical_and(adds, absolute(tau_wanted[k]) < parameter(name))
            return {
                "integral_now": [select(adds, x + self.period * e, x) for x, e in zip(integral, error, strict=True)]
            }

        shapes = {"error": self.slot.shape, "tau_wanted": (joints.count,), INTEGRAL: self.slot.shape}
        return run_over(program_of("integral", shapes, summed))
