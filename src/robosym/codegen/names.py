"""Identifiers: any text becomes a name that is legal, free and the same in every run."""

from __future__ import annotations

import re
from collections.abc import Iterable


def identifier(text: str) -> str:
    """The text as letters, digits and _, beginning with a letter: ``inverse-dynamics`` -> ``inverse_dynamics``."""
    name = re.sub(r"[^A-Za-z0-9_]+", "_", text)
    return name if name[:1].isalpha() else f"x{name}"


class Names:
    """Hands out names. One that is reserved by the language or already taken gets ``_``, then ``_2``, ``_3``, ..."""

    def __init__(self, reserved: Iterable[str]) -> None:
        self._taken = set(reserved)
        self._next: dict[str, int] = {}

    def take(self, wanted: str) -> str:
        stem = name = identifier(wanted)
        if name in self._taken:
            name = f"{stem}_"
        while name in self._taken:
            self._next[stem] = self._next.get(stem, 1) + 1
            name = f"{stem}_{self._next[stem]}"
        self._taken.add(name)
        return name

    def numbered(self, stem: str) -> str:
        """The next free name of ``stem1``, ``stem2``, ..."""
        while True:
            self._next[stem] = self._next.get(stem, 0) + 1
            name = f"{stem}{self._next[stem]}"
            if name not in self._taken:
                self._taken.add(name)
                return name
