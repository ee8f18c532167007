"""A trajectory as a program, which every language prints: t in, q, qd and qdd out.

The coefficients of the piece that t is in are chosen by a balanced tree of comparisons with the times between pieces, which all joints and
powers share; each polynomial is then evaluated once (Horner). Joints that move in step have one polynomial between them.
"""

from __future__ import annotations

import math

import numpy as np

from ..expr import Expr, evaluate, expr
from ..expr.functions import less, less_equal, maximum, minimum, select
from ..options.validate import validated
from ..program import Program
from ..program.of_arrays import program_of
from ..reals import Floats
from .documentation import documentation_of
from .trajectory import WORDS, Trajectory, TrajectoryError

MOST_PIECES = 64
IN_STEP = 1e-14  # how far joints may be from moving in step, of their coefficients


@validated
def program(trajectory: Trajectory, name: str = "motion") -> Program:
    """Program of a trajectory without loops: time in, joint motion out.

    Print it with ``codegen.source(program(move), "c")``. Before the start it returns the state at the start, after
    the end that at the end, and nan for a time that is nan.

    Parameters
    ----------
    trajectory
        Motion of the joints. At most 64 pieces.
    name
        Name of the generated function.

    Returns
    -------
    Program
        Input t [s]; outputs q, qd and qdd.
    """
    pieces = len(trajectory.coefficients)
    if pieces > MOST_PIECES:
        raise TrajectoryError(
            f"{trajectory!r}: {pieces} pieces are too many for a program without loops, expected {MOST_PIECES} at most: "
            "trajectory.routine takes its pieces as tables"
        )

    def body(t: Expr) -> dict[str, list[Expr]]:
        inside = minimum(maximum(t, 0), float(trajectory.times[-1]))
        before = [less(inside, float(time)) for time in trajectory.times[1:-1]]
        local = inside - _chosen(trajectory.times[:-1], before)
        step, found = _in_step(trajectory), {}
        for order, word in enumerate(WORDS):
            own = (trajectory if step is None else step[0]).derived(order)
            values = [horner([_chosen(c, before) for c in one.T], local) for one in np.moveaxis(own, 2, 0)]
            if step is not None:
                onto = trajectory.start if order == 0 else np.zeros(len(trajectory.joints))
                values = [float(a) + float(b) * values[0] for a, b in zip(onto, step[1], strict=True)]
            found[word] = [_with_time(one, t, inside) for one in values]
        return found

    return program_of(name, {"t": ()}, body).replace(documentation=documentation_of(trajectory))


def _with_time(value: Expr, t: Expr, inside: Expr) -> Expr:
    """The value, or nan where the time is nan: constants would stay what they are there."""
    alone = math.isfinite(evaluate([value], {t: math.nan})[0])
    return select(less_equal(0, inside), value, inside) if alone else value


def _in_step(trajectory: Trajectory) -> tuple[Trajectory, Floats] | None:
    """If q = q(0) + r(t) d with one r for all joints: r, as a joint that starts at 0, and d."""
    own = trajectory.coefficients.copy()
    own[:, 0] -= trajectory.start
    flat = own.reshape(-1, own.shape[2])
    largest = int(np.abs(flat).max(axis=0).argmax())
    r = flat[:, largest]
    if len(trajectory.joints) == 1 or not r.any():
        return None
    d = r @ flat / (r @ r)
    if np.abs(flat - r[:, None] * d).max() > IN_STEP * np.abs(flat).max():
        return None
    return Trajectory((trajectory.joints[largest],), trajectory.times, own[:, :, largest : largest + 1]), d


def _chosen(values: Floats, before: list[Expr]) -> Expr:
    """The value of the piece that the time is in; equal neighbours need no comparison."""
    if np.all(values == values[0]):
        return expr(float(values[0]))
    half = len(values) // 2
    return select(before[half - 1], _chosen(values[:half], before[: half - 1]), _chosen(values[half:], before[half:]))


def horner(coefficients: list[Expr], x: Expr) -> Expr:
    total = coefficients[-1]
    for one in coefficients[-2::-1]:
        total = total * x + one
    return total
