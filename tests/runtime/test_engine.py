"""What is compiled, for which processor, how often, and how exact fused products are."""

from __future__ import annotations

import ctypes
import gc
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from sample_programs import arm, arrays_of, local, one_output, programs, values_of, vector

from robosym.expr import add, sin, variable
from robosym.program.program import Program, Step
from robosym.runtime import compile_program, disk_cache, engine
from robosym.runtime import host as processor

X = variable("x")
VALUES = {"L1": 0.5, "L2": 0.4}


# --- how often, how long ---------------------------------------------------------------------------------------------


def test_batches_compile_nothing_twice(monkeypatch):
    monkeypatch.setenv(disk_cache.VARIABLE, "off")
    f = compile_program(arm(), values=VALUES)
    q = np.zeros((300, 2))
    f(q=q)
    made: list[str] = []
    monkeypatch.setattr(engine, "compiled", lambda assembly, level, passes: made.append(assembly))
    monkeypatch.setattr(engine, "Engine", made.append)
    f(q=q)
    f(q=q, threads=2)
    assert not made


def test_a_wrong_assembly_is_told():
    with pytest.raises(engine.EngineError, match="LLVM cannot read the program"):
        engine.engine("define nonsense")


def test_a_function_that_nobody_has_is_told():
    with pytest.raises(engine.EngineError, match="LLVM cannot link the program"):
        engine.engine(
            "declare void @nobody_has_this()\ndefine void @f() {\n  call void @nobody_has_this()\n  ret void\n}\n"
        )


@pytest.mark.slow
def test_engines_outlive_their_linker(monkeypatch):
    """Some share one, and whichever of them goes, the others stay."""
    monkeypatch.setenv(disk_cache.VARIABLE, "off")
    functions = {i: compile_program(one_output(sin(X) * (i + 0.25), [X])) for i in range(3 * engine.TOGETHER)}
    for dropped in ([*range(0, len(functions), 2)], [*range(1, engine.TOGETHER, 2)]):
        for i in dropped:
            del functions[i]
        gc.collect()
        for i, f in functions.items():
            assert f(x=[1.0])[0] == np.sin(1.0) * (i + 0.25)


@pytest.mark.parametrize(("longest", "level", "expected"), [(10**6, 1, 2), (10**6, 0, 0), (3, 1, 0)])
def test_the_care_taken_with_instructions(monkeypatch, longest, level, expected):
    monkeypatch.setattr(engine, "LONGEST", longest)
    taken: list[int] = []
    plain = engine._machine
    monkeypatch.setattr(engine, "_machine", lambda level: (taken.append(level), plain(level))[1])
    engine.compiled("define void @f() {\n\n\n\n  ret void\n}\n", level)
    assert taken == [expected]


@given(program=programs())
@settings(max_examples=8, deadline=None)
def test_very_long_programs_are_written_down_as_they_come(program):
    """The same results, without the passes whose time grows with the square of the length."""
    values = values_of(program)
    numbers = {symbol.name: values[symbol] for symbol in program.parameter_symbols}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(disk_cache.VARIABLE, "off")
        patch.setattr(engine, "LONGEST", 0)
        engine._living.clear()
        f = compile_program(program, values=numbers)
        found, many = f(**arrays_of(program, values)), f(x=np.tile(arrays_of(program, values)["x"], (150, 1)))
    expected = program.evaluate(values)
    for name, array in found.items():
        np.testing.assert_allclose(array, expected[name], rtol=1e-11, atol=1e-11)
        np.testing.assert_array_equal(many[name], np.tile(array, (150, 1)))


@pytest.mark.slow
def test_a_hundred_thousand_operations():
    steps, known = [], [X, variable("y")]
    for i in range(40_000):
        steps.append(Step(local(f"s{i}"), 0.5 * known[-1] + 0.25 * known[-2] * (1 if i % 1000 else sin(known[-1]))))
        known.append(steps[-1].symbol)
    f = compile_program(Program("long", (vector("x", known[:2]),), (), (), tuple(steps), (vector("y", known[-2:]),)))
    before, last = 1.0, 2.0
    for i in range(40_000):
        before, last = last, 0.5 * last + 0.25 * (before * (1 if i % 1000 else np.sin(last)))
    assert abs(f(x=[1.0, 2.0]) - [before, last]).max() <= 1e-13


# --- memory ----------------------------------------------------------------------------------------------------------


class Heap(ctypes.Structure):
    """What glibc's ``mallinfo2`` says."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in [
            "arena",
            "ordblks",
            "smblks",
            "hblks",
            "hblkhd",
            "usmblks",
            "fsmblks",
            "uordblks",
            "fordblks",
            "keepcost",
        ]
    )


def taken() -> int:
    """The bytes that are allocated in C, now."""
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "mallinfo2"):
        pytest.skip("the C library does not say how much memory is taken")
    libc.mallinfo2.restype = Heap
    gc.collect()
    heap = libc.mallinfo2()
    return int(heap.uordblks + heap.hblkhd)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="asks glibc")
def test_compilations_and_functions_give_their_memory_back(monkeypatch):
    """Some 75 kB each stayed where the passes were not released; LLVM's Python interface keeps 1.5 kB in any case."""
    monkeypatch.setenv(disk_cache.VARIABLE, "off")

    def one(i: int) -> None:
        compile_program(one_output(sin(X) * (i + 0.5), [X]))(x=[1.0])

    for i in range(10):
        one(i)
    before, count = taken(), engine.TOGETHER  # as many linkers as before, with as many libraries
    for i in range(10, 10 + count):
        one(i)
    assert (taken() - before) / count < 6_000


# --- fused products --------------------------------------------------------------------------------------------------


def products(count: int) -> Program:
    x = [variable(f"x{i}") for i in range(2 * count)]
    return one_output(add(*(a * b for a, b in zip(x[::2], x[1::2], strict=True))), x)


@pytest.mark.parametrize("count", [2, 5, 12])
def test_fused_sums_keep_the_bound_of_plain_ones(count):
    """|error| <= n eps (|a1 b1| + ... + |an bn|), whether each product is rounded or not."""
    functions = {fused: compile_program(products(count), fused=fused) for fused in (False, True)}
    points = np.random.default_rng(count).normal(size=(200, 2 * count))
    found = {fused: f(x=points)[:, 0] for fused, f in functions.items()}
    singles = np.array([functions[True](x=point)[0] for point in points])
    for i, point in enumerate(points):
        terms = [Fraction(a) * Fraction(b) for a, b in zip(point[::2].tolist(), point[1::2].tolist(), strict=True)]
        bound = count * sys.float_info.epsilon * float(sum(map(abs, terms)))
        for value in (found[False][i], found[True][i], singles[i]):
            assert abs(float(Fraction(float(value)) - sum(terms))) <= bound
    if processor.host().fused:
        assert (found[True] != found[False]).any()


def test_plain_sums_are_rounded_after_each_operation():
    f = compile_program(products(2))
    points = np.random.default_rng(0).normal(size=(300, 4))
    a, b, c, d = points.T
    np.testing.assert_array_equal(f(x=points)[:, 0], a * b + c * d)
    np.testing.assert_array_equal([f(x=point)[0] for point in points], a * b + c * d)
