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

# Each target is a package of ``targets`` with ``generate(program, *, name=None)`` and ``source(program, *, name=None)``.
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
    """The languages that can be asked for."""
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
    files: dict[str, str] = _printer(language, "generate", options)(program, **options)
    return files


def source(program: Program, language: str, **options: Any) -> str:
    """The program in that language as one text that stands alone. The option ``name`` names the function."""
    text: str = _printer(language, "source", options)(program, **options)
    return text


def _printer(language: str, what: str, options: dict[str, Any]) -> Any:
    """A target's function, once it is known to take these options."""
    name = language_named(language)
    target: ModuleType = import_module(f".targets.{name}", __name__)
    function = getattr(target, what)
    known = [option for option in inspect.signature(function).parameters if option != "program"]
    unknown = [option for option in options if option not in known]
    if unknown:
        said = ", ".join(map(repr, unknown))
        raise CodegenError(f"the language '{name}' has no option {said} (options: {', '.join(known)})")
    return function


__all__ = ["ALIASES", "TARGETS", "CodegenError", "generate", "language_named", "languages", "source"]
