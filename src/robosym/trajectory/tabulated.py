"""A trajectory of any number of pieces as a routine: its times and coefficients are tables that a call is given.

The piece that t is in is found by halving, so a call takes log2(pieces) turns; then each polynomial is evaluated once (Horner). The code
depends on the size of the tables alone: a new motion of as many pieces is new data for the same function.
"""

from __future__ import annotations

import math
from typing import Any

from ..expr import floor, maximum, minimum, select
from ..expr.functions import less_equal
from ..options.validate import validated
from ..program import Program
from ..program.of_arrays import program_of, run_over
from ..program.routine import Fill, Repeat, Routine, Run, Slot, Stage, Take, verified_routine
from ..reals import Floats
from .documentation import documentation_of
from .program import horner
from .trajectory import Trajectory


@validated
def tables(trajectory: Trajectory) -> dict[str, Floats]:
    """Tables that the routine of a trajectory takes beside the time.

    Parameters
    ----------
    trajectory
        Motion of the joints.

    Returns
    -------
    dict
        Times of the pieces [s] and the coefficients of their polynomials.
    """
    return {"times": trajectory.times, "coefficients": trajectory.coefficients}


@validated
def routine(trajectory: Trajectory, name: str = "motion") -> Routine:
    """Routine of a trajectory, which takes the polynomials as tables.

    The code depends on the size of the tables only: a new motion of as many pieces is new data for the same function.
    Print it with ``codegen.source(routine(move), "c")``. In Python call ``compile_program(routine(move))(t=...,
    **tables(move))``. Before the start it returns the state at the start, after the end that at the end, and nan for
    a time that is nan.

    Parameters
    ----------
    trajectory
        Motion of the joints.
    name
        Name of the generated function.

    Returns
    -------
    Routine
        Inputs t [s], times and coefficients; outputs q, qd and qdd.
    """
    pieces, powers, n = trajectory.coefficients.shape
    stages: list[Stage] = [
        Fill("low"),
        Fill("high", (), float(pieces - 1)),
        Fill("last", (), float(pieces)),
        Fill("first"),
        Take("times", "first", "start"),
        Take("times", "last", "end"),
        Run(_inside()),
    ]
    if pieces > 1:
        halving = (Run(_middle()), Take("times", "middle", "there"), run_over(_halved()))
        stages.append(Repeat(math.ceil(math.log2(pieces)), halving))
    stages += [Take("times", "low", "begun"), Take("coefficients", "low", "own"), Run(_polynomials(powers, n))]
    inputs = (
        Slot("t", (), "seconds"),
        Slot("times", (pieces + 1,), "where the pieces begin, and the end"),
        Slot("coefficients", (pieces, powers, n), "of the powers 0, 1, 2 ... of the time since a piece began"),
    )
    made = [("q", "positions"), ("qd", "velocities"), ("qdd", "accelerations")]
    outputs = tuple(Slot(word, (n,), f"{about} of {', '.join(trajectory.joints)}") for word, about in made)
    notes = (f"{trajectory.name} of {n} joints in {pieces} pieces",)
    return verified_routine(Routine(name, inputs, outputs, tuple(stages), notes, documentation_of(trajectory)))


def _inside() -> Program:
    shapes: dict[str, tuple[int, ...]] = {"t": (), "start": (), "end": ()}
    return program_of("inside", shapes, lambda t, start, end: {"inside": minimum(maximum(t, start), end)})


def _middle() -> Program:
    """Rounded up: the piece in the middle is never the lower one, as long as there are two."""
    return program_of("middle", {"low": (), "high": ()}, lambda low, high: {"middle": floor((low + high + 1) / 2)})


def _halved() -> Program:
    """The time is in the piece in the middle or later, or before it."""

    def body(inside: Any, there: Any, middle: Any, low: Any, high: Any) -> dict[str, Any]:
        later = less_equal(there, inside)
        return {"low_now": select(later, middle, low), "high_now": select(later, high, middle - 1)}

    names = ("inside", "there", "middle", "low", "high")
    return program_of("halved", dict.fromkeys(names, ()), body)


def _polynomials(powers: int, n: int) -> Program:
    def body(inside: Any, begun: Any, own: Any) -> dict[str, Any]:
        local = inside - begun
        found: dict[str, Any] = {}
        for order, word in enumerate(("q", "qd", "qdd")):
            rows = [math.perm(k, order) * own[k] for k in range(order, powers)]
            values = [horner([row[j] for row in rows], local) if rows else 0 for j in range(n)]
            # Constants would stay what they are where the time is nan.
            found[word] = values if len(rows) > 1 else [select(less_equal(begun, inside), x, local) for x in values]
        return found

    return program_of("polynomials", {"inside": (), "begun": (), "own": (powers, n)}, body)
