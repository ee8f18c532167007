"""How fast expressions are built and walked: ``python benchmarks/expressions.py`` prints a table."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.table import Table
from sizes import sized

from robosym.expr import (
    Expr,
    cos,
    count,
    derivative,
    evaluate,
    free_symbols,
    join_angles,
    latex,
    number,
    parameter,
    parse,
    postorder,
    sin,
    step,
    substitute,
    tangents,
    text,
    variable,
)
from robosym.expr.serial import read_table, to_table

LINKS = sized(32, 3)
LEVELS = sized(25_000, 200)  # of the deep graph, four nodes each
TERMS = sized(100_000, 500)
PRODUCTS = sized(3000, 30)
RUNS = sized(20, 1)


def newton_euler_like(links: int = LINKS) -> list[Expr]:
    """A recursion of the size and shape of a Newton-Euler model: about 2000 nodes for 32 links."""
    w = [number(0)] * 3
    force = [number(0)] * 3
    out: list[Expr] = []
    for j in range(links):
        c, s, qd = cos(variable(f"q{j}")), sin(variable(f"q{j}")), variable(f"qd{j}")
        inertia = [[parameter(f"{row}{column}{j}") for column in "XYZ"] for row in "XYZ"]
        w = [step(c * w[0] + s * w[2]), step(c * w[2] - s * w[0]), step(w[1] + qd)]
        u = [step(w[i] * w[(i + 1) % 3]) for i in range(3)] + [step(-(w[i] ** 2) - w[i - 1] ** 2) for i in range(3)]
        moment = [step(sum((inertia[i][k] * u[(i + k) % 6] for k in range(3)), number(0))) for i in range(3)]
        force = [step(force[k] + moment[k] * c - moment[(k + 1) % 3] * s) for k in range(3)]
        out += force
    return out


def deep_graph(levels: int = LEVELS) -> Expr:
    """A chain of four nodes a level."""
    node, a = variable("x"), parameter("a")
    for i in range(levels):
        node = step(sin(node) * a + (i % 7))
    return node


def long_sum(terms: int = TERMS) -> Expr:
    total = number(0)
    for i in range(terms):
        total = total + variable(f"x{i}")
    return total


def milliseconds(work: Callable[[], Any], repeat: int) -> float:
    """The best of several runs, of one in the small size; results are dropped between runs, so building starts from nothing."""
    best = float("inf")
    for _ in range(min(repeat, RUNS)):
        start = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - start)
        del result
    return 1e3 * best


def import_time() -> float:
    """Milliseconds to import the package in a fresh interpreter, less the interpreter's own start."""

    def start(code: str) -> float:
        return milliseconds(lambda: subprocess.run([sys.executable, "-c", code], check=True), 5)

    return start("import robosym.expr") - start("pass")


def main() -> None:
    table = Table("work", "nodes", "ms", "ns / node", title="robosym.expr")

    def row(name: str, nodes: int, work: Callable[[], Any], repeat: int = 10) -> None:
        spent = milliseconds(work, repeat)
        table.add_row(name, str(nodes), f"{spent:.2f}", f"{1e6 * spent / nodes:.0f}")

    build_size = len(postorder(newton_euler_like()))
    row("build a Newton-Euler-like graph", build_size, newton_euler_like, 20)
    model = newton_euler_like()
    values = dict.fromkeys(free_symbols(*model), 0.3)
    row("build it again (all nodes known)", build_size, newton_euler_like, 20)
    row("postorder", build_size, lambda: postorder(model), 20)
    row("count operations", build_size, lambda: count(model), 20)
    row("evaluate on floats", build_size, lambda: evaluate(model, values))
    row("derive by time", build_size, lambda: tangents(model, {s: 1 for s in values if s.kind == "variable"}))
    row("substitute one symbol", build_size, lambda: substitute(model, {variable("q0"): 0}))
    row("join angles", build_size, lambda: join_angles(model))
    row("table and back", build_size, lambda: read_table(to_table(model)))

    deep = deep_graph()
    size = len(postorder([deep]))
    row("deep: build", size, lambda: deep_graph(LEVELS + 1), 2)
    row("deep: derive", size, lambda: derivative(deep, variable("x")), 2)
    row("deep: count", size, lambda: count([deep]), 2)
    row("deep: evaluate", size, lambda: evaluate([deep], {"x": 0.3, "a": 0.5}), 2)
    row("deep: text", size, lambda: text(deep), 2)
    row("deep: LaTeX", size, lambda: latex(deep), 2)
    row("deep: table and back", size, lambda: read_table(to_table([deep])), 2)
    row(f"add {TERMS} terms one by one", TERMS, long_sum, 1)
    written = "+".join(f"a{i}*cos(q{i} - 30 deg)" for i in range(PRODUCTS))
    row(f"parse a sum of {PRODUCTS} products", len(postorder([parse(written)])), lambda: parse(written), 3)
    Console().print(table)
    Console().print(f"import robosym.expr: {import_time():.0f} ms")


if __name__ == "__main__":
    main()
