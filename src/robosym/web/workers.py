"""Warm processes that derive: the server itself never computes, so it answers while they do, and can end them."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import resource
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from ..errors import RobosymError
from ..robot import RobotError
from .sources import Source

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["robosym.web.workers", "robosym.models", "numpy"])
SECONDS = 60.0  # of one request
MEGABYTES = 4096  # of one worker


class Refused(Exception):
    """What a client is told instead of an answer: a status, and words."""

    def __init__(self, status: int, message: str, problems: list[dict[str, str]] | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.problems = status, message, problems or []


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
        self.pipe, other = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=_serve, args=(other, megabytes), daemon=True)
        self.process.start()
        other.close()
        self.usable = True

    def call(self, function: str, source: Source | None, arguments: dict[str, Any], seconds: float) -> bytes:
        try:
            self.pipe.send((function, source, arguments))
            if not self.pipe.poll(seconds):
                self.usable = False
                raise Refused(503, f"this took longer than {seconds:g} s and was ended")
            kind, answer = self.pipe.recv()
        except (EOFError, OSError) as lost:
            self.usable = False
            raise Refused(503, "the process that worked on this ended: it needed too much memory, or failed") from lost
        if kind == "refused":
            raise Refused(*answer)
        return bytes(answer)

    def end(self) -> None:
        self.process.kill()
        self.process.join(5)
        self.pipe.close()


# --- in the worker ------------------------------------------------------------------------------------------------------


def _serve(pipe: Connection, megabytes: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    while True:
        try:
            function, source, arguments = pipe.recv()
        except (EOFError, KeyboardInterrupt):
            return
        pipe.send(answer(function, source, arguments))


def answer(function: str, source: Source | None, arguments: dict[str, Any]) -> tuple[str, Any]:
    """Call a public function on the robot: ("answer", bytes), or ("refused", (status, message, problems))."""
    module, name = function.split(":")
    try:
        called = getattr(import_module(f"robosym.{module}"), name)
        made = called(**arguments) if source is None else called(source.load(), **arguments)
    except RobotError as error:
        found = [{"where": problem.where, "message": problem.message} for problem in error.problems]
        return "refused", (422, str(error), found)
    except RobosymError as error:
        return "refused", (422, str(error), [])
    except MemoryError:
        return "refused", (503, "this needs more memory than a request may have", [])
    return "answer", made if isinstance(made, bytes) else as_bytes(made)


def as_bytes(made: Any) -> bytes:
    """Texts as they are, all else as JSON."""
    return (made if isinstance(made, str) else json.dumps(made, allow_nan=False, separators=(",", ":"))).encode()
