"""The page under load: fifty clients, one request a second each for a minute, one in ten a model that nobody asked before.

Then ten thousand requests as fast as one server answers them, and what it and its processes hold before and after; and a job
that runs wild, which is ended. Against a server of its own on 127.0.0.1, bounded in count and time.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.parse import quote

from rich.console import Console
from rich.table import Table
from sizes import installed, sized

CLIENTS, SECONDS, NEW_OF = sized((50, 60, 10), (3, 2, 5))
MANY, PART, AT_ONCE = sized((10_000, 1000, 20), (60, 20, 4))  # memory is taken after every part
KNOWN = sized(10, 1)  # models that are asked again and again
LONGEST = sized(2.0, 0.2)  # s, of a job
LACKING = ("smooth", "gyroscopic")  # what the description of the RX-90 has no numbers for
CACHED_MS, NEW_MS = 100.0, 500.0  # asked of the median
GROWTH = 1.2  # of memory, from the second thousand of requests to the last
MODELS = (
    "inverse-dynamics",
    "forward-dynamics",
    "bias",
    "motor-torques",
    "inertia-matrix",
    "coriolis",
    "lagrange",
    "energy",
)
STATIC = (
    "/",
    "/static/main.js",
    "/static/core/store.js",
    "/api/robots",
    "/api/robots/rx90/scene",
    "/api/robots/rx90/direct.mjs",
)
SERVER = """
import sys
from functools import partial
import uvicorn
sys.path.insert(0, {folder!r})
import web_load
from robosym.web.jobs import KINDS, Jobs, Kind
from robosym.web.running import Impatient, _listening
from robosym.web.security import Doors
from robosym.web.server import application

listening = _listening("127.0.0.1", 0)
port = listening.getsockname()[1]
print(f"http://127.0.0.1:{{port}}/", flush=True)
jobs = partial(Jobs, {{**KINDS, "wild": Kind(web_load.wild, seconds={longest})}})
config = uvicorn.Config(application(Doors(port), jobs_of=jobs, warm=True), http=Impatient, log_level="error")
uvicorn.Server(config).run([listening])
"""


def wild() -> None:
    """A job that never ends by itself."""
    for _ in itertools.count():
        pass


@contextmanager
def serving() -> Iterator[tuple[int, int]]:
    """A server as ``robosym web`` runs it, and one kind of job more: its port and process."""
    code = SERVER.format(folder=str(Path(__file__).parent), longest=LONGEST)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r":(\d+)/", process.stdout.readline())
        assert found
        yield int(found.group(1)), process.pid
    finally:
        process.terminate()
        process.wait(20)


async def ask(port: int, path: str, method: str = "GET", body: Any = None) -> tuple[int, bytes, float]:
    """Status, content and milliseconds of a request on a connection of its own."""
    start = time.perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
    data = b"" if body is None else json.dumps(body).encode()
    here = f"127.0.0.1:{port}"
    head = f"{method} {path} HTTP/1.1\r\nHost: {here}\r\nOrigin: http://{here}\r\nConnection: close\r\nAccept-Encoding: gzip\r\n"
    writer.write(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data)
    answer = await reader.read()
    writer.close()
    return int(answer[9:12] or 0), answer.partition(b"\r\n\r\n")[2], 1e3 * (time.perf_counter() - start)


def new_models() -> list[str]:
    """Addresses of models with all choices of their options, in an order that is the same every time."""
    from robosym import load
    from robosym.views.controls import controls

    robot, found = load("rx90"), []
    for model in MODELS:
        choices = {
            one["name"]: [choice["value"] for choice in one["choices"] if choice["value"] not in LACKING]
            for one in controls(robot, model)
            if one.get("choices")
        }
        for values in itertools.product(*choices.values()):
            options = json.dumps(dict(zip(choices, values, strict=True)))
            found.append(f"/api/robots/rx90/models/{model}?options={quote(options)}")
    random.Random(0).shuffle(found)
    return found


async def load_test(port: int, fresh: Iterator[str], known: list[str]) -> tuple[dict[str, list[float]], list[str]]:
    """Milliseconds by kind of request, and what went wrong."""
    took: dict[str, list[float]] = {"cached": [], "new": []}
    wrong: list[str] = []

    async def client(k: int) -> None:
        await asyncio.sleep(k / CLIENTS)
        for second in range(SECONDS):
            due = start + k / CLIENTS + second
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            kind = "new" if (second + k) % NEW_OF == 0 else "cached"
            path = next(fresh) if kind == "new" else known[(second * CLIENTS + k) % len(known)]
            status, content, ms = await ask(port, path)
            if status == 200:
                took[kind].append(ms)
            else:
                wrong.append(f"{status} {path} {content[:80]!r}")

    start = time.perf_counter()
    await asyncio.gather(*(client(k) for k in range(CLIENTS)))
    return took, wrong


async def many(port: int, fresh: Iterator[str], known: list[str], pid: int) -> tuple[list[float], list[str]]:
    """Megabytes after every part of the requests, one in fifty of them new, and what went wrong."""
    held, wrong = [], []
    for _ in range(MANY // PART):
        paths = iter([next(fresh) if k % 50 == 0 else known[k % len(known)] for k in range(PART)])

        async def one(paths: Iterator[str] = paths) -> None:
            for path in paths:
                status, _, _ = await ask(port, path)
                if status != 200:
                    wrong.append(f"{status} {path}")

        await asyncio.gather(*(one() for _ in range(AT_ONCE)))
        held.append(megabytes(pid))
    return held, wrong


async def wild_job(port: int) -> str:
    _, content, _ = await ask(port, "/api/jobs", "POST", {"kind": "wild"})
    _, events, _ = await ask(port, f"/api/jobs/{json.loads(content)['id']}/events")
    found = re.search(rb'"message": "([^"]*)"', events)
    return found.group(1).decode() if found else f"nothing: {events!r}"


def megabytes(pid: int) -> float:
    """What a process and all below it hold, pages they share counted once for all who share them."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            stat = Path(f"/proc/{name}/stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        parents[int(name)] = int(stat.rpartition(")")[2].split()[1])
    family = [pid]
    for one in family:
        family.extend(child for child, of in parents.items() if of == one)
    total = 0
    for one in family:
        try:
            rollup = Path(f"/proc/{one}/smaps_rollup").read_text(encoding="ascii")
            total += int(re.search(r"^Pss:\s+(\d+)", rollup, re.M).group(1))  # type: ignore[union-attr]
        except (OSError, AttributeError):
            pages = Path(f"/proc/{one}/statm").read_text(encoding="ascii").split()[1]
            total += int(pages) * os.sysconf("SC_PAGE_SIZE") // 1024
    return total / 1024


