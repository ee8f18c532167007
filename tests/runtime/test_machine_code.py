"""Machine code of a program: one state, states one after the other, blocks of them, in threads."""

from __future__ import annotations

import threading
from itertools import pairwise

import numpy as np
import pytest
from runtime.batches import VALUES, code, mixed, same, states

from robosym.runtime import compile_program
from robosym.runtime.machine_code import FEW, MachineCode


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
