"""``base_acceleration``: motion of a floating base for given joint accelerations (Khalil 2010, section 7.2).

There are three recursions. The first gives the motion of the links without acceleration of the base. The second gives the wrenches
for this motion and the inertia J^c of the composite links. The balance of the whole robot then gives the acceleration of the base
(97):

    J^c_0 vd_0 = f_0 - beta_0,        Gamma_j = a_j . (beta_j + J^c_j vd_j)   (99, 100)

with beta_j the wrench through joint j without acceleration of the base. The third recursion carries vd_0 outwards. Its contribution
to a torque is the power of the unit wrench of the joint's composite link on it, so that the cost grows linearly with the joints.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ....expr import Expr, expr, variable
from ....generated import Model
from ....generated.checks import Check, joined
from ....generated.declaration import declare
from ....generated.documentation.arrays import OWN_AXES
from ....generated.documentation.case import Case
from ....generated.documentation.units import ACCELERATION, six, wrench
from ....program import Array, Graph, Scope
from ....program.documentation import Described
from ....robot import Robot, RobotError
from ....robot.problems import Problem
from ....spatial.inertia import Inertia
from ....spatial.scalar import Scalar
from ... import limits
from ...common import graph_of
from ...inertial_parameters.sets import Parameters
from ...resolve import Near, OfPlatform, Structure, resolve
from ...tree.bodies import Tree
from ...tree.composite import Composite, composites, unit_wrench, whole_robot
from ...tree.coordinates import BASE_AXES, Axis
from ...tree.deferred import at_once, cross, dot
from ...tree.friction import FrictionKind
from ...tree.inertia_entries import base_entries
from ...tree.joint_torques import actuator_torque
from ...tree.motion import Recursion, motions
from ...tree.moving import Kind
from ...tree.rotors import RotorInertia
from ...tree.state import Wrenches, state_inputs
from ...tree.wrenches import on_axes, torques
from ..forward.factorised import Rows, solved
from ..forward.pivots import MasslessJointError, Pivots, massless, require_inertia
from ..request import Request

BASE_WRENCH = "base_wrench"
COMPONENTS = ("FX", "FY", "FZ", "CX", "CY", "CZ")
# The shifts are eliminated first: their part of the matrix is the mass alone.
ORDER: tuple[Axis, ...] = (*BASE_AXES[3:], *BASE_AXES[:3])


def _acceleration(case: Case) -> Described:
    what = "classical acceleration" if case.option("kind") == "classical" else "rates of the velocities"
    about = f"{what} of the free base, linear then angular, {OWN_AXES}"
    return Described(about, six(ACCELERATION, before="base "))


@declare(
    title="Acceleration of the free base",
    family="dynamic",
    rank=140,
    inputs="q, qd, qdd, wrench?, base_wrench?",
    outputs="qdd_base, tau",
    about="How a free base accelerates, and the torques of the joints, for given accelerations of the joints",
    arrays={
        "qdd_base": _acceleration,
        "base_wrench": lambda case: Described(
            f"force and moment that act on the free base, {OWN_AXES}", wrench("base ")
        ),
    },
    available=lambda robot: robot.base.floating,
    gravity=True,
    section="Khalil 2010, section 7.2",
    checks=[Check(lambda task: task.base_acceleration, ("q", "qd", "joint_qdd"), value=joined("qdd_base", "tau"))],
)
def base_acceleration(
    robot: Robot,
    *,
    parameters: Parameters = "standard",
    friction: FrictionKind = False,
    rotor_inertia: RotorInertia = True,
    wrench: Wrenches = "terminal",
    kind: Kind = "spatial",
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """Acceleration of a floating base and joint torques from joint accelerations.

    Parameters
    ----------
    robot
        Robot with a floating base.
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
        Inputs ``q``, ``qd``, ``qdd`` of the joints alone and ``wrench``. The input ``base_wrench`` (6) acts on the
        base, zero by default. Outputs:

        - ``qdd_base`` (6): acceleration of the base, linear, then angular, as in ``forward_dynamics``.
        - ``tau``: torques of the joints [N m, N].

        Closed-loop and parallel robots: status ``assembled`` is 1 where the state is possible, else 0 and the values
        are NaN. Loops closed by iteration add the input ``start`` and the status ``passive`` and ``residual``.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    if not robot.base.floating:
        problem = "is not free: expected a robot with a free base (floating=True)"
        raise RobotError([Problem("base", problem)], robot.name)
    asked = Request(parameters, friction, rotor_inertia, wrench, kind).prepare(resolved).regrouped
    used, bodies = asked.robot, replace(asked.bodies, root=asked.bodies.root.at_constant_speed())
    pivots = Pivots()
    recursions = [(Recursion(), True), (Recursion(add_angles=False, add_angles_back=False), False)]
    recursions = recursions[: 2 if len(bodies.links) <= limits.SOME_BODIES else 1]
    graphs = [_graph(used, bodies, how, sums, friction, wrench, pivots) for how, sums in recursions]
    whole = base_entries(whole_robot(bodies, composites(bodies, Scope()), Scope()))
    require_inertia(used, pivots.found, {axis: whole[axis, axis] for axis in ORDER})
    return asked.model("base-acceleration", *graphs, optional={BASE_WRENCH: COMPONENTS})


