"""Dissolve steps that are used once: their sums and products open into what uses them, for later passes to regroup."""

from __future__ import annotations

from ...expr import Expr
from ...expr.algebra import split_coefficient
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
    return graph.replaced(done, renamed(graph.names, done))


def renamed(names: dict[Expr, str], done: dict[Expr, Expr]) -> dict[Expr, str]:
    """The names of a graph's steps after its nodes were replaced."""
    moved: dict[Expr, str] = {}
    for node, name in names.items():
        _, target = split_coefficient(done.get(node, node))
        if target.args:
            moved.setdefault(target, name)
    return moved


DISSOLVE = Pass("dissolve", "open the steps that are used only once", dissolve)
