"""Coulomb friction without any time-stepping: SciPy integrates until a joint stops or breaks away, then all modes are tried."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

Vector = np.ndarray
MOST = 1000  # changes
Equations = Callable[[Vector, Vector], tuple[Vector, Vector]]  # A, and tau - H, of q and qd


def accelerations(A: Vector, b: Vector, ways: Vector, levels: Vector) -> Vector:
    """Joints with the way 0 stick, the others slip with their friction."""
    found = np.zeros(len(b))
    free = np.flatnonzero(ways)
    if len(free):
        found[free] = np.linalg.solve(A[np.ix_(free, free)], (b - ways * levels)[free])
    return found


def fitting_ways(A: Vector, b: Vector, levels: Vector, speeds: Vector, slack: float = 1e-9) -> list[Vector]:
    """All ways of the joints at rest that contradict nothing: those that stick are held, those that slip go that way."""
    choices = [(np.sign(v),) if v else (1.0, -1.0, 0.0) for v in speeds]
    found = []
    for chosen in product(*choices):
        ways = np.array(chosen)
        qdd = accelerations(A, b, ways, levels)
        hold = b - A @ qdd
        held = np.abs(hold) <= levels + slack
        along = ways * qdd >= -slack
        if np.where(speeds != 0, True, np.where(ways == 0, held, along)).all():
            found.append(ways)
    return found


def driven_by_events(
    equations: Equations, levels: Vector, q: Any, qd: Any, duration: float, at: Vector
) -> tuple[Vector, Vector, int]:
    """Positions and speeds at some instants, and how often the ways changed."""
    n = len(levels)
    t, x = 0.0, np.concatenate([q, qd]).astype(float)
    rows, changes = [], 0
    while changes < MOST:
        A, b = equations(x[:n], x[n:])
        ways = next(iter(fitting_ways(A, b, levels, x[n:])))

        def rate(_: float, y: Vector, ways: Vector = ways) -> Vector:
            return np.concatenate([y[n:], accelerations(*equations(y[:n], y[n:]), ways, levels)])

        events = [_stops(k, n, ways[k]) if ways[k] else _breaks_away(k, n, equations, ways, levels) for k in range(n)]
        inside = at[(at >= t) & (at <= duration)]
        made = solve_ivp(rate, (t, duration), x, "DOP853", t_eval=inside, events=events, rtol=1e-11, atol=1e-13)
        rows.append(np.reshape(np.array(made.y).T, (-1, 2 * n)))
        if made.status == 0:
            break
        k = next(k for k in range(n) if len(made.t_events[k]))
        t, x = float(made.t_events[k][0]), made.y_events[k][0].copy()
        x[n:][(ways == 0) | (np.arange(n) == k) & (ways != 0)] = 0.0
        at = at[at > t]
        changes += 1
    states = np.concatenate(rows)
    return states[:, :n], states[:, n:], changes


def _stops(k: int, n: int, way: float) -> Any:
    def speed(t: float, y: Vector) -> float:
        return float(y[n + k])

    return _ending(speed, direction=-way)


def _breaks_away(k: int, n: int, equations: Equations, ways: Vector, levels: Vector) -> Any:
    def left(t: float, y: Vector) -> float:
        A, b = equations(y[:n], y[n:])
        return float(levels[k] - abs(b - A @ accelerations(A, b, ways, levels))[k])

    return _ending(left, direction=-1.0)


def _ending(function: Any, direction: float = 0.0) -> Any:
    function.terminal, function.direction = True, direction
    return function
