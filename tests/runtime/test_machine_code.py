"""Machine code of a program: one state, states one after the other, blocks of them, in threads."""

from __future__ import annotations

import threading
from itertools import pairwise

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided
from runtime.batches import VALUES, code, mixed, same, states
from sample_programs import vector

from robosym.codegen.interface import Argument
from robosym.expr import parameter, variable
from robosym.program import Array, Program
from robosym.runtime import compile_program
from robosym.runtime.batch_ir import rows_of
from robosym.runtime.host import host
from robosym.runtime.machine_code import CACHE, FEW, LONGEST_BLOCK, MachineCode, Worker, distances, is_even
from robosym.runtime.parameters import NONE, Parameters


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize("count", [1, 255, 256, 1000, 1537])
def test_threads_do_not_change_results(f, count, threads):
    given = states(count)
    expected = f(**given)
    same(f(**given, threads=threads), expected)
    same(f(**given, threads=threads, layout="soa"), expected)


def test_each_thread_does_its_part(g, monkeypatch):
    parts: list[tuple[int, int]] = []
    plain = MachineCode._states

    def noted(self: MachineCode, job: list[int], first: int, last: int) -> None:
        parts.append((first, last))
        plain(self, job, first, last)

    monkeypatch.setattr(MachineCode, "_states", noted)
    g(x=np.zeros((5000, 6, 6)), threads=4)
    parts.sort()
    assert len(parts) == 4
    assert parts[0][0] == 0
    assert parts[-1][1] == 5000
    for (_, last), (first, _) in pairwise(parts):
        assert last == first
        assert first % code(g)._block_size == 0


def test_what_goes_wrong_in_a_thread_is_told(g, monkeypatch):
    def broken(self: MachineCode, job: list[int], first: int, last: int) -> None:
        if first:
            raise MemoryError("no room")

    monkeypatch.setattr(MachineCode, "_states", broken)
    with pytest.raises(MemoryError, match="no room"):
        g(x=np.zeros((5000, 6, 6)), threads=3)


def test_batches_from_several_threads_at_once():
    f = compile_program(mixed(), values=VALUES)
    expected = {seed: compile_program(mixed(), values=VALUES)(**states(700, seed)) for seed in range(6)}
    wrong: list[int] = []

    def work(seed: int) -> None:
        for _ in range(5):
            found = f(**states(700, seed), threads=2)
            if any(not np.array_equal(array, expected[seed][name]) for name, array in found.items()):
                wrong.append(seed)

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def test_threads_are_waited_for_when_one_cannot_start(monkeypatch):
    """Nothing may write into arrays that the caller has given up."""
    f = compile_program(mixed(), values=VALUES)
    finished, start = [], threading.Thread.start

    def limited(self: threading.Thread) -> None:
        if len(finished) == 2:
            raise RuntimeError("can't start new thread")
        finished.append(self)
        start(self)

    monkeypatch.setattr(threading.Thread, "start", limited)
    with pytest.raises(RuntimeError, match="can't start"):
        f(**states(50 * FEW), threads=4)
    assert len(finished) == 2
    assert not any(thread.is_alive() for thread in finished)


# --- how arrays lie ---------------------------------------------------------------------------------------------------------


def walked(array: np.ndarray, found: tuple[int, int], batched: bool, size: int) -> np.ndarray:
    """The entries that these distances lead to."""
    from_state, from_entry = found
    count = len(array) if batched else 1
    return as_strided(array, (count, size), (8 * from_state, 8 * from_entry))


def argument(*shape: int) -> Argument:
    size = int(np.prod(shape))
    return Argument(Array("x", shape, tuple(variable(f"x{k}") for k in range(size))), "x")


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 3), (3, 1), (1, 4), (2, 2, 2)])
@pytest.mark.parametrize("count", [None, 1, 5])
@pytest.mark.parametrize("way", ["plain", "fortran", "every second", "backwards", "one for all", "axes turned"])
def test_distances_lead_to_every_entry(shape, count, way):
    whole = shape if count is None else (count, *shape)
    rng = np.random.default_rng(0)
    array = rng.normal(size=whole)
    if way == "fortran":
        array = np.asfortranarray(array)
    elif way == "every second" and whole:
        array = rng.normal(size=(*whole[:-1], 2 * whole[-1]))[..., ::2]
    elif way == "backwards" and whole:
        array = array[::-1]
    elif way == "one for all" and whole:
        array = np.broadcast_to(array[:1], whole)
    elif way == "axes turned" and len(shape) == 2:
        array = np.swapaxes(rng.normal(size=(*whole[:-2], whole[-1], whole[-2])), -1, -2)
    one = argument(*shape)
    found = distances(one, array, count is not None)
    assert is_even(one, array, count is not None) == (found is not None)
    expected = np.array([x.ravel() for x in array]) if count is not None else array.reshape(1, -1)
    if found is not None:
        np.testing.assert_array_equal(walked(array, found, count is not None, one.size), expected)
    lines = len([n for n in shape if n > 1])
    if way == "plain" or lines < 2:  # one line of entries is always even
        assert found is not None


