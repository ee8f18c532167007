"""The program itself as JSON: complete and readable, and what ``robosym optimise`` takes."""

from __future__ import annotations

from ....program.json import dumps
from ....program.program import Program
from ...names import identifier


def generate(program: Program, *, name: str | None = None) -> dict[str, str]:
    return {f"{identifier(name or program.name)}.json": source(program, name=name)}


def source(program: Program, *, name: str | None = None) -> str:
    return dumps(program if name is None else program.replace(name=name))
