"""Processes of the fork-server: warm, because it has imported what they need, and ended for certain."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from typing import Any

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(
    [
        *("robosym.web.workers", "robosym.web.jobs", "robosym.library", "robosym.models", "robosym.scene"),
        *("robosym.views.robots", "robosym.views.models"),
    ]
)
_ONE_AT_A_TIME = threading.Lock()  # multiprocessing keeps a list of its children, which it tidies when one starts


class Child:
    """A process that runs ``target(pipe, *arguments)``, and our end of its pipe."""

    def __init__(self, target: Callable[..., None], *arguments: Any) -> None:
        self.pipe, other = CONTEXT.Pipe()
        self._process = CONTEXT.Process(target=target, args=(other, *arguments), daemon=True)
        with _ONE_AT_A_TIME:
            self._process.start()
        other.close()

    @property
    def id(self) -> int:
        return self._process.pid or 0

    def kill(self) -> None:
        """End it, with all that it started."""
        with _ONE_AT_A_TIME:
            if self._process.is_alive():
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.id, signal.SIGKILL)  # its own group, unless it has only just begun
                self._process.kill()

    def end(self) -> None:
        """Kill it, and wait until it is gone. For the one who reads its pipe: that is closed too."""
        self.kill()
        self._process.join(5)
        self.pipe.close()
