"""Self-motions, in which the joints move with the frame at rest: whether there is one through a solution, and the position
of it that is nearest to the seed, as stages.

They work on the solution x, with its closure (``frame_x``) and the factor R of its Jacobian matrix with a faint damping
(``R_x``), and say ``moves`` if there is a motion; z is a position on it.
"""

from __future__ import annotations

import math
from functools import cached_property, reduce
from typing import Any

import numpy as np

from ....expr import Expr, absolute, expr, logical_and, logical_or, maximum, minimum, number, select, step
from ....program import Program
from ....program.of_arrays import program_of, run_over
from ....program.routine import Copy, Fill, Repeat, Run, Stage, When
from .iteration import STILL, Iteration
from .linear_algebra import back, chosen, forth, norm, shortened
from .scalars import Entries, dot

SLACK_VALUE = 1e-5  # a singular value below which a direction counts as slack
REACH, PART_WAY = 0.05, 0.6  # the step that tries a self-motion, and a part of it
AT_REST = 1e-12  # how far the frame may move in it: all along it, that is no more than a solution may miss
LEAST_SHARE = 0.3  # of a joint in the null space: some joint has more in any
STRIDE, SHORTEST_STRIDE, STRIDES = 0.4, 0.04, 96  # along a self-motion, and how many
# Of the way to the position nearest to the seed: the part taken at first, and at most, by Barzilai and Borwein's rule.
PULL, LONGEST_PART, LONGEST_PULL, ROUNDS = 0.7, 50.0, 0.3, 60
FAINT = "faint"  # the array with the damping that leaves only slack directions free


def faint_damping() -> Fill:
    return Fill(FAINT, (), SLACK_VALUE)


def in_null_space(R: Entries, v: Entries) -> Entries:
    """The part of v in the null space of J, of which R is the factor with the faint damping."""
    return back(R, forth(R, SLACK_VALUE**2 * v))


