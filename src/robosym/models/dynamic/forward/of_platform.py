"""The acceleration of a parallel robot from the torques of its motors.

With A the inertia felt at the platform, h the bias there, and M the rows of motors and constraints,

    A twist_rate + h = M^T (tau, lambda),    K twist_rate = -k  where there are constraints.

The accelerations of the motors are their rows times twist_rate, and their drift.
"""

from __future__ import annotations

from ....expr import expr
from ....generated import Model
from ....program import Array
from ....spatial.scalar import Scalar
from ...linear_systems.by_blocks import symmetric_solved
from ...parallel.coordinates import solved_square
from ..coefficients.inertia_matrix import entries_of
from ..request import PreparedPlatform

NAME = "forward-dynamics"


def platform_model(asked: PreparedPlatform) -> Model:
    """twist_rate, or qdd of the motors in their coordinates. Torques act on the platform in the request."""
    own, scope = asked.platform, asked.scope()
    rate = _rate(asked)
    if own.by_motors:
        pairs = zip(own.module.motors, own.motor_drifts, strict=True)
        qdd = [sum((x * r for x, r in zip(own.motor_rows[j], rate, strict=True)), drift) for j, drift in pairs]
        output = Array("qdd", (len(qdd),), tuple(map(expr, qdd)))
    else:
        output = Array("twist_rate", (6,), tuple(map(expr, own.whole(rate))))
    return asked.model(NAME, asked.graph(NAME, ("q", "qd", "tau"), [output], scope))


def _rate(asked: PreparedPlatform) -> list[Scalar]:
    """The free components of twist_rate."""
    own, scope = asked.platform, asked.scope()
    h = own.torques(asked.torques(asked.recursion, scope)[1])  # while the platform does not accelerate
    A = own.full(entries_of(asked, scope))
    free, motors = own.space.places, own.module.motors
    right = []
    for place, k in enumerate(free):
        pushed: Scalar = 0
        for j, x in zip(motors, own.motor_symbols("tau"), strict=True):
            pushed = pushed + own.motor_rows[j][place] * x
        right.append([pushed - h[k]])
    matrix = [[A[i][k] for k in free] for i in free]
    if own.space.constant:
        return [row[0] for row in symmetric_solved(matrix, right, scope)]
    K = own.constraint_rows
    whole = [[*row, *(k[i] for k in K)] for i, row in enumerate(matrix)]
    whole += [[*k, *([0] * len(K))] for k in K]
    late = [[-x] for x in own.constraint_drifts]
    return [row[0] for row in solved_square(whole, [*right, *late], scope)[: len(free)]]