def _graph(
    robot: Robot,
    bodies: Tree,
    recursion: Recursion,
    add_angles: bool,
    friction: FrictionKind,
    wrench: Wrenches,
    pivots: Pivots,
) -> Graph:
    scope, own = Scope(), bodies.coordinates
    links = composites(bodies, scope, add_angles)  # (95)
    beta = on_axes(torques(bodies, motions(bodies, scope, recursion), scope, recursion))  # (89) to (91), (96)
    given = tuple(variable(f"f_base{k}") for k in range(1, 7))
    left = {axis: f - beta[axis] for axis, f in zip(BASE_AXES, given, strict=True)}
    try:
        base = _base(whole_robot(bodies, links, scope), left, scope, pivots)
    except MasslessJointError as error:
        raise massless(robot, error.axis) from None
    added = _added(bodies, links, base, scope)
    found = {b.j: expr(beta[b.j] + added[b.j]) + actuator_torque(bodies, b, friction) for b in bodies.bodies}
    tau = own.torques(found)[len(BASE_AXES) :]
    arrays = (
        Array("qdd_base", (6,), tuple(expr(base[axis]) for axis in BASE_AXES)),
        Array("tau", (len(tau),), tuple(map(expr, tau))),
    )
    return graph_of(robot, "base-acceleration", _inputs(robot, wrench, given), arrays, scope.names)


def _inputs(robot: Robot, wrench: Wrenches, base_wrench: tuple[Expr, ...]) -> list[Array]:
    """qdd without the base's."""
    found = []
    for array in state_inputs(robot, ("q", "qd", "qdd"), wrench):
        if array.name == "qdd":
            joints = array.entries[len(BASE_AXES) :]
            found.append(Array("qdd", (len(joints),), joints))
        else:
            found.append(replace(array, rate=None))
    return [*found, Array(BASE_WRENCH, (6,), base_wrench)]


def _base(whole: Inertia, left: Mapping[Axis, Scalar], scope: Scope, pivots: Pivots) -> dict[Axis, Scalar]:
    """vd_0 of equation (97), with a wrench on the base."""
    entries = base_entries(whole)
    rows: Rows = {}
    for k, axis in enumerate(ORDER):
        both = (
            (i, entries.get((axis, other), entries.get((other, axis), 0))) for i, other in enumerate(ORDER[: k + 1])
        )
        rows[k] = {i: scope.scalar("JC", (*axis, *ORDER[i]), x) for i, x in both}  # type: ignore[misc]
    right = [scope.scalar("B", axis, left[axis]) for axis in ORDER]
    return dict(zip(ORDER, solved(rows, right, ORDER, scope, pivots), strict=True))


def _added(
    bodies: Tree, links: Mapping[int, Composite], base: Mapping[Axis, Scalar], scope: Scope
) -> dict[int, Scalar]:
    """a_j . J^c_j vd_j, with vd_j the acceleration that the base's gives to link j (98, 99)."""
    a, b, c, x, y, z = (base[axis] for axis in BASE_AXES)
    carried = {0: (at_once((x, y, z)), at_once((a, b, c)))}
    found: dict[int, Scalar] = {}
    for body in bodies.bodies:
        j, lead = body.j, body.rotation_before
        wd, vd = carried[body.parent]
        vd = vd + cross(wd, at_once(body.position))
        if lead:
            wd, vd = (at_once(scope.vector(s, j, x.into(lead).vector)) for s, x in (("WB", wd), ("VB", vd)))
        wd, vd = wd.turned(-body.turn), vd.turned(-body.turn)
        carried[j] = wd, vd
        w = unit_wrench(body, links[j])
        found[j] = scope.scalar("GB", j, dot(w.force, vd) + dot(w.moment, wd))
    return found
