"""Forward dynamics of joints that may stick (Coulomb friction as it is, not rounded).

Each joint with such friction slips one way, s = 1 or -1, and its friction is that of this way; or it sticks, s = 0, does not
accelerate, and its friction is whatever holds it. With m = s^2 the accelerations solve

    (m A m + 1 - m) qdd = m (tau - H - Gamma_f(qd, s)),

so that those of sticking joints are exactly zero, and the torque that holds them is ``hold`` = tau - H - Gamma_b - A qdd, where
Gamma_b is friction of others that acts on them: of joints that follow, of motors that turn with several joints. A joint at rest
sticks as long as lower <= hold <= upper, the friction from rest backwards and forwards. Which ones do is a linear
complementarity problem with one solution, as A is positive definite; the matrices keep the zeros of the tree.

The rotor of a flexible joint sticks by the friction of its own shaft, at its own speed: Ia qdd_M = m (tau + spring - F_M(qd_M, s)).
Arrays over what may stick (slip, hold, lower, upper) have the motors after the coordinates then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from ....expr import Expr, expr, number, variable
from ....generated import Model
from ....options.validate import validated
from ....program import Array, Graph, Scope
from ....robot import Robot, RobotError
from ....robot.problems import Problem
from ....spatial.scalar import Scalar, is_zero
from ...common import graph_of, vector
from ...resolve import Near, OfPlatform, Structure, resolve
from ...tree.bodies import Body, Tree
from ...tree.flexible import Drives, require_rotors, with_drives, with_motors
from ...tree.friction import joint_friction, joint_jumps
from ...tree.state import Wrenches, state_inputs
from ..forward import factorised
from ..forward.forward_dynamics import MATRIX_ROUTE, acceleration_graphs
from ..forward.pivots import Pivots
from ..request import Request

SLIP = "slip"  # which way each joint slips: 1, -1, or 0 if it sticks
What = Literal["accelerations", "judgement"]


@dataclass(frozen=True, eq=False)
class Sticking:
    """``model``: accelerations from state, torques and ``slip``, the way every joint slips; ``judge`` gives hold, lower and upper
    too. ``places`` are those of what may stick: of joints in qd, then of the motors of flexible joints, nv + their place in qd_motor."""

    model: Model
    judge: Model
    places: tuple[int, ...]


def sticking_dynamics(robot: Robot, *, wrench: Wrenches = "terminal", **closing: Any) -> Sticking:
    """How the joints of a robot stick, and the motors of its flexible joints."""
    own: Model = sticking_model(robot, wrench=wrench, **closing)
    judge: Model = sticking_model(robot, what="judgement", wrench=wrench, **closing)
    return Sticking(own, judge, own.options["places"])


@validated
def sticking_model(
    robot: Robot,
    *,
    what: What = "accelerations",
    wrench: Wrenches = "terminal",
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """qdd of given q, qd, tau and slip; with ``what`` "judgement" also what holds the joints that stick."""
    resolved = resolve(robot, mode, near, structure, coordinates)
    asked = Request(wrench=wrench).prepare(resolved).regrouped.at_constant_speed
    robot = resolved.tree
    drives = with_drives(robot, asked.bodies) if robot.flexible else None
    if drives is not None:
        asked = replace(asked, bodies=drives.bodies)
    bodies = asked.bodies
    tau = list(bodies.coordinates.tau) if drives is None else drives.tau
    acceleration_graphs(asked, tau, "factorised")  # refuses what cannot be accelerated
    slips = _slips(robot, bodies)
    graph = _graph(robot, bodies, tau, slips, what, wrench)
    if drives is not None:
        slips |= (motors := _motor_slips(drives))
        graph = _with_sticking_motors(drives, graph, motors)
    return asked.model("sticking-dynamics", graph, options={"what": what}, more={"places": tuple(slips)})


def _motor_slips(drives: Drives) -> dict[int, Expr]:
    """The way the motor of each flexible joint slips whose shaft may stick, by its place after the coordinates."""
    nv = drives.bodies.coordinates.nv
    shafts = {place: drive.shaft for place, drive in drives.flexible.items()}
    return {
        nv + place - drives.first: variable(f"{SLIP}_motor{drives.flexible[place].j}")
        for place, shaft in shafts.items()
        if shaft is not None and not shaft.coulomb.is_zero
    }


def _with_sticking_motors(drives: Drives, graph: Graph, slips: Mapping[int, Expr]) -> Graph:
    """The graph of the links with the accelerations of the motors, and what holds the motors that stick."""
    require_rotors(drives)
    own, zero = drives.bodies.coordinates, number(0)
    accelerations: dict[int, Expr] = {}
    held: dict[str, list[Expr]] = {word: [zero] * len(drives.q) for word in ("hold", "lower", "upper")}
    for place, drive in drives.flexible.items():
        k = place - drives.first
        slip = slips.get(own.nv + k)
        pushed = expr(own.tau[place] + drive.spring.torque)
        moved = expr((pushed - drive.friction(True, slip)) / drive.rotor)
        accelerations[place] = moved if slip is None else slip * slip * moved
        if slip is not None:
            rest = replace(drive, speed=zero)
            held["hold"][k] = pushed
            held["lower"][k], held["upper"][k] = (rest.friction(True, number(way)) for way in (-1, 1))
    graph = with_motors(drives, graph, accelerations)
    names = [slips.get(own.nv + k, variable(f"{SLIP}_motor_{k}")) for k in range(len(drives.q))]
    longer = {SLIP: names, **held}

    def extended(array: Array) -> Array:
        return vector(array.name, [*array.entries, *longer[array.name]]) if array.name in longer else array

    return replace(graph, inputs=tuple(map(extended, graph.inputs)), outputs=tuple(map(extended, graph.outputs)))


def _slips(robot: Robot, bodies: Tree) -> dict[int, Expr]:
    """The way each joint slips that may stick, by its place in qd."""
    owners = bodies.coordinates.owners
    found: dict[int, Expr] = {}
    turning = {j for shaft in bodies.shafts if not shaft.coulomb.is_zero for j in shaft.row}
    for body in bodies.bodies:
        if body.is_rotor or not (joint_jumps(robot.frame(body.j)) or body.j in turning):
            continue
        name = robot.frame(body.j).joint.name
        if body.j not in owners:
            problem = "follows others and has Coulomb friction: only joints with a coordinate of their own can stick; use friction='smooth'"
            raise RobotError([Problem(f"joint '{name}'", problem)], robot.name)
        place = owners.index(body.j)
        found[place] = variable(f"{SLIP}{body.j}")
    for shaft in bodies.shafts:
        if len(shaft.row) > 1 and not shaft.coulomb.is_zero:
            name = robot.frame(shaft.motor).joint.name
            problem = "its motor turns with several joints and has Coulomb friction, which can stick in no joint alone; use friction='smooth'"
            raise RobotError([Problem(f"joint '{name}'", problem)], robot.name)
    return found


def _graph(
    robot: Robot, bodies: Tree, tau: Sequence[Expr], slips: Mapping[int, Expr], what: What, wrench: Wrenches
) -> Graph:
    scope = Scope()
    own, owners = bodies.coordinates, bodies.coordinates.owners
    count = len(owners)
    A = factorised.lower_triangle(bodies, scope, MATRIX_ROUTE)
    H = factorised.torques_of(bodies, scope)
    by_axis = {owners[place]: s for place, s in slips.items()}
    springs = own.torques({body.j: expr(body.spring.torque) for body in bodies.bodies})
    friction = own.torques({body.j: joint_friction(bodies, body, True, by_axis.get(body.j)) for body in bodies.bodies})
    drive = [scope.scalar("B", axis, x - k - h) for axis, x, k, h in zip(owners, tau, springs, H, strict=True)]
    moved = [x - f for x, f in zip(drive, friction, strict=True)]
    free: dict[int, Scalar] = {place: scope.scalar("MS", owners[place], s * s) for place, s in slips.items()}
    masked, right = _masked(A, moved, free)
    qdd = factorised.solved(masked, right, owners, scope, Pivots())
    outputs = [vector("qdd", qdd)]
    if what == "judgement":
        # The friction of a joint that sticks (s = 0) is in ``moved`` without what jumps, and ``lower`` and ``upper`` have its offset.
        offsets = _levels(bodies, slips, 0, count)
        outputs.append(vector("hold", [x + c - y for x, c, y in zip(moved, offsets, _product(A, qdd), strict=True)]))
        outputs += [vector(word, _levels(bodies, slips, s, count)) for word, s in (("lower", -1), ("upper", 1))]
    inputs = list(state_inputs(robot, ("q", "qd", "tau"), wrench))
    names = [slips.get(place, variable(f"{SLIP}_{place}")) for place in range(count)]
    inputs.insert(3, Array(SLIP, (count,), tuple(names)))
    return graph_of(robot, "sticking-dynamics", inputs, outputs, scope.names)


def _masked(
    A: factorised.Rows, b: Sequence[Scalar], free: Mapping[int, Scalar]
) -> tuple[factorised.Rows, list[Scalar]]:
    """m A m + 1 - m and m b: rows and columns of sticking joints are those of the unit matrix."""
    found: factorised.Rows = {}
    for k, row in A.items():
        m = free.get(k, 1)
        found[k] = {i: m * free.get(i, 1) * entry for i, entry in row.items() if i != k}
        entry = row.get(k, 0)
        found[k][k] = m * entry + (1 - m) if k in free else entry
    return found, [free.get(k, 1) * x for k, x in enumerate(b)]


def _product(A: factorised.Rows, x: Sequence[Scalar]) -> list[Scalar]:
    """A x of a lower triangle."""
    found: list[Scalar] = [0] * len(x)
    for k, row in A.items():
        for i, entry in row.items():
            if is_zero(entry):
                continue
            found[k] = found[k] + entry * x[i]
            if i != k:
                found[i] = found[i] + entry * x[k]
    return found


def _levels(bodies: Tree, slips: Mapping[int, Expr], way: int, count: int) -> list[Scalar]:
    """The friction from rest, one way (0: the offset alone), of the joints that may stick."""
    found: list[Scalar] = [0] * count
    own = bodies.coordinates
    resting = replace(bodies, bodies=tuple(_at_rest(body) for body in bodies.bodies))
    for place in slips:
        body = next(body for body in resting.bodies if body.j == own.owners[place] and not body.is_rotor)
        found[place] = joint_friction(resting, body, True, number(way))
    return found


def _at_rest(body: Body) -> Body:
    return replace(body, speed=number(0))
