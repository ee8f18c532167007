"""How fast a path can be followed: reachability analysis (Pham and Pham, 2018), compiled.

On every interval of s the path acceleration u is constant, and the square x of the path speed changes by 2 Δ u. A limit is a
pair of parallel lines, low <= P u + Q x + C <= high; divided by P they say that u is between lo - k x and hi - k x. So for a
given x

    max (lo - k x) = α(x)  <=  u  <=  β(x) = min (hi - k x),     α convex, β concave,

and the x from which the rest of the path can be followed, those with α(x) <= β(x) where x + 2 Δ u ends in such an x again,
are an interval whose ends are the roots of the convex function α - β. Newton's iteration from outside finds each of them
exactly, in as many steps as lines meet on the way: each goes to where the two lines that count cross. Going backwards gives
these intervals, the controllable sets; going forwards with the largest u that stays in them gives the fastest motion.

Both passes are one routine, which makes the lines of an interval when it comes to it: nothing but the limits is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from ..expr import absolute, logical_and, logical_not, logical_or, maximum, minimum, select
from ..expr.functions import less, less_equal
from ..program.of_arrays import program_of, run_over
from ..program.routine import Copy, Fill, Record, Repeat, Routine, Run, Slot, Stage, Take, When
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
FEW = 1001  # places: as many as there are by default; for more of them a routine is compiled for each power of two


def passes(
    places: Floats, limit: Floats, most: Floats, steps: Floats, start: float, end: float
) -> tuple[Floats, Floats]:
    """From which x every place leads on to the end, (N + 1, 2), the upper one NOWHERE where there is none; and the largest x
    at every place of a motion that begins with ``start`` and stays in these sets, (N + 1,), which is nothing if it cannot.

    ``places`` are a, b and c of w limits |a u + b x + c| <= limit, (places, 3, w): of the N + 1 places of the grid, or of
    where each of the N intervals begins, then of where each ends. x is at most ``most`` where an interval begins."""
    N, (count, _, w) = len(steps), places.shape
    room = FEW if count <= FEW else 1 << (count - 1).bit_length()
    if room != count:
        places = np.concatenate([places, np.zeros((room - count, 3, w))])
    intervals = np.zeros((room, 2))
    intervals[:N, 0], intervals[:N, 1] = np.minimum(most, FAR), steps
    found = _passes(w, room)(
        places=places,
        limit=np.minimum(limit, FREE),
        intervals=intervals,
        count=np.array(float(N)),
        ahead=np.array(1.0 if count == N + 1 else float(N)),
        start=np.array(float(start)),
        last=np.array([end, end]),
    )
    return found["sets"][: N + 1], found["squares"][: N + 1]


@lru_cache(maxsize=16)
def _passes(w: int, room: int) -> CompiledFunction:
    """For w limits at each of so many places at most."""
    from ..runtime import compile_program

    arrays: dict[str, tuple[int, ...]] = {
        "places": (room, 3, w),
        "limit": (w,),
        "intervals": (room, 2),
        "count": (),
        "ahead": (),
        "start": (),
        "last": (2,),
    }
    outputs: dict[str, tuple[int, ...]] = {"sets": (room, 2), "squares": (room,)}
    stages: tuple[Stage, ...] = (
        *(Fill(name, shape) for name, shape in outputs.items()),
        Copy("last", "following"),
        Fill("a", (), 2.0 * w),  # a pair that does not cross
        Fill("b", (), 2.0 * w),
        Record("following", "sets", "count"),
        Repeat(
            "count", (*_interval(from_end=True), *_lines(w), *_backward(w), Record("following", "sets", "i")), "turn"
        ),
        Copy("start", "x"),
        Fill("first"),
        Record("x", "squares", "first"),
        Repeat("count", (*_interval(from_end=False), *_forward(w), Record("x", "squares", "next")), "turn"),
    )
    inputs, made = (tuple(Slot(*one) for one in named.items()) for named in (arrays, outputs))
    return compile_program(Routine("fastest", inputs, made, stages), speed_level=2)


# --- the limits of one interval -----------------------------------------------------------------------------------------


def _shapes(w: int) -> dict[str, tuple[int, ...]]:
    """Of the lines of an interval: w where it begins, w where it ends, and that of the set which it ends in."""
    return {"hi": (2 * w + 1,), "lo": (2 * w + 1,), "k": (2 * w + 1,)}


def _rows(w: int) -> dict[str, tuple[int, ...]]:
    """Of what _interval takes: the limits where it begins and where it ends; the largest x where it begins, and Δ."""
    return {"begin": (3, w), "end": (3, w), "limit": (w,), "interval": (2,)}


def _interval(from_end: bool) -> tuple[Stage, ...]:
    """Interval i, counted by ``turn`` from the first or from the last."""

    def numbers(turn: Any, count: Any, ahead: Any) -> dict[str, Any]:
        i = count - 1 - turn if from_end else turn
        return {"i": i, "next": i + 1, "end_row": i + ahead}

    which = program_of("from_end" if from_end else "from_start", {"turn": (), "count": (), "ahead": ()}, numbers)
    rows = Take("places", "i", "begin"), Take("places", "end_row", "end"), Take("intervals", "i", "interval")
    return (Run(which), *rows)


def _lines(w: int) -> tuple[Stage, ...]:
    """The lines of an interval, and the least and the largest x."""

    def divided(begin: Any, end: Any, limit: Any, interval: Any, following: Any) -> dict[str, Any]:
        hi, lo, k = [], [], []
        slopes: Any = 0
        for P, Q, C, most in _written(begin, end, limit, interval):
            part = 1 / P
            middle, half = C * part, absolute(part) * most
            hi.append(half - middle)
            lo.append(-half - middle)
            k.append(Q * part)
            slopes += absolute(k[-1])
        w = 1 / (2 * interval[1])
        some_flat = logical_not(less(FLAT * slopes, w))  # which is true of nan and of infinity
        low, high = following  # x + 2 Δ u, too, is between limits
        lines = {"hi": [*hi, high * w], "lo": [*lo, low * w], "k": [*k, w]}
        return {**lines, "least": 0, "most": interval[0], "some_flat": some_flat}

    def of_x_alone(begin: Any, end: Any, limit: Any, interval: Any, **lines: Any) -> dict[str, Any]:
        """Where P u is nothing beside Q x, a limit P u + Q x + C is one of x, and there is no line."""
        new = {name: list(lines[name]) for name in ("hi", "lo", "k")}
        least: Any = 0
        most = interval[0]
        for j, (P, Q, C, bound) in enumerate(_written(begin, end, limit, interval)):
            flat = _flat(P, Q, interval)
            for name, none in (("hi", FREE), ("lo", -FREE), ("k", 0)):
                new[name][j] = select(flat, none, new[name][j])
            one, other = (-bound - C) / Q, (bound - C) / Q
            there = logical_and(flat, less(0, absolute(Q)))
            least = select(there, maximum(least, minimum(one, other)), least)
            most = select(there, minimum(most, maximum(one, other)), most)
            never = logical_and(logical_and(flat, logical_not(there)), less(bound, absolute(C)))
            most = select(never, NOWHERE, most)
        return {**{f"{name}_now": row for name, row in new.items()}, "least": least, "most": most}

    alone = run_over(program_of("of_x_alone", {**_rows(w), **_shapes(w)}, of_x_alone))
    return Run(program_of("lines", {**_rows(w), "following": (2,)}, divided)), When("some_flat", (alone,))


def _written(begin: Any, end: Any, limit: Any, interval: Any) -> list[tuple[Any, Any, Any, Any]]:
    """P, Q, C and the limit of P u + Q x + C: where the interval begins, and where it ends, the x there being x + 2 Δ u."""
    (a0, b0, c0), (a1, b1, c1), twice = begin, end, 2 * interval[1]
    return [*zip(a0, b0, c0, limit, strict=True), *zip(a1 + twice * b1, b1, c1, limit, strict=True)]


def _flat(P: Any, Q: Any, interval: Any) -> Any:
    return less_equal(absolute(P), 2 * FLAT * interval[1] * absolute(Q))


# --- from the end to the start: controllable sets -------------------------------------------------------------------------


def _values(x: Any, hi: Any, lo: Any, k: Any) -> tuple[list[Any], list[Any]]:
    """The lines at x: the greatest of the first is α, the least of the others β."""
    return [a - c * x for a, c in zip(lo, k, strict=True)], [b - c * x for b, c in zip(hi, k, strict=True)]


def _never(alpha: Any, beta: Any) -> Any:
    """Whether no u is possible."""
    return less(OVERLAP * (absolute(alpha) + absolute(beta)), alpha - beta)


def _extreme(values: list[Any], least: bool) -> Any:
    better = (lambda p, q: less(q, p)) if least else less
    return reduce(lambda p, q: select(better(p, q), q, p), values)


def _which(values: list[Any], least: bool) -> tuple[Any, Any]:
    """The least or the greatest value, and its number; by rounds of pairs."""
    found = [(value, number) for number, value in enumerate(values)]
    while len(found) > 1:
        odd = found[len(found) // 2 * 2 :]
        found = [_better(a, b, least) for a, b in zip(found[::2], found[1::2], strict=False)] + odd
    return found[0]


def _better(a: tuple[Any, Any], b: tuple[Any, Any], least: bool) -> tuple[Any, Any]:
    """Value and number by a comparison of their own: the processor then takes one or the other, while with one for both it
    would branch, and often foretell wrongly where to."""
    x, y = (a[0], b[0]) if least else (b[0], a[0])  # a, if x < y
    return select(less(y, x), b[0], a[0]), select(less(x, y), a[1], b[1])


def _pair(a: str, b: str) -> tuple[Stage, ...]:
    """The line of α and the line of β that have these numbers."""
    return Take("lo", a, "lo_a"), Take("k", a, "k_a"), Take("hi", b, "hi_b"), Take("k", b, "k_b")


PAIR: dict[str, tuple[int, ...]] = {"lo_a": (), "k_a": (), "hi_b": (), "k_b": ()}


def _crossing(lo_a: Any, k_a: Any, hi_b: Any, k_b: Any) -> tuple[Any, Any]:
    """Where the lines of a pair cross, and how much steeper β falls than α."""
    return (hi_b - lo_a) / (k_b - k_a), k_b - k_a


def _backward(w: int) -> tuple[Stage, ...]:
    """``following`` of the interval after this one becomes that of this one. Any two lines bound it where they cross; those
    that did so in the interval after this one are seldom far from its end, and a look at whether that is possible costs less
    than a step."""

    def begun(least: Any, most: Any, hi: Any, lo: Any, k: Any, **pair: Any) -> dict[str, Any]:
        crossing, steeper = _crossing(**pair)
        x = select(logical_and(less(0, steeper), less(crossing, most)), crossing, most)
        never = [_never(_extreme(a, False), _extreme(b, True)) for a, b in (_values(z, hi, lo, k) for z in (least, x))]
        return {"x": least, "upper": x, "below": MOST_CROSSINGS * never[0], "above": MOST_CROSSINGS * never[1]}

    def looked(x: Any, hi: Any, lo: Any, k: Any) -> dict[str, Any]:
        a, b = _values(x, hi, lo, k)
        (alpha, number_a), (beta, number_b) = _which(a, least=False), _which(b, least=True)
        return {"a": number_a, "b": number_b, "never": _never(alpha, beta)}

    def from_below(x: Any, never: Any, **pair: Any) -> dict[str, Any]:
        crossing, steeper = _crossing(**pair)
        on = logical_and(never, logical_and(less(steeper, 0), less(x * (1 + ROUNDING), crossing)))
        return {"x_now": select(on, crossing, x), "done": logical_not(on)}

    def from_above(x: Any, never: Any, **pair: Any) -> dict[str, Any]:
        crossing, steeper = _crossing(**pair)
        on = logical_and(never, logical_and(less(0, steeper), less(crossing, x * (1 - ROUNDING))))
        lost = logical_and(never, less_equal(steeper, 0))
        return {"x_now": select(lost, NOWHERE, select(on, crossing, x)), "done": logical_not(on)}

    def made(x: Any, lower: Any) -> dict[str, Any]:
        empty = less(x, lower)
        return {"following": [select(empty, 0, lower), select(empty, NOWHERE, x)]}

    lines = _shapes(w)
    look = program_of("looked", {"x": (), **lines}, looked)

    def iterated(most: str, step: Callable[..., dict[str, Any]], a: str, b: str) -> Stage:
        run = run_over(program_of(step.__name__, {"x": (), "never": (), **PAIR}, step))
        return Repeat(most, (Run(look, {"a": a, "b": b}), *_pair(a, b), run), until="done")

    return (
        *_pair("a", "b"),
        Run(program_of("begun", {"least": (), "most": (), **lines, **PAIR}, begun)),
        iterated("below", from_below, "lower_a", "lower_b"),
        Copy("x", "lower"),
        Copy("upper", "x"),
        iterated("above", from_above, "a", "b"),
        Run(program_of("both_ends", {"x": (), "lower": ()}, made)),
    )


# --- from the start to the end: the fastest motion --------------------------------------------------------------------------


def _forward(w: int) -> tuple[Stage, ...]:
    """x where the interval ends: the largest that its limits and the set there allow."""

    def largest(x: Any, following: Any, begin: Any, end: Any, limit: Any, interval: Any) -> dict[str, Any]:
        beta: Any = FREE
        for P, Q, C, most in _written(begin, end, limit, interval):
            rest = C + Q * x
            u = (most - select(less(P, 0), -rest, rest)) / absolute(P)
            beta = select(logical_or(_flat(P, Q, interval), less(beta, u)), beta, u)
        return {"x_now": maximum(following[0], minimum(following[1], x + 2 * interval[1] * beta))}

    given: dict[str, tuple[int, ...]] = {"x": (), "following": (2,), **_rows(w)}
    return Take("sets", "next", "following"), run_over(program_of("largest", given, largest))
