"""Source code for a ``Program`` in a chosen language. How to add a language: README.md in this folder.

::

    codegen.source(program, "c")                     # one text that stands alone
    codegen.generate(program, "c", name="dynamics")  # the files: {"dynamics.h": ..., "dynamics.c": ...}
"""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from types import ModuleType
from typing import Any

from ..program.program import Program
from .errors import CodegenError

# Each target is a package with ``generate(program, *, name=None)`` and ``source(program, *, name=None)``.
TARGETS = {
    "c": "c",
    "json": "json",
    "python": "python",
    "numpy": "numpy",
}


def languages() -> list[str]:
    """The languages that can be asked for."""
    return sorted(TARGETS)


def generate(program: Program, language: str, **options: Any) -> dict[str, str]:
    """The files of the program in that language, by name. The option ``name`` names the function."""
    files: dict[str, str] = _target(language).generate(program, **options)
    return files


def source(program: Program, language: str, **options: Any) -> str:
    """The program in that language as one text that stands alone. The option ``name`` names the function."""
    text: str = _target(language).source(program, **options)
    return text


def _target(language: str) -> ModuleType:
    folder = TARGETS.get(language.lower())
    if folder is None:
        near = get_close_matches(language.lower(), TARGETS, n=1)
        hint = f", did you mean '{near[0]}'" if near else ""
        raise CodegenError(f"no printer for the language '{language}'{hint} (known: {', '.join(languages())})")
    return import_module(f".targets.{folder}", __name__)


__all__ = ["TARGETS", "CodegenError", "generate", "languages", "source"]
