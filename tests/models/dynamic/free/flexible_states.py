"""Random robots with flexible joints, and the two-mass model in Pinocchio: every motor is a body of its own, on an axis in the world.

``check_two_masses`` and ``check_motion`` compare one random robot; they raise an AssertionError that names the seed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from models.kinematic.mass_states import random_placed
from models.kinematic.moving_frames import states
from models.pinocchio_states import Twin, pin
from scipy.integrate import solve_ivp

from robosym import models
from robosym.analysis import vibrations
from robosym.expr import Expr, number
from robosym.robot import Actuator, Flexibility, Friction, Motor, Robot, Spring
from robosym.simulation import simulate


def _drawn(rng: np.random.Generator, low: float, high: float, share: float = 1.0) -> Expr:
    return number(float(rng.uniform(low, high))) if rng.random() < share else number(0)


def _actuator(rng: np.random.Generator, flexible: bool) -> Actuator:
    ratio = float(rng.choice([-1, 1]) * rng.uniform(2, 30)) if rng.random() < 0.6 else None
    N = ratio or 1.0
    law = Friction(offset=_drawn(rng, -0.5, 0.5, 0.5), width=number(0.05))
    if rng.random() < 0.3:
        law = replace(law, Fst=_drawn(rng, 1, 2), B=_drawn(rng, 1, 5))
    shaft = {"Fv": _drawn(rng, 0, 2 / N**2, 0.7), "Fs": _drawn(rng, 0, 1 / abs(N), 0.7)}
    Jm = _drawn(rng, 0.1 / N**2, 0.5 / N**2, 0.6)
    Ia = _drawn(rng, 0.05, 0.5) if Jm.is_zero else _drawn(rng, 0.05, 0.5, 0.3)
    soft = Flexibility(_drawn(rng, 20, 400), _drawn(rng, 0, 3, 0.6)) if flexible else None
    Fv, Fs = _drawn(rng, 0, 1, 0.7), _drawn(rng, 0, 1, 0.7)
    return Actuator(Ia, Fv, Fs, None if ratio is None else number(ratio), law, Motor(Jm, **shaft), soft)


def random_flexible(seed: int, most: int = 6) -> Robot:
    """A random tree (every third one free) with flexible joints, gears, friction of joints and shafts, offsets, springs, joints that
    follow others and joints without motors."""
    rng = np.random.default_rng([seed, 35])
    robot = random_placed(seed, most)
    chosen = {j for j in robot.moving if rng.random() < 0.6} or {int(rng.choice(robot.moving))}
    frames = []
    for j, frame in enumerate(robot.frames, 1):
        if frame.joint.variable is not None:
            spring = Spring(*(_drawn(rng, 0, x) for x in (30, 2, 1))) if rng.random() < 0.4 else None
            active = j in chosen or (j in robot.moving and rng.random() < 0.7)
            actuator = _actuator(rng, j in chosen)
            if not active:
                actuator = replace(actuator, motor=Motor(), ratio=None)
            frame = replace(frame, joint=replace(frame.joint, spring=spring, active=active), actuator=actuator)
        frames.append(frame)
    return robot.replace(name=f"flexible-{seed}", frames=tuple(frames))


# --- the reference -------------------------------------------------------------------------------------------------------


def _value(entry: Expr | None) -> float:
    return 0.0 if entry is None else float(entry.value)


@dataclass(frozen=True, eq=False)
class TwoMasses:
    """Links and motors as bodies of one Pinocchio model. States are (q, qd) of the coordinates and (x, v) of all motors, of which
    those of joints that are not flexible do not count."""

    robot: Robot
    twin: Twin
    model: Any
    smooth: bool

    @classmethod
    def of(cls, robot: Robot, smooth: bool) -> TwoMasses:
        bare = []
        for frame in robot.frames:
            Ia = number(0) if frame.actuator.flexibility is not None else number(rotor(frame.actuator))
            bare.append(replace(frame, actuator=Actuator(Ia=Ia), joint=replace(frame.joint, spring=None)))
        twin = Twin.of_robot(robot.replace(frames=tuple(bare)))
        model = twin.model
        for j in robot.flexible:
            joint = model.addJoint(0, pin.JointModelRZ(), pin.SE3.Identity(), f"motor{j}")
            spinning = np.diag([0.0, 0.0, rotor(robot.frame(j).actuator)])
            model.appendBodyToJoint(joint, pin.Inertia(0.0, np.zeros(3), spinning), pin.SE3.Identity())
        return cls(robot, replace(twin, model=model, data=model.createData()), model, smooth)

    @property
    def places(self) -> list[int]:
        """Of the flexible joints among the moving ones."""
        return [self.robot.moving.index(j) for j in self.robot.flexible]

    def positions(self, q: np.ndarray, x: np.ndarray) -> np.ndarray:
        found = self.twin.configuration(q)
        found[self.model.nq - len(self.places) :] = x[self.places]
        return np.asarray(found)

    def speeds(self, qd: np.ndarray, v: np.ndarray) -> np.ndarray:
        return self.spread @ np.concatenate([qd, v[self.places]])

    @property
    def spread(self) -> np.ndarray:
        """From the coordinates and the motors to the axes of the model."""
        own = self.twin.spread[: self.model.nv - len(self.places)]
        found = np.zeros((self.model.nv, self.robot.nv + len(self.places)))
        found[: own.shape[0], : own.shape[1]] = own
        found[own.shape[0] :, own.shape[1] :] = np.eye(len(self.places))
        return found

    def sign(self, v: float, actuator: Actuator) -> float:
        return float(np.tanh(v / _value(actuator.friction.width)) if self.smooth else np.sign(v))

    def joint_friction(self, v: float, actuator: Actuator) -> float:
        law, s = actuator.friction, self.sign(v, actuator)
        level = _value(actuator.Fs)
        if law.Fst is not None:
            level += (_value(law.Fst) - level) * np.exp(-_value(law.B) * (v * s))
        return _value(law.offset) + _value(actuator.Fv) * v + level * s

    def shaft_friction(self, v: float, actuator: Actuator) -> float:
        N = 1.0 if actuator.ratio is None else _value(actuator.ratio)
        return N * N * _value(actuator.motor.Fv) * v + abs(N) * _value(actuator.motor.Fs) * self.sign(v, actuator)

    def forces(
        self, q: np.ndarray, qd: np.ndarray, x: np.ndarray, v: np.ndarray, tau: np.ndarray, friction: bool
    ) -> np.ndarray:
        """On the axes of the model: springs, drives and friction, each at its own place; and the torques."""
        at, speed = self.positions(q, x), self.speeds(qd, v)
        found = np.zeros(self.model.nv)
        first = self.robot.nv - len(self.robot.moving)
        found[:first] = tau[:first]
        for j, joint in self.twin.joints.items():
            frame, place = self.robot.frame(j), self.model.joints[joint]
            here, rate = at[place.idx_q], speed[place.idx_v]
            if (spring := frame.joint.spring) is not None:
                k, d, rest = map(_value, (spring.stiffness, spring.damping, spring.rest))
                found[place.idx_v] -= k * (here - rest) + d * rate
            found[place.idx_v] -= self.joint_friction(rate, frame.actuator) if friction else 0.0
            given = tau[first + self.robot.moving.index(j)] if j in self.robot.moving else 0.0
            motor = place
            if (soft := frame.actuator.flexibility) is not None:
                motor = self.model.joints[self.model.getJointId(f"motor{j}")]
                k, d = map(_value, (soft.stiffness, soft.damping))
                between = k * (here - at[motor.idx_q]) + d * (rate - speed[motor.idx_v])
                found[place.idx_v] -= between
                found[motor.idx_v] += between
            found[motor.idx_v] += given
            found[motor.idx_v] -= self.shaft_friction(speed[motor.idx_v], frame.actuator) if friction else 0.0
        return found

    def accelerations(
        self, q: np.ndarray, qd: np.ndarray, x: np.ndarray, v: np.ndarray, tau: np.ndarray, friction: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        at, speed, S = self.positions(q, x), self.speeds(qd, v), self.spread
        A = pin.crba(self.model, self.twin.data, at)
        A = np.triu(A) + np.triu(A, 1).T
        H = pin.nonLinearEffects(self.model, self.twin.data, at, speed)
        found = np.linalg.solve(S.T @ A @ S, S.T @ (self.forces(q, qd, x, v, tau, friction) - H))
        qdd, moved = found[: self.robot.nv], found[self.robot.nv :]
        motors = qdd[self.robot.nv - len(self.robot.moving) :].copy()
        motors[self.places] = moved
        return qdd, motors

    def energy(self, q: np.ndarray, qd: np.ndarray, x: np.ndarray, v: np.ndarray) -> float:
        """But for a constant."""
        at, speed = self.positions(q, x), self.speeds(qd, v)
        total = pin.computeKineticEnergy(self.model, self.twin.data, at, speed)
        total += float(self.model.armature @ speed**2) / 2 * (not _counts_armature())
        total += pin.computePotentialEnergy(self.model, self.twin.data, at)
        for j, joint in self.twin.joints.items():
            frame, here = self.robot.frame(j), at[self.model.joints[joint].idx_q]
            if (spring := frame.joint.spring) is not None:
                total += _value(spring.stiffness) * (here - _value(spring.rest)) ** 2 / 2
            if (soft := frame.actuator.flexibility) is not None:
                there = at[self.model.joints[self.model.getJointId(f"motor{j}")].idx_q]
                total += _value(soft.stiffness) * (here - there) ** 2 / 2
        return float(total)


def _counts_armature() -> bool:
    """Whether this version of Pinocchio has the armature in the kinetic energy."""
    model = pin.Model()
    model.addJoint(0, pin.JointModelRZ(), pin.SE3.Identity(), "one")
    model.armature[0] = 1.0
    return bool(pin.computeKineticEnergy(model, model.createData(), np.zeros(1), np.ones(1)) > 0)


def rotor(actuator: Actuator) -> float:
    """Inertia of the rotor on the joint's side."""
    N = 1.0 if actuator.ratio is None else _value(actuator.ratio)
    return _value(actuator.Ia) + N * N * _value(actuator.motor.Jm)


