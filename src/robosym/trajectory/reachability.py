"""How fast a path can be followed: reachability analysis (Pham and Pham, 2018), compiled.

On every interval of s the path acceleration u is constant, and the square x of the path speed changes by 2 Δ u. A limit is a
pair of parallel lines, low <= P u + Q x + C <= high; divided by P they say that u is between lo - k x and hi - k x. So for a
given x

    max (lo - k x) = α(x)  <=  u  <=  β(x) = min (hi - k x),     α convex, β concave,

and the x from which the rest of the path can be followed, those with α(x) <= β(x) where x + 2 Δ u ends in such an x again,
are an interval whose ends are the roots of the convex function α - β. Newton's iteration from outside finds each of them
exactly, in as many steps as lines meet on the way: each goes to where the two lines that count cross. Going backwards gives these intervals, the controllable sets; going
forwards with the largest u that stays in them gives the fastest motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..expr import absolute, logical_and, logical_not, maximum, minimum, select
from ..expr.functions import less, less_equal
from ..program.of_arrays import program_of, run_over
from ..program.routine import Copy, Each, Fill, Record, Repeat, Routine, Run, Slot
from ..reals import Floats

if TYPE_CHECKING:
    from ..runtime import CompiledFunction

FLAT = 1e-10  # P u below this part of Q x is none: the limit is one of x alone
ROUNDING = 1e-13  # a step of x below this part of it is none
OVERLAP = 1e-12  # what α may exceed β by, in parts of both, where they should meet
MOST_CROSSINGS = 100  # lines on the way to the end of a set
FAR = 1e18  # an x above all that matter
FREE = 1e100  # a limit that is none
NOWHERE = -1.0  # the upper end of an empty set


Limit = tuple[Floats, Floats, Floats]  # a, b and c of a u + b x + c at one end of every interval, (N, n) each


@dataclass(frozen=True)
class Lines:
    """The limits on N intervals, a row each: hi, lo and k of m lines, the least and the largest x where the interval begins,
    1 / (2 Δ), and room for the two ends of the set where it ends. Rows after the first N are nothing."""

    rows: Floats
    N: int
    m: int

    def part(self, first: int, last: int | None) -> Floats:
        return self.rows[: self.N, first:last]


def lines(begin: Sequence[Limit], end: Sequence[Limit], limit: Floats, most: Floats, steps: Floats) -> Lines:
    """From |a u + b x + c| <= limit where an interval begins and where it ends, the x there being x + 2 Δ u, (N, n) each and
    ``limit`` for all of them, (n of each at the beginning, then at the end); x is at most ``most`` where it begins, (N,)."""
    limit = np.minimum(limit, FREE)
    sizes = tuple(a.shape[1] for a, _, _ in begin)
    given = {f"{name}{k}": x for k, one in enumerate([*begin, *end]) for name, x in zip("abc", one, strict=True)}
    made = _rows(sizes)(limit=limit, most=np.minimum(most, FAR), step=steps, **given)
    N, m = len(made), 2 * sum(sizes)
    if _room(N) != N:
        made = np.concatenate([made, np.zeros((_room(N) - N, made.shape[1]))])
    found = Lines(made, N, m)
    k, steepest = found.part(2 * m, 3 * m), 0.5 / (FLAT * steps.max())
    if not (k.max() < steepest and k.min() > -steepest):
        _of_x_alone(found, begin, end, limit, steps)
    return found


def _of_x_alone(found: Lines, begin: Sequence[Limit], end: Sequence[Limit], limit: Floats, steps: Floats) -> None:
    """Where P u is nothing beside Q x, a limit P u + Q x + C is one of x, and there is no line."""
    twice, m = 2 * steps[:, None], found.m
    P = np.concatenate([*(a for a, _, _ in begin), *(a + twice * b for a, b, _ in end)], axis=1)
    Q, C = (np.concatenate([one[k] for one in (*begin, *end)], axis=1) for k in (1, 2))
    flat = np.abs(P) <= FLAT * twice * np.abs(Q)
    for first, value in ((0, FREE), (m, -FREE), (2 * m, 0.0)):
        found.part(first, first + m)[flat] = value
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = (-limit - C) / Q, (limit - C) / Q
    there = flat & (Q != 0)
    least = np.where(there, np.minimum(one, other), 0.0).max(axis=1)
    most = np.where(there, np.maximum(one, other), FAR).min(axis=1)
    never = (flat & (Q == 0) & (np.abs(C) > limit)).any(axis=1)
    ends = found.part(3 * m, 3 * m + 2)
    ends[:, 0] = np.maximum(ends[:, 0], least)
    ends[:, 1] = np.where(never, NOWHERE, np.minimum(ends[:, 1], most))


def controllable(limits: Lines, end: float) -> Floats:
    """From which x every place leads on to the end, (N + 1, 2); the upper one is NOWHERE where there is none."""
    N, last = limits.N, np.array([end, end])
    backwards = np.ascontiguousarray(limits.rows[::-1])
    if len(backwards) > N:
        backwards = np.roll(backwards, N - len(backwards), axis=0)
    made = _backward(limits.m, len(backwards))(intervals=backwards, count=float(N), end=last)
    return np.concatenate([made[:N][::-1], last[None]])


def forwards(limits: Lines, sets: Floats, start: float) -> Floats:
    """The largest x at every place of a motion that begins with ``start`` and stays in the controllable sets."""
    limits.part(-2, None)[:] = sets[1:]
    made = _forward(limits.m, len(limits.rows))(intervals=limits.rows, count=float(limits.N), start=start)
    return np.concatenate([[start], made[: limits.N]])


def _room(N: int) -> int:
    """Rows for N intervals: few sizes, for each is compiled once."""
    return 1000 if N <= 1000 else 1 << (N - 1).bit_length()


# --- the routines -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _rows(sizes: tuple[int, ...]) -> CompiledFunction:
    """The row of an interval, from limits at its two ends, so many each."""
    from ..runtime import compile_program

    def row(limit: Any, most: Any, step: Any, **given: Any) -> dict[str, Any]:
        hi: list[Any] = []
        lo: list[Any] = []
        k: list[Any] = []
        for one in range(2 * len(sizes)):
            for a, b, c in zip(*(given[f"{name}{one}"] for name in "abc"), strict=True):
                part = 1 / (a + 2 * step * b if one >= len(sizes) else a)
                middle, half = c * part, absolute(part) * limit[len(k)]
                hi.append(half - middle)
                lo.append(-half - middle)
                k.append(b * part)
        return {"row": [*hi, *lo, *k, 0, most, 1 / (2 * step), 0, 0]}

    shapes = {f"{name}{one}": (size,) for one, size in enumerate([*sizes, *sizes]) for name in "abc"}
    more: dict[str, tuple[int, ...]] = {"limit": (2 * sum(sizes),), "most": (), "step": ()}
    return compile_program(program_of("row", {**shapes, **more}, row))


Line = tuple[Any, Any, Any]  # its value at x, where it begins at x = 0, and how fast it falls


def _extreme(found: list[Line], least: bool) -> Line:
    """The line with the least or the greatest value, by rounds of pairs."""
    while len(found) > 1:
        odd = found[len(found) // 2 * 2 :]
        found = [_better(a, b, least) for a, b in zip(found[::2], found[1::2], strict=False)] + odd
    return found[0]


def _better(a: Line, b: Line, least: bool) -> Line:
    first = less(a[0], b[0]) if least else less(b[0], a[0])
    value = minimum(a[0], b[0]) if least else maximum(a[0], b[0])
    return value, select(first, a[1], b[1]), select(first, a[2], b[2])


def _crossing(interval: Any, following: Any, x: Any, m: int) -> tuple[Any, Any, Any]:
    """At an x of an interval: whether no u is possible, where the lines α and β that say so cross, and how much steeper
    β falls than α."""
    hi, lo, k, w = interval[:m], interval[m : 2 * m], interval[2 * m : 3 * m], interval[3 * m + 2]
    low, high = following[0] * w, following[1] * w  # x + 2 Δ u, too, is between limits
    a, b = [], []
    for h, l, c in [*zip(hi, lo, k, strict=True), (high, low, w)]:
        fall = c * x
        b.append((h - fall, h, c))
        a.append((l - fall, l, c))
    (alpha, lo_a, k_a), (beta, hi_b, k_b) = _extreme(a, least=False), _extreme(b, least=True)
    never = less(OVERLAP * (absolute(alpha) + absolute(beta)), alpha - beta)
    steeper = k_b - k_a
    return never, (hi_b - lo_a) / steeper, steeper


@lru_cache(maxsize=16)
def _backward(m: int, room: int) -> CompiledFunction:
    """Controllable sets: ``intervals`` from the last to the first, each with its hi, lo and k, its least and largest x and
    1 / (2 Δ)."""
    from ..runtime import compile_program

    def begun(interval: Any, following: Any) -> dict[str, Any]:
        """Where lines cross that count at the end of the next set is above all of this one, and hardly ever far from its end."""
        _, crossing, steeper = _crossing(interval, following, maximum(following[1], 0), m)
        return {"x": select(less(0, steeper), minimum(crossing, interval[3 * m + 1]), interval[3 * m + 1])}

    def from_above(interval: Any, following: Any, x: Any) -> dict[str, Any]:
        never, crossing, steeper = _crossing(interval, following, x, m)
        better = logical_and(less(0, steeper), less(crossing, x * (1 - ROUNDING)))
        lost = logical_and(never, less_equal(steeper, 0))
        x_now = select(lost, NOWHERE, select(logical_and(never, better), crossing, x))
        return {"x_now": x_now, "done": logical_not(logical_and(never, better))}

    def from_below(interval: Any, following: Any, x: Any) -> dict[str, Any]:
        never, crossing, steeper = _crossing(interval, following, x, m)
        better = logical_and(less(steeper, 0), less(x * (1 + ROUNDING), crossing))
        return {
            "x_now": select(logical_and(never, better), crossing, x),
            "done": logical_not(logical_and(never, better)),
        }

    def made(x: Any, upper: Any) -> dict[str, Any]:
        empty = less(upper, x)
        return {"following_now": [select(empty, 0, x), select(empty, NOWHERE, upper)]}

    width = 3 * m + 5
    shapes: dict[str, tuple[int, ...]] = {"interval": (width,), "following": (2,), "x": ()}
    above, below = program_of("from_above", shapes, from_above), program_of("from_below", shapes, from_below)
    first = program_of("first", {"interval": (width,), "following": (2,)}, begun)
    least = program_of("least", {"interval": (width,)}, lambda interval: {"x": interval[3 * m]})
    both = program_of("both", {"x": (), "upper": ()}, made)
    count = program_of("count", {"turn": ()}, lambda turn: {"turn_now": turn + 1})
    every = (
        Run(first),
        Repeat(MOST_CROSSINGS, (run_over(above),), until="done"),
        Copy("x", "upper"),
        Run(least),
        Repeat(MOST_CROSSINGS, (run_over(below),), until="done"),
        run_over(both),
        Record("following", "sets", "turn"),
        run_over(count),
    )
    inputs = (Slot("intervals", (room, width)), Slot("count", ()), Slot("end", (2,)))
    stages = (
        Fill("turn"),
        Fill("sets", (room, 2)),
        Copy("end", "following"),
        Each("intervals", "interval", every, "count"),
    )
    return compile_program(Routine("controllable", inputs, (Slot("sets", (room, 2)),), stages))


@lru_cache(maxsize=16)
def _forward(m: int, room: int) -> CompiledFunction:
    """The fastest motion: ``intervals`` from the first to the last, each with its hi and k, 1 / (2 Δ) and the set it ends in."""
    from ..runtime import compile_program

    def fastest(interval: Any, x: Any) -> dict[str, Any]:
        hi, k = interval[:m], interval[2 * m : 3 * m]
        w, low, high = interval[3 * m + 2 :]
        beta, _, _ = _extreme([(h - c * x, 0, 0) for h, c in zip(hi, k, strict=True)], least=True)
        return {"x_now": maximum(low, minimum(high, x + beta / w))}

    width = 3 * m + 5
    step = program_of("fastest", {"interval": (width,), "x": ()}, fastest)
    count = program_of("count", {"turn": ()}, lambda turn: {"turn_now": turn + 1})
    every = (run_over(step), Record("x", "squares", "turn"), run_over(count))
    inputs = (Slot("intervals", (room, width)), Slot("count", ()), Slot("start", ()))
    stages = (Fill("turn"), Fill("squares", (room,)), Copy("start", "x"), Each("intervals", "interval", every, "count"))
    return compile_program(Routine("fastest", inputs, (Slot("squares", (room,)),), stages))
