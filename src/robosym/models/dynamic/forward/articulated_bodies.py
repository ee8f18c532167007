"""Forward dynamics without the inertia matrix: articulated bodies (Featherstone 1983; Khalil 2010, section 3.3.2).

Equation numbers are those of Khalil 2010. The paper carries what velocities add to the accelerations, gamma (34), through
all passes. Here the Newton-Euler recursion first runs without joint accelerations, with gravity and the motion of the base,
and gives every link the wrench p = J vd - beta that it would take (33, 35). What the joint accelerations add is then linear:
in the passes that follow gamma and the acceleration of the base are zero, and p stands for -beta. With the axis a of joint j,
X the transpose of jTi, and U = J* a:

    (36)  H = a.U + Ia                          (39)  p_i += X alpha
    (37)  K = J* - U U^T / H                    (40)  J*_i += X K X^T
    (38)  alpha = p + U (tau - a.p) / H         (41)  qdd = (tau - a.p) / H - (U / H).(X^T vd_i)
                                                (43)  vd_j = X^T vd_i + a qdd

tau is the torque less friction (44). J* is the inertia of the link with all it carries on free joints; the cost grows
linearly with the joints. A joint whose acceleration is given, not its torque, hands back J* and p as they are (75, 76), and its
torque is a.(p + J* vd_j) (79, 82).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ....program import Scope
from ....robot import Robot
from ....spatial import symmetric
from ....spatial.rotations import into
from ....spatial.scalar import Scalar, is_zero
from ....spatial.screws import Motion as Step
from ....spatial.screws import shift_of, turn_of
from ....spatial.vectors import ZERO, Vector, cross, plus
from ....spatial.wrenches import Wrench, added, shifted, turned_back
from ...tree.bodies import Body, Tree, path
from ...tree.coordinates import BASE_AXES, Axis
from ...tree.motion import Recursion, motions
from ...tree.two_axis_links import taken_out
from ...tree.wrenches import link_wrench
from .articulated_inertia import Articulated, from_rows, moved_back, named, rigid
from .factorised import solved
from .pivots import Pivots

Path = Sequence[Step]
Accelerations = tuple[Vector, Vector]  # angular, and of the origin


def paths(robot: Robot, tree: Tree) -> dict[int, list[Step]]:
    """The screws from the frame of each body's antecedent to its own, through the fixed frames between."""
    return {body.j: path(robot, body.j) for body in tree.bodies}


def accelerations(
    tree: Tree,
    ways: Mapping[int, Path],
    drive: Sequence[Scalar],
    scope: Scope,
    pivots: Pivots,
) -> list[Scalar]:
    """qdd from the torques ``drive`` (friction taken off already, equation 44). ``tree`` has no joint accelerations."""
    axes = tree.coordinates.owners
    found = hybrid(tree, ways, dict(zip(axes, drive, strict=True)), scope, pivots)
    return [found[axis] for axis in axes]


def hybrid(
    tree: Tree, ways: Mapping[int, Path], drive: Mapping[Axis, Scalar], scope: Scope, pivots: Pivots
) -> dict[Axis, Scalar]:
    """The accelerations of the axes whose torques ``drive`` gives, and the torques of all others, which accelerate as
    ``tree`` says; those do not in it. The axes of a free base are all of one kind."""
    others, extra = taken_out(tree, scope)
    wrenches = _link_wrenches(others, scope)
    tau = {body.j: drive[body.j] - extra.get(body.j, 0) for body in tree.bodies if body.j in drive}
    passed, inertia, wrench = _backward(tree, ways, tau, wrenches, scope, pivots)
    base: Accelerations = (ZERO, ZERO)
    found: dict[Axis, Scalar] = {}
    if tree.free and BASE_AXES[0] in drive:
        base = _base_accelerations([drive[axis] for axis in BASE_AXES], inertia, wrench, scope, pivots)
        found |= zip(BASE_AXES, (*base[1], *base[0]), strict=True)
    elif tree.free:
        found |= zip(BASE_AXES, (*wrench[0], *wrench[1]), strict=True)
    found |= _forward(tree, ways, passed, base, scope)
    return {axis: x if axis in drive else x + extra.get(axis, 0) for axis, x in found.items()}


# --- first forward pass: motion without joint accelerations, and the wrenches of the links -----------------------------


