"""Warm processes that derive: the server itself never computes, so it answers while they do, and can end them."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
from collections import OrderedDict, deque
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any

from .answers import Made, made
from .calls import alone, answer, heard
from .processes import Child
from .refusal import RefusedError
from .sources import KEPT, Source

COUNT = min(8, max(2, os.cpu_count() or 2))
SECONDS = 60.0  # of one request
MEGABYTES = 4096  # of one worker
GROWN = 1024  # megabytes a worker may hold between two requests; one that holds more is replaced


class Workers:
    """So many processes. A call takes one that is free, best one that knows the model or the robot; one that runs wild is replaced."""

    def __init__(self, count: int = COUNT, seconds: float = SECONDS, megabytes: int = MEGABYTES) -> None:
        self.seconds, self.megabytes = seconds, megabytes
        self._free: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._waiting: deque[asyncio.Future[_Worker]] = deque()
        self._threads = ThreadPoolExecutor(count, "worker")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False
        for _ in range(count):
            self._run(self._begin())

    async def call(self, function: str, source: Source | None, arguments: dict[str, Any]) -> Made:
        """What ``module:function`` of robosym gives. Cancelled while it waits, it is not begun; while it runs, it is ended."""
        worker = await self._take(source, subject(source, arguments))
        running = self._run(self._use(worker, function, source, arguments))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            worker.child.kill()  # whoever follows it sees its pipe close
            raise

    def close(self) -> None:
        self._closed = True
        for worker in self._all:
            worker.child.end()
        self._threads.shutdown(wait=False)

    async def _take(self, source: Source | None, about: str) -> _Worker:
        if self._free:
            worker = max(
                self._free, key=lambda free: (about in free.knows, source is not None and source.key in free.knows)
            )
            self._free.remove(worker)
            return worker
        turn: asyncio.Future[_Worker] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._give(turn.result())
            raise

    def _give(self, worker: _Worker) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(worker)
                return
        self._free.append(worker)

    async def _use(self, worker: _Worker, function: str, source: Source | None, arguments: dict[str, Any]) -> Made:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, worker.call, function, source, arguments, self.seconds)
        finally:
            if worker.usable:
                self._give(worker)
            elif not self._closed:
                self._all.discard(worker)
                self._run(self._begin(instead_of=worker))

    async def _begin(self, instead_of: _Worker | None = None) -> None:
        def begun() -> _Worker:
            if instead_of is not None:
                instead_of.child.end()
            return _Worker(self.megabytes)

        while True:
            try:
                worker = await asyncio.get_running_loop().run_in_executor(self._threads, begun)
                break
            except OSError:  # the machine has no room for another process now
                await asyncio.sleep(1.0)
        if self._closed:
            worker.child.end()
            return
        self._all.add(worker)
        self._give(worker)

    def _run(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)  # asyncio itself holds tasks only weakly
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return task


def subject(source: Source | None, arguments: dict[str, Any]) -> str:
    """What a call is about: a model of a robot, whose equations, source and values are asked one after the other."""
    return json.dumps([source.key if source else None, arguments.get("name"), arguments.get("options")], sort_keys=True)


class _Worker:
    def __init__(self, megabytes: int) -> None:
        self.megabytes = megabytes
        self.child = Child(_serve, megabytes)
        self.usable = True
        self.knows: OrderedDict[str, None] = OrderedDict()  # robots and models it has at hand

    def call(self, function: str, source: Source | None, arguments: dict[str, Any], seconds: float) -> Made:
        pipe = self.child.pipe
        try:
            pipe.send((function, source, arguments))
            if not pipe.poll(seconds):
                self.usable = False
                raise RefusedError(503, f"this took longer than {seconds:g} s and was ended")
            kind, found, grown = pipe.recv()
        except (EOFError, OSError) as lost:
            self.usable = False
            words = f"the process that worked on this ended: it failed, or needed more than its {self.megabytes} MB of memory"
            raise RefusedError(503, words) from lost
        self.usable = not grown
        if source is not None:
            for known in (source.key, subject(source, arguments)):
                self.knows[known] = None
                self.knows.move_to_end(known)
            while len(self.knows) > KEPT:
                self.knows.popitem(last=False)
        if kind == "refused":
            raise RefusedError(*found)
        return Made(*found)


# --- in the worker ------------------------------------------------------------------------------------------------------


def _serve(pipe: Connection, megabytes: int) -> None:
    alone(megabytes)
    asked = heard(pipe)
    while True:
        function, source, arguments = asked.get()
        kind, found = answer(function, source, arguments)
        pipe.send((kind, made(found) if kind == "answer" else found, _megabytes() > GROWN))


def _megabytes() -> float:
    """What this process holds now; where the system does not say, the most it ever held."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize() / (1 << 20)
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
