"""Source code for a ``Routine``: its programs by the printers of ``targets``, its stages by a printer here.

::

    routines.source(routine, "c")       # one text that stands alone
    routines.generate(routine, "c")     # the files: {"rx90.h": ..., "rx90.c": ...}

Kernels are texts of their own in ``kernels/``, one for each language. To add a language: a module here with ``generate``
and ``source``, and its kernels.
"""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from types import ModuleType

from ...program.routine import Routine, verified_routine
from ..errors import CodegenError

PRINTERS = {"c": "c", "python": "python"}


def languages() -> list[str]:
    """The languages a routine can be printed in."""
    return sorted(PRINTERS)


def generate(routine: Routine, language: str, *, name: str | None = None) -> dict[str, str]:
    """The files of the routine in that language, by name. ``name`` is what the functions' names begin with."""
    files: dict[str, str] = _printer(language).generate(verified_routine(routine), name=name)
    return files


def source(routine: Routine, language: str, *, name: str | None = None) -> str:
    """The routine in that language as one text that stands alone."""
    text: str = _printer(language).source(verified_routine(routine), name=name)
    return text


def _printer(language: str) -> ModuleType:
    module = PRINTERS.get(language.lower())
    if module is None:
        near = get_close_matches(language.lower(), PRINTERS, n=1)
        hint = f", did you mean '{near[0]}'" if near else ""
        known = ", ".join(languages())
        raise CodegenError(f"no printer of routines for the language '{language}'{hint} (known: {known})")
    return import_module(f".{module}", __name__)


__all__ = ["PRINTERS", "generate", "languages", "source"]
