"""The inverse dynamic model by augmented bodies (M. Renaud, ICRA 1987, steps 0a to 10).

The augmented body i is body i with the mass of everything it carries put, as a point, at the origin of the next link.
Force balance then needs only b_i u*_i for each link, where u* is the first moment of the augmented body: the
accelerations of the origins leave the recursion of the forces, and the masses are gathered off-line. The point is at
rest in body i where the next joint is revolute; where it is prismatic, u* and k* change with q: step 0 is then on-line.

The paper treats chains on a fixed base. A body that carries several others is augmented by a point for each of them;
the base may move, and any link may push on the environment.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

from ...expr import Expr, Operations, count, expr, free_symbols, postorder, substitute, symbol
from ...expr.algebra import split_coefficient
from ...expr.node import SYM, VARIABLE
from ...program import Scope
from ...robot import Robot
from ...spatial import symmetric
from ...spatial.rotations import Rotation, back, into
from ...spatial.scalar import Scalar
from ...spatial.symmetric import Symmetric
from ...spatial.vectors import ZERO, Columns, Vector, apply, cross, plus, times
from ...spatial.wrenches import Wrench, added, shifted
from .bodies import Body, Tree, tree
from .motion import matrix_from_products

T = TypeVar("T")


@dataclass(frozen=True)
class Augmented:
    """Moments of order 0, 1 and 2 of an augmented body at its origin: m*, u* and k* (XX, XY, XZ, YY, YZ, ZZ)."""

    mass: Scalar
    first: Vector
    second: Symmetric


@dataclass(frozen=True)
class LinkMotion:
    """omega, the products delta of its components, its derivative a, b = skew(a) + skew(omega)^2 by columns, and alpha:
    the acceleration of the origin with gravity subtracted. All in the link's frame."""

    omega: Vector
    delta: Symmetric
    a: Vector
    b: Columns
    alpha: Vector
    # Of a prismatic joint: t, the acceleration along and across the slide, and r, that of the place it slides from.
    t: Vector
    r: Vector


def augmented_torques(tree: Tree, scope: Scope) -> dict[int, Scalar]:
    """The torque (or force) of every joint, without what its motor spends on itself."""
    augmented = augmented_bodies(tree, scope)
    return _torques(tree, augmented, link_motions(tree, scope), scope)


# --- step 0: off-line, but for what a prismatic joint moves ----------------------------------------------------------


def augmented_bodies(tree: Tree, scope: Scope) -> dict[int, Augmented]:
    """Steps 0a and 0b: u* = u + m* p and k* = k - m* skew(p)^2, from the tips to the base."""
    found: dict[int, Augmented] = {}
    for body in reversed(tree.bodies):
        mass, first, second = body.inertia.mass, body.inertia.moment, body.inertia.matrix
        for child in tree.children(body.j):
            m = found[child.j].mass
            p = _position(child, scope)
            mp = scope.vector("MP", child.j, times(m, p))
            mass, first, second = mass + m, plus(first, mp), _with_point(second, p, mp, scope, child.j)
        found[body.j] = Augmented(
            scope.scalar("MS", body.j, mass),
            scope.vector("US", body.j, first),
            cast(Symmetric, scope.vector("KS", body.j, second)),
        )
    return found


def _position(body: Body, scope: Scope) -> Vector:
    """p: the origin of a body in the frame that carries it."""
    return scope.vector("P", body.j, body.position)


def _with_point(k: Symmetric, p: Vector, mp: Vector, scope: Scope, j: int) -> Symmetric:
    """k - m skew(p)^2 = k + m (p.p 1 - p p^T)."""
    x, y, z = scope.vector("PP", j, (p[0] * mp[0], p[1] * mp[1], p[2] * mp[2]))
    xx, xy, xz, yy, yz, zz = k
    return (xx + y + z, xy - p[0] * mp[1], xz - p[0] * mp[2], yy + x + z, yz - p[1] * mp[2], zz + x + y)


# --- steps 1 to 6: forward -------------------------------------------------------------------------------------------


