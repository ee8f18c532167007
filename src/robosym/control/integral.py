"""The integral of the error in a sampled law, and when it stands still.

The torque of a call holds the sum over the calls before, I_k = T (e_0 + ... + e_(k-1)): the integral of what was measured, held
from call to call. The error of a call is not added (Khalil, course 2014, notes after [9.10])

    - where it is in the ``dead_zone``, in which the integral would make Coulomb friction stick and slip for ever,
    - where it is outside the ``window``, in which the proportional action is sufficient,
    - where the motor is at its limit and the error asks for more: the integral would wind up,
    - where the torque of the integral alone would be above that limit,
    - where it is not a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..expr import absolute, expr, logical_and, logical_not, logical_or, parameter, select
from ..program.of_arrays import program_of, run_over
from ..program.routine import Slot, Stage
from ..reals import Floats
from .joints import Joints
from .law import ControlError, setting

INTEGRAL = "integral"
LARGEST = 1e100  # an error beyond is none: a comparison with nan is false too


@dataclass(frozen=True)
class Integral:
    """``settings`` are those of the dead zone and the window, where they are wanted."""

    joints: Joints
    period: float
    settings: Mapping[str, Floats]

    @property
    def slot(self) -> Slot:
        return Slot(INTEGRAL, (self.joints.count,), "of the errors of position at the calls before, times the period")

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        return dict.fromkeys(self.settings, self.joints.suffixes)

    def stage(self, limits: Mapping[int, str], *, is_torque: bool) -> Stage:
        """After the torques: from ``error`` (n,), ``tau_wanted`` and the integral the one at the next call. ``is_torque`` says that
        KI times the integral is a torque."""
        joints, n = self.joints, self.joints.count
        suffix = dict(zip(joints.driven, joints.suffixes, strict=True))

        def summed(error: Any, tau_wanted: Any, integral: Any) -> dict[str, Any]:
            made = list(integral)
            for k in joints.driven:
                e, more = error[k], integral[k] + self.period * error[k]
                adds = absolute(e) < LARGEST
                if "dead_zone" in self.settings:
                    adds = logical_and(adds, absolute(e) > parameter(f"dead_zone{suffix[k]}"))
                if "window" in self.settings:
                    adds = logical_and(adds, absolute(e) < parameter(f"window{suffix[k]}"))
                if k in limits:
                    limit, torque = parameter(limits[k]), tau_wanted[joints.in_qd + k]
                    up, down = logical_and(torque > limit, e > 0), logical_and(torque < -limit, e < 0)
                    if is_torque:
                        alone = parameter(f"KI{suffix[k]}") * more
                        up = logical_or(up, logical_and(alone > limit, e > 0))
                        down = logical_or(down, logical_and(alone < -limit, e < 0))
                    adds = logical_and(adds, logical_not(logical_or(up, down)))
                made[k] = select(adds, more, integral[k])
            return {"integral_now": [expr(x) for x in made]}

        shapes = {"error": (n,), "tau_wanted": (n + joints.in_qd,), INTEGRAL: (n,)}
        return run_over(program_of("integral", shapes, summed))


def integral_of(joints: Joints, period: float, dead_zone: Any, window: Any) -> Integral:
    """What is None is not in the code."""
    given = {"dead_zone": dead_zone, "window": window}
    count = len(joints.driven)
    made = {name: setting(name, x, count, least=0.0) for name, x in given.items() if x is not None}
    if len(made) == 2 and (made["window"] <= made["dead_zone"]).any():
        raise ControlError("window: it is not above the dead_zone: the integral would never act")
    return Integral(joints, period, made)
