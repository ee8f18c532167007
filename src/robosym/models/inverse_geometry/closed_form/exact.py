"""A branch of a closed form as expressions to be differentiated: without provisions for special positions.

Closed loops and the legs of platforms write the positions of their joints this way: each angle stands for its sine and
cosine, and ``atan2`` is taken only where the angle itself is requested.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from ....expr import Expr, cos, expr, number, sin, step, substitute
from ....expr.algebra import split_coefficient
from ....expr.trig import angle
from ....program import Scope
from ..chain.chain import Chain
from ..chain.random_positions import symbol_of
from .derivation import ClosedForm
from .equation_types import Size
from .program import Leaf, leaves_of


def exact_leaves(form: ClosedForm, size: Size, known: Mapping[Expr, Expr]) -> list[Leaf]:
    """The branches in the order of ``form.choices``, with what is ``known`` in place of the pose and the joints given."""
    found = {leaf.choices: leaf for leaf in leaves_of(form.plan, Scope(), size)}
    return [_known(found[choices], known) for choices in form.choices]


def exact_leaf(form: ClosedForm, branch: int, size: Size, known: Mapping[Expr, Expr]) -> Leaf:
    """One of them."""
    (leaf,) = leaves_of(form.plan, Scope(), size, form.choices[branch])
    return _known(leaf, known)


def _known(leaf: Leaf, known: Mapping[Expr, Expr]) -> Leaf:
    *atoms, exists = substitute([*leaf.atoms.values(), leaf.exists], dict(known))
    return replace(leaf, atoms=dict(zip(leaf.atoms, atoms, strict=True)), exists=exists)


def angles_between(form: ClosedForm, leaf: Leaf, known: Mapping[Expr, Expr]) -> dict[Expr, Expr]:
    """Sines and cosines of the angles between neighbouring links on parallel axes, as differences of absolute angles give
    them, and what they are by the triangle of the links: shorter, where an equation tells."""
    found: dict[Expr, Expr] = {}
    order = [move.joint for move in form.plan.moves]
    values = {symbol_of(name): value for name, value in leaf.atoms.items()}
    for group in form.chain.groups:
        for one, other in pairwise(group.revolute):
            first, second = sorted((str(one.number), str(other.number)), key=order.index)
            turned = next((t for t in leaf.turned if t.joint == first), None)
            if turned is None or f"S{second}" not in leaf.written:
                continue
            S, C = leaf.written[f"S{second}"], leaf.written[f"C{second}"]
            s, c = symbol_of(f"S{first}"), symbol_of(f"C{first}")
            sign = 1 if second == str(other.number) else -1
            pair = [leaf.atoms[f"{x}{j}"] for j in (other.number, one.number) for x in "SC"]
            between = angle(step(pair[0]), step(pair[1])) - angle(step(pair[2]), step(pair[3]))
            for whole, short in ((sin(between), S * c - C * s), (cos(between), C * c + S * s)):
                reduced = turned.reduced(expr(short))
                if reduced is None:
                    continue
                (made,) = substitute(substitute([reduced], values), dict(known))
                size, node = split_coefficient(whole)
                found[node] = expr(made * (sign if whole is sin(between) else 1) / size)
    return found


def joint_positions(chain: Chain, atoms: Mapping[str, Expr], known: Mapping[Expr, Expr]) -> dict[int, Expr]:
    """The position of each joint by its frame: over parallel axes each absolute angle, whose sine and cosine are known, less
    the one before it."""
    found: dict[int, Expr] = {}
    for group in chain.groups:
        before, turns = number(0), substitute(list(group.turns), dict(known))
        for k, joint in enumerate(group.joints):
            if joint.prismatic:
                length = (atoms[f"r{joint.number}"] - joint.offset) * joint.sign
                found[joint.frame] = expr(length * number(chain.unit))
                continue
            turn = turns[k - 1] if k else number(0)
            S, C = atoms[f"S{joint.number}"], atoms[f"C{joint.number}"]
            phi = angle(S, C)
            phi = angle(step(S), step(C)) if phi.op == "angle" else phi
            found[joint.frame] = expr((phi - before - turn - joint.offset) * joint.sign)
            before = phi
    return found
