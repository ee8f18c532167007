"""Calls without Python in between give what the calls through Python give, and leave nothing behind."""

from __future__ import annotations

import copy
import gc
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from runtime.hosts import can_guard
from sample_programs import arm, one_output, vector

from robosym import load
from robosym.expr import add, log, parameter, sin, variable
from robosym.models import inverse_dynamics
from robosym.program.program import Array, Program
from robosym.runtime import CallError, CompiledFunction, compile_program, python_call

fast = pytest.mark.skipif(not python_call.available(), reason="calls go through Python here")


def mixed() -> Program:
    """A vector, a matrix, a scalar, an input without entries and one that may be left out; two outputs."""
    q, m, s = [variable(f"q{i}") for i in range(2)], [variable(f"m{i}") for i in range(6)], variable("s")
    w, a = [variable(f"w{i}") for i in range(3)], parameter("a")
    inputs = (
        vector("q", q),
        Array("m", (2, 3), tuple(m)),
        Array("s", (), (s,)),
        vector("none", []),
        Array("w", (1, 3), tuple(w)),
    )
    y = [a * q[0] + m[5], sin(q[1]) * s, m[0] - m[3] + w[2]]
    return Program("mixed", inputs, (a,), (), (), (vector("y", y), Array("t", (2, 1), (add(*m), w[0] * s))))


GIVEN = {
    "q": np.array([0.3, -0.2]),
    "m": np.arange(6.0).reshape(2, 3),
    "s": np.array(1.5),
    "none": np.empty(0),
    "w": np.array([[0.1, 0.2, 0.3]]),
}


def made(**options: Any) -> CompiledFunction:
    return compile_program(mixed(), values={"a": 2.0}, optional={"w": ("tip",)}, **options)


@pytest.fixture(scope="module", params=[None, False], ids=["numbers", "parameters"])
def f(request: pytest.FixtureRequest) -> CompiledFunction:
    return made(numeric=request.param)


@pytest.fixture
def slow(f: CompiledFunction) -> Callable[..., Any]:
    """The same in Python alone."""
    return f._convention.call


def same(found: Any, expected: Any) -> None:
    assert isinstance(found, dict) == isinstance(expected, dict)
    if isinstance(found, dict):
        assert list(found.keys()) == list(expected.keys())
        for name, array in found.items():
            same(array, expected[name])
        return
    assert type(found) is np.ndarray
    assert found.dtype is np.dtype(float)
    assert found.shape == expected.shape
    assert found.flags.owndata
    assert found.flags.writeable
    assert found.flags.c_contiguous
    np.testing.assert_array_equal(found, expected)


@fast
def test_plain_calls_do_not_reach_python(monkeypatch):
    from robosym.runtime.function import _Convention

    def refused(self: Any, **given: Any) -> None:
        raise AssertionError(f"called with {list(given)}")

    monkeypatch.setattr(_Convention, "call", refused)
    f = made()
    f(**GIVEN)
    f(q=GIVEN["q"], m=GIVEN["m"], s=GIVEN["s"])
    f(s=GIVEN["s"], w=GIVEN["w"], m=GIVEN["m"], q=GIVEN["q"])
    with pytest.raises(AssertionError, match="called with"):
        f(q=[0.3, -0.2], m=GIVEN["m"], s=GIVEN["s"])
    with pytest.raises(AssertionError, match="called with"):
        f(**{**GIVEN, "q": GIVEN["q"].view(Own)})  # it may have another idea of what an array is


class Own(np.ndarray):
    pass


def shifted(x: np.ndarray) -> np.ndarray:
    room = np.zeros(x.nbytes + 8, dtype=np.uint8)
    view = room[4 : 4 + x.nbytes].view(float).reshape(x.shape)
    view[...] = x
    return view


def spread(x: np.ndarray) -> np.ndarray:
    room = np.full((*x.shape, 2), np.nan)
    room[..., 0] = x
    return room[..., 0]


def readonly(x: np.ndarray) -> np.ndarray:
    x = x.copy()
    x.flags.writeable = False
    return x


ODD: dict[str, Callable[[np.ndarray], Any]] = {
    "plain": lambda x: x,
    "copy": lambda x: x.copy(),
    "subclass": lambda x: x.view(Own),
    "read only": readonly,
    "big-endian": lambda x: x.astype(">f8"),
    "little-endian": lambda x: x.astype("<f8"),
    "apart": spread,
    "by columns": np.asfortranarray,
    "backwards": lambda x: x[::-1].copy()[::-1] if x.ndim else x,
    "unaligned": shifted,
    "single": lambda x: x.astype(np.float32),
    "integers": lambda x: x.astype(int),
    "truth": lambda x: x.astype(bool),
    "list": lambda x: x.tolist(),
    "from a pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "masked": lambda x: np.ma.masked_array(x),
    "of memory": lambda x: np.frombuffer(x.tobytes()).reshape(x.shape) if x.size else x,
}


