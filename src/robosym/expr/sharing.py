"""Writing graphs with much sharing: written out as a tree, a graph of a hundred nodes may have 2^100 terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .count import uses
from .infix import Infix
from .node import Expr
from .walk import free_symbols, postorder

# An expression whose written form would be longer than this many nodes is written as a list of named parts.
LONGEST = 20_000


def tree_size(root: Expr, limit: int = 1 << 62) -> int:
    """How many nodes the fully written expression has (shared parts written each time), at most ``limit``."""
    size: dict[Expr, int] = {}
    for node in postorder([root]):
        size[node] = min(limit, 1 + sum([size[arg] for arg in node.args]))
    return size[root]


def write_out(
    root: Expr, printer: Callable[[Mapping[Expr, str]], Infix], names: Mapping[Expr, str] | None = None
) -> str:
    """The expression in one piece, or as lines ``part = ...`` and a last line when that would be too long."""
    known = dict(names or {})
    lines = []
    parts = _parts(root)
    taken = {symbol.name for symbol in free_symbols(root)} if parts else set()
    index = 0
    for node in parts:
        written = printer(known).write(node)
        index += 1
        while f"t{index}" in taken:
            index += 1
        known[node] = printer(known).part(index)
        lines.append(f"{known[node]} = {written}")
    return "\n".join([*lines, printer(known).write(root)])


def _parts(root: Expr) -> list[Expr]:
    """The nodes to name when writing the whole would be too long: those used more than once."""
    order = postorder([root])
    if tree_size(root) <= max(LONGEST, 2 * len(order)):
        return []
    times = uses([root])
    return [node for node in order if node.args and times[node] > 1 and node is not root]
