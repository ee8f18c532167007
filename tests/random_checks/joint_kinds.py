"""Random trees with joints of all kinds against Pinocchio."""

from __future__ import annotations

from typing import Any

import numpy as np
from models.pinocchio_kinds import KindTwin
from random_checks.checks import Checks
from random_joint_kinds import random_joint_tree, random_state

from robosym import models
from robosym.generated import Model
from robosym.models.inertial_parameters.numeric import base_parameters_numeric
from robosym.robot import Robot
from robosym.robot.joints import Screw, Universal

TOLERANCE = 1e-10
INVERSE = ("auto", "newton-euler", "augmented-body")
FORWARD = ("auto", "articulated-bodies", "factorised")
STEP = 1e-5


def check_joint_kinds(seed: int, most: int = 5) -> Checks:
    """Compare kinematics, dynamics, derivatives, regressor and base parameters of the random tree of a seed."""
    return check_tree(random_joint_tree(seed, most), np.random.default_rng(seed))


def check_tree(robot: Robot, rng: np.random.Generator) -> Checks:
    """Every model of a tree at one random state."""
    checks = Checks(", ".join(_kinds(robot)))
    twin, state = KindTwin(robot), random_state(robot, rng)
    _dynamics(checks, robot, twin, state)
    _coriolis(checks, robot, twin, state)
    _kinematics(checks, robot, twin, state)
    _derivatives(checks, robot, twin, state)
    _parameters(checks, robot, twin, state, rng)
    return checks


def value(model: Model, state: dict[str, np.ndarray]) -> Any:
    """The output at a state, which may have more than the inputs."""
    return model.evaluate(**{array.name: state[array.name] for array in model.code.inputs})


def _kinds(robot: Robot) -> list[str]:
    names = [str(frame.sigma) if frame.joint.kind is None else frame.joint.kind.name for frame in robot.frames]
    return ["floating", *names] if robot.base.floating else names


def _dynamics(checks: Checks, robot: Robot, twin: KindTwin, state: dict[str, np.ndarray]) -> None:
    q, qd, qdd, tau = (state[name] for name in ("q", "qd", "qdd", "tau"))
    torques = twin.rnea(q, qd, qdd)
    for method in INVERSE:
        if method == "augmented-body" and robot.base.floating:
            continue
        inverse = models.inverse_dynamics(robot, method=method, wrench="none")
        checks.compare(f"inverse dynamics, {method}", value(inverse, state), torques, tolerance=TOLERANCE)
    zero, A = np.zeros(robot.nv), twin.crba(q)
    digits = TOLERANCE + 1e-14 * float(np.linalg.cond(A))
    for method in FORWARD:
        if method == "articulated-bodies" and any(isinstance(frame.joint.kind, Screw) for frame in robot.frames):
            continue  # a screw is two axes with one speed
        forward = models.forward_dynamics(robot, method=method, wrench="none")
        checks.compare(f"forward dynamics, {method}", value(forward, state), twin.aba(q, qd, tau), tolerance=digits)
    checks.compare("inertia matrix", value(models.inertia_matrix(robot), state), A, tolerance=TOLERANCE)
    bias = value(models.bias(robot, wrench="none"), state)
    checks.compare("bias", bias, twin.rnea(q, qd, zero), tolerance=TOLERANCE)
    checks.compare("gravity", value(models.gravity(robot), state), twin.gravity(q), tolerance=TOLERANCE)
    energy, (kinetic, _) = value(models.energy(robot), state), twin.energies(q, qd)
    checks.compare("kinetic energy", float(np.ravel(energy["kinetic"])[0]), kinetic, tolerance=TOLERANCE)
    # Pinocchio has no potential of the base at rest: gravity is the slope of the difference along a motion.
    ends = [twin.moved(q, sign * STEP * qd) for sign in (1, -1)]
    potential = [float(np.ravel(models.energy(robot).evaluate(q=end, qd=zero)["potential"])[0]) for end in ends]
    power = (potential[0] - potential[1]) / (2 * STEP)
    checks.require("potential energy", abs(power - twin.gravity(q) @ qd) < 1e-6)


def _coriolis(checks: Checks, robot: Robot, twin: KindTwin, state: dict[str, np.ndarray]) -> None:
    """C qd are the Coriolis torques, and dA/dt - 2 C is skew."""
    q, qd = state["q"], state["qd"]
    C = models.coriolis(robot).evaluate(q=q, qd=qd)
    expected = twin.rnea(q, qd, np.zeros(robot.nv)) - twin.gravity(q)
    checks.compare("C qd", C @ qd, expected, tolerance=TOLERANCE)
    ends = [twin.crba(twin.moved(q, sign * STEP * qd)) for sign in (1, -1)]
    rate = (ends[0] - ends[1]) / (2 * STEP)
    checks.require("dA/dt = C + C^T", bool(np.abs(C + C.T - rate).max() < 1e-6))