def _link_wrenches(tree: Tree, scope: Scope) -> dict[int, Wrench]:
    """p of every link: the equations (18) to (23), (26) and (27) with qdd = 0."""
    recursion = Recursion()
    moving = motions(tree, scope, recursion)
    return {body.j: link_wrench(body, moving[body.j], scope, recursion) for body in (tree.base_body, *tree.bodies)}


# --- backward pass: articulated inertia, pivot, and the wrench handed back ---------------------------------------------


@dataclass(frozen=True)
class AxisInertia:
    """The articulated inertia about one joint's axis. Of six components the moments are first."""

    at: int  # the component along the axis
    U: Sequence[Scalar]  # J* a
    inverse: Scalar  # 1 / H
    gain: tuple[Scalar, ...]  # U / H


@dataclass(frozen=True)
class Freed:
    """What the second forward pass needs of a joint: qdd = rest - gain . (wd, vd); of one whose acceleration is given, the
    torque rest - gain . (wd, vd)."""

    rest: Scalar
    gain: tuple[Scalar, ...]
    accelerates: bool = True  # by what is found


def _backward(
    tree: Tree,
    ways: Mapping[int, Path],
    tau: Mapping[int, Scalar],
    wrenches: Mapping[int, Wrench],
    scope: Scope,
    pivots: Pivots,
) -> tuple[dict[int, Freed], Articulated, Wrench]:
    """Equations (36) to (40), from the tips to the base; and the articulated inertia of the base, with its wrench."""
    inertia = {body.j: rigid(body.inertia) for body in (tree.base_body, *tree.bodies)}  # J* = J
    wrench = dict(wrenches)  # beta* = beta
    freed: dict[int, Freed] = {}
    for body in reversed(tree.bodies):
        j, i = body.j, body.parent
        own = named(scope, "", j, inertia[j])
        if j in tau:
            axis = _axis_inertia(body, own, scope, pivots)  # (36)
            rest, alpha = _wrench_left(body, axis, wrench[j], tau[j], scope)  # (38)
            K = named(scope, "P", j, _inertia_left(body, axis, own))  # (37)
            freed[j] = Freed(rest, axis.gain)
        else:
            K, alpha = own, _named_wrench(body, wrench[j], scope)  # (75), (76)
            at = 5 if body.prismatic else 2
            freed[j] = Freed([*alpha[1], *alpha[0]][at], tuple(-u for u in own.rows[at]), False)
        if i or tree.free:
            inertia[i] = inertia[i] + moved_back(ways[j], K, scope, j)  # (40)
            wrench[i] = added(wrench[i], _wrench_back(ways[j], alpha, scope, j))  # (39)
    return freed, inertia[0], wrench[0]


def _axis_inertia(body: Body, own: Articulated, scope: Scope, pivots: Pivots) -> AxisInertia:
    """H = a.U + Ia, the pivot, and U / H (36)."""
    j, at = body.j, 5 if body.prismatic else 2
    U = own.rows[at]
    H = scope.scalar("DA", j, U[at] + body.rotor)
    inverse = scope.scalar("IDA", j, pivots.reciprocal(j, H))
    return AxisInertia(at, U, inverse, scope.vector("G", j, [u * inverse for u in U]))


def _inertia_left(body: Body, axis: AxisInertia, own: Articulated) -> Articulated:
    """K = J* - U U^T / H (37): what the antecedent feels through the free joint.

    The row of the axis is U - U (a.U) / H = Ia U / H: zero without a rotor.
    """
    rows, U, gain = own.rows, axis.U, axis.gain
    K = [[rows[r][c] - U[max(r, c)] * gain[min(r, c)] for c in range(6)] for r in range(6)]
    for r in range(6):
        K[r][axis.at] = K[axis.at][r] = body.rotor * gain[r]
    return from_rows(K)


def _wrench_left(body: Body, axis: AxisInertia, wrench: Wrench, tau: Scalar, scope: Scope) -> tuple[Scalar, Wrench]:
    """(tau - a.p) / H, and alpha = p + U (tau - a.p) / H (38). Along the axis alpha is tau - Ia (tau - a.p) / H."""
    j, at = body.j, axis.at
    force, moment = _named_wrench(body, wrench, scope)
    p = [*moment, *force]
    rest = scope.scalar("X", j, axis.inverse * scope.scalar("B", j, tau - p[at]))
    alpha = [a + u * rest for a, u in zip(p, axis.U, strict=True)]
    alpha[at] = tau - body.rotor * rest
    return rest, (scope.vector("EA", j, alpha[3:]), scope.vector("NA", j, alpha[:3]))


