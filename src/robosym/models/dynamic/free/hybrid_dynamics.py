"""``hybrid_dynamics``: given accelerations of some joints and given torques of the others.

Joints without actuator and a floating base cannot have a prescribed acceleration. Their torques are known, springs included, and their
accelerations follow, with the torques of the other joints (Khalil 2010, sections 6.3 and 7.2; Spong 1994). The model is recursive as in
``articulated_bodies``, or, with f the free axes and r the others, follows from the partition

    A_ff qdd_f = tau_f - H_f - A_fr qdd_r,        tau_r = A_rf qdd_f + A_rr qdd_r + H_r        (68) to (71).

If accelerations of free axes are given in place of other ones (non-collocated), A_ff becomes the part of A in the rows of the free
axes and the columns of the remaining ones. This matrix is not always regular.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ....expr import Expr, expr, number
from ....expr.generic import Generic, negligible
from ....generated import Model
from ....generated.declaration import declare
from ....generated.documentation.arrays import flag, qdd, tau
from ....generated.documentation.case import Case
from ....program import Array, Graph, Scope
from ....robot import Robot, RobotError
from ....robot.problems import Problem
from ....spatial.blocks import blocks
from ....spatial.minors import Minors
from ....spatial.scalar import Scalar, is_zero
from ...common import graph_of
from ...inertial_parameters.sets import Parameters
from ...linear_systems.by_blocks import dot
from ...linear_systems.by_blocks import solved as solved_by_blocks
from ...request import names_in
from ...resolve import Near, OfPlatform, Structure, resolve
from ...tree.bodies import Tree
from ...tree.coordinates import BASE_AXES, Axis
from ...tree.friction import FrictionKind
from ...tree.moving import Kind
from ...tree.rotors import RotorInertia
from ...tree.state import Wrenches, state_inputs
from ..forward import articulated_bodies as articulated
from ..forward import factorised
from ..forward.forward_dynamics import MATRIX_ROUTE, losses
from ..forward.pivots import MasslessJointError, Pivots, massless, require_inertia
from ..request import Request

BASE = "base"
SOLVABLE = "solvable"
MOST_EXCHANGED = 10  # free coordinates whose equations are solved by determinants, which grow with the power of two
REGULAR = 1e-9  # the least determinant, of the size of the product of its columns


@dataclass(frozen=True)
class Parts:
    """Of the coordinates, by place: those whose torque is given, and those whose acceleration is."""

    free: tuple[int, ...]
    given: tuple[int, ...]

    @property
    def found(self) -> tuple[int, ...]:
        """Those whose acceleration is found."""
        return self._all_but(self.given)

    @property
    def moved(self) -> tuple[int, ...]:
        """Those whose torque is found."""
        return self._all_but(self.free)

    def _all_but(self, places: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(k for k in range(len(self.free) + len(self.given)) if k not in places)

    @property
    def collocated(self) -> bool:
        return not set(self.free) & set(self.given)


def _about(case: Case) -> str:
    free, given = (", ".join(case.option(name) or ()) or "none" for name in ("free", "given"))
    return f"Accelerations and torques of all coordinates: torques are given of {free}; accelerations of {given}"


def _has_free_coordinates(robot: Robot) -> bool:
    return robot.base.floating or not all(robot.frame(j).joint.active for j in robot.moving)


@declare(
    title="Hybrid dynamics",
    family="dynamic",
    rank=130,
    inputs="q, qd, qdd, tau?, wrench?",
    outputs="qdd_all, tau_all",
    about=_about,
    arrays={
        "qdd_all": qdd,
        "tau_all": tau,
        "solvable": flag("1 where torques can make the joints accelerate so, else 0"),
    },
    available=_has_free_coordinates,
    gravity=True,
)
def hybrid_dynamics(
    robot: Robot,
    *,
    free: Sequence[str] | None = None,
    given: Sequence[str] | None = None,
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
    """Hybrid dynamics: accelerations and torques of partly actuated robots.

    For each coordinate either the torque or the acceleration is given; the model computes the other. Flexible joints
    cannot have a given torque here. They count as rigid drives, as in ``inverse_dynamics``.

    Parameters
    ----------
    robot
        Robot.
    free
        Coordinates with a given torque, by joint name, or "base" for a floating base; by default those without
        actuator. A floating base is then one of them. Their entries of ``qdd`` are not read.
    given
        Coordinates with a given acceleration, by joint name or "base"; by default all that have no given torque. There
        must be as many as coordinates without a given torque.
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
        Inputs ``q``, ``qd``, ``qdd``, ``tau`` (zero by default, besides the torques of springs) and ``wrench``.
        Outputs:

        - ``qdd_all`` (nv): accelerations of all coordinates [rad/s^2, m/s^2].
        - ``tau_all`` (nv): torques of all coordinates [N m, N].
        - ``solvable`` where accelerations of coordinates with a given torque are given: 0 where no torques can produce
          them.

        Closed-loop and parallel robots: status ``assembled`` is 1 where the state is possible, else 0 and the values
        are NaN. Loops closed by iteration add the input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    Khalil 2010, sections 6.3 and 7.2, equations 68 to 71; Spong 1994.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    asked = Request(parameters, friction, rotor_inertia, wrench, kind).prepare(resolved).regrouped
    used, bodies = asked.robot, asked.bodies
    parts = _parts(used, bodies, free, given)
    pivots = Pivots()
    try:
        graphs = [way(used, bodies, parts, friction, wrench, pivots) for way in _ways(bodies, parts)]
    except MasslessJointError as error:
        raise massless(used, error.axis) from None
    carried = factorised.carried_inertias(bodies.at_constant_speed(), Scope())
    require_inertia(used, pivots.found, dict(zip(bodies.coordinates.owners, carried, strict=True)))
    names = bodies.coordinates.names
    chosen = {"free": [names[k] for k in parts.free], "given": [names[k] for k in parts.given]}
    return asked.model("hybrid-dynamics", *graphs, options=chosen, optional={"tau": names})


