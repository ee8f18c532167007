"""How symbols are typeset: ``q1`` as q with index 1, ``M_tool`` with an upright index; never two of them the same."""

from __future__ import annotations

import re

from ....expr.latex import latex_name
from ...names import Names, identifier

_WORDS = re.compile(r"(_\{|,)([A-Za-z](?:[A-Za-z0-9]|\\_)+)(?=[,}])")  # the words of an index


def typeset(name: str) -> str:
    """``M_tool`` -> ``M_{\\mathrm{tool}}``; indices of one letter stay in italics."""
    return _WORDS.sub(r"\1\\mathrm{\2}", latex_name(identifier(name)))


class TypesetNames(Names):
    """A name that would look like another one gets primes."""

    def take(self, wanted: str) -> str:
        name = typeset(wanted)
        while name in self._taken:
            name += "'"
        self._taken.add(name)
        return name

    def numbered(self, stem: str) -> str:
        while True:
            self._next[stem] = self._next.get(stem, 0) + 1
            name = f"{stem}_{{{self._next[stem]}}}"
            if name not in self._taken:
                self._taken.add(name)
                return name


def bold(names: TypesetNames, name: str) -> str:
    """An array, in bold so that it is not taken for a symbol of the same name."""
    return rf"\boldsymbol{{{names.take(name)}}}"
