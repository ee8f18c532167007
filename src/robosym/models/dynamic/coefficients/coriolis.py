"""The Coriolis matrix C(q, qd) of Christoffel symbols: A-dot - 2 C is skew-symmetric, and H = C qd + Q.

Equation numbers are those in Khalil, course 2014. Beside the definition [7.7], a recursion from the rates of the axes is
derived here. With w_j the velocity of the points that joint j carries when it alone moves at unit velocity,
A_ij = int w_i . w_j dm and C_ij = int w_i . dw_j/dt dm, since dw_j/dq_k = dw_k/dq_j. About the origin of link j, in its frame,

    dw_j/dt = (omega_j x z) x r - z x v_j + z x v(r)   (revolute),    dw_j/dt = omega_j x z   (prismatic),

with v(r) the velocity of the point: a rigid field, the rate of the axis, and the contribution of the outer joints. The second needs
p = int v dm and H = int v r^T dm of the composite link. The cost grows with the square of the number of joints. The axes of a
floating base are treated alike, although their velocities are not rates of coordinates: A-dot - 2 C is skew-symmetric by these
integrals alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ....expr import expr
from ....generated import Model
from ....generated.checks import STATE, Check
from ....generated.declaration import declare
from ....generated.documentation.arrays import by_velocity
from ....generated.documentation.units import FORCE, moving
from ....program import Array, Graph, Scope
from ....robot import Robot
from ....spatial import symmetric
from ....spatial.inertia import Inertia
from ....spatial.rotations import Rotation, back
from ....spatial.scalar import Scalar
from ....spatial.vectors import Columns, Vector, apply, cross, dot, plus, times
from ....spatial.wrenches import Wrench, shifted
from ... import limits
from ...common import graph_of
from ...inertial_parameters.sets import Parameters
from ...resolve import Near, OfPlatform, Structure, resolve
from ...tree.bodies import Body, Tree, at_rest
from ...tree.chains import Chains, longest_chain
from ...tree.composite import composites, whole_robot
from ...tree.coordinates import BASE_AXES
from ...tree.inertia_entries import Entries, MatrixRoute, entries_in, with_rotors
from ...tree.joints import Twist
from ...tree.rotors import RotorInertia
from ...tree.state import state_inputs
from ...tree.velocities import Speed, speeds
from ..request import Request
from .christoffel import quadratic, triples


@declare(
    title="Coriolis matrix",
    family="dynamic",
    rank=60,
    inputs="q, qd",
    outputs="coriolis_matrix",
    about="Matrix C of tau = A qdd + C qd + Q, with A-rate - 2 C skew-symmetric",
    arrays={
        "coriolis_matrix": lambda case: by_velocity(
            case, "C qd is the centrifugal and Coriolis torque", moving(case.robot, FORCE)
        )
    },
    section="Khalil, course 2014, section 7.3.3",
    checks=[
        Check(
            lambda task: task.coriolis_torques,
            STATE,
            value=lambda o, task: o["coriolis_matrix"] @ task.state["qd"],
            note="C qd",
            most=15,
        )
    ],
)
def coriolis(
    robot: Robot,
    *,
    parameters: Parameters = "standard",
    rotor_inertia: RotorInertia = True,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """Coriolis matrix C of Christoffel symbols.

    A prescribed motion of the base raises ``RobotError``.

    Parameters
    ----------
    robot
        Robot.
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Both sets give the same torques.
    rotor_inertia
        Rotor inertias of the motors: False (excluded), True (included) or "gyroscopic" (with gyroscopic torques).
        "gyroscopic" adds the torques of rotors that moving links carry along, and requires motor axes in the
        description.
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
        Inputs ``q`` and ``qd``. Output ``coriolis_matrix`` (nv, nv). With a floating base its six components come
        first: linear, then angular, in its own axes. Closed-loop and parallel robots: status ``assembled`` is 1 where
        the state is possible, else 0 and the values are NaN. Loops closed by iteration add the input ``start`` and the
        status ``passive`` and ``residual``.

    Notes
    -----
    ``H = C qd + Q``, and ``dA/dt - 2 C`` is skew-symmetric. Khalil, course 2014, equation 7.7.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    asked = Request(parameters, rotor_inertia=rotor_inertia).prepare(resolved)
    if not asked.bodies.free:
        at_rest(asked.robot, asked.bodies)
    asked = asked.regrouped.at_constant_speed
    used, bodies = asked.robot, asked.bodies
    graphs = [_graph(used, bodies, from_rates)]
    if longest_chain(bodies) <= limits.LONGEST_BY_SYMBOLS and not bodies.free:
        graphs.append(_graph(used, bodies, from_symbols))
    return asked.model("coriolis", *graphs)


