"""What happens in a process of the server: a public function is called, and all that can go wrong becomes words."""

from __future__ import annotations

import inspect
import json
import logging
import os
import resource
import signal
import threading
from collections.abc import Callable
from importlib import import_module
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any

from ..errors import RobosymError
from .refusal import RefusedError
from .sources import Source

Function = str | Callable[..., Any]  # "views.robots:robot_view", a module and a name in this package
Reply = tuple[str, Any]  # ("answer", bytes) or ("refused", (status, message, problems))
LOG = logging.getLogger("robosym.web")


def answer(function: Function, source: Source | None, arguments: dict[str, Any], **more: Any) -> Reply:
    """Call the function, on the robot if there is one. ``more`` is given only to a function that takes it."""
    try:
        called = found(function)
        takes = inspect.signature(called)
        first = [] if source is None else [source.load()]
        given = arguments | {name: value for name, value in more.items() if name in takes.parameters}
        try:
            takes.bind(*first, **given)
        except TypeError as error:
            return "refused", (400, f"arguments: {error}", [])
        made = called(*first, **given)
        return "answer", made if isinstance(made, bytes) else as_bytes(made)
    except RefusedError as error:
        return "refused", (error.status, error.message, error.problems)
    except RobosymError as error:
        problems = getattr(error, "problems", ())  # of a RobotError
        return "refused", (422, str(error), [{"where": one.where, "message": one.message} for one in problems])
    except MemoryError:
        most = resource.getrlimit(resource.RLIMIT_AS)[0] >> 20
        return "refused", (503, f"this needs more memory than it may have ({most} MB), and was ended", [])
    except RecursionError:
        return "refused", (422, "this is nested too deeply", [])
    except Exception as error:
        LOG.exception("%s failed", function)
        return "refused", (
            500,
            f"something failed here: {type(error).__name__}; the terminal of the server says more",
            [],
        )


def found(function: Function) -> Callable[..., Any]:
    if not isinstance(function, str):
        return function
    module, name = function.split(":")
    public: Callable[..., Any] = getattr(import_module(f"robosym.{module}"), name)
    return public


def as_bytes(made: Any) -> bytes:
    """Texts as they are, all else as JSON."""
    return (made if isinstance(made, str) else json.dumps(made, allow_nan=False, separators=(",", ":"))).encode()


def alone(megabytes: int) -> None:
    """This process is limited, and of a group of its own: the keys of the terminal are for the server."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def heard(pipe: Connection) -> SimpleQueue[Any]:
    """What the server sends. When the server is gone, however it ended, this process ends too, in the midst of its work."""
    queue: SimpleQueue[Any] = SimpleQueue()

    def listen() -> None:
        try:
            while True:
                queue.put(pipe.recv())
        except (EOFError, OSError):
            os.killpg(0, signal.SIGKILL)

    threading.Thread(target=listen, daemon=True).start()
    return queue
