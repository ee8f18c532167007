"""Derivatives of the forward dynamics: accelerations by positions, velocities and torques.

With tau = ID(q, qd, qdd) in every state, dqdd/dq = -A^-1 dID/dq at the accelerations that the torques cause, dqdd/dqd = -A^-1 dID/dqd
and dqdd/dtau = A^-1 (Carpentier and Mansard 2018). All follow from the derivatives of the inverse dynamics and one factorisation of A.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...expr import Expr, expr
from ...generated import Model
from ...generated.checks import DIFFERENCES, PUSHED, Check, beside
from ...generated.declaration import declare
from ...generated.documentation.arrays import slopes
from ...generated.documentation.units import FORCE, POSITION, SPEED
from ...program import Array, Program, Scope, optimised
from ...program.routine import Routine
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from .. import limits
from ..common import graph_of, matrix
from ..dynamic.forward import factorised as forward_factorised
from ..dynamic.forward.forward_dynamics import losses
from ..dynamic.forward.pivots import MasslessJointError, Pivots, massless, require_inertia
from ..dynamic.request import Request
from ..inertial_parameters.sets import Parameters
from ..resolve import Near, OfPlatform, Resolved, Structure, resolve
from ..tree.bodies import Tree, halves
from ..tree.coordinates import BASE_AXES
from ..tree.friction import FrictionKind
from ..tree.moving import Kind
from ..tree.rotors import RotorInertia
from ..tree.state import Wrenches, state_inputs
from . import directions
from .by_columns import routine
from .coordinates import InCoordinates, by_forward_mode, in_coordinates
from .entries import derivatives
from .inverse import by_columns
from .solving import Factors, factorised

NAME = "forward-dynamics-derivatives"
BY_Q, BY_QD, BY_TAU = "dqdd_dq", "dqdd_dqd", "dqdd_dtau"


@declare(
    title="Derivatives of the direct dynamics",
    family="dynamic",
    rank=180,
    inputs="q, qd, tau, wrench?",
    outputs="dqdd_dq, dqdd_dqd, dqdd_dtau",
    about="Derivatives of the accelerations of forward dynamics; wrenches stay as they are in the axes of their frames",
    arrays={
        "dqdd_dq": slopes("qdd", POSITION),
        "dqdd_dqd": slopes("qdd", SPEED),
        "dqdd_dtau": slopes("qdd", FORCE),
    },
    available=lambda robot: not robot.flexible,  # linearised has them, by the state of the motors too
    gravity=True,
    rotors=True,
    checks=[
        Check(
            lambda task: task.acceleration_slopes,
            PUSHED,
            value=beside("dqdd_dq", "dqdd_dqd", "dqdd_dtau"),
            note="finite differences",
            tolerance=DIFFERENCES,
            floating_base=False,
        )
    ],
)
def forward_dynamics_derivatives(
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
    """Derivatives of the forward dynamics by positions, velocities and torques.

    The wrenches are constant in the axes of their frames. Friction that jumps has the slope beside the jump. A joint
    that moves no inertia raises ``RobotError``. So do flexible joints: their accelerations depend on the motors too,
    and ``linearised`` has all derivatives.

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
        Differentiated quantities as additional outputs. They are the accelerations ``qdd``.
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
        Inputs ``q``, ``qd``, ``tau`` and ``wrench``. Outputs:

        - ``dqdd_dq`` (nv, nv): derivatives of the accelerations by positions.
        - ``dqdd_dqd`` (nv, nv): derivatives by velocities.
        - ``dqdd_dtau`` (nv, nv): derivatives by torques, the inverse of the inertia matrix.

        With a floating base the first six columns by position are small motions of the base, linear, then angular, in
        its own axes. Closed-loop and parallel robots: status ``assembled`` is 1 where the state is possible, else 0 and
        the values are NaN. Loops closed by iteration add the input ``start`` and the status ``passive`` and
        ``residual``.

    Notes
    -----
    ``dqdd/dq = -A^-1 dID/dq`` and ``dqdd/dqd = -A^-1 dID/dqd``, with ID the inverse dynamics at these accelerations.
    Carpentier and Mansard 2018.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    if robot.flexible:
        names = ", ".join(robot.frame(j).joint.name for j in robot.flexible)
        problem = f"{names}: flexible joints, whose accelerations depend on the motors too: use linearised"
        raise RobotError([Problem("joints", problem)], robot.name)
    return _model(resolved, Request(parameters, friction, rotor_inertia, wrench, kind), values)


