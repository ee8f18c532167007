"""Batches without Python in between give what Python gives, leave nothing behind, and let other threads run."""

from __future__ import annotations

import gc
import mmap
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from runtime.batches import SHAPES, VALUES, mixed, one_by_one, same, shifted, square, states, with_vectors
from sample_programs import arm, vector

from robosym.expr import atan2, parameter, sin, variable
from robosym.program.of_arrays import program_of, run_over
from robosym.program.program import Array, Program
from robosym.program.routine import Fill, Kernel, Repeat, Routine, Run, Slot
from robosym.runtime import CallError, CompiledFunction, compile_program, python_call, routine_code
from robosym.runtime.function import _Convention
from robosym.runtime.machine_code import FEW

fast = pytest.mark.skipif(not python_call.available(), reason="calls go through Python here")
COUNT = 3 * FEW + 5


def ready(program: Program, **options: Any) -> CompiledFunction:
    """A function whose vector code direct calls know of, with numbers and with parameters in memory."""
    f = with_vectors(program, **options)
    for given in (None, {}):
        f(**{name: np.zeros((FEW, *shape)) for name, shape in f.inputs.items()}, parameters=given)
    return f


@contextmanager
def only_direct() -> Iterator[None]:
    """Calls may be converted in Python, but not served there."""

    def refused(*given: Any) -> None:
        raise AssertionError("served in Python")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_Convention, "_served", refused)
        yield


