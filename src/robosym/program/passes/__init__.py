"""The passes, one per file, and the pipeline that keeps what pays."""

from __future__ import annotations

from ..graph import Graph, raise_program
from ..lower import lower
from ..program import Program
from .base import Pass
from .dissolve import DISSOLVE
from .factor import FACTOR
from .regroup import REGROUP

PASSES: dict[str, Pass] = {one.name: one for one in (DISSOLVE, FACTOR, REGROUP)}

# Which passes in which order: each line is tried from the same start, and the cheapest result stays.
ROUTES: tuple[tuple[Pass, ...], ...] = (
    (),
    (FACTOR,),
    (REGROUP, FACTOR),
    (DISSOLVE, REGROUP, FACTOR),
    (DISSOLVE, FACTOR, REGROUP),
)


def optimised(*graphs: Graph) -> Program:
    """The cheapest program any route finds from any of the graphs, which are the same model written differently.

    Equal counts keep the algorithm's own steps.
    """
    starts = [lower(graph) for graph in graphs]
    best = min(starts, key=weight)
    graph = graphs[starts.index(best)]
    for route in ROUTES:
        current = graph
        for one in route:
            current = one.run(current)
        candidate = lower(current, best.parameters)
        if weight(candidate) < weight(best):
            best = candidate
    return best


def weight(program: Program) -> tuple[int, int, int, int]:
    """What is minimised: operations by the published rule, then the strict total, divisions and functions, steps."""
    o = program.operations
    return (o.total + 4 * o.div + 8 * o.other, o.strict, o.trig, len(program.steps))


def optimise_program(program: Program) -> Program:
    """The optimiser on its own, for a program from anywhere."""
    return optimised(raise_program(program))


__all__ = ["DISSOLVE", "FACTOR", "PASSES", "REGROUP", "Pass", "optimise_program", "optimised", "weight"]
