"""What the shell offers after a tab: robots and files, models, languages. ``robosym --install-completion`` sets it up."""

from __future__ import annotations

from collections.abc import Iterable


def complete_robots(incomplete: str) -> list[str]:
    """Built-in robots, and descriptions in the folder that is being typed."""
    from ..formats import SUFFIXES
    from ..library import robot_names

    return [*_beginning(robot_names(), incomplete), *_files(incomplete, SUFFIXES)]


def complete_models(incomplete: str) -> list[str]:
    """The models, and ``controller``."""
    from .build import model_names

    return _beginning(model_names(), incomplete)


def complete_generated(incomplete: str) -> list[str]:
    """What can be generated: also all of them."""
    from .build import model_names

    return _beginning([*model_names(), "all"], incomplete)


def complete_languages(incomplete: str) -> list[str]:
    """The languages that source can be written in."""
    from ..codegen import languages

    return _beginning(languages(), incomplete)


def _beginning(words: Iterable[str], incomplete: str) -> list[str]:
    return [word for word in words if word.startswith(incomplete)]


def _files(incomplete: str, suffixes: tuple[str, ...]) -> list[str]:
    """Files and folders as they would be typed on; nothing where the folder cannot be read."""
    import os

    folder, _, begun = incomplete.rpartition("/")
    place = f"{folder}/" if "/" in incomplete else ""
    try:
        entries = sorted(os.scandir(place or "."), key=lambda one: one.name)
        found = [one for one in entries if one.name.startswith(begun) and (begun or not one.name.startswith("."))]
        return [
            f"{place}{one.name}{'/' if one.is_dir() else ''}"
            for one in found
            if one.is_dir() or one.name.lower().endswith(suffixes)
        ]
    except OSError:
        return []
