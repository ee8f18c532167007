"""Positions of joints as tables: angles in degrees first, then all in the units of the models."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .tables import table


def joint_tables(
    joints: Sequence[str], turning: Sequence[bool], rows: Any, last: tuple[str, Sequence[str]] | None = None
) -> None:
    """A row for each position; ``last`` is one more column, its title and its words."""
    if any(turning):
        body = [[math.degrees(x) if turns else x for x, turns in zip(row, turning, strict=True)] for row in rows]
        _table(_head(joints, turning, "deg"), [[f"{x:.4f}" for x in row] for row in body], last)
    _table(_head(joints, turning, "rad"), [[f"{x:.9f}" for x in row] for row in rows], last)


def _head(joints: Sequence[str], turning: Sequence[bool], unit: str) -> list[str]:
    return [f"{name} ({unit if turns else 'm'})" for name, turns in zip(joints, turning, strict=True)]


def _table(head: list[str], body: list[list[str]], last: tuple[str, Sequence[str]] | None) -> None:
    if last is not None:
        head, body = [*head, last[0]], [[*row, word] for row, word in zip(body, last[1], strict=True)]
    table(["", *head], [[str(i), *row] for i, row in enumerate(body, 1)])
