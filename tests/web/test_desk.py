"""Answers shared, kept, and dropped when nobody waits for them; processes that are waited for, used and ended."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from robosym.web import desk
from robosym.web.answers import Made, made
from robosym.web.desk import Desk
from robosym.web.refusal import RefusedError
from robosym.web.sources import Source
from robosym.web.workers import Workers, subject

RX90 = Source(name="rx90")


class Slow:
    """In the place of workers: answers when it is told to."""

    def __init__(self) -> None:
        self.go, self.calls, self.ended = asyncio.Event(), 0, 0

    async def call(self, function: str, source: Source | None, arguments: dict[str, Any]) -> Made:
        self.calls += 1
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.ended += 1
            raise
        if function == "wrong":
            raise RefusedError(422, "wrong")
        return made(function.encode())


def in_its_own_thread(work: Coroutine[Any, Any, None]) -> None:
    """The driver of a browser, if a test has started one here, keeps a loop running in this thread."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()


async def asked_thrice(function: str = "f") -> tuple[Slow, Desk, list[asyncio.Task[Made]]]:
    slow = Slow()
    here = Desk(slow)  # type: ignore[arg-type]
    tasks = [asyncio.create_task(here.answer(function, RX90, a=1)) for _ in range(3)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return slow, here, tasks


def test_the_same_at_the_same_time_is_made_once_and_kept() -> None:
    async def work() -> None:
        slow, here, tasks = await asked_thrice()
        slow.go.set()
        assert [(await task).plain for task in tasks] == [b"f"] * 3
        await here.answer("f", RX90, a=1)
        assert slow.calls == 1
        await here.answer("f", RX90, a=2)
        await here.answer("f", None, a=1)
        assert slow.calls == 3

    in_its_own_thread(work())


def test_a_refusal_reaches_all_and_is_not_kept() -> None:
    async def work() -> None:
        slow, here, tasks = await asked_thrice("wrong")
        slow.go.set()
        for task in tasks:
            with pytest.raises(RefusedError):
                await task
        with pytest.raises(RefusedError):
            await here.answer("wrong", RX90, a=1)
        assert slow.calls == 2

    in_its_own_thread(work())


def test_work_goes_on_while_one_waits_and_ends_when_all_have_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "LEFT", 0.0)

    async def work() -> None:
        slow, _, tasks = await asked_thrice()
        tasks[0].cancel()
        tasks[1].cancel()
        await asyncio.sleep(0.05)
        assert slow.ended == 0
        tasks[2].cancel()
        await asyncio.sleep(0.05)
        assert slow.ended == 1

    in_its_own_thread(work())


def test_answers_have_so_much_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "MOST_KEPT", 1000)

    async def work() -> None:
        slow = Slow()
        slow.go.set()
        here = Desk(slow)  # type: ignore[arg-type]
        for k in range(20):
            await here.answer("f", None, k=k)
        await here.answer("f", None, k=19)
        assert slow.calls == 20
        await here.answer("f", None, k=0)
        assert slow.calls == 21

    in_its_own_thread(work())


def test_who_goes_while_waiting_is_not_served_and_who_goes_later_ends_the_work() -> None:
    async def work() -> None:
        workers = Workers(1)
        try:
            assert b"rx90" in (await workers.call("views.robots:built_in_robots", None, {})).plain
            wild = asyncio.create_task(workers.call("scene:direct_module", Source(name="general-2000r"), {}))
            await asyncio.sleep(0.2)
            waits = asyncio.create_task(workers.call("views.robots:built_in_robots", None, {}))
            goes = asyncio.create_task(workers.call("views.robots:built_in_robots", None, {}))
            await asyncio.sleep(0.2)
            goes.cancel()
            wild.cancel()
            assert b"rx90" in (await waits).plain  # by a new process
            assert goes.cancelled()
        finally:
            workers.close()

    in_its_own_thread(work())


def test_a_call_goes_to_who_knows_the_model() -> None:
    async def work() -> None:
        workers = Workers(2)
        try:
            while len(workers._free) < 2:
                await asyncio.sleep(0.05)
            await workers.call("views.robots:robot_view", RX90, {})
            knowing = [worker for worker in workers._free if "rx90" in worker.knows]
            assert len(knowing) == 1
            for _ in range(3):
                await workers.call("views.robots:robot_view", RX90, {})
            assert [worker for worker in workers._free if "rx90" in worker.knows] == knowing
            assert subject(RX90, {}) in knowing[0].knows
        finally:
            workers.close()

    in_its_own_thread(work())
