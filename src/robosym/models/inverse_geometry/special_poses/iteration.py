"""The way from a candidate to a solution: Levenberg and Marquardt's iteration to a pose, as stages.

With a damping of the size of the error the iteration converges where solutions are isolated, where two meet, and where
they are a curve (Yamashita and Fukushima 2001). The programs are few and small, and are run on arrays of other names
where the same is needed of another position.
"""

from __future__ import annotations

from functools import cached_property, reduce
from typing import Any

import numpy as np

from ....expr import Expr, absolute, expr, maximum, minimum, step
from ....program import Program
from ....program.of_arrays import program_of, run_over
from ....program.routine import Newton, Run, Stage
from ..chain.chain import Chain
from ..chain.task import Task
from .closure import closure, measures
from .linear_algebra import back, chosen, least_squares, shortened, wrapped
from .scalars import Entries, dot

STEPS, HELD_STEPS = 40, 12  # of the iteration: where two solutions meet it halves the error at each
LONGEST_STEP, FARTHEST = 0.5, 1e3  # a step, and how long a slide may be before the first, over the size of the arm
EXACT, STILL = 1e-15, 1e-10  # an error that is rounding, and a correction that is the last
ARRIVED = 1e-5  # a correction that leaves a solution where it is


class Iteration:
    """The programs of an arm, each made once, and the stages of them. ``rows``: of the twist that is asked for."""

    def __init__(self, chain: Chain, task: Task, steps: int = STEPS) -> None:
        self.chain, self.task, self.steps = chain, task, steps
        self.n, self.rows = len(chain.joints), 3 if task == "position" else 6
        self.turning = [not joint.prismatic for joint in chain.joints]

    # --- stages ---

    def at(self, place: str, damping: str = "damping", **names: str) -> tuple[Stage, ...]:
        """The closure at the position of this name, and the damped least squares of it: step s and factor R."""
        own = {name: names[name] for name in ("e", "J", "frame") if name in names}
        solved = {name: names[name] for name in ("e", "J", "s", "R") if name in names}
        return Run(self.closure, {"x": place} | own), Run(self.damped, {"damping": damping} | solved)

    def correction(self, place: str, held: bool = False) -> tuple[Stage, ...]:
        """What the iteration takes from the position next, ``dx``; a joint that is ``held`` stays where it is."""
        there, solved = self.at(place)
        hold = (run_over(self.hold),) if held else ()
        return (there, *hold, solved, Run(self.limited))

    def iteration(self, unknown: str, held: bool = False) -> Newton:
        return Newton(self.correction(unknown, held), HELD_STEPS if held else self.steps, unknown, "dx", STILL)

    def checked(self, place: str, tolerance: str = "tolerance", **names: str) -> tuple[Stage, ...]:
        """The position with angles from -pi to pi and lengths in metres, whether it makes the pose, and whether it stays
        there: near to a self-motion there is a valley of positions that nearly make it, and the solutions are in it."""
        return (*self.correction(place), Run(self.judged, {"x": place, "tolerance": tolerance} | names))

    # --- programs ---

    @cached_property
    def measures(self) -> Program:
        return measures(self.chain, self.task)

    @cached_property
    def closure(self) -> Program:
        return closure(self.chain, self.task)

    @cached_property
    def damped(self) -> Program:
        """The step s of the damped least squares J s = e, and the factor R of J^T J + damping^2 = R^T R."""

        def body(J: Entries, e: Entries, damping: Expr) -> dict[str, Any]:
            R, y = least_squares(J, e, damping)
            return {"s": back(R, y), "R": R}

        return program_of("damped", {"J": (self.rows, self.n), "e": (self.rows,), "damping": ()}, body)

    @cached_property
    def hold(self) -> Program:
        """The Jacobian matrix without the joint that stays where it is."""

        def body(J: Entries, held: Entries) -> dict[str, Any]:
            return {"J_now": J * (1 - held)}

        return program_of("hold", {"J": (self.rows, self.n), "held": (self.n,)}, body)

    @cached_property
    def limited(self) -> Program:
        """The correction of a step: not too long, and none of an error that is rounding."""

        def body(e: Entries, s: Entries) -> dict[str, Any]:
            moved = shortened(s, LONGEST_STEP)
            return {"dx": chosen(dot(e, e) > EXACT**2, -moved, 0 * moved)}

        return program_of("limited", {"e": (self.rows,), "s": (self.n,)}, body)

    @cached_property
    def judged(self) -> Program:
        def body(T: Entries, size: Expr, x: Entries, frame: Entries, dx: Entries, tolerance: Expr) -> dict[str, Any]:
            wanted = np.column_stack([T[:3, :3], T[:3, 3] * step(1 / size)])
            left = reduce(maximum, [absolute(expr(entry)) for entry in dx])
            made = self.apart(wanted, frame) <= tolerance
            return {"q": self.unscaled(size, x), "ok": made, "arrived": left <= ARRIVED}

        vectors = {"x": (self.n,), "frame": (3, 4), "dx": (self.n,)}
        return program_of("judged", {"T": (4, 4), "size": (), **vectors, "tolerance": ()}, body)

    @cached_property
    def scaled(self) -> Program:
        """The position x of a candidate ``row``."""

        def body(size: Expr, row: Entries) -> dict[str, Any]:
            lengths = [maximum(minimum(q / size, FARTHEST), -FARTHEST) for q in row]
            return {"x": [q if turns else r for q, r, turns in zip(row, lengths, self.turning, strict=True)]}

        return program_of("scaled", {"size": (), "row": (self.n,)}, body)

    # --- expressions ---

    def apart(self, a: Entries, b: Entries) -> Expr:
        """The largest difference of what is asked for of two frames."""
        columns = slice(3, 4) if self.task == "position" else slice(0, 4)
        differences = (a - b)[:, columns].ravel()
        return reduce(maximum, [absolute(expr(x)) for x in differences])

    def unscaled(self, size: Expr, x: Entries) -> list[Expr]:
        return [wrapped(v) if turns else v * size for v, turns in zip(x, self.turning, strict=True)]

    def way(self, size: Expr, x: Entries, seed: Entries) -> Entries:
        """To the seed; angles the shorter way round."""
        way = [wrapped(q - v) if turns else q / size - v for q, v, turns in zip(seed, x, self.turning, strict=True)]
        return np.array(way, dtype=object)

    def squared_way(self, size: Expr, x: Entries, seed: Entries) -> Expr:
        way = self.way(size, x, seed)
        return expr(dot(way, way))
