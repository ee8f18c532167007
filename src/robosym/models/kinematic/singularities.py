"""Where a determinant vanishes: each factor as an equation, solved for a joint, and the motion that the arm then loses.

A factor is of the first degree in the sine and cosine of a revolute joint (or in a prismatic one): A + B sin q + C cos q,
with A, B, C of the other joints. It is solved for the joint that gives the shortest solution.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...brief import one_line
from ...expr import (
    Expr,
    acos,
    asin,
    atan2,
    count,
    derivative,
    evaluate,
    expr,
    free_symbols,
    number,
    pi,
    postorder,
    power_product,
    sqrt,
    substitute,
    text,
)
from ...expr.algebra import split_coefficient
from ...expr.fourier import expanded
from ...expr.generic import Generic, negligible
from ...expr.node import LIN, PROD, ExprError
from ...program import Unmarked
from ...spatial.blocks import Block
from ...spatial.minors import Minors

Rows = Sequence[Sequence[Expr]]

LONGEST_TEXT = 1500  # characters, about: longer ones are not shown

MOST_TERMS = 400  # of a polynomial that is multiplied out to be read

TRIALS = 40  # random positions, until the value of a joint exists at one


@dataclass(frozen=True)
class Solved:
    """``joint`` = any of ``values``; ``condition`` says when there are any, if that is not always."""

    joint: Expr
    values: tuple[Expr, ...]
    condition: str = ""


@dataclass(frozen=True, repr=False)
class Singularity:
    """A factor that is zero, the positions where it is, and joint speeds that leave the target at rest there.

    ``motions`` has one vector for each value of ``solved``, or one for all of them.
    """

    __repr__ = one_line

    equation: Expr
    solved: Solved | None
    motions: tuple[tuple[Expr, ...], ...]

    def lines(self, joints: Sequence[str]) -> Iterator[str]:
        yield f"singular where {shown(self.equation)} = 0"
        if self.solved is None:
            yield "  not solved in closed form"
        else:
            values = " or ".join(text(value) for value in self.solved.values) or "no value: it never vanishes"
            yield f"  {self.solved.joint.name} = {values}{self.solved.condition and f'  ({self.solved.condition})'}"
        for place, motion in enumerate(self.motions):
            at = f" at {text(self.solved.values[place])}" if self.solved and len(self.motions) > 1 else ""
            yield f"  joint speeds that leave the frame at rest{at}:"
            yield from (f"    {name}: {shown(x)}" for name, x in zip(joints, motion, strict=True) if not x.is_zero)

    def as_dict(self, joints: Sequence[str]) -> dict[str, Any]:
        solved = self.solved
        return {
            "equation": shown(self.equation),
            "joint": solved.joint.name if solved else None,
            "values": [text(value) for value in solved.values] if solved else [],
            "condition": solved.condition if solved else "",
            "motions": [{name: shown(x) for name, x in zip(joints, m, strict=True)} for m in self.motions],
        }


def shown(root: Expr) -> str:
    """An expression as text; one that would fill a page only by its size."""
    length: dict[Expr, int] = {}
    for node in postorder([root]):
        length[node] = 4 + sum(length[a] for a in node.args)  # no text is made to be measured: it may be very long
    return text(root) if length[root] <= LONGEST_TEXT else f"<expression of {count([root]).total} operations>"


# --- one factor ------------------------------------------------------------------------------------------------------


def singularity(
    factor: Expr,
    place: int,
    blocks: Sequence[Block],
    inner: Rows,
    coordinates: Sequence[Expr],
    values: Mapping[str, float],
) -> Singularity:
    """What happens where a factor of the block at ``place`` vanishes."""
    solved = solve(factor, coordinates)
    if solved is None:
        return Singularity(factor, None, ())
    if not solved.values:
        return Singularity(factor, solved, ())
    motions = [_motion(factor, solved, value, place, blocks, inner, values) for value in solved.values]
    found = [motion for motion in motions if motion is not None]
    if len(found) < len(motions):
        return Singularity(factor, solved, ())
    return Singularity(factor, solved, tuple(found[:1] if len(set(found)) == 1 else found))


def solve(factor: Expr, coordinates: Sequence[Expr]) -> Solved | None:
    """Solve factor = 0 for the coordinate that gives the shortest solution, without a condition if possible."""
    inside = set(free_symbols(factor))
    answers = [answer for q in coordinates if q in inside and (answer := _solved_for(factor, q)) is not None]
    return min(answers, key=lambda a: (bool(a.condition), sum(len(text(v)) for v in a.values)), default=None)


def _solved_for(factor: Expr, q: Expr) -> Solved | None:
    if factor.op in ("sin", "cos"):
        return _zero_of(factor.op, factor.args[0], q)
    slope = derivative(factor, q)
    if slope.is_zero:  # it cancels
        return None
    if q not in free_symbols(slope):  # a prismatic joint
        rest = substitute([factor], {q: number(0)})[0]
        return Solved(q, (_short(-rest / slope),))
    quarters = [substitute([factor], {q: angle})[0] for angle in (number(0), pi / 2, pi)]
    try:
        at_0, at_quarter, at_half = quarters
        A, C = (expanded([(at_0 + s * at_half) / 2], MOST_TERMS)[0] for s in (1, -1))
        B = expanded([at_quarter - A], MOST_TERMS)[0]
    except ExprError:
        return None
    if not _is_first_degree(factor, A, B, C, q):
        return None
    try:
        solved = _first_degree(A, B, C, q)
    except ExprError:  # numbers for which it has no solution: acos of more than one
        return Solved(q, ())
    return Solved(q, ()) if solved is not None and _has_no_value(solved) else solved


def _has_no_value(solved: Solved) -> bool:
    """Whether the values are numbers that do not exist, such as asin(5/2)."""
    return not free_symbols(*solved.values) and not all(map(math.isfinite, evaluate(list(solved.values), {})))


def _zero_of(function: str, angle: Expr, q: Expr) -> Solved | None:
    """sin or cos of an angle in which q appears once, times a number."""
    slope = derivative(angle, q)
    if free_symbols(slope) or slope.is_zero:
        return None
    rest = substitute([angle], {q: number(0)})[0]
    turns = abs(float(evaluate([slope], {})[0]))
    if turns not in (1.0, 2.0, 3.0, 4.0):
        return None
    # In one turn of the joint the angle makes ``turns`` of them, with two zeros each.
    first = number(0) if function == "sin" else -pi / 2
    return Solved(q, tuple((first + k * pi - rest) / slope for k in range(2 * int(turns))))


def _first_degree(A: Expr, B: Expr, C: Expr, q: Expr) -> Solved | None:
    """A + B sin q + C cos q = 0."""
    if B.is_zero and C.is_zero:
        return None
    if A.is_zero:
        if B.is_zero:
            return Solved(q, (-pi / 2, pi / 2))
        if C.is_zero:
            return Solved(q, (number(0), pi))
        base = atan2(-C, B)
        return Solved(q, (base, base + pi))
    if C.is_zero:
        angle = asin(_short(-A / B))
        return Solved(q, (angle, pi - angle), _within(A, B))
    if B.is_zero:
        angle = acos(_short(-A / C))
        return Solved(q, (angle, -angle), _within(A, C))
    size = sqrt(_short(B * B + C * C))
    turn, half = atan2(B, C), acos(-A / size)
    return Solved(q, (turn + half, turn - half), _within(A, size))


def _within(small: Expr, large: Expr) -> str:
    """The condition for values to exist; none of numbers, whose values exist or are left out."""
    return "" if not free_symbols(small, large) else f"where |{text(small)}| <= |{text(large)}|"


def _is_first_degree(factor: Expr, A: Expr, B: Expr, C: Expr, q: Expr) -> bool:
    for seed in range(3):
        f, a, b, c, x = Generic(seed)([factor, A, B, C, q])
        if not negligible(f - (a + b * math.sin(x) + c * math.cos(x)), abs(f) + abs(a) + abs(b) + abs(c)):
            return False
    return True


def _short(root: Expr) -> Expr:
    """Multiplied out, if that is possible and shorter."""
    try:
        other = expanded([root], MOST_TERMS)[0]
    except ExprError:
        return root
    return other if len(text(other)) < len(text(root)) else root


# --- the motion ------------------------------------------------------------------------------------------------------


def _motion(
    factor: Expr,
    solved: Solved,
    value: Expr,
    place: int,
    blocks: Sequence[Block],
    inner: Rows,
    values: Mapping[str, float],
) -> tuple[Expr, ...] | None:
    """Joint speeds that do not move the target where ``solved.joint`` has this value; None if there are several.

    The singular block has the cofactors of a row as its null vector; the blocks before it follow, those after it rest.
    """
    known = _numbers(solved.joint, value, inner, values)
    if known is None:
        return None
    block = blocks[place].of(inner)
    row = _row_of_most(block, known)
    if row is None:
        return None
    speeds: dict[int, Expr] = {}
    for j, c in zip(blocks[place].columns, range(len(block)), strict=True):
        speeds[j] = expr(Minors(block, Unmarked()).cofactor(row, c))
    for before in reversed(blocks[:place]):
        _follow(before, inner, speeds)
    found = [speeds.get(j, number(0)) for j in range(len(inner[0]))]
    if not value.args or not free_symbols(value):  # a number: the speeds become simpler there
        found = substitute(found, {solved.joint: value})
    found = [_short(x) for x in found]
    found = _without_common([number(0) if factor in _powers(x) else x for x in found])
    return tuple(found) if _rests(inner, found, known) else None


def _follow(block: Block, inner: Rows, speeds: dict[int, Expr]) -> None:
    """The speeds of a block that cancel what those after it do; all are multiplied by its determinant instead of divided."""
    load = [-sum((inner[i][j] * x for j, x in speeds.items()), number(0)) for i in block.rows]
    if all(x.is_zero for x in load):
        return
    minors = Minors(block.of(inner), Unmarked())
    determinant = expr(minors.determinant)
    for j in speeds:
        speeds[j] = speeds[j] * determinant
    for c, j in enumerate(block.columns):
        speeds[j] = sum((minors.cofactor(i, c) * x for i, x in enumerate(load)), number(0))


def _numbers(joint: Expr, value: Expr, inner: Rows, values: Mapping[str, float]) -> dict[Expr, float] | None:
    """A random singular position: the first where the value of the joint exists."""
    draw = random.Random(3)
    symbols = free_symbols(*[x for row in inner for x in row], value)
    for _ in range(TRIALS):
        known = {symbol: values.get(symbol.name, draw.uniform(0.5, 1.5)) for symbol in symbols}
        known.update({symbol: draw.uniform(-3, 3) for symbol in symbols if symbol.kind == "variable"})
        try:
            known[joint] = float(evaluate([value], known)[0])
        except (ValueError, ZeroDivisionError):
            continue
        if math.isfinite(known[joint]):
            return known
    return None


def _row_of_most(block: Rows, known: Mapping[Expr, float]) -> int | None:
    """The row whose cofactors are largest; None if all vanish, where more than one motion is lost."""
    n = len(block)
    sizes = []
    for i in range(n):
        cofactors = [expr(Minors(block, Unmarked()).cofactor(i, j)) for j in range(n)]
        sizes.append(max(abs(float(x)) for x in evaluate(cofactors, known)))
    best = max(range(n), key=sizes.__getitem__)
    return None if negligible(sizes[best]) else best


def _without_common(vector: Sequence[Expr]) -> list[Expr]:
    """The same direction, without what all components share, the first one positive."""
    moving = [x for x in vector if not x.is_zero]
    if not moving:
        return list(vector)
    powers = [_powers(x) for x in moving]
    common = {base: -min(p[base] for p in powers) for base in powers[0] if all(p.get(base, 0) > 0 for p in powers)}
    size, _ = split_coefficient(moving[0])
    found = [power_product([(x, 1), *common.items()], 1) / size for x in vector]
    _, first = split_coefficient(next(x for x in found if not x.is_zero))
    if first.op != LIN and all(split_coefficient(x)[1] in (first, number(0), number(1)) for x in found):
        same = [x for x in found if not x.is_zero]
        if all(split_coefficient(x)[1] is first for x in same):
            return [x / first if not x.is_zero else x for x in found]
    return found


def _powers(root: Expr) -> dict[Expr, int]:
    _, core = split_coefficient(root)
    if core.op == PROD:
        return dict(zip(core.args, core.value, strict=True))
    return {core: 1}


def _rests(inner: Rows, speeds: Sequence[Expr], known: Mapping[Expr, float]) -> bool:
    """Whether the target does not move at the numbers of a singular position."""
    x = [float(v) for v in evaluate(list(speeds), known)]
    rows = [[float(v) for v in evaluate(list(row), known)] for row in inner]
    left = max(abs(sum(a * b for a, b in zip(row, x, strict=True))) for row in rows)
    return negligible(left, max(map(abs, x))) and any(x)
