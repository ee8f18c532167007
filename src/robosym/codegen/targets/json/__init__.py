"""The program itself as JSON: complete and readable, and what ``robosym optimise`` takes."""

from __future__ import annotations

from ....program.json import dumps
from ....program.program import Program
from ...language import Language
from ...names import identifier, shortened

LANGUAGE = Language("JSON", "json")


def generate(program: Program, *, name: str | None = None) -> dict[str, str]:
    """The file."""
    named = program if name is None else program.replace(name=name)
    return {f"{identifier(shortened(named.name))}.json": dumps(named)}
