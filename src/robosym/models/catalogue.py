"""The models by their names on the command line, as their functions declare them (``generated/declaration.py``).

A module of a model is imported when the model is first needed, so that a program that uses one model starts quickly: which functions
are declared, and where, is read from the source files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

from ..generated import Model
from ..generated.declaration import DECLARATIONS, FAMILIES, Declaration, name_of

DECLARED = re.compile(r"^@declare\(.*?^def (\w+)\(", re.MULTILINE | re.DOTALL)


@cache
def modules() -> dict[str, str]:
    """The module of each declared function, by the name of the function."""
    root = Path(__file__).parent
    found = {}
    for path in sorted(root.rglob("*.py")):
        for function in DECLARED.findall(path.read_text(encoding="utf-8")):
            found[function] = ".".join(("", *path.relative_to(root).with_suffix("").parts))
    return found


@cache
def functions() -> dict[str, str]:
    """The name of the function of each model."""
    return {name_of(function): function for function in modules()}


def declaration_of(name: str) -> Declaration:
    """What the model of this name declares."""
    if name not in DECLARATIONS:
        import_module(modules()[functions()[name]], __package__)
    return DECLARATIONS[name]


@cache
def declarations() -> tuple[Declaration, ...]:
    """Of all models: by family, the most used first."""
    every = map(declaration_of, functions())
    return tuple(sorted(every, key=lambda one: (FAMILIES.index(one.family), one.rank)))


class _Models(Mapping[str, Callable[..., Model]]):
    """The model functions by the names of the models."""

    def __getitem__(self, name: str) -> Callable[..., Model]:
        return declaration_of(name).function

    def __contains__(self, name: object) -> bool:
        return name in functions()

    def __iter__(self) -> Iterator[str]:
        return (one.name for one in declarations())

    def __len__(self) -> int:
        return len(functions())


MODELS: Mapping[str, Callable[..., Model]] = _Models()
