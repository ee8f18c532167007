"""Forward dynamics through the inertia matrix: A qdd = Gamma - H, with A = L^T D L and the zeros of the tree kept.

A comes from composite bodies: what a joint carries moves as one rigid body, and the column of joint j is the wrench
that an acceleration of that joint alone takes, handed back to the base. Two joints on different branches share no
entry, and eliminating the tips first fills none in (Featherstone 2008, section 6.4). H is the Newton-Euler recursion
without accelerations, in the same scope, so that both share sines, cosines and whatever else they have in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...program import Scope
from ...spatial.inertia import Inertia, moved_back
from ...spatial.rotations import Rotation, Symmetric, Turn, back, symmetric_back
from ...spatial.scalar import Scalar, is_zero
from ...spatial.vectors import Vector, cross, plus
from .bodies import Body, Tree
from .newton_euler import Form, motions, torques
from .pivots import Pivots

Rows = dict[int, dict[int, Scalar]]  # the lower triangle, row by row, without its zeros

# --- composite bodies ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Composite:
    """A link and all it carries, as one rigid body in the link's frame.

    ``inertias`` holds the inertia matrix in parts, each still to be turned about z by its angle: over parallel axes the
    angles add up, and each part is turned once.
    """

    inertias: tuple[tuple[Scalar, Symmetric], ...]
    moment: Vector
    mass: Scalar


Moments = tuple[tuple[Scalar, Vector], ...]  # (angle, moment): turn by the angle to come to the frame


def composites(tree: Tree, scope: Scope) -> dict[int, Composite]:
    """From the tips to the base: every link with what its successors carry (composite links)."""
    found: dict[int, Composite] = {}
    handed: dict[int, list[tuple[Body, Composite]]] = {}
    for body in reversed(tree.bodies):
        j, own = body.j, body.inertia
        waiting: list[tuple[Scalar, Symmetric]] = []
        for child, carried in handed.pop(j, []):
            moment = scope.vector("MSI", child.j, back(child.rotation, carried.moment))
            own = own + moved_back(Inertia((0,) * 6, moment, carried.mass), (), child.position)
            lead, turn = split(child.rotation)
            if lead:
                own = own + _turned(child, lead, turn, carried, scope)
            else:
                waiting += [(turn + angle, sigma) for angle, sigma in carried.inertias]
        sigma: Symmetric = scope.vector("AS", j, own.sigma)
        moment = scope.vector("MS", j, own.moment)
        found[j] = Composite(((0, sigma), *waiting), moment, own.mass)
        handed.setdefault(body.parent, []).append((body, found[j]))
    return found


def _turned(child: Body, lead: Rotation, turn: Scalar, carried: Composite, scope: Scope) -> Inertia:
    total = Inertia()
    for angle, sigma in carried.inertias:
        total = total + Inertia(symmetric_back((*lead, Turn("z", turn + angle)), sigma))
    return Inertia(scope.vector("ASI", child.j, total.sigma))


def split(rotation: Rotation) -> tuple[Rotation, Scalar]:
    """The rotation as what comes before its last turn about z, and the angle of that turn."""
    if rotation and rotation[-1].axis == "z":
        return rotation[:-1], rotation[-1].angle
    return rotation, 0


def inertia_entries(tree: Tree, scope: Scope) -> Rows:
    """The lower triangle of A over the independent joints; a dependent joint's row and column add to its master's."""
    rows: Rows = {k: {} for k in range(tree.n)}
    bodies = {body.j: body for body in tree.bodies}
    for body, composite in ((bodies[j], c) for j, c in composites(tree, scope).items()):
        force, moments = _column(body, composite)
        at: Body | None = body
        while at is not None:
            entry = force[2] if at.prismatic else sum((m[2] for _, m in moments), 0)
            entry = scope.step(f"A{at.j}_{body.j}", entry + body.rotor if at is body else entry)
            _enter(rows, body, at, entry)
            if at.parent:
                force, moments = _handed(at, force, moments, scope, body.j)
            at = bodies.get(at.parent)
    return rows


def carried_inertias(tree: Tree, scope: Scope) -> list[Scalar]:
    """The size of each diagonal entry of A, from the inertia every joint carries by itself."""
    total: list[Scalar] = [0] * tree.n
    bodies = {body.j: body for body in tree.bodies}
    for j, composite in composites(tree, scope).items():
        body = bodies[j]
        force, moments = _column(body, composite)
        own = force[2] if body.prismatic else sum((m[2] for _, m in moments), 0)
        total[body.coordinate] = total[body.coordinate] + body.ratio * body.ratio * (own + body.rotor)
    return total


def _enter(rows: Rows, body: Body, at: Body, entry: Scalar) -> None:
    """An entry of the bodies' own inertia matrix, in the row and column of their independent joints."""
    row, column = max(body.coordinate, at.coordinate), min(body.coordinate, at.coordinate)
    twice = 2 if row == column and body is not at else 1
    value = twice * (body.ratio * at.ratio) * entry
    if not is_zero(value):
        rows[row][column] = rows[row].get(column, 0) + value


