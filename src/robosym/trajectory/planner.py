"""Planning itself as a program: the fastest jerk-limited motion from rest to rest, for every language and for batches.

What ``point_to_point(..., "jerk-limited")`` does, in closed form and without branches. It is written in the inverses of the limits of
r(t), 1/V = max |D| / k_v and so on, so that joints that do not move need no exception.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ..expr import Expr, expr
from ..expr.functions import absolute, less, less_equal, maximum, power, select, sign, sqrt
from ..options.markers import Range
from ..options.validate import validated
from ..program import Program
from ..program.of_arrays import program_of

TINY = 1e-300  # in place of a divisor that is zero if no joint moves


@validated
def planner(
    joints: Annotated[int, Range(1, 1000)],
    synchronise: Literal["homothetic", "time"] = "homothetic",
    name: str = "plan",
) -> Program:
    """Program that plans the fastest jerk-limited motion from rest to rest.

    Generated code plans motions at run time, in closed form and without branches, also in batches. It does what
    ``point_to_point`` does with the profile "jerk-limited".

    Parameters
    ----------
    joints
        Number of joints, 1 to 1000.
    synchronise
        Synchronisation of the joints: "homothetic" (all joints in step), or "time" (same arrival).
    name
        Name of the generated function.

    Returns
    -------
    Program
        Inputs ``distance``, ``velocity``, ``acceleration`` and ``jerk`` of all joints. Outputs: ``phases``, the
        durations of the seven phases, (7,) in step or (joints, 7); ``rate``, the jerk of each joint in the first
        phase; ``duration``. The jerk of the phases is rate, 0, -rate, 0, -rate, 0, rate.
    """
    each = dict.fromkeys(("distance", "velocity", "acceleration", "jerk"), (joints,))
    return program_of(name, each, _in_step if synchronise == "homothetic" else _in_time)


def _in_step(distance: Any, velocity: Any, acceleration: Any, jerk: Any) -> dict[str, Any]:
    size = [absolute(d) for d in distance]
    v, a, j = (_largest([d / k for d, k in zip(size, limit, strict=True)]) for limit in (velocity, acceleration, jerk))
    rise, hold, stay = _fastest(v, a, j)
    rate = [d / maximum(j, TINY) for d in distance]
    return {"phases": _seven(rise, hold, stay), "rate": rate, "duration": 4 * rise + 2 * hold + stay}


def _in_time(distance: Any, velocity: Any, acceleration: Any, jerk: Any) -> dict[str, Any]:
    """Each joint alone, slowed down to the time of the slowest."""
    own = [
        _fastest(absolute(d) / v, absolute(d) / a, absolute(d) / j)
        for d, v, a, j in zip(distance, velocity, acceleration, jerk, strict=True)
    ]
    alone = [4 * rise + 2 * hold + stay for rise, hold, stay in own]
    duration = _largest(alone)
    phases, rates = [], []
    for (rise, hold, stay), time, d, j in zip(own, alone, distance, jerk, strict=True):
        slower = duration / maximum(time, TINY)
        still = less_equal(time, 0)  # a joint that does not move waits
        phases.append(_seven(rise * slower, hold * slower, select(still, duration, stay * slower)))
        rates.append(select(still, 0, sign(d) * j / (slower * slower * slower)))
    return {"phases": phases, "rate": rates, "duration": duration}


def _seven(rise: Expr, hold: Expr, stay: Expr) -> list[Expr]:
    return [rise, hold, rise, stay, rise, hold, rise]


def _fastest(v: Expr, a: Expr, j: Expr) -> tuple[Expr, Expr, Expr]:
    """The times of constant jerk, constant acceleration and constant velocity over a distance 1, from 1/V, 1/A and 1/J."""
    ramp = j / maximum(a, TINY)  # A / J, the time to full acceleration
    # 1 / V of a motion without time at constant velocity, that does not reach its limit of acceleration, or does.
    short = power(4 * j, expr(1) / 3)
    full = (ramp + sqrt(ramp * ramp + 4 * a)) / 2
    slow = maximum(maximum(v, select(less(j * short, a * a), full, short)), TINY)  # 1 / V
    reached = less(slow * j, a * a)  # whether the limit of acceleration is
    rise = select(reached, ramp, sqrt(j / slow))
    hold = select(reached, maximum(a / slow - rise, 0), 0)
    stay = select(less(TINY, slow), maximum(slow - 2 * rise - hold, 0), 0)
    return rise, hold, stay


def _largest(values: list[Expr]) -> Expr:
    total = values[0]
    for one in values[1:]:
        total = maximum(total, one)
    return total
