"""The acceleration of a platform from the forces of its motors.

With A the inertia felt at the platform, h the bias there, and M the rows of motors and constraints,

    A twist_rate + h = M^T (tau, lambda),    K twist_rate = -k  where there are constraints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...expr import Expr, expr, variable
from ...generated import Model
from ...program import Array, optimised
from ...robot import Robot
from ...spatial.scalar import Scalar
from ..common import model
from ..linear_systems.by_blocks import symmetric_solved
from ..tree.friction import FrictionKind
from .choice import motion_for
from .demand import Demand
from .driven import constraint_drifts
from .dynamics import on_the_platform
from .inertia import inertia_at_platform
from .kinematics import Kinematics, modes_of, solved_square
from .matrices import without_carried
from .notes import with_notes
from .platform_body import WRENCH_ON_ENVIRONMENT
from .pose import state_arrays
from .status import status_array
from .torques import demanded

Near = Mapping[str, float] | None


def forward_dynamics(
    robot: Robot,
    *,
    friction: FrictionKind = False,
    rotor_inertia: bool = True,
    wrench: str = "terminal",
    mode: str | None = None,
    near: Near = None,
) -> Model:
    """twist_rate of the platform for its pose and twist, tau of the motors, and the wrench that it exerts on the environment."""
    demand = demanded(robot, 1, "auto", friction, rotor_inertia, wrench)
    motion, ways = motion_for(robot, modes_of(robot).named(mode, near), demand)
    without_carried(motion)
    tau = motor_symbols(motion)
    rate = accelerated(motion, demand, ways, tau)
    inputs = [*state_arrays(("pose", "twist")), Array("tau", (len(tau),), tau)]
    optional = {}
    if demand.wrench:
        inputs.append(Array("wrench", (1, 6), WRENCH_ON_ENVIRONMENT))
        optional = {"wrench": (robot.frame(motion.module.platform.frame).name,)}
    output = Array("twist_rate", (6,), tuple(map(expr, rate)))
    graph = motion.graph("forward-dynamics", inputs, [output, *status_array(motion)])
    options = {
        "friction": friction,
        "rotor_inertia": rotor_inertia,
        "wrench": wrench,
        "mode": motion.mode,
    }
    return with_notes(model(robot, "forward-dynamics", optimised(graph), options, optional=optional), motion)


def motor_symbols(motion: Kinematics) -> tuple[Expr, ...]:
    return tuple(variable(f"tau{j}") for j in motion.module.motors)


def accelerated(motion: Kinematics, demand: Demand, ways: Mapping[object, str], tau: Sequence[Scalar]) -> list[Scalar]:
    """The rate of the twist."""
    h = on_the_platform(motion, demand, ways)
    A = inertia_at_platform(motion, demand.rotor)
    free = motion.space.places
    right = []
    for place, k in enumerate(free):
        pushed: Scalar = 0
        for j, x in zip(motion.module.motors, tau, strict=True):
            pushed = pushed + motion.motor_rows[j][place] * x
        right.append([pushed - h[k]])
    matrix = [[A[i][k] for k in free] for i in free]
    if motion.space.constant:
        found = symmetric_solved(matrix, right, motion.scope)
    else:
        K = motion.constraint_rows
        whole = [[*row, *(k[i] for k in K)] for i, row in enumerate(matrix)]
        whole += [[*k, *([0] * len(K))] for k in K]
        late = [[-x] for x in constraint_drifts(motion)]
        found = solved_square(whole, [*right, *late], motion.scope)[: len(free)]
    full: list[Scalar] = [0] * 6
    for place, (x,) in zip(free, found, strict=False):
        full[place] = x
    return full
