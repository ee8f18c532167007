"""The determinant of the Jacobian matrix, in factors (SYMORO+ 1997, section 4.6).

It is the product of the determinants of the diagonal blocks of the inner matrix. A small block is multiplied out, so that terms
cancel. A large block is a program of minors, each computed once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import combinations
from math import isqrt
from typing import Any

import numpy as np

from ...expr import Expr, ExprError, expr, free_symbols, maximum, mul, number, power_product, sqrt
from ...expr.algebra import split_coefficient
from ...expr.fourier import expanded
from ...expr.generic import Generic
from ...expr.node import LIN, PROD
from ...generated import Model
from ...generated.checks import Check
from ...generated.declaration import declare
from ...generated.documentation.case import Case
from ...generated.documentation.units import TWIST
from ...program import Array, Graph, Scope, Unmarked, optimised
from ...program.documentation import Described
from ...robot import Robot
from ...spatial.blocks import Block, permutation_sign
from ...spatial.minors import Minors
from .. import limits
from ..common import graph_of, model
from ..request import ALIGNED, AxesName
from ..resolve import Near, OfPlatform, Structure, resolve
from ..tool import Tool
from ..tree.paths import FrameName
from ..tree.state import state_inputs
from .columns import Joints
from .jacobian import Middle, Wanted, asked, cheapest_middle, rows_of
from .search import best_blocks
from .singularities import MOST_TERMS, Singularity, shown, singularity
from .systems import Pattern, Systems, Task, task
from .task import ROWS, Row, moved_by, task_rows, velocity_names

NAME = "jacobian-determinant"

# Larger blocks are not multiplied out: the result is unreadable, and costs more than the minors.
LARGEST_READ = 3

Matrix = list[list[Expr]]


@dataclass(frozen=True, repr=False)
class Determinant(Model):
    """The model ``det`` with its factors and the positions where it vanishes."""

    blocks: tuple[Block, ...] | None = None  # of the inner matrix: none if it is singular everywhere, or redundant
    inner: tuple[tuple[Expr, ...], ...] = ()  # that matrix, written out
    joints: tuple[str, ...] = ()  # the names of its columns
    coordinates: tuple[Expr, ...] = ()
    sign: int = 1

    @cached_property
    def factors(self) -> tuple[Expr, ...]:
        """What the determinant is the product of: a number, if it is not 1, then lengths, then what moves.

        Empty for a redundant arm, whose measure is the root of a sum of squares.
        """
        if self.blocks is None:
            return ()
        found = [factor for block in self.blocks for factor in block_factors(block.of(self.inner))]
        if not self.blocks:
            return (number(0),)
        size = mul(self.sign, *[f for f in found if not free_symbols(f)])
        powers = Counter(f for f in found if free_symbols(f))
        rest = [power_product([(f, e)]) for f, e in powers.items()]
        rest.sort(key=lambda f: (f.level, len(shown(f)), f.key))
        return (size, *rest) if size is not number(1) or not rest else tuple(rest)

    @cached_property
    def singularities(self) -> tuple[Singularity, ...]:
        """Where the determinant is zero: one for every factor that depends on the position."""
        if self.blocks is None:
            return ()
        found: dict[Expr, Singularity] = {}
        for place, block in enumerate(self.blocks):
            for factor in block_factors(block.of(self.inner)):
                if factor not in found and set(free_symbols(factor)) & set(self.coordinates):
                    about = (self.blocks, self.inner, self.coordinates, self.values)
                    read = len(block.rows) <= LARGEST_READ
                    found[factor] = singularity(factor, place, *about) if read else Singularity(factor, None, ())
        return tuple(found.values())

    def explain(self, latex: bool = False) -> str:
        steps = super().explain(latex)
        if latex or self.blocks is None:
            return steps
        lines = [f"\ndet J = {_as_product(self.factors)}"]
        for one in self.singularities:
            lines += ["", *one.lines(self.joints)]
        return steps + "\n".join(lines) + "\n"

    def as_dict(self) -> dict[str, Any]:
        found = super().as_dict()
        if self.blocks is not None:
            found["factors"] = [shown(f) for f in self.factors]
            found["singularities"] = [one.as_dict(self.joints) for one in self.singularities]
        return found


def _about(case: Case) -> str:
    rows = ", ".join(case.option("rows") or TWIST)
    return f"Determinant of the Jacobian matrix of {case.frame} {case.axes}; its rows {rows}"


def _described(case: Case) -> Described:
    about = "det J of the joints that move the frame, or, where there are more joints than rows, the square root of det (J times its transpose)"
    return Described(f"{about}; its unit is the product of those of the rows per those of the joints")


def _product_of_singular_values(model: Model, J: Any) -> Any:
    """sqrt(det J J^T) of the rows of the model."""
    rows = J[[TWIST.index(row) for row in model.options["rows"]]]
    return np.array([np.prod(np.linalg.svd(rows, compute_uv=False))])


@declare(
    title="Determinant and singularities",
    family="kinematic",
    rank=20,
    inputs="q",
    outputs="det",
    about=_about,
    arrays={"det": _described},
    section="SYMORO+ 1997, section 4.6",
    checks=[
        Check(
            lambda task: task.jacobian,
            frame=True,
            value=lambda o, task: np.abs(o["det"]),
            reference_of_model=_product_of_singular_values,
            note="size, of the rows of the model",
        )
    ],
)
def jacobian_determinant(
    robot: Robot,
    *,
    frame: FrameName | None = None,
    axes: AxesName = ALIGNED,
    tool: Tool | None = None,
    rows: Sequence[Row] | None = None,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Determinant:
    """Determinant of the Jacobian matrix, or manipulability of a redundant robot.

    The determinant belongs to the joints that move the target frame. With all six rows it does not depend on axes or
    point.

    Parameters
    ----------
    robot
        Robot.
    frame
        Target frame, by name or number; by default the tip frame. The tip frame is the end of the kinematic chain.
        Robots with several ends require a frame.
    axes
        Axes of the linear and angular components: "local-world-aligned", "local", "world" or a frame by name or number.
        "local-world-aligned" (or "mixed"): world axes, at the origin of the target frame. "local" (or "body"): axes of
        the target frame, at its origin. "world" (or "spatial"): world axes, at the point of the body that coincides
        with the world origin. A frame: axes of that frame, at the origin of the target frame; 0 is the base frame. If a
        frame has the name of a convention, pass its number.
    tool
        Pose of a tool in the target frame [m]: a point (3), x y z qx qy qz qw (7) or a matrix (4, 4). Entries are
        numbers, expressions or text such as "LT/2"; lengths are in metres. The tool replaces the target frame. Its axes
        count with ``axes`` "local" only.
    rows
        Components of the twist to use: some of vx, vy, vz, wx, wy and wz. None uses the first linearly independent
        ones, at most as many as joints move the frame. Fewer than six describe a partial task, in the given axes and at
        the tool.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. This model treats a parallel robot as
        closed loops, whose assembly modes have names of their own.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration).
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``.
    coordinates
        Parallel robots only: coordinates of the model, "platform" (its pose) or "motors" (actuator positions). None is
        "motors", the only choice for this model.

    Returns
    -------
    Determinant
        Input ``q``. Output ``det`` (1): the determinant, or for a redundant robot the manipulability ``sqrt(det(J
        J^T))``. ``factors`` and ``singularities`` describe where it is zero. Closed-loop and parallel robots: status
        ``assembled`` is 1 where the state is possible, else 0 and the values are NaN. Loops closed by iteration add the
        input ``start`` and the status ``passive`` and ``residual``.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    wanted = asked(robot, frame, axes, tool)
    described, robot = robot, wanted.robot
    columns = moved_by(robot, wanted.frame)
    here = Middle(wanted.axes, wanted.point)
    direct = _part(Joints(robot, wanted.frame, Unmarked()), here, range(6), columns)
    chosen = task_rows(robot, rows, direct)
    options = {**wanted.options, "rows": [ROWS[i] for i in chosen]}
    if len(chosen) < len(columns):
        middle = cheapest_middle(robot, wanted.frame, "auto", "auto") if len(chosen) == 6 else here
        program = optimised(*_redundant(robot, wanted, middle, chosen, columns))
        return resolved.finished(_determinant(model(described, NAME, program, options, more=wanted.symbols)))
    of = task(robot, wanted, [ROWS[i] for i in chosen])
    whole = of.rows == chosen and of.columns == columns  # else a row or a column is zero everywhere
    found = best_blocks(of, 1) if whole else []
    inner = Systems(of, Joints(robot, wanted.frame, Unmarked())).matrix(found[0]) if found else []
    sign = _sign([direct[i] for i in chosen], inner, found[0].blocks) if found else 1
    program = optimised(*(_square(of, found[0], inner, sign) if found else [_graph(robot, number(0), Scope())]))
    return resolved.finished(
        _determinant(
            model(described, NAME, program, options, more=wanted.symbols),
            blocks=found[0].blocks if found else (),
            inner=tuple(map(tuple, inner)),
            joints=tuple(velocity_names(robot)[j] for j in of.columns),
            coordinates=robot.coordinates,
            sign=sign,
        )
    )