async def measured(port: int, pid: int) -> bool:
    fresh = new_models()
    known = [*STATIC, *(fresh.pop() for _ in range(KNOWN))]
    for path in known:
        await ask(port, path)  # from now on it is kept
    known = [path for path in known if (await ask(port, path))[0] == 200]
    unasked = iter(fresh)
    took, wrong = await load_test(port, unasked, known)
    held, also = await many(port, unasked, known, pid)
    said = await wild_job(port)

    table = Table(title=f"{CLIENTS} clients, one request a second each, {SECONDS} s; then {MANY} requests")
    for column in ("", "requests", "median", "95 %", "asked"):
        table.add_column(column, justify="left" if not column else "right")
    good = not wrong and not also and bool(took["new"])
    for kind, limit in (("cached", CACHED_MS), ("new", NEW_MS)):
        ms = took[kind] or [float("nan")]
        good &= median(ms) < limit
        table.add_row(
            kind, str(len(ms)), f"{median(ms):.0f} ms", f"{quantiles(ms * 2, n=20)[-1]:.0f} ms", f"< {limit:.0f} ms"
        )
    good &= held[-1] < GROWTH * held[1] and f"longer than {LONGEST:g} s" in said
    table.add_row("errors", str(len(wrong) + len(also)), "", "", "0")
    table.add_row("memory", str(MANY), f"{held[1]:.0f} MB", f"{held[-1]:.0f} MB", f"< {GROWTH:g} times")
    Console(width=120).print(table)
    for line in (wrong + also)[:5]:
        print(line)
    print(f"a job that runs wild: {said}")
    print("all as asked" if good else "NOT as asked: is the machine idle?")
    return good


def main() -> None:
    if not all([installed("uvicorn", "the page under load is"), installed("starlette", "the page under load is")]):
        return
    with serving() as (port, pid):
        asyncio.run(measured(port, pid))


if __name__ == "__main__":
    main()
