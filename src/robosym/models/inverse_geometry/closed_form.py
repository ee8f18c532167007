"""A plan as one straight-line program: every branch of the solution tree unrolled, what two branches share made once.

Output Q has a row for each branch, ``valid`` says whether it exists at the pose, ``free`` which joints may have any value
there (they are zero then). A branch that is wrong everywhere, or the same as another, is left out: that is looked for at
random poses, as is whether the program finds the position that made the pose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from ...expr import (
    VARIABLE,
    Expr,
    absolute,
    atan2,
    cos,
    expr,
    logical_and,
    maximum,
    number,
    pi,
    select,
    sin,
    substitute,
    variable,
)
from ...expr.algebra import split_coefficient
from ...program import Array, Graph, Program, Scope, optimised
from ...program.lower import lower
from ...robot.problems import Problem
from .chain import Chain, Group, Known, constants, given_symbol, group_matrix, multiplied
from .moves import TRUE, Branch
from .plan import NoClosedFormError, Plan
from .poses import pose_symbols
from .samples import Floats, Sample, forward, samples, symbol_of

Truths = np.ndarray[Any, np.dtype[np.bool_]]

# What a found position may miss a pose by, over its size, before the branch counts as wrong there.
MISS = 1e-6
ASKED = {"pose": [0, 1, 2, 3], "position": [3], "orientation": [0, 1, 2]}  # columns of T
CHECKS = 48  # random poses at which a program is looked at


@dataclass(frozen=True)
class Leaf:
    """One branch to its end: joint positions, conditions, and which value each move took."""

    atoms: Mapping[str, Expr]
    exists: Expr
    free: Mapping[str, Expr]
    choices: tuple[int, ...]


def closed_form(plan: Plan, name: str) -> tuple[Program, list[tuple[int, ...]]]:
    """The program of a plan, and the choices of each of its rows."""
    scope = Scope()
    leaves = leaves_of(plan, scope)
    checked = _needs_check(plan)
    poses = samples(plan.chain, CHECKS, seed=7)
    kept = _kept(plan, name, leaves, poses, scope, checked)
    program = optimised(_graph(plan, name, kept, scope, checked))
    _verify(plan, program, poses)
    return program, [leaf.choices for leaf in kept]


def _needs_check(plan: Plan) -> bool:
    """Whether a pose may ask for more than the equations in use say: then the whole pose is compared at the end."""
    enough = {"pose": 6, "position": 3, "orientation": 3}[plan.task]
    return len(plan.chain.joints) < enough or any(move.kind == "quartic" for move in plan.moves)


# --- the tree --------------------------------------------------------------------------------------------------------


def leaves_of(plan: Plan, scope: Scope) -> list[Leaf]:
    leaves = [Leaf({}, TRUE, {}, ())]
    for move in plan.moves:
        grown = []
        for leaf in leaves:
            known = {symbol_of(name): value for name, value in leaf.atoms.items()}
            coefficients = substitute(list(move.coefficients), known)
            tag = "".join("abcd"[k] for k in leaf.choices)
            branches = move.values(coefficients, _Named(scope, tag))
            grown += [_extended(leaf, move.joint, branch, k, len(branches)) for k, branch in enumerate(branches)]
        leaves = grown
    return leaves


@dataclass(frozen=True)
class _Named:
    """Names the steps of one branch."""

    scope: Scope
    tag: str

    def __call__(self, stem: str, value: Expr) -> Expr:
        return self.scope.step(f"{stem}{self.tag}", value)


def _extended(leaf: Leaf, joint: str, branch: Branch, choice: int, of: int) -> Leaf:
    exists = logical_and(leaf.exists, branch.exists) if branch.exists is not TRUE else leaf.exists
    choices = (*leaf.choices, choice) if of > 1 else leaf.choices
    return Leaf({**leaf.atoms, **branch.atoms}, exists, {**leaf.free, joint: branch.free}, choices)


def positions(chain: Chain, leaf: Leaf) -> list[Expr]:
    """q from the atoms: in a group each angle less the one before it, turned back by constant angles and offsets."""
    found = []
    for group in chain.groups:
        found += _group_positions(group, leaf)
    return found


def _group_positions(group: Group, leaf: Leaf) -> list[Expr]:
    before: tuple[Expr, Expr] = (number(1), number(0))  # cosine and sine of the absolute angle so far
    turn = number(0)
    found = []
    for k, joint in enumerate(group.joints):
        turn = turn + group.turns[k - 1] if k else turn
        if joint.prismatic:
            found.append((leaf.atoms[f"r{joint.number}"] - joint.offset) * joint.sign)
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


def _graph(plan: Plan, name: str, leaves: Sequence[Leaf], scope: Scope, checked: bool) -> Graph:
    n = len(plan.chain.joints)
    numbers = [str(joint.number) for joint in plan.chain.joints]
    q = [x for leaf in leaves for x in positions(plan.chain, leaf)]
    exists = [_checked(plan, leaf) if checked else leaf.exists for leaf in leaves]
    free = [leaf.free[j] for leaf in leaves for j in numbers]
    outputs = (
        Array("Q", (len(leaves), n), tuple(map(expr, q))),
        Array("valid", (len(leaves),), tuple(map(expr, exists))),
        Array("free", (len(leaves), n), tuple(map(expr, free))),
    )
    return Graph(name, inputs_of(plan.chain), outputs, scope.names)


def _checked(plan: Plan, leaf: Leaf) -> Expr:
    """Whether a leaf exists and makes the pose: every entry of T, or of its position."""
    chain = plan.chain
    known = Known(dict(leaf.atoms))
    pieces = [constants(chain.start)]
    for k, group in enumerate(chain.groups):
        pieces += [constants(chain.between[k - 1])] if k else []
        pieces.append(group_matrix(group, known))
    rows = multiplied(*pieces, constants(chain.end))
    wanted = ASKED[plan.task]
    misses = [
        absolute(rows[i][j].get((), number(0)) - x)
        for i, row in enumerate(pose_symbols())
        for j, x in enumerate(row)
        if j in wanted
    ]
    size = reduce(maximum, [absolute(row[3]) for row in pose_symbols()], number(1))
    return logical_and(leaf.exists, reduce(maximum, misses) <= MISS * size)


# --- what is kept ----------------------------------------------------------------------------------------------------


def _kept(
    plan: Plan, name: str, leaves: Sequence[Leaf], poses: Sequence[Sample], scope: Scope, checked: bool
) -> list[Leaf]:
    """Without leaves that no pose has, or that repeat another at every pose."""
    Q, valid = _evaluated(lower(_graph(plan, name, leaves, scope, checked)), poses)
    right = valid & _makes_pose(plan, Q, poses)
    if not checked and (valid & ~right).any() and (right.any(axis=0) & (valid & ~right).any(axis=0)).any():
        problem = "a branch of the closed form is right at some poses and wrong at others"
        raise NoClosedFormError([Problem("method", problem)], plan.chain.robot.name)
    kept: list[int] = []
    for k in range(len(leaves)):
        if not right[:, k].any():
            continue
        same = [i for i in kept if _same(Q[:, i], Q[:, k], right[:, i], right[:, k])]
        if not same:
            kept.append(k)
    return [leaves[k] for k in kept]


def _same(a: Floats, b: Floats, there: Truths, here: Truths) -> bool:
    both = there & here
    apart = np.abs((a[both] - b[both] + np.pi) % (2 * np.pi) - np.pi) > 1e-6
    return bool(here.any() and not (here & ~there).any() and not apart.any())


def _evaluated(program: Program, poses: Sequence[Sample]) -> tuple[Floats, Truths]:
    """Q and valid at all poses at once, by interpretation."""
    symbols = set(program.parameters)
    values: dict[Expr, object] = {s: x for s, x in poses[0].numbers.items() if s in symbols}
    entries = program.inputs[0].entries
    stacked = np.array([pose.T.ravel() for pose in poses])
    values.update({entry: stacked[:, k] for k, entry in enumerate(entries)})
    for array in program.inputs[1:]:
        values.update({entry: np.array([pose.numbers[entry] for pose in poses]) for entry in array.entries})
    with np.errstate(all="ignore"):
        out = program.evaluate(values)
    N = len(poses)
    full = {
        key: np.array([np.broadcast_to(np.asarray(x, dtype=float), N) for x in flat]).T for key, flat in out.items()
    }
    rows = program.outputs[1].shape[0]
    return full["Q"].reshape(N, rows, -1), np.asarray(full["valid"] > 0.5)


def _makes_pose(plan: Plan, Q: Floats, poses: Sequence[Sample]) -> Truths:
    right = np.zeros(Q.shape[:2], dtype=bool)
    for i, pose in enumerate(poses):
        for k in range(Q.shape[1]):
            if not np.isfinite(Q[i, k]).all():
                continue
            miss = forward(plan.chain, pose.numbers, Q[i, k]) - pose.T
            right[i, k] = np.abs(miss[:, ASKED[plan.task]]).max() < MISS
    return right


def _verify(plan: Plan, program: Program, poses: Sequence[Sample]) -> None:
    """The position that made each pose is among those found."""
    Q, valid = _evaluated(program, poses)
    for i, pose in enumerate(poses):
        turning = np.array([not joint.prismatic for joint in plan.chain.joints])
        apart = Q[i] - np.array(pose.q)
        apart[:, turning] = (apart[:, turning] + np.pi) % (2 * np.pi) - np.pi
        if not (valid[i] & (np.abs(apart).max(axis=1) < 1e-5)).any():
            problem = "the closed form misses a position of this arm"
            raise NoClosedFormError([Problem("method", problem)], plan.chain.robot.name)
