"""Adaptive control (Slotine and Li 1987): the base parameters of the robot are corrected while it moves.

In the torques of ``passive.py``, A a + C v + Q = Y(q, qd, v, a) chi, linear in the base parameters chi. With
estimates of them,

    Gamma = Y chi_hat + K s,    chi_hat' = P Y^T s,

the function 1/2 s^T A s + 1/2 (chi_hat - chi)^T P^-1 (chi_hat - chi) falls by s^T K s: s and the error of the motion
go to zero whatever chi is. The estimates go to chi as far as the motion shows them. At every call they move by the
period times their rate, after the torques.

What keeps estimates from drifting where noise, friction or limits of torque make what is left: ``dead_zone`` takes
that much off every s_i in their rate; ``sigma`` pulls them back to where they began, chi_hat' = P (Y^T s - sigma
(chi_hat - chi_0)); ``spread`` holds them within chi_0 - spread and chi_0 + spread. They stand still while a motor is
at its limit, and where something is not a number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..expr import Expr, absolute, expr, logical_and, maximum, minimum, number, parameter, select
from ..models import passive_regressor
from ..models.regressors.regressor import Regressor
from ..models.regressors.terms import FrictionTerm
from ..models.resolve import Near
from ..program.of_arrays import program_of, run_over
from ..program.routine import Slot, Stage
from ..reals import Floats
from ..robot import Robot
from .assembly import WANTED, Period
from .declaration import law
from .integral import LARGEST
from .joints import Joints, joints_of
from .law import ControlError, Gains, Law, setting
from .parts import Parts, every_joint_driven, law_of_parts, not_negative, tuning_of
from .passive import Numbers, passive_settings, reference_speeds
from .samples import samples
from .saturation import TauLimits, limited, torque_limits
from .velocity import Velocity, speeds

CHI, MOVED = "chi", "chi_moved"
# The settings of the estimates, and the names of what they are in the code.
GROUPS = {"start": "chi0_", "P": "P_", "sigma": "sigma", "spread": "spread_", "dead_zone": "dead_zone"}


@law("adaptive", rank=6)
def adaptive(
    robot: Robot,
    *,
    bandwidth: Numbers = 10.0,
    P: Numbers | None = None,
    K: Numbers | None = None,
    inertia: Numbers | None = None,
    start: Mapping[str, float] | Numbers | None = None,
    friction: bool | Sequence[FrictionTerm] = False,
    sigma: float | None = None,
    spread: Numbers | None = None,
    dead_zone: Numbers | None = None,
    velocity: Velocity = "measured",
    period: Period = 1e-3,
    limits: TauLimits = True,
    mode: str | None = None,
    near: Near = None,
) -> Law:
    """Adaptive control (Slotine and Li), which estimates base parameters in motion.

    The torque is that of passivity-based control, with estimates of the base inertial parameters. The tracking error
    goes to zero whatever the true parameters are. The estimates approach the true values as far as the motion excites
    them. It needs a fixed base and a motor for every coordinate.

    Noise, friction or torque limits can make estimates drift; dead_zone, sigma and spread prevent this. Estimates
    stand still while a motor is at its torque limit, and where a value is not a number.

    Parameters
    ----------
    robot
        Robot.
    bandwidth
        Bandwidth of the position error [rad/s]: one number, or one per actuated joint. It is Lambda: the rate at
        which position errors decay on the sliding surface s = 0.
    P
        Adaptation gain: one number, or one per base parameter. ``law.model.options["columns"]`` names the parameters.
        None: gains with which the estimates act on no joint faster than its bandwidth. These gains assume velocities
        of at most 1 rad/s or m/s, and accelerations within the bandwidth.
    K
        Gain of the sliding variable [N m s/rad or N s/m]: one number, or one per actuated joint. None: inertia times
        bandwidth. A single joint of that inertia then has two poles at -bandwidth.
    inertia
        Inertia that each motor moves [kg m^2 or kg]: one number, or one per actuated joint. None: the largest
        diagonal entry of the inertia matrix over the joint ranges. Not read if K is given.
    start
        Initial estimates of the base parameters: values by name, one number for all, or one number each. None: the
        values of the description. Values by name replace some of these.
    friction
        Joint friction that is estimated too: False (none), True (as described) or a list of friction terms. Terms are
        "viscous", "coulomb", "offset", "asymmetric" (Coulomb friction that differs by direction) and "coupled" (of
        joints that several motors move). "asymmetric" goes with "coulomb", and excludes "offset". Friction is
        evaluated at the reference velocities v.
    sigma
        Leakage that pulls the estimates back to their initial values: one number. An estimate returns with the rate P
        sigma [1/s]. None: no leakage.
    spread
        Largest deviation of the estimates from their initial values: one number, or one per base parameter. In the
        units of the parameters. None: no bound.
    dead_zone
        Dead zone of the sliding variable in the adaptation [rad/s or m/s]: one number, or one per actuated joint.
        This much is subtracted from the size of each entry of s in the adaptation. None: no dead zone.
    velocity
        Source of the joint velocities: "measured", or the cut-off of a filter of positions [rad/s]. With a cut-off,
        velocities are low-pass filtered differences of the positions from call to call. A floating base always
        measures its twist.
    period
        Time between two calls [s]. At most 10 s.
    limits
        Torque limits [N m or N]: True as described, False for none, one number, or one per actuated joint. Torques
        are cut off at these limits. An effort limit that is missing or 0 in the description is no limit.
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
        Inputs q, qd, q_d, qd_d and qdd_d; outputs tau and ``chi``, the estimates. The state ``chi_moved`` holds how
        far the estimates have moved from their initial values.

    Notes
    -----
    Slotine and Li (1987). With the regressor Y(q, qd, v, a) of the base parameters chi:

    - ``tau = Y chi_hat + K s`` and ``chi_hat' = P Y^T s``.
    - ``1/2 s^T A s + 1/2 (chi_hat - chi)^T P^-1 (chi_hat - chi)`` decreases by s^T K s.
    - With sigma: ``chi_hat' = P (Y^T s - sigma (chi_hat - chi_0))``.

    After each call the estimates move by the period times their rate.
    """
    joints = every_joint_driven(joints_of(robot, law="adaptive"), "adaptive")
    robot = joints.robot
    period, most = float(period), torque_limits(joints, limits)
    found = speeds(joints, velocity, period)
    Y = passive_regressor(robot, friction=friction, mode=mode, near=near)
    settings, make = passive_settings(joints, bandwidth, K, inertia, mode, near)
    rates = _default_rates(Y, **make(**settings)) if P is None else P
    estimates = _estimates(joints, Y, rates, start, sigma, spread, dead_zone)
    groups = {**dict.fromkeys(("Lambda", "K"), joints.suffixes), **_groups(joints, Y, estimates)}

    def gains(**values: Any) -> Gains:
        own = make(**{name: values[name] for name in settings})
        not_negative(**{name: values[name] for name in estimates if name != "start"})
        return {**own, **{GROUPS[name]: values[name] for name in estimates}}

    parts = Parts()
    reference_speeds(parts, joints, found)
    parts.model(Y, "model", {"q": "q", "qd": found.name, "v": "v", "a": "a", "Y": "Y"})
    _torques(parts, joints, Y)
    p = len(Y.columns)
    return law_of_parts(
        "adaptive",
        joints,
        found,
        joints.wanted(["q_d", "qd_d", "qdd_d"]),
        parts,
        tuning_of({**settings, **estimates}, gains, groups, joints, found, most, period),
        period=period,
        limits=most,
        state=(Slot(MOVED, (p,), "what the estimates have moved by"),),
        outputs=(Slot(CHI, (p,), f"estimates of {', '.join(Y.columns)}"),),
        after=(_update(joints, Y, estimates, most, period),),
        reference="joints",
        options={"friction": Y.options["friction"], "columns": list(Y.columns)},
    )


# --- settings ------------------------------------------------------------------------------------------------------------


def _estimates(
    joints: Joints, Y: Regressor, P: Any, start: Any, sigma: Any, spread: Any, dead_zone: Any
) -> dict[str, Floats]:
    count = len(Y.columns)
    found = {"start": _start(Y, start), "P": setting("P", P, count, least=0.0)}
    if sigma is not None:
        found["sigma"] = setting("sigma", sigma, 1, least=0.0)
    if spread is not None:
        found["spread"] = setting("spread", spread, count, least=0.0)
    if dead_zone is not None:
        found["dead_zone"] = setting("dead_zone", dead_zone, joints.count, least=0.0)
    return found


def _default_rates(Y: Regressor, Lambda: Any, K: Any) -> Floats:
    """P with (Y P Y^T)_ii <= a_i w_i^2 = K_i w_i at the states looked at: alone, a_i s'' + K_i s' + (Y P Y^T)_ii s =
    0 of a joint has at least the damping 1/2. Every parameter has the most that each joint would bear of it alone,
    less what all of them together are too much."""
    n = len(Lambda)
    entries, _ = samples(Y, "Y", qd=np.ones(n), v=np.ones(n), a=Lambda)
    squares = (
        Y.dense(entries, "Y") ** 2 / (K * Lambda)[:, None]
    )  # of each state, joint and parameter, beside what is borne
    largest = squares.max(axis=0)
    used = largest > 0
    alone = 1 / np.where(used.any(axis=0), largest.max(axis=0), 1.0)
    together = np.maximum((squares * alone).sum(axis=2).max(axis=0), 1.0)  # of each joint
    return np.asarray(
        np.where(used.any(axis=0), alone / np.where(used, together[:, None], 0.0).max(axis=0, initial=1.0), 0.0)
    )


def _start(Y: Regressor, start: Any) -> Floats:
    if start is not None and not isinstance(start, Mapping):
        return setting("start", start, len(Y.columns))
    given = dict(start or {})
    unknown = [name for name in given if name not in Y.columns]
    if unknown:
        raise ControlError(
            f"start: {Y.robot.name} has no base parameter {', '.join(map(repr, unknown))} (it has {', '.join(Y.columns)})"
        )
    known = {} if len(given) == len(Y.columns) else Y.described_values()
    numbers = {**known, **{name: float(setting(f"start of {name}", x, 1)[0]) for name, x in given.items()}}
    return np.array([numbers[name] for name in Y.columns], dtype=float)


def _groups(joints: Joints, Y: Regressor, estimates: Mapping[str, Floats]) -> dict[str, tuple[str, ...]]:
    of = {"sigma": ("",), "dead_zone": joints.suffixes}
    return {GROUPS[name]: of.get(name, tuple(Y.columns)) for name in estimates}


# --- the law -------------------------------------------------------------------------------------------------------------


def _torques(parts: Parts, joints: Joints, Y: Regressor) -> None:
    """Y chi_hat + K s."""
    n, p, places = joints.count, len(Y.columns), Y.places["Y"]

    def torques(Y_: Any, s: Any, chi_moved: Any) -> dict[str, Any]:
        chi = [parameter(f"{GROUPS['start']}{name}") + x for name, x in zip(Y.columns, chi_moved, strict=True)]
        tau = [parameter(f"K{j}") * x for j, x in zip(joints.suffixes, s, strict=True)]
        for entry, (row, column) in zip(Y_, places, strict=True):
            tau[row] = tau[row] + entry * chi[column]
        return {WANTED: tau, CHI: chi}

    parts.run("torques", {"Y_": (len(places),), "s": (n,), MOVED: (p,)}, torques, Y_="Y")


def _update(joints: Joints, Y: Regressor, estimates: Mapping[str, Floats], most: Floats, period: float) -> Stage:
    """chi_hat at the next call."""
    n, p, places = joints.count, len(Y.columns), Y.places["Y"]
    limits = limited(joints, most)

    def moved(Y_: Any, s: Any, tau_wanted: Any, chi_moved: Any) -> dict[str, Any]:
        if "dead_zone" in estimates:
            s = [_beyond(x, parameter(f"dead_zone{j}")) for x, j in zip(s, joints.suffixes, strict=True)]
        rates: list[Expr] = [number(0)] * p
        for entry, (row, column) in zip(Y_, places, strict=True):
            rates[column] = rates[column] + entry * s[row]
        steady = expr(1)
        for k, name in limits.items():
            steady = logical_and(steady, absolute(tau_wanted[k]) < parameter(name))
        after = []
        for name, rate, now in zip(Y.columns, rates, chi_moved, strict=True):
            pulled = rate - parameter("sigma") * now if "sigma" in estimates else rate
            new = now + period * (parameter(f"P_{name}") * pulled)
            if "spread" in estimates:
                most_moved = parameter(f"spread_{name}")
                new = maximum(minimum(new, most_moved), -most_moved)
            steady = logical_and(steady, absolute(new) < LARGEST)
            after.append(new)
        return {"chi_moved_now": [select(steady, new, now) for new, now in zip(after, chi_moved, strict=True)]}

    shapes = {"Y_": (len(places),), "s": (n,), "tau_wanted": (n,), MOVED: (p,)}
    return run_over(program_of("estimates", shapes, moved), Y_="Y")


def _beyond(x: Expr, zone: Expr) -> Expr:
    """What of x is outside -zone to zone."""
    return x - maximum(minimum(x, zone), -zone)
