"""How the links move: velocities and accelerations in their own frames, from the base outwards.

Equation numbers are those of SYMORO+ 1997, with A the rotation from frame i, the antecedent, into frame j and a_j = z:

    (6a)  w_i in frame j = A w_i                (8)   wd_j = A wd_i + [qdd a_j + w_i x qd a_j]       [] revolute joints
    (6b)  w_j = w_i + [qd a_j]                  (9)   U_j = skew(wd_j) + skew(w_j)^2
                                                (10)  vd_j = A (vd_i + U_i P_j) + {qdd a_j + 2 w_i x qd a_j}  {} prismatic

By default the third column of U comes by rotation, which costs less than the papers' way (derived here): a point on the
axis of a revolute joint j moves with both links, so U_j z = A U_i a_j, which replaces rotating wd and adding w x qd z.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

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
class BeforeTurn:
    """Angular velocity w and u = U z of a link in the axes before its last turn, and the angle of that turn about z."""

    w: Vector
    u: Vector
    angle: Scalar

    @property
    def rotation(self) -> Rotation:
        return (Turn("z", self.angle),)


@dataclass(frozen=True)
class Motion:
    """How a link moves, in its own frame: angular velocity and acceleration, U by columns, acceleration of the origin
    with gravity subtracted."""

    w: Vector
    wd: Vector
    U: Columns
    vd: Vector
    before: BeforeTurn  # for a successor on a parallel axis


def base_motion(tree: Tree) -> Motion:
    w, wd = tree.angular_velocity, tree.angular_acceleration
    vd: Vector = tuple(a - g for a, g in zip(tree.acceleration, tree.gravity, strict=True))
    U = acceleration_matrix(w, wd)
    return Motion(w, wd, U, vd, BeforeTurn(w, U[2], 0))


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


def motions(tree: Tree, scope: Scope, recursion: Recursion = Recursion()) -> dict[int, Motion]:
    """The motion of every link, from the base outwards."""
    found = {0: base_motion(tree)}
    for body in tree.bodies:
        found[body.j] = next_motion(tree, body, found[body.parent], scope, recursion)
    return found


def next_motion(tree: Tree, body: Body, i: Motion, scope: Scope, recursion: Recursion) -> Motion:
    """The motion of link j from that of its antecedent i: equations (6) and (8) to (10)."""
    start = _before_last_turn(body, i, scope, recursion)
    w_i = scope.vector("WI", body.j, into(start.rotation, start.w))  # (6a)
    carried = _carried_acceleration(body, i, scope)  # (10), the term A (vd_i + U_i P_j) without the shift along z_j
    if body.prismatic:
        w = w_i  # (6b)
        wd, U = _shifted_motion(body, i, scope)  # (8), (9)
        end = start
    else:
        w = (w_i[0], w_i[1], scope.scalar("W", body.j, w_i[2] + body.speed, 3))  # (6b)
        if recursion.classical:
            wd, U = _classical_motion(body, i.wd, w_i, w, scope)  # (8), (9)
        else:
            u = into(start.rotation, start.u)
            wd, U = motion_from_axis(w, u, _axial_wd(body, i.wd), scope, body.j, needs_first_column(tree, body))
        end = replace(start, w=(start.w[0], start.w[1], w[2]))
    return Motion(w, wd, U, _origin_acceleration(body, carried, w, U, scope), end)


# --- (6a): the angular velocity of the antecedent, in the axes of the link -----------------------------------------------


def _before_last_turn(body: Body, i: Motion, scope: Scope, recursion: Recursion) -> BeforeTurn:
    """w_i and U_i a_j in the axes from which one turn about z leads to frame j.

    Where the axis of joint j is parallel to that of its antecedent, both joints turn about the same z: the vectors are
    taken from before the antecedent's turn, and the two angles are added.
    """
    parallel = len(body.rotation) == 1 and body.rotation[0].axis == "z" and not body.prismatic
    if parallel and recursion.add_angles:
        return replace(i.before, angle=i.before.angle + body.rotation[0].angle)
    lead = body.rotation_before
    w = scope.vector("WA", body.j, into(lead, i.w))
    u = scope.vector("UA", body.j, into(lead, apply(i.U, body.axis)))
    return BeforeTurn(w, u, body.turn)


# --- (8), (9): the angular acceleration, and U ---------------------------------------------------------------------------


def _shifted_motion(body: Body, i: Motion, scope: Scope) -> tuple[Vector, Columns]:
    """wd and U of a link on a prismatic joint: those of its antecedent, in other axes."""
    wd = scope.vector("WP", body.j, into(body.rotation, i.wd))  # (8)
    return wd, scope_columns(scope, body.j, turned_matrix(body.rotation, i.U))  # (9)


def _classical_motion(body: Body, wd_i: Vector, w_i: Vector, w: Vector, scope: Scope) -> tuple[Vector, Columns]:
    """wd and U of a link on a revolute joint, as the papers have them."""
    wd = scope.vector("WP", body.j, classical_wd(body, wd_i, w_i))  # (8)
    return wd, scope_columns(scope, body.j, acceleration_matrix(w, wd))  # (9)


def classical_wd(body: Body, wd_i: Vector, w_i: Vector) -> Vector:
    """A wd_i + qdd a_j + w_i x qd a_j, equation (8)."""
    x, y, z = into(body.rotation, wd_i)
    return (x + w_i[1] * body.speed, y - w_i[0] * body.speed, z + body.acceleration)


def _axial_wd(body: Body, wd_i: Vector) -> Scalar:
    """The component of equation (8) along the axis of a revolute joint."""
    return into(body.rotation_before, wd_i)[2] + body.acceleration


def motion_from_axis(
    w: Vector, u: Vector, axial: Scalar, scope: Scope, j: int, first_column: bool
) -> tuple[Vector, Columns]:
    """wd and U of a link on a revolute joint from u = U z and the component of wd along z (derived here).

    Equation (9) read backwards gives the other two: wd1 = w2 w3 - U23 and wd2 = U13 - w1 w3. On the diagonal
    U33 = -(w1^2 + w2^2) is known, so that two squares are enough; where U11 is not needed, w1^2 and w3^2 give U22 more
    directly.
    """
    x, y, z = w
    u13, u23, u33 = (scope.scalar("U", j, v, row, 3) for row, v in enumerate(u, 1))
    xy, xz, yz = (scope.scalar("DV", j, v, *k) for k, v in (((1, 2), x * y), ((1, 3), x * z), ((2, 3), y * z)))
    yy, zz = scope.scalar("DV", j, y * y, 2, 2), scope.scalar("DV", j, z * z, 3, 3)
    wd3 = scope.scalar("WP", j, axial, 3)  # (8)
    wd1, wd2 = scope.scalar("WP", j, yz - u23, 1), scope.scalar("WP", j, u13 - xz, 2)  # from the third column of (9)
    u11 = scope.scalar("U", j, -(yy + zz), 1, 1)
    # Not a step of its own, so that U33 - U22 is free in the first case.
    u22 = u33 + scope.scalar("DD", j, yy - zz) if first_column else -(scope.scalar("DV", j, x * x, 1, 1) + zz)
    u21, u12 = scope.scalar("U", j, xy + wd3, 2, 1), scope.scalar("U", j, xy - wd3, 1, 2)  # (9)
    u31, u32 = scope.scalar("U", j, xz - wd2, 3, 1), scope.scalar("U", j, yz + wd1, 3, 2)  # (9)
    return (wd1, wd2, wd3), ((u11, u21, u31), (u12, u22, u32), (u13, u23, u33))


def needs_first_column(tree: Tree, body: Body) -> bool:
    """Whether anything multiplies U11: a first moment, a lever arm or a product of inertia."""
    _, xy, xz, _, _, _ = body.inertia.sigma
    arms = [child.arm[0] for child in tree.children(body.j)]
    return any(not is_zero(x) for x in (body.inertia.moment[0], xy, xz, *arms))


def turned_matrix(rotation: Rotation, U: Columns) -> Columns:
    """R^T U R."""
    rows = [into(rotation, tuple(column[k] for column in U)) for k in range(3)]
    columns = [into(rotation, tuple(row[k] for row in rows)) for k in range(3)]
    return (columns[0], columns[1], columns[2])


def scope_columns(scope: Scope, j: int, U: Columns) -> Columns:
    named = [tuple(scope.scalar("U", j, U[c - 1][r - 1], r, c) for r in (1, 2, 3)) for c in (1, 2, 3)]
    return (named[0], named[1], named[2])


# --- (10): the acceleration of the origin --------------------------------------------------------------------------------
#
# The position P_j is the arm, fixed in link i, and a shift r along the axis of joint j, which is made in frame j: there
# A U_i (r a_j) = r U_j z is one product with a column of U_j (derived here).


def _carried_acceleration(body: Body, i: Motion, scope: Scope) -> Vector:
    """A (vd_i + U_i arm): the term of equation (10) that the antecedent brings."""
    return into(body.rotation, scope.vector("VSP", body.j, plus(i.vd, apply(i.U, body.arm))))


def _origin_acceleration(body: Body, carried: Vector, w: Vector, U: Columns, scope: Scope) -> Vector:
    """The other terms of equation (10): the joint's own where it is prismatic, and the shift along its axis."""
    vd = carried
    if body.prismatic:  # qdd a_j + 2 w_i x qd a_j, with w_j = w_i
        vd = plus(vd, (2 * (w[1] * body.speed), -(2 * (w[0] * body.speed)), body.acceleration))
    return scope.vector("VP", body.j, plus(vd, times(body.slide, U[2])))
