"""Source code for a ``Routine``: its programs by the printers of ``targets``, its stages by a printer here.

::

    routines.source(routine, "c")       # one text that stands alone
    routines.generate(routine, "c")     # the files: {"rx90.h": ..., "rx90.c": ...}

A language that prints routines has a module ``routine`` in its folder of ``targets`` (``generate`` and ``source`` as for
programs), and the texts of its kernels in ``kernels/`` beside it. What languages share is here.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from ...program.routine import Routine, verified_routine
from .. import files_of, language_named, text_of
from ..errors import CodegenError

PRINTERS = ("c", "cpp", "fortran", "javascript", "julia", "matlab", "numpy", "python", "rust")


def languages() -> list[str]:
    """The languages a routine can be printed in."""
    return sorted(PRINTERS)


def generate(routine: Routine, language: str, *, name: str | None = None) -> dict[str, str]:
    """The files of the routine in that language, by name. ``name`` is what the functions' names begin with."""
    return files_of(_printer(language), verified_routine(routine), {"name": name})


def source(routine: Routine, language: str, *, name: str | None = None) -> str:
    """The routine in that language as one text that stands alone."""
    return text_of(_printer(language), verified_routine(routine), {"name": name})


def _printer(language: str) -> ModuleType:
    name = language_named(language)
    if name not in PRINTERS:
        raise CodegenError(f"no printer of routines for the language '{name}' (known: {', '.join(languages())})")
    return import_module(f"..targets.{name}.routine", __name__)


__all__ = ["PRINTERS", "generate", "languages", "source"]
