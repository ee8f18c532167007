"""What a pass is: a named function from graph to graph. The pipeline keeps a pass's result only if the count falls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...expr import Expr
from ...expr.node import VARIABLE
from ...expr.walk import rebuild
from ..graph import Graph


def replaced(node: Expr, done: Mapping[Expr, Expr]) -> Expr:
    """The node on the replacements of its arguments; itself where none of them changed."""
    if node.level < VARIABLE:
        return node
    for arg in node.args:
        if done[arg] is not arg:
            return rebuild(node, [done[arg] for arg in node.args])
    return node


@dataclass(frozen=True)
class Pass:
    """A rewriting of a graph that keeps its values. The name is what the command line and the tests call it by."""

    name: str
    purpose: str
    run: Callable[[Graph], Graph]