@pytest.mark.parametrize("how", list(ODD))
def test_odd_arrays(f, slow, how):
    for name in GIVEN:
        given = {**GIVEN, name: ODD[how](GIVEN[name])}
        same(f(**given), slow(**given))
    given = {name: ODD[how](array) for name, array in GIVEN.items()}
    same(f(**given), slow(**given))


def test_a_scalar_in_every_form(f, slow):
    for s in (1.5, 2, True, np.float64(1.5), np.float32(1.5), np.int8(3), np.array(1.5), [1.5, 2.5]):
        if isinstance(s, list):
            assert f(**{**GIVEN, "s": s})["y"].shape == (2, 3)
        else:
            same(f(**{**GIVEN, "s": s}), slow(**{**GIVEN, "s": s}))


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_a_matrix_of_numpy(slow, f):
    given = {**GIVEN, "m": np.matrix(GIVEN["m"])}
    same(f(**given), slow(**given))


def test_names_in_any_order_and_not_the_same_objects(f, slow):
    expected = slow(**GIVEN)
    turned = dict(reversed(GIVEN.items()))
    same(f(**turned), expected)
    fresh = {"".join(list(name)): array for name, array in GIVEN.items()}
    same(f(**fresh), expected)


def test_what_may_be_left_out(f, slow):
    short = {name: GIVEN[name] for name in ("q", "m", "s")}
    zero = {**GIVEN, "w": np.zeros((1, 3))}
    same(f(**short), slow(**zero))
    same(f(**short, w=None), slow(**zero))
    same(f(**short, w=[1, 2, 3]), slow(**short, w=[[1, 2, 3]]))
    same(f(**short, w={"tip": [1, 2, 3]}), slow(**short, w=[[1, 2, 3]]))


def test_defaults_are_not_changed_by_calls(f):
    short = {name: GIVEN[name] for name in ("q", "m", "s")}
    first = f(**short)
    f(**GIVEN)
    same(f(**short), first)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"q": GIVEN["q"]},
        {**GIVEN, "x": GIVEN["q"]},
        {**GIVEN, "q": np.zeros(3)},
        {**GIVEN, "q": np.zeros((2, 1, 1))},
        {**GIVEN, "m": np.zeros((3, 2))},
        {**GIVEN, "m": np.zeros(6)},
        {**GIVEN, "q": None},
        {**GIVEN, "q": "text"},
        {**GIVEN, "q": np.array([1j, 2])},
        {**GIVEN, "q": np.array([None, None])},
        {**GIVEN, "q": object()},
        {**GIVEN, "none": np.zeros(1)},
        {**GIVEN, "threads": 0},
        {**GIVEN, "parameters": {"b": 1}},
        {**GIVEN, "parameters": [1, 2]},
        {**GIVEN, "out": 3},
    ],
    ids=lambda given: ", ".join(given) or "nothing",
)
def test_the_same_complaints(f, slow, given):
    with pytest.raises(CallError) as expected:
        slow(**given)
    with pytest.raises(CallError) as found:
        f(**given)
    assert str(found.value) == str(expected.value)


def test_arguments_have_names(f):
    with pytest.raises(CallError, match=r"inputs are given by name: f\(q=..., m=..."):
        f(GIVEN["q"])
    with pytest.raises(CallError, match="inputs are given by name"):
        f(GIVEN["q"], m=GIVEN["m"])
    with pytest.raises(TypeError):
        f(**{1: GIVEN["q"]})
    with pytest.raises(TypeError, match="multiple values"):
        f(q=GIVEN["q"], **{"q": GIVEN["q"]})


def test_parameters(f, slow):
    for given in ({"a": 3.0}, {"a": np.array(3.0)}, [3.0], np.array([3.0]), {}, None):
        same(f(**GIVEN, parameters=given), slow(**GIVEN, parameters=given))
    assert f(**GIVEN, parameters={"a": 3.0})["y"][0] == 3 * 0.3 + 5
    assert f(**GIVEN)["y"][0] == 2 * 0.3 + 5
    assert f(**GIVEN, parameters={"a": [1.0, 2.0]})["y"].shape == (2, 3)


