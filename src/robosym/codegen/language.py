"""What a target says about its language: ``LANGUAGE`` in the package of each target."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Language:
    """Name of a language in text, ending of its files, and the other names by which it may be requested."""

    title: str
    ending: str
    aliases: tuple[str, ...] = ()
