"""What is done at every place of a path, compiled: polynomials about a place, and as polynomials of time."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..program.of_arrays import program_of

if TYPE_CHECKING:
    from ..runtime import CompiledFunction


@lru_cache(maxsize=32)
def about(degree: int, n: int) -> CompiledFunction:
    """``curve``, polynomials of s (degree + 1, n), written about the place ``local``: ``piece``, and q, q' and q'' there."""
    from ..runtime import compile_program

    def shifted(curve: Any, local: Any) -> dict[str, Any]:
        found = [list(row) for row in curve]
        for first in range(degree):  # Horner's scheme, once for each coefficient
            for power in range(degree - 1, first - 1, -1):
                found[power] = [x + local * y for x, y in zip(found[power], found[power + 1], strict=True)]
        q, q1, q2 = [*found, [0] * n, [0] * n][:3]
        return {"piece": found, "q": q, "q1": q1, "q2": [2 * x for x in q2]}

    return compile_program(program_of("about", {"curve": (degree + 1, n), "local": ()}, shifted))


@lru_cache(maxsize=32)
def in_time(degree: int, n: int) -> CompiledFunction:
    """``piece``, polynomials of s (degree + 1, n), with s = speed t + half t^2: polynomials of t (2 degree + 1, n)."""
    from ..runtime import compile_program

    def composed(piece: Any, speed: Any, half: Any) -> dict[str, Any]:
        powers: list[list[Any]] = [[1]]  # of s, by the powers of t
        for _ in range(degree):
            last = powers[-1]
            longer: list[Any] = [0] * (len(last) + 2)
            for i, x in enumerate(last):
                longer[i + 1] += x * speed
                longer[i + 2] += x * half
            powers.append(longer)
        total = np.zeros((2 * degree + 1, n), dtype=object)
        for row, power in zip(piece, powers, strict=True):
            for i, x in enumerate(power):
                total[i] = total[i] + x * row
        return {"coefficients": total}

    shapes: dict[str, tuple[int, ...]] = {"piece": (degree + 1, n), "speed": (), "half": ()}
    return compile_program(program_of("in_time", shapes, composed))
