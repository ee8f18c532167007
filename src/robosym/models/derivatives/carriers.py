"""How the links that carry the joints move, each in the axes of the joint it carries.

The axes of joint j are those before its own turn, with z along it, fixed in the link i that carries it; its foot is the point of
link i where the arm from the origin of frame i meets the axis. There everything beyond the joint moves as one body with link i, plus
what it does relative to it: w, wd, U = skew(wd) + skew(w)^2 and vd of the carrier are all that the torque of joint j needs of the
motion of the antecedents.

A link whose joints are all parallel to its own is worked in the axes of its own joint, and never turned: U there is that of its
carrier plus

    dU = [ -d -qdd 0 ; qdd -d 0 ; 2 qd w1  2 qd w2  0 ],    d = qd (2 w3 + qd).

Other links are worked in their own frames, where the third column of U comes by rotation (``tree/motion.py``).
"""

from __future__ import annotations

from dataclasses import dataclass

from ...program import Scope
from ...spatial.rotations import Rotation, Turn, back, into
from ...spatial.scalar import Scalar, cos, is_zero, sin
from ...spatial.vectors import Columns, Vector, apply, plus, times
from ..tree.bodies import Body, Tree
from ..tree.composite import parallel
from ..tree.motion import acceleration_matrix, base_motion, motion_from_axis, needs_first_column, turned_matrix


@dataclass(frozen=True)
class Place:
    """Where a joint lies on its carrier, and how its link is worked."""

    body: Body
    lead: Rotation  # from the axes in which the carrier is worked to those of the joint
    arm: Vector  # from the origin of the carrier to the foot, in the axes in which it is worked
    turn: Rotation  # from the axes of the joint to those in which its link is worked
    left: Scalar  # the angle about z from there to the link's own frame


@dataclass(frozen=True)
class Moving:
    """Angular velocity and acceleration of a link, U by columns, acceleration of a point of it with gravity subtracted."""

    w: Vector
    wd: Vector
    U: Columns
    vd: Vector

    @property
    def twice(self) -> Vector:
        """2 w."""
        return times(2, self.w)


def places(tree: Tree) -> dict[int, Place]:
    """Where every joint lies."""
    found: dict[int, Place] = {}
    for body in tree.bodies:
        left: Scalar = found[body.parent].left if body.parent else 0
        angle = left + body.turn
        stays = not body.prismatic and all(parallel(body, child) for child in tree.children(body.j))
        turn = () if stays or is_zero(angle) else (Turn("z", angle),)
        arm = body.arm if is_zero(left) else back((Turn("z", left),), body.arm)
        found[body.j] = Place(body, body.rotation_before, arm, turn, angle if stays else 0)
    return found


# --- from the base outwards --------------------------------------------------------------------------------------------


def carriers(tree: Tree, where: dict[int, Place], scope: Scope) -> tuple[dict[int, Moving], dict[int, Moving]]:
    """The motion of every carrier at the foot of its joint, in the joint's axes; and of every link at its origin, as it is worked."""
    base = base_motion(tree)
    links = {0: Moving(base.w, base.wd, base.U, base.vd)}
    found: dict[int, Moving] = {}
    for body in tree.bodies:
        own = where[body.j]
        found[body.j] = _at_foot(own, links[body.parent], scope)
        if tree.children(body.j):
            links[body.j] = _beyond(tree, own, found[body.j], scope)
    return found, links


def _at_foot(own: Place, i: Moving, scope: Scope) -> Moving:
    j, lead = own.body.j, own.lead
    w, wd = scope.vector("WA", j, into(lead, i.w)), scope.vector("WPA", j, into(lead, i.wd))
    U = turned_matrix(lead, i.U) if _right_angled(lead) else acceleration_matrix(w, wd)
    vd = scope.vector("VPA", j, into(lead, scope.vector("VSP", j, plus(i.vd, apply(i.U, own.arm)))))
    return Moving(w, wd, _named("UA", j, U, scope), vd)


def _right_angled(rotation: Rotation) -> bool:
    return all(is_zero(cos(turn.angle) * sin(turn.angle)) for turn in rotation)


def _named(stem: str, j: int, U: Columns, scope: Scope) -> Columns:
    """The entries as steps, by columns."""
    return tuple(tuple(scope.scalar(stem, j, x, r, c) for r, x in enumerate(u, 1)) for c, u in enumerate(U, 1))  # type: ignore[return-value]


def _beyond(tree: Tree, own: Place, a: Moving, scope: Scope) -> Moving:
    """Link j, at the origin of its frame."""
    body = own.body
    j, qd, qdd = body.j, body.speed, body.acceleration
    vd = plus(a.vd, times(body.slide, a.U[2]))
    if body.prismatic:
        vd = plus(vd, (2 * (qd * a.w[1]), -(2 * (qd * a.w[0])), qdd))
        w, wd, U = into(own.turn, a.w), into(own.turn, a.wd), turned_matrix(own.turn, a.U)
        w, wd = scope.vector("W", j, w), scope.vector("WP", j, wd)
        return Moving(w, wd, _named("U", j, U, scope), scope.vector("VP", j, into(own.turn, vd)))
    if not is_zero(own.left):
        return _unturned(own, a, scope.vector("VPG", j, vd), scope)
    x, y, z = into(own.turn, a.w)
    w = scope.vector("W", j, (x, y, z + qd))
    wd, U = motion_from_axis(w, into(own.turn, a.U[2]), a.wd[2] + qdd, scope, j, needs_first_column(tree, body))
    return Moving(w, wd, U, scope.vector("VP", j, into(own.turn, vd)))


def _unturned(own: Place, a: Moving, vd: Vector, scope: Scope) -> Moving:
    """The link in the axes of its joint."""
    j, qd, qdd = own.body.j, own.body.speed, own.body.acceleration
    w1, w2, w3 = a.w
    (u11, u21, u31), (u12, u22, u32), u = a.U
    twice = scope.scalar("QD2", j, 2 * qd)
    d = scope.scalar("DE", j, qd * (2 * w3 + qd))
    U = ((u11 - d, u21 + qdd, u31 + twice * w1), (u12 - qdd, u22 - d, u32 + twice * w2), u)
    w = scope.vector("WG", j, (w1, w2, w3 + qd))
    wd = scope.vector("WPG", j, (a.wd[0] + qd * w2, a.wd[1] - qd * w1, a.wd[2] + qdd))
    return Moving(w, wd, _named("UG", j, U, scope), vd)