def test_one_output_no_inputs_no_outputs():
    x = variable("x")
    same(compile_program(one_output(2 * x, [x]))(x=np.ones(1)), np.array([2.0]))
    same(compile_program(Program("p", (), (), (), (), (vector("y", [3]),)))(), np.array([3.0]))
    assert compile_program(Program("p", (vector("x", [x]),), (), (), (), ()))(x=np.ones(1)) == {}


def test_without_the_direct_call(monkeypatch, slow):
    monkeypatch.setattr(python_call, "available", lambda: False)
    f = made()
    assert f.__call__.__func__ is type(f._convention).call
    same(f(**GIVEN), slow(**GIVEN))
    step = f.bind(**GIVEN)
    same(dict(step()), slow(**GIVEN))
    assert step()["y"] is step()["y"]


@pytest.mark.parametrize("name", ["self", "given", "args", "names", "lambda_", "arrays", "value"])
def test_any_name_of_an_input(name):
    x = variable("x")
    f = compile_program(Program("p", (vector(name, [x]),), (), (), (), (vector("y", [x + 1]),)))
    for given in (np.array([1.0]), [1.0], [[1.0]]):
        assert f(**{name: given}).ravel().tolist() == [2]
    assert f.bind(**{name: np.array([1.0])})().tolist() == [2]


@pytest.mark.parametrize("name", ["out", "parameters", "threads", "layout"])
def test_the_names_of_options_are_no_inputs(name):
    x = variable("x")
    with pytest.raises(CallError, match=f"an input cannot be called {name}"):
        compile_program(Program("p", (vector(name, [x]),), (), (), (), (vector("y", [x + 1]),)))


@pytest.mark.slow
def test_thousands_of_inputs():
    """More than ctypes takes arguments."""
    x = [variable(f"x{i}") for i in range(1030)]
    f = compile_program(Program("p", tuple(vector(s.name, [s]) for s in x), (), (), (), (vector("y", [add(*x)]),)))
    assert f(**{s.name: np.ones(1) for s in x}) == 1030
    assert f(**{s.name: [1.0] for s in x}) == 1030
    assert f(**{s.name: np.ones((3, 1)) for s in x}).tolist() == [[1030]] * 3
    assert (f(**{s.name: np.ones((130, 1)) for s in x}) == 1030).all()
    assert f.bind(**{s.name: np.ones(1) for s in x})() == 1030


@pytest.mark.parametrize("value", [0.0, float("nan"), float("inf"), -1.0, 1e200])
def test_values_that_cannot_stand_in_the_code_are_read_from_memory(value):
    """1/0, log(-1) and nan are no numbers of an expression, but a machine computes with them."""
    x, p = variable("x"), parameter("p")
    program = Program("p", (vector("x", [x]),), (p,), (), (), (vector("y", [x / p, x * log(p), p**3 * x]),))
    found = compile_program(program, values={"p": value})(x=np.array([2.0]))
    with np.errstate(all="ignore"):
        expected = [np.float64(2.0) / value, 2 * np.log(value), np.float64(value) ** 3 * 2]
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_values_that_are_no_numbers_are_refused():
    with pytest.raises(CallError, match="expected real numbers, got 'long'"):
        compile_program(arm(), values={"L1": "long", "L2": 1.0})
    with pytest.raises(CallError, match="cannot become numbers in 'planar-arm'"):
        compile_program(arm(), values={"L1": float("nan"), "L2": 1.0}, numeric=True)


# --- functions bound to their arrays ---------------------------------------------------------------------------------


def bindable() -> dict[str, np.ndarray]:
    return {name: array.copy() for name, array in GIVEN.items()}


def test_bound_functions_see_changes(f):
    given = bindable()
    step = f.bind(**given)
    first = step()
    assert step() is first
    assert step()["y"] is first["y"]
    for _ in range(3):
        for array in given.values():
            array += 0.25
        same({name: array.copy() for name, array in step().items()}, f(**given))


def test_bound_functions_fill_what_they_are_given(f):
    given = bindable()
    out = {"y": np.zeros(3), "t": np.zeros((2, 1))}
    step = f.bind(**given, out=out)
    assert not out["y"].any()
    assert step()["y"] is out["y"]
    same({name: array.copy() for name, array in out.items()}, f(**given))


