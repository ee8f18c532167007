"""The variational integrator: a step that makes a discrete action stationary (Marsden and West, Discrete mechanics and variational
integrators, Acta Numerica 10, 2001; on a group Bou-Rabee and Marsden, Hamilton-Pontryagin integrators on Lie groups, 2009).

With speeds z held over a step of length h, kinetic energy T in the middle of the way and forces F at both ends of it,

    p(q, qd)  = D(h z)^T  p_m - h/2 T_q - h/2 F(q, z),          p_m = dT/dqd,  T_q = dT/dq  at (q + h z / 2, z),
    p(q+, qd+) = D(-h z)^T p_m + h/2 T_q + h/2 F(q+, z),         q+ = q + h z,

the first solved for z by Newton's iteration, the second for qd+. F is tau without what gravity, springs, friction and wrenches
take. Of joints D is the identity; a free base goes to T cay(h z), and D is the inverse of the derivative of Cayley's map,
D(X) Y = (1 - X/2) Y (1 + X/2). Momenta of symmetries are kept to rounding, and the energy oscillates without drift.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from ...expr import Expr, absolute, expr, gradient, logical_and, number, select, sqrt, substitute
from ...expr.functions import less_equal
from ...generated import Model
from ...options.validate import validated
from ...program import Array, Program, optimised
from ...program.derive import to_derive
from ...program.derived import joined
from ...program.of_arrays import program_of
from ...program.routine import Copy, Kernel, Run, Stage
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.rotations import quaternion_columns
from ...spatial.scalar import is_zero
from ...spatial.vectors import Vector, apply, cross, dot, plus, times
from ..common import START, graph_of, model
from ..dynamic.coefficients.inertia_matrix import inertia_matrix
from ..dynamic.energy import energy
from ..dynamic.forward.forward_dynamics import losses
from ..dynamic.inverse.bias import bias
from ..integration.integrators import UNSETTLED, solved
from ..integration.mechanism import HELD, OUT_OF_BOUNDS, TORQUE, Mechanism, pairs_of
from ..resolve import Near, OfPlatform, Structure, resolve
from ..tree.bodies import tree
from ..tree.coordinates import coordinates as coordinates_of
from ..tree.friction import FrictionKind, friction_asked
from ..tree.regrouping import regrouped
from ..tree.state import Wrenches, state_inputs, zero_unless_given
from .sensitivity import sensitive
from .step import stepped


def variational_step(
    robot: Robot,
    jacobians: bool,
    substeps: int,
    parameters: str,
    friction: FrictionKind,
    wrench: Wrenches,
    closed: Mapping[str, Any],
) -> Model:
    """The model of a variational step."""
    _require(robot, parameters)
    parts = Parts(momentum(robot, **closed), forces(robot, friction, wrench, **closed), inertia_matrix(robot, **closed))
    plain = Mechanism(robot, parts.momentum, pairs_of(robot), held=(*HELD, START))
    own = sensitive(plain) if jacobians else plain
    whole = _together(parts)
    return stepped(own, variational(own, parts), whole, "variational", substeps)


def _require(robot: Robot, parameters: str) -> None:
    base = robot.base
    given = (*base.velocity, *base.angular_velocity, *base.acceleration, *base.angular_acceleration)
    if not base.floating and not all(is_zero(x) for x in given):
        problem = (
            "moves as the description says, so that the energy depends on time: the variational step has no word for it"
        )
        raise RobotError([Problem("base", problem)], robot.name)
    placed = [j for j in robot.moving if (kind := robot.kind(j)) is not None and kind.quaternion is not None]
    if placed:
        problem = f"{robot.frame(placed[0]).joint.name}: quaternions of joints are not supported by the variational step: use 'implicit-midpoint'"
        raise RobotError([Problem("integrator", problem)], robot.name)
    if robot.flexible:
        problem = "flexible joints have motors that move by themselves, which the variational step does not support: use 'implicit-midpoint'"
        raise RobotError([Problem("integrator", problem)], robot.name)
    if parameters != "standard":
        problem = f"got {parameters!r:.40}: base parameters do not keep the energy, expected 'standard'"
        raise RobotError([Problem("parameters", problem)], robot.name)


# --- the models ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Parts:
    momentum: Model
    forces: Model
    inertia: Model


def _together(parts: Parts) -> Model:
    """What a call takes: the inputs of the forces, the values of all."""
    own = (parts.momentum, parts.forces, parts.inertia)
    values = {name: x for one in own for name, x in one.values.items()}
    known = frozenset(name for one in own for name in one.known)
    return replace(parts.forces, values=values, known=known, derived=joined(one.derived for one in own))


@validated
def momentum(
    robot: Robot,
    *,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """p = dT/dqd and Tq = dT/dq of the kinetic energy T, for given q and qd."""
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    plain = energy(robot)
    graph = to_derive(plain.program)
    T = next(array for array in graph.outputs if array.name == "kinetic").entries[0]
    own = coordinates_of(robot)
    symbols = (*own.q, *own.found)
    slopes = dict(zip(symbols, gradient(T, symbols), strict=True))
    by_q = []
    for place in range(own.nv):
        along = own.along(place)
        by_q.append(expr(sum((slopes[x] * rate for x, rate in along.items() if not slopes[x].is_zero), number(0))))
    speeds = next(array for array in graph.inputs if array.name == "qd")
    p = Array("p", (own.nv,), tuple(gradient(T, speeds.entries)))
    inputs = state_inputs(robot, ("q", "qd"))
    made = graph_of(robot, "momentum", inputs, (p, Array("Tq", (own.nv,), tuple(by_q))), graph.names)
    return resolved.finished(model(robot, "momentum", optimised(made), {}))


@validated
def forces(
    robot: Robot,
    friction: FrictionKind,
    wrench: Wrenches,
    *,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """F = tau without what holds the robot at rest (gravity, springs, wrenches), dampers and friction, for given q, qd and tau."""
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    friction_asked(robot, friction)
    at_rest = bias(robot, wrench=wrench)
    graph = to_derive(at_rest.program)
    own = coordinates_of(robot)
    still = {x: number(0) for array in graph.inputs if array.name == "qd" for x in array.entries}
    held = substitute(graph.outputs[0].entries, still)
    bodies = regrouped(tree(robot, wrench)).at_constant_speed()
    lost = [expr(x) for x in bodies.coordinates.torques(losses(bodies, friction))]
    springs = substitute(
        [expr(x) for x in bodies.coordinates.torques(losses(bodies, False))], still
    )  # in ``held`` already
    entries = tuple(t - h - (x - y) for t, h, x, y in zip(own.tau, held, lost, springs, strict=True))
    inputs = state_inputs(robot, ("q", "qd", TORQUE), wrench)
    program = optimised(graph_of(robot, "forces", inputs, (Array("F", (own.nv,), entries),), graph.names))
    options = {"friction": friction, "wrench": at_rest.options["wrench"]}
    return resolved.finished(model(robot, "forces", program, options, optional=zero_unless_given(robot, wrench)))


# --- the step ------------------------------------------------------------------------------------------------------------


def variational(own: Mechanism, parts: Parts) -> tuple[Stage, ...]:
    """One step, which changes q and qd in their places."""
    nv, nq = own.nv, own.pairs[0].nq
    plain = Mechanism(own.robot, own.model, own.pairs, held=own.held)  # until it is solved, nothing goes along
    balance = _balance(nv, nq)

    def middle(one: Mechanism, z: str, again: bool = False) -> tuple[Stage, ...]:
        places = {"q": "q_mid", "qd": z, "p": "p_mid", "Tq": "Tq_mid"}
        return (*one.along(Run(_half(nv, nq), {"z": z})), *one.call(parts.momentum, "middle", places, again))

    def residual(one: Mechanism, z: str = "z", to: str = "r") -> tuple[Stage, ...]:
        return (
            *middle(one, z),
            *one.call(parts.forces, "start_forces", {"q": "q", "qd": z, "F": "F_start"}),
            *one.along(Run(balance, {"z": z, "F": "F_start", "r": to})),
        )

    def ends(one: Mechanism) -> tuple[Stage, ...]:
        found = one.call(parts.momentum, "end", {"q": "q", "qd": "w", "p": "p_found"})
        return (*found, *one.along(Run(_difference(nv), {"r": "r"})))

    return (
        *own.call(parts.momentum, "start", {"q": "q", "qd": "qd", "p": "p_start"}),
        Copy("qd", "z"),
        *solved(nv, lambda z, to: residual(plain, z, to)),
        Run(_lost(nv)),
        *own.implicitly("z", nv, residual),
        *middle(own, "z", again=True),
        *own.along(Run(_moved(nv, nq), {"q_now": "q"})),
        *own.call(parts.forces, "end_forces", {"q": "q", "qd": "z", "F": "F_end"}),
        *own.along(Run(_arrived(nv, nq), {"F": "F_end"})),
        *plain.call(parts.inertia, "inertia", {"q": "q", "A": "A_end"}),
        Kernel("solve", ("A_end", "p_end"), ("w",)),
        *own.implicitly("w", nv, ends),
        *own.along(Run(program_of("speeds after", {"w": (nv,), "lost": ()}, lambda w, lost: {"qd": w + lost}))),
    )


def _half(nv: int, nq: int) -> Program:
    """The joints in the middle; the kinetic energy does not ask where the base is."""

    def body(q: Any, z: Any, dt: Any) -> dict[str, Any]:
        return {"q_mid": [*q[: nq - len(_joints(nv, nq))], *(x + dt / 2 * v for x, v in _moving(q, z, nv, nq))]}

    return program_of("half way", {"q": (nq,), "z": (nv,), "dt": ()}, body)


def _joints(nv: int, nq: int) -> range:
    """The places of the joints in qd."""
    return range(0 if nq == nv else 6, nv)


def _moving(q: Any, z: Any, nv: int, nq: int) -> list[tuple[Any, Any]]:
    return [(q[k + nq - nv], z[k]) for k in _joints(nv, nq)]


def _balance(nv: int, nq: int) -> Program:
    """What is left of the first equation."""

    def body(z: Any, p_start: Any, p_mid: Any, Tq_mid: Any, F: Any, dt: Any) -> dict[str, Any]:
        there = _turned(p_mid, z, dt, nv, nq)
        rows = zip(there, p_start, Tq_mid, F, strict=True)
        return {"r": [x - p - dt / 2 * (t + f) for x, p, t, f in rows]}

    return program_of("balance", {**dict.fromkeys(("z", "p_start", "p_mid", "Tq_mid", "F"), (nv,)), "dt": ()}, body)


def _arrived(nv: int, nq: int) -> Program:
    """The momentum at the end, by the second equation."""

    def body(z: Any, p_mid: Any, Tq_mid: Any, F: Any, dt: Any) -> dict[str, Any]:
        there = _turned(p_mid, z, -dt, nv, nq)
        return {"p_end": [x + dt / 2 * (t + f) for x, t, f in zip(there, Tq_mid, F, strict=True)]}

    return program_of("momentum at the end", {**dict.fromkeys(("z", "p_mid", "Tq_mid", "F"), (nv,)), "dt": ()}, body)


def _turned(p: Any, z: Any, dt: Any, nv: int, nq: int) -> list[Expr]:
    """D(dt z)^T p."""
    if nq == nv:
        return list(p)
    v, w = (tuple(dt * x for x in z[k : k + 3]) for k in (0, 3))
    found = []
    for k in range(6):
        unit: Sequence[int] = [int(i == k) for i in range(6)]
        linear, angular = _inverse_slope(v, w, tuple(unit[:3]), tuple(unit[3:]))  # type: ignore[arg-type]
        found.append(expr(dot(tuple(p[:3]), linear) + dot(tuple(p[3:6]), angular)))
    return [*found, *p[6:]]


def _inverse_slope(v: Vector, w: Vector, b: Vector, a: Vector) -> tuple[Vector, Vector]:
    """(1 - X/2) Y (1 + X/2), as a twist, of X = (v, w) and Y = (b, a)."""
    half = number(1) / 2
    inner = plus(b, times(half, cross(a, v)))
    linear = plus(inner, times(-half, cross(w, inner)))
    angular = plus(plus(a, times(-half, cross(w, a))), times(dot(w, a) / 4, w))
    return linear, angular


def _moved(nv: int, nq: int) -> Program:
    """q + h z; a free base by Cayley's map."""

    def body(q: Any, z: Any, dt: Any) -> dict[str, Any]:
        joints = [x + dt * speed for x, speed in _moving(q, z, nv, nq)]
        return {"q_now": joints if nq == nv else [*_placed(q, [dt * x for x in z[:6]]), *joints]}

    return program_of("moved", {"q": (nq,), "z": (nv,), "dt": ()}, body)


