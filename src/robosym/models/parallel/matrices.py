"""Inertia matrix and energy of a platform on legs, in the platform's coordinates or the motors'."""

from __future__ import annotations

from collections.abc import Mapping

from ...expr import expr
from ...generated import Model
from ...program import Array, Scope, optimised
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.scalar import Scalar
from ...spatial.vectors import apply, dot, plus, times
from ..common import model
from ..dynamic.energy import kinetic_energy, twice_kinetic
from ..request import truths
from ..tree.composite import first_moment
from ..tree.velocities import AT_REST, Speed
from .dynamics import leg_tree
from .inertia import inertia_at_platform
from .kinematics import Kinematics, kinematics, modes_of, solved_square
from .notes import with_notes
from .platform_body import platform_inertia
from .pose import state_arrays
from .status import status_array
from .structure import CLOSED_LOOPS

Near = Mapping[str, float] | None


def inertia_matrix(
    robot: Robot, *, rotor_inertia: bool = True, of: str = "platform", mode: str | None = None, near: Near = None
) -> Model:
    """A (6 x 6) at a pose: the wrench W = A twist_rate on the platform, beside the bias; rows and columns of components that are
    never free are zero. ``of`` "motors" gives it in the motors' coordinates, tau = A qdd: J^T A J."""
    truths(robot, rotor_inertia=rotor_inertia)
    if of not in ("platform", "motors"):
        raise RobotError([Problem("of", f"got {of!r:.40}, expected 'platform' or 'motors'")], robot.name)
    motion = _motion(robot, 0, mode, near)
    without_carried(motion)
    A = inertia_at_platform(motion, rotor_inertia)
    free = motion.space.places
    if of == "motors":
        rows = inertia_of_motors(motion, [[A[i][k] for k in free] for i in free])
    else:
        rows = [[A[i][k] if i in free and k in free else 0 for k in range(6)] for i in range(6)]
    n = len(rows)
    array = Array("A", (n, n), tuple(expr(x) for row in rows for x in row))
    graph = motion.graph("inertia-matrix", state_arrays(("pose",)), [array, *status_array(motion)])
    options = {"rotor_inertia": rotor_inertia, "of": of, "mode": motion.mode}
    return with_notes(model(robot, "inertia-matrix", optimised(graph), options), motion)


def inertia_of_motors(motion: Kinematics, A: list[list[Scalar]]) -> list[list[Scalar]]:
    """J^T A J, by two solutions with M^T; symmetric by construction."""
    m = len(motion.module.motors)
    transposed = [list(column) for column in zip(*motion.matrix, strict=True)]
    half = solved_square(transposed, A, motion.scope)[:m]  # J^T A, by rows of the motors
    whole = solved_square(transposed, [list(column) for column in zip(*half, strict=True)], motion.scope)[:m]
    return [[whole[max(i, k)][min(i, k)] for k in range(m)] for i in range(m)]


def energy(robot: Robot, *, rotor_inertia: bool = True, mode: str | None = None, near: Near = None) -> Model:
    """kinetic, potential and total energy of the platform and its legs, for its pose and twist. Heights are those above the origin of
    frame 0."""
    truths(robot, rotor_inertia=rotor_inertia)
    motion = _motion(robot, 1, mode, near)
    without_carried(motion)
    values = energies(motion, rotor_inertia)
    outputs = [Array(name, (1,), (expr(value),)) for name, value in values.items()]
    graph = motion.graph("energy", state_arrays(("pose", "twist")), [*outputs, *status_array(motion)])
    options = {"rotor_inertia": rotor_inertia, "mode": motion.mode}
    return with_notes(model(robot, "energy", optimised(graph), options), motion)


def energies(motion: Kinematics, rotor: bool) -> dict[str, Scalar]:
    """Of the platform, in its own axes, and of each leg."""
    state, R, g = motion.state, motion.state.columns, motion.module.robot.gravity
    body = platform_inertia(motion)
    own = [(dot(R[0], x), dot(R[1], x), dot(R[2], x)) for x in (state.angular_velocity, state.velocity)]
    kinetic = twice_kinetic(body, Speed(own[0], own[1])) / 2
    potential = -dot(g, plus(times(body.mass, state.position), apply(R, body.moment)))
    for leg in motion.legs:
        speeds = leg.speeds(leg.link_speeds(motion.seat_twist(leg)))
        bodies = leg_tree(motion, leg, speeds, {})
        kinetic = kinetic + kinetic_energy(bodies, AT_REST, motion.scope, rotor)
        potential = potential - dot(g, first_moment(bodies, motion.scope))
        for one in bodies.bodies:
            potential = potential + one.spring.twice_energy / 2
    return {"kinetic": kinetic, "potential": potential, "total": kinetic + potential}


def _motion(robot: Robot, order: int, mode: str | None, near: Near) -> Kinematics:
    return kinematics(robot, modes_of(robot).named(mode, near), Scope(), order)


def without_carried(motion: Kinematics) -> None:
    """Refuse joints on the platform where a model does not know them."""
    joints = motion.module.carried_joints
    if joints:
        robot = motion.module.robot
        names = ", ".join(robot.frame(j).joint.name for j in joints)
        problem = f"{names} stand on the platform, which inverse_dynamics, bias and gravity know; {CLOSED_LOOPS}"
        raise RobotError([Problem("platform", problem)], robot.name)
