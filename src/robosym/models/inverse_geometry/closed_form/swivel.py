"""Seven revolute joints with a spherical shoulder and a spherical wrist, in closed form for a given swivel angle.

The distance between shoulder and wrist gives the elbow joint. The elbow may then turn about the line between them: the
swivel angle says where it is, measured from the vertical plane through that line (or, where the line is vertical, from
the plane of x). That fixes the orientation of the upper arm, and with it the shoulder's three angles; the wrist's three
follow from the requested orientation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ....expr import Expr, cos, expr, maximum, number, select, sin, sqrt, substitute, variable
from ....program import Array, Graph, Scope, optimised
from ....robot import RobotError
from ....robot.problems import Problem
from ....spatial.vectors import AXES, Vector, apply, cross, dot, plus, times
from ..chain.chain import Chain
from ..chain.pose import pose_symbols
from ..chain.random_positions import Sample, samples
from .derivation import ClosedForm
from .equation_types import Move
from .equations import Cuts, applied, pruned, unit
from .equations import Vector as Column
from .group_matrices import Known
from .plan import Plan, plan_of, row_of
from .polynomials import Polynomial, constant, product, reduced, scaled, total, unknowns
from .program import ASKED, Leaf, both, either, graph_of, leaves_of, pose_input, size_of

SWIVEL = variable("swivel")
ELBOW = "4"
# The square of the sine between two directions below which they are one.
ALONG = 1e-20
IDENTITY = tuple(tuple(number(int(i == j)) for j in range(4)) for i in range(3))


def swivel_form(chain: Chain) -> ClosedForm:
    """The closed form of a seven-joint chain; its second input ``given`` is the swivel angle."""
    if len(chain.groups) != 7 or any(joint.prismatic for joint in chain.joints):
        raise _refused(chain, "expected seven revolute joints, no two neighbours parallel")
    tried = samples(chain)
    cuts = Cuts(chain, Known({}))
    shoulder = _fixed(chain, cuts.origin(1), tried, "the axes of the first three joints do not meet in a point")
    _fixed(chain, cuts.origin(2), tried, "the axes of the first three joints do not meet in a point")
    wrist = _fixed(chain, cuts.after(6, 3), tried, "the axes of the last three joints do not meet in a point")
    _fixed(chain, cuts.between(4, 6, 3), tried, "the axes of the last three joints do not meet in a point")
    reach = applied(cuts.K[3], cuts.between(3, 6, 3))  # from shoulder to wrist in the axes of the upper arm
    elbow = _constants(applied(cuts.K[3], cuts.between(3, 4, 3)))  # and to the elbow
    scope = Scope()
    T = pose_symbols()
    columns = tuple(tuple(row[j] for row in T) for j in range(4))
    line = plus(plus(apply(columns[:3], wrist), columns[3]), times(-1, shoulder))  # type: ignore[arg-type]
    line = scope.vector("V", 0, line)
    move = _elbow_move(reach, line, tried)
    plans = [plan_of(part, "orientation") for part in (_upper(chain), _lower(chain))]
    leaves = _leaves(chain, cuts, move, plans, reach, elbow, line, scope)
    graph = graph_of(chain, "closed form", leaves, scope, ASKED["pose"])
    inputs = (pose_input(), Array("given", (1,), (SWIVEL,)))
    program = optimised(Graph(graph.name, inputs, graph.outputs, graph.names))
    moves = [move, *plans[0].moves, *(replace(m, joint=str(int(m.joint) + 4)) for m in plans[1].moves)]
    plan = Plan(chain, "pose", tuple(moves))
    return ClosedForm(chain, "pose", plan, program, tuple(leaf.choices for leaf in leaves), swivel=True)


def _refused(chain: Chain, problem: str) -> RobotError:
    return RobotError([Problem("given", f"no swivel angle: {problem}")], chain.robot.name)


def _fixed(chain: Chain, column: Column, tried: Sequence[Sample], problem: str) -> Vector:
    """A point that no joint moves."""
    if any(unknowns(pruned(p, tried)) for p in column[:3]):
        raise _refused(chain, problem)
    return _constants(column)


def _constants(column: Column) -> Vector:
    return tuple(p.get((), number(0)) for p in column[:3])  # type: ignore[return-value]


# --- parts of the chain ----------------------------------------------------------------------------------------------


def _upper(chain: Chain) -> Chain:
    """The first three joints."""
    return replace(chain, joints=chain.joints[:3], groups=chain.groups[:3], between=chain.between[:2], end=IDENTITY)


def _lower(chain: Chain) -> Chain:
    """The last three joints, counted from one."""
    joints = tuple(replace(joint, number=joint.number - 4) for joint in chain.joints[4:])
    groups = tuple(replace(group, joints=(joint,)) for group, joint in zip(chain.groups[4:], joints, strict=True))
    return replace(chain, joints=joints, groups=groups, between=chain.between[4:], start=IDENTITY)


def _elbow_move(reach: Column, line: Vector, tried: Sequence[Sample]) -> Move:
    """|reach|^2 = |line|^2 in the angle of the elbow."""
    squares = reduced(total(*(product(p, p) for p in reach[:3])))
    equation = pruned(squares, tried)
    left: Polynomial = total(equation, scaled(constant(expr(dot(line, line))), -1))
    coefficients = row_of(left, ELBOW)
    return Move(ELBOW, "one angle", coefficients, ("squared distance from shoulder to wrist",), (left,), (2,))


# --- the branches ----------------------------------------------------------------------------------------------------


def _leaves(
    chain: Chain,
    cuts: Cuts,
    move: Move,
    plans: Sequence[Plan],
    reach: Column,
    elbow: Vector,
    line: Vector,
    scope: Scope,
) -> list[Leaf]:
    """Two elbows, two shoulders, two wrists."""
    upper, lower = (leaves_of(plan, scope) for plan in plans)
    found = []
    for k, branch in enumerate(move.values(move.coefficients, size_of(chain), scope.step)):
        known = Known(branch.atoms)
        here = Cuts(chain, known)
        arm = _constants(applied(here.K[3], here.between(3, 6, 3)))
        R = _upper_arm(arm, elbow, line, scope, k)
        forearm = [
            _constants(applied(here.K[3], applied(here.G[3], applied(here.K[4], c)))) for c in map(unit, range(3))
        ]
        R4 = [scope.vector("F", (k, j), apply(R, column)) for j, column in enumerate(forearm)]
        asked = [(x[j], y[j], z[j]) for x, y, z in [pose_symbols()] for j in range(3)]
        rest = [(dot(R4[0], column), dot(R4[1], column), dot(R4[2], column)) for column in asked]  # R4^T R, by columns
        shoulders = [_placed(leaf, R, 0) for leaf in upper]
        wrists = [_placed(leaf, rest, 4) for leaf in lower]
        for first in shoulders:
            for last in wrists:
                exists = both(branch.exists, both(first.exists, last.exists))
                doubtful = either(branch.doubtful, either(first.doubtful, last.doubtful))
                atoms = {**first.atoms, **branch.atoms, **last.atoms}
                choices = (k, *first.choices, *last.choices)
                miss = maximum(branch.miss, maximum(first.miss, last.miss))
                found.append(Leaf(atoms, exists, both(exists, doubtful), choices, miss))
    return found


def _placed(leaf: Leaf, columns: Sequence[Vector], offset: int) -> Leaf:
    """A leaf of a part of the chain, for the orientation that part has here; its joints as the whole chain counts them."""
    symbols = {row[j]: expr(columns[j][i]) for i, row in enumerate(pose_symbols()) for j in range(3)}
    names = list(leaf.atoms)
    *values, exists, doubtful, miss = substitute([*leaf.atoms.values(), leaf.exists, leaf.doubtful, leaf.miss], symbols)
    atoms = {f"{name[0]}{int(name[1:]) + offset}": x for name, x in zip(names, values, strict=True)}
    return Leaf(atoms, exists, doubtful, leaf.choices, miss)


def _upper_arm(arm: Vector, elbow: Vector, line: Vector, scope: Scope, k: int) -> tuple[Vector, Vector, Vector]:
    """The orientation that takes ``arm`` to ``line`` and ``elbow`` to the half-plane of the swivel angle, by columns."""
    own = _triad(arm, [elbow, *AXES], scope, f"A{k}_")
    there = _triad(line, [AXES[2], AXES[0]], scope, f"B{k}_")
    c, s = cos(SWIVEL), sin(SWIVEL)
    turned = (there[0], plus(times(c, there[1]), times(s, there[2])), plus(times(c, there[2]), times(-s, there[1])))
    rows = [tuple(axis[i] for axis in own) for i in range(3)]  # [there] [own]^T
    x, y, z = (scope.vector("R", (k, i), apply(turned, rows[i])) for i in range(3))
    return (x, y, z)


def _triad(along: Vector, besides: Sequence[Vector], scope: Scope, stem: str) -> tuple[Vector, Vector, Vector]:
    """Three unit vectors: along the first, in its plane with the first of ``besides`` that is not along it, and across."""
    size = scope.step(f"{stem}i", 1 / sqrt(_positive(dot(along, along))))
    first = scope.vector(f"{stem}x", 0, times(size, along))
    normal = cross(first, besides[-1])
    for beside in reversed(besides[:-1]):
        other = cross(first, beside)
        near = dot(other, other) < ALONG * _positive(dot(beside, beside))
        x, y, z = (select(expr(near), expr(a), expr(b)) for a, b in zip(normal, other, strict=True))
        normal = (x, y, z)
    inverse = scope.step(f"{stem}j", 1 / sqrt(_positive(dot(normal, normal))))
    third = scope.vector(f"{stem}z", 0, times(inverse, normal))
    return first, scope.vector(f"{stem}y", 0, cross(third, first)), third


def _positive(x: Expr) -> Expr:
    return expr(x) + 1e-300
