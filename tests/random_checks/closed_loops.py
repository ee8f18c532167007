"""Random closed-loop robots with springs and friction, against Lagrange multipliers on Pinocchio's tree.

The reference follows the loops by continuity from the described position (Newton's iteration along a path of the actuated joints),
so it also proves that the default assembly mode is the described one and that passive angles stay next to their described values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from models.loops.closed_reference import Closed
from models.loops.random_mechanisms import KINDS, random_mechanism
from models.pinocchio_states import pin
from random_checks.checks import Checks

from robosym import models
from robosym.expr import number
from robosym.models.regressors.regressor import Regressor
from robosym.program.status import OutputArray, OutputsWithStatus
from robosym.robot import Robot, Spring

STATES = 4
STEPS = 12  # of a path from the described position
CLEAR = 0.01  # the least singular value of the passive joints' constraints over the largest
HALF_TURN = 3.0  # rad: passive angles are defined less than half a turn from their described values
Numbers = tuple[float, float, float]  # stiffness, damping, rest position


def check_springs(seed: int) -> Checks:
    """Compare positions, energy, gravity, inverse and forward dynamics and the base regressor of the loop robot of a seed with the reference."""
    rng = np.random.default_rng([seed, 32])
    kind = sorted(KINDS)[seed % len(KINDS)]
    robot, springs = with_springs(random_mechanism(kind, seed, named=None), rng)
    reference, checks = Closed(robot), Checks(robot.name)
    positions = paths(reference, rng, STATES)
    if len(positions) < STATES:
        checks.skip(f"{STATES - len(positions)} of {STATES} states: no path away from dead centres")
    functions = {
        "positions": models.loop_geometry(robot).evaluate,
        "gravity": models.gravity(robot).evaluate,
        "energy": models.energy(robot).evaluate,
        "inverse": models.inverse_dynamics(robot, friction=True).evaluate,
        "forward": models.forward_dynamics(robot, friction=True).evaluate,
        "regressor": _torques_of_columns(models.regressor(robot, parameters="base", friction=True)),
    }
    for x in positions:
        qd, qdd = rng.uniform(-2, 2, (2, robot.nv))
        _compare(checks, reference, springs, functions, x, qd, qdd)
    return checks


def with_springs(robot: Robot, rng: np.random.Generator) -> tuple[Robot, dict[int, Numbers]]:
    """The robot with springs on about two thirds of its joints, at rest near the described position."""
    springs: dict[int, Numbers] = {}
    for j in Closed(robot).frames:
        if rng.random() < 0.67:
            described = robot.frame(j).joint.position or 0.0
            springs[j] = (
                float(rng.uniform(1, 20)),
                float(rng.uniform(0, 2)),
                described + float(rng.uniform(-0.5, 0.5)),
            )
    frames = list(robot.frames)
    for j, (k, d, rest) in springs.items():
        spring = Spring(number(k), number(d), number(rest))
        frames[j - 1] = replace(robot.frame(j), joint=replace(robot.frame(j).joint, spring=spring))
    return robot.replace(frames=tuple(frames)), springs


def paths(reference: Closed, rng: np.random.Generator, count: int) -> list[np.ndarray]:
    """Positions of all joints at the ends of random paths along which the loops close and nothing is near a dead centre."""
    robot = reference.robot
    start = np.array([robot.frame(j).joint.position or 0.0 for j in reference.frames])
    ends: list[np.ndarray] = []
    for attempt in range(30 * count):
        spread = 2.5 * 0.97**attempt
        x = _followed(reference, start, rng.uniform(-spread, spread, robot.nv))
        ends += [] if x is None else [x]
        if len(ends) == count:
            break
    return ends


def _followed(reference: Closed, start: np.ndarray, way: np.ndarray) -> np.ndarray | None:
    """All joints at the end of a straight path of the actuated joints, or None."""
    x, passive = start, reference.passive
    for _ in range(STEPS):
        x = x.copy()
        x += reference.projection(x) @ way / STEPS
        for _ in range(8):
            miss = _misses(reference, x)
            J, _ = reference.constraints(x, np.zeros(len(x)))
            if np.abs(miss).max() < 1e-13:
                break
            x[passive] -= np.linalg.pinv(J[:, passive], rcond=1e-10) @ miss
        sizes = np.linalg.svd(J[:, passive], compute_uv=False)
        if reference.residual(x) > 1e-11 or sizes[len(passive) - 1] < CLEAR * sizes[0]:
            return None
    return x if np.abs(x - start)[passive].max() < HALF_TURN else None


def _misses(reference: Closed, x: np.ndarray) -> np.ndarray:
    """Six numbers a loop: by how much the frames of its cut joint are apart, in the axes of the first."""
    twin = reference.twin
    pin.framesForwardKinematics(twin.model, twin.data, twin.configuration(x))
    places = [[twin.data.oMf[twin.frame_id(j)] for j in pair] for pair in reference.cuts]
    return np.concatenate([pin.log6(a.actInv(b)).vector for a, b in places])


def _compare(
    checks: Checks,
    reference: Closed,
    springs: dict[int, Numbers],
    functions: dict[str, Any],
    x: np.ndarray,
    qd: np.ndarray,
    qdd: np.ndarray,
) -> None:
    n, q = len(x), x[reference.driven]
    xd, G = reference.speeds(x, qd), reference.projection(x)
    xdd = reference.accelerations(x, xd, qdd)
    k, c, rest = (np.array([springs.get(j, (0.0, 0.0, 0.0))[i] for j in reference.frames]) for i in range(3))
    held = k * (x - rest) + c * xd
    weight = reference.twin.rnea(x, np.zeros(n), np.zeros(n), {})
    forces = reference.twin.rnea(x, xd, xdd, {}) + reference.friction(xd) + held
    scale = max(1.0, float(np.abs(G).max())) * max(1.0, float(np.abs(forces).max()))
    checks.compare("positions", _output(checks, functions["positions"](q=q), "positions"), x)
    checks.compare("gravity", _output(checks, functions["gravity"](q=q), "Q"), G.T @ weight, scale)
    tau = G.T @ forces
    checks.compare("torques", _output(checks, functions["inverse"](q=q, qd=qd, qdd=qdd), "tau"), tau, scale)
    checks.compare("regressor", functions["regressor"](q=q, qd=qd, qdd=qdd), tau, scale)
    condition = float(np.linalg.cond(reference.inertia(x)))
    accelerated = _output(checks, functions["forward"](q=q, qd=qd, tau=tau), "qdd")
    checks.compare("accelerations", accelerated, qdd, scale, 1e-12 * max(condition, 1e4))
    kinetic, potential = reference.energy(x, qd)
    energies = functions["energy"](q=q, qd=qd)
    stored = float(k @ (x - rest) ** 2) / 2
    checks.compare("kinetic energy", _output(checks, energies, "kinetic"), [kinetic], scale)
    checks.compare("potential energy", _output(checks, energies, "potential"), [potential + stored], scale)


def _torques_of_columns(model: Regressor) -> Callable[..., np.ndarray]:
    """D K with the values of the description."""
    K = np.array(list(model.described_values().values()))
    return lambda **state: model.dense(model.evaluate(**state)) @ K


def _output(checks: Checks, outputs: Any, name: str) -> Any:
    """One output of a model, which must say that the robot is assembled."""
    if isinstance(outputs, OutputArray | OutputsWithStatus):
        checks.require("assembled", bool(outputs.assembled))
        return outputs[name]
    return outputs
