"""Interning: equal expressions are one object, in every process, in every thread, and none is kept for ever."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import subprocess
import sys
import threading
from fractions import Fraction

import pytest
from counted import calls
from hypothesis import given, settings
from sweeps import many

from robosym.expr import ExprError, cos, interned_count, number, parameter, pi, sin, sqrt, step, symbol, variable
from robosym.expr import node as node_module
from robosym.expr.node import _print_of_number

from .strategies import expressions

a, b, c = parameter("a"), parameter("b"), parameter("c")


def test_equal_expressions_are_one_object() -> None:
    assert a + b + c is c + b + a
    assert a * b * c is c * b * a
    assert (a + b) * (b + c) is (c + b) * (b + a)
    assert sin(a + b) is sin(b + a)
    assert a - b is -(b - a)
    assert (b - a).args == (a - b,) or (a - b).args == (b - a,)  # one node, the other is its negative


def test_numbers_that_python_finds_equal_stay_apart() -> None:
    assert number(Fraction(1, 2)) is not number(0.5)
    assert a * Fraction(1, 2) is not a * 0.5
    assert a + Fraction(1, 2) is not a + 0.5
    assert number(2.0) is number(2) is number(Fraction(4, 2)) is number(True) + 1
    assert type((a * Fraction(1, 2)).value[1][0]) is Fraction
    assert type((a * 0.5).value[1][0]) is float


def test_fingerprints_avoid_the_collisions_of_hash() -> None:
    assert hash(-1) == hash(-2)
    assert hash(2**61 - 1) == hash(0)
    tricky = [-1, -2, 0, 2**61 - 1, 2**61, 1, 2**61 - 2, -(2**61 - 1), Fraction(1, 2), 0.5, Fraction(-1, 2)]
    keys = {(_print_of_number(n), number(n).key) for n in tricky}
    assert len(keys) == len(tricky)
    nodes = [a - b, a - 2 * b, a + b, a + 2 * b, a**-1, a**-2, a * b**-1, a * b**-2, -a, -2 * a, a - 1, a - 2]
    assert len({n.key for n in nodes}) == len(nodes)


_DUMP = """
import json, sys
from fractions import Fraction
from robosym.expr import *
from robosym.expr.serial import to_table

def build(names):
    x = [variable(n) for n in names]
    p = [parameter(n) for n in names]
    out = []
    for i in range(len(x)):
        j = (i + 1) % len(x)
        out.append(cos(x[i] - x[j]) * p[i] - sin(x[j]) * p[j] * Fraction(1, 2) + 0.5 * x[i] * x[j])
        out.append(step(out[-1] - 2 * out[0]) ** 2 / (1 + p[j] ** 2) - x[i])
        out.append(select(x[i] < -p[j], -x[i], minimum(x[i] - 2, out[-2] - 1)))
    return out

history = sys.argv[1]
kept = []
if history == "other first":
    kept = build(["z", "b", "a", "q1", "q2"]) + build(list("fedcba"))
elif history == "half first":
    kept = [0.5 * variable(n) * variable(m) for n in "qab" for m in "abq"]
elif history == "built and dropped":
    build(["q9", "q2", "q10", "a", "b"]); build(list("zyxw"))
roots = build(["q10", "q2", "q9", "a", "b"])
print(json.dumps(to_table(roots)))
for root in roots:
    print(root); print(latex(root)); print(root.key)