def _determinant(made: Model, **more: Any) -> Determinant:
    return Determinant(**{one.name: getattr(made, one.name) for one in fields(Model)}, **more)


def _as_product(factors: Sequence[Expr]) -> str:
    """-D3 * RL4 * cos(q3) * (...)."""
    minus = len(factors) > 1 and factors[0] is number(-1)
    written = [
        f"({shown(f)})" if f.op == LIN and " " in shown(f) and shown(f)[0] != "<" else shown(f) for f in factors[minus:]
    ]
    return f"{'-' if minus else ''}{' * '.join(written)}"


# --- a square matrix -------------------------------------------------------------------------------------------------


def _sign(direct: Matrix, inner: Matrix, blocks: Sequence[Block]) -> int:
    """Of the determinant over the product of the blocks'.

    Rows and columns are reordered, and the axes of a planar arm's plane may come in another order than those requested:
    either changes the sign alone, at all positions alike.
    """
    if len(direct) == 6:
        return permutation_sign(blocks)
    entries = [x for matrix in (direct, inner) for row in matrix for x in row]
    numbers = Generic(seed=4)(entries)
    whole, other = (_determinant_of(part) for part in (numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]))
    return permutation_sign(blocks) if whole * other > 0 else -permutation_sign(blocks)


def _determinant_of(numbers: Sequence[Any]) -> float:
    n = isqrt(len(numbers))
    rows = [[float(x) for x in numbers[i * n : (i + 1) * n]] for i in range(n)]
    return float(Minors(rows, Unmarked()).determinant)


