"""A step in which joints may come to rest, stick, and break away: around a step of any integrator.

Within a step every joint slips one way or sticks, and friction is smooth. Before it, a joint at rest slips or sticks as the
complementarity problem says: all that stick beyond what friction can hold are let go, all that would go back stick again, until
none is left (block pivoting; after a few rounds only the first such joint changes, which ends for positive definite matrices:
Murty's rule). If speeds change their sign in a step, it is made again up to the first moment at which one is zero; that joint is
at rest then, exactly, and the rest of the step follows. So a joint that sticks does not creep, whatever the step. A joint breaks
away at the beginning of a step, or where another one stops in it: late by less than a step, which is an error of second order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from ..expr import equal, expr, logical_and, logical_or, maximum, minimum, not_equal, select, sign, sqrt
from ..expr.functions import less, less_equal
from ..generated.stages import stages_of
from ..models.dynamic.free.sticking import SLIP
from ..models.integration.integrators import step_of
from ..models.integration.mechanism import ABSOLUTE_WORK, WORK
from ..program import Program
from ..program.of_arrays import program_of, run_over
from ..program.routine import Copy, Repeat, Run, Stage, When
from .plant import Plant

ROUNDS = 4  # of the complementarity problem in which all joints may change at once
MOST_STOPS = 8  # of joints within one step; the last part of a step with more stops joints at its end
FIRST = 1e-9  # of a step: joints that stop within it stop together


def sticking_step(plant: Plant, integrator: str) -> tuple[Stage, ...]:
    """One step of length ``h``; the state is changed in its place."""
    names = [*(slot.name for slot in plant.slots), *(() if plant.actuators is None else (WORK, ABSOLUTE_WORK))]
    again = [Copy(_new(name), name) for name in names]
    parts = (
        Run(_ways(plant)),
        When("any_rest", (*_starting(plant), *_decided(plant))),
        Copy("left", "dt"),
        *step_of(plant, integrator, _new),
        *(_first_accelerations(plant) if integrator == "midpoint" else ()),  # the others have them already
        Run(_stops(plant), {_first(pair.speed): f"{pair.acceleration}1" for pair in plant.pairs}),
        When("stopping", (Copy("part", "dt"), *step_of(plant, integrator, _new))),
        *again,
        run_over(_stopped(plant)),
    )
    return (Copy("h", "left"), Repeat(MOST_STOPS, parts, turn="stop", until="done"))


def _new(name: str) -> str:
    return f"{name}_new"


def _starting(plant: Plant) -> tuple[Stage, ...]:
    """The torques at the beginning of what is left of the step."""
    return () if plant.driven is None else (Copy("left", "dt"), *plant.torques_at(0.0))


# --- which way ---------------------------------------------------------------------------------------------------------


def _ways(plant: Plant) -> Program:
    """Moving joints slip the way they move; those at rest are tried sticking."""
    places = _places(plant)

    def body(**given: Any) -> dict[str, Any]:
        speeds = _joined(plant, given)
        slip = [sign(v) if k in places else expr(1) for k, v in enumerate(speeds)]
        return {SLIP: slip, "any_rest": reduce(logical_or, [equal(speeds[k], 0) for k in places])}

    return program_of("ways to slip", _shapes(plant), body)


# What may stick: the coordinates, and after them the motors of flexible joints.


def _shapes(plant: Plant, name: Callable[[str], str] = str) -> dict[str, tuple[int, ...]]:
    """The arrays of the speeds, or others of their shapes."""
    return {name(pair.speed): (pair.nv,) for pair in plant.pairs}


def _joined(plant: Plant, given: Mapping[str, Any], name: Callable[[str], str] = str) -> list[Any]:
    return [x for pair in plant.pairs for x in given[name(pair.speed)]]


def _total(plant: Plant) -> int:
    return sum(pair.nv for pair in plant.pairs)


def _first(speed: str) -> str:
    """The accelerations at the beginning of a step."""
    return f"{speed}_first"


def _places(plant: Plant) -> tuple[int, ...]:
    assert plant.sticking is not None
    return plant.sticking.places


def _decided(plant: Plant) -> tuple[Stage, ...]:
    """The complementarity problem of the joints at rest."""
    assert plant.sticking is not None
    judge = plant.sticking.judge
    own = {slot.name for slot in (*judge.code.inputs, *judge.code.outputs)}
    shared = ("q", "qd", "q_motor", "qd_motor", "tau", SLIP, "wrench", "hold", "lower", "upper", "assembled")
    names = {name: name for name in shared if name in own}
    names |= {pair.acceleration: f"{pair.speed}_judged" for pair in plant.pairs}
    rounds = ROUNDS + 4 * len(_places(plant))
    return (
        Repeat(rounds, (*stages_of(judge, "judge", names), run_over(_judged(plant))), turn="round", until="judged"),
    )


def _judged(plant: Plant) -> Program:
    """A joint that sticks and is pushed harder than friction holds is let go; one that is let go and would move the other way
    sticks."""
    places = _places(plant)

    def judged(speed: str) -> str:
        return f"{speed}_judged"

    def body(slip: Any, hold: Any, lower: Any, upper: Any, round: Any, **given: Any) -> dict[str, Any]:
        qd, qdd = _joined(plant, given), _joined(plant, given, judged)
        found = list(slip)
        before = expr(0)  # whether a joint before is changed
        alone = less(ROUNDS - 1, round)
        for k in places:
            resting, sticks = equal(qd[k], 0), equal(slip[k], 0)
            pushed = select(less(upper[k], hold[k]), 1, select(less(hold[k], lower[k]), -1, 0))
            kept = select(less(slip[k] * qdd[k], 0), 0, slip[k])
            wanted = select(resting, select(sticks, pushed, kept), slip[k])
            changes = not_equal(wanted, slip[k])
            allowed = logical_and(changes, equal(logical_and(alone, before), 0))
            found[k] = select(allowed, wanted, slip[k])
            before = logical_or(before, changes)
        return {f"{SLIP}_now": found, "judged": equal(before, 0)}

    n = (_total(plant),)
    shapes: dict[str, tuple[int, ...]] = {SLIP: n, "hold": n, "lower": n, "upper": n, "round": ()}
    return program_of("judged", {**_shapes(plant), **_shapes(plant, judged), **shapes}, body)


# --- where joints stop -------------------------------------------------------------------------------------------------


def _first_accelerations(plant: Plant) -> tuple[Stage, ...]:
    """At the beginning of the step: they tell when a speed that changes its sign was zero."""
    places: dict[str, str] = {}
    for pair in plant.pairs:
        places |= {pair.position: pair.position, pair.speed: pair.speed, pair.acceleration: f"{pair.acceleration}1"}
    return (*_starting(plant), *plant.accelerations("plant", places))


def _stops(plant: Plant) -> Program:
    """The part of the step after which the first speed is zero that changes its sign in it: by the parabola through the speeds at
    both ends with the slope at the first."""
    places = _places(plant)

    def body(slip: Any, left: Any, stop: Any, **given: Any) -> dict[str, Any]:
        qd, qd_new, qdd_first = (_joined(plant, given, name) for name in (str, _new, _first))
        times, crossing = [], []
        for k in places:
            crosses = less(slip[k] * qd_new[k], 0)
            crossing.append(crosses)
            times.append(select(crosses, _zero(qd[k], qd_new[k], qdd_first[k] * left), 1))
        earliest = reduce(minimum, times)
        last = less(MOST_STOPS - 1.5, stop)  # no more room: stop at the end of the step
        stopping = logical_and(reduce(logical_or, crossing), equal(last, 0))
        part = select(stopping, earliest, 1)
        stopped = [expr(0)] * _total(plant)
        for k, t, crosses in zip(places, times, crossing, strict=True):
            stopped[k] = logical_and(crosses, less_equal(t, part + FIRST))
        return {"stopping": stopping, "part": part * left, "stopped": stopped}

    speeds = {key: shape for name in (str, _new, _first) for key, shape in _shapes(plant, name).items()}
    return program_of("where joints stop", {**speeds, SLIP: (_total(plant),), "left": (), "stop": ()}, body)


def _zero(v0: Any, v1: Any, slope: Any) -> Any:
    """The first zero of v0 + slope t + (v1 - v0 - slope) t^2 in (0, 1], where v0 and v1 differ in sign (or v0 is zero: that is the
    beginning, and the zero is the other one)."""
    c = v1 - v0 - slope
    root = sqrt(maximum(slope * slope - 4 * c * v0, 0))
    # 2 v0 / (-slope -+ root) has no cancellation when the sign is that of -slope; the other root is (-slope ...) / (2 c).
    big = -slope + select(less(slope, 0), root, -root)
    near = _ratio(2 * v0, select(equal(v0, 0), 0, big))
    far = _ratio(big, 2 * c)
    inside = [logical_and(less_equal(0, t), less_equal(t, 1)) for t in (near, far)]
    straight = _ratio(v0, v0 - v1)
    first = select(inside[0], select(inside[1], minimum(near, far), near), select(inside[1], far, straight))
    return minimum(maximum(first, 0), 1)


def _ratio(above: Any, below: Any) -> Any:
    """A time that is outside of the step where there is none."""
    none = equal(below, 0)
    return select(none, 2, above / select(none, 1, below))


def _stopped(plant: Plant) -> Program:
    """Those that stop are at rest exactly, as are those that stick; what is left of the step."""
    places = _places(plant)

    def body(slip: Any, stopped: Any, left: Any, part: Any, **given: Any) -> dict[str, Any]:
        speeds = _joined(plant, given)
        for k in places:
            speeds[k] = select(logical_or(stopped[k], equal(slip[k], 0)), 0, speeds[k])
        remaining = select(less(part, left), left - part, 0)
        now: dict[str, Any] = {"left_now": remaining, "done": less_equal(remaining, 0)}
        for pair in plant.pairs:
            now[f"{pair.speed}_now"], speeds = speeds[: pair.nv], speeds[pair.nv :]
        return now

    n = (_total(plant),)
    return program_of("stopped", {**_shapes(plant), SLIP: n, "stopped": n, "left": (), "part": ()}, body)
