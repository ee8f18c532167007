"""What a mistyped word may have been."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def guess(word: str, known: Iterable[str], most: int = 1) -> str:
    """The nearest of the known words; nothing where none is near. Capitals and _ for - do not count."""
    words = {_plain(one): one for one in reversed(list(known))}
    near = difflib.get_close_matches(_plain(word)[:60], words, most, 0.6)
    return " or ".join(words[one] for one in near)


def _plain(word: str) -> str:
    return word.lower().replace("_", "-")
