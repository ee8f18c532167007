"""What reaches the screen. Names come from files that others wrote: whatever they hold, a terminal is sent letters only.

``guarded`` puts a filter on both streams, so that no command has to remember it. Tables and progress bars, which move the
cursor themselves, write past it through ``console``, and clean their words with ``visible``.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from rich.console import Console

# Controls of C0 and C1 but for tab and line feed, and what turns the direction of writing.
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
LINE = re.compile(f"{HIDDEN.pattern}|[\t\n]")  # in what has to stay on one line
PROSE = 100  # lines of text get no longer, however wide the terminal


def visible(text: str, lines: bool = True) -> str:
    r"""The text with every control character written out as \x1b; a line feed too, unless there may be several ``lines``."""
    return (HIDDEN if lines else LINE).sub(_written_out, text)


def _written_out(found: re.Match[str]) -> str:
    return found.group().encode("unicode_escape").decode("ascii")


class Letters:
    """A text stream that passes letters on, and writes control characters out."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        self.stream.write(visible(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextlib.contextmanager
def guarded() -> Iterator[None]:
    """Everything that is printed meanwhile is filtered."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast(TextIO, Letters(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def console(stderr: bool = False, width: int | None = None) -> Console:
    """For tables and progress bars, which bring their own control sequences."""
    from rich.console import Console

    stream: Any = sys.stderr if stderr else sys.stdout
    while isinstance(stream, Letters):
        stream = stream.stream
    return Console(file=stream, width=width, highlight=False)


def terminal_width() -> int | None:
    """How many letters a line on the screen has; None where lines may be as long as they are, in a file or a pipe."""
    found = console()
    return found.width if found.is_terminal else None


def say(text: str) -> None:
    """Print prose: between words, at the width of the terminal, a long line is broken."""
    import textwrap

    width = terminal_width()
    if width is None:
        print(text)
        return
    for line in text.split("\n"):
        print(textwrap.fill(line, min(max(width, 20), PROSE), subsequent_indent="  ", break_on_hyphens=False))


def hang_up() -> None:
    """Nobody reads any more: what is still buffered goes nowhere, without a word at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())
