"""Warm processes that derive: the server itself never computes, so it answers while they do, and can end them."""

from __future__ import annotations

import asyncio
from multiprocessing.connection import Connection
from typing import Any

from .calls import alone, answer, heard
from .processes import Child
from .refusal import RefusedError
from .sources import Source

SECONDS = 60.0  # of one request
MEGABYTES = 4096  # of one worker


class Workers:
    """So many processes; a call takes one that is free, and a process that runs wild is ended and replaced."""

    def __init__(self, count: int = 2, seconds: float = SECONDS, megabytes: int = MEGABYTES) -> None:
        self.seconds, self.megabytes = seconds, megabytes
        self._free: asyncio.Queue[_Worker] = asyncio.Queue()
        for _ in range(count):
            self._free.put_nowait(_Worker(megabytes))

    async def call(self, function: str, source: Source | None, arguments: dict[str, Any]) -> bytes:
        """What ``module:function`` of robosym gives, as the bytes to send."""
        worker = await self._free.get()
        try:
            return await asyncio.to_thread(worker.call, function, source, arguments, self.seconds)
        finally:
            if not worker.usable:
                worker.end()
                worker = _Worker(self.megabytes)
            self._free.put_nowait(worker)

    def close(self) -> None:
        while not self._free.empty():
            self._free.get_nowait().end()


class _Worker:
    def __init__(self, megabytes: int) -> None:
        self.child = Child(_serve, megabytes)
        self.usable = True

    def call(self, function: str, source: Source | None, arguments: dict[str, Any], seconds: float) -> bytes:
        pipe = self.child.pipe
        try:
            pipe.send((function, source, arguments))
            if not pipe.poll(seconds):
                self.usable = False
                raise RefusedError(503, f"this took longer than {seconds:g} s and was ended")
            kind, made = pipe.recv()
        except (EOFError, OSError) as lost:
            self.usable = False
            raise RefusedError(
                503, "the process that worked on this ended: it needed too much memory, or failed"
            ) from lost
        if kind == "refused":
            raise RefusedError(*made)
        return bytes(made)

    def end(self) -> None:
        self.child.end()


# --- in the worker ------------------------------------------------------------------------------------------------------


def _serve(pipe: Connection, megabytes: int) -> None:
    alone(megabytes)
    asked = heard(pipe)
    while True:
        function, source, arguments = asked.get()
        pipe.send(answer(function, source, arguments))
