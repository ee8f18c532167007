"""Identifiers of Mathematica: ``M_tool`` becomes ``mTool``, because ``_`` stands for a pattern.

Every name that Mathematica's System` context holds begins with a capital and either has a lowercase letter too or is one
of ``_CAPITALS``; so other names in capitals (``S``, ``C12``, ``XX3``) stay, and the rest begin with a small letter.
"""

from __future__ import annotations

import re

from ...names import Names

_CAPITALS = frozenset(["C", "D", "E", "I", "K", "N", "O", "CDF", "GCD", "LCM", "PDF", "URL"])


def wolfram_identifier(text: str) -> str:
    """``inverse-dynamics`` -> ``inverseDynamics``, ``Sin`` -> ``sin``, ``E`` -> ``e``."""
    first, *others = [word for word in re.split(r"[^A-Za-z0-9]+", text) if word] or ["x"]
    name = first + "".join(word[0].upper() + word[1:] for word in others)
    if not name[0].isalpha():
        return f"x{name}"
    is_capital = name[0].isupper()
    return name[0].lower() + name[1:] if is_capital and (not name.isupper() or name in _CAPITALS) else name


class WolframNames(Names):
    """A name that is taken gets ``n2``, ``n3``, ..."""

    def take(self, wanted: str) -> str:
        stem = name = wolfram_identifier(wanted)
        number = 1
        while name in self._taken:
            number += 1
            name = f"{stem}n{number}"
        self._taken.add(name)
        return name
