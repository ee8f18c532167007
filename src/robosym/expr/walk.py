"""Walking expressions: order, substitution, symbols. Every walk is a loop, however deep the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from .algebra import ExprLike, expr
from .node import SYM, Expr
from .rebuild import rebuild


def postorder(roots: Iterable[Expr], leaves: int = -1) -> list[Expr]:
    """Every node below the roots once, arguments before the nodes that use them, in a structural order.

    Nodes of level ``leaves`` or lower are taken as leaves: with PARAMETER, what lies below a parameter expression is left
    out.
    """
    seen: set[Expr] = set()
    order: list[Expr] = []
    stack = list(roots)
    stack.reverse()
    while stack:
        node = stack[-1]
        if node not in seen:
            waiting = []
            for arg in node.args if node.level > leaves else ():
                if arg not in seen:
                    if arg.args and arg.level > leaves:
                        waiting.append(arg)
                    else:
                        seen.add(arg)
                        order.append(arg)
            if waiting:
                waiting.reverse()
                stack += waiting
                continue
            seen.add(node)
            order.append(node)
        stack.pop()
    return order


def transform(roots: Sequence[Expr], change: Callable[[Expr], Expr | None]) -> list[Expr]:
    """Rebuild the roots bottom-up; ``change`` sees each node after its arguments and may return a replacement."""
    done: dict[Expr, Expr] = {}
    for node in postorder(roots):
        new = _with_args(node, done)
        replacement = change(new)
        done[node] = new if replacement is None else replacement
    return [done[root] for root in roots]


def substitute(roots: Sequence[Expr], values: Mapping[Expr, ExprLike]) -> list[Expr]:
    """Replace nodes (usually symbols) by expressions or numbers, all at once."""
    table = {node: expr(value) for node, value in values.items()}
    done: dict[Expr, Expr] = {}
    for node in postorder(roots):
        done[node] = table[node] if node in table else _with_args(node, done)
    return [done[root] for root in roots]


def _with_args(node: Expr, done: Mapping[Expr, Expr]) -> Expr:
    """The node on the new form of its arguments; the node itself when they have not changed."""
    for arg in node.args:
        if done[arg] is not arg:
            return rebuild(node, [done[arg] for arg in node.args])
    return node


def free_symbols(*roots: Expr) -> list[Expr]:
    """The symbols below the roots, in structural order."""
    return sorted((n for n in postorder(roots) if n.op == SYM), key=lambda n: n.key)


def parameter_order(symbol: Expr) -> tuple[str, str, str]:
    """The sort key of a parameter, by its name alone: the same order in every model, law, package and language.

    Names come in the order of their letters. Those of one payload stay together in the order in which it is described, mass,
    centre, inertia: load, load_x, load_y, load_z, load_XX ... load_ZZ (a lower-case ending before an upper-case one).
    """
    stem, _, ending = symbol.name.rpartition("_")
    return (stem, ending.swapcase(), symbol.name) if stem else (symbol.name, "", symbol.name)


def parameters_in(*roots: Expr) -> tuple[Expr, ...]:
    """The parameters below the roots, in their order."""
    found = (n for n in postorder(roots) if n.op == SYM and n.kind == "parameter")
    return tuple(sorted(found, key=parameter_order))


__all__ = ["free_symbols", "parameter_order", "parameters_in", "postorder", "rebuild", "substitute", "transform"]
