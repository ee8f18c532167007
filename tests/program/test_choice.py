"""Of several ways of writing a model the cheapest stays, by one price."""

from __future__ import annotations

import pytest
from program.random_graphs import small_graph

from robosym.expr import cos, parameter, sin, sqrt, variable
from robosym.expr.count import Operations
from robosym.program import Graph, choice, optimised
from robosym.program.choice import estimate, price

a, b, c, d, e = (variable(name) for name in "abcde")


def test_the_price_counts_divisions_and_functions_and_breaks_ties() -> None:
    cheapest_first = [
        Operations(mul=4, add=4),
        Operations(mul=4, add=4, trig=2),
        Operations(mul=4, add=4, trig=2, derived_angles=1),
        Operations(mul=5, add=4),
        Operations(mul=3, add=3, div=1),
        Operations(mul=3, add=3, other=1),
    ]
    prices = [price(one) for one in cheapest_first]
    assert prices == sorted(prices)
    assert len(set(prices)) == len(prices)


def test_an_estimate_leaves_the_work_on_parameters_out() -> None:
    k, m = parameter("k"), parameter("m")
    assert estimate([(k * m + k) * a + b]) == 2
    assert estimate(iter([a * b, a * b + c])) == 2  # what both use counts once


@pytest.mark.parametrize("wide", [False, True])
def test_the_cheapest_way_stays_whatever_the_order(wide: bool) -> None:
    """sin^2 + cos^2 = 1, which no pass knows."""
    short, long = small_graph(a * b + c), small_graph(a * b + c * (sin(d) * sin(d) + cos(d) * cos(d)))
    for graphs in ((short, long), (long, short)):
        assert optimised(*graphs, wide=wide).operations.total == 2


def test_a_function_is_dearer_than_a_few_products() -> None:
    """sqrt(x^2 x^2) = x^2: three operations fewer than eight."""
    assert optimised(small_graph(sqrt(a**4) * b), small_graph(a * a * b)).operations.other == 0


def _tried(monkeypatch: pytest.MonkeyPatch, graphs: list[Graph], wide: bool) -> int:
    seen: list[Graph] = []
    through = choice._through_pipeline
    monkeypatch.setattr(choice, "_through_pipeline", lambda g, p: seen.append(g) or through(g, p))
    optimised(*graphs, wide=wide)
    monkeypatch.undo()
    return len(seen)


def test_few_go_through_the_passes_and_more_in_a_wide_search(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = [sin(a + k) * b for k in range(40)]
    alike = [small_graph(*terms, c + k) for k in range(7)]
    assert _tried(monkeypatch, alike, wide=False) == choice.CANDIDATES
    assert _tried(monkeypatch, alike, wide=True) == choice.MANY_CANDIDATES
    dearer = [small_graph(*terms, c), small_graph(*terms, *(cos(c + k) * d for k in range(4)))]  # a tenth more
    assert _tried(monkeypatch, dearer, wide=False) == 1
    assert _tried(monkeypatch, dearer, wide=True) == 2
    assert _tried(monkeypatch, [alike[0], alike[0]], wide=True) == 1  # the same is tried once


def test_what_is_far_dearer_is_not_even_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Graph] = []
    gather = choice.gather
    monkeypatch.setattr(choice, "gather", lambda g, **how: opened.append(g) or gather(g, **how))
    short = small_graph(*(sin(a + k) * b for k in range(100)))
    long = small_graph(*(sin(a + k) * b + cos(c * k) * d for k in range(100)))
    optimised(long, short)
    assert long not in opened
    assert short in opened