def _graph(robot: Robot, bodies: Tree, way: Callable[[Tree, Scope], Entries]) -> Graph:
    scope = Scope()
    found = way(bodies, scope)
    own = bodies.coordinates
    n, total = own.nv, own.matrix(found)
    if own.row_rates:  # G^T C_x G + G^T A_x dG/dt
        A = with_rotors(bodies, entries_in(MatrixRoute(meet=False), bodies, scope))
        total = [
            [a + b for a, b in zip(*rows, strict=True)] for rows in zip(total, own.matrix_of_rates(A), strict=True)
        ]
    output = Array("coriolis_matrix", (n, n), tuple(expr(value) for row in total for value in row))
    return graph_of(robot, "coriolis", state_inputs(robot, ("q", "qd")), (output,), scope.names)


def from_symbols(bodies: Tree, scope: Scope) -> Entries:
    """C_ij = sum of c_ijk qd_k, with the Christoffel symbols themselves: cheaper on short chains, cubic on long ones."""
    chains = Chains(bodies, scope)
    found: Entries = {}
    for i, j, k, value in quadratic(triples(composites(bodies, scope), chains), chains):
        value = scope.scalar("CH", (i, j, k), value)
        found[i, j] = found.get((i, j), 0) + value * chains.bodies[k].speed  # [7.7]
        if j != k:
            found[i, k] = found.get((i, k), 0) + value * chains.bodies[j].speed
    return found


# --- from the rates of the axes ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Momenta:
    """Of a composite in motion: p = int v dm and H = int v r^T dm, by columns."""

    p: Vector
    H: Columns

    def __add__(self, other: Momenta) -> Momenta:
        a, b, c = (plus(x, y) for x, y in zip(self.H, other.H, strict=True))
        return Momenta(plus(self.p, other.p), (a, b, c))

    @property
    def trace(self) -> Scalar:
        return self.H[0][0] + self.H[1][1] + self.H[2][2]

    @property
    def row(self) -> Vector:
        """H^T z."""
        return (self.H[0][2], self.H[1][2], self.H[2][2])


def from_rates(bodies: Tree, scope: Scope) -> Entries:
    """C_ij for every two joints of one chain, and with the axes of a free base; all others are zero."""
    v = speeds(bodies, scope, Speed(bodies.root.moving.w, bodies.root.moving.v), add_angles=False)
    carried = composites(bodies, scope, add_angles=False)
    links = {j: c.at(0) for j, c in carried.items()}
    momenta = composite_momenta(bodies, v, scope)
    found: Entries = {}
    for body in bodies.bodies:
        j = body.j
        outer = _Outer(body, links[j], v[j], momenta[j])
        found[j, j] = outer.axial
        while body.parent:
            outer = outer.moved(body, scope, j)
            body = bodies.body(body.parent)
            found[body.j, j] = outer.force[2] if body.prismatic else outer.moment[2]
            found[j, body.j] = outer.on_rate_of(body, v[body.j])
        if bodies.free:
            outer = outer.moved(body, scope, j)
            found |= {(axis, j): x for axis, x in zip(BASE_AXES, (*outer.force, *outer.moment), strict=True)}
            found |= {(j, axis): x for axis, x in zip(BASE_AXES, outer.on_rates_of_base(v[0]), strict=True)}
    if bodies.free:
        whole = whole_robot(bodies, carried, scope)
        for axis, twist in zip(BASE_AXES, bodies.root.kind.axes, strict=True):
            wrench = rate_wrench(twist, whole, v[0], momenta[0])
            found |= {(other, axis): x for other, x in zip(BASE_AXES, (*wrench[0], *wrench[1]), strict=True)}
    return found


def rate_wrench(twist: Twist, c: Inertia, v: Speed, m: Momenta) -> Wrench:
    """int dw/dt dm and its moment, for the axis of a composite with this unit twist."""
    along, about = twist
    rate, slide = cross(v.angular, about), cross(v.angular, along)
    shift = plus(slide, cross(v.linear, about))
    force = plus(plus(times(c.mass, shift), cross(rate, c.moment)), cross(about, m.p))
    inner = plus(symmetric.apply(c.matrix, rate), cross(c.moment, shift))
    return force, plus(inner, plus(times(m.trace, about), times(-1, apply(m.H, about))))


