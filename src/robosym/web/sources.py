"""Which robot a request is about: a built-in by its name, or a text that was sent before, by its digest."""

from __future__ import annotations

import hashlib
import re
from dataclasses import asdict, astuple, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .refusal import RefusedError

if TYPE_CHECKING:  # the server itself computes nothing, and starts without numpy
    from ..robot import Robot

KEPT = 32  # robots a worker holds, with the models that were made of them
_NAME = re.compile(r"(?!x[0-9a-f]{32}$)[A-Za-z0-9][A-Za-z0-9_-]{0,60}")


@dataclass(frozen=True)
class Source:
    """A robot as it was given; the same text gives the same key."""

    name: str = ""  # of a built-in
    text: str = ""
    format: str | None = None
    floating: bool = False
    loops: str = ""  # of a URDF: the text of the file beside it

    @classmethod
    def built_in(cls, name: str) -> Source:
        """A built-in robot; whether there is one of this name, the worker says that loads it."""
        if not _NAME.fullmatch(name):
            raise _unknown(name)
        return cls(name=name)

    @property
    def key(self) -> str:
        if self.name and not self.floating:
            return self.name
        return "x" + hashlib.sha256(repr(astuple(self)).encode()).hexdigest()[:32]

    def given(self) -> dict[str, Any]:
        """What ``views.robots.checked_robot`` is asked."""
        return asdict(self)

    def load(self) -> Robot:
        return _loaded(self)


@lru_cache(maxsize=KEPT)
def _loaded(source: Source) -> Robot:
    from ..library import is_built_in, load, loads

    if source.name:
        if not is_built_in(source.name):
            raise _unknown(source.name)
        return load(source.name, floating=source.floating)
    loops = source.loops.encode() if source.loops else None
    return loads(source.text, source.format, floating=source.floating, loops=loops)


def _unknown(key: str) -> RefusedError:
    return RefusedError.at(404, "robot", f"no robot {key!r:.60} here: send its description again")
