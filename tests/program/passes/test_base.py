"""What passes are made of: nodes on the replacements of their arguments."""

from __future__ import annotations

from robosym.expr import parameter, sin, variable
from robosym.program.passes import PASSES
from robosym.program.passes.base import replaced

a, b, c = variable("a"), variable("b"), variable("c")
p, q = parameter("p"), parameter("q")


def test_a_node_without_changed_arguments_is_itself() -> None:
    node = sin(a * b)
    assert replaced(node, {a * b: a * b}) is node


def test_any_changed_argument_builds_the_node_again() -> None:
    node = a * b + b * c + 1
    done = {a * b: a * b, b * c: sin(c)}
    assert replaced(node, done) is a * b + sin(c) + 1
    assert replaced(a * b, {a: b, b: b}) is b * b


def test_what_depends_on_parameters_alone_stays() -> None:
    assert replaced(p + q, {p: q, q: q}) is p + q


def test_passes_are_known_by_their_names() -> None:
    assert all(one.name == name for name, one in PASSES.items())
    assert all(one.purpose for one in PASSES.values())
