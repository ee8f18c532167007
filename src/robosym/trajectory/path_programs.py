"""What is done at every place of a path, compiled: its derivatives, its speed, its torques, and it as a polynomial of time."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..expr import Expr, absolute, expr, maximum, sqrt
from ..program.graph import raise_program, raised
from ..program.of_arrays import program_of
from ..program.program import Program

if TYPE_CHECKING:
    from ..runtime import CompiledFunction


def _about(curve: Any, local: Any) -> list[Any]:
    """Polynomials of s, (degree + 1, n), as such of s - local: Horner's scheme, once for each coefficient."""
    found = list(curve)
    for first in range(len(found) - 1):
        for power in range(len(found) - 2, first - 1, -1):
            found[power] = found[power] + local * found[power + 1]
    return found


@lru_cache(maxsize=32)
def derivatives(degree: int, n: int) -> CompiledFunction:
    """``q``, ``q1`` and ``q2``: what ``curve``, polynomials of s (degree + 1, n), is at the place ``local``, and q' and q''."""
    from ..runtime import compile_program

    def there(curve: Any, local: Any) -> dict[str, Any]:
        q, q1, half_q2 = [*_about(curve, local), np.zeros(n), np.zeros(n)][:3]
        return {"q": q, "q1": q1, "q2": 2 * half_q2}

    return compile_program(program_of("derivatives", {"curve": (degree + 1, n), "local": ()}, there))


@lru_cache(maxsize=32)
def speed_squares(degree: int, n: int) -> CompiledFunction:
    """The squares of the largest path speed for velocities, at the ``begin``, which is the place ``local`` of ``curve``
    (polynomials of s, (degree + 1, n)), a ``step`` later at the ``end``, and ``halfway``; infinite where q' is zero."""
    from ..runtime import compile_program

    def squares(curve: Any, local: Any, step: Any, velocity: Any) -> dict[str, Any]:
        found = {}
        for name, place in (("begin", local), ("halfway", local + step / 2), ("end", local + step)):
            slope: Any = np.zeros(n)
            for power in range(degree, 0, -1):
                slope = slope * place + power * curve[power]
            used: Any = 0
            for q1, limit in zip(slope, velocity, strict=True):
                used = maximum(used, absolute(q1) / limit)
            found[name] = 1 / (used * used)
        return found

    shapes: dict[str, tuple[int, ...]] = {"curve": (degree + 1, n), "local": (), "step": (), "velocity": (n,)}
    return compile_program(program_of("speed_squares", shapes, squares))


@lru_cache(maxsize=32)
def in_time(degree: int, n: int) -> CompiledFunction:
    """``curve``, polynomials of s (degree + 1, n), from the place ``local`` on along a ``step`` of s, on which the square of
    the path speed goes evenly from ``begin`` to ``end``: how long it takes, and the polynomials of t, (2 degree + 1, n)."""
    from ..runtime import compile_program

    def composed(curve: Any, local: Any, step: Any, begin: Any, end: Any) -> dict[str, Any]:
        speed, half = sqrt(begin), (end - begin) / (4 * step)  # s = local + speed t + half t^2
        powers: list[list[Any]] = [[1]]  # of s - local, by the powers of t
        for _ in range(degree):
            last = powers[-1]
            longer: list[Any] = [0] * (len(last) + 2)
            for i, x in enumerate(last):
                longer[i + 1] += x * speed
                longer[i + 2] += x * half
            powers.append(longer)
        total = np.zeros((2 * degree + 1, n), dtype=object)
        for row, power in zip(_about(curve, local), powers, strict=True):
            for i, x in enumerate(power):
                total[i] = total[i] + x * row
        return {"coefficients": total, "duration": 2 * step / (speed + sqrt(end))}

    shapes: dict[str, tuple[int, ...]] = {"curve": (degree + 1, n), "local": (), "step": (), "begin": (), "end": ()}
    return compile_program(program_of("in_time", shapes, composed))


def limited(degree: int, n: int, acceleration: bool, inverse_dynamics: Program | None) -> Program:
    """``rows`` a, b and c of what is a sdd + b sd^2 + c at the place ``local`` of ``curve``, polynomials of s (degree + 1, n):
    the accelerations of the joints if they count, q' sdd + q'' sd^2; then the torques, if there is a model of them."""

    def rows(curve: Any, local: Any) -> dict[str, Any]:
        q, q1, half_q2 = [*_about(curve, local), np.zeros(n), np.zeros(n)][:3]
        found = [(q1, 2 * half_q2, np.zeros(n))] if acceleration else []
        if inverse_dynamics is not None:
            found.append(_torques(inverse_dynamics, q, q1, 2 * half_q2))
        return {"rows": np.concatenate([np.array(one, dtype=object) for one in found], axis=1)}

    return program_of("limited", {"curve": (degree + 1, n), "local": ()}, rows)


def _torques(inverse_dynamics: Program, q: Any, q1: Any, q2: Any) -> tuple[Any, Any, Any]:
    """a, b and c of tau = a sdd + b sd^2 + c: torques are linear in the accelerations and quadratic in the speeds, so those of
    three states give all of them. The states have much in common, which is worked out once."""
    graph = raise_program(inverse_dynamics)
    rest = np.zeros(len(q))

    def tau(**state: Any) -> Any:
        meaning: dict[Expr, Expr] = {}
        for array in graph.inputs:  # wrenches are none
            given = state.get(array.name, np.zeros(len(array.entries)))
            meaning.update((symbol, expr(x)) for symbol, x in zip(array.entries, given, strict=True))
        return np.array([raised(root, meaning) for root in graph.roots], dtype=object)

    c = tau(q=q, qd=rest, qdd=rest)
    return tau(q=q, qd=rest, qdd=q1) - c, tau(q=q, qd=q1, qdd=q2) - c, c
