"""Graphs with much sharing: how large they are written out, and named parts where that is too much."""

from __future__ import annotations

from hypothesis import given

from robosym.expr import Expr, evaluate, parse, sin, text, variable
from robosym.expr.sharing import LONGEST, tree_size, write_out
from robosym.expr.text import TextPrinter

from .strategies import expressions

x = variable("x")


def written_size(node: Expr) -> int:
    return 1 + sum(written_size(arg) for arg in node.args)


def doubled(times: int) -> Expr:
    node = x
    for i in range(times):
        node = sin(node * node + i) + node
    return node


@given(expressions)
def test_the_size_is_that_of_the_tree(e: Expr) -> None:
    assert tree_size(e) == written_size(e)
    assert tree_size(e, 3) == min(3, written_size(e))


def test_the_size_of_a_graph_is_found_without_writing_it() -> None:
    assert tree_size(doubled(60)) > 2**60
    assert tree_size(doubled(60), 1000) == 1000


def test_much_sharing_is_written_as_named_parts() -> None:
    t1 = variable("t1")
    node = t1
    for i in range(60):
        node = sin(node * node + i) + node
    lines = text(node).splitlines()
    assert len(lines) > 50
    assert not any(line.startswith("t1 = ") for line in lines)  # the name is taken
    assert lines[0].startswith("t2 = ")
    assert len(text(node)) < 10_000


def test_the_parts_together_are_the_expression() -> None:
    """Each line computes with the lines before it; the last is the whole."""
    node = doubled(14)
    assert tree_size(node) > LONGEST
    *lines, last = text(node).splitlines()
    known: dict[str, float] = {"x": 0.4}
    for line in lines:
        name, _, right = line.partition(" = ")
        known[name] = float(evaluate([parse(right, variable)], known)[0])
    found = float(evaluate([parse(last, variable)], known)[0])
    assert abs(found - float(evaluate([node], {"x": 0.4})[0])) < 1e-12 * abs(found)


def test_names_of_nodes_are_used_and_short_graphs_stay_in_one_piece() -> None:
    assert write_out(sin(x) * 2 + 1, TextPrinter, {sin(x): "S"}) == "2*S + 1"
    assert "\n" not in text(doubled(8))
