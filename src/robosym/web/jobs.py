"""Long work: each job in a process of its own, with progress, limits, and an end when nobody listens any more."""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from .answers import Made, made
from .calls import Function, alone, answer, heard
from .processes import Child
from .refusal import RefusedError
from .sources import Source
from .uploads import Paths, without_folders

QUIET = 20.0  # seconds without a listener until a job is ended
KEPT = 300.0  # seconds its result is kept
OFTEN = 0.1  # seconds between two words of progress
BEAT = 10.0  # seconds between signs of life, which find out whether the listener is there


class Kind(NamedTuple):
    """A function that takes long. Arguments that are files come from uploads only: a path in a request is refused."""

    function: Function
    files: tuple[str, ...] = ()
    seconds: float = 600.0
    megabytes: int = 4096


KINDS: dict[str, Kind] = {
    "look": Kind("views.identification:looked_at", files=("recordings",), seconds=120.0),
    "identify": Kind("views.identification:identified", files=("recordings",)),
    "excite": Kind("views.identification:excited"),
    "record": Kind("views.identification:simulated_recording", seconds=300.0),
    "simulate": Kind("views.motion:simulated"),
    "c-library": Kind("views.packages:c_library"),
}


class Event(NamedTuple):
    number: int
    name: str
    data: str

    def __str__(self) -> str:
        return f"id: {self.number}\nevent: {self.name}\ndata: {self.data}\n\n"


@dataclass
class Job:
    """What a job has said. Only the last word of progress is kept: who comes back late needs no other."""

    kind: Kind
    page: str
    id: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    result: Made | None = None
    ended: bool = False
    said: list[Event] = field(default_factory=list)
    listeners: int = 0
    left: float = field(default_factory=time.monotonic)  # since when nobody listens, or it has ended
    child: Child | None = None
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, name: str, **data: Any) -> None:
        if self.ended:
            return
        number = self.said[-1].number + 1 if self.said else 1
        if name == "progress":
            self.said.clear()
        else:
            self.ended, self.left = True, time.monotonic()
        self.said.append(Event(number, name, json.dumps(data)))
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def events(self, after: int = 0) -> AsyncIterator[str]:
        """All that was said since, and all that will be."""
        self.listeners += 1
        try:
            while True:
                changed = self._changed
                for event in self.said:
                    if event.number > after:
                        after = event.number
                        yield str(event)
                if self.ended:
                    return
                try:
                    await asyncio.wait_for(changed.wait(), BEAT)
                except TimeoutError:
                    yield ": still at work\n\n"
        finally:
            self.listeners -= 1
            self.left = time.monotonic()


class Jobs:
    """The jobs of all pages: so many at once, so many for each page."""

    def __init__(
        self, kinds: Mapping[str, Kind] = KINDS, most: int = 4, most_of_page: int = 2, quiet: float = QUIET
    ) -> None:
        self.kinds, self.most, self.most_of_page, self.quiet = kinds, most, most_of_page, quiet
        self._jobs: dict[str, Job] = {}
        self._loop = asyncio.get_running_loop()
        self._tidying = asyncio.create_task(self._tidy())

    def start(self, kind: str, page: str, source: Source | None, arguments: dict[str, Any], files: Paths) -> Job:
        """Begin; a name that is not known or one job too many is refused."""
        if kind not in self.kinds:
            raise RefusedError.at(400, "kind", f"kind: expected one of {', '.join(self.kinds)}")
        chosen = self.kinds[kind]
        for name in arguments:
            if name in chosen.files:
                raise RefusedError.at(400, f"arguments.{name}", f"{name}: expected a file that was uploaded")
        for name in files:
            if name not in chosen.files:
                raise RefusedError.at(400, f"files.{name}", f"{name}: {kind} takes no such file")
        running = [job for job in self._jobs.values() if not job.ended]
        if len(running) >= self.most:
            raise RefusedError(
                429, f"{self.most} computations run already, which is all there may be: wait for one to end"
            )
        if sum(job.page == page for job in running) >= self.most_of_page:
            raise RefusedError(429, f"{self.most_of_page} computations of this page run already: stop one, or wait")
        job = Job(chosen, page)
        self._jobs[job.id] = job
        asked = (chosen.function, source, arguments, files, chosen.megabytes)
        threading.Thread(target=self._follow, args=(job, asked), daemon=True).start()
        return job

    def job(self, id: str) -> Job:
        if id not in self._jobs:
            raise RefusedError.at(
                404, "job", "this computation is not known here: it ended long ago, or the server was restarted"
            )
        return self._jobs[id]

    def stop(self, job: Job) -> None:
        job.tell("stopped")
        if job.child is not None:
            job.child.kill()

    def close(self) -> None:
        self._tidying.cancel()
        for job in self._jobs.values():
            self.stop(job)

    async def _tidy(self) -> None:
        """End what nobody listens to, forget what ended long ago."""
        while True:
            await asyncio.sleep(min(1.0, self.quiet / 4))
            now = time.monotonic()
            for job in list(self._jobs.values()):
                if not job.listeners and not job.ended and now - job.left > self.quiet:
                    self.stop(job)
                if not job.listeners and job.ended and now - job.left > KEPT:
                    del self._jobs[job.id]

    def _follow(self, job: Job, asked: tuple[Any, ...]) -> None:
        """In a thread: start the process, and pass on what it says until it has ended."""
        child = None
        try:
            child = job.child = Child(_work, *asked)
            child.pipe.recv()  # it has begun: on a busy machine that takes its time, which is not the job's
            until = time.monotonic() + job.kind.seconds
            while not job.ended:
                if not child.pipe.poll(max(0.0, until - time.monotonic())):
                    words = f"this took longer than {job.kind.seconds:g} s and was ended"
                    self._tell(job, "failed", message=words, problems=[])
                    return
                name, data = child.pipe.recv()
                if name == "answer":
                    job.result = Made(*data)
                    self._tell(job, "done", result=f"/api/jobs/{job.id}/result")
                    return
                if name == "refused":
                    self._tell(job, "failed", message=data[1], problems=data[2])
                    return
                self._tell(job, name, **data)
        except (EOFError, OSError):
            words = f"the process that worked on this ended: it failed, or needed more than its {job.kind.megabytes} MB of memory"
            self._tell(job, "failed", message=words, problems=[])
        finally:
            if child is not None:
                child.end()

    def _tell(self, job: Job, name: str, **data: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(lambda: job.tell(name, **data))
        except RuntimeError:  # the server has ended
            job.ended = True


# --- in the process of a job --------------------------------------------------------------------------------------------


def _work(
    pipe: Connection,
    function: Function,
    source: Source | None,
    arguments: dict[str, Any],
    files: Paths,
    megabytes: int,
) -> None:
    alone(megabytes)
    heard(pipe)
    pipe.send("begun")
    last = 0.0

    def progress(share: float | None, words: str = "") -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= OFTEN or share == 1:
            last = now
            known = None if share is None or share != share else min(1.0, max(0.0, float(share)))
            pipe.send(("progress", {"share": known, "words": without_folders(str(words), files)}))

    name, data = answer(function, source, arguments | dict(files), progress=progress)
    if name == "answer":
        pipe.send((name, made(without_folders(data.decode(), files).encode())))
    else:
        status, message, problems = data
        clean = [{key: without_folders(value, files) for key, value in problem.items()} for problem in problems]
        pipe.send((name, (status, without_folders(message, files), clean)))