def link_motions(tree: Tree, scope: Scope) -> dict[int, LinkMotion]:
    """Steps 1 to 6, from the base outwards."""
    omega, a = tree.angular_velocity, tree.angular_acceleration
    alpha = plus(tree.acceleration, times(-1, tree.gravity))
    delta = products(omega)
    found = {0: LinkMotion(omega, delta, a, matrix_from_products(delta, a), alpha, ZERO, ZERO)}
    for body in tree.bodies:
        found[body.j] = _next_motion(body, found[body.parent], scope)
    return found


def _next_motion(body: Body, i: LinkMotion, scope: Scope) -> LinkMotion:
    j, qd, qdd = body.j, body.speed, body.acceleration
    x, y, z = _into(body.rotation, i.omega, scope, "WI", j)  # (1a)
    a = _into(body.rotation, i.a, scope, "AI", j)  # (3a)
    if body.prismatic:
        omega = (x, y, z)
        twice = scope.scalar("T", j, 2 * qd, 0)
        t = scope.vector("T", j, (twice * y, -(twice * x), qdd))  # (5)
    else:
        omega = (x, y, scope.scalar("W", j, z + qd, 3))  # (1b)
        a = scope.vector("A", j, plus(a, (qd * y, -(qd * x), qdd)))  # (3b)
        t = ZERO
    delta = cast(Symmetric, scope.vector("DE", j, products(omega)))  # (2)
    b = _transposed(scope.matrix("B", j, _transposed(matrix_from_products(delta, a))))  # (4)
    start = scope.vector("R", body.j, plus(i.alpha, apply(i.b, _position(body, scope))))  # (6a)
    r = _into(body.rotation, start, scope, "RI", j)  # (6b)
    alpha = scope.vector("AL", j, plus(r, t))  # (6c)
    return LinkMotion(omega, delta, a, b, alpha, t, r)


def products(w: Vector) -> Symmetric:
    """delta = omega (x) omega."""
    return symmetric.product(w, w)


def _transposed(matrix: Sequence[Sequence[Scalar]]) -> Columns:
    x, y, z = zip(*matrix, strict=True)
    return (x, y, z)


# --- steps 7 to 10: backward -----------------------------------------------------------------------------------------


def _torques(
    tree: Tree, augmented: dict[int, Augmented], motions: dict[int, LinkMotion], scope: Scope
) -> dict[int, Scalar]:
    """Steps 7 to 10, from the tips to the base: e, f = e + m* r, and the moment n about the origin."""
    handed: dict[int, list[Wrench]] = {}  # e and n of the links carried, about the origin of the one that carries them
    result: dict[int, Scalar] = {}
    for body in reversed(tree.bodies):
        j, own, m = body.j, augmented[body.j], motions[body.j]
        e = plus(body.force, apply(m.b, own.first))
        n = plus(plus(body.moment, _inertial_moment(own.second, m, scope, j)), cross(own.first, m.alpha))
        for carried in handed.pop(j, []):
            e, n = added((e, n), carried)
        if body.prismatic:
            e = plus(e, times(own.mass, m.t))
        e, n = scope.vector("E", j, e), scope.vector("N", j, n)  # (7a), (9a)
        result[j] = scope.scalar("F", j, e[2] + own.mass * m.r[2]) if body.prismatic else n[2]  # (8), (10)
        e_back, n_back = (_back(body.rotation, v, scope, stem, j) for v, stem in ((e, "EI"), (n, "NI")))  # (7b), (9b)
        handed.setdefault(body.parent, []).append(shifted((e_back, n_back), _position(body, scope)))
    return result


def _inertial_moment(k: Symmetric, m: LinkMotion, scope: Scope, j: int) -> Vector:
    """k a + omega x (k omega), with delta and b instead of new products."""
    A, XY, XZ, B, YZ, C = k
    xx, xy, xz, yy, yz, zz = m.delta
    (_, byx, bzx), (bxy, _, bzy), (bxz, byz, _) = m.b
    CB, AC, BA = scope.vector("KD", j, (C - B, A - C, B - A))
    d1, d2, d3 = scope.vector("ND", j, (yy - zz, zz - xx, xx - yy))
    return (
        A * m.a[0] + CB * yz + YZ * d1 - XY * bzx + XZ * byx,
        B * m.a[1] + AC * xz + XZ * d2 - YZ * bxy + XY * bzy,
        C * m.a[2] + BA * xy + XY * d3 - XZ * byz + YZ * bxz,
    )