class SelfMotion:
    """The stages of an arm; each program is made once. ``moves`` is zero before them, and z is x."""

    def __init__(self, iteration: Iteration) -> None:
        self.iteration, self.n = iteration, iteration.n

    # --- stages ---

    def slack(self) -> tuple[Stage, ...]:
        """Whether there is a direction in which the frame hardly moves; the closure at x has been made."""
        return (Run(self.iteration.damped, {"damping": FAINT, "R": "R_x"}), Run(self.slackened, {"R": "R_x"}))

    def tried(self) -> tuple[Stage, ...]:
        """Whether the joints move: a small step of one after the other, which the others are to follow.

        A step that led to another position may have led to an isolated solution, by chance as far away as a step. On a
        self-motion a part of the way leads to a position that makes the pose too.
        """
        follow = (
            self.iteration.iteration("y", held=True),
            Run(self.iteration.closure, {"x": "y", "frame": "frame_y"}),
            run_over(self.walked),
        )
        one = (
            Run(self.stepped, {"R": "R_x"}),
            When("loose", (*follow, When("moves", (run_over(self.part_way), *follow)))),
        )
        return (Copy("frame", "frame_x"), Repeat(self.n, one, "joint", "moves"))

    def settled(self) -> tuple[Stage, ...]:
        """The position of the self-motion that is nearest to the seed, in place of q.

        Strides go along it, round and back to where they began if it is closed, so that the nearest of all is found
        and not only one that is nearer than its neighbours. From there it is pulled to the seed.
        """
        made = self.iteration
        corrected = Repeat(2, (*made.at("there", FAINT), run_over(self.corrected)))
        return (
            Run(self.departed),
            Repeat(STRIDES, (Run(self.ahead), corrected, run_over(self.strode))),
            Copy("best", "z"),
            Fill("pull", (self.n,)),
            Fill("moved", (self.n,)),
            Repeat(ROUNDS, (*made.at("z", FAINT), run_over(self.pulled)), until="settled"),
            made.iteration("z"),
            *made.checked("z", ok="ok_there", arrived="arrived_there"),
            Run(self.better),
        )

    # --- whether there is one ---

    @cached_property
    def slackened(self) -> Program:
        """What (J^T J + slack^2)^-1 makes of any direction; applied once more, it tells how small J is along it."""

        def body(R: Entries) -> dict[str, Any]:
            d = back(R, forth(R, _any_direction(self.n)))
            v = back(R, forth(R, d * step(1 / norm(d))))
            return {"slack": SLACK_VALUE**2 * norm(v) > 0.5}

        return program_of("slackened", {"R": (self.n, self.n)}, body)

    @cached_property
    def stepped(self) -> Program:
        """A step of one joint with what the others can do about it to first order, if they can do much."""

        def body(R: Entries, x: Entries, joint: Expr) -> dict[str, Any]:
            held = np.array([absolute(joint - k) < 0.5 for k in range(self.n)], dtype=object)
            along = in_null_space(R, held)
            length = norm(along)
            return {"held": held, "y": x + along * step(REACH / length), "loose": length > LEAST_SHARE}

        return program_of("stepped", {"R": (self.n, self.n), "x": (self.n,), "joint": ()}, body)

    @cached_property
    def walked(self) -> Program:
        """Whether the step led to another position with the frame where it was, and which."""

        def body(x: Entries, y: Entries, z: Entries, frame_x: Entries, frame_y: Entries) -> dict[str, Any]:
            far = norm(y - x)
            near = logical_and(far > REACH / 4, far < 4 * REACH)
            moves = logical_and(near, self.iteration.apart(frame_y, frame_x) <= AT_REST)
            return {"moves": moves, "z_now": chosen(moves, y, z)}

        vectors = dict.fromkeys("xyz", (self.n,))
        return program_of("walked", {**vectors, "frame_x": (3, 4), "frame_y": (3, 4)}, body)

    @cached_property
    def part_way(self) -> Program:
        def body(x: Entries, y: Entries) -> dict[str, Any]:
            return {"y_now": x + PART_WAY * (y - x)}

        return program_of("part_way", {"x": (self.n,), "y": (self.n,)}, body)

    # --- the nearest position of it ---

    @cached_property
    def departed(self) -> Program:
        def body(x: Entries, z: Entries) -> dict[str, Any]:
            return {"w": z, "v": (z - x) * step(1 / norm(z - x)), "best": x, "stride": number(STRIDE)}

        return program_of("departed", {"x": (self.n,), "z": (self.n,)}, body)

    @cached_property
    def ahead(self) -> Program:
        def body(w: Entries, v: Entries, stride: Expr) -> dict[str, Any]:
            return {"there": w + stride * v}

        return program_of("ahead", {"w": (self.n,), "v": (self.n,), "stride": ()}, body)

    @cached_property
    def corrected(self) -> Program:
        def body(there: Entries, s: Entries) -> dict[str, Any]:
            return {"there_now": there + s}

        return program_of("corrected", {"there": (self.n,), "s": (self.n,)}, body)

    @cached_property
    def strode(self) -> Program:
        """The position ``there`` after a stride, or a shorter stride: s is the second correction of it, small where the
        first one converged."""

        def body(
            R: Entries,
            s: Entries,
            there: Entries,
            w: Entries,
            v: Entries,
            best: Entries,
            stride: Expr,
            size: Expr,
            seed: Entries,
        ) -> dict[str, Any]:
            along = in_null_space(R, v)
            lost = logical_and(logical_or(norm(s) > 0.2 * stride, norm(along) < 0.5), stride > SHORTEST_STRIDE)
            ways = [self.iteration.squared_way(size, place, seed) for place in (there, best)]
            nearer = logical_and(ways[0] < ways[1], 1 - lost)
            return {
                "w_now": chosen(lost, w, there),
                "v_now": chosen(lost, v, along * step(1 / norm(along))),
                "best_now": chosen(nearer, there, best),
                "stride_now": select(lost, stride / 2, minimum(1.5 * stride, STRIDE)),
            }

        vectors = dict.fromkeys(("s", "there", "w", "v", "best", "seed"), (self.n,))
        return program_of("strode", {"R": (self.n, self.n), "stride": (), "size": (), **vectors}, body)

    @cached_property
    def pulled(self) -> Program:
        """The position z a part of the way to the seed further along the motion, and back on it by the correction s."""

        def body(
            R: Entries, s: Entries, z: Entries, pull: Entries, moved: Entries, size: Expr, seed: Entries
        ) -> dict[str, Any]:
            now = in_null_space(R, self.iteration.way(size, z, seed))
            bend = step(dot(moved, pull - now))
            part = select(bend > 0, dot(moved, moved) / maximum(bend, 1e-300), PULL)
            part = step(minimum(maximum(part, PULL / 4), LONGEST_PART))
            went = shortened(now * part, LONGEST_PULL, self.iteration.turning)
            settled = reduce(maximum, [absolute(expr(entry)) for entry in went]) <= STILL
            return {"z_now": z + s + went, "pull_now": now, "moved_now": went, "settled": settled}

        vectors = dict.fromkeys(("s", "z", "pull", "moved", "seed"), (self.n,))
        return program_of("pulled", {"R": (self.n, self.n), "size": (), **vectors}, body)

    @cached_property
    def better(self) -> Program:
        def body(size: Expr, x: Entries, z: Entries, ok_there: Expr, seed: Entries) -> dict[str, Any]:
            ways = [self.iteration.squared_way(size, place, seed) for place in (z, x)]
            nearer = logical_and(ok_there, ways[0] < ways[1])
            return {"q": self.iteration.unscaled(size, chosen(nearer, z, x))}

        vectors = dict.fromkeys(("x", "z", "seed"), (self.n,))
        return program_of("better", {"size": (), "ok_there": (), **vectors}, body)


def _any_direction(n: int) -> Entries:
    """A direction that no self-motion is likely to be across."""
    return np.array([number(round(math.sin(1.7 * k * k + 0.9), 6)) for k in range(1, n + 1)], dtype=object)
