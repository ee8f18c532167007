"""Passivity-based control (Slotine and Li 1987), with the robot's parameters as they are known.

With e = q_d - q, the reference speeds v = qd_d + Lambda e, their rates a and s = v - qd (which is e' + Lambda e),

    Gamma = A(q) a + C(q, qd) v + Q(q) + K s    gives    A s' + C s + K s = 0,

and the energy 1/2 s^T A s falls by s^T K s, since A' - 2 C is skew-symmetric: nothing is cancelled but gravity, so
that it stays stable where the model is not quite right. s goes to zero exponentially, and e with it at the rates
Lambda.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..expr import parameter
from ..models import passive_dynamics
from ..models.inertial_parameters.sets import Parameters
from ..models.resolve import Near
from ..models.tree.friction import FrictionKind
from ..reals import Floats
from ..robot import Robot
from .assembly import WANTED, Period
from .computed_torque import positive
from .declaration import law
from .inertias import inertia_setting
from .joints import Joints, joints_of
from .law import Gains, Law, setting
from .parts import Parts, every_joint_driven, law_of_parts, tuning_of
from .saturation import TauLimits, torque_limits
from .velocity import Speeds, Velocity, speeds

Numbers = float | Sequence[float]


@law("passive", rank=5)
def passive(
    robot: Robot,
    *,
    bandwidth: Numbers = 10.0,
    K: Numbers | None = None,
    inertia: Numbers | None = None,
    friction: FrictionKind = False,
    velocity: Velocity = "measured",
    period: Period = 1e-3,
    limits: TauLimits = True,
    parameters: Parameters = "standard",
    mode: str | None = None,
    near: Near = None,
) -> Law:
    """Passivity-based control (Slotine and Li), robust against model errors.

    The law compensates gravity and adds the dynamics of a reference motion. It cancels nothing else, so that it stays
    stable with an inexact model. It needs a fixed base and a motor for every coordinate.

    Parameters
    ----------
    robot
        Robot.
    bandwidth
        Bandwidth of the position error [rad/s]: one number, or one per actuated joint. It is Lambda: the rate at
        which position errors decay on the sliding surface s = 0.
    K
        Gain of the sliding variable [N m s/rad or N s/m]: one number, or one per actuated joint. None: inertia times
        bandwidth. A single joint of that inertia then has two poles at -bandwidth.
    inertia
        Inertia that each motor moves [kg m^2 or kg]: one number, or one per actuated joint. None: the largest
        diagonal entry of the inertia matrix over the joint ranges. Not read if K is given.
    friction
        Joint friction that the law compensates: False (none), True (as described) or "smooth" (its smooth variant).
        "smooth" requires a width in the description of every joint whose friction jumps. The friction is evaluated at
        the reference velocities v.
    velocity
        Source of the joint velocities: "measured", or the cut-off of a filter of positions [rad/s]. With a cut-off,
        velocities are low-pass filtered differences of the positions from call to call. A floating base always
        measures its twist.
    period
        Time between two calls [s]. At most 10 s.
    limits
        Torque limits [N m or N]: True as described, False for none, one number, or one per actuated joint. Torques
        are cut off at these limits. An effort limit that is missing or 0 in the description is no limit.
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Both sets give the same torques.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects
        the mode of the joint positions in the description, otherwise the first mode. Control takes a parallel robot
        as closed loops, so that its modes are assembly modes.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of
        its name.

    Returns
    -------
    Law
        Inputs q, qd, q_d, qd_d and qdd_d; output tau.

    Notes
    -----
    Slotine and Li (1987). With e = q_d - q, the reference velocity v = qd_d + Lambda e, its rate a and s = v - qd:

    - ``tau = A(q) a + C(q, qd) v + Q(q) + K s`` gives ``A s' + C s + K s = 0``.
    - The energy 1/2 s^T A s decreases by s^T K s, since A' - 2 C is skew-symmetric.
    - s decays exponentially, and e decays with it at the rates Lambda.
    """
    joints = every_joint_driven(joints_of(robot, law="passive"), "passive")
    robot = joints.robot
    period, most = float(period), torque_limits(joints, limits)
    found = speeds(joints, velocity, period)
    settings, make = passive_settings(joints, bandwidth, K, inertia, mode, near)
    options: dict[str, Any] = {"friction": friction, "parameters": parameters}
    model = passive_dynamics(robot, wrench="none", mode=mode, near=near, **options)
    parts = Parts()
    reference_speeds(parts, joints, found)
    parts.model(model, "model", {"q": "q", "qd": found.name, "v": "v", "a": "a", "tau": "tau_model"})
    n = joints.count

    def total(tau_model: Any, s: Any) -> dict[str, Any]:
        return {WANTED: tau_model + [parameter(f"K{j}") * x for j, x in zip(joints.suffixes, s, strict=True)]}

    parts.run("total", {"tau_model": (n,), "s": (n,)}, total)
    groups = dict.fromkeys(("Lambda", "K"), joints.suffixes)
    return law_of_parts(
        "passive",
        joints,
        found,
        joints.wanted(["q_d", "qd_d", "qdd_d"]),
        parts,
        tuning_of(settings, make, groups, joints, found, most, period),
        period=period,
        limits=most,
        reference="joints",
        options=options,
    )


def passive_settings(
    joints: Joints, bandwidth: Any, K: Any, inertia: Any, mode: str | None, near: Near
) -> tuple[dict[str, Floats], Any]:
    """Lambda and K, or what they follow from."""
    settings = {"bandwidth": setting("bandwidth", bandwidth, joints.count)}
    if K is None:
        settings["inertia"] = inertia_setting(joints, inertia, mode, near)
    else:
        settings["K"] = setting("K", K, joints.count)
    for name, values in settings.items():
        positive(name, values)
    return settings, _from_inertia if K is None else _as_given


def _from_inertia(bandwidth: Any, inertia: Any) -> Gains:
    positive("bandwidth", bandwidth)
    return {"Lambda": bandwidth, "K": np.asarray(inertia) * np.asarray(bandwidth)}


def _as_given(bandwidth: Any, K: Any) -> Gains:
    positive("bandwidth", bandwidth)
    positive("K", K)
    return {"Lambda": bandwidth, "K": K}


def reference_speeds(parts: Parts, joints: Joints, found: Speeds) -> None:
    """v, a and s."""

    def reference(q: Any, qd: Any, q_d: Any, qd_d: Any, qdd_d: Any) -> dict[str, Any]:
        Lambda = np.array([parameter(f"Lambda{j}") for j in joints.suffixes], dtype=object)
        v = qd_d + Lambda * (q_d - q)
        return {"v": v, "a": qdd_d + Lambda * (qd_d - qd), "s": v - qd}

    shapes = dict.fromkeys(("q", "qd", "q_d", "qd_d", "qdd_d"), (joints.count,))
    parts.run("reference speeds", shapes, reference, **({"qd": found.name} if found.name != "qd" else {}))