# --- which joints are free -------------------------------------------------------------------------------------------


def _parts(robot: Robot, bodies: Tree, free: Sequence[str] | None, given: Sequence[str] | None) -> Parts:
    own = bodies.coordinates
    every = tuple(range(own.nv))
    if free is None:
        named = [robot.frame(j).joint.name for j in robot.moving if is_free(robot, j)] + [BASE] * bodies.free
        if not named:
            problem = "every joint has a motor: name those that are free (or use inverse_dynamics)"
            raise RobotError([Problem("free", problem)], robot.name)
    else:
        named = names_in(robot, "free", free)
    flexible = [name for j in robot.flexible if (name := robot.frame(j).joint.name) in named]
    if flexible:
        problem = f"got {flexible[0]!r}, a flexible joint, whose motor moves too: use flexible_joint_forward_dynamics"
        raise RobotError([Problem("free", problem)], robot.name)
    chosen = _places(robot, bodies, named, "free")
    others = tuple(k for k in every if k not in chosen)
    moved = others if given is None else _places(robot, bodies, names_in(robot, "given", given), "given")
    if len(moved) != len(others):
        problem = f"got {len(moved)}, expected as many as there are torques to find, {len(others)}"
        raise RobotError([Problem("given", problem)], robot.name)
    return Parts(chosen, moved)


def is_free(robot: Robot, j: int) -> bool:
    """Whether a joint moves by itself: it has no motor."""
    return not robot.frame(j).joint.active


