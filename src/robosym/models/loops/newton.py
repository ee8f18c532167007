"""Loops without a closed form, as stages: Newton's iteration on what is left of their closure.

From one frame of a loop the two ways around it lead to one and the same frame where it is closed, to R, p and R', p' where it
is not. What is left, as a twist seen from the first frame, is

    w = sum r'_i x r_i / 2,     v = p - p' - w x p',

r_i being the columns of R: to the first order what the twists W of the passive joints have to make up for, so that the
iteration x <- x - W^-1 (v, w) squares the error at each step. Rows that follow from others are left out of it, and judged with
all the others when it is done. Lengths are in parts of the size of the loops.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ...expr import VARIABLE, Expr, absolute, equal, expr, maximum, number, postorder, sqrt, step, substitute, variable
from ...program import Array, Graph, Program, Scope, optimised
from ...program.choice import estimate
from ...program.lower import lower
from ...program.of_arrays import program_of
from ...program.routine import Kernel, Newton, Run, Stage
from ...robot import PRISMATIC, Robot
from ...spatial.scalar import Scalar
from ...spatial.screws import Product
from ...spatial.vectors import Vector, cross, plus, times
from ..common import ASSEMBLED, PASSIVE, RESIDUAL, START
from ..inverse_geometry.closed_form.program import both
from ..inverse_geometry.special_poses.linear_algebra import shortened
from ..mechanism.chain import variable_of
from .constraints import both_ways, independent_rows, row_sizes, rows_of, starts_of
from .structure import Loop

STEPS = 50
LONGEST = 0.3  # a step: the iteration goes along the way to the nearest solution, and is not thrown to another
STILL = 1e-8  # a correction that is the last: the error it leaves is of the size of its square
CLOSED = 1e-12  # what may be left of the closure, over the size
REGULAR = 1e7  # how much a joint may move for a change of one in the others
PREFIX = "loop_"  # of the arrays of the iteration, which no model has
OPEN, LEAPT = f"{PREFIX}open", f"{PREFIX}leapt"


@dataclass(frozen=True)
class Iteration:
    """The loops of a robot that are solved together, and the joints they determine. ``robot`` is the tree with what is known in
    closed form in place; ``at`` a position with closed loops, where the rank is seen."""

    number: int
    robot: Robot
    loops: tuple[Loop, ...]
    frames: tuple[int, ...]
    at: Mapping[Expr, float]
    size: Expr
    lengths: Mapping[Expr, Expr]  # the variables of joints that slide, of the same in parts of the size
    before: tuple[Array, ...]  # q, and what other iterations have found

    @property
    def unknown(self) -> Array:
        """The positions, lengths over the size."""
        return Array(self.name("x"), (len(self.frames),), tuple(self.symbol(j) for j in self.frames))

    def name(self, what: str) -> str:
        return f"{PREFIX}{what}{self.number}"

    def symbol(self, j: int) -> Expr:
        return variable_of(self.robot, j)

    def newton(self, steps: int = STEPS) -> Newton:
        """From where the unknown is to where the loops close."""
        n = len(self.frames)
        e, W, s, dx = (self.name(what) for what in ("e", "W", "s", "dx"))
        limited = program_of("not too far", {"s": (n,)}, lambda s: {"dx": shortened(s, LONGEST)})
        return Newton(
            (Run(self.programs[1]), Kernel("solve", (W, e), (s,)), Run(limited, {"s": s, "dx": dx})),
            steps,
            self.unknown.name,
            dx,
            STILL,
        )

    def inverse(self) -> tuple[Stage, ...]:
        """How the unknown joints move with the others, where it has come to rest."""
        n = len(self.frames)
        one = program_of("identity", {}, lambda: {"one": [[int(i == j) for j in range(n)] for i in range(n)]})
        solved = Kernel("solve", (self.name("W"), self.name("one")), (self.name("inverse"),))
        return Run(self.programs[1]), Run(one, {"one": self.name("one")}), solved

    @cached_property
    def programs(self) -> tuple[Program, Program]:
        """What is known, once for a position of the driven joints, and what is left of the closure with the twists, at every step."""
        ways = [self._equations(starts) for starts in starts_of(self.loops)]
        e, W = min(ways, key=lambda way: estimate([*way[0], *(x for row in way[1] for x in row)]))
        n = len(self.frames)
        roots, hoisted = parted([*e, *(x for row in W for x in row)], set(self.unknown.entries))
        symbols = tuple(variable(f"{self.name('known')}_{k}") for k in range(len(hoisted)))
        roots = substitute(roots, dict(zip(hoisted, symbols, strict=True)))
        known = Array(self.name("known"), (len(hoisted),), tuple(hoisted))
        outputs = (Array(self.name("e"), (n,), tuple(roots[:n])), Array(self.name("W"), (n, n), tuple(roots[n:])))
        taken = Array(known.name, known.shape, symbols)
        label = "loop"
        return (
            lower(Graph(f"{label} known", self.before, (known,), {})),
            optimised(Graph(f"{label} closure", (self.unknown, taken), outputs, {})),
        )

    def _equations(self, starts: Sequence[int]) -> tuple[list[Expr], list[list[Expr]]]:
        """As many rows as there are unknowns."""
        scope = Scope()
        left: list[Scalar] = []
        around = []
        for loop, start in zip(self.loops, starts, strict=True):
            turns, there, here = both_ways(self.robot, loop, start, scope)
            around.append(turns)
            left += _left(there, here)
        W = rows_of(around, self.frames)
        kept = independent_rows(W, row_sizes(self.robot, self.loops, self.at), self.at)
        e = [expr(left[i]) for i in kept]
        return self._scaled(e, kept), [self._scaled([expr(x) for x in W[i]], [i], columns=True) for i in kept]

    def _scaled(self, entries: Sequence[Expr], rows: Sequence[int], columns: bool = False) -> list[Expr]:
        """Lengths over the size: of rows 1 to 3 of each loop, and of joints that slide."""
        found = []
        for k, x in enumerate(entries):
            row = rows[0] if columns else rows[k]
            slides = columns and self.robot.frame(self.frames[k]).sigma == PRISMATIC
            found.append(x if slides or row % 6 > 2 else expr(x / self.size))
        return substitute(found, self.lengths)


def _left(there: Product, here: Product) -> list[Scalar]:
    """v and w."""
    (columns, p), (wanted, p_) = there.pose, here.pose
    w: Vector = (0, 0, 0)
    for a, b in zip(wanted, columns, strict=True):
        w = plus(w, cross(a, b))
    w = times(number(1) / 2, w)
    v = plus(plus(p, times(-1, p_)), times(-1, cross(w, p_)))
    return [*v, *w]


def size_of(robot: Robot, loops: Sequence[Loop]) -> Expr:
    """The lengths of the links around loops, added up."""
    frames = dict.fromkeys(one.frame for loop in loops for one in loop.around)
    lengths = [robot.frame(j).geometry[k] for j in frames for k in (1, 3, 5)]
    fixed = [absolute(x) for x in lengths if x.level < VARIABLE and not x.is_zero]
    return step(maximum(expr(sum(fixed)), 1e-300)) if fixed else number(1)


def gaps(robot: Robot, loops: Sequence[Loop], size: Expr) -> list[Expr]:
    """Twelve entries a loop that are zero where it is closed, lengths over the size."""
    found = []
    for loop in loops:
        _, there, here = both_ways(robot, loop, 0, Scope())
        (columns, p), (wanted, p_) = there.pose, here.pose
        found += [expr(a - b) for x, y in zip(columns, wanted, strict=True) for a, b in zip(x, y, strict=True)]
        found += [expr((a - b) / size) for a, b in zip(p, p_, strict=True)]
    return [x for x in found if not x.is_zero]


def parted(roots: Sequence[Expr], moving: set[Expr]) -> tuple[list[Expr], list[Expr]]:
    """The roots, and the largest parts of them that depend on the state but not on these symbols."""
    moves: dict[Expr, bool] = {}
    hoisted: dict[Expr, None] = {}
    for node in postorder(roots):
        moves[node] = node in moving or any(moves[arg] for arg in node.args)
        if moves[node]:
            hoisted.update({arg: None for arg in node.args if not moves[arg] and arg.level == VARIABLE})
    hoisted.update({root: None for root in roots if not moves[root] and root.level == VARIABLE})
    return list(roots), list(hoisted)


# --- before and after -------------------------------------------------------------------------------------------------


def begun(iterations: Sequence[Iteration]) -> Run:
    """The start, as the unknowns of each iteration."""
    total = sum(len(one.frames) for one in iterations)
    given = Array(START, (total,), tuple(variable(f"{PREFIX}{START}_{k}") for k in range(total)))
    outputs, place = [], 0
    for one in iterations:
        entries = []
        for j in one.frames:
            x = given.entries[place]
            entries.append(expr(x / one.size) if one.robot.frame(j).sigma == PRISMATIC else x)
            place += 1
        outputs.append(replace(one.unknown, entries=tuple(entries)))
    return Run(lower(Graph("loop start", (given,), tuple(outputs), {})))


def judged(iterations: Sequence[Iteration], q: Array, exists: Expr, tolerance: float = CLOSED) -> Run:
    """The positions found, what is left of the closure of all loops, and whether they are closed: below the tolerance, with
    an iteration that came to rest where the joints follow from the driven ones, and did not leave its mode. What is not finite
    is not closed."""
    first = iterations[0]
    entries = gaps(first.robot, [loop for one in iterations for loop in one.loops], first.size)
    passive = [one.symbol(j) for one in iterations for j in one.frames]
    exists, *made = substitute([exists, *entries, *passive], first.lengths)
    entries, passive = made[: len(entries)], made[len(entries) :]
    residual = step(sqrt(_squares(entries)))
    closed = both(expr(residual <= tolerance), exists)
    leapt = array_of(LEAPT, ())
    closed = both(closed, equal(leapt.entries[0], 0))
    inputs = [q, leapt]
    for one in iterations:
        n = len(one.frames)
        dx, inverse = (array_of(one.name(what), shape) for what, shape in (("dx", (n,)), ("inverse", (n, n))))
        inputs += [one.unknown, dx, inverse]
        turned = _squares(inverse.entries)
        closed = both(closed, expr(_squares(dx.entries) <= n * STILL**2))
        closed = both(closed, both(expr(turned > 0), expr(turned <= REGULAR**2)))
    outputs = (
        Array(PASSIVE, (len(passive),), tuple(passive)),
        Array(RESIDUAL, (), (residual,)),
        Array(ASSEMBLED, (), (closed,)),
        Array(OPEN, (), (1 - closed,)),
    )
    return Run(optimised(Graph("loop result", tuple(inputs), outputs, {})))


def _squares(entries: Sequence[Expr]) -> Expr:
    return expr(sum((x * x for x in entries), number(0)))


def array_of(name: str, shape: tuple[int, ...]) -> Array:
    """An array of a routine with a variable for each entry."""
    return Array(name, shape, tuple(variable(f"{name}_{k}") for k in range(math.prod(shape))))
