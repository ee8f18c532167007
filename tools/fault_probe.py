"""Notes which test executes which fault, in any process that the tests start: ``tools/faults.py reach`` copies it beside the package,
as ``robosym_probe``.

As a plugin of pytest it also notes the processor time of each test, whether it passes, and whether it belongs to the fast part.
Each note is a line of JSON in ``robosym_probe.log`` beside it.
"""

from __future__ import annotations

import json
import os
from typing import Any

LOG = os.path.join(os.path.dirname(os.path.abspath(__file__)), "robosym_probe.log")
SLOW = ("slow", "delivery")  # markers of tests that ``make test`` leaves out

_seen: set[int] = set()
_failed: set[str] = set()
_started: dict[str, tuple[float, bool]] = {}  # processor time, and whether the test is fast


def hit(number: int) -> None:
    """Note a fault the first time it is executed in a test."""
    if number not in _seen:
        _seen.add(number)
        note("hit", number, os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0])


def note(*entry: object) -> None:
    """Append one line, whole even if several processes write. Where files may not be opened nothing is noted."""
    try:
        file = os.open(LOG, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    except OSError:
        return
    os.write(file, json.dumps(entry).encode() + b"\n")
    os.close(file)


def cpu() -> float:
    """Processor time of this process and of its children that have ended."""
    return sum(os.times()[:4])


def pytest_runtest_protocol(item: Any) -> None:
    _seen.clear()
    _started[item.nodeid] = cpu(), not any(item.get_closest_marker(name) for name in SLOW)


def pytest_runtest_logreport(report: Any) -> None:
    if report.failed:
        _failed.add(report.nodeid)


def pytest_runtest_logfinish(nodeid: str) -> None:
    if nodeid in _started:  # the process that only hands out tests has started none
        start, fast = _started[nodeid]
        note("test", nodeid, round(cpu() - start, 3), fast, nodeid not in _failed)
