"""From the reference position of a mode to the position that is asked for: short steps, each the start of the next.

Newton's iteration from far away ends anywhere. The start of a mode is known to close the loops at the reference position of
the driven joints; from there they are moved in a straight way, so that the mode stays the same until it ends. A step is good
if the first correction, which goes where the derivatives lead, is short and nearly all that is needed; else it is made again with
half the length. Where a mode ends, derivatives grow beyond all bounds, and no step is short enough. A start that does not close the loops at the reference is one that was given: it is near, and taken as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from ...expr import (
    Expr,
    absolute,
    expr,
    free_symbols,
    logical_not,
    logical_or,
    maximum,
    minimum,
    number,
    select,
    variable,
)
from ...program import Array, Graph, Program
from ...program.lower import lower
from ...program.routine import Copy, Fill, Repeat, Run, Stage
from ...robot import PRISMATIC, Robot
from ..inverse_geometry.closed_form.program import both
from .newton import LEAPT, PREFIX, STILL, Iteration, array_of

STEP = 0.1  # of a driven joint at first: radians, or parts of the size of the loops
LONGEST, CURVED = (
    0.29,
    0.2,
)  # of a passive joint in a step (not as far as Newton goes at most), and what is left to correct
SHORTEST = 1e-3  # of the first step: when the mode has ended
MOST, NEWTON_STEPS = 5000, 10
NEAR = 0.02  # what may be left of the closure at the reference, of a start that belongs there
Q, DONE, LENGTH, LEAST, TURNS, ENDED = (
    f"{PREFIX}{name}" for name in ("q", "done", "length", "least", "turns", "ended")
)


def followed(iterations: Sequence[Iteration], q: Array, reference: Sequence[float] | None) -> list[Stage]:
    """All iterations at q, by the way from the reference if there is one."""
    here: list[Stage] = []
    for one in iterations:
        here += [Run(one.programs[0]), one.newton(), *one.inverse()]
    if reference is None:
        return [Fill(LEAPT), *here]
    there: list[Stage] = [Run(_at(reference))]
    step: list[Stage] = [Run(_next(q, reference))]
    for one in iterations:
        there += [Run(one.programs[0], {"q": Q}), Run(one.programs[1])]
        before, first = (Copy(one.unknown.name, one.name(what)) for what in ("before", "first"))
        step += [before, Run(one.programs[0], {"q": Q}), one.newton(1), first, one.newton(NEWTON_STEPS)]
    judged = _judged(iterations)
    step.append(Run(judged, {array.name: array.name.removesuffix("_now") for array in judged.outputs}))
    begun = Run(_begun(iterations, q, reference))
    return [*there, begun, Repeat(TURNS, tuple(step), until=ENDED), Run(_leapt()), *here]


def _at(reference: Sequence[float]) -> Program:
    output = Array(Q, (len(reference),), tuple(number(x) for x in reference))
    return lower(Graph("reference position", (), (output,), {}))


def _begun(iterations: Sequence[Iteration], q: Array, reference: Sequence[float]) -> Program:
    """The first step, as a part of the way, and the shortest; none where the start does not belong to the reference."""
    used = {s for one in iterations for s in free_symbols(*one.programs[0].roots)}
    units = _units(iterations[0].robot, q, iterations[0].size)
    ways = [absolute((x - r) / u) for x, r, u in zip(q.entries, reference, units, strict=True) if x in used]
    far = reduce(maximum, map(expr, ways), number(0))
    left = [_array(one, "e") for one in iterations]
    total = sum((x * x for array in left for x in array.entries), number(0))
    there = expr(total <= NEAR**2)
    length = minimum(STEP / maximum(far, STEP), 1)
    outputs = {
        TURNS: select(there, MOST, 0),
        DONE: select(there, 0, 1),
        LENGTH: length,
        LEAST: length * SHORTEST,
        ENDED: number(0),
    }
    return _scalars("first step", (q, *left), outputs)


def _units(robot: Robot, q: Array, size: Expr) -> list[Expr]:
    """Of the entries of q: one, or the size."""
    sliding = {frame.joint.variable for frame in robot.frames if frame.sigma == PRISMATIC}
    return [size if x in sliding else number(1) for x in q.entries]


def _next(q: Array, reference: Sequence[float]) -> Program:
    """The position after the step."""
    done, length = variable(DONE), variable(LENGTH)
    part = minimum(done + length, 1)
    entries = tuple(expr(r + part * (x - r)) for x, r in zip(q.entries, reference, strict=True))
    inputs = (q, Array(DONE, (), (done,)), Array(LENGTH, (), (length,)))
    return lower(Graph("next position", inputs, (Array(Q, q.shape, entries),), {}))


def _judged(iterations: Sequence[Iteration]) -> Program:
    """Whether the step is made, or made again with half the length."""
    done, length, least = (variable(name) for name in (DONE, LENGTH, LEAST))
    inputs = [Array(name, (), (variable(name),)) for name in (DONE, LENGTH, LEAST)]
    good = number(1)
    for one in iterations:
        dx, before, first = (_array(one, what) for what in ("dx", "before", "first"))
        inputs += [one.unknown, dx, before, first]
        moved = _largest([a - b for a, b in zip(first.entries, before.entries, strict=True)])
        more = _largest([a - b for a, b in zip(one.unknown.entries, first.entries, strict=True)])
        good = both(good, expr(moved <= LONGEST))
        good = both(good, expr(more <= CURVED * moved + STILL))
        good = both(good, expr(_largest(dx.entries) <= STILL))
    there = select(good, minimum(done + length, 1), done)
    after = select(good, length * 1.5, length * 0.5)
    ended = logical_or(expr(there >= 1), expr(after < least))
    outputs = []
    for one in iterations:
        before = _array(one, "before")
        entries = (select(good, x, b) for x, b in zip(one.unknown.entries, before.entries, strict=True))
        outputs.append(Array(f"{one.unknown.name}_now", one.unknown.shape, tuple(map(expr, entries))))
    scalars = {f"{DONE}_now": there, f"{LENGTH}_now": after, ENDED: ended}
    outputs += [Array(name, (), (expr(x),)) for name, x in scalars.items()]
    return lower(Graph("step judged", tuple(inputs), tuple(outputs), {}))


def _leapt() -> Program:
    """Whether the way was not followed to its end."""
    done = variable(DONE)
    return _scalars("end of the way", (Array(DONE, (), (done,)),), {LEAPT: logical_not(expr(done >= 1))})


def _scalars(name: str, inputs: tuple[Array, ...], outputs: dict[str, Expr]) -> Program:
    made = tuple(Array(key, (), (expr(x),)) for key, x in outputs.items())
    return lower(Graph(name, inputs, made, {}))


def _largest(entries: Sequence[Expr]) -> Expr:
    return reduce(maximum, [absolute(expr(x)) for x in entries])


def _array(one: Iteration, what: str) -> Array:
    """An array of the iteration with an entry for each unknown."""
    return array_of(one.name(what), one.unknown.shape)
