"""The linearised model along a motion: A and B at every sample of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..brief import one_line
from ..models import discrete as discrete_model
from ..models import inverse_dynamics, models_of
from ..models import linearised as linearised_model
from ..models.common import ASSEMBLED
from ..options.markers import Positive
from ..options.validate import validated
from ..reals import Floats
from ..robot import Robot
from ..robot.joint_entries import require_no_quaternion
from .bounds import TURNING
from .trajectory import Trajectory, TrajectoryError


@dataclass(frozen=True, eq=False, repr=False)
class LinearisedMotion:
    """Linearised models at samples of a motion, for small deviations from it.

    The models are ``x' = A x + B u``, or ``x+ = A x + B u`` if they are discrete. Arrays have a row for each time.

    Attributes
    ----------
    time
        Times of the samples [s].
    q
        Joint positions [rad or m].
    qd
        Joint velocities [rad/s or m/s].
    tau
        Torques of the motion [N m or N].
    A
        Matrix of the state.
    B
        Matrix of the torques.
    C
        Output matrix of the state; None unless outputs were requested.
    D
        Output matrix of the torques; None unless outputs were requested.
    """

    __repr__ = one_line

    time: Floats
    q: Floats
    qd: Floats
    tau: Floats
    A: Floats
    B: Floats
    C: Floats | None = None
    D: Floats | None = None


@validated
def linearised(
    robot: Robot,
    motion: Trajectory,
    *,
    rate: Positive = 100.0,
    discrete: bool = False,
    friction: Any = False,
    **options: Any,
) -> LinearisedMotion:
    """Linearised model of a robot at samples along a motion of its joints.

    Parameters
    ----------
    robot
        Robot.
    motion
        Motion of the joints.
    rate
        Sampling rate [Hz].
    discrete
        Whether the model is discrete: over the time between samples, with torques held.
    friction
        Joint friction of the description: False (excluded), True (included) or "smooth" (its smooth variant).
        "smooth" requires a width in the description of every joint whose friction jumps.
    **options
        Further options of ``robosym.models.linearised``.

    Returns
    -------
    LinearisedMotion
        Matrices at every sample.

    Raises
    ------
    TrajectoryError
        For a floating base or flexible joints, whose torques do not follow from the motion of the joints.
    """
    if robot.base.floating or "flexible-joint-forward-dynamics" in models_of(robot):
        raise TrajectoryError(
            f"{robot.name}: its torques do not follow from the motion of its joints alone (a free base, or flexible joints): "
            "call robosym.models.linearised with states and torques"
        )
    require_no_quaternion(robot, *TURNING)
    if motion.start.shape != (robot.nq,):
        raise TrajectoryError(f"{robot.name}: the motion has {motion.start.size} joints, expected {robot.nq}")
    samples = motion.sampled(rate)
    state = {"q": samples.q, "qd": samples.qd}
    loops = {key: options[key] for key in ("mode", "near", "structure") if key in options}
    tau = np.asarray(
        inverse_dynamics(robot, friction=friction, wrench="none", **loops).compile()(**state, qdd=samples.qdd)
    )
    make = discrete_model if discrete else linearised_model
    more = {"dt": np.full(len(samples.time), 1 / rate)} if discrete else {}
    made = make(robot, friction=friction, wrench="none", **options).compile()(**state, tau=tau, **more)
    if not np.all(made.get(ASSEMBLED, 1)):
        raise TrajectoryError(f"{robot.name}: the closed loops cannot be assembled everywhere on this motion")
    A, B = ("Ad", "Bd") if discrete else ("A", "B")
    return LinearisedMotion(samples.time, samples.q, samples.qd, tau, made[A], made[B], made.get("C"), made.get("D"))
