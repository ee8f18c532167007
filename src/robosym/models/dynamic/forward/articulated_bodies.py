"""Forward dynamics without the inertia matrix: articulated bodies (Featherstone 1983; Khalil 2010, section 3.3.2).

The Newton-Euler recursion first runs without joint accelerations and gives every link the wrench p it would take. What
the accelerations add is then linear: delta f = I delta a, where I is the articulated inertia of the link with all it
carries on free joints. Backwards, with S the axis of joint j, U = I S, D = S.U + Ia and u = Gamma - S.p,

    I_i += X (I - U U^T / D) X^T,    p_i += X (p + U u / D),

forwards qdd = (u - U.a) / D with a = X^T a_i, then a += S qdd. The cost grows linearly with the joints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ....program import Scope
from ....robot import Robot
from ....spatial import symmetric
from ....spatial.inertia import Inertia
from ....spatial.rotations import Turn, into
from ....spatial.scalar import Scalar, cos, is_zero, nearest, sin
from ....spatial.screws import Motion as Step
from ....spatial.screws import Screw
from ....spatial.symmetric import Symmetric
from ....spatial.vectors import ZERO, Vector, cross, plus, times
from ....spatial.wrenches import Wrench, added, shifted, turned_back
from ...tree.bodies import Body, Tree, path
from ...tree.motion import Recursion, motions
from ...tree.wrenches import link_wrench
from ..inverse.two_axis_links import taken_out
from .pivots import Pivots

Matrix = tuple[Vector, Vector, Vector]  # by rows
Path = Sequence[Step]


@dataclass(frozen=True)
class Articulated:
    """A 6 x 6 symmetric inertia in blocks: moment = J wd + C a, force = C^T wd + M a."""

    J: Symmetric
    C: Matrix
    M: Symmetric

    def __add__(self, other: Articulated) -> Articulated:
        C = tuple(plus(a, b) for a, b in zip(self.C, other.C, strict=True))
        return Articulated(symmetric.plus(self.J, other.J), C, symmetric.plus(self.M, other.M))  # type: ignore[arg-type]


def rigid(body: Inertia) -> Articulated:
    """C = skew(MS), M = mass times the identity."""
    x, y, z = body.moment
    m = body.mass
    J = tuple(nearest(x) for x in body.matrix)
    return Articulated(J, ((0, -z, y), (z, 0, -x), (-y, x, 0)), (m, 0, 0, m, 0, m))


def paths(robot: Robot, tree: Tree) -> dict[int, list[Step]]:
    """The screws from the frame of each body's antecedent to its own, through the fixed frames between."""
    return {body.j: path(robot, body.j) for body in tree.bodies}


# --- the recursion ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Freed:
    """What a joint leaves for the way out: qdd = rest - gain . (wd, a)."""

    rest: Scalar
    gain: tuple[Scalar, ...]


def accelerations(
    tree: Tree,
    ways: Mapping[int, Path],
    drive: Sequence[Scalar],
    scope: Scope,
    pivots: Pivots,
) -> list[Scalar]:
    """qdd from the torques ``drive`` (friction taken off already). ``tree`` has no joint accelerations."""
    recursion = Recursion()
    others, extra = taken_out(tree, scope)
    moving = motions(others, scope, recursion)
    wrench = {body.j: link_wrench(body, moving[body.j], scope, recursion) for body in others.bodies}
    inertia = {body.j: rigid(body.inertia) for body in tree.bodies}
    places = {axis: place for place, axis in enumerate(tree.coordinates.owners)}
    freed: dict[int, Freed] = {}
    for body in reversed(tree.bodies):
        j, i = body.j, body.parent
        own = _named(scope, "", j, inertia[j])
        torque = drive[places[j]] - extra.get(j, 0)
        freed[j], left, load = _free(body, own, wrench[j], torque, scope, pivots)
        if i:
            inertia[i] = inertia[i] + _moved_back(ways[j], left, scope, j)
            wrench[i] = added(wrench[i], _load_back(ways[j], load, scope, j))
    return _way_out(tree, ways, freed, scope)