def in_python(f: CompiledFunction, **given: Any) -> Any:
    """The same call through Python alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(python_call, "available", lambda: False)
        return f._convention.call(**given)


def turned(x: np.ndarray) -> np.ndarray:
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(x, 0, -1)), -1, 0)


# --- which calls ------------------------------------------------------------------------------------------------------


@fast
@pytest.mark.parametrize("count", [1, 2, 7, FEW - 1, FEW, COUNT])
def test_plain_batches_are_called_directly(count):
    f = ready(mixed(), values=VALUES)
    given = states(count)
    expected = one_by_one(f, count, given)
    out = {name: np.full((count, *shape), np.nan) for name, shape in f.outputs.items()}
    sideways = {name: turned(array) for name, array in out.items()}
    with only_direct():
        same(f(**given), expected)
        same(f(**{name: array[::-1].copy()[::-1] for name, array in given.items()}), expected)
        same(f(**{name: turned(array) for name, array in given.items()}), expected)
        same(f(**given, layout="soa", threads=1), expected)
        same(f(**given, layout="aos", out=None), expected)
        same(f(**given, parameters=[0.7, -1.3]), expected)
        same(f(**given, parameters=dict(VALUES)), expected)
        same(f(**{name: array.tolist() for name, array in given.items()}), expected)
        for chosen in (out, sideways):
            found = f(**given, out=chosen)
            assert all(found[name] is array for name, array in chosen.items())
            same(chosen, expected)


@fast
def test_few_states_need_no_vector_code():
    f = compile_program(mixed(), values=VALUES)
    given = states(FEW - 1)
    with only_direct():
        same(f(**given), one_by_one(f, FEW - 1, given))
        assert "_block" not in f._convention.code.__dict__
        with pytest.raises(AssertionError, match="served in Python"):
            f(**states(FEW))


@fast
def test_one_state_into_an_array():
    g = compile_program(square())
    x, out = np.random.default_rng(0).normal(size=(6, 6)), np.zeros((6, 6))
    with only_direct():
        assert g(x=x, out=out) is out
    np.testing.assert_array_equal(out, g(x=x))


@fast
def test_what_is_not_plain_goes_to_python():
    g = ready(square())
    x, room = np.ones((COUNT, 6, 6)), np.zeros((COUNT, 6, 7))
    frozen = np.zeros((COUNT, 6, 6))
    frozen.flags.writeable = False
    odd = [shifted(x), x[::-1], x.view(np.recarray), room[..., 1:], x.transpose(0, 2, 1), x.astype(">f8"), frozen, x]
    with only_direct():
        for out in odd:
            with pytest.raises(AssertionError, match="served in Python"):
                g(x=x, out=out)
        with pytest.raises(AssertionError, match="served in Python"):
            g(x=x, threads=2)
        with pytest.raises(AssertionError, match="served in Python"):
            g(x=x.transpose(0, 2, 1))
    with pytest.raises(CallError, match="unknown output 'z'"):
        g(x=x, out={"y": np.zeros((COUNT, 6, 6)), "z": np.zeros(3)})
    assert g(x=x[:0]).shape == (0, 6, 6)


# --- the same results ---------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=4)
@pytest.mark.parametrize("count", [1, 3, FEW, COUNT])
@pytest.mark.parametrize("vectors", [False, True])
def test_random_layouts_against_python(count, vectors):
    f = ready(mixed(), values=VALUES) if vectors else compile_program(mixed(), values=VALUES)
    draw = np.random.default_rng(count)

    def laid(shape: tuple[int, ...]) -> np.ndarray:
        """A view of a larger room: axes in any order, steps of any sign, sometimes broadcast."""
        order = draw.permutation(len(shape))
        room = draw.normal(size=[3 * shape[k] for k in order]).transpose(np.argsort(order))
        cut = tuple(slice(None, None, int(draw.choice([1, 2, 3, -1, -2]))) for _ in shape)
        view = room[cut][tuple(slice(0, n) for n in shape)]
        return np.broadcast_to(view[:1], shape) if draw.random() < 0.1 else view

    for _ in range(60):
        given = {
            name: laid((count, *shape)) if draw.random() < 0.8 else laid((1, *shape))[0]
            for name, shape in SHAPES.items()
        }
        if all(array.shape == SHAPES[name] for name, array in given.items()):
            continue
        plain = {name: np.array(array) for name, array in given.items()}
        expected = in_python(f, **plain)
        same(f(**given), expected)
        same(f(**given, layout="soa"), expected)
        out = {name: np.array(laid((count, *shape)), order="K", subok=False) for name, shape in f.outputs.items()}
        f(**given, out=out)
        same(out, expected)


@pytest.mark.parametrize("count", [1, 5, COUNT])
def test_results_over_every_argument(count):
    """Over an input, beside it, with some states in common, or over another result."""
    g = ready(square())
    for shift in (-count, -2, -1, 0, 1, 2, count):
        room = np.random.default_rng(0).normal(size=(3 * count + 4, 6, 6))
        x, out = room[count + 2 : 2 * count + 2], room[count + 2 + shift : 2 * count + 2 + shift]
        before, expected = room.copy(), g(x=x.copy())
        g(x=x, out=out)
        np.testing.assert_array_equal(out, expected)
        before[count + 2 + shift : 2 * count + 2 + shift] = expected
        np.testing.assert_array_equal(room, before)


def test_a_set_of_parameters_for_each_state():
    f = compile_program(arm(), values={"L1": 1.0, "L2": 2.0})
    draw = np.random.default_rng(0)
    for count in (1, 2, FEW, COUNT):
        q, sets = draw.normal(size=(count, 2)), draw.uniform(0.3, 2, (count, 2))
        expected = one_by_one(f, count, {"q": q, "parameters": sets})
        same(f(q=q, parameters=sets), expected)
        same(f(q=q.tolist(), parameters=sets), expected)
        same(f(q=q, parameters=np.asfortranarray(sets)), expected)
        same(f(q=q, parameters=sets, layout="soa"), expected)
        same(f(q=q, parameters={"L1": sets[:, 0], "L2": sets[:, 1]}), expected)
    with pytest.raises(CallError, match="the batch sizes differ: q 4, parameters 3"):
        f(q=np.zeros((4, 2)), parameters=np.ones((3, 2)))


def test_sets_that_nothing_reads_still_say_how_many_states_there_are():
    x, a = variable("x"), parameter("a")
    f = compile_program(Program("p", (vector("x", [x]),), (a,), (), (), (vector("y", [x + 1]),)))
    assert f(x=np.zeros(1), parameters=np.ones((4, 1))).tolist() == [[1]] * 4
    assert f(x=np.zeros(1), parameters=np.ones((1, 1))).tolist() == [[1]]


def test_numbers_that_are_equal_are_not_the_same_parameters():
    """0.0 and -0.0 have other angles; nan is not even equal to itself."""
    x, a = variable("x"), parameter("a")
    f = compile_program(Program("p", (vector("x", [x]),), (a,), (), (), (vector("y", [atan2(a, x), a]),)))
    given = np.array([[-1.0]])
    for _ in range(3):
        assert f(x=given, parameters={"a": 0.0})[0, 0] == np.pi
        assert f(x=given, parameters={"a": -0.0})[0, 0] == -np.pi
        assert f(x=given, parameters=np.array([0.0]))[0, 0] == np.pi
        assert f(x=given, parameters=np.array([-0.0]))[0, 0] == -np.pi
        assert np.isnan(f(x=given, parameters={"a": float("nan")})).all()
        assert f(x=given, parameters={"a": 2})[0, 1] == 2


def test_more_sets_than_are_remembered():
    f = compile_program(arm(), values={"L1": 1.0, "L2": 2.0})
    q = np.random.default_rng(0).normal(size=(4, 2))
    expected = {k: f(q=q, parameters=np.array([[k, 2.0]] * 4)) for k in range(1, 100)}
    for _ in range(2):
        for k, one in expected.items():
            same(f(q=q, parameters={"L1": float(k)}), {"y": one} if isinstance(one, np.ndarray) else one)


# --- routines -----------------------------------------------------------------------------------------------------------


def in_two_parts() -> Routine:
    """A program, then a kernel on what it made, and an array that nothing reads."""
    x, u = [variable(f"x{i}") for i in range(3)], variable("u")
    first = Program("first", (vector("x", x),), (), (), (), (vector("z", [sin(s) for s in x]),))
    last = Program("last", (vector("order", x), Array("u", (), (u,))), (), (), (), (vector("y", [s * u for s in x]),))
    slots = (Slot("x", (3,)), Slot("u", ()), Slot("unread", (2,)))
    stages = (Run(first), Fill("all", (), 3.0), Kernel("sort", ("z", "z", "all"), ("order",)), Run(last))
    return Routine("parts", slots, (Slot("y", (3,)), Slot("z", (3,))), stages)


@pytest.mark.parametrize("count", [1, 7, COUNT, 3000])
@pytest.mark.parametrize("worthwhile", [0, 10**9])
def test_batches_of_routines(count, worthwhile, monkeypatch):
    """With the first program in vectors, and state by state; whichever of the inputs have a batch axis."""
    monkeypatch.setattr(routine_code, "WORTHWHILE", worthwhile)
    f = compile_program(in_two_parts())
    draw = np.random.default_rng(count)
    whole = {name: draw.normal(size=(count, *shape)) for name, shape in f.inputs.items()}
    for chosen in range(1, 8):
        given = {name: array if chosen >> k & 1 else array[0] for k, (name, array) in enumerate(whole.items())}
        full = {name: np.broadcast_to(given[name], array.shape).copy() for name, array in whole.items()}
        z = np.sin(full["x"])
        expected = {"y": np.sort(z, axis=1) * full["u"][:, None], "z": z}
        for _ in range(2):  # before and after there is vector code
            found = f(**given)
            assert {name: array.shape for name, array in found.items()} == {"y": (count, 3), "z": (count, 3)}
            for name, array in expected.items():
                np.testing.assert_allclose(found[name], array, rtol=1e-14, atol=1e-300)
        same(f(**given, layout="soa"), found)
        same(f(**given, out={name: np.empty((count, 3)) for name in "yz"}), found)
        same(f(**{name: np.array(array, order="F") for name, array in given.items()}), found)
    if count > 1:  # a batch of one is for all states
        with pytest.raises(CallError, match="the batch sizes differ"):
            f(**{**whole, "unread": np.zeros((count + 1, 2))})
    with pytest.raises(CallError, match="input 'unread' has shape"):
        f(**{**whole, "unread": np.zeros((count, 3))})


# --- what is left behind, and who may run -------------------------------------------------------------------------------


def counted(objects: list[Any]) -> list[int]:
    gc.collect()
    return [sys.getrefcount(one) for one in objects]


@pytest.mark.slow
@fast
def test_nothing_is_kept_or_lost():
    f = ready(mixed(), values=VALUES)
    given = states(COUNT)
    out = {name: np.zeros((COUNT, *shape)) for name, shape in f.outputs.items()}
    unfit = {**out, "z": np.zeros(3)}
    objects = [np.dtype(float), *given.values(), *out.values(), out, unfit["z"]]
    before = counted(objects)
    for _ in range(2000):
        f(**given)
        f(**given, layout="soa")
        f(**given, out=out)
        f(**given, parameters={"a": 0.5})
    for _ in range(50):
        with pytest.raises(CallError, match="out: 'z'"):
            f(**given, out=unfit)
        with pytest.raises(CallError, match="batch sizes differ"):
            f(**{**given, "s": unfit["z"]})
    after = counted(objects)
    assert all(abs(x - y) < 40 for x, y in zip(before, after, strict=True)), (before, after)


@fast
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what a process holds is read in /proc")
def test_buffers_are_given_back():
    def held() -> int:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * mmap.PAGESIZE

    g = ready(square())
    x = np.ones((3, 6, 6))
    for _ in range(100):
        g(x=x)
    before = held()
    for _ in range(20_000):
        g(x=x)
    assert held() - before < 20e6


def test_batches_that_no_memory_holds():
    g = ready(square())
    x = np.broadcast_to(np.zeros((6, 6)), (2**45, 6, 6))
    with pytest.raises((MemoryError, ValueError)):
        g(x=x)
    assert g(x=x[:3]).shape == (3, 6, 6)


def long_work() -> Program:
    x = y = variable("x")
    for _ in range(60):
        y = sin(y) + x
    return Program("long", (vector("x", [x]),), (), (), (), (vector("y", [y]),))


@fast
def batch_of_long_work() -> Any:
    f, x = ready(long_work()), np.full((200_000, 1), 0.3)
    return lambda: f(x=x)


def loop(bound: bool) -> Any:
    """One state, and many turns of a loop."""
    step = program_of("step", {"x": ()}, lambda x: {"x_now": sin(x)})
    made = compile_program(
        Routine("loop", (Slot("x", ()), Slot("n", ())), (Slot("x", ()),), (Repeat("n", (run_over(step),)),))
    )
    given = {"x": np.array(0.3), "n": np.array(1e6)}
    return made.bind(**given) if bound else lambda: made(**given)


def test_only_what_may_take_long_lets_go():
    short = Routine("r", (), (Slot("x", ()),), (Fill("x"), Repeat(1000, ())))
    for routine, long in ((short, False), (replace(short, stages=(Fill("x"), Repeat(1001, ()))), True)):
        assert routine_code.RoutineCode(routine, 1).long == long


@pytest.mark.parametrize(
    "make", [batch_of_long_work, lambda: loop(False), lambda: loop(True)], ids=["batch", "loop", "bound"]
)
def test_other_threads_run_meanwhile(make):
    work = make()
    turns, stop = [0], threading.Event()

    def other() -> None:
        while not stop.is_set():
            turns[0] += 1
            time.sleep(0)

    interval = sys.getswitchinterval()
    worker = threading.Thread(target=other)
    sys.setswitchinterval(1000)  # nobody has to hand over
    try:
        worker.start()
        before = turns[0]
        work()
        assert turns[0] > before
    finally:
        stop.set()
        sys.setswitchinterval(interval)
        worker.join()


AT_THE_END = """
import threading, time
import numpy as np
from robosym.expr import sin, variable
from robosym.program.program import Array, Program
from robosym.runtime import compile_program

x = y = variable("x")
for _ in range(30):
    y = sin(y) + x
f = compile_program(Program("p", (Array("x", (), (x,)),), (), (), (), (Array("y", (), (y,)),)))
f(x=np.zeros(1000))

def work(count):
    while True:
        f(x=np.zeros(count))

for count in (10, 50_000):
    threading.Thread(target=work, args=(count,), daemon=True).start()
time.sleep(0.1)
print("done")
"""


@pytest.mark.slow
def test_a_process_ends_in_the_middle_of_batches():
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", AT_THE_END], capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")
