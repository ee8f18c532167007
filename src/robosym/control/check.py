"""Whether a law will work: the poles and margins of the sampled loop about a position of rest, and what is wrong in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..analysis.measures import finite_state
from ..analysis.vibrations import vibrations
from ..brief import brief, one_line
from ..errors import RobosymError
from ..models.resolve import Near
from ..options.validate import validated
from ..reals import Floats, finite_array
from ..robot import Robot
from ..robot.joint_entries import speed_frames
from .law import ControlError, Law
from .linearised import Complex, Loop, loop_at

POINTS = 3000  # frequencies at which the loop is looked at
SLOWEST = 1e-4  # of them, of the highest
LEAST_GAIN, LEAST_PHASE = 2.0, 30.0  # margins below are warned of: factor, degrees
SLOWER = 10  # the bandwidth should be this much below the sampling rate
NEUTRAL = 1e-7  # a pole this near to the unit circle neither grows nor decays


@dataclass(frozen=True, repr=False)
class Margins:
    """Stability margins of one actuated joint, with the loops of the others closed.

    Attributes
    ----------
    joint
        Name of the joint.
    gain
        Factor by which its torque can grow before the loop is unstable.
    reduction
        Factor to which its torque can fall before the loop is unstable (0: to nothing).
    phase
        Phase margin [degrees].
    crossover
        Crossover frequency [rad/s]; nan without one.
    poles
        Poles of this joint with the others standing still [1/s]; empty for flexible joints and robots with passive
        joints.
    polynomial
        Coefficients of its characteristic polynomial in z; empty where poles is.
    """

    __repr__ = one_line

    joint: str
    gain: float
    reduction: float
    phase: float
    crossover: float
    poles: Complex
    polynomial: Floats


@dataclass(frozen=True, eq=False, repr=False)
class Check:
    """Poles, margins and warnings of a sampled control loop about a rest.

    Attributes
    ----------
    law
        Control law.
    q
        Positions of the joints at rest [rad or m].
    delay
        Delay between a measurement and its torque, as a part of the period.
    poles
        Poles of the sampled loop as rates, ln(z) / period [1/s], the slowest first, without the poles of pure delays.
    polynomial
        Coefficients of the characteristic polynomial in z. They are exact where multiple roots are not.
    margins
        Margins of each actuated joint.
    resonance
        Lowest natural frequency of the springs of the robot [rad/s]; None without springs.
    warnings
        Problems in words.
    """

    law: Law
    q: Floats
    delay: float
    poles: Complex
    polynomial: Floats
    margins: tuple[Margins, ...]
    resonance: float | None
    warnings: tuple[str, ...]

    @property
    def stable(self) -> bool:
        """Whether the loop is stable."""
        return bool((self.poles.real < NEUTRAL / self.law.period).all())

    def __repr__(self) -> str:
        verdict = "stable" if self.stable else "unstable"
        return brief(
            f"Check of {self.law.name} of {self.law.robot.name!r:.42}: {verdict}, {len(self.warnings)} warnings"
        )

    def __str__(self) -> str:
        slowest = self.poles[0] if self.poles.size else complex(np.nan)
        lines = [
            f"{self.law.name} of {self.law.robot.name}, every {self.law.period:g} s, torques {self.delay:g} of a period late: "
            f"{'stable' if self.stable else 'UNSTABLE'}",
            f"slowest pole {slowest.real:.4g}{f' ± {abs(slowest.imag):.4g} i' if slowest.imag else ''} 1/s",
        ]
        if self.stable:
            width = max(len(one.joint) for one in self.margins)
            lines.append(f"{'':{width}}  gain margin  phase margin  crossover")
            for one in self.margins:
                lines.append(f"{one.joint:{width}}  {one.gain:11.3g}  {one.phase:9.3g} deg  {one.crossover:9.4g} rad/s")
        return "\n".join([*lines, *(f"warning: {one}" for one in self.warnings)])


@validated
def check(
    law: Law, q: Any = None, *, T_d: Any = None, delay: float = 1.0, mode: str | None = None, near: Near = None
) -> Check:
    """Check a control law about a rest: poles, margins and warnings.

    The sampled closed loop is linearised about the rest. The robot moves as ``law.robot`` describes it, with viscous
    friction only.

    Parameters
    ----------
    law
        Control law.
    q
        Positions of the joints at rest [rad or m]. One number per joint, or the whole q of a robot with a floating
        base. None: zero.
    T_d
        Desired pose of the frame at q, 4 x 4. Required for laws in task space, and for these only.
    delay
        Delay between a measurement and its torque, as a part of the period: 0 to 1. The torque is then held for a
        period: the mean delay is 0.5 to 1.5 periods.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects
        the mode of the joint positions in the description, otherwise the first mode. Control takes a parallel robot
        as closed loops, so that its modes are assembly modes.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of
        its name.

    Returns
    -------
    Check
        Poles, margins and warnings; print it to read them.
    """
    if not isinstance(law, Law):
        raise ControlError(f"law: got {law!r:.60}, expected a Law, such as robosym.control.pid makes")
    wait = float(finite_array("delay", delay, ControlError))
    if not 0 <= wait <= 1:
        raise ControlError(f"delay: got {wait:g}, expected a part of a period, from 0 to 1")
    positions = _positions(law.robot, q)
    wanted = _wanted(law, positions, T_d)
    if not {slot.name for slot in law.routine.inputs} & {"q", "q_motor"}:
        raise ControlError(f"{law.name} measures nothing here: there is no loop to check")
    loop = loop_at(law, positions, wanted, wait, {"mode": mode, "near": near})
    poles, polynomial = _poles(loop)
    stable = bool((poles.real < NEUTRAL / law.period).all())
    margins = _margins(loop, stable)
    resonance = _resonance(law.robot, positions)
    found = _warnings(law, loop, poles, margins, stable, resonance)
    return Check(law, positions, wait, poles, polynomial, margins, resonance, found)


def _positions(robot: Robot, q: Any) -> Floats:
    n = len(speed_frames(robot))
    if q is None:
        return np.zeros(n)
    found = finite_array("q", q, ControlError)
    if found.shape == (robot.nq,):
        found = np.asarray(finite_state(robot, found), float)
    if found.shape not in ((n,), (robot.nq,)):
        raise ControlError(f"q: got the shape {found.shape}, expected {(n,)}, a position for each joint")
    return found[-n:].astype(float)


def _wanted(law: Law, q: Floats, T_d: Any) -> dict[str, Floats]:
    """What is wanted where the robot rests: that it stays."""
    if law.reference == "joints":
        if T_d is not None:
            raise ControlError(f"T_d: {law.name} is a law in joint space: expected q alone")
        return {"q_d": q, "qd_d": np.zeros(len(q)), "qdd_d": np.zeros(len(q))}
    if T_d is None:
        raise ControlError(f"T_d: {law.name} is a law in task space: expected the pose of its frame at q, 4 x 4")
    pose = finite_array("T_d", T_d, ControlError)
    if pose.shape != (4, 4):
        raise ControlError(f"T_d: got the shape {pose.shape}, expected (4, 4)")
    return {"T_d": pose, "V_d": np.zeros(6), "A_d": np.zeros(6)}


# --- poles and margins -----------------------------------------------------------------------------------------------------------


def _poles(loop: Loop) -> tuple[Complex, Floats]:
    roots = np.linalg.eigvals(loop.matrix).astype(complex)
    poles = np.log(roots[np.abs(roots) > 1e-12]) / loop.period
    return poles[np.argsort(-poles.real)], np.asarray(np.poly(loop.matrix), float)


def _margins(loop: Loop, stable: bool) -> tuple[Margins, ...]:
    joints = loop.plant.joints
    names = [joints.names[k] for k in joints.driven]
    alone = [loop.alone(k) for k in range(len(names))]
    poles = [(np.zeros(0, complex), np.zeros(0)) if one is None else _poles(one) for one in alone]
    if not stable:
        unknown = (np.nan, np.nan, np.nan, np.nan)
        return tuple(Margins(name, *unknown, *own) for name, own in zip(names, poles, strict=True))
    highest = np.pi / loop.period
    frequencies = np.geomspace(SLOWEST * highest, highest, POINTS)
    L = loop.broken(frequencies)
    return tuple(Margins(name, *_of_one(frequencies, L[:, k]), *poles[k]) for k, name in enumerate(names))


def _of_one(frequencies: Floats, L: Complex) -> tuple[float, float, float, float]:
    """Gain, reduction, phase, crossover: where the loop crosses the negative axis, and where the unit circle."""
    size, turned = np.log(np.abs(L)), L.imag
    across = np.flatnonzero((np.sign(turned[1:]) != np.sign(turned[:-1])) & (L.real[1:] + L.real[:-1] < 0))
    part = turned[across] / (turned[across] - turned[across + 1])
    gains = np.exp(-(size[across] + part * (size[across + 1] - size[across])))
    if abs(L[-1].imag) < 1e-9 * abs(L[-1]) and L[-1].real < 0:  # at half the sampling rate it is real
        gains = np.r_[gains, 1 / abs(L[-1])]
    at_one = np.flatnonzero(np.sign(size[1:]) != np.sign(size[:-1]))
    share = size[at_one] / (size[at_one] - size[at_one + 1])
    angles = np.unwrap(np.angle(-L))  # from the negative axis
    phases = np.degrees(angles[at_one] + share * (angles[at_one + 1] - angles[at_one]))
    phases = np.abs((phases + 180) % 360 - 180)
    where = frequencies[at_one] * (frequencies[at_one + 1] / frequencies[at_one]) ** share
    worst = int(phases.argmin()) if phases.size else None
    return (
        float(gains[gains > 1].min(initial=np.inf)),
        float(gains[gains < 1].max(initial=0.0)),
        np.inf if worst is None else float(phases[worst]),
        np.nan if worst is None else float(where[worst]),
    )


# --- words -------------------------------------------------------------------------------------------------------------


def _resonance(robot: Robot, q: Floats) -> float | None:
    """The lowest frequency of its springs and flexible joints with the motors held, where it swings."""
    joints = [robot.frame(j).joint for j in robot.moving]
    if not robot.flexible and not any(joint.spring is not None and not joint.active for joint in joints):
        return None
    try:
        held = np.r_[np.array([0.0, 0, 0, 0, 0, 0, 1]), q] if robot.base.floating else q
        return float(vibrations(robot, held).frequencies[0])
    except RobosymError:  # no equilibrium with these springs: there is nothing to compare with
        return None


def _warnings(
    law: Law, loop: Loop, poles: Complex, margins: tuple[Margins, ...], stable: bool, resonance: float | None
) -> tuple[str, ...]:
    found = []
    names = [one.joint for one in margins]
    if not stable:
        found.append(f"unstable: the error grows as exp({poles[0].real:.3g} t)")
    for group in ("Kp", "Kd", "KI"):
        gains = law.gains.get(group, np.zeros(0))
        bad = [name for name, gain in zip(names, gains, strict=False) if not gain > 0]
        if bad:
            found.append(f"{group} is not above zero: {', '.join(bad)}")
    for one in margins:
        if one.gain < LEAST_GAIN or one.phase < LEAST_PHASE:
            found.append(f"little margin at {one.joint}: gain {one.gain:.3g}, phase {one.phase:.3g} degrees")
    found += _too_fast(law, names, resonance)
    if law.model.options.get("at") == "q_d":
        found += _too_soft(law, loop, names)
    if loop.plant.left > 1e-6:
        found.append("the robot does not rest here: joints without motors accelerate")
    return tuple(found)


def _too_fast(law: Law, names: list[str], resonance: float | None) -> list[str]:
    found: list[str] = []
    if "bandwidth" not in law.settings:
        return found
    bandwidth = np.broadcast_to(law.settings["bandwidth"], (len(names),))
    rate = 2 * np.pi / law.period
    fast = [name for name, w in zip(names, bandwidth, strict=True) if w > rate / SLOWER]
    if fast:
        found.append(f"bandwidth above a tenth of the sampling rate ({rate / SLOWER:.4g} rad/s): {', '.join(fast)}")
    if resonance is not None:
        fast = [name for name, w in zip(names, bandwidth, strict=True) if w > resonance / 2]
        if fast:
            found.append(f"bandwidth above half the structural resonance of {resonance:.4g} rad/s: {', '.join(fast)}")
    return found


def _too_soft(law: Law, loop: Loop, names: list[str]) -> list[str]:
    """With the weight of the position that is wanted, every Kp must be above |dQ/dq|."""
    size = len(loop.plant.positions)
    by_tau, by_q = loop.plant.B[size:], loop.plant.A[size:, :size]
    if by_tau.shape[0] != by_tau.shape[1]:
        return []
    slope = float(np.linalg.norm(np.linalg.solve(by_tau, by_q), 2))
    bad = [name for name, gain in zip(names, law.gains["Kp"], strict=True) if not gain > slope]
    return [f"Kp below the slope of gravity here, {slope:.4g}: {', '.join(bad)}"] if bad else []
