"""Which of several ways of writing a model is kept: one price, and one rule for what goes through the passes."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import itemgetter

from ..expr import PARAMETER, Expr, postorder
from ..expr.count import Operations, tally
from .gather import gather
from .graph import Graph, raise_program
from .lower import written
from .passes import PIPELINE
from .program import Array, Program
from .routine import Routine, with_programs

Price = tuple[int, int, int]

# What a division and a function count beside a multiplication or an addition.
DIVISION, FUNCTION = 4, 8

# How many ways of writing a model go through the passes, and how much more than the cheapest they may cost before; and the
# same for a wide search, where sums of angles or the form of a system pay after the passes only. More of either costs
# time and seldom saves an operation (benchmarks/choices.py).
CANDIDATES, CLOSE = 2, 1.03
MANY_CANDIDATES, NEAR = 4, 1.25
# How much more than the cheapest a way may cost as it was made, in times and in operations besides (a small model costs
# little to try). Beyond, its steps are not even opened.
HOPELESS, FEW = 1.1, 50


def price(counted: Operations) -> Price:
    """What is minimised: operations by the published rule, then the strict total, then sines and cosines."""
    return (counted.total + DIVISION * counted.div + FUNCTION * counted.other, counted.strict, counted.trig)


def estimate(roots: Iterable[Expr]) -> int:
    """The operations of expressions as they stand, before any pass: to compare parts of a model before it is written."""
    return tally(postorder(list(roots), leaves=PARAMETER)).total


@contextmanager
def uncollected() -> Iterator[None]:
    """Without the collector of reference cycles: expressions have none, and it would walk all of them many times over."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@uncollected()
def optimised(*graphs: Graph, order: Sequence[Expr] | None = None, wide: bool = False) -> Program:
    """The cheapest program for a model, given one or more ways of writing it.

    Steps used once are opened first, for the passes to work on longer sums. Then the cheapest graph and those that cost
    little more go through the passes, which gain more on one than on another; with ``wide`` more of them do.
    ``order`` is that of the parameters; by default those in use.
    """
    different: dict[tuple[Array, ...], Graph] = {}  # two ways of writing may come to the same
    for graph in graphs:
        different.setdefault(graph.outputs, graph)
    opened = [gather(one, open_steps=True) for one in _hopeful(list(different.values()), wide)]
    priced = sorted(((one, price(one.operations)) for one in opened), key=itemgetter(1))
    passed = sorted((_through_pipeline(*one) for one in _close(priced, wide)), key=itemgetter(1))
    # Writing shares a little more, now and then: a wide search compares what is still close as it is written.
    best = [one for one, its in passed if its[0] <= CLOSE * passed[0][1][0]]
    found = [written(one, order) for one in (best if wide else best[:1])]
    return found[0] if len(found) == 1 else min(found, key=lambda program: price(program.operations))


def _hopeful(graphs: Sequence[Graph], wide: bool) -> list[Graph]:
    """Those that opening their steps and the passes may make the cheapest."""
    if len(graphs) == 1:
        return list(graphs)
    near = _near([graph.operations for graph in graphs], HOPELESS, wide, FEW)
    return [graph for graph, is_near in zip(graphs, near, strict=True) if is_near]


def _close(priced: Sequence[tuple[Graph, Price]], wide: bool) -> list[tuple[Graph, Price]]:
    """Those that may be the cheapest after the passes."""
    most, times = (MANY_CANDIDATES, NEAR) if wide else (CANDIDATES, CLOSE)
    near = _near([graph.operations for graph, _ in priced], times, wide)
    return [one for one, is_near in zip(priced, near, strict=True) if is_near][:most]


def _near(counted: Sequence[Operations], times: float, wide: bool, few: int = 0) -> list[bool]:
    """Which come near the cheapest; in a wide search also in multiplications, since the passes share sums of angles."""
    totals = [price(one)[0] for one in counted]
    least, fewest = times * min(totals) + few, times * min(one.mul for one in counted) + few
    return [total <= least or (wide and one.mul <= fewest) for total, one in zip(totals, counted, strict=True)]


def _through_pipeline(best: Graph, least: Price) -> tuple[Graph, Price]:
    """Every pass that lowers the price."""
    for one in PIPELINE:
        changed = one.run(best)
        if changed.outputs == best.outputs:
            continue
        candidate = gather(changed, settled=set(best.nodes))
        its = price(candidate.operations)
        if its < least:
            best, least = candidate, its
    return best, least


def optimise_program(program: Program) -> Program:
    """The optimiser on its own, for a program from anywhere."""
    return optimised(raise_program(program), order=program.parameter_symbols).replace(
        notes=program.notes, documentation=program.documentation
    )


def optimise_routine(routine: Routine) -> Routine:
    """The same for each program of a routine."""
    return with_programs(routine, {program: optimise_program(program) for program in routine.programs})