def _column(body: Body, composite: Composite) -> tuple[Vector, Moments]:
    """The force and moment that accelerate the composite body along its joint with unit acceleration."""
    mx, my, _ = composite.moment
    if body.prismatic:
        return (0, 0, composite.mass), ((0, (my, -mx, 0)),)
    moments = tuple((angle, (-s[2], -s[4], s[0] + s[3])) for angle, s in composite.inertias)
    return (-my, mx, 0), moments


def _handed(at: Body, force: Vector, moments: Moments, scope: Scope, column: int) -> tuple[Vector, Moments]:
    """The wrench in the antecedent's frame. Over parallel axes the moment's turns wait and add up."""
    lead, turn = split(at.rotation)
    force = scope.vector(f"E{column}_", at.j, back(at.rotation, force))
    moment = cross(at.position, force)
    if not lead:
        parts = tuple((turn + angle, part) for angle, part in moments)
        return force, ((0, scope.vector(f"N{column}_", at.j, moment)), *parts)
    for angle, part in moments:
        moment = plus(moment, back((*lead, Turn("z", turn + angle)), part))
    return force, ((0, scope.vector(f"N{column}_", at.j, moment)),)


# --- bias, factors, solution -----------------------------------------------------------------------------------------


def bias(tree: Tree, scope: Scope, form: Form) -> list[Scalar]:
    """H: the torques that keep the joints from accelerating. ``tree`` has no joint accelerations."""
    found = torques(tree, motions(tree, scope, form), scope, form)
    total: list[Scalar] = [0] * tree.n
    for body in tree.bodies:
        total[body.coordinate] = total[body.coordinate] + body.ratio * found[body.j][1]
    return total


def accelerations(tree: Tree, drive: Sequence[Scalar], scope: Scope, form: Form, pivots: Pivots) -> list[Scalar]:
    """qdd of the independent joints from the torques ``drive`` (friction taken off already)."""
    A = inertia_entries(tree, scope)
    H = bias(tree, scope, form)
    numbers = {body.coordinate: body.j for body in reversed(tree.bodies)}
    rest = [scope.step(f"B{numbers[k]}", g - h) for k, (g, h) in enumerate(zip(drive, H, strict=True))]
    return solved(A, rest, numbers, scope, pivots)


def solved(A: Rows, b: Sequence[Scalar], numbers: dict[int, int], scope: Scope, pivots: Pivots) -> list[Scalar]:
    """x with A x = b, by A = L^T D L from the last row up; ``numbers`` names the rows by frame.

    Row k of L is A_ki / D_k; what stays for the rows before it is A_ij - L_ki A_kj, only where both are not zero.
    """
    A = {k: dict(row) for k, row in A.items()}
    x = list(b)
    L: Rows = {}
    inverse: dict[int, Scalar] = {}
    for k in reversed(range(len(x))):
        j, row = numbers[k], A[k]
        inverse[k] = scope.step(f"IDA{j}", pivots.reciprocal(j, scope.step(f"DA{j}", row.pop(k, 0))))
        row = {i: scope.step(f"A{j}_{numbers[i]}", entry) for i, entry in row.items()}
        L[k] = {i: scope.step(f"L{j}_{numbers[i]}", entry * inverse[k]) for i, entry in row.items()}
        for i, factor in L[k].items():
            for m, entry in row.items():
                if m <= i:
                    A[i][m] = A[i].get(m, 0) - factor * entry
            x[i] = x[i] - factor * x[k]
        x[k] = scope.step(f"X{j}", x[k])
    for k in range(len(x)):
        total = x[k] * inverse[k]
        for i, factor in L[k].items():
            total = total - factor * x[i]
        x[k] = scope.step(f"qdd{numbers[k]}", total)
    return x
