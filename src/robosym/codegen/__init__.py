"""Source code for a ``Program`` in a chosen language. How to add a language: README.md in this folder.

::

    codegen.source(program, "c")                     # one text that stands alone
    codegen.generate(program, "c", name="dynamics")  # the files: {"dynamics.h": ..., "dynamics.c": ...}
"""

from __future__ import annotations

import inspect
from difflib import get_close_matches
from importlib import import_module
from types import ModuleType
from typing import Any

from ..program.program import Program
from .errors import CodegenError

# Each target is a package of ``targets`` with ``generate(program, *, name=None)`` that returns files by name, and, where
# these are several, ``source`` with the same options that returns one text that stands alone.
TARGETS = (
    "c",
    "casadi",
    "cpp",
    "fortran",
    "javascript",
    "jax",
    "json",
    "julia",
    "latex",
    "maple",
    "mathematica",
    "matlab",
    "numpy",
    "python",
    "rust",
)
ALIASES = {"c++": "cpp", "js": "javascript", "octave": "matlab", "wolfram": "mathematica"}


def languages() -> list[str]:
    """The languages that can be requested."""
    return sorted(TARGETS)


def language_named(language: str) -> str:
    """The target behind a name, whatever its case; an error that says which there are."""
    name = language.lower()
    name = ALIASES.get(name, name)
    if name not in TARGETS:
        near = get_close_matches(name, TARGETS, n=1)
        hint = f", did you mean '{near[0]}'" if near else ""
        raise CodegenError(f"no printer for the language '{language}'{hint} (known: {', '.join(languages())})")
    return name


def generate(program: Program, language: str, **options: Any) -> dict[str, str]:
    """The files of the program in that language, by name. The option ``name`` names the function."""
    return files_of(_target(language), program, options)


def source(program: Program, language: str, **options: Any) -> str:
    """The program in that language as one text that stands alone. The option ``name`` names the function."""
    return text_of(_target(language), program, options)


def _target(language: str) -> ModuleType:
    return import_module(f".targets.{language_named(language)}", __name__)


def files_of(target: ModuleType, printed: Any, options: dict[str, Any]) -> dict[str, str]:
    """What a target writes of a program (or its module ``routine`` of a routine), once it is known to take the options."""
    _, *known = inspect.signature(target.generate).parameters
    unknown = [option for option in options if option not in known]
    if unknown:
        language = target.__name__.removeprefix(f"{__name__}.targets.").split(".")[0]
        said = ", ".join(map(repr, unknown))
        raise CodegenError(f"the language '{language}' has no option {said} (options: {', '.join(known)})")
    files: dict[str, str] = target.generate(printed, **options)
    return files


def text_of(target: ModuleType, printed: Any, options: dict[str, Any]) -> str:
    """The same as one text."""
    files = files_of(target, printed, options)
    if len(files) == 1:
        return next(iter(files.values()))
    text: str = target.source(printed, **options)
    return text


__all__ = ["ALIASES", "TARGETS", "CodegenError", "generate", "language_named", "languages", "source"]
