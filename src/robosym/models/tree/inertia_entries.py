"""Entries of the inertia matrix of a tree, from composite links (SYMORO+ 1997, equations 27 to 38).

Column j is the wrench that a unit acceleration of joint j takes from everything it carries, on the axes of the joints that
carry it. Joints on different branches share no entry.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...expr import Expr, expr, variable
from ...program import Scope, Unmarked
from ...program.choice import estimate
from ...spatial import vectors
from ...spatial.inertia import Inertia
from ...spatial.scalar import Scalar
from ...spatial.wrenches import shifted
from .. import limits
from .bodies import Tree
from .chains import Chains, Wrench, longest_chain
from .composite import Composite, composites, parallel, unit_wrench, whole_robot
from .coordinates import BASE_AXES, Axis
from .deferred import at_once
from .world import World, WorldRoute

Entries = dict[tuple[Axis, Axis], Scalar]


@dataclass(frozen=True)
class MatrixRoute:
    """How the composites and columns are written: every choice gives the same matrix, at another cost."""

    add_angles: bool = True  # over parallel axes, turn once by the sum of the angles
    meet: bool = True  # axes come to meet the columns where the origin changes, instead of columns going on to the base
    in_base: bool = False  # axes and columns are written in the base's axes, about its origin, where all of them meet


def forms(bodies: Tree) -> list[MatrixRoute]:
    """The routes worth trying for a robot."""
    each = {body.j: body for body in bodies.bodies}
    sums = any(body.parent and parallel(each[body.parent], body) for body in bodies.bodies)
    if bodies.free:  # the wrenches go to the base anyway
        ways = [(False, False), (False, True)]
    elif longest_chain(bodies) <= limits.LONGEST_TO_MEET:
        ways = [(True, False), (False, False)]
    else:
        carried, in_base = _estimates(bodies)
        ways = [(False, False)] if carried <= limits.CLEARLY * in_base else []
        ways += [(False, True)] if in_base <= limits.CLEARLY * carried else []
    return [MatrixRoute(add_angles, *way) for add_angles in ((True, False) if sums else (False,)) for way in ways]


def _estimates(bodies: Tree) -> tuple[int, int]:
    """About what it costs to carry all columns from joint to joint, and to multiply them in the base."""
    chains = Chains(bodies, Unmarked())
    force, moment = (at_once((variable(f"{x}1"), variable(f"{x}2"), variable(f"{x}3"))) for x in ("force", "moment"))
    carried = pairs = 0
    outside = dict.fromkeys(chains.bodies, 1)  # the bodies a body carries, itself among them
    for body in reversed(bodies.bodies):
        if body.parent:
            f, m = (chains.back(body, x, "", 0) for x in (force, moment))
            w = Wrench(f, m).shifted(body.position)
            carried += outside[body.j] * estimate(map(expr, (*w.force.vector, *w.moment.vector)))
            pairs += outside[body.j]
            outside[body.parent] += outside[body.j]
    return carried, limits.PRODUCT * pairs + limits.PLACING * len(bodies.bodies)


def entries_in(route: MatrixRoute, bodies: Tree, scope: Scope) -> Entries:
    """The entries by one route, on any scalars."""
    links = composites(bodies, scope, route.add_angles)
    own = base_entries(whole_robot(bodies, links, scope)) if bodies.free else {}
    if route.in_base:
        return own | entries_in_base(links, World(bodies, vectors.AXES, scope, WorldRoute(route.add_angles)))
    return own | entries(links, Chains(bodies, scope), route.meet)


def entries(links: dict[int, Composite], chains: Chains, meet: bool) -> Entries:
    """A_ij for every joint j and the joints i that carry it, and A_jj without rotors; all others are zero."""
    found: Entries = {}
    for body in chains.tree.bodies:
        j, c = body.j, links[body.j]
        found[j, j] = c.mass if body.prismatic else c.axial  # (35), without Ia
        w = unit_wrench(body, c)  # (31) to (34)
        found |= {(i, j): value for i, value in chains.powers(j, w, meet).items()}  # (36) to (38)
    return found


def base_entries(whole: Inertia) -> Entries:
    """Among the axes of a free base: the inertia of the whole robot, [M, -MS^; MS^, J]."""
    m, (x, y, z), (XX, XY, XZ, YY, YZ, ZZ) = whole.mass, whole.moment, whole.matrix
    rows = [[m], [0, m], [0, 0, m], [0, -z, y, XX], [z, 0, -x, XY, YY], [-y, x, 0, XZ, YZ, ZZ]]
    return {(BASE_AXES[a], BASE_AXES[b]): entry for a, row in enumerate(rows) for b, entry in enumerate(row)}


def entries_in_base(links: dict[int, Composite], world: World) -> Entries:
    """The same in the axes of frame 0: the power of the wrench of joint j about O_0 on the twist of joint i there.

    The powers are those of equation (38); that they may be taken in one frame for all joints is derived here.
    """
    found: Entries = {}
    for body in world.tree.bodies:
        j, c = body.j, links[body.j]
        found[j, j] = c.mass if body.prismatic else c.axial  # (35), without Ia
        carriers = world.chains.ancestors(j)
        if not (carriers or world.tree.free):
            continue
        w = unit_wrench(body, c)  # (31) to (34)
        F, N = (world.scope.vector(s, j, world.vector(j, x, s, j)) for s, x in (("F", w.force), ("N", w.moment)))
        N = world.scope.vector("M", j, shifted((F, N), world.origin(j))[1])
        for i in carriers:
            axis, velocity = world.axis(i)
            found[i, j] = vectors.dot(axis, N) + vectors.dot(velocity, F)  # (38)
        if world.tree.free:
            found |= {(axis, j): x for axis, x in zip(BASE_AXES, (*F, *N), strict=True)}
    return found


def projected(bodies: Tree, found: Entries) -> tuple[Expr, ...]:
    """The matrix of the coordinates by rows, with the rotors, from the entries of the joints."""
    rows = bodies.coordinates.full(with_rotors(bodies, found))
    return tuple(expr(value) for row in rows for value in row)


def with_rotors(bodies: Tree, found: Entries) -> Entries:
    """Ia of equation (35), and what the motors of coupled joints add between them."""
    total = found | {(body.j, body.j): found[body.j, body.j] + body.rotor for body in bodies.bodies}
    for (i, j), inertia in bodies.coupled:
        pair = (j, i) if (j, i) in total else (i, j)
        total[pair] = total.get(pair, 0) + inertia
    return total
