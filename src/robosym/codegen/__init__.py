"""Source code for a ``Program`` or a ``Routine`` in a chosen language. How to add a language: README.md in this folder.

::

    codegen.source(program, "c")                     # one text that stands alone
    codegen.generate(program, "c", name="dynamics")  # the files: {"dynamics.h": ..., "dynamics.c": ...}
"""

from __future__ import annotations

import inspect
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from ..options.validate import validated
from ..program.program import Program
from ..program.routine import Routine, verified_routine
from . import targets
from .errors import CodegenError
from .language import Language

# Each package of ``targets`` is a language: its ``LANGUAGE``, and ``generate(program, *, name=None)``, which returns files by
# name; where these are several, also ``source`` with the same options, which returns one text that stands alone. The module
# ``routine`` in it, if there is one, does the same for routines.


def languages(routines: bool = False) -> list[str]:
    """The languages that can be requested, for programs or also for routines."""
    names = sorted(one.name for one in iter_modules(targets.__path__))
    folders = list(map(Path, targets.__path__))
    return [one for one in names if not routines or any((folder / one / "routine.py").exists() for folder in folders)]


def language(name: str) -> Language:
    """What a target says about its language."""
    found: Language = import_module(f".targets.{name}", __name__).LANGUAGE
    return found


@validated
def language_named(language: str) -> str:
    """The target behind a name, whatever its case; an error that says which there are."""
    name = language.lower()
    if name in languages():
        return name
    others = aliases()
    if name in others:
        return others[name]
    near = get_close_matches(name, languages(), n=1)
    hint = f", did you mean '{near[0]}'" if near else ""
    raise CodegenError(f"no printer for the language '{language}'{hint} (known: {', '.join(languages())})")


def aliases() -> dict[str, str]:
    """The target behind each other name of a language."""
    return {alias: name for name in languages() for alias in language(name).aliases}


@validated
def generate(printed: Program | Routine, language: str, **options: Any) -> dict[str, str]:
    """The files in that language, by name. The option ``name`` names the function."""
    return files_of(_target(language, printed), printed, options)


@validated
def source(printed: Program | Routine, language: str, **options: Any) -> str:
    """The same as one text that stands alone."""
    return text_of(_target(language, printed), printed, options)


def _target(language: str, printed: Program | Routine) -> ModuleType:
    name = language_named(language)
    if isinstance(printed, Program):
        return import_module(f".targets.{name}", __name__)
    if name not in languages(routines=True):
        known = ", ".join(languages(routines=True))
        raise CodegenError(f"'{printed.name}' has loops and branches, and is not written in {name} (it is in: {known})")
    verified_routine(printed)
    return import_module(f".targets.{name}.routine", __name__)


def files_of(target: ModuleType, printed: Any, options: dict[str, Any]) -> dict[str, str]:
    """What a target writes, once it is known to take the options."""
    _, *known = inspect.signature(target.generate).parameters
    unknown = [option for option in options if option not in known]
    if unknown:
        language = target.__name__.removeprefix(f"{__name__}.targets.").split(".")[0]
        said = ", ".join(map(repr, unknown))
        what = "routines in" if isinstance(printed, Routine) else "the language"
        have = "have" if isinstance(printed, Routine) else "has"
        raise CodegenError(f"{what} '{language}' {have} no option {said} (options: {', '.join(known)})")
    files: dict[str, str] = target.generate(printed, **options)
    return files


def text_of(target: ModuleType, printed: Any, options: dict[str, Any]) -> str:
    """The same as one text."""
    files = files_of(target, printed, options)
    if len(files) == 1:
        return next(iter(files.values()))
    text: str = target.source(printed, **options)
    return text


__all__ = ["CodegenError", "aliases", "generate", "language", "language_named", "languages", "source"]
