"""First and second order kinematics of parallel robots (Khalil 2010, equations 60 to 65): between the twist of the platform and the
velocities of the joints of its legs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...expr import expr
from ...generated import Model
from ...program import Array, Scope
from ...spatial.scalar import Scalar
from ...spatial.vectors import apply
from ..common import matrix
from ..parallel.coordinates import PlatformCoordinates, platform_coordinates
from ..parallel.leg_algorithms import ways_for
from ..parallel.platform_model import platform_graph, platform_model, require_none_carried
from ..parallel.trees import WRENCH_ON_ENVIRONMENT
from ..resolve import Resolved
from ..tree.bodies import halves

STATES = (("q",), ("q", "qd"), ("q", "qd", "qdd"))


def inverse_jacobian(resolved: Resolved) -> Model:
    """J_inv (motors x 6) at a pose: qd = J_inv twist. Columns of components that are never free are zero."""
    own = _coordinates(resolved, 0)
    rows = [own.whole(own.motor_rows[j]) for j in own.module.motors]
    return _model(resolved, own, "jacobian-inverse", [matrix("J_inv", rows, 6)])


def jacobian(resolved: Resolved) -> Model:
    """J (6 x motors) at a pose: twist = J qd."""
    own = _coordinates(resolved, 0)
    m = len(own.module.motors)
    found = own.twist_from([[int(i == k) for k in range(m)] for i in range(m)])
    rows: list[Sequence[Scalar]] = [[0] * m for _ in range(6)]
    for place, row in zip(own.space.places, found, strict=True):
        rows[place] = row
    return _model(resolved, own, "jacobian", [matrix("J", rows, m)])


def joint_velocities(resolved: Resolved, passive: bool) -> Model:
    """qd of the motors for the pose and twist of the platform; with ``passive`` those of all other leg joints too."""
    own = _coordinates(resolved, 1)
    return _model(resolved, own, "velocities", _of_joints(own, own.speeds, "qd", passive), passive=passive)


def joint_accelerations(resolved: Resolved, passive: bool) -> Model:
    """qdd of the motors for the pose, twist and twist_rate of the platform; with ``passive`` those of all other leg joints too."""
    own = _coordinates(resolved, 2)
    return _model(resolved, own, "accelerations", _of_joints(own, own.accelerations, "qdd", passive), passive=passive)


def static_torques(resolved: Resolved) -> Model:
    """tau of the motors by which the platform, at rest, exerts a wrench on the environment: force and moment in its axes at its
    origin. Weights are left out (see gravity)."""
    own = _coordinates(resolved, 0)
    force, moment = halves(list(WRENCH_ON_ENVIRONMENT))
    R = own.state.columns
    wrench = [*apply(R, force), *apply(R, moment)]
    tau = [row[0] for row in own.to_motors([[wrench[k]] for k in own.space.places])]
    output = Array("tau", (len(tau),), tuple(map(expr, tau)))
    graph = platform_graph(
        own, "static-torques", ("q",), [output], [Array("wrench", (6,), WRENCH_ON_ENVIRONMENT)], carried=False
    )
    return resolved.finished(platform_model(own, resolved.legs, "static-torques", graph, {}))


def _coordinates(resolved: Resolved, order: int) -> PlatformCoordinates:
    if not resolved.by_motors:
        return platform_coordinates(resolved.robot, resolved.legs, Scope(), order)
    ways = ways_for(resolved.robot, resolved.legs, order)
    own = platform_coordinates(resolved.robot, resolved.legs, Scope(), order, ways.seen_from, by_motors=True)
    require_none_carried(own.module)
    return own


def _of_joints(own: PlatformCoordinates, found: Mapping[int, Scalar], name: str, passive: bool) -> list[Array]:
    motors = own.module.motors
    arrays = [Array(name, (len(motors),), tuple(expr(found[j]) for j in motors))]
    others = [j for j in own.module.joints if j not in motors]
    if passive and others:
        arrays.append(Array("passive", (len(others),), tuple(expr(found[j]) for j in others)))
    return arrays


def _model(
    resolved: Resolved, own: PlatformCoordinates, name: str, outputs: Sequence[Array], **options: object
) -> Model:
    graph = platform_graph(own, name, STATES[own.state.order], outputs, carried=False)
    return resolved.finished(platform_model(own, resolved.legs, name, graph, options))
