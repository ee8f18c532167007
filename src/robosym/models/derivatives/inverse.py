"""``inverse_dynamics_derivatives``: how the torques change with positions and speeds."""

from __future__ import annotations

from collections.abc import Sequence

from ...expr import Expr, expr
from ...generated import Model
from ...program import Array, Graph, Scope, optimised
from ...robot import Robot
from ...spatial.scalar import Scalar
from .. import limits
from ..closing import closing
from ..common import graph_of, model
from ..dynamic.coefficients.inertia_matrix import projected
from ..dynamic.inverse.inverse_dynamics import algorithms, torque_graph
from ..inertial_parameters.sets import Parameters, robot_in
from ..request import truths
from ..tree.bodies import Tree, tree
from ..tree.friction import FrictionKind, friction_asked
from ..tree.moving import Kind
from ..tree.regrouping import regrouped
from ..tree.rotors import RotorInertia, rotors_asked, with_spinning_rotors
from ..tree.state import Wrenches, state_inputs, zero_unless_given
from . import directions
from .coordinates import in_coordinates
from .entries import derivatives

NAME = "inverse-dynamics-derivatives"


@closing
def inverse_dynamics_derivatives(
    robot: Robot,
    *,
    parameters: Parameters = "standard",
    friction: FrictionKind = False,
    rotor_inertia: RotorInertia = True,
    wrench: Wrenches = "terminal",
    kind: Kind = "spatial",
    values: bool = False,
) -> Model:
    """dtau_dq and dtau_dqd (nv x nv), the derivatives of the torques of ``inverse_dynamics`` for given q, qd, qdd, and the wrenches
    of the links on the environment, which stay as they are in the links' axes. d tau / d qdd is the inertia matrix.

    Of a free base the columns are by a small motion of it, linear then angular in its own axes, and by its speeds there. ``values``
    adds the outputs tau and A. The other options are those of ``inverse_dynamics``. Friction that jumps has its slope beside the jump.
    """
    friction_asked(robot, friction)
    rotors_asked(robot, rotor_inertia)
    truths(robot, values=values)
    used = robot_in(robot, parameters, rotor_inertia)
    bodies = tree(used, wrench).accelerating(used, kind)
    bodies = regrouped(with_spinning_rotors(used, bodies, rotor_inertia))
    rotor = bool(rotor_inertia)
    graphs = [_recursive(used, bodies, friction, rotor, wrench, values)]
    if _is_short(bodies):
        graphs += [
            _differentiated(
                bodies, torque_graph(used, bodies, one, friction=friction, rotor=rotor, wrench=wrench), values
            )
            for one in algorithms(robot, "auto", bodies)[:1]
        ]
    options = {
        "friction": friction,
        "rotor_inertia": rotor_inertia,
        "wrench": wrench,
        "values": values,
        **bodies.kind_of_base,
    }
    optional = zero_unless_given(used, wrench)
    return model(used, NAME, optimised(*graphs), options, parameters, optional, described=robot)


def _is_short(bodies: Tree) -> bool:
    """Whether forward mode of the inverse dynamic model may be shorter: of few coordinates, or joints that follow others."""
    few = bodies.coordinates.nv <= limits.FEW_DIFFERENTIATED
    return few or (not bodies.free_links and bodies.coordinates.nv <= limits.MOST_DIFFERENTIATED)


def _recursive(robot: Robot, bodies: Tree, friction: FrictionKind, rotor: bool, wrench: str, values: bool) -> Graph:
    """By the recursion of ``entries.py``."""
    scope = Scope()
    found = derivatives(bodies, scope)
    own = in_coordinates(bodies, found, friction, rotor)
    outputs = [matrix("dtau_dq", own.by_position), matrix("dtau_dqd", own.by_speed)]
    if values:
        outputs.append(Array("tau", (len(own.torques),), tuple(map(expr, own.torques))))
        outputs.append(Array("A", outputs[0].shape, projected(bodies, found.inertia, rotor)))
    return graph_of(robot, NAME, state_inputs(robot, ("q", "qd", "qdd"), wrench), outputs, scope.names)


def matrix(name: str, rows: Sequence[Sequence[Scalar]]) -> Array:
    return Array(name, (len(rows), len(rows)), tuple(expr(x) for row in rows for x in row))


def _differentiated(bodies: Tree, graph: Graph, values: bool) -> Graph:
    """By forward mode of the inverse dynamic model, one coordinate after the other."""
    own, (tau, *others) = bodies.coordinates, graph.outputs
    positions = [own.along(place) for place in range(own.nv)]
    outputs = [
        by_columns("dtau_dq", directions.columns(tau.entries, positions)),
        by_columns("dtau_dqd", directions.columns(tau.entries, [directions.by_symbol(x) for x in own.qd])),
    ]
    if values:
        outputs += [tau, by_columns("A", directions.columns(tau.entries, [directions.by_symbol(x) for x in own.qdd]))]
    return Graph(graph.name.replace("inverse-dynamics", NAME), graph.inputs, (*outputs, *others), graph.names)


def by_columns(name: str, found: Sequence[Sequence[Expr]]) -> Array:
    return matrix(name, [list(row) for row in zip(*found, strict=True)])