def written_out(robot: Robot, parameters: Parameters, friction: FrictionKind, wrench: Wrenches) -> Model:
    """The same with qdd, in one straight line however large the robot is: for models that go on from there."""
    return _model(resolve(robot), Request(parameters, friction, True, wrench, "spatial"), values=True, in_loops=False)


def _model(resolved: Resolved, request: Request, values: bool, in_loops: bool = True) -> Model:
    asked = request.prepare(resolved).regrouped
    made = _made(asked.robot, _Asked(asked.bodies, asked.friction, asked.wrench, values, in_loops))
    return asked.model(NAME, made, more={"values": values})


@dataclass(frozen=True)
class _Asked:
    bodies: Tree  # with the symbols of the accelerations
    friction: FrictionKind
    wrench: Wrenches
    values: bool
    in_loops: bool  # where the robot is large


def _made(robot: Robot, asked: _Asked) -> Program | Routine:
    """Written out, or of a large robot with the systems in loops."""
    scope, pivots, own = Scope(), Pivots(), asked.bodies.coordinates
    try:
        factors, qdd = _accelerations(asked, scope, pivots)
    except MasslessJointError as found:
        raise massless(robot, found.axis) from None
    carried = forward_factorised.carried_inertias(asked.bodies, Scope())
    require_inertia(robot, pivots.found, dict(zip(own.owners, carried, strict=True)))
    torques = _at(asked, qdd, scope)
    b = [[-x for x in (*left, *right)] for left, right in zip(torques.by_position, torques.by_speed, strict=True)]
    inputs = state_inputs(robot, ("q", "qd", "tau"), asked.wrench)
    more = [Array("qdd", (own.nv,), tuple(qdd))] if asked.values else []
    unread = [place for place, x in enumerate(own.tau) if not directions.by_symbol(x)]
    if asked.in_loops and own.nv > limits.MOST_WRITTEN_OUT and robot.closure is None and not unread:
        return routine(graph_of(robot, NAME, inputs, more, scope.names), factors, b, BY_TAU, (BY_Q, BY_QD))
    columns = [factors.solved(column) for column in zip(*b, strict=True)]
    outputs = [
        by_columns(name, [[expr(x) for x in column] for column in half])
        for name, half in ((BY_Q, columns[: own.nv]), (BY_QD, columns[own.nv :]))
    ]
    outputs.append(matrix(BY_TAU, directions.cleared(factors.inverted(scope, own.owners), unread), own.nv))
    return optimised(graph_of(robot, NAME, inputs, (*outputs, *more), scope.names))


def _accelerations(asked: _Asked, scope: Scope, pivots: Pivots) -> tuple[Factors, list[Expr]]:
    """A in its factors, and qdd from A qdd = tau - H; the sums over the links are those of the derivatives."""
    still = asked.bodies.at_constant_speed()
    own = still.coordinates
    found = derivatives(still, Scope())  # what does not depend on qdd has its names from the derivatives
    A = forward_factorised.of_entries(still, found.inertia, scope)
    bias, lost = dict(found.torques), losses(still, asked.friction)
    for body in still.bodies:
        bias[body.j] = bias[body.j] + still.rotor_torque(body) + lost[body.j]
    factors = factorised(A, own.owners, scope, pivots)
    H = own.torques(bias)
    left = [scope.scalar("B", j, tau - expr(h)) for j, tau, h in zip(own.owners, own.tau, H, strict=True)]
    qdd = factors.solved(left)
    return factors, [expr(scope.scalar("qdd", j, x)) for j, x in zip(own.owners, qdd, strict=True)]


def _at(asked: _Asked, qdd: Sequence[Expr], scope: Scope) -> InCoordinates:
    """The derivatives of inverse dynamics at these accelerations."""
    symbols = [one[1] for one in asked.bodies.coordinates.symbols]  # whatever the description sets them to
    values = dict(zip(symbols, qdd, strict=True))
    if asked.bodies.coordinates.placed:
        return by_forward_mode(_accelerating(asked.bodies, symbols), asked.friction, values)
    found = derivatives(_accelerating(asked.bodies, qdd), scope)
    return in_coordinates(_accelerating(asked.bodies, symbols), found, asked.friction, values)


def _accelerating(bodies: Tree, qdd: Sequence[Expr]) -> Tree:
    """The tree with these accelerations of its coordinates."""
    own = replace(bodies.coordinates, qdd=tuple(qdd))
    links = tuple(replace(body, acceleration=own.acceleration(body.j)) for body in bodies.bodies)
    root = bodies.root
    if bodies.free:
        a, wd = halves([own.acceleration(axis) for axis in BASE_AXES])
        root = replace(root, moving=replace(root.moving, a=a, wd=wd))
    return replace(bodies, bodies=links, coordinates=own, root=root)
