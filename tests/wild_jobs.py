"""Functions that a server runs as jobs only in tests: well-behaved ones, and wild ones."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from robosym import RobosymError
from robosym.robot import Robot

Progress = Callable[[float | None, str], None]


def counts(robot: Robot, to: int, *, progress: Progress) -> dict[str, Any]:
    for done in range(to):
        progress(done / to, f"{done} of {to}")
        time.sleep(0.15)
    return {"robot": robot.name, "counted": to}


def sleeps(seconds: float) -> str:
    time.sleep(seconds)
    return "awake"


def runs_wild() -> None:
    n = 0
    while True:
        n += 1


def eats_memory() -> None:
    eaten = []
    while True:
        eaten.append(bytearray(10 << 20))


def dies() -> None:
    import os

    os._exit(3)


def fails() -> None:
    raise ValueError(f"a secret of {__file__}")


def reads(recording: Path) -> dict[str, Any]:
    """What is in a file, or an error that names it."""
    text = recording.read_text(encoding="utf-8", errors="replace")
    if "bad" in text:
        raise RobosymError(f"{recording}: line 1: bad")
    return {"read": str(recording), "letters": len(text)}


def tells(times: int, progress: Progress) -> int:
    for k in range(times):
        progress(k / times, "words")
    return times
