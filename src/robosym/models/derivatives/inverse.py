"""``inverse_dynamics_derivatives``: how the torques change with positions and speeds."""

from __future__ import annotations

from collections.abc import Sequence

from ...expr import Expr
from ...generated import Model
from ...generated.checks import DIFFERENCES, MOVING, Check, beside
from ...generated.declaration import declare
from ...generated.documentation.arrays import inertia, slopes
from ...generated.documentation.units import POSITION, SPEED
from ...program import Array, Graph, Scope
from ...robot import Robot
from .. import limits
from ..common import graph_of, matrix, vector
from ..dynamic.inverse.inverse_dynamics import algorithms, torque_graph
from ..dynamic.request import Prepared, Request
from ..inertial_parameters.sets import Parameters
from ..request import truths
from ..resolve import Near, OfPlatform, Structure, resolve
from ..tree.bodies import Tree
from ..tree.friction import FrictionKind
from ..tree.inertia_entries import projected
from ..tree.moving import Kind
from ..tree.rotors import RotorInertia
from ..tree.state import Wrenches, state_inputs
from . import directions
from .coordinates import in_coordinates
from .entries import derivatives

NAME = "inverse-dynamics-derivatives"


@declare(
    title="Derivatives of the inverse dynamics",
    family="dynamic",
    rank=170,
    inputs="q, qd, qdd, wrench?",
    outputs="dtau_dq, dtau_dqd",
    about="Derivatives of the torques of inverse dynamics; wrenches stay as they are in the axes of their frames",
    arrays={"dtau_dq": slopes("tau", POSITION), "dtau_dqd": slopes("tau", SPEED), "A": inertia},
    gravity=True,
    checks=[
        Check(
            lambda task: task.torque_slopes,
            MOVING,
            value=beside("dtau_dq", "dtau_dqd"),
            note="finite differences",
            tolerance=DIFFERENCES,
            floating_base=False,
        )
    ],
)
def inverse_dynamics_derivatives(
    robot: Robot,
    *,
    parameters: Parameters = "standard",
    friction: FrictionKind = False,
    rotor_inertia: RotorInertia = True,
    wrench: Wrenches = "terminal",
    kind: Kind = "spatial",
    values: bool = False,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """dtau_dq and dtau_dqd (nv x nv), the derivatives of the torques of ``inverse_dynamics`` for given q, qd, qdd, and the wrenches
    on the environment, which stay as they are in the axes of their frames. d tau / d qdd is the inertia matrix.

    Of a free base the columns are by a small motion of it, linear then angular in its own axes, and by its speeds there. ``values``
    adds the outputs tau and A. The other options are those of ``inverse_dynamics``. Friction that jumps has its slope beside the jump.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    truths(resolved.tree, values=values)
    asked = Request(parameters, friction, rotor_inertia, wrench, kind).prepare(resolved).regrouped
    graphs = [_recursive(asked, values)]
    if _is_short(asked.bodies):
        ways = algorithms(resolved.tree, "auto", asked.bodies)[:1]
        graphs += [_differentiated(asked.bodies, torque_graph(asked, one), values) for one in ways]
    return asked.model(NAME, *graphs, more={"values": values})


def _is_short(bodies: Tree) -> bool:
    """Whether forward mode of the inverse dynamic model may be shorter: of few coordinates, or joints that follow others."""
    few = bodies.coordinates.nv <= limits.FEW_DIFFERENTIATED
    return few or (not bodies.free_links and bodies.coordinates.nv <= limits.MOST_DIFFERENTIATED)


def _recursive(asked: Prepared, values: bool) -> Graph:
    """By the recursion of ``entries.py``."""
    bodies, scope = asked.bodies, Scope()
    found = derivatives(bodies, scope)
    own = in_coordinates(bodies, found, asked.friction)
    nv = bodies.coordinates.nv
    outputs = [matrix("dtau_dq", own.by_position, nv), matrix("dtau_dqd", own.by_speed, nv)]
    if values:
        outputs.append(vector("tau", own.torques))
        outputs.append(Array("A", outputs[0].shape, projected(bodies, found.inertia)))
    inputs = state_inputs(asked.robot, ("q", "qd", "qdd"), asked.wrench)
    return graph_of(asked.robot, NAME, inputs, outputs, scope.names)


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
    return matrix(name, list(zip(*found, strict=True)), len(found))
