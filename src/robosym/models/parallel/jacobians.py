"""First and second order kinematics of a platform: J_p^-1, J_p, speeds and accelerations, forces (Khalil 2010, equations 60 to 65)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...expr import expr
from ...generated import Model
from ...program import Array, Scope, optimised
from ...robot import Robot
from ...spatial.scalar import Scalar
from ...spatial.vectors import apply
from ..common import model
from ..request import truths
from ..tree.bodies import halves
from .kinematics import Kinematics, kinematics, modes_of
from .notes import with_notes
from .platform_body import WRENCH_ON_ENVIRONMENT
from .pose import state_arrays
from .status import status_array

Near = Mapping[str, float] | None


def jacobian_inverse(robot: Robot, *, mode: str | None = None, near: Near = None) -> Model:
    """J_inv (motors x 6) at a pose: qd = J_inv twist. Columns of components that are never free are zero."""
    motion = _motion(robot, 0, mode, near)
    rows = [_widened(motion, motion.motor_rows[j]) for j in motion.module.motors]
    return _made(motion, "jacobian-inverse", [_matrix("J_inv", rows)])


def jacobian(robot: Robot, *, mode: str | None = None, near: Near = None) -> Model:
    """J (6 x motors) at a pose: twist = J qd."""
    motion = _motion(robot, 0, mode, near)
    m = len(motion.module.motors)
    found = motion.twist_from([[int(i == k) for k in range(m)] for i in range(m)])
    rows: list[Sequence[Scalar]] = [[0] * m for _ in range(6)]
    for place, row in zip(motion.space.places, found, strict=True):
        rows[place] = row
    return _made(motion, "jacobian", [_matrix("J", rows)])


def velocities(robot: Robot, *, passive: bool = False, mode: str | None = None, near: Near = None) -> Model:
    """qd of the motors for the pose and twist of the platform; with ``passive`` those of all other leg joints too."""
    truths(robot, passive=passive)
    motion = _motion(robot, 1, mode, near)
    found: dict[int, Scalar] = {}
    for leg in motion.legs:
        found |= leg.speeds(leg.link_speeds(motion.seat_twist(leg)))
    return _made(motion, "velocities", _of_joints(motion, found, "qd", passive), passive)


def accelerations(robot: Robot, *, passive: bool = False, mode: str | None = None, near: Near = None) -> Model:
    """qdd of the motors for the pose, twist and twist_rate of the platform; with ``passive`` those of all other leg joints too."""
    truths(robot, passive=passive)
    motion = _motion(robot, 2, mode, near)
    found: dict[int, Scalar] = {}
    for leg in motion.legs:
        links = leg.link_speeds(motion.seat_twist(leg))
        found |= leg.accelerations(motion.seat_rate(leg), links)
    return _made(motion, "accelerations", _of_joints(motion, found, "qdd", passive), passive)


def static_torques(robot: Robot, *, mode: str | None = None, near: Near = None) -> Model:
    """tau of the motors by which the platform, at rest, exerts a wrench on the environment: force and moment in its axes at its
    origin. Weights are left out (see gravity)."""
    motion = _motion(robot, 0, mode, near)
    force, moment = halves(list(WRENCH_ON_ENVIRONMENT))
    R = motion.state.columns
    found = motion.to_motors([*apply(R, force), *apply(R, moment)])
    entries = tuple(expr(found[j]) for j in motion.module.motors)
    wrench = Array("wrench", (6,), WRENCH_ON_ENVIRONMENT)
    output = Array("tau", (len(entries),), entries)
    graph = motion.graph("static-torques", [*state_arrays(("pose",)), wrench], [output, *status_array(motion)])
    made = model(robot, "static-torques", optimised(graph), {"mode": motion.mode})
    return with_notes(made, motion)


def _motion(robot: Robot, order: int, mode: str | None, near: Near) -> Kinematics:
    return kinematics(robot, modes_of(robot).named(mode, near), Scope(), order)


def _widened(motion: Kinematics, row: Sequence[Scalar]) -> list[Scalar]:
    """With zeros for the components that are never free."""
    full: list[Scalar] = [0] * 6
    for place, x in zip(motion.space.places, row, strict=True):
        full[place] = x
    return full


def _matrix(name: str, rows: Sequence[Sequence[Scalar]]) -> Array:
    return Array(name, (len(rows), len(rows[0])), tuple(expr(x) for row in rows for x in row))


def _of_joints(motion: Kinematics, found: Mapping[int, Scalar], name: str, passive: bool) -> list[Array]:
    motors = motion.module.motors
    arrays = [Array(name, (len(motors),), tuple(expr(found[j]) for j in motors))]
    others = [j for j in motion.module.joints if j not in motors]
    if passive and others:
        arrays.append(Array("passive", (len(others),), tuple(expr(found[j]) for j in others)))
    return arrays


def _made(motion: Kinematics, name: str, outputs: Sequence[Array], passive: bool | None = None) -> Model:
    inputs = state_arrays(("pose", "twist", "twist_rate")[: motion.state.order + 1])
    graph = motion.graph(name, inputs, [*outputs, *status_array(motion)])
    options = {"mode": motion.mode} | ({} if passive is None else {"passive": passive})
    return with_notes(model(motion.module.robot, name, optimised(graph), options), motion)
