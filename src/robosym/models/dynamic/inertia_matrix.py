"""The inertia matrix A from composite links (SYMORO+ 1997, equations 27 to 38).

Column j is the wrench that a unit acceleration of joint j takes from everything it carries, on the axes of the joints that
carry it. Joints on different branches share no entry.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...expr import Expr, expr, number
from ...generated import Model
from ...program import Array, Graph, Scope, optimised
from ...robot import Robot
from ...spatial.scalar import Scalar
from ..common import model
from ..state import state_inputs
from .axes import Chains, Wrench, Z, longest_chain
from .bodies import Body, Tree, tree
from .composite import Composite, composites, parallel
from .inverse import Parameters
from .regroup import regrouped
from .sets import robot_in
from .waiting import at_once

Entries = dict[tuple[int, int], Scalar]


@dataclass(frozen=True)
class Form:
    """How the composites and columns are written: every choice gives the same matrix, at another cost."""

    add_angles: bool = True  # over parallel axes, turn once by the sum of the angles
    meet: bool = True  # axes come to meet the columns where the origin changes, instead of columns going on to the base


# On longer chains there are more axes than columns to meet.
LONGEST_TO_MEET = 8


def forms(bodies: Tree) -> list[Form]:
    """The forms worth trying for a robot."""
    each = {body.j: body for body in bodies.bodies}
    sums = any(body.parent and parallel(each[body.parent], body) for body in bodies.bodies)
    meets = (True, False) if longest_chain(bodies) <= LONGEST_TO_MEET else (False,)
    return [Form(add_angles, meet) for add_angles in ((True, False) if sums else (False,)) for meet in meets]


def inertia_matrix(robot: Robot, parameters: Parameters = "standard", rotor_inertia: bool = True) -> Model:
    """A (n x n), symmetric, of the independent joints; ``rotor_inertia`` adds Ia on the diagonal."""
    used = robot_in(robot, parameters, rotor_inertia)
    bodies = regrouped(tree(used))
    graphs = [inertia_graph(used, bodies, form, rotor_inertia) for form in forms(bodies)]
    return model(used, "inertia-matrix", optimised(*graphs), {"rotor_inertia": rotor_inertia}, parameters)


def inertia_graph(robot: Robot, bodies: Tree, form: Form, rotor: bool) -> Graph:
    """The matrix in one of its forms."""
    scope = Scope()
    found = entries(composites(bodies, scope, form.add_angles), Chains(bodies, scope), form.meet)
    outputs = (Array("A", (bodies.n, bodies.n), projected(bodies, found, rotor)),)
    return Graph(f"{robot.name} inertia-matrix", state_inputs(robot, ("q",)), outputs, scope.names)


def entries(links: dict[int, Composite], chains: Chains, meet: bool) -> Entries:
    """A_ij for every joint j and the joints i that carry it, and A_jj without rotors; all others are zero."""
    found: Entries = {}
    for body in chains.tree.bodies:
        j, c = body.j, links[body.j]
        found[j, j] = c.mass if body.prismatic else c.axial
        for i, value in chains.powers(j, column(body, c), meet, f"{j}_").items():
            found[i, j] = value
    return found


def column(body: Body, c: Composite) -> Wrench:
    """What joint j takes for a unit acceleration: equations (31) and (32)."""
    if body.prismatic:
        return Wrench(at_once((0, 0, c.mass)), -c.moment.quarter)
    return Wrench(c.moment.quarter, at_once((0, 0, c.axial)) + -c.times(at_once(Z)).flat)


def projected(bodies: Tree, found: Entries, rotor: bool) -> tuple[Expr, ...]:
    """The entries of the independent joints, by rows: A = G^T A G with the ratios of dependent joints in G."""
    total = [[number(0)] * bodies.n for _ in range(bodies.n)]
    each = {body.j: body for body in bodies.bodies}
    for (i, j), value in found.items():
        a, b = each[i], each[j]
        if i == j and rotor:
            value = value + a.rotor
        value = expr(a.ratio * b.ratio * value)
        total[a.coordinate][b.coordinate] = total[a.coordinate][b.coordinate] + value
        if i != j:
            total[b.coordinate][a.coordinate] = total[b.coordinate][a.coordinate] + value
    return tuple(value for row in total for value in row)
