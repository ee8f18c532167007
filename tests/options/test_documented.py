"""Every parameter of every public function has an entry in the Parameters section of its docstring."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

import pytest

from robosym.control.laws import LAWS
from robosym.models import MODELS
from robosym.options.docstrings import docstring_of
from robosym.options.groups import groups_of
from robosym.options.kinds import kinds_of
from robosym.options.markers import Positive

PACKAGES = (
    *("robosym", "robosym.models", "robosym.control", "robosym.trajectory", "robosym.simulation"),
    *("robosym.identification", "robosym.analysis", "robosym.packaging", "robosym.formats", "robosym.library"),
)
NOT_YET: tuple[str, ...] = ()
EMPTY_WORD = re.compile(r"(of|what|who|those|said|the same|where)\b", re.IGNORECASE)
MEANING = re.compile(r"\w.*\.", re.DOTALL)


def public_functions() -> Iterator[Callable[..., Any]]:
    """Models, laws and the other functions of the packages, each once."""
    found: dict[Any, Callable[..., Any]] = {inspect.unwrap(one): one for one in (*MODELS.values(), *LAWS.values())}
    for name in PACKAGES:
        module = import_module(name)
        listed = getattr(module, "__all__", None)
        public = listed if listed is not None else [key for key, one in vars(module).items() if _of(module, key, one)]
        for one in (getattr(module, key) for key in public):
            if inspect.isfunction(one):
                found.setdefault(inspect.unwrap(one), one)
    yield from found.values()


def _of(module: Any, name: str, value: Any) -> bool:
    return not name.startswith("_") and getattr(value, "__module__", "") == module.__name__


def parameters(function: Callable[..., Any]) -> Mapping[str, str]:
    """The parameters of a function with their meanings, those of its groups too."""
    names = [name for name in inspect.signature(function).parameters if name not in groups_of(function)]
    found = {name: docstring_of(function).parameters.get(name, "") for name in names}
    for group in groups_of(function).values():
        found |= {name: docstring_of(group).parameters.get(name, "") for name in kinds_of(group)}
    return found


def problems(function: Callable[..., Any]) -> list[str]:
    """What is wrong with the Parameters section of a function."""
    meanings = parameters(function)
    found = []
    for name, meaning in meanings.items():
        if not MEANING.fullmatch(meaning):
            found.append(f"{name}: expected a sentence with a full stop, got {meaning!r}")
        elif EMPTY_WORD.match(meaning):
            found.append(f"{name}: starts with an empty word: {meaning!r}")
    several = {meaning for meaning, count in Counter(meanings.values()).items() if meaning and count > 1}
    found += [
        f"{name}: has the text of another parameter: {meaning!r}"
        for name, meaning in meanings.items()
        if meaning in several
    ]
    unknown = set(docstring_of(function).parameters) - set(inspect.signature(function).parameters)
    return found + [f"{name}: is no parameter" for name in sorted(unknown)]


FUNCTIONS = [one for one in public_functions() if one.__name__ not in NOT_YET]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: f"{one.__module__}.{one.__name__}")
def test_every_parameter_is_documented(function: Callable[..., Any]) -> None:
    assert not problems(function)


def test_all_packages_are_seen() -> None:
    seen = {one.__module__.split(".")[1] for one in public_functions()}
    assert {name.split(".")[1] for name in PACKAGES[1:]} <= seen
    names = {one.__name__ for one in FUNCTIONS}
    assert {"gravity", "pid", "point_to_point", "workspace", "identify", "export", "load_file", "load"} <= names


def good(robot: Any, rate: Positive) -> None:
    """Something.

    Parameters
    ----------
    robot
        Robot.
    rate
        Sampling rate [Hz].
    """


def without_stop(robot: Any) -> None:
    """Something.

    Parameters
    ----------
    robot
        Robot
    """


def with_empty_word(robot: Any) -> None:
    """Something.

    Parameters
    ----------
    robot
        The same as above.
    """


def with_one_text(a: Any, b: Any) -> None:
    """Something.

    Parameters
    ----------
    a, b
        Number.
    """


def without_entry(robot: Any) -> None:
    """Something."""


def with_another(robot: Any) -> None:
    """Something.

    Parameters
    ----------
    robot
        Robot.
    rate
        Sampling rate [Hz].
    """


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (good, []),
        (without_stop, ["robot: expected a sentence with a full stop, got 'Robot'"]),
        (with_empty_word, ["robot: starts with an empty word"]),
        (with_one_text, ["a: has the text of another", "b: has the text of another"]),
        (without_entry, ["robot: expected a sentence with a full stop, got ''"]),
        (with_another, ["rate: is no parameter"]),
    ],
)
def test_problems_are_named(function: Callable[..., Any], expected: list[str]) -> None:
    found = problems(function)
    assert len(found) == len(expected)
    for problem, words in zip(found, expected, strict=True):
        assert problem.startswith(words)
