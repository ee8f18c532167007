"""How the links move: velocities and accelerations in their own frames, from the base outwards (SYMORO+ 1997, 6 to 10).

The third column of U = skew(wd) + skew(w)^2 comes by rotation, which costs less than the papers' way: a point on the axis
of joint j moves with both links, so U_j z = R^T U_i (R z), which replaces rotating wd and adding w x qd z.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...program import Scope
from ...spatial import symmetric
from ...spatial.rotations import Rotation, Turn, into
from ...spatial.scalar import Scalar, is_zero
from ...spatial.symmetric import Symmetric
from ...spatial.vectors import Columns, Vector, apply, plus, times
from .bodies import Body, Tree


@dataclass(frozen=True)
class Recursion:
    """How the Newton-Euler recursion is written: every choice gives the same torques, at another cost."""

    classical: bool = False  # the papers' equations (8), (9), (16)
    add_angles: bool = True  # over parallel axes, turn once by the sum of the angles
    add_angles_back: bool = True  # the same for the moments handed back


@dataclass(frozen=True)
class Motion:
    """How a link moves, in its own frame: angular velocity and acceleration, U by columns, acceleration of the origin
    with gravity subtracted."""

    w: Vector
    wd: Vector
    U: Columns
    vd: Vector
    # The same before the last turn about z, for a successor on a parallel axis: w and U z, and the angle.
    before: tuple[Vector, Vector]
    turn: Scalar


def base_motion(tree: Tree) -> Motion:
    w, wd = tree.angular_velocity, tree.angular_acceleration
    vd: Vector = tuple(a - g for a, g in zip(tree.acceleration, tree.gravity, strict=True))
    U = acceleration_matrix(w, wd)
    return Motion(w, wd, U, vd, (w, U[2]), 0)


def acceleration_matrix(w: Vector, wd: Vector) -> Columns:
    """U = skew(wd) + skew(w) skew(w), by columns (equation 9)."""
    return matrix_from_products(symmetric.product(w, w), wd)


def matrix_from_products(products: Symmetric, wd: Vector) -> Columns:
    """U from wd and the products of the components of w."""
    xx, xy, xz, yy, yz, zz = products
    return (
        (-(yy + zz), xy + wd[2], xz - wd[1]),
        (xy - wd[2], -(xx + zz), yz + wd[0]),
        (xz + wd[1], yz - wd[0], -(xx + yy)),
    )


# --- from the base outwards --------------------------------------------------------------------------------------------


def motions(tree: Tree, scope: Scope, form: Recursion = Recursion()) -> dict[int, Motion]:
    """The motion of every link, from the base outwards."""
    found = {0: base_motion(tree)}
    for body in tree.bodies:
        found[body.j] = next_motion(tree, body, found[body.parent], scope, form)
    return found


def next_motion(tree: Tree, body: Body, i: Motion, scope: Scope, form: Recursion) -> Motion:
    """Equations (6), (8) to (10), or the same with the third column of U by rotation."""
    j = body.j
    only_turn = len(body.rotation) == 1 and body.rotation[0].axis == "z" and not body.prismatic
    if only_turn and form.add_angles:  # a parallel axis: start before the antecedent's own turn
        turn = i.turn + body.rotation[0].angle
        before_w, before_u = i.before
    else:
        lead, turn = body.rotation_before, body.turn
        before_w = scope.vector("WA", j, into(lead, i.w))
        before_u = scope.vector("UA", j, into(lead, apply(i.U, body.axis)))
    last: Rotation = (Turn("z", turn),)
    w_i = scope.vector("WI", j, into(last, before_w))
    vd = into(body.rotation, scope.vector("VSP", j, plus(i.vd, apply(i.U, body.arm))))
    if body.prismatic:
        w, wd = w_i, scope.vector("WP", j, into(body.rotation, i.wd))
        U = _turned_matrix(body.rotation, i.U, scope, j)
        slide = (2 * (w[1] * body.speed), -(2 * (w[0] * body.speed)), body.acceleration)
        vd = plus(vd, slide)
        after_w = before_w
    else:
        w = (w_i[0], w_i[1], scope.scalar("W", j, w_i[2] + body.speed, 3))
        after_w = (before_w[0], before_w[1], w[2])
        spin = _axial(body, i.wd) + body.acceleration
        if form.classical:
            wd = classical_wd(body, i.wd, w_i)
            wd = scope.vector("WP", j, wd)
            U = scope_columns(scope, j, acceleration_matrix(w, wd))
        else:
            U, wd = _matrix_from_axis(w, into(last, before_u), spin, scope, j, needs_first_column(tree, body))
    vd = plus(vd, times(body.slide, U[2]))  # R^T U_i (r a) = r U_j z
    return Motion(w, wd, U, scope.vector("VP", j, vd), (after_w, before_u), turn)


def classical_wd(body: Body, wd_i: Vector, w_i: Vector) -> Vector:
    """Equation (8)."""
    x, y, z = into(body.rotation, wd_i)
    return (x + w_i[1] * body.speed, y - w_i[0] * body.speed, z + body.acceleration)


def _matrix_from_axis(
    w: Vector, u: Vector, spin: Scalar, scope: Scope, j: int, first_column: bool
) -> tuple[Columns, Vector]:
    """U and wd of a link from U z (by rotation) and the third component of wd.

    wd1 = w2 w3 - U23, wd2 = U13 - w1 w3; on the diagonal U33 = -(w1^2 + w2^2) is known, so that two squares do; where U11
    is not needed, w1^2 and w3^2 give U22 more directly.
    """
    x, y, z = w
    u13, u23, u33 = (scope.scalar("U", j, v, row, 3) for row, v in enumerate(u, 1))
    xy, xz, yz = (scope.scalar("DV", j, v, *k) for k, v in (((1, 2), x * y), ((1, 3), x * z), ((2, 3), y * z)))
    yy, zz = scope.scalar("DV", j, y * y, 2, 2), scope.scalar("DV", j, z * z, 3, 3)
    wd3 = scope.scalar("WP", j, spin, 3)
    wd1, wd2 = scope.scalar("WP", j, yz - u23, 1), scope.scalar("WP", j, u13 - xz, 2)
    u11 = scope.scalar("U", j, -(yy + zz), 1, 1)
    # Not a step of its own, so that U33 - U22 is free in the first case.
    u22 = u33 + scope.scalar("DD", j, yy - zz) if first_column else -(scope.scalar("DV", j, x * x, 1, 1) + zz)
    u21, u12 = scope.scalar("U", j, xy + wd3, 2, 1), scope.scalar("U", j, xy - wd3, 1, 2)
    u31, u32 = scope.scalar("U", j, xz - wd2, 3, 1), scope.scalar("U", j, yz + wd1, 3, 2)
    return ((u11, u21, u31), (u12, u22, u32), (u13, u23, u33)), (wd1, wd2, wd3)


def needs_first_column(tree: Tree, body: Body) -> bool:
    """Whether anything multiplies U11: a first moment, a lever arm or a product of inertia."""
    _, xy, xz, _, _, _ = body.inertia.sigma
    arms = [child.arm[0] for child in tree.children(body.j)]
    return any(not is_zero(x) for x in (body.inertia.moment[0], xy, xz, *arms))


def _turned_matrix(rotation: Rotation, U: Columns, scope: Scope, j: int) -> Columns:
    """R^T U R, for the constant rotation of a prismatic joint."""
    rows = [into(rotation, tuple(column[k] for column in U)) for k in range(3)]
    columns = [into(rotation, tuple(row[k] for row in rows)) for k in range(3)]
    return scope_columns(scope, j, (columns[0], columns[1], columns[2]))


def scope_columns(scope: Scope, j: int, U: Columns) -> Columns:
    named = [tuple(scope.scalar("U", j, U[c - 1][r - 1], r, c) for r in (1, 2, 3)) for c in (1, 2, 3)]
    return (named[0], named[1], named[2])


def _axial(body: Body, a: Vector) -> Scalar:
    """The component of a vector of the antecedent frame along the joint's axis."""
    return into(body.rotation_before, a)[2]