def _into(rotation: Rotation, v: Vector, scope: Scope, stem: str, j: int) -> Vector:
    """R^T v, turn by turn: WIT is what WI is one turn before the last."""
    for turns_left, turn in zip(reversed(range(len(rotation))), rotation, strict=True):
        v = scope.vector(stem + "T" * turns_left, j, into((turn,), v))
    return v


def _back(rotation: Rotation, v: Vector, scope: Scope, stem: str, j: int) -> Vector:
    """R v, turn by turn."""
    for turns_left, turn in reversed(list(enumerate(rotation))):
        v = scope.vector(stem + "T" * turns_left, j, back((turn,), v))
    return v


# --- the paper's table -----------------------------------------------------------------------------------------------

# Which of the paper's steps a name belongs to: the letters before the digits, without the T of turns still to be made.
ROW_OF = {
    **dict.fromkeys(("P", "MP", "PP", "MS", "US", "KS", "KD"), "0"),
    **dict.fromkeys(("WI", "W"), "1"),
    "DE": "2",
    **dict.fromkeys(("AI", "A"), "3"),
    "B": "4",
    "T": "5",
    **dict.fromkeys(("R", "RI", "AL"), "6"),
    **dict.fromkeys(("E", "EI"), "7"),
    "F": "8",
    **dict.fromkeys(("N", "NI", "ND"), "9"),
}


@dataclass
class Ledger(Scope):
    """A scope that counts as the paper does: every named quantity is computed, by itself, if a torque needs it.

    A name stands for its quantity from then on, so that equal expressions under two names are counted twice.
    """

    written: list[tuple[str, Expr, Expr]] = field(default_factory=list)  # row, name, what it stands for
    offline: dict[Expr, Expr] = field(default_factory=dict)  # what depends on parameters alone, and its name

    def step(self, name: str, value: T) -> T:
        if not isinstance(value, Expr):
            return value
        sign, core = split_coefficient(value)
        if core.op in (SYM, "sin", "cos") or not core.args:
            return value
        if core.level < VARIABLE:
            constant = symbol(f"{name}_{len(self.offline)}", "constant")
            return cast(T, sign * self.offline.setdefault(core, constant))
        stem = name.rstrip("0123456789_")
        row = ROW_OF[stem.rstrip("T") or stem]
        target = symbol(f"{name}_{len(self.written)}", "local")
        self.written.append((row, target, core))
        return cast(T, sign * target)

    def costs(self, outputs: Iterable[Expr]) -> dict[str, Operations]:
        """What the outputs need, row by row. Angles are given: a sum of them costs nothing."""
        needed = set(free_symbols(*outputs))
        rows = {row: Operations() for row in dict.fromkeys(ROW_OF.values())}
        for row, target, meaning in reversed(self.written):
            if target in needed:
                needed.update(free_symbols(meaning))
                rows[row] += count([_with_plain_angles(meaning)])
        return rows


def _with_plain_angles(value: Expr) -> Expr:
    turned = [node for node in postorder([value]) if node.op in ("sin", "cos")]
    return substitute([value], {node: symbol(f"angle{i}", "local") for i, node in enumerate(turned)})[0]


def renaud_table(robot: Robot) -> dict[str, Operations]:
    """Multiplications and additions of each of the paper's steps 0 to 10 for a robot, and their total.

    Standard parameters, no wrench, no rotors: as in the paper's example. Step 10 is a projection, and free.
    """
    ledger = Ledger()
    torques = augmented_torques(tree(robot), ledger)
    rows = {**ledger.costs(expr(torque) for torque in torques.values()), "10": Operations()}
    return {**rows, "total": sum(rows.values(), Operations())}