def _kinematics(checks: Checks, robot: Robot, twin: KindTwin, state: dict[str, np.ndarray]) -> None:
    q, qd = state["q"], state["qd"]
    for j in sorted({robot.moving[0], robot.moving[-1], robot.n_links}):
        transform = models.transform(robot, frame=j, reference="world").evaluate(q=q)
        checks.compare(f"transform {j}", transform, twin.pose(q, j), tolerance=TOLERANCE)
        jacobian = models.jacobian(robot, frame=j, axes="local").evaluate(q=q)
        checks.compare(f"jacobian {j}", jacobian, twin.jacobian(q, j), tolerance=TOLERANCE)
        velocities = models.velocities(robot, frame=j, axes="local").evaluate(q=q, qd=qd)
        checks.compare(f"velocities {j}", velocities, twin.jacobian(q, j) @ qd, tolerance=TOLERANCE)
        options = {"frame": j, "axes": "local", "kind": "spatial"}
        accelerations = value(models.accelerations(robot, **options), state)  # type: ignore[arg-type]
        expected = twin.acceleration(q, qd, state["qdd"], j)
        checks.compare(f"accelerations {j}", accelerations, expected, tolerance=TOLERANCE)
        drift = models.jdot_qdot(robot, **options).evaluate(q=q, qd=qd)  # type: ignore[arg-type]
        expected = twin.acceleration(q, qd, np.zeros(robot.nv), j)
        checks.compare(f"jdot qdot {j}", drift, expected, tolerance=TOLERANCE)
    momentum = models.centroidal_momentum(robot).evaluate(q=q)
    checks.compare("centroidal momentum", momentum, twin.momentum(q), tolerance=TOLERANCE)


def _derivatives(checks: Checks, robot: Robot, twin: KindTwin, state: dict[str, np.ndarray]) -> None:
    inverse = value(models.inverse_dynamics_derivatives(robot, wrench="none"), state)
    for name, expected in twin.inverse_derivatives(state).items():
        checks.compare(name, inverse[name], expected, tolerance=TOLERANCE)
    forward = value(models.forward_dynamics_derivatives(robot, wrench="none"), state)
    digits = TOLERANCE + 1e-13 * float(np.linalg.cond(twin.crba(state["q"])))
    for name, expected in twin.forward_derivatives(state).items():
        checks.compare(name, forward[name], expected, tolerance=digits)


def _parameters(
    checks: Checks, robot: Robot, twin: KindTwin, state: dict[str, np.ndarray], rng: np.random.Generator
) -> None:
    """Regressors times parameters are the torques; the base parameters are as many as the torques can tell apart."""
    torques = twin.rnea(state["q"], state["qd"], state["qdd"])
    for parameters in ("standard", "base"):
        model = models.regressor(robot, parameters=parameters)  # type: ignore[arg-type]
        D = model.dense(value(model, state), "D")
        K = np.array(list(model.described_values().values()))
        checks.compare(f"regressor, {parameters}", D @ K, torques, tolerance=TOLERANCE)
    in_base = value(models.inverse_dynamics(robot, parameters="base", wrench="none"), state)
    checks.compare("inverse dynamics, base parameters", in_base, torques, tolerance=TOLERANCE)
    base = models.base_parameters(robot, rotor_inertia=False)
    rank = twin.regressor_rank(rng, 2 + 20 * len(robot.frames) // robot.nv)
    checks.require(
        f"{base.count} base parameters, rank {rank}, exact: {base.exact}", base.exact == (base.count == rank)
    )
    numeric = base_parameters_numeric(robot, rotor_inertia=False)
    checks.require(f"{numeric.count} numeric base parameters, rank {rank}", numeric.count == rank)
    least = models.base_parameters(robot, rotor_inertia=False, method="numeric")
    universal = any(isinstance(frame.joint.kind, Universal) for frame in robot.frames)
    same = least.count == rank if least.exact else universal and least.count > rank
    checks.require(f"{least.count} base parameters by numbers, rank {rank}, exact: {least.exact}", same)
    regrouped = models.inverse_dynamics(models.base_parameters(robot).robot, wrench="none")
    checks.compare("robot in base parameters", value(regrouped, state), torques, tolerance=TOLERANCE)