def _named_wrench(body: Body, wrench: Wrench, scope: Scope) -> Wrench:
    return scope.vector("E", body.j, wrench[0]), scope.vector("N", body.j, wrench[1])


# --- a free base -------------------------------------------------------------------------------------------------------


def _base_accelerations(
    tau: Sequence[Scalar], inertia: Articulated, wrench: Wrench, scope: Scope, pivots: Pivots
) -> Accelerations:
    """J*_0 vd_0 = tau - p_0 (Khalil 2010, section 7.3), linear rows first as in qd."""
    own = named(scope, "", 0, inertia)
    J, C, M = (symmetric.columns(own.J), own.C, symmetric.columns(own.M))
    rows: list[Sequence[Scalar]] = [*M, *((*C[r], *J[r]) for r in range(3))]
    A = {k: {i: row[i] for i in range(k + 1) if not is_zero(row[i])} for k, row in enumerate(rows)}
    left = [scope.scalar("B", axis, t - p) for axis, t, p in zip(BASE_AXES, tau, (*wrench[0], *wrench[1]), strict=True)]
    x = solved(A, left, BASE_AXES, scope, pivots)
    return (x[3], x[4], x[5]), (x[0], x[1], x[2])


# --- second forward pass: joint accelerations --------------------------------------------------------------------------


def _forward(
    tree: Tree, ways: Mapping[int, Path], freed: Mapping[int, Freed], base: Accelerations, scope: Scope
) -> dict[Axis, Scalar]:
    """Equations (41) and (43), joint by joint from the base outwards, with the accelerations added to each link; or (79) and
    (82) for the torque of a joint that accelerates as it is told."""
    found: dict[int, Accelerations] = {0: base}
    made: dict[Axis, Scalar] = {}
    for body in tree.bodies:
        j = body.j
        wd, vd = _into_link(ways[j], found[body.parent], scope, j)
        rest = freed[j].rest
        for gain, x in zip(freed[j].gain, (*wd, *vd), strict=True):
            rest = rest - gain * x
        made[j] = scope.scalar("qdd" if freed[j].accelerates else "GAM", j, rest)  # (41), (82)
        if not freed[j].accelerates:
            pass
        elif body.prismatic:
            vd = (vd[0], vd[1], scope.scalar("VC", j, vd[2] + made[j], 3))  # (43)
        else:
            wd = (wd[0], wd[1], scope.scalar("WC", j, wd[2] + made[j], 3))  # (43)
        found[j] = (wd, vd)
    return made


# --- from frame to frame, screw by screw -----------------------------------------------------------------------------
#
# What still has screws to go has a T in its name for each of them: FDIT is one screw before FDI.


def _into_link(path: Path, a: Accelerations, scope: Scope, j: int) -> Accelerations:
    """X^T a: accelerations of the antecedent, at the origin and in the axes of link j."""
    wd, vd = a
    for left, screw in zip(reversed(range(len(path))), path, strict=True):
        wd, vd = _into(screw, wd, vd)
        wd, vd = scope.vector("WB" + "T" * left, j, wd), scope.vector("VB" + "T" * left, j, vd)
    return wd, vd


def _into(screw: Step, wd: Vector, vd: Vector) -> Accelerations:
    """The same after one screw: R^T wd, R^T (vd + wd x P)."""
    turn, shift = turn_of(screw), shift_of(screw)
    return into(turn, wd), into(turn, plus(vd, cross(wd, shift)))


def _wrench_back(path: Path, load: Wrench, scope: Scope, j: int) -> Wrench:
    """X alpha, screw by screw: a shift along an axis then meets two components of the force only."""
    for left, screw in reversed(list(enumerate(path))):
        force, moment = turned_back(turn_of(screw), load)
        force = scope.vector("FDI" + "T" * left, j, force)
        force, moment = shifted((force, moment), shift_of(screw))
        load = force, scope.vector("NDI" + "T" * left, j, moment)
    return load