def _places(robot: Robot, bodies: Tree, names: Sequence[str], field: str) -> tuple[int, ...]:
    axes = bodies.coordinates.owners
    known: dict[str, tuple[Axis, ...]] = {
        robot.frame(j).joint.name: tuple(axis for axis in _axes(robot, j) if axis in axes) for j in robot.moving
    }
    if bodies.free and BASE in known:
        problem = "the name is that of the free base: give the joint another one"
        raise RobotError([Problem(f"joint '{BASE}'", problem)], robot.name)
    known |= {BASE: BASE_AXES} if bodies.free else {}
    expected = ", ".join(map(repr, known))
    found: list[int] = []
    for name in names:
        if name not in known:
            raise RobotError([Problem(field, f"got {name!r}, expected names out of {expected}")], robot.name)
        found += [axes.index(axis) for axis in known[name]]
    return tuple(sorted(set(found)))


def _axes(robot: Robot, j: int) -> tuple[int, ...]:
    """The frames whose axes the joint of frame j has."""
    return robot.chains[j].frames if j in robot.chains else (j,)


Way = Callable[[Robot, Tree, Parts, FrictionKind, Wrenches, Pivots], Graph]


def _ways(bodies: Tree, parts: Parts) -> list[Way]:
    if not parts.collocated:
        return [_exchanged]
    return [_recursive if bodies.coordinates.independent and not bodies.coupled else _partitioned]


# --- the ways --------------------------------------------------------------------------------------------------------


def _drive(bodies: Tree, parts: Parts, friction: FrictionKind) -> list[Expr]:
    """What is left of the torques given, by place."""
    own = bodies.coordinates
    taken = own.torques(losses(bodies, friction))
    return [(own.tau[k] if k in parts.free else number(0)) - expr(taken[k]) for k in range(own.nv)]


def _moving(bodies: Tree, places: Sequence[int]) -> Tree:
    """The tree with the accelerations of these coordinates alone."""
    own = bodies.coordinates
    qdd = tuple(x if k in places else number(0) for k, x in enumerate(own.qdd))
    partly = replace(own, qdd=qdd)
    joints = tuple(replace(body, acceleration=partly.acceleration(body.j)) for body in bodies.bodies)
    root = bodies.root
    if bodies.free and not any(own.owners[k] in BASE_AXES for k in places):
        root = root.at_constant_speed()
    return replace(bodies, bodies=joints, root=root)


def _recursive(
    robot: Robot, bodies: Tree, parts: Parts, friction: FrictionKind, wrench: Wrenches, pivots: Pivots
) -> Graph:
    """Equations (72) to (82)."""
    scope = Scope()
    axes = bodies.coordinates.owners
    drive = _drive(bodies, parts, friction)
    moving = _moving(bodies, parts.given)
    found = articulated.hybrid(
        moving, articulated.paths(robot, bodies), {axes[k]: drive[k] for k in parts.free}, scope, pivots
    )
    rotors: dict[Axis, Scalar] = {body.j: body.rotor * moving.body(body.j).acceleration for body in bodies.bodies}
    qdd = {k: found[axes[k]] for k in parts.free}
    tau = {k: found[axes[k]] + rotors.get(axes[k], 0) - drive[k] for k in parts.given}
    return _graph(robot, bodies, qdd, tau, scope, wrench)


def _partitioned(
    robot: Robot, bodies: Tree, parts: Parts, friction: FrictionKind, wrench: Wrenches, pivots: Pivots
) -> Graph:
    """Equations (68) to (71): A of the free coordinates is positive definite."""
    scope = Scope()
    axes = bodies.coordinates.owners
    A, left = _equations(bodies, parts, friction, scope)
    rows = {
        k: {i: x for i, other in enumerate(parts.free[: k + 1]) if not is_zero(x := A[place][other])}
        for k, place in enumerate(parts.free)
    }
    right = [scope.scalar("B", axes[k], left[k]) for k in parts.free]
    found = factorised.solved(rows, right, [axes[k] for k in parts.free], scope, pivots)
    qdd = dict(zip(parts.free, found, strict=True))
    return _graph(robot, bodies, qdd, _torques(A, left, qdd, parts), scope, wrench)


