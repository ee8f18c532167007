"""Links that only two revolute axes move, in closed form.

The kinetic energy of such a link is 1/2 I11 qd1^2 + I12 qd1 qd2 + 1/2 I22 qd2^2, where I11 and I12 are short trigonometric
polynomials of the second angle whose coefficients are found off-line; Lagrange's equation then gives

    Gamma1 = I11 qdd1 + I12 qdd2 + I11' qd1 qd2 + I12' qd2^2,    Gamma2 = I12 qdd1 + I22 qdd2 - 1/2 I11' qd1^2,

which costs less than carrying the link through the recursion (derived here). Gravity acts on the first moments as before.
MZ and M of the link must be zero, as they are in a regrouped tree.
"""

from __future__ import annotations

from dataclasses import replace

from ...program import Scope
from ...spatial.inertia import Inertia
from ...spatial.rotations import into
from ...spatial.scalar import Scalar, cos, is_zero, sin
from ...spatial.vectors import Vector, cross, dot
from .bodies import Body, Tree
from .coordinates import Axis


def taken_out(tree: Tree, scope: Scope) -> tuple[Tree, dict[Axis, Scalar]]:
    """The tree with these links emptied, for the recursion over the others, and what they add to the torques."""
    links = {body.j for body in two_axis_links(tree)}
    bodies = tuple(replace(b, inertia=Inertia()) if b.j in links else b for b in tree.bodies)
    return replace(tree, bodies=bodies), two_axis_torques(tree, scope)


def two_axis_links(tree: Tree) -> list[Body]:
    """The bodies two revolute joints away from a base that does not turn, where the closed form pays: those with products
    of inertia."""
    if not tree.fixed_base:
        return []
    first = {body.j for body in tree.bodies if body.parent == 0 and not body.prismatic}
    second = [body for body in tree.bodies if body.parent in first and not body.prismatic]
    regrouped = [body for body in second if is_zero(body.inertia.mass) and is_zero(body.inertia.moment[2])]
    return [body for body in regrouped if any(not is_zero(body.inertia.sigma[k]) for k in (1, 2, 4))]


def two_axis_torques(tree: Tree, scope: Scope) -> dict[Axis, Scalar]:
    """What these links add to the torque of every joint."""
    total: dict[Axis, Scalar] = {}
    for body in two_axis_links(tree):
        first = tree.body(body.parent)
        gamma1, gamma2 = _inertial(first, body, scope)
        gravity1, gravity2 = _gravity(tree, first, body, scope)
        total[first.j] = total.get(first.j, 0) + gamma1 + gravity1
        total[body.j] = total.get(body.j, 0) + gamma2 + gravity2
    return total


def _inertial(first: Body, body: Body, scope: Scope) -> tuple[Scalar, Scalar]:
    """Torques of the two joints. Notation: the first axis in frame 2 is (c lx + s ly, c ly - s lx, e); the velocity of the
    origin for qd1 = 1 is (c bx + s by, c by - s bx, bz)."""
    j = body.j
    (lx, ly, e) = into(body.rotation_before, (0, 0, 1))
    px, py, _ = body.position
    bx, by, bz = into(body.rotation_before, (-py, px, 0))
    xx, xy, xz, yy, yz, zz = body.inertia.matrix
    mx, my, _ = body.inertia.moment
    c, s = cos(body.turn), sin(body.turn)
    # I12 = A J z + B . (z x MS): linear in c and s
    p, r = xz * lx + yz * ly - my * bx + mx * by, xz * ly - yz * lx - my * by - mx * bx
    i12 = scope.scalar("I", j, p * c + r * s + zz * e, 1, 2)
    i12_slope = scope.scalar("DI", j, r * c - p * s, 1, 2)
    # I11 = A J A + 2 B . (A x MS)
    lc = 2 * (e * (xz * lx + yz * ly) + e * (mx * by - my * bx) + bz * (my * lx - mx * ly))
    ls = 2 * (e * (xz * ly - yz * lx) - e * (mx * bx + my * by) + bz * (my * ly + mx * lx))
    u, v, h = (lx * lx - ly * ly) / 2, lx * ly, (lx * lx + ly * ly) / 2
    kc, ks = u * (xx - yy) + 2 * v * xy, v * (xx - yy) - 2 * u * xy
    k0 = h * (xx + yy) + e * e * zz
    c2, s2 = cos(2 * body.turn), sin(2 * body.turn)
    i11 = scope.scalar("I", j, k0 + kc * c2 + ks * s2 + lc * c + ls * s, 1, 1)
    half_slope = scope.scalar("DI", j, ks * c2 - kc * s2 + (ls * c - lc * s) / 2, 1, 1)
    twist = scope.scalar("DX", j, half_slope * first.speed)
    # Lagrange's equation, as above
    gamma1 = i11 * first.acceleration + i12 * body.acceleration + twist * (2 * body.speed) + i12_slope * body.speed**2
    gamma2 = i12 * first.acceleration + zz * body.acceleration - twist * first.speed
    return gamma1, gamma2


def _gravity(tree: Tree, first: Body, body: Body, scope: Scope) -> tuple[Scalar, Scalar]:
    """MS x (a0 - g) about the two axes."""
    lift: Vector = tuple(a - g for a, g in zip(tree.acceleration, tree.gravity, strict=True))
    on_first = into(first.rotation, lift)
    on_body = scope.vector("GP", body.j, into(body.rotation, on_first))
    moment = cross(body.inertia.moment, on_body)
    if is_zero(on_first[0]) and is_zero(on_first[1]):  # gravity along the first axis does no work about it
        return 0, moment[2]
    return dot(into(body.rotation, (0, 0, 1)), moment), moment[2]
