"""Threads give what ``map`` gives, and take no more than they need."""

from __future__ import annotations

import threading
import time

import pytest

from robosym.identification.data.threads import in_order


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_results_come_in_order(workers: int) -> None:
    def slowly(k: int) -> int:
        time.sleep(0.002 * (k % 3 == 0))
        return k * k

    assert list(in_order(slowly, range(40), workers)) == [k * k for k in range(40)]
    assert list(in_order(slowly, (), workers)) == []


def test_few_items_are_taken_ahead_and_others_work_on_them() -> None:
    taken: list[int] = []
    threads: set[int] = set()

    def items() -> object:
        for k in range(100):
            taken.append(k)
            yield k

    def work(k: int) -> int:
        threads.add(threading.get_ident())
        return k

    found = in_order(work, items(), 3)  # type: ignore[arg-type]
    assert next(found) == 0
    assert len(taken) == 4
    found.close()  # type: ignore[attr-defined]
    assert threading.get_ident() not in threads


def test_errors_come_through() -> None:
    with pytest.raises(ZeroDivisionError):
        list(in_order(lambda k: 1 // k, [1, 0, 1], 2))