def test_bound_functions_take_parameters_and_leave_out_what_is_optional(f):
    short = {name: GIVEN[name].copy() for name in ("q", "m", "s")}
    step = f.bind(**short, parameters={"a": 5.0})
    same({name: array.copy() for name, array in step().items()}, f(**short, parameters={"a": 5.0}))
    with pytest.raises(CallError, match="bind works on one state"):
        f.bind(**short, parameters={"a": [5.0, 6.0]})


def test_a_bound_function_may_fill_its_own_input():
    x = [variable(f"x{i}") for i in range(4)]
    f = compile_program(Program("turn", (vector("x", x),), (), (), (), (vector("y", [x[1], x[2], x[3], sin(x[0])]),)))
    state = np.arange(1.0, 5)
    step = f.bind(x=state, out=state)
    step()
    np.testing.assert_allclose(state, [2, 3, 4, np.sin(1)], rtol=1e-15)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"q": [1.0, 2.0]}, "input 'q' must be an array of float64 of shape .2,., by rows, got list"),
        ({"q": np.zeros(3)}, "got array of float64 of shape .3,"),
        ({"q": np.zeros(2, dtype=np.float32)}, "got array of float32"),
        ({"q": np.zeros(2, dtype=">f8")}, "got array of >f8"),
        ({"q": np.zeros(4)[::2]}, "by rows"),
        ({"q": shifted(np.zeros(2))}, "by rows"),
        ({"m": np.zeros((3, 2)).T}, "by rows"),
        ({"x": np.zeros(2)}, "unknown input 'x'"),
        ({"out": {"y": np.zeros(3)}}, "output 't' is missing"),
        ({"out": {"y": np.zeros(3), "t": readonly(np.zeros((2, 1)))}}, "cannot be written"),
        ({"out": {"y": np.zeros(6)[::2], "t": np.zeros((2, 1))}}, "output 'y' must be an array"),
        ({"out": np.zeros(3)}, "expected a dict with the outputs y, t"),
    ],
)
def test_what_cannot_be_bound_is_refused(f, change, message):
    with pytest.raises(CallError, match=message):
        f.bind(**{**bindable(), **change})
    with pytest.raises(CallError, match="input 'q' of shape"):
        f.bind(m=GIVEN["m"], s=GIVEN["s"])


def test_bound_functions_take_no_arguments(f):
    step = f.bind(**bindable())
    with pytest.raises(TypeError):
        step(1)
    with pytest.raises(TypeError):
        step(q=GIVEN["q"])


# --- lifetime --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_functions_are_freed():
    f = made()
    f(**GIVEN)
    f(**GIVEN, parameters={"a": 1.0})
    step = f.bind(**bindable())
    code, engine = weakref.ref(f._convention.code), weakref.ref(f._convention.code.engine)
    whole = weakref.ref(f)
    del f
    gc.collect()
    assert whole() is None
    assert code() is not None  # the bound function keeps it
    expected = made()(**GIVEN)
    gc.collect()
    same({name: array.copy() for name, array in step().items()}, expected)
    del step
    gc.collect()
    assert code() is None
    assert engine() is None


def test_a_bound_function_keeps_its_arrays():
    f = made()
    step = f.bind(**bindable(), out={"y": np.zeros(3), "t": np.zeros((2, 1))})
    expected = f(**GIVEN)
    del f
    gc.collect()
    rubbish = [np.full(size, np.nan) for size in range(1, 50) for _ in range(50)]
    same({name: array.copy() for name, array in step().items()}, expected)
    del rubbish


@fast
def test_the_call_alone_keeps_what_it_needs():
    f = made()
    call, expected = f.__call__, f(**GIVEN)
    del f
    gc.collect()
    same(call(**GIVEN), expected)
    same(call(**{**GIVEN, "q": GIVEN["q"].tolist()}), expected)


@pytest.mark.slow
@fast
def test_no_reference_is_left_behind(f):
    """Neither of what goes in nor of what comes out, on every way through the code."""
    given = bindable()
    step = f.bind(**given)
    result = step()

    def refused(**wrong: Any) -> None:
        with pytest.raises(CallError):
            f(**wrong)

    def counts_after(*ways: Callable[[], Any]) -> list[int]:
        for way in ways:
            way()
        gc.collect()
        return [sys.getrefcount(one) for one in (*watched, np.dtype(float))]

    watched = [*given.values(), result, result["y"], "y", f.__call__, np.ndarray]
    plain = [lambda: f(**given), step, lambda: f(q=given["q"], m=given["m"], s=given["s"])]
    odd = [
        lambda: f(**{**given, "q": [1.0, 2.0]}),
        lambda: refused(q=given["q"]),
        lambda: refused(**given, x=given["q"]),
        lambda: refused(**{**given, "q": given["m"]}),
    ]
    first = counts_after(*plain, *odd)
    again = counts_after(*plain * 200)
    assert max(abs(after - before) for before, after in zip(first, again, strict=True)) < 20
    again = counts_after(*odd * 200)  # NumPy itself (2.4) counts its type of doubles up in each np.empty
    assert max(abs(after - before) for before, after in zip(first[:-1], again[:-1], strict=True)) < 20
    made = f(**given)
    assert sys.getrefcount(made["y"]) == sys.getrefcount(np.zeros(3)) + 1  # the dict's
    assert sys.getrefcount(f(**given)) == sys.getrefcount({})