def _free(
    body: Body, own: Articulated, wrench: Wrench, torque: Scalar, scope: Scope, pivots: Pivots
) -> tuple[Freed, Articulated, Wrench]:
    """Let the joint go: what its antecedent still feels of inertia and wrench.

    The joint's own row is Ia U / D (zero without a rotor), and the wrench along the joint is Gamma - Ia u / D.
    """
    j, at = body.j, 5 if body.prismatic else 2
    rows = _grid(own)
    U = rows[at]
    inverse = scope.scalar("IDA", j, pivots.reciprocal(j, scope.scalar("DA", j, U[at] + body.rotor)))
    gain = scope.vector("G", j, [u * inverse for u in U])
    left = [[rows[r][c] - U[max(r, c)] * gain[min(r, c)] for c in range(6)] for r in range(6)]
    for r in range(6):
        left[r][at] = left[at][r] = body.rotor * gain[r]
    force, moment = (scope.vector(stem, j, part) for stem, part in (("E", wrench[0]), ("N", wrench[1])))
    p = [*moment, *force]
    rest = scope.scalar("X", j, inverse * scope.scalar("B", j, torque - p[at]))
    p = [a + u * rest for a, u in zip(p, U, strict=True)]
    p[at] = torque - body.rotor * rest
    load = (scope.vector("EA", j, p[3:]), scope.vector("NA", j, p[:3]))
    return Freed(rest, gain), _named(scope, "P", j, _blocks(left)), load


def _way_out(tree: Tree, ways: Mapping[int, Path], freed: Mapping[int, Freed], scope: Scope) -> list[Scalar]:
    """qdd joint by joint, with the accelerations it adds to each link."""
    found: dict[int, tuple[Vector, Vector]] = {0: (ZERO, ZERO)}
    result: dict[int, Scalar] = {}
    for body in tree.bodies:
        j = body.j
        wd, a = found[body.parent]
        for left, screw in zip(reversed(range(len(ways[j]))), ways[j], strict=True):
            wd, a = _into(screw, wd, a)
            wd, a = scope.vector("WB" + "T" * left, j, wd), scope.vector("VB" + "T" * left, j, a)
        qdd = freed[j].rest
        for gain, x in zip(freed[j].gain, (*wd, *a), strict=True):
            qdd = qdd - gain * x
        qdd = result[j] = scope.scalar("qdd", j, qdd)
        if body.prismatic:
            a = (a[0], a[1], scope.scalar("VC", j, a[2] + qdd, 3))
        else:
            wd = (wd[0], wd[1], scope.scalar("WC", j, wd[2] + qdd, 3))
        found[j] = (wd, a)
    return [result[axis] for axis in tree.coordinates.owners if isinstance(axis, int)]


# --- from frame to frame, screw by screw -----------------------------------------------------------------------------
#
# What still has screws to go has a T in its name for each of them: FDIT is one screw before FDI.


def _into(screw: Step, wd: Vector, a: Vector) -> tuple[Vector, Vector]:
    """Accelerations of the antecedent, at the origin and in the axes after the screw."""
    assert isinstance(screw, Screw)
    shift = times(screw.shift, _axis(screw))
    turn = (Turn(screw.axis, screw.angle),)
    return into(turn, wd), into(turn, plus(a, cross(wd, shift)))


def _load_back(path: Path, load: Wrench, scope: Scope, j: int) -> Wrench:
    """Screw by screw: a shift along an axis then meets two components of the force only."""
    for left, screw in reversed(list(enumerate(path))):
        assert isinstance(screw, Screw)
        force, moment = turned_back((Turn(screw.axis, screw.angle),), load)
        force = scope.vector("FDI" + "T" * left, j, force)
        force, moment = shifted((force, moment), times(screw.shift, _axis(screw)))
        load = force, scope.vector("NDI" + "T" * left, j, moment)
    return load


def _axis(screw: Screw) -> Vector:
    return (1, 0, 0) if screw.axis == "x" else (0, 0, 1)


