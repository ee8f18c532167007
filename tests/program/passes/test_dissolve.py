"""Steps that are used once open into what uses them."""

from __future__ import annotations

import pytest
from program.random_graphs import random_graph, random_values, small_graph

from robosym.expr import evaluate, parameter, sin, step, variable
from robosym.expr.node import STEP, VARIABLE
from robosym.program.passes.dissolve import DISSOLVE, dissolve

a, b, c = variable("a"), variable("b"), variable("c")
p = parameter("p")


def test_only_steps_used_once_are_opened() -> None:
    once, twice, inner = step(a + b), step(a * b), step(b * c)
    graph = small_graph(once + c, twice * a, sin(twice), step(inner + a), names={once: "X", twice: "Y"})
    found = dissolve(graph)
    assert found.roots == [a + b + c, twice * a, sin(twice), b * c + a]
    assert found.names[twice] == "Y"
    assert DISSOLVE.run is dissolve


def test_steps_of_parameters_stay() -> None:
    graph = small_graph(step(p * p + 1) * a)
    assert dissolve(graph).roots == graph.roots


@pytest.mark.parametrize("seed", range(6))
def test_random_graphs_keep_their_values(seed: int) -> None:
    graph, values = random_graph(seed), random_values(seed)
    found = dissolve(graph)
    assert evaluate(found.roots, values) == pytest.approx(evaluate(graph.roots, values), rel=1e-12)
    before = [node for node in graph.nodes if node.op == STEP and node.level == VARIABLE]
    after = [node for node in found.nodes if node.op == STEP and node.level == VARIABLE]
    assert len(after) == sum(graph.uses[node] > 1 for node in before)