def resident() -> int:
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


@can_guard
def test_memory_does_not_grow(f):
    given, step = bindable(), f.bind(**bindable())
    for round_ in range(3):
        for _ in range(50_000):
            f(**given)
            step()
        if round_ == 0:
            first = resident()
    assert resident() - first < 4_000_000  # the arrays of 100 000 calls would take 20 MB and more


def test_results_are_new(f):
    first, second = f(**GIVEN), f(**GIVEN)
    assert first is not second
    assert not np.shares_memory(first["y"], second["y"])
    first["y"][...] = 7
    assert not (f(**GIVEN)["y"] == 7).any()


# --- threads, processes, copies --------------------------------------------------------------------------------------


def test_threads_at_the_same_time(f):
    wrong: list[int] = []

    def work(k: int) -> None:
        given = {**bindable(), "q": np.array([k, 0.1 * k])}
        step, expected = f.bind(**given), f._convention.call(**given)
        for _ in range(2000):
            found, again = f(**given), step()
            if (found["y"] != expected["y"]).any() or (again["t"] != expected["t"]).any():
                wrong.append(k)

    workers = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def test_pickles_and_copies():
    f = made(fused=True)
    for other in (pickle.loads(pickle.dumps(f)), copy.copy(f), copy.deepcopy(f)):
        assert other.program == f.program
        assert repr(other) == repr(f)
        same(other(**GIVEN), f(**GIVEN))
        same(other(**GIVEN, parameters={"a": 9.0}), f(**GIVEN, parameters={"a": 9.0}))
        short = {name: GIVEN[name] for name in ("q", "m", "s")}
        same(other(**short), f(**short))
    model = inverse_dynamics(load("rx90")).compile()
    zero = {name: np.zeros(shape) for name, shape in model.inputs.items()}
    same(pickle.loads(pickle.dumps(model))(**zero), model(**zero))


def in_child(f: CompiledFunction) -> list[float]:
    return f(**GIVEN)["y"].tolist()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
def test_a_forked_process():
    f = made()
    step, expected = f.bind(**bindable()), f(**GIVEN)["y"].tolist()
    child = os.fork()
    if child == 0:
        good = f(**GIVEN)["y"].tolist() == expected == step()["y"].tolist() == in_child(made(numeric=False))
        os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0


SPAWNED = """
import sys
sys.path.insert(0, {tests!r})
import multiprocessing
from runtime.test_python_call import in_child, made

if __name__ == "__main__":
    f = made()
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = pool.map(in_child, [f, f, f])
    assert found == [in_child(f)] * 3
    print("done")
"""


@pytest.mark.slow
def test_spawned_processes(tmp_path):
    assert "spawn" in multiprocessing.get_all_start_methods()
    script = tmp_path / "spawned.py"
    script.write_text(SPAWNED.format(tests=str(Path(__file__).parents[1])), encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120)
    assert done.stdout == "done\n", done.stderr
    assert done.returncode == 0


def test_a_process_ends_well_with_functions_still_there():
    text = (
        "import numpy as np, atexit\n"
        "from robosym.expr import sin, variable\n"
        "from robosym.program.program import Array, Program\n"
        "from robosym.runtime import compile_program\n"
        "x = variable('x')\n"
        "f = compile_program(Program('p', (Array('x', (), (x,)),), (), (), (), (Array('y', (), (sin(x),)),)))\n"
        "step = f.bind(x=np.array(0.0))\n"
        "class Late:\n"
        "    def __del__(self, f=f, step=step, zero=np.array(0.0)): f(x=zero); step()\n"
        "late = Late()\n"
        "import sys; sys.late = late\n"
        "atexit.register(lambda: (f(x=np.zeros(300)), step()))\n"
    )
    done = subprocess.run([sys.executable, "-X", "dev", "-c", text], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