def _placed(q: Any, twist: Sequence[Any]) -> list[Any]:
    """T cay(X): the quaternion of cay is (w/2, 1) and its translation (1 - w^/2)^-1 v, up to their lengths."""
    v, w = tuple(twist[:3]), tuple(twist[3:])
    half = number(1) / 2
    square = 1 + dot(w, w) / 4
    shift = plus(plus(v, times(half, cross(w, v))), times(dot(w, v) / 4, w))
    a, b, c, s = q[3:7]
    p = apply(quaternion_columns(a, b, c, s), times(1 / square, shift))
    x, y, z = times(half, w)
    turned = [
        s * x + a + b * z - c * y,
        s * y + b + c * x - a * z,
        s * z + c + a * y - b * x,
        s - (a * x + b * y + c * z),
    ]
    length = sqrt(sum((e * e for e in turned), start=expr(0)))
    return [*(q[k] + p[k] for k in range(3)), *(e / length for e in turned)]


def _difference(nv: int) -> Program:
    return program_of(
        "momentum found", {"p_found": (nv,), "p_end": (nv,)}, lambda p_found, p_end: {"r": p_found - p_end}
    )


def _lost(nv: int) -> Program:
    """Where the iteration has not come to an end, speeds go out of all bounds."""

    def body(z: Any, dz: Any) -> dict[str, Any]:
        kept = [less_equal(absolute(e), UNSETTLED * (1 + absolute(x))) for x, e in zip(z, dz, strict=True)]
        return {"lost": select(reduce(logical_and, kept), 0, OUT_OF_BOUNDS)}

    return program_of("whether it has settled", {"z": (nv,), "dz": (nv,)}, body)
