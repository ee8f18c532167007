"""The routine itself as JSON: complete and readable, and what ``robosym optimise`` takes."""

from __future__ import annotations

from dataclasses import replace

from ....program.json import dumps
from ....program.routine import Routine
from ...names import identifier, shortened


def generate(routine: Routine, *, name: str | None = None) -> dict[str, str]:
    """The file."""
    named = routine if name is None else replace(routine, name=name)
    return {f"{identifier(shortened(named.name))}.json": dumps(named)}
