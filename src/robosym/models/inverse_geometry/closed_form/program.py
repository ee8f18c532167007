"""A plan as one straight-line program: every branch of the solution tree unrolled, what two branches share made once.

Output Q has a row for each branch. ``valid`` says that the row exists and, by forward geometry, makes the pose: a proof.
``doubtful`` says that this pose is special: an equation leaves its joint free, two values meet, or a row makes the
pose only nearly. The rows are then near to solutions, or none, and ``special_poses`` finds them. A branch that is wrong
everywhere, or the same as another, is left out: that is checked at random poses, as is whether the program finds
the position that made the pose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from ....expr import (
    VARIABLE,
    Expr,
    absolute,
    atan2,
    cos,
    derivative,
    expr,
    free_symbols,
    logical_and,
    logical_or,
    maximum,
    number,
    pi,
    select,
    sin,
    substitute,
    variable,
)
from ....expr.algebra import power_product, split_coefficient
from ....expr.node import PARAMETER, PROD, Number
from ....program import Array, Graph, Program, Scope, optimised
from ....program.lower import lower
from ....robot.problems import Problem
from ..chain.chain import Chain, Group, given_symbol
from ..chain.pose import MADE, SLACK, defect, pose_symbols
from ..chain.random_positions import Floats, Poses, many, symbol_of
from .equation_types import FALSE, TRUE, Branch, Move, Size
from .group_matrices import Known, constants, group_matrix, multiplied
from .plan import NoClosedFormError, Plan

Truths = np.ndarray[Any, np.dtype[np.bool_]]

# What a row that nearly makes its pose misses it by at most, over the size of the arm.
NEARLY_MADE = 1e-3
# The part of random positions that a closed form finds at the least; the others are near to special poses.
FOUND = 0.98
ASKED = {"pose": [0, 1, 2, 3], "position": [3], "orientation": [0, 1, 2]}  # columns of T
CHECKS = 4000  # random poses at which a program is checked: a branch that exists seldom must not be lost


@dataclass(frozen=True)
class Leaf:
    """One branch to its end: joint positions, conditions, and which value each move took."""

    atoms: Mapping[str, Expr]
    exists: Expr
    doubtful: Expr
    choices: tuple[int, ...]
    miss: Expr = FALSE  # by how much a sine and a cosine are not those of an angle
    turned: tuple[Turned, ...] = ()  # of an exact leaf: what is known of its angles
    written: Mapping[str, Expr] = field(default_factory=dict)  # its atoms, of the symbols of the joints found before


@dataclass(frozen=True)
class Turned:
    """What is known of the angle of X S + Y C + Z = 0 beside its sine and cosine: Y S - X C is the root w. X, Y and Z are of the
    symbols of the joints found before. So turned vectors have lengths, and angles between links follow from their triangle."""

    joint: str
    X: Expr
    Y: Expr
    Z: Expr
    root: Expr

    def reduced(self, e: Expr) -> Expr | None:
        """An expression of the second degree in S and C without them, if S^2 + C^2 = 1 and these two equations tell it."""
        S, C = symbol_of(f"S{self.joint}"), symbol_of(f"C{self.joint}")
        by_S, by_C = derivative(e, S), derivative(e, C)
        SS, SC, CC = derivative(by_S, S), derivative(by_S, C), derivative(by_C, C)
        if not SC.is_zero or SS is not CC or {S, C} & set(free_symbols(SS)):
            return None
        none = {S: number(0), C: number(0)}
        alone, s, c = substitute([e, by_S, by_C], none)
        alone = expr(alone + SS / 2)
        if s.is_zero and c.is_zero:
            return alone
        for a, b, value in ((self.Y, -self.X, self.root), (self.X, self.Y, -self.Z)):
            k = expr(s / a) if not a.is_zero else expr(c / b)
            if expr(k * a) is s and expr(k * b) is c:
                return expr(alone + k * value)
        return None


def closed_form(plan: Plan, name: str) -> tuple[Program, list[tuple[int, ...]]]:
    """The program of a plan, and the choices of each of its rows."""
    scope = Scope()
    leaves = leaves_of(plan, scope)
    poses = many(plan.chain, CHECKS, seed=7)
    kept = _kept(plan, name, leaves, poses, scope)
    if not kept:
        raise NoClosedFormError(
            [Problem("method", "the closed form finds no position of this arm")], plan.chain.robot.name
        )
    program = optimised(graph_of(plan.chain, name, kept, scope, ASKED[plan.task]))
    _verify(plan, program, poses)
    return program, [leaf.choices for leaf in kept]


# --- the tree --------------------------------------------------------------------------------------------------------


def size_of(chain: Chain) -> Size:
    """The lengths of the arm and of the way to the pose, added up; an arm without lengths counts as one metre long."""
    way = [row[3] for row in pose_symbols()]
    return Size(expr(sum((absolute(x) for x in (*chain.lengths, *way)), number(0 if chain.lengths else 1))))


def leaves_of(plan: Plan, scope: Scope, size: Size | None = None, only: tuple[int, ...] | None = None) -> list[Leaf]:
    """All branches to their ends; or ``only`` the one of these choices."""
    size = size_of(plan.chain) if size is None else size
    leaves = [Leaf({}, TRUE, FALSE, ())]
    for move in plan.moves:
        grown = []
        for leaf in leaves:
            known = {symbol_of(name): value for name, value in leaf.atoms.items()}
            own = _short(move, leaf) if size.exact else list(move.coefficients)
            coefficients = substitute(own, known)
            tag = "".join("abcd"[k] for k in leaf.choices)
            branches = move.values(coefficients, size, _Named(scope, tag))
            extended = [_extended(leaf, branch, k, len(branches)) for k, branch in enumerate(branches)]
            if size.exact:
                extended = _with_what_is_known(move, own, branches, size, extended)
            if only is not None and len(branches) > 1:
                extended = [extended[only[len(leaf.choices)]]]
            grown += extended
        leaves = grown
    return leaves


def _short(move: Move, leaf: Leaf) -> list[Expr]:
    """The coefficients of an equation, with what is known of the angles found before."""
    found = list(move.coefficients)
    for one in leaf.turned:
        found = [e if (short := one.reduced(e)) is None else short for e in found]
    return _without_common_parameters(found) if move.kind == "one angle" else found


def _with_what_is_known(
    move: Move, own: Sequence[Expr], branches: Sequence[Branch], size: Size, leaves: Sequence[Leaf]
) -> list[Leaf]:
    """The leaves that an equation leads to, with its atoms as they are written and what else it says of its angle."""
    written = [branch.atoms for branch in move.values(own, size, lambda stem, value: value)]
    found = [replace(leaf, written={**leaf.written, **atoms}) for leaf, atoms in zip(leaves, written, strict=True)]
    if move.kind != "one angle":
        return found
    X, Y, Z = own
    return [
        replace(leaf, turned=(*leaf.turned, Turned(move.joint, X, Y, Z, branch.root)))
        for leaf, branch in zip(found, branches, strict=True)
    ]


def _without_common_parameters(coefficients: Sequence[Expr]) -> list[Expr]:
    """X S + Y C + Z = 0 divided by the number and the parameters that X and Y are multiples of, such as 2 L."""
    X, Y, _ = coefficients
    (a, x), (b, y) = split_coefficient(X), split_coefficient(Y)
    if X.is_zero or Y.is_zero or VARIABLE not in (x.level, y.level):
        return list(coefficients)
    shared = [(base, min(e, _powers(y).get(base, 0))) for base, e in _powers(x).items() if base.level == PARAMETER]
    common = power_product([(base, e) for base, e in shared if e > 0], cast(Number, abs(a)) if abs(a) == abs(b) else 1)
    return [expr(one / common) for one in coefficients]


def _powers(node: Expr) -> dict[Expr, int]:
    return dict(zip(node.args, node.value, strict=True)) if node.op == PROD else {node: 1}


@dataclass(frozen=True)
class _Named:
    """Names the steps of one branch."""

    scope: Scope
    tag: str

    def __call__(self, stem: str, value: Expr) -> Expr:
        return self.scope.step(f"{stem}{self.tag}", value)


def _extended(leaf: Leaf, branch: Branch, choice: int, of: int) -> Leaf:
    exists = both(leaf.exists, branch.exists)
    doubtful = either(leaf.doubtful, both(exists, branch.doubtful))
    choices = (*leaf.choices, choice) if of > 1 else leaf.choices
    miss = maximum(leaf.miss, branch.miss)
    return Leaf({**leaf.atoms, **branch.atoms}, exists, doubtful, choices, miss, leaf.turned, leaf.written)


def both(a: Expr, b: Expr) -> Expr:
    """Conditions joined; one that always or never holds is not written."""
    if FALSE in (a, b):
        return FALSE
    return b if a is TRUE else a if b is TRUE else logical_and(a, b)


def either(a: Expr, b: Expr) -> Expr:
    return b if a is FALSE else a if b is FALSE else logical_or(a, b)


def positions(chain: Chain, leaf: Leaf) -> list[Expr]:
    """q from the atoms: in a group each angle less the one before it, turned back by constant angles and offsets."""
    found = []
    for group in chain.groups:
        found += _group_positions(group, leaf, chain.unit)
    return found


def _group_positions(group: Group, leaf: Leaf, unit: float) -> list[Expr]:
    before: tuple[Expr, Expr] = (number(1), number(0))  # cosine and sine of the absolute angle so far
    turn = number(0)
    found = []
    for k, joint in enumerate(group.joints):
        turn = turn + group.turns[k - 1] if k else turn
        if joint.prismatic:
            length = (leaf.atoms[f"r{joint.number}"] - joint.offset) * joint.sign
            found.append(length * number(unit))
            continue
        C, S = leaf.atoms[f"C{joint.number}"], leaf.atoms[f"S{joint.number}"]
        c, s = _turned(before, turn + joint.offset)
        sine, cosine = S * c - C * s, C * c + S * s
        found.append(angle_of(sine if joint.sign > 0 else -sine, cosine))
        before, turn = (C, S), number(0)
    return found


def angle_of(sine: Expr, cosine: Expr) -> Expr:
    """atan2, which is slow, once for all branches that differ in signs: a wrist turned over has q4 + pi, -q5, q6 + pi."""
    up, y = split_coefficient(sine)
    right, x = split_coefficient(cosine)
    if sine.level < VARIABLE or cosine.level < VARIABLE or abs(up) != 1 or abs(right) != 1:
        return atan2(sine, cosine)
    angle = atan2(y, x)
    if right < 0:  # mirrored left to right
        angle = select(angle < 0, -pi, pi) - angle
    return angle if up > 0 else -angle


def _turned(angle: tuple[Expr, Expr], turn: Expr) -> tuple[Expr, Expr]:
    c, s = angle
    ct, st = cos(turn), sin(turn)
    return c * ct - s * st, s * ct + c * st


# --- the program -----------------------------------------------------------------------------------------------------


def pose_input() -> Array:
    rows = [*pose_symbols(), tuple(variable(f"T4{j}") for j in range(1, 5))]
    return Array("T", (4, 4), tuple(x for row in rows for x in row))


def inputs_of(chain: Chain) -> tuple[Array, ...]:
    """The pose, and the positions of the joints given with it."""
    if not chain.given:
        return (pose_input(),)
    return (pose_input(), Array("given", (len(chain.given),), tuple(map(given_symbol, chain.given))))


def graph_of(chain: Chain, name: str, leaves: Sequence[Leaf], scope: Scope, asked: Sequence[int]) -> Graph:
    """The rows of all leaves, with their proof by the columns of the pose that are requested."""
    rows = [positions(chain, leaf) for leaf in leaves]
    tolerance = expr(MADE + SLACK * defect(pose_symbols())) if 0 in asked else number(MADE)
    size = size_of(chain).length
    valid, doubtful = [], FALSE
    for leaf in leaves:
        turn, way = misses(chain, leaf, asked)
        made, nearly = (
            both(turn <= bound, way <= bound * size) for bound in (tolerance, maximum(tolerance, NEARLY_MADE))
        )
        valid.append(both(leaf.exists, made))
        doubtful = either(doubtful, either(leaf.doubtful, both(leaf.exists, both(nearly, not_(made)))))
    outputs = (
        Array("Q", (len(leaves), len(chain.joints)), tuple(expr(x) for row in rows for x in row)),
        Array("valid", (len(leaves),), tuple(map(expr, valid))),
        Array("doubtful", (), (expr(doubtful),)),
    )
    return in_metres(Graph(name, inputs_of(chain), outputs, scope.names), chain.unit)


def not_(condition: Expr) -> Expr:
    return TRUE if condition is FALSE else FALSE if condition is TRUE else expr(1 - condition)


def in_metres(graph: Graph, unit: float) -> Graph:
    """The graph with the position of the pose in metres, where it was in units of the arm."""
    if unit == 1.0:
        return graph
    way = [row[3] for row in pose_symbols()]
    roots = [*graph.roots, *graph.names]
    made = substitute(roots, {x: x * number(1 / unit) for x in way})
    names = dict(zip(made[len(graph.roots) :], graph.names.values(), strict=True))
    return graph.with_roots(made[: len(graph.roots)], names)


def misses(chain: Chain, leaf: Leaf, asked: Sequence[int]) -> tuple[Expr, Expr]:
    """By how much a leaf misses the directions of the pose, and its position: the largest entry of each."""
    known = Known(dict(leaf.atoms))
    pieces = [constants(chain.start)]
    for k, group in enumerate(chain.groups):
        pieces += [constants(chain.between[k - 1])] if k else []
        pieces.append(group_matrix(group, known))
    rows = multiplied(*pieces, constants(chain.end))
    turn, way = leaf.miss, number(0)
    for i, row in enumerate(pose_symbols()):
        for j in asked:
            miss = absolute(rows[i][j].get((), number(0)) - row[j])
            turn, way = (turn, maximum(way, miss)) if j == 3 else (maximum(turn, miss), way)
    return turn, way


# --- what is kept ----------------------------------------------------------------------------------------------------


def _kept(plan: Plan, name: str, leaves: Sequence[Leaf], poses: Poses, scope: Scope) -> list[Leaf]:
    """Without leaves that no pose has, or that repeat another at every pose."""
    Q, valid = evaluated(lower(graph_of(plan.chain, name, leaves, scope, ASKED[plan.task])), poses, plan.chain.unit)
    kept: list[int] = []
    for k in range(len(leaves)):
        if valid[:, k].any() and not any(_same(Q[:, i], Q[:, k], valid[:, i], valid[:, k]) for i in kept):
            kept.append(k)
    return [leaves[k] for k in kept]


def _same(a: Floats, b: Floats, there: Truths, here: Truths) -> bool:
    both = there & here
    apart = np.abs((a[both] - b[both] + np.pi) % (2 * np.pi) - np.pi) > 1e-6
    return bool(here.any() and not (here & ~there).any() and not apart.any())


def evaluated(program: Program, poses: Poses, unit: float) -> tuple[Floats, Truths]:
    """Q (N, branches, n) at poses in units of the chain, and which of them are valid, by interpretation."""
    symbols = set(program.parameter_symbols)
    values: dict[Expr, object] = {s: x for s, x in poses.numbers.items() if s in symbols}
    T = poses.T.copy()
    T[:, :3, 3] *= unit
    stacked = {"T": T.reshape(len(T), 16), "given": poses.given}
    for array in program.inputs:
        values.update(zip(array.entries, stacked[array.name].T, strict=True))
    with np.errstate(all="ignore"):
        out = program.evaluate(values)
    N = len(T)
    full = {
        key: np.array([np.broadcast_to(np.asarray(x, dtype=float), N) for x in flat]).T for key, flat in out.items()
    }
    rows = program.outputs[1].shape[0]
    return full["Q"].reshape(N, rows, -1), np.asarray(full["valid"] > 0.5)


def _verify(plan: Plan, program: Program, poses: Poses) -> None:
    """The position that made each pose is among those found; near special poses rounding may hide it."""
    Q, valid = evaluated(program, poses, plan.chain.unit)
    turning = np.array([not joint.prismatic for joint in plan.chain.joints])
    Q[:, :, ~turning] /= plan.chain.unit
    apart = Q - poses.q[:, None]
    apart[:, :, turning] = (apart[:, :, turning] + np.pi) % (2 * np.pi) - np.pi
    found = (valid & (np.abs(apart).max(axis=2) < 1e-5)).any(axis=1)
    if found.mean() < FOUND:
        problem = "the closed form misses a position of this arm"
        raise NoClosedFormError([Problem("method", problem)], plan.chain.robot.name)
