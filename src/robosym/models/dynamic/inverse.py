"""The inverse dynamic model: torques from positions, velocities and accelerations."""

from __future__ import annotations

from ...expr import Expr, expr, number, sign
from ...program import Array, Graph, Scope, lower
from ...robot import Robot
from .bodies import Tree, state_inputs, tree
from .newton_euler import Form, motions, torques
from .regroup import regrouped


def torque_graph(robot: Robot, prepared: Tree, form: Form, *, friction: bool, rotor: bool, wrench: str) -> Graph:
    """Gamma of every independent joint (equation 20); a dependent joint's torque adds to its master's."""
    scope = Scope()
    found = torques(prepared, motions(prepared, scope, form), scope, form)
    total: list[Expr] = [number(0)] * prepared.n
    for body in prepared.bodies:
        gamma = expr(found[body.j][1])
        if rotor:
            gamma = gamma + body.rotor * body.acceleration
        if friction:
            gamma = gamma + body.viscous * body.speed + body.coulomb * sign(body.speed)
        total[body.coordinate] = total[body.coordinate] + body.ratio * gamma
    inputs = state_inputs(robot, ("q", "qd", "qdd"), wrench)
    return Graph(f"{robot.name}_inverse_dynamics", inputs, (Array("tau", (prepared.n,), tuple(total)),), scope.names)
