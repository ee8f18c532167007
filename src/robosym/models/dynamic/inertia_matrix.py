"""The inertia matrix A from composite links (SYMORO+ 1997, equations 27 to 38)."""

from __future__ import annotations

from dataclasses import dataclass

from ...expr import Expr, expr, number
from ...generated import Model
from ...program import Array, Graph, Scope, optimised
from ...robot import Robot
from ...spatial.scalar import Scalar, is_zero
from ..common import model
from .axes import Chain, Wrench
from .bodies import Body, Tree, state_inputs, tree
from .composite import Composite, composites
from .inverse import Parameters
from .regroup import regrouped
from .sets import robot_in
from .waiting import Waiting, at_once


@dataclass(frozen=True)
class Form:
    """How the composites and columns are written: every choice gives the same matrix, at another cost."""

    add_angles: bool = True
    meet: bool = True


FORMS = (Form(), Form(meet=False), Form(add_angles=False), Form(False, False))


def inertia_matrix(robot: Robot, parameters: Parameters = "standard", rotor_inertia: bool = True) -> Model:
    used = robot_in(robot, parameters)
    bodies = regrouped(tree(used))
    graphs = [inertia_graph(used, bodies, form, rotor_inertia) for form in FORMS]
    return model(used, "inertia-matrix", optimised(*graphs), {"rotor_inertia": rotor_inertia}, parameters)


def inertia_graph(robot: Robot, bodies: Tree, form: Form, rotor: bool) -> Graph:
    scope = Scope()
    found = entries(bodies, scope, form)
    outputs = (Array("A", (bodies.n, bodies.n), projected(bodies, found, rotor)),)
    return Graph(f"{robot.name}_inertia_matrix", state_inputs(robot, ("q",)), outputs, scope.names)


def entries(bodies: Tree, scope: Scope, form: Form = Form()) -> dict[tuple[int, int], Scalar]:
    chain = Chain(bodies, scope, stops(bodies) if form.meet else frozenset())
    found: dict[tuple[int, int], Scalar] = {}
    links = composites(bodies, scope, form.add_angles)
    for body in bodies.bodies:
        wrench = column(body, links[body.j])
        found[body.j, body.j] = links[body.j].mass if body.prismatic else links[body.j].axial
        for i, value in chain.powers(body.j, wrench, f"{body.j}_").items():
            found[i, body.j] = value
    return found


def column(body: Body, c: Composite) -> Wrench:
    """Equations (31) and (32)."""
    if body.prismatic:
        return Wrench(at_once((0, 0, c.mass)), c.moment.each(lambda v: (v[1], -v[0], 0)))
    moment = c.products.each(lambda v: (-v[0], -v[1], 0)) + at_once((0, 0, c.axial))
    return Wrench(c.moment.each(lambda v: (-v[1], v[0], 0)), moment)


def stops(bodies: Tree) -> frozenset[int]:
    """The bodies whose origin is not that of their antecedent."""
    return frozenset(b.j for b in bodies.bodies if not all(is_zero(x) for x in b.position))


def projected(bodies: Tree, found: dict[tuple[int, int], Scalar], rotor: bool) -> tuple[Expr, ...]:
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


__all__ = ["Waiting", "inertia_matrix"]