"""


def test_bytes_do_not_depend_on_hash_seed_or_history() -> None:
    outputs = set()
    for seed, history in [("0", "none"), ("1", "other first"), ("77", "half first"), ("3", "built and dropped")]:
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-c", _DUMP, history]
        outputs.add(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    assert len(outputs) == 1


def test_symbols_sort_naturally_and_kinds_stay_apart() -> None:
    assert sorted([variable("q10"), variable("q9"), variable("q1")], key=lambda s: s.key) == [
        variable("q1"),
        variable("q9"),
        variable("q10"),
    ]
    assert variable("x") is not parameter("x")
    assert variable("x") - parameter("x") is not number(0)


@pytest.mark.parametrize("name", ["", "2x", "a b", "a-b", "é", "a\n", "pi", 3])
def test_bad_symbol_names_are_refused(name: str) -> None:
    with pytest.raises(ExprError):
        symbol(name, "variable")


def test_bad_symbol_kind_is_refused() -> None:
    with pytest.raises(ExprError, match="one of"):
        symbol("x", "nothing")


def test_a_symbolic_condition_is_neither_true_nor_false() -> None:
    with pytest.raises(ExprError, match="symbolic"):
        bool(a < b)
    assert number(2)
    assert not number(0)
    with pytest.raises(ExprError, match="name"):
        _ = (a + b).name
    assert (pi.name, a.name, a.kind, (a + b).kind) == ("pi", "a", "parameter", None)


@settings(deadline=None, max_examples=100)
@given(expressions)
def test_copies_and_pickles_are_the_same_object(e: object) -> None:
    assert copy.copy(e) is e
    assert copy.deepcopy([e])[0] is e
    assert pickle.loads(pickle.dumps(e)) is e


def _graph(i: int) -> object:
    q = variable(f"only_here_{i}")
    node = q
    for k in range(20):
        node = step(cos(node) * sqrt(2 + node**2) - k * q)
    return node


@pytest.mark.slow
def test_nothing_is_kept_for_ever() -> None:
    _graph(0)
    gc.collect()
    before = interned_count()
    for i in range(100):
        _graph(i)
    gc.collect()
    assert interned_count() <= before + 5


def test_deep_graphs_die_in_linear_work() -> None:
    def dying(depth: int) -> int:
        held = [variable("x")]
        for _ in range(depth):
            held[0] = sin(held[0])
        return calls(held.clear)

    few, many_calls = dying(2_000), dying(8_000)
    assert 2_000 <= few < 20_000  # each node leaves the table
    assert many_calls < 5 * few


@pytest.mark.slow
def test_deep_graphs_die_without_recursion_and_at_exit() -> None:
    x = variable("x")
    node = x
    for _ in range(50_000):
        node = sin(node)
    before = interned_count()
    del node
    assert interned_count() <= before - 49_000
    code = "from robosym.expr import *\nn = variable('x')\nfor i in range(50000): n = sin(n) + i"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, capture_output=True
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.slow
def test_threads_get_the_same_objects() -> None:
    """Many threads build and drop the same expressions while others collect garbage: at any time one object each."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    workers = 8
    barrier = threading.Barrier(workers)
    wrong: list[object] = []

    def build(k: int) -> list[object]:
        x, y = variable(f"thread_{k}"), parameter("y")
        return [x * y - k, sin(x * y - k), (x - y) ** 2 / (1 + cos(x) ** 2), x * Fraction(k, 7) + y * 0.5]

    made: list[list[object]] = [[] for _ in range(workers)]

    def work(who: int) -> None:
        try:
            for k in range(many(12)):
                barrier.wait(timeout=60)
                mine = build(k)
                for _ in range(3):
                    build(k + 1000 * who)
                if who == 0 and k % 4 == 0:
                    gc.collect()
                again = build(k)
                if any(u is not v for u, v in zip(mine, again, strict=True)):
                    wrong.append((who, k))
                made[who] = mine
                barrier.wait(timeout=60)
                if who == 0 and any(m[i] is not made[0][i] for m in made for i in range(4)):
                    wrong.append(("between threads", k))
                barrier.wait(timeout=60)
        except Exception as error:
            wrong.append(error)
            barrier.abort()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(workers)]
    try:
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    finally:
        sys.setswitchinterval(interval)
    assert wrong == []


def test_forgetting_a_dead_expression_keeps_the_one_built_after_it():
    """A dead node's notice may come late, when the same expression lives again."""
    a, b = variable("late_a"), variable("late_b")
    first = a + b
    old = next(entry for entry in list(node_module._table.values()) if entry() is first)
    del first
    again = a + b
    node_module._forget(old)
    assert (a + b) is again