def _square(of: Task, pattern: Pattern, inner: Matrix, sign: int) -> list[Graph]:
    """The product of the blocks' determinants: with the small ones multiplied out, or all by minors."""
    scope = Scope()
    marked = Systems(of, Joints(of.robot, of.wanted.frame, scope)).matrix(pattern)
    by_minors = [_by_minors(block.of(marked), scope, f"D{k}") for k, block in enumerate(pattern.blocks, 1)]
    read = [
        mul(*block_factors(block.of(inner))) if len(block.rows) <= LARGEST_READ else minors
        for block, minors in zip(pattern.blocks, by_minors, strict=True)
    ]
    return [_graph(of.robot, mul(sign, *found), scope) for found in (read, by_minors)]


def _by_minors(matrix: Matrix, scope: Scope, stem: str) -> Expr:
    return scope.step(stem, expr(Minors(matrix, scope, stem).determinant))


def block_factors(matrix: Matrix) -> list[Expr]:
    """The factors of a block's determinant: of a small one multiplied out, of a large one the whole."""
    if len(matrix) > LARGEST_READ:
        return [_by_minors(matrix, Scope(), "D")]
    whole = expr(Minors(matrix, Unmarked()).determinant)
    try:
        whole = expanded([whole], MOST_TERMS)[0]
    except ExprError:  # too long, or not a polynomial
        return [whole]
    size, core = split_coefficient(whole)
    found = [number(size)] if size != 1 else []
    if core.op == PROD:
        return found + [base for base, e in zip(core.args, core.value, strict=True) for _ in range(e)]
    return [*found, core] if core is not number(1) or not found else found


def _part(joints: Joints, middle: Middle, rows: Sequence[int], columns: Sequence[int]) -> Matrix:
    whole = rows_of(joints.columns(middle.axes, middle.origin, "carried"))
    return [[whole[i][j] for j in columns] for i in rows]


# --- a redundant one -------------------------------------------------------------------------------------------------


def _redundant(
    robot: Robot, wanted: Wanted, middle: Middle, rows: Sequence[int], columns: Sequence[int]
) -> list[Graph]:
    """sqrt(det J J^T): the squares of all square parts (Cauchy and Binet), or the minors of the product."""
    graphs = []
    for add_angles in (True, False):
        scope = Scope()
        joints = Joints(robot, wanted.frame, scope, add_angles)
        J = _part(joints, middle, rows, columns)
        J = [[scope.scalar("J", (i, j), x) for j, x in enumerate(row, 1)] for i, row in enumerate(J, 1)]
        squares = [_of_product(J, scope)]
        if len(columns) - len(rows) <= limits.MOST_SPARE:
            squares.append(_of_parts(J, scope))
        graphs += [_graph(robot, sqrt(maximum(square, 0)), scope) for square in squares]
    return graphs


def _of_parts(J: Matrix, scope: Scope) -> Expr:
    """det J J^T by the squares of all square parts of J."""
    minors = Minors(J, scope)
    parts = [expr(minors.above(chosen)) for chosen in combinations(range(len(J[0])), len(J))]
    return sum((x * x for x in parts), number(0))


def _of_product(J: Matrix, scope: Scope) -> Expr:
    """det J J^T by the minors of the product."""
    m = range(len(J))
    half = [[sum((a * b for a, b in zip(J[i], J[k], strict=True)), number(0)) for k in m] for i in m]
    gram = [[scope.scalar("G", (min(i, k) + 1, max(i, k) + 1), half[i][k]) for k in m] for i in m]
    return expr(Minors(gram, scope, "DG").determinant)


def _graph(robot: Robot, value: Expr, scope: Scope) -> Graph:
    output = Array("det", (1,), (value,))
    return graph_of(robot, NAME, state_inputs(robot, ("q",)), (output,), scope.names)