def composite_momenta(bodies: Tree, v: dict[int, Speed], scope: Scope) -> dict[int, Momenta]:
    """p and H of every composite, from the tips to the base; of the base too, if it is free."""
    every = (bodies.base_body, *bodies.bodies) if bodies.free else bodies.bodies
    found = {body.j: _own(body.inertia, v[body.j]) for body in every}
    for body in reversed(every):
        j = body.j
        total = found[j]
        p = scope.vector("PM", j, total.p)
        a, b, c = zip(*scope.matrix("H", j, tuple(zip(*total.H, strict=True))), strict=True)
        found[j] = Momenta(p, (a, b, c))
        if body.parent or (bodies.free and j):
            found[body.parent] = found[body.parent] + _on_antecedent(body, found[j])
    return found


def _own(body: Inertia, v: Speed) -> Momenta:
    """p = M v + w x MS, H = v MS^T + w x Sigma."""
    sigma = symmetric.columns(body.sigma)
    a, b, c = (plus(times(m, v.linear), cross(v.angular, s)) for m, s in zip(body.moment, sigma, strict=True))
    return Momenta(plus(times(body.mass, v.linear), cross(v.angular, body.moment)), (a, b, c))


def _on_antecedent(body: Body, m: Momenta) -> Momenta:
    """R p, and R H R^T + (R p) P^T."""
    p = back(body.rotation, m.p)
    turned = _both_sides(body.rotation, m.H)
    a, b, c = (plus(column, times(x, p)) for column, x in zip(turned, body.position, strict=True))
    return Momenta(p, (a, b, c))


def _both_sides(rotation: Rotation, H: Columns) -> Columns:
    columns = [back(rotation, column) for column in H]
    rows = [back(rotation, (columns[0][k], columns[1][k], columns[2][k])) for k in range(3)]
    a, b, c = ((rows[0][k], rows[1][k], rows[2][k]) for k in range(3))
    return (a, b, c)


class _Outer:
    """Of joint j, on its way back to the base: int dw_j/dt dm and its moment, int w_j dm and its moment, int v x w_j dm."""

    def __init__(self, body: Body, c: Inertia, v: Speed, m: Momenta) -> None:
        ms = c.moment
        self.force, self.moment = rate_wrench(body.kind.axes[0], c, v, m)
        if body.prismatic:
            self.momentum, self.angular = (0, 0, c.mass), (ms[1], -ms[0], 0)
            self.spin: Vector = (m.p[1], -m.p[0], 0)
            self.axial = self.force[2]
            return
        self.momentum, self.angular = (-ms[1], ms[0], 0), symmetric.columns(c.matrix)[2]
        self.spin = plus((0, 0, m.trace), times(-1, m.row))
        self.axial = self.moment[2]

    def moved(self, body: Body, scope: Scope, j: int) -> _Outer:
        """In the frame and about the origin of the antecedent."""
        after = object.__new__(_Outer)
        for name, stem in (("force", "F"), ("moment", "N"), ("momentum", "P"), ("angular", "L"), ("spin", "SP")):
            turned = scope.vector(stem, (j, body.j), back(body.rotation, getattr(self, name)))
            setattr(after, name, turned)
        _, after.moment = shifted((after.force, after.moment), body.position)
        _, after.angular = shifted((after.momentum, after.angular), body.position)  # momenta move like wrenches
        return after

    def on_rate_of(self, body: Body, v: Speed) -> Scalar:
        """C_ji for the joint i reached: w_j on the rate of axis i."""
        rate = axis_rate(v.angular)
        if body.prismatic:
            return dot(self.momentum, rate)
        return dot(self.angular, rate) + dot(self.momentum, axis_rate(v.linear)) + self.spin[2]

    def on_rates_of_base(self, v: Speed) -> tuple[Scalar, ...]:
        """The same for the axes of a free base, once it is reached."""
        about = plus(cross(self.angular, v.angular), plus(cross(self.momentum, v.linear), self.spin))
        return (*cross(self.momentum, v.angular), *about)


def axis_rate(a: Vector) -> Vector:
    """a x z."""
    return (a[1], -a[0], 0)