def _exchanged(
    robot: Robot, bodies: Tree, parts: Parts, friction: FrictionKind, wrench: Wrenches, pivots: Pivots
) -> Graph:
    """The rows of the free coordinates, solved for the accelerations that are not given."""
    if len(parts.free) > MOST_EXCHANGED:
        problem = f"got accelerations of free coordinates, which is for up to {MOST_EXCHANGED} of these, not {len(parts.free)}"
        raise RobotError([Problem("given", problem)], robot.name)
    scope = Scope()
    A, left = _equations(bodies, parts, friction, scope)
    part = [[A[k][i] for i in parts.found] for k in parts.free]
    if _is_singular(part):
        names = [bodies.coordinates.names[k] for k in parts.given]
        problem = f"no torques of the others can tell how {', '.join(names)} accelerate: their inertias are not coupled"
        raise RobotError([Problem("given", problem)], robot.name)
    found = solved_by_blocks(part, blocks(part), [[left[k]] for k in parts.free], scope)
    qdd = {k: x for k, (x,) in zip(parts.found, found, strict=True)}
    status = Array(SOLVABLE, (), (_regular(part, scope),))
    graph = _graph(robot, bodies, qdd, _torques(A, left, qdd, parts), scope, wrench)
    return replace(graph, outputs=(*graph.outputs, status))


def _equations(
    bodies: Tree, parts: Parts, friction: FrictionKind, scope: Scope
) -> tuple[list[list[Scalar]], list[Scalar]]:
    """A, and what is left of every row with the given accelerations: tau - H - A qdd."""
    moving = _moving(bodies, parts.given)
    lower = factorised.lower_triangle(bodies, scope, MATRIX_ROUTE)
    n = bodies.coordinates.nv
    A = [[lower[max(i, k)].get(min(i, k), 0) for i in range(n)] for k in range(n)]
    H = factorised.torques_of(moving, scope)
    return A, [d - h for d, h in zip(_drive(bodies, parts, friction), H, strict=True)]


def _torques(
    A: Sequence[Sequence[Scalar]], left: Sequence[Scalar], qdd: Mapping[int, Scalar], parts: Parts
) -> dict[int, Scalar]:
    """tau_r = A_rf qdd_f + A_rr qdd_r + H_r."""
    return {k: dot([A[k][i] for i in qdd], list(qdd.values())) - left[k] for k in parts.moved}


def _graph(
    robot: Robot, bodies: Tree, qdd: Mapping[int, Scalar], tau: Mapping[int, Scalar], scope: Scope, wrench: Wrenches
) -> Graph:
    """All coordinates: what is found, and what was given."""
    own = bodies.coordinates
    outputs = []
    for name, found, known in (("qdd_all", qdd, own.qdd), ("tau_all", tau, own.tau)):
        entries = tuple(expr(found.get(k, known[k])) for k in range(own.nv))
        outputs.append(Array(name, (own.nv,), entries))
    inputs = state_inputs(robot, ("q", "qd", "qdd", "tau"), wrench)
    return graph_of(robot, "hybrid-dynamics", inputs, tuple(outputs), scope.names)


def _is_singular(part: Sequence[Sequence[Scalar]]) -> bool:
    """Whether it is so everywhere."""
    size = len(part)
    numbers = Generic(3)([expr(x) for row in part for x in row])
    values = np.linalg.svd(np.array(numbers, dtype=float).reshape(size, size), compute_uv=False)
    return not size or negligible(float(values[-1]), float(values[0]))


def _regular(part: Sequence[Sequence[Scalar]], scope: Scope) -> Expr:
    """1 where the matrix can be inverted: its determinant is not small beside the product of its columns."""
    square: Scalar = 1
    sizes: Scalar = 1
    for block in blocks(part):
        own = block.of(part)
        determinant = Minors(own, scope, f"DS{block.rows[0] + 1}_").determinant
        square = square * determinant * determinant
        for column in zip(*own, strict=True):
            sizes = sizes * dot(column, column)
    return expr(expr(square) > REGULAR**2 * expr(sizes))
