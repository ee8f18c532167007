"""Derivatives of the inverse dynamics: torques by positions and velocities."""

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
    """Derivatives of the inverse dynamics by positions and velocities.

    The wrenches are constant in the axes of their frames. Friction that jumps has the slope beside the jump.

    Parameters
    ----------
    robot
        Robot.
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Both sets give the same torques.
    friction
        Joint friction of the description: False (excluded), True (included) or "smooth" (its smooth variant). "smooth"
        replaces the sign of the velocity by a hyperbolic tangent. It requires a width in the description of every joint
        whose friction jumps.
    rotor_inertia
        Rotor inertias of the motors: False (excluded), True (included) or "gyroscopic" (with gyroscopic torques).
        "gyroscopic" adds the torques of rotors that moving links carry along, and requires motor axes in the
        description.
    wrench
        Links that exert a wrench on the environment: "terminal", "all", "none" or a list of frames by name. Each is a
        row of the input ``wrench`` (k, 6), zero by default. A row is force [N], then moment [N m], in the axes of the
        frame at its origin. "terminal" are the last links of the kinematic chains, "all" every moving link. A listed
        frame can be fixed to a moving link.
    kind
        Floating base only: its linear acceleration is "spatial" (rate of the twist) or "classical" (of its origin).
        Robots without a floating base ignore it.
    values
        Differentiated quantities as additional outputs. They are the torques ``tau`` and the inertia matrix ``A``, the
        derivative by ``qdd``.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. This model treats a parallel robot as
        closed loops, whose assembly modes have names of their own.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration).
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``.
    coordinates
        Parallel robots only: coordinates of the model, "platform" (its pose) or "motors" (actuator positions). None is
        "motors", the only choice for this model.

    Returns
    -------
    Model
        Inputs ``q``, ``qd``, ``qdd`` and ``wrench``. Outputs:

        - ``dtau_dq`` (nv, nv): derivatives of the torques by positions.
        - ``dtau_dqd`` (nv, nv): derivatives of the torques by velocities.

        With a floating base the first six columns by position are small motions of the base, linear, then angular, in
        its own axes. Closed-loop and parallel robots: status ``assembled`` is 1 where the state is possible, else 0 and
        the values are NaN. Loops closed by iteration add the input ``start`` and the status ``passive`` and
        ``residual``.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    asked = Request(parameters, friction, rotor_inertia, wrench, kind).prepare(resolved).regrouped
    graphs = [] if asked.bodies.coordinates.placed else [_recursive(asked, values)]
    if not graphs or _is_short(asked.bodies):
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
