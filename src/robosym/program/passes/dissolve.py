"""Dissolve steps that are used once: their sums and products open into what uses them, for later passes to regroup."""

from __future__ import annotations

from ...expr import Expr
from ...expr.node import STEP, VARIABLE
from ..graph import Graph
from .base import Pass, replaced


def dissolve(graph: Graph) -> Graph:
    times = graph.uses
    done: dict[Expr, Expr] = {}
    for node in graph.nodes:
        if node.op == STEP and node.level == VARIABLE and times[node] == 1:
            done[node] = done[node.args[0]]
        else:
            done[node] = replaced(node, done)
    return graph.rewritten(done)


DISSOLVE = Pass("dissolve", "open the steps that are used only once", dissolve)
