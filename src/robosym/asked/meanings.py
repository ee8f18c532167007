"""What the options of a model mean, from the signature and the docstring of its Python function: nothing is written twice.

An option is explained by the sentence of the docstring that has its name in double backquotes. Where that says "those of
``jacobian``", or the option is not named at all, the model it points to explains it.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal, Union, get_args, get_origin

from .signatures import named, parameters

FRAMES = ("frame", "reference", "intermediate", "origin")
# Where an option is explained that its own model does not explain: the first of these that does.
KNOWN_BY = ("accelerations", "inverse_dynamics", "jacobian", "transform", "geometric", "jacobian_inverse", "regressor")
OF_LOOPS = ("mode", "near", "structure", "coordinates")
FURTHER = {  # where the docstring names it only in what the whole model is, or not at all
    "frame": "The frame, by number or name; by default the tip of the chain.",
    "frames": "Several frames, by number or name, or all.",
    "reference": "The frame it is seen from, by number or name, or world.",
    "form": "How the coefficients are laid out: as SYMORO+ does, or as ROBMAT.",
    "method": "Which algorithm is used; auto keeps the cheapest.",
    "rotor_inertia": "Whether the inertias Ia of the rotors count.",
    "forces": "Those of the motors, or the wrench on the platform that moves it and its legs.",
    "alike": "Whether legs that are described alike share their parameters.",
    "passive": "Whether the other joints of the legs of a parallel robot are given too.",
    "model": "What is identified from: torques, filtered torques, energy or power.",
}
COLUMNS = "COLUMN:JOINT=EXPRESSION,..."
LITERAL = re.compile(r"``(.+?)``")
SENTENCES = re.compile(r'(?<=\.)\s+|(?<=;)\s+(?=``|[A-Z"])')
THOSE = re.compile(r"\b(?:those|that) of\s+``(\w+)``")


@dataclass(frozen=True)
class Option:
    """One option on the line: ``--frame FRAME``."""

    name: str
    takes: str  # a word for its kind, or the words it may be
    default: str
    meaning: str

    @property
    def flag(self) -> str:
        return f"--{self.name.replace('_', '-')}"

    def as_dict(self) -> dict[str, str]:
        return {**asdict(self), "name": self.name.replace("_", "-")}


@dataclass(frozen=True)
class Explained:
    """A model function: what it gives, and its options."""

    function: Callable[..., Any]

    @cached_property
    def text(self) -> str:
        return " ".join((self.function.__doc__ or "").split())

    @cached_property
    def gives(self) -> str:
        """The first sentence."""
        return _plain(re.split(r"(?<=\.)\s+", self.text, maxsplit=1)[0]).removesuffix(".")

    @cached_property
    def options(self) -> list[Option]:
        given = inspect.signature(self.function).parameters
        return [
            Option(name, takes(name, kind), _default(given[name].default), meaning(self.function, name))
            for name, kind in named(self.function).items()
        ]


def _plain(text: str) -> str:
    return LITERAL.sub(r"\1", text)


# --- types and defaults ----------------------------------------------------------------------------------------------


def takes(name: str, kind: Any) -> str:
    """What may stand after an option."""
    if name in FRAMES:
        return "FRAME"
    if name == "axes":
        return "local-world-aligned|local|world|FRAME"
    if name == "tool":
        return "X,Y,Z|POSE"
    if name == "frames":
        return "FRAME,...|all"
    choices = list(get_args(kind)) if get_origin(kind) in (Union, types.UnionType) else [kind]
    words: list[str] = []
    for choice in choices:
        words += [word for word in _words(choice) if word not in words]
    if "NAME" in words and "INTEGER" in words:
        words = ["NAME", *(word for word in words if word not in ("NAME", "INTEGER"))]
    return "|".join(words)


def _words(choice: Any) -> list[str]:
    origin = get_origin(choice)
    if origin is Literal:
        return [str(word) for word in get_args(choice)]
    if of_columns(choice):
        return [COLUMNS]
    if origin in (dict, Mapping) or choice in (dict, Mapping):
        return ["NAME=VALUE,..."]
    if origin in (list, tuple, Sequence, Iterable):
        (of, *_) = get_args(choice) or (str,)
        inner = [word for word in _words(of) if word] if get_origin(of) is Literal else []
        return [f"{'|'.join(inner)},..." if inner else "NUMBER,..." if of is float else "NAME,..."]
    if origin in (Union, types.UnionType):
        return [word for one in get_args(choice) for word in _words(one)]
    plain = {bool: ["yes", "no"], int: ["INTEGER"], float: ["NUMBER"], str: ["NAME"], type(None): []}
    return plain.get(choice, ["VALUE"]) if isinstance(choice, type) else ["VALUE"]


def of_columns(choice: Any) -> bool:
    """Whether a type is a mapping of names to mappings: the ``extra`` columns of a regressor."""
    inside = get_args(choice) if get_origin(choice) in (dict, Mapping) else ()
    return len(inside) == 2 and get_origin(inside[1]) in (dict, Mapping)


def _default(value: Any) -> str:
    if value is inspect.Parameter.empty:
        return "required"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None or value == () else str(value)


# --- meanings --------------------------------------------------------------------------------------------------------


def meaning(function: Callable[..., Any], option: str) -> str:
    """One sentence, or nothing where nobody explains it."""
    from ..models.resolve import resolve

    if option in OF_LOOPS:
        return _plain(_sentence(resolve.__doc__ or "", option))
    seen: set[str] = set()
    waiting, own = [function.__name__], {function.__name__: function.__doc__ or ""}
    while waiting:
        name = waiting.pop(0)
        if name in seen:
            continue
        seen.add(name)
        text = own.get(name) or _docstring(name)
        found = _sentence(text, option)
        pointed = THOSE.search(found)
        if found and not pointed and not (option in FURTHER and _is_first(found, text)):
            return _plain(found)
        waiting[:0] = [pointed.group(1)] if pointed else []
        waiting += THOSE.findall(text)
    return FURTHER.get(option) or _plain(_known_by_another(function, option))


def _is_first(sentence: str, text: str) -> bool:
    return " ".join(text.split()).startswith(sentence[:40])


def _known_by_another(function: Callable[..., Any], option: str) -> str:
    """What another model says of an option of the same name that takes the same."""
    from .. import models

    taken = takes(option, parameters(function)[option])
    for name in KNOWN_BY:
        other = parameters(getattr(models, name))
        found = _sentence(_docstring(name), option)
        if option in other and takes(option, other[option]) == taken and found and not THOSE.search(found):
            return found
    return ""


def _docstring(name: str) -> str:
    from .. import models

    return getattr(models, name, None).__doc__ or "" if name in models.__all__ else ""


def _sentence(text: str, option: str) -> str:
    """The sentence that begins with the option in backquotes, or else has it, without what is said of others before it."""
    named = f"``{option}``"
    having = [one for one in SENTENCES.split(" ".join(text.split())) if named in one]
    if not having:
        return ""
    sentence = next((one for one in having if one.startswith(named)), having[0])
    parts = re.split(r",\s+(?=``)", sentence)  # ``mode`` names ..., ``near`` gives ...
    own = [part for part in parts if part.startswith(named)] if len(parts) > 1 else []
    return _plain_end(own[0] if own and len(own[0].split()) > 2 else sentence)


def _plain_end(sentence: str) -> str:
    return sentence.rstrip(".;,: ") + "."
