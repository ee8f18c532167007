"""The way from a candidate to a solution, as programs: Levenberg and Marquardt's iteration to a pose, and self-motions.

With a damping of the size of the error the iteration converges where solutions are isolated, where two meet, and where
they are a curve (Yamashita and Fukushima 2001). Positions x hold angles, and lengths in units of ``size``, the lengths
of the arm and of the way to the pose added up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import numpy as np

from ....expr import (
    Expr,
    absolute,
    cos,
    expr,
    logical_and,
    logical_or,
    maximum,
    minimum,
    number,
    select,
    sin,
    sqrt,
    step,
    substitute,
)
from ....program import Program
from ....program.routine import Each, Newton, Run, Stage
from ..chain.chain import Chain, given_symbol
from ..chain.pose import MADE, SLACK, defect
from ..chain.task import Task
from .expression_arrays import (
    Entries,
    as_steps,
    back,
    chosen,
    cross,
    dot,
    forth,
    least_squares,
    norm,
    program_of,
    shortened,
    wrapped,
)

STEPS = 40  # of the iteration: where solutions meet it halves the error at each
LONGEST_STEP, FARTHEST = 0.5, 1e3  # a step, and how long a slide may be before the first, over the size of the arm
LEAST_DAMPING = 1e-8  # of a direction that rounding decides on
EXACT, STILL = 1e-15, 1e-10  # an error that is rounding, and a correction that is the last
ARRIVED = 1e-5  # a correction that leaves a solution where it is
SLACK_VALUE = 1e-5  # a singular value below which a direction counts as slack
REACH, PART_WAY, WALK_STEPS = 0.05, 0.6, 12  # the step that tries a self-motion, a part of it, the iteration after it
AT_REST = 1e-12  # how far the frame may move in it: all along it, that is no more than a solution may miss
LEAST_SHARE = 0.3  # of a joint in the null space: some joint has more in any
STRIDE, SHORTEST_STRIDE, STRIDES = 0.4, 0.04, 96  # along a self-motion, and how many
# Of the way to the position nearest to the seed: the part taken at first, and at most, by Barzilai and Borwein's rule.
PULL, LONGEST_PART, LONGEST_PULL, ROUNDS = 0.7, 50.0, 0.3, 30


def measures(chain: Chain, task: Task) -> Program:
    """The size of the arm with the pose, and what a solution may miss the pose by: as much as T misses a rotation."""

    def body(T: Entries) -> dict[str, Any]:
        lengths = [absolute(x) * number(chain.unit) for x in chain.lengths]
        size = sum(lengths + [absolute(x) for x in T[:3, 3]], number(0 if lengths else 1))
        slack = SLACK * defect(T[:3].tolist()) if task == "pose" else number(0)
        tolerance = MADE + slack
        return {"size": maximum(size, 1e-300), "tolerance": tolerance, "seed_tolerance": tolerance / 100}

    return program_of("measures", {"T": (4, 4)} | _given(chain)[0], _given(chain)[1](body))


def copied(chain: Chain) -> Program:
    return program_of("copied", {"from": (len(chain.joints),)}, lambda **given: {"to": given["from"]})


def _given(chain: Chain) -> tuple[dict[str, tuple[int, ...]], Callable[..., Any]]:
    """What the joints given add to the inputs of a program, and how its body takes them."""
    if not chain.given:
        return {}, lambda body: body
    symbols = [given_symbol(j) for j in chain.given]

    def taking(body: Callable[..., Mapping[str, Any]]) -> Callable[..., Mapping[str, Any]]:
        def made(given: Entries, **others: Any) -> Mapping[str, Any]:
            known = dict(zip(symbols, given.tolist(), strict=True))
            found = {}
            for key, value in body(**others).items():
                array = np.asarray(value, dtype=object)
                entries = substitute([expr(x) for x in array.ravel()], known)
                found[key] = np.array([*entries, None], dtype=object)[:-1].reshape(array.shape)
            return found

        return made

    return {"given": (len(symbols),)}, taking


class Iteration:
    """The programs of an arm."""

    def __init__(self, chain: Chain, task: Task) -> None:
        self.chain, self.task, self.n = chain, task, len(chain.joints)
        self.turning = [not joint.prismatic for joint in chain.joints]
        self.pieces = [np.array(rows, dtype=object) for rows in chain.pieces]

    def _made(self, name: str, inputs: Mapping[str, tuple[int, ...]], body: Callable[..., Any]) -> Program:
        more, taking = _given(self.chain)
        return program_of(name, {**inputs, **more}, taking(body))

    def _at_pose(self, name: str, body: Callable[..., Any], **more: tuple[int, ...]) -> Program:
        return self._made(name, {"T": (4, 4), "size": (), "x": (self.n,), **more}, body)

    # --- geometry ---

    def _frames(self, size: Expr, x: Entries) -> tuple[Entries, list[Entries], list[Entries]]:
        """The pose of the arm in units of its size, and the direction and origin of each joint's axis."""
        shorter = step(number(self.chain.unit) / size)

        def scaled(rows: Entries) -> Entries:
            return np.column_stack([rows[:, :3], rows[:, 3] * shorter])

        frame, axes, origins = scaled(self.pieces[0]), [], []
        for joint, value, piece in zip(self.chain.joints, x, self.pieces[1:], strict=True):
            axes.append(frame[:, 2])
            origins.append(frame[:, 3])
            R, p = frame[:, :3], frame[:, 3]
            offset = joint.offset * shorter if joint.prismatic else joint.offset
            moved = joint.sign * value + offset
            if joint.prismatic:
                p = p + R[:, 2] * moved
            else:
                c, s = cos(moved), sin(moved)
                R = np.column_stack([R[:, 0] * c + R[:, 1] * s, R[:, 1] * c - R[:, 0] * s, R[:, 2]])
            after = scaled(piece)
            made = np.column_stack([R @ after[:, :3], R @ after[:, 3] + p])
            frame = as_steps(made.ravel()).reshape(3, 4)
        return frame, axes, origins

    def _closure(self, T: Entries, size: Expr, x: Entries) -> tuple[Entries, Entries]:
        """The twist that is missing, and the Jacobian matrix."""
        frame, axes, origins = self._frames(size, x)
        way = T[:3, 3] * step(1 / size) - frame[:, 3]
        columns = []
        for joint, axis, origin in zip(self.chain.joints, axes, origins, strict=True):
            moving = axis if joint.prismatic else cross(axis, frame[:, 3] - origin)
            turning = [0, 0, 0] if joint.prismatic else axis
            columns.append([joint.sign * entry for entry in (*moving, *turning)])
        J = np.array(columns, dtype=object).T
        if self.task == "position":
            return way, J[:3]
        turn = sum((cross(frame[:, k], T[:3, k]) for k in range(3)), np.zeros(3, dtype=int)) * number(0.5)
        return np.concatenate([way, turn]), J

    # --- iteration ---

    def iteration(self, unknown: str, held: bool = False) -> Newton:
        """Levenberg and Marquardt's, of the array of this name; a joint that is ``held`` stays where it is."""
        steps = WALK_STEPS if held else STEPS
        return Newton((Run(self.stepping(held), {"x": unknown}),), steps, unknown, "dx", STILL)

    def stepping(self, held: bool = False) -> Program:
        def body(T: Entries, size: Expr, x: Entries, **more: Entries) -> dict[str, Any]:
            return {"dx": -self._correction(T, size, x, **more)}

        if held:
            return self._at_pose("held_step", body, held=(self.n,))
        return self._at_pose("step", body)

    def _correction(self, T: Entries, size: Expr, x: Entries, held: Any = 0) -> Entries:
        e, J = self._closure(T, size, x)
        length = step(sqrt(dot(e, e)))
        R, y = least_squares(J * (1 - held), e, minimum(length, 0.3) + LEAST_DAMPING)
        moved = shortened(back(R, y), LONGEST_STEP)
        return chosen(length > EXACT, moved, 0 * moved)

    def jacobian(self) -> Program:
        def body(T: Entries, size: Expr, x: Entries) -> dict[str, Any]:
            return {"J": self._closure(T, size, x)[1]}

        return self._at_pose("jacobian", body)

    def scaled(self) -> Program:
        def body(size: Expr, row: Entries) -> dict[str, Any]:
            lengths = [maximum(minimum(q / size, FARTHEST), -FARTHEST) for q in row]
            return {"x": [q if turns else r for q, r, turns in zip(row, lengths, self.turning, strict=True)]}

        return program_of("scaled", {"size": (), "row": (self.n,)}, body)

    def checked(self) -> Program:
        """The position with angles from -pi to pi and lengths in metres, whether it makes the pose, and whether it stays
        there: near to a self-motion there is a valley of positions that nearly make it, and the solutions are in it."""

        def body(T: Entries, size: Expr, x: Entries, tolerance: Expr) -> dict[str, Any]:
            made = self._miss(T, size, x) <= tolerance
            left = reduce(maximum, [absolute(expr(entry)) for entry in self._correction(T, size, x)])
            return {"q": self._unscaled(size, x), "ok": made, "arrived": left <= ARRIVED}

        return self._at_pose("checked", body, tolerance=())

    def _miss(self, T: Entries, size: Expr, x: Entries) -> Expr:
        wanted = np.column_stack([T[:3, :3], T[:3, 3] * step(1 / size)])
        return self._apart(wanted, self._frames(size, x)[0])

    def _apart(self, a: Entries, b: Entries) -> Expr:
        """The largest difference of two frames, in what of them counts."""
        entries = (a - b)[:, 3] if self.task == "position" else (a - b).ravel()
        return reduce(maximum, [absolute(expr(entry)) for entry in entries])

    def _unscaled(self, size: Expr, x: Entries) -> list[Expr]:
        return [wrapped(v) if turns else v * size for v, turns in zip(x, self.turning, strict=True)]

    # --- self-motions ---

    def slack(self) -> Program:
        """Whether there is a direction in which the frame hardly moves; that a self-motion has been found comes later.

        It is what (J^T J + slack^2)^-1 makes of any direction; applied once more, it tells how small J is along it.
        """

        def body(T: Entries, size: Expr, x: Entries) -> dict[str, Any]:
            e, J = self._closure(T, size, x)
            R, _ = least_squares(J, e, number(SLACK_VALUE))
            d = back(R, forth(R, _any_direction(self.n)))
            v = back(R, forth(R, d * step(1 / norm(d))))
            return {"slack": SLACK_VALUE**2 * norm(v) > 0.5, "moves": number(0), "z": x}

        return self._at_pose("slack", body)

    def stepped(self) -> Program:
        """A step of the joint ``held`` with what the others can do about it to first order, if they can do much."""

        def body(T: Entries, size: Expr, x: Entries, held: Entries, moves: Expr) -> dict[str, Any]:
            e, J = self._closure(T, size, x)
            R, _ = least_squares(J, e, number(SLACK_VALUE))
            along = SLACK_VALUE**2 * back(R, forth(R, held))  # the joint's part in the null space
            length = norm(along)
            loose = logical_and(length > LEAST_SHARE, 1 - moves)
            return {"y": x + along * step(REACH / length), "loose": loose}

        return self._at_pose("stepped", body, held=(self.n,), moves=())

    def walked(self) -> Program:
        """Whether the step led to another position with the frame where it was, and which."""

        def body(size: Expr, x: Entries, y: Entries, z: Entries) -> dict[str, Any]:
            far = norm(y - x)
            near = logical_and(far > REACH / 4, far < 4 * REACH)
            moves = logical_and(near, self._apart(self._frames(size, y)[0], self._frames(size, x)[0]) <= AT_REST)
            return {"moves_now": moves, "z_now": chosen(moves, y, z)}

        return self._made("walked", {"size": (), "x": (self.n,), "y": (self.n,), "z": (self.n,)}, body)

    def part_way(self) -> Program:
        """A part of the step that led to another position: that one may be an isolated solution, by chance as far
        away as a step. On a self-motion every part of the way makes the pose too."""

        def body(x: Entries, y: Entries) -> dict[str, Any]:
            return {"y_now": x + PART_WAY * (y - x)}

        return program_of("part_way", {"x": (self.n,), "y": (self.n,)}, body)

    def settled(self, seeded: bool) -> tuple[Stage, ...]:
        """The position of the self-motion that is nearest to the seed, or to zero, in place of q.

        Strides go along it, round and back to where they began if it is closed, so that the nearest of all is found
        and not only one that is nearer than its neighbours. From there it is pulled to the seed.
        """
        n = self.n

        def departed(x: Entries, z: Entries) -> dict[str, Any]:
            return {"w": z, "v": (z - x) * step(1 / norm(z - x)), "best": x, "stride": number(STRIDE)}

        def strode(
            T: Entries, size: Expr, w: Entries, v: Entries, best: Entries, stride: Expr, **given: Entries
        ) -> dict[str, Any]:
            there = w + stride * v
            for _ in range(2):
                e, J = self._closure(T, size, there)
                R, y = least_squares(J, e, number(SLACK_VALUE))
                there = as_steps(there + back(R, y))
            along = back(R, forth(R, SLACK_VALUE**2 * v))
            left = step(sqrt(dot(back(R, y), back(R, y))))  # the second correction: small where the first one converged
            lost = logical_and(logical_or(left > 0.2 * stride, norm(along) < 0.5), stride > SHORTEST_STRIDE)
            nearer = logical_and(self._squared_way(size, there, given) < self._squared_way(size, best, given), 1 - lost)
            return {
                "w_now": chosen(lost, w, there),
                "v_now": chosen(lost, v, along * step(1 / norm(along))),
                "best_now": chosen(nearer, there, best),
                "stride_now": select(lost, stride / 2, minimum(1.5 * stride, STRIDE)),
            }

        def pulled(
            T: Entries, size: Expr, z: Entries, pull: Entries, moved: Entries, **given: Entries
        ) -> dict[str, Any]:
            e, J = self._closure(T, size, z)
            R, y = least_squares(J, e, number(SLACK_VALUE))
            now = back(R, forth(R, SLACK_VALUE**2 * self._way(size, z, given)))
            bend = step(dot(moved, pull - now))
            part = select(bend > 0, dot(moved, moved) / maximum(bend, 1e-300), PULL)
            went = shortened(now * step(minimum(maximum(part, PULL / 4), LONGEST_PART)), LONGEST_PULL, self.turning)
            return {"z_now": z + back(R, y) + went, "pull_now": now, "moved_now": went}

        def better(size: Expr, x: Entries, z: Entries, ok_there: Expr, **given: Entries) -> dict[str, Any]:
            nearer = self._squared_way(size, z, given) < self._squared_way(size, x, given)
            return {"q": self._unscaled(size, chosen(logical_and(ok_there, nearer), z, x))}

        more = {"seed": (n,)} if seeded else {}
        turns = program_of("turns", {}, lambda: {"turns": np.zeros((STRIDES, 1), dtype=int)})
        arrays = {"w": (n,), "v": (n,), "best": (n,), "stride": (), **more}
        stride = self._made("strode", {"T": (4, 4), "size": (), **arrays}, strode)
        names = {"w_now": "w", "v_now": "v", "best_now": "best", "stride_now": "stride"}
        rounds = program_of("rounds", {}, lambda: {"rounds": np.zeros((ROUNDS, 1), dtype=int)})
        drawn = self._made("pulled", {"T": (4, 4), "size": (), "z": (n,), "pull": (n,), "moved": (n,), **more}, pulled)
        return (
            Run(program_of("departed", {"x": (n,), "z": (n,)}, departed)),
            Run(turns),
            Each("turns", "turn", (Run(stride, names),)),
            Run(copied(self.chain), {"from": "best", "to": "z"}),
            Run(program_of("rested", {}, lambda: {"pull": np.zeros(n, dtype=int), "moved": np.zeros(n, dtype=int)})),
            Run(rounds),
            Each("rounds", "turn", (Run(drawn, {"z_now": "z", "pull_now": "pull", "moved_now": "moved"}),)),
            self.iteration("z"),
            Run(self.checked(), {"x": "z", "ok": "ok_there", "arrived": "arrived_there"}),
            Run(program_of("better", {"size": (), "x": (n,), "z": (n,), "ok_there": (), **more}, better)),
        )

    def _squared_way(self, size: Expr, x: Entries, given: Mapping[str, Entries]) -> Expr:
        way = self._way(size, x, given)
        return dot(way, way)

    def _way(self, size: Expr, x: Entries, given: Mapping[str, Entries]) -> Entries:
        """To the seed, or to zero; angles the shorter way round."""
        near = given.get("seed", np.zeros(self.n, dtype=int))
        way = [wrapped(q - v) if turns else q / size - v for q, v, turns in zip(near, x, self.turning, strict=True)]
        return np.array(way, dtype=object)


def _any_direction(n: int) -> Entries:
    """A direction that no self-motion is likely to be across."""
    return np.array([number(round(math.sin(1.7 * k * k + 0.9), 6)) for k in range(1, n + 1)], dtype=object)
