"""Identifiers: any text becomes a name that is legal, free and the same in every run."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable


def identifier(text: str) -> str:
    """The text as letters, digits and _, beginning with a letter: ``inverse-dynamics`` -> ``inverse_dynamics``."""
    name = re.sub(r"[^A-Za-z0-9_]+", "_", text)
    return name if name[:1].isalpha() else f"x{name}"


LONGEST = 63  # letters of a name: so many C, Fortran and Matlab look at


def shortened(text: str, longest: int = LONGEST, room: int = 20) -> str:
    """The text, or, if it makes too long an identifier, the beginning of that and a digest of all of it: two names that
    begin alike stay two. ``room`` letters are left for what is added to it, such as ``_precompute``, and for short lines around it."""
    name = identifier(text)
    if len(name) <= longest:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{name[: longest - room - 7].rstrip('_')}_{digest}"


class Names:
    """Hands out names. One that is reserved by the language or already taken gets ``_``, then ``_2``, ``_3``, ...

    They have at most ``LONGEST`` letters. A language that takes ``q`` and ``Q`` for one name, or that keeps names with
    ``__`` for itself, has a subclass.
    """

    folds_case = False
    longest = LONGEST
    doubles_underscores = True

    def __init__(self, reserved: Iterable[str]) -> None:
        self._taken = set(map(self._key, reserved))
        self._next: dict[str, int] = {}

    def take(self, wanted: str) -> str:
        stem = identifier(wanted)
        name = self._cut(stem)
        if self._key(name) in self._taken:
            name = self._cut(stem, "_")
        while self._key(name) in self._taken:
            self._next[stem] = self._next.get(stem, 1) + 1
            name = self._cut(stem, f"_{self._next[stem]}")
        self._taken.add(self._key(name))
        return name

    def numbered(self, stem: str) -> str:
        """The next free name of ``stem1``, ``stem2``, ..."""
        while True:
            self._next[stem] = self._next.get(stem, 0) + 1
            name = f"{stem}{self._next[stem]}"
            if self._key(name) not in self._taken:
                self._taken.add(self._key(name))
                return name

    def _key(self, name: str) -> str:
        """What two names that the language cannot tell apart have in common."""
        return name.lower() if self.folds_case else name

    def _cut(self, stem: str, suffix: str = "") -> str:
        name = stem[: self.longest - len(suffix)] + suffix
        return name if self.doubles_underscores else re.sub("__+", "_", name)


class SingleUnderscores(Names):
    """Names without two underscores in a row."""

    doubles_underscores = False
