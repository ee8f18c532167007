"""A law and its robot about a position of rest, as linear equations: the robot from sample to sample, the law from call to call.

    x' = A x + B tau                  the robot: positions and speeds, of the motors too where joints are flexible
    s_(k+1) = F s_k + G y_k,  tau_k = H s_k + D y_k,  y = C x     the law: its state and what it measures

All slopes are differences of the law as it runs, and of the direct dynamic model with viscous friction alone (smooth friction, if the law
compensates that). The torque is held from call to call, and acts ``delay`` of a period after the measurement. Limits, dead zones and
windows are out of reach, and jumps at rest, of friction that is compensated, are left out of the slopes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..analysis.measures import HELD
from ..caches import Kept
from ..generated import Model
from ..models import forward_dynamics
from ..models.common import ASSEMBLED, PASSIVE, START
from ..models.tree.friction import FrictionKind
from ..program.outputs import named
from ..reals import Floats
from ..robot import Friction, Robot
from .joints import Joints, joints_of
from .law import ControlError, Law
from .saturation import TAU_MAX

_MODELS: Kept[Model] = Kept()

STEP = 1e-6  # of differences, rad or m, and per second
FAR = 1e30  # where limits are out of reach
Complex = NDArray[np.complex128]


# --- the robot ---------------------------------------------------------------------------------------------------------


def viscous_only(robot: Robot) -> Robot:
    """Without the friction that jumps: it has no slope at rest."""
    frames = []
    for frame in robot.frames:
        zero = frame.actuator.Fs * 0
        motor = replace(frame.actuator.motor, Fs=zero)
        frames.append(replace(frame, actuator=replace(frame.actuator, Fs=zero, friction=Friction(), motor=motor)))
    return robot.replace(frames=tuple(frames))


@dataclass(frozen=True, eq=False)
class Plant:
    """x = (positions, speeds) of the n joints, or of the n joints and then the n motors."""

    joints: Joints
    q: Floats  # of the joints
    A: Floats
    B: Floats  # by the torques of the joints with motors
    positions: Floats  # at rest
    left: float  # acceleration that is left there

    @property
    def motors(self) -> slice:
        """What is measured, of the positions."""
        n = self.joints.count
        return slice(n, 2 * n) if self.joints.flexible else slice(0, n)

    @cached_property
    def C(self) -> Floats:
        """Positions and speeds that are measured."""
        half = np.eye(len(self.positions))[self.motors]
        nothing = np.zeros_like(half)
        return np.block([[half, nothing], [nothing, half]])


def _direct_model(joints: Joints, smooth: bool, loops: dict[str, Any]) -> Model:
    """Made once for all gains that are tried."""
    robot = joints.robot

    def made() -> Model:
        friction: FrictionKind = "smooth" if smooth else True
        of = robot if smooth else viscous_only(robot)
        found: Model = forward_dynamics(of, friction=friction, wrench="none", **loops)
        found.numbers()  # an error that names the parameters without a value
        return found

    return _MODELS.of(robot, (smooth, loops["mode"]), made) if loops["near"] is None else made()


def plant_at(joints: Joints, q: Floats, smooth: bool, loops: dict[str, Any]) -> Plant:
    """The robot at rest at these positions of its joints; of a free base the joints alone, as it moves under them."""
    n, first, driven = joints.count, joints.in_qd, list(joints.driven)
    robot, model = joints.robot, _direct_model(joints, smooth, loops)
    base = np.array(HELD) if joints.in_q else np.zeros(0)
    parts = 2 if joints.flexible else 1
    starts: dict[str, Any] = {}

    def accelerations(x: Floats, v: Floats, torque: Floats) -> Floats:
        tau = np.zeros(n + first)
        tau[[first + k for k in driven]] = torque
        state: dict[str, Any] = {"q": np.r_[base, x[:n]], "qd": np.r_[np.zeros(first), v[:n]], "tau": tau}
        if joints.flexible:
            state |= {"q_motor": x[n:], "qd_motor": v[n:]}
        found = model.evaluate(**state, **starts)
        if not getattr(found, ASSEMBLED, 1):
            raise ControlError(f"{robot.name}: the closed loops cannot be assembled at q = {np.round(q, 4).tolist()}")
        if PASSIVE in model.status:
            starts.setdefault(START, found.passive)
        links, *motors = named("qdd", found).values()
        return np.concatenate([links[first:], *motors])

    # At rest: linear in the torques, and in the positions of motors behind springs.
    x, v, torque = np.tile(q, parts), np.zeros(parts * n), np.zeros(len(driven))
    unknown = np.r_[x[n:], torque]

    def of_unknown(z: Floats) -> Floats:
        return accelerations(np.r_[q, z[: x.size - n]], v, z[x.size - n :])

    slopes = differences(of_unknown, unknown, 1.0)
    unknown = unknown - np.linalg.lstsq(slopes, of_unknown(unknown), rcond=None)[0]
    x, torque = np.r_[q, unknown[: x.size - n]], unknown[x.size - n :]
    by_x = differences(lambda y: accelerations(y, v, torque), x)
    by_v = differences(lambda y: accelerations(x, y, torque), v)
    by_tau = differences(lambda y: accelerations(x, v, y), torque, 1.0)
    size = len(x)
    A = np.block([[np.zeros((size, size)), np.eye(size)], [by_x, by_v]])
    B = np.concatenate([np.zeros((size, len(driven))), by_tau])
    return Plant(joints, q, A, B, x, float(np.abs(accelerations(x, v, torque)).max()))


def differences(function: Callable[[Floats], Floats], at: Floats, step: float = STEP) -> Floats:
    """The slopes of a function of a vector, a column for each entry."""
    columns = [(function(at + unit) - function(at - unit)) / (2 * step) for unit in step * np.eye(len(at))]
    return np.stack(columns, axis=1)


def differences_beside(function: Callable[[Floats], Floats], at: Floats) -> Floats:
    """The means of the slopes on either side, so that a jump does not count."""
    columns = []
    for unit in STEP * np.eye(len(at)):
        ahead, back = function(at + 2 * unit) - function(at + unit), function(at - unit) - function(at - 2 * unit)
        columns.append((ahead + back) / (2 * STEP))
    return np.stack(columns, axis=1)


# --- the law -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Calls:
    """The law from call to call."""

    F: Floats
    G: Floats
    H: Floats
    D: Floats


def calls_at(law: Law, plant: Plant, wanted: dict[str, Floats]) -> Calls:
    """With what is ``wanted`` at rest, and the state it settles to."""
    joints, n = plant.joints, plant.joints.count
    names = {slot.name for slot in law.routine.inputs}
    torques = [joints.in_qd + k for k in joints.driven]
    out_of_reach = {TAU_MAX: FAR, "window": FAR, "dead_zone": 0.0}
    chosen = {name: value for name, value in out_of_reach.items() if name in law.settings}
    parameters = law.parameters(**chosen)
    position, speed = joints.measured_names
    slots = law.state

    def called(y: Floats, state: Floats) -> tuple[Floats, Floats]:
        given: dict[str, Any] = {
            position: np.r_[np.array(HELD)[: joints.in_q], y[:n]],
            speed: np.r_[np.zeros(joints.in_qd), y[n:]],
            **wanted,
            **_split(state, slots),
        }
        made = law.model.evaluate(**{k: x for k, x in given.items() if k in names}, parameters=parameters)
        found = named("tau", made)
        after = [np.ravel(found[slot.name]) for slot in slots]
        return np.asarray(found["tau"], float)[torques], np.concatenate([np.zeros(0), *after])

    rest = np.r_[plant.positions[plant.motors], np.zeros(n)]
    state = np.zeros(sum(slot.size for slot in slots))
    for _ in range(3):  # started, and where an iteration ends
        state = called(rest, state)[1]

    def both(z: Floats) -> Floats:
        return np.concatenate(called(z[: 2 * n], z[2 * n :]))

    slopes = differences_beside(both, np.r_[rest, state])
    m = len(torques)
    return Calls(slopes[m:, 2 * n :], slopes[m:, : 2 * n], slopes[:m, 2 * n :], slopes[:m, : 2 * n])


def _split(state: Floats, slots: Any) -> dict[str, Floats]:
    found, at = {}, 0
    for slot in slots:
        found[slot.name] = state[at : at + slot.size].reshape(slot.shape)
        at += slot.size
    return found


# --- both --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Loop:
    """The robot from call to call, x_(k+1) = A x_k + B1 tau_(k-1) + B0 tau_k, and the law around it."""

    plant: Plant
    calls: Calls
    period: float
    delay: float

    @cached_property
    def sampled(self) -> tuple[Floats, Floats, Floats]:
        from scipy.linalg import expm

        A, B = self.plant.A, self.plant.B
        n, m = B.shape

        def held(time: float) -> tuple[Floats, Floats]:
            made = expm(np.block([[A, B], [np.zeros((m, n + m))]]) * time)
            return made[:n, :n], made[:n, n:]

        before, after = held(self.delay * self.period), held((1 - self.delay) * self.period)
        return after[0] @ before[0], after[1], after[0] @ before[1]

    @cached_property
    def matrix(self) -> Floats:
        """From (x, s, tau before) to the next."""
        A, B0, B1 = self.sampled
        one, C = self.calls, self.plant.C
        m = B0.shape[1]
        return np.block(
            [
                [A + B0 @ one.D @ C, B0 @ one.H, B1],
                [one.G @ C, one.F, np.zeros((len(one.F), m))],
                [one.D @ C, one.H, np.zeros((m, m))],
            ]
        )

    def broken(self, frequencies: Floats) -> Complex:
        """-tau_k over the torque that acts at motor k, (frequencies, motors), the loops of the others being closed."""
        A, B0, B1 = self.sampled
        one, z = self.calls, np.exp(1j * frequencies * self.period)[:, None, None]
        x = np.linalg.solve(z * np.eye(len(A)) - A, B0 + B1 / z)
        y = self.plant.C @ x
        state = np.linalg.solve(z * np.eye(len(one.F)) - one.F, one.G @ y) if one.F.size else None
        L = -(one.D @ y + (one.H @ state if state is not None else 0))
        S = np.linalg.inv(np.eye(L.shape[1]) + L)
        return np.asarray(1 / np.diagonal(S, axis1=1, axis2=2) - 1, complex)

    def alone(self, k: int) -> Loop | None:
        """The loop of motor k, the other joints standing: a q'' + d q' + c q = tau. None where joints have no motor of their own."""
        plant, one, n = self.plant, self.calls, self.plant.joints.count
        if plant.joints.flexible or plant.B.shape[1] != n:
            return None
        mass = np.linalg.inv(plant.B[n:])
        a, c, d = mass[k, k], -(mass @ plant.A[n:, :n])[k, k], -(mass @ plant.A[n:, n:])[k, k]
        own = replace(
            plant,
            joints=replace(plant.joints, names=(plant.joints.names[k],), driven=(0,)),
            A=np.array([[0.0, 1.0], [-c / a, -d / a]]),
            B=np.array([[0.0], [1 / a]]),
            positions=plant.positions[k : k + 1],
        )
        y = [k, n + k]
        kept = _between(one, y, k)
        calls = Calls(one.F[np.ix_(kept, kept)], one.G[np.ix_(kept, y)], one.H[[k]][:, kept], one.D[np.ix_([k], y)])
        return replace(self, plant=own, calls=calls)


def _between(calls: Calls, measured: list[int], motor: int) -> list[int]:
    """The entries of the state that lie between what is measured of a joint and its torque."""

    def there(matrix: Floats) -> NDArray[np.bool_]:
        return np.asarray(np.abs(matrix) > 1e-9 * max(1e-300, float(np.abs(matrix).max(initial=0.0))))

    onwards = there(calls.F)
    reached, leads = there(calls.G)[:, measured].any(axis=1), there(calls.H)[motor]
    for _ in range(len(onwards)):
        reached, leads = reached | (onwards @ reached), leads | (onwards.T @ leads)
    return [int(i) for i in np.flatnonzero(reached & leads)]


def loop_at(law: Law, q: Floats, wanted: dict[str, Floats], delay: float, loops: dict[str, Any]) -> Loop:
    joints = joints_of(law.robot, springs=True)
    plant = plant_at(joints, q, law.model.options.get("friction") == "smooth", loops)
    return Loop(plant, calls_at(law, plant, wanted), law.period, delay)
