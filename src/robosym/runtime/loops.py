"""Loops and branches in assembly, for the little code of ours that is not straight-line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .assembly import Assembly


class Looping(Assembly):
    """Counters live in memory here; LLVM's first pass puts them into registers."""

    _labels = 0

    def _label(self, stem: str) -> str:
        self._labels += 1
        return f"{stem}{self._labels}"

    @contextmanager
    def loop(self, stop: str, step: int = 1) -> Iterator[str]:
        """``for (i = 0; i < stop; i += step)``; the body is written inside the with statement."""
        head, body, done = (self._label(stem) for stem in ("head", "body", "done"))
        counter = self.room("i64")
        self.line(f"store i64 0, ptr {counter}")
        self.line(f"br label %{head}")
        self.line(f"{head}:")
        i = self.add(f"load i64, ptr {counter}")
        more = self.add(f"icmp slt i64 {i}, {stop}")
        self.line(f"br i1 {more}, label %{body}, label %{done}")
        self.line(f"{body}:")
        yield i
        self.line(f"store i64 {self.whole('add', i, step)}, ptr {counter}")
        self.line(f"br label %{head}")
        self.line(f"{done}:")

    @contextmanager
    def when(self, truth: str, finish: str = "") -> Iterator[None]:
        """``if (truth) { ... }``; with ``finish`` the body ends with that instruction, such as ``ret void``."""
        yes, after = self._label("yes"), self._label("after")
        self.line(f"br i1 {truth}, label %{yes}, label %{after}")
        self.line(f"{yes}:")
        yield
        self.line(finish or f"br label %{after}")
        self.line(f"{after}:")

    def whole(self, how: str, a: str, b: str | int) -> str:
        """An operation of two integers."""
        return self.add(f"{how} i64 {a}, {b}")

    def smaller(self, a: str, b: str) -> str:
        less = self.add(f"icmp slt i64 {a}, {b}")
        return self.add(f"select i1 {less}, i64 {a}, i64 {b}")

    def is_equal(self, a: str, b: str | int) -> str:
        return self.add(f"icmp eq i64 {a}, {b}")

    def at(self, pointer: str, index: str | int, kind: str = "double") -> str:
        """The address of an entry."""
        return self.add(f"getelementptr {kind}, ptr {pointer}, i64 {index}")

    def word(self, pointer: str, index: int, kind: str = "i64") -> str:
        """A field of a record of words."""
        return self.add(f"load {kind}, ptr {self.at(pointer, index, 'i64')}")
