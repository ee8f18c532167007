"""From expressions to lines ``name = text`` of bounded nesting.

Expressions are written inline, except for what must have a name of its own: a part used more than once (written out
each time, a shared graph could grow exponentially, and the count of operations says each part is computed once), the
base of a power, and parts nested so deeply that compilers give up (C99 promises 63 levels, Python 200).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..expr import Expr, postorder
from ..expr.algebra import is_scaled
from ..expr.node import CONSTANT, PROD, STEP
from ..program.program import Step, live_steps
from .interface import Argument, Interface, symbols_used
from .printer import CodePrinter

DEEPEST = 20


@dataclass(frozen=True)
class Load:
    """``name`` = entry ``index`` of an argument."""

    name: str
    argument: Argument
    index: int


@dataclass(frozen=True)
class Line:
    """``name`` = ``text``."""

    name: str
    text: str


@dataclass(frozen=True)
class Body:
    """The body of one function: what is read, computed and returned."""

    loads: tuple[Load, ...]
    lines: tuple[Line, ...]
    results: tuple[tuple[Argument, tuple[str, ...]], ...]

    @property
    def arguments_read(self) -> set[str]:
        return {load.argument.name for load in self.loads}


def main_body(facts: Interface, printer: CodePrinter) -> Body:
    return _body(facts, printer, facts.read, facts.program.steps, facts.outputs)


def precompute_body(facts: Interface, printer: CodePrinter) -> Body:
    return _body(facts, printer, (facts.parameters,), facts.program.precompute, (facts.constants,))


def _body(
    facts: Interface,
    printer: CodePrinter,
    arguments: Sequence[Argument],
    steps: Sequence[Step],
    outputs: Sequence[Argument],
) -> Body:
    results = [entry for output in outputs for entry in output.array.entries]
    steps = live_steps(steps, results)
    used = symbols_used(steps, results)
    loads = [
        Load(facts.symbols[symbol], argument, i)
        for argument in arguments
        for i, symbol in enumerate(argument.array.entries)
        if symbol in used
    ]
    printer.names = {load.argument.array.entries[load.index]: load.name for load in loads}
    lines: list[Line] = []
    to_name = _parts_to_name([*(step.expr for step in steps), *results], printer.largest)
    seen: set[Expr] = set()

    def name_parts(root: Expr, root_too: bool) -> None:
        for node in _unseen(root, seen):
            if node in to_name and node not in printer.names and (root_too or node is not root):
                text = printer.write(node)
                printer.names[node] = facts.names.numbered("t")
                lines.append(Line(printer.names[node], text))

    for step in steps:
        name_parts(step.expr, root_too=False)
        text = printer.write(step.expr)
        printer.names[step.symbol] = facts.symbols[step.symbol]
        if step.expr.args:
            printer.names.setdefault(step.expr, facts.symbols[step.symbol])
        lines.append(Line(facts.symbols[step.symbol], text))
    texts = []
    for output in outputs:
        for entry in output.array.entries:
            name_parts(entry, root_too=True)
        texts.append((output, tuple(printer.write(entry) for entry in output.array.entries)))
    return Body(tuple(loads), tuple(lines), tuple(texts))


def _is_free(node: Expr) -> bool:
    """Whether writing the node again costs nothing beyond its argument: a change of sign, the mark of a step."""
    return node.op == STEP or (is_scaled(node) and node.value[1][0] == -1)


def _parts_to_name(roots: Sequence[Expr], largest: int | None) -> set[Expr]:
    order = postorder(roots)
    times = dict.fromkeys(order, 0)
    for root in roots:
        times[root] += 1
    for node in reversed(order):
        for arg in node.args:
            times[arg] += times[node] if _is_free(node) else 1
    compound = [node for node in order if node.args and node.level != CONSTANT]  # constants are written as a number
    chosen = {node for node in compound if times[node] > 1 and not _is_free(node)}
    for node in compound:
        if node.op == PROD:
            pairs = zip(node.args, node.value, strict=True)
            chosen.update(base for base, exponent in pairs if base.args and abs(exponent) > 1)
    depth = dict.fromkeys(order, 0)
    for node in compound:
        deep = 1 + max(depth[arg] for arg in node.args)
        if deep > DEEPEST:
            chosen.add(node)
        depth[node] = 0 if node in chosen else deep
    return chosen if largest is None else _small_parts(order, chosen, largest)


def _small_parts(order: Sequence[Expr], named: set[Expr], largest: int) -> set[Expr]:
    """More parts to name, so that a line holds at most this many nodes (or one node and all its arguments)."""
    chosen = set(named)
    weight = dict.fromkeys(order, 1)
    for node in order:
        parts = {arg: weight[arg] for arg in node.args if arg not in chosen and arg.args and arg.level != CONSTANT}
        total = 1 + len(node.args) + sum(size - 1 for size in parts.values())
        for arg in sorted(parts, key=parts.__getitem__, reverse=True):
            if total <= largest or parts[arg] == 1:
                break
            chosen.add(arg)
            total -= parts[arg] - 1
        weight[node] = total
        if total > largest and node.args and node.level != CONSTANT:
            chosen.add(node)
    return chosen


def _unseen(root: Expr, seen: set[Expr]) -> Iterator[Expr]:
    """The nodes below a root that were not seen before, arguments first."""
    stack = [root]
    while stack:
        node = stack[-1]
        if node in seen:
            stack.pop()
            continue
        waiting = [arg for arg in node.args if arg not in seen]
        if waiting:
            stack.extend(reversed(waiting))
        else:
            seen.add(node)
            stack.pop()
            yield node