def test_distances_of_odd_memory():
    q = argument(3)
    records = np.zeros(4, dtype=[("flag", "u1"), ("x", float, 3)])
    assert distances(q, records["x"], True) is None
    room = np.zeros(100, dtype=np.uint8)
    assert distances(q, room[4:28].view(float), False) is None
    assert distances(q, as_strided(np.zeros(10), (2, 3), (20, 8)), True) is None  # not whole doubles apart
    assert distances(q, as_strided(np.zeros(10), (2, 3), (16, 8)), True) == (2, 1)
    assert distances(q, np.zeros((1, 3)), True) == (0, 1)
    assert distances(q, np.zeros((2, 3)), True) == (3, 1)
    assert distances(q, np.zeros(3), False) == (0, 1)


# --- one state, and jobs ----------------------------------------------------------------------------------------------------


def scaled() -> Program:
    x, k = [variable(f"x{i}") for i in range(3)], parameter("k")
    return Program(
        "scaled", (vector("x", x),), (k,), (), (), (vector("y", [k * x[2], x[0] - x[1]]), Array("z", (), (x[0],)))
    )


def test_one_state():
    made = MachineCode(scaled(), 1)
    y, z = made.one([np.array([1.0, 2.0, 4.0])], Parameters((np.array([0.5]),)))
    assert (y.tolist(), float(z)) == ([2.0, -1.0], 1.0)
    assert made.count == 4
    assert not made.long
    assert made.answer(5, [], NONE) is NotImplemented
    assert made.shared(Parameters((np.array([0.5]),)))[1] == 0


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("order", ["C", "F"])
def test_many_states(order, threads):
    """Few of them one after the other, many in blocks, some with sets of parameters: all into arrays that lie in any way."""
    made, rng = MachineCode(scaled(), 1), np.random.default_rng(0)
    for count in (0, 1, FEW - 1, FEW, 3 * FEW + 1):
        x, k = rng.normal(size=(count, 3)), rng.normal(size=(count, 1))
        for parameters, factor in ((Parameters((np.array([0.5]),)), 0.5), (Parameters((k,), (count,)), k[:, 0])):
            if count == 0 and parameters.lead:
                continue
            results = [np.full((count, 2), 7.0, order=order), np.full(count, 7.0)]
            made.many(count, [(x, True)], parameters, results, threads)
            np.testing.assert_array_equal(results[0], np.stack([factor * x[:, 2], x[:, 0] - x[:, 1]], axis=1))
            np.testing.assert_array_equal(results[1], x[:, 0])
        results = [np.empty((count, 2)), np.empty(count)]
        made.many(count, [(np.array([1.0, 2.0, 4.0]), False)], Parameters((np.array([0.5]),)), results, threads)
        assert (results[0] == [2.0, -1.0]).all()


def test_rows_and_sizes_of_blocks():
    made, lanes = MachineCode(mixed(), 1), host().lanes
    sizes = [one.size for one in made.facts.inputs]
    assert made._rows[0] == sum(rows_of(size, lanes) for size in sizes)
    ends = np.cumsum([0, *(rows_of(size, lanes) for size in sizes)])
    assert made._first_rows[: len(sizes)] == ends[:-1].tolist()
    assert made._first_rows[len(sizes)] == 0
    assert made._block_size == LONGEST_BLOCK * lanes
    entries = tuple(variable(f"x{k}") for k in range(CACHE // 8))
    wide = MachineCode(Program("wide", (vector("x", entries),), (), (), (), (vector("y", entries[:1]),)), 0)
    assert wide._block_size == lanes


def test_a_worker_keeps_what_went_wrong():
    done = []
    worker = Worker(None, lambda *args: done.append(args), 1, 2)
    worker.join()
    assert (done, worker.error) == ([(1, 2)], None)
    broken = Worker(None, lambda: 1 / 0)  # type: ignore[arg-type, return-value]
    broken.join()
    assert isinstance(broken.error, ZeroDivisionError)