# --- checks --------------------------------------------------------------------------------------------------------------


def check_two_masses(seed: int) -> None:
    """Forward and inverse dynamics and the energy of a random robot at random states."""
    robot, rng = random_flexible(seed), np.random.default_rng([seed, 1])
    friction: Any = (True, "smooth", False)[seed % 3]
    reference, n = TwoMasses.of(robot, friction == "smooth"), len(robot.moving)
    batch = states(rng, robot, 3)
    q, qd = batch["q"], batch["qd"]
    x, v = rng.uniform(-2, 2, (2, 3, n))
    tau = rng.uniform(-5, 5, (3, robot.nv))
    rows = list(zip(q, qd, x, v, tau, strict=True))
    expected = [reference.accelerations(*row, bool(friction)) for row in rows]
    qdd, motors = (np.array(one) for one in zip(*expected, strict=True))
    scale = max(1.0, float(np.abs(qdd).max()), float(np.abs(motors).max()))
    given = {"q": q, "qd": qd, "q_motor": x, "qd_motor": v, "tau": tau}
    parameters: Any = ("standard", "base")[seed // 3 % 2]
    for make, own in ((models.forward_dynamics, "standard"), (models.flexible_joint_forward_dynamics, parameters)):
        made = make(robot, friction=friction, parameters=own, wrench="none").compile()(**given)
        np.testing.assert_allclose(made["qdd"], qdd, atol=1e-9 * scale, err_msg=f"seed {seed}")
        np.testing.assert_allclose(made["qdd_motor"], motors, atol=1e-9 * scale, err_msg=f"seed {seed}")
    inverse = models.flexible_joint_inverse_dynamics(
        robot, friction=friction, parameters=parameters, wrench="none"
    ).compile()
    back = inverse(q=q, qd=qd, qdd=qdd, qd_motor=v, qdd_motor=motors)
    np.testing.assert_allclose(back["tau"], tau, atol=1e-7 * scale, err_msg=f"seed {seed}")
    where = q[:, robot.nq - n :].copy()
    where[:, reference.places] = x[:, reference.places]
    np.testing.assert_allclose(back["q_motor"], where, atol=1e-7 * scale, err_msg=f"seed {seed}")
    made = models.energy(robot).compile()(q=q, qd=qd, q_motor=x, qd_motor=v)["total"].ravel()
    total = np.array([reference.energy(*row[:4]) for row in rows])
    np.testing.assert_allclose(made - made[0], total - total[0], atol=1e-9 * max(1.0, float(np.abs(total).max())))


def check_motion(seed: int, duration: float = 0.1) -> None:
    """The motion of ``simulate`` is that of forward dynamics, and of the reference, integrated by SciPy."""
    robot, rng = random_flexible(seed, 4), np.random.default_rng([seed, 2])
    start = {name: rows[0] / 2 for name, rows in states(rng, robot, 1).items()}
    if robot.base.floating:
        start["q"][3:7] /= np.linalg.norm(start["q"][3:7])
    n, nq, nv = len(robot.moving), robot.nq, robot.nv
    tau = rng.uniform(-3, 3, n) * [robot.frame(j).joint.active for j in robot.moving]
    given = {
        "q": start["q"],
        "qd": start["qd"],
        "torque": tau,
        "duration": duration,
        "friction": "smooth",
        "limits": False,
    }
    run = simulate(robot, integrator="rk4", step=2e-4, **given)
    whole = np.concatenate([np.zeros(nv - n), tau])
    forward = models.forward_dynamics(robot, friction="smooth", wrench="none").compile()
    reference = TwoMasses.of(robot, smooth=True)

    def by_model(q: np.ndarray, qd: np.ndarray, x: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        made = forward(q=q, qd=qd, q_motor=x, qd_motor=v, tau=whole)
        return made["qdd"], made["qdd_motor"]

    def by_reference(q: np.ndarray, qd: np.ndarray, x: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return reference.accelerations(q, qd, x, v, whole, True)

    first = np.concatenate([run.q[0], run.more["q_motor"][0], run.qd[0], run.more["qd_motor"][0]])
    last = np.concatenate([run.q[-1], run.more["q_motor"][-1], run.qd[-1], run.more["qd_motor"][-1]])
    for accelerations in (by_model, by_reference):

        def rates(_: float, y: np.ndarray, accelerations: Any = accelerations) -> np.ndarray:
            q, x, qd, v = np.split(y, [nq, nq + n, nq + n + nv])
            moved = qd if nq == nv else np.concatenate([_base_rates(q, qd), qd[6:]])
            return np.concatenate([moved, v, *accelerations(q, qd, x, v)])

        end = solve_ivp(rates, (0, run.time[-1]), first, method="DOP853", rtol=1e-10, atol=1e-12).y[:, -1]
        rigid = [k for k in range(n) if k not in reference.places]  # motors that move with their joints
        counts = np.ones(len(end), bool)
        counts[[nq + k for k in rigid] + [nq + n + nv + k for k in rigid]] = False
        scale = max(1.0, float(np.abs(end).max()))
        np.testing.assert_allclose(last[counts], end[counts], atol=1e-6 * scale, err_msg=f"seed {seed}")


def _base_rates(q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    """Of x y z qx qy qz qw, for speeds in the axes of the base."""
    x, y, z, w = q[3:7]
    turned = pin.Quaternion(w, x, y, z).normalized().toRotationMatrix() @ qd[:3]
    a, b, c = qd[3:6]
    spin = np.array([w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a, -x * a - y * b - z * c]) / 2
    return np.concatenate([turned, spin])


def check_motors_held(seed: int) -> None:
    """Natural frequencies of a random robot with its motors held: from Pinocchio's inertia matrix of the links alone."""
    robot = random_flexible(3 * seed + 1)  # on a base at rest
    rng, n = np.random.default_rng([seed, 3]), len(robot.moving)
    stiff = Spring(number(400.0), number(1.0), number(0.0))  # so that it does not fall over
    frames = [
        replace(f, joint=replace(f.joint, spring=stiff)) if j in robot.moving else f
        for j, f in enumerate(robot.frames, 1)
    ]
    robot = robot.replace(frames=tuple(frames))
    q = rng.uniform(-0.5, 0.5, n)
    found = vibrations(robot, q)
    free = [k for k, j in enumerate(robot.moving) if j in robot.flexible or not robot.frame(j).joint.active]
    assert found.free == tuple(robot.joint_names[k] for k in free)
    twin = TwoMasses.of(robot, False)
    still = np.zeros(n)

    def torques(y: np.ndarray) -> np.ndarray:
        """On the links at rest, with the motors at q."""
        H = (
            twin.twin.spread[: twin.model.nv - len(twin.places)].T
            @ (
                pin.nonLinearEffects(twin.model, twin.twin.data, twin.positions(y, q), np.zeros(twin.model.nv))
                - twin.forces(y, still, q, still, still, False)
            )[: twin.model.nv - len(twin.places)]
        )
        return np.asarray(H[free])

    np.testing.assert_allclose(torques(found.q), 0, atol=1e-6, err_msg=f"seed {seed}")
    S = twin.spread
    A = pin.crba(twin.model, twin.twin.data, twin.positions(found.q, q))
    A = (S.T @ (np.triu(A) + np.triu(A, 1).T) @ S)[:n, :n][np.ix_(free, free)]
    h = 1e-5
    K = np.array([(torques(found.q + h * e) - torques(found.q - h * e)) / (2 * h) for e in np.eye(n)[free]]).T
    expected = np.sort(np.linalg.eigvals(np.linalg.solve(A, K)).real)
    np.testing.assert_allclose(found.frequencies**2, expected, rtol=1e-5, err_msg=f"seed {seed}")