def _moved_back(path: Path, body: Articulated, scope: Scope, j: int) -> Articulated:
    """X I X^T: turned, then shifted, about and along one axis at a time."""
    for left, screw in reversed(list(enumerate(path))):
        assert isinstance(screw, Screw)
        turn = (Turn(screw.axis, screw.angle),)
        if not is_zero(screw.angle):
            turned = Articulated(
                symmetric.back(turn, body.J), _matrix_back(turn[0], body.C), symmetric.back(turn, body.M)
            )
            body = _named(scope, "T" + "T" * left, j, turned)
        if not is_zero(screw.shift):
            body = _named(scope, "S" + "T" * left, j, _shifted(screw, body))
    return body


def _matrix_back(turn: Turn, C: Matrix) -> Matrix:
    """R C R^T. In the plane of the turn, with k = s (a - d) + c (b + e) for [a b; e d]:

    a' = a - s k, d' = d + s k, b' = c k - e, e' = c k - b.
    """
    c, s = cos(turn.angle), sin(turn.angle)
    x, y, z = (2, 0, 1) if turn.axis == "z" else (0, 1, 2)  # the axis itself first, then the plane
    k = s * (C[y][y] - C[z][z]) + c * (C[y][z] + C[z][y])
    sk, ck = s * k, c * k
    new = [list(row) for row in C]
    new[y][y], new[z][z] = C[y][y] - sk, C[z][z] + sk
    new[y][z], new[z][y] = ck - C[z][y], ck - C[y][z]
    new[x][y], new[x][z] = c * C[x][y] - s * C[x][z], s * C[x][y] + c * C[x][z]
    new[y][x], new[z][x] = c * C[y][x] - s * C[z][x], s * C[y][x] + c * C[z][x]
    return tuple(tuple(row) for row in new)  # type: ignore[return-value]


def _shifted(screw: Screw, body: Articulated) -> Articulated:
    """About a point further back along an axis: C' = C + [P] M, J' = J - C [P] + [P] C'^T."""
    h = screw.shift
    x, y, z = (2, 0, 1) if screw.axis == "z" else (0, 1, 2)
    J, M = [list(row) for row in symmetric.columns(body.J)], symmetric.columns(body.M)
    C = [list(row) for row in body.C]
    new = [list(row) for row in body.C]
    for k in range(3):
        new[y][k] = C[y][k] - h * M[z][k]
        new[z][k] = C[z][k] + h * M[y][k]
    J[x][y] = J[y][x] = J[x][y] - h * C[x][z]
    J[x][z] = J[z][x] = J[x][z] + h * C[x][y]
    J[y][y] = J[y][y] - h * (C[y][z] + new[y][z])
    J[z][z] = J[z][z] + h * (C[z][y] + new[z][y])
    J[y][z] = J[z][y] = J[y][z] + h * (new[y][y] - C[z][z])
    return Articulated(symmetric.half(J), tuple(tuple(row) for row in new), body.M)  # type: ignore[arg-type]


# --- blocks ----------------------------------------------------------------------------------------------------------


def _named(scope: Scope, stage: str, j: int, body: Articulated) -> Articulated:
    C = scope.matrix(f"CA{stage}", j, body.C)
    return Articulated(scope.vector(f"JA{stage}", j, body.J), C, scope.vector(f"MA{stage}", j, body.M))  # type: ignore[arg-type]


def _grid(body: Articulated) -> list[list[Scalar]]:
    """All 36 entries, moments before forces."""
    J, C, M = symmetric.columns(body.J), body.C, symmetric.columns(body.M)
    return [[*J[r], *C[r]] for r in range(3)] + [[*(row[r] for row in C), *M[r]] for r in range(3)]


def _blocks(rows: Sequence[Sequence[Scalar]]) -> Articulated:
    upper, lower = rows[:3], rows[3:]
    C = tuple(tuple(row[3:]) for row in upper)
    return Articulated(symmetric.half(upper), C, symmetric.half([row[3:] for row in lower]))  # type: ignore[arg-type]
