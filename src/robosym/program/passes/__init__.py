"""The passes, one per file, and the pipeline that keeps what pays."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from ...expr import Expr
from ..gather import gather
from ..graph import Graph, raise_program
from ..lower import written
from ..program import Array, Program
from .base import Pass
from .dissolve import DISSOLVE
from .factor import FACTOR
from .recombine import RECOMBINE
from .regroup import REGROUP

PASSES: dict[str, Pass] = {one.name: one for one in (DISSOLVE, RECOMBINE, FACTOR, REGROUP)}

Weight = tuple[int, int, int]

# How many ways of writing a model go through the passes, and how much more than the cheapest they may cost before.
CANDIDATES, CLOSE = 2, 1.03

# Tried one after the other; what does not lower the count is left out.
PIPELINE: tuple[Pass, ...] = (RECOMBINE, FACTOR, REGROUP)


def optimised(*graphs: Graph, order: Sequence[Expr] | None = None) -> Program:
    """A cheap program for a model, given one or more ways of writing it: the two cheapest go through the pipeline.

    Steps used once are opened first, for the passes to work on longer sums. ``order`` is that of the parameters; by default
    those in use.
    """
    different: dict[tuple[Array, ...], Graph] = {}  # two ways of writing may come to the same
    for graph in graphs:
        different.setdefault(graph.outputs, graph)
    weighed = [
        (gathered, weight(gathered)) for gathered in (gather(one, open_steps=True) for one in different.values())
    ]
    weighed.sort(key=itemgetter(1))
    close = [one for one in weighed[:CANDIDATES] if one[1][0] <= CLOSE * weighed[0][1][0]]
    best, _ = min((_through_pipeline(*one) for one in close), key=itemgetter(1))
    return written(best, order)


def _through_pipeline(best: Graph, least: Weight) -> tuple[Graph, Weight]:
    """Every pass that lowers the count."""
    for one in PIPELINE:
        changed = one.run(best)
        if changed.outputs == best.outputs:
            continue
        candidate = gather(changed, settled=set(best.nodes))
        its = weight(candidate)
        if its < least:
            best, least = candidate, its
    return best, least


def weight(graph: Graph) -> Weight:
    """What is minimised: operations by the published rule, then the strict total, then sines and cosines."""
    o = graph.operations
    return (o.total + 4 * o.div + 8 * o.other, o.strict, o.trig)


def optimise_program(program: Program) -> Program:
    """The optimiser on its own, for a program from anywhere."""
    return optimised(raise_program(program), order=program.parameter_symbols)


__all__ = ["DISSOLVE", "FACTOR", "PASSES", "RECOMBINE", "REGROUP", "Pass", "optimise_program", "optimised", "weight"]
