"""What Pinocchio can compute too: a table of our models, each beside the way to the same numbers there.

``CASES`` says how each model is asked for, which parts of a state it takes, and what Pinocchio gives at one state in the
robot's own coordinates. ``check`` compares them on a batch and on a single call of the compiled function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from models.kinematic.moving_frames import ACCELERATION, REFERENCE, link_ids
from models.kinematic.moving_frames import states as moving_states
from models.pinocchio_states import Twin, pin
from models.reference import numbers

from robosym import models
from robosym.generated import Model
from robosym.models.tree.state import wrench_frames
from robosym.program import verified
from robosym.robot import Robot

State = Mapping[str, np.ndarray]
TOLERANCE = 1e-10
STATES = 3
# Where the acceleration is the rate of the components of the velocity: there jdot-qdot is dJ/dt qd.
RATES = (("local", "spatial"), ("world", "spatial"), ("local-world-aligned", "classical"))


def as_it_is(outputs: Any, state: State) -> np.ndarray:
    return np.asarray(outputs)


@dataclass(frozen=True)
class Case:
    """One model, of one frame where it has one."""

    ours: Callable[[Robot, int], Model]
    takes: tuple[str, ...]  # inputs of the model, parts of the state
    theirs: Callable[[Twin, int, State], np.ndarray]  # at one state
    free_base: bool = True
    dependent_joints: bool = True
    made_of: Callable[[Any, State], np.ndarray] = as_it_is  # what is compared, at one state
    condition: bool = False  # whether digits are lost with the condition of the inertia matrix


# --- Pinocchio: frames -----------------------------------------------------------------------------------------------


def pose(twin: Twin, j: int, state: State) -> np.ndarray:
    pin.framesForwardKinematics(twin.model, twin.data, twin.configuration(state["q"]))
    return np.asarray(twin.data.oMf[twin.frame_id(j)].homogeneous.copy())


def jacobians(twin: Twin, j: int, state: State, axes: str) -> tuple[np.ndarray, np.ndarray]:
    """The matrix and its rate."""
    speed = twin.spread @ state["qd"]
    pin.computeJointJacobiansTimeVariation(twin.model, twin.data, twin.configuration(state["q"]), speed)
    pin.updateFramePlacements(twin.model, twin.data)
    given = (twin.model, twin.data, twin.frame_id(j), REFERENCE[axes])
    found = (pin.getFrameJacobian(*given), pin.getFrameJacobianTimeVariation(*given))
    J, rate = (np.reshape(matrix, (6, -1)) @ twin.spread for matrix in found)
    return J, rate


def motion(twin: Twin, j: int, state: State, axes: str, kind: str | None = None) -> np.ndarray:
    """The velocity, or with a ``kind`` the acceleration."""
    rates = (twin.spread @ state["qd"], twin.spread @ state["qdd"])
    pin.forwardKinematics(twin.model, twin.data, twin.configuration(state["q"]), *rates)
    pin.updateFramePlacements(twin.model, twin.data)
    get = pin.getFrameVelocity if kind is None else ACCELERATION[kind]
    return np.asarray(get(twin.model, twin.data, twin.frame_id(j), REFERENCE[axes]).vector)


# --- Pinocchio: masses -----------------------------------------------------------------------------------------------


def centre(twin: Twin, _: int, state: State) -> np.ndarray:
    return np.asarray(pin.centerOfMass(twin.model, twin.data, twin.configuration(state["q"])).copy())


def centre_jacobian(twin: Twin, _: int, state: State) -> np.ndarray:
    J = pin.jacobianCenterOfMass(twin.model, twin.data, twin.configuration(state["q"]))
    return np.asarray(J.reshape(3, -1) @ twin.spread)


def momentum(twin: Twin, _: int, state: State) -> np.ndarray:
    A = pin.computeCentroidalMap(twin.model, twin.data, twin.configuration(state["q"]))
    return np.asarray(A.reshape(6, -1) @ twin.spread)


def momentum_rate(twin: Twin, _: int, state: State) -> np.ndarray:
    speed = twin.spread @ state["qd"]
    pin.computeCentroidalMapTimeVariation(twin.model, twin.data, twin.configuration(state["q"]), speed)
    return np.asarray(twin.data.dAg.reshape(6, -1) @ speed)


# --- Pinocchio: dynamics ---------------------------------------------------------------------------------------------


def torques(twin: Twin, state: State, which: str = "none", friction: bool = False) -> np.ndarray:
    """rnea with rotors, the wrenches of some links, and friction, which Pinocchio leaves to others."""
    robot = twin.robot
    wrenches = dict(zip(wrench_frames(robot, which), state["wrenches"], strict=False))
    tau = twin.rnea(state["q"], state["qd"], state["qdd"], wrenches)
    if friction:
        speed = twin.spread @ state["qd"]
        resists = np.zeros(len(speed))
        for j, joint in twin.joints.items():
            k = int(twin.model.joints[joint].idx_v)
            Fv, Fs = numbers(robot, (robot.frame(j).actuator.Fv, robot.frame(j).actuator.Fs))
            resists[k] = Fv * speed[k] + Fs * np.sign(speed[k])
        tau = tau + twin.spread.T @ resists
    return tau


def energies(twin: Twin, _: int, state: State) -> np.ndarray:
    """Ours counts height from the origin of frame 0, Pinocchio's from that of the world."""
    origin = np.array(numbers(twin.robot, twin.robot.base.location)).reshape(4, 4)[:3, 3]
    mass = sum(inertia.mass for inertia in list(twin.model.inertias)[1:])
    potential = twin.potential(state["q"]) + mass * (twin.model.gravity.linear @ origin)
    return np.array([twin.kinetic(state["q"], state["qd"]), potential])


def passive(twin: Twin, state: State) -> np.ndarray:
    """A a + C v + Q with Pinocchio's own matrix of Christoffel symbols; wrenches, and friction at v."""
    spread, q, v = twin.spread, state["q"], state["v"]
    C = pin.computeCoriolisMatrix(twin.model, twin.data, twin.configuration(q), spread @ state["qd"])
    others = torques(twin, {**state, "qd": v, "qdd": 0 * v}, "all", True) - twin.bias(q, v)
    return np.asarray(twin.crba(q) @ state["a"] + spread.T @ C @ spread @ v + twin.gravity(q) + others)


def accelerations(twin: Twin, _: int, state: State) -> np.ndarray:
    """aba, which knows independent joints only; else the equation of motion solved."""
    q, qd, tau = state["q"], state["qd"], state["tau"]
    if twin.spread.shape[0] == twin.spread.shape[1]:
        return twin.aba(q, qd, tau)
    return np.asarray(np.linalg.solve(twin.crba(q), tau - twin.bias(q, qd)))


def lagrange_torque(parts: Mapping[str, np.ndarray], state: State) -> np.ndarray:
    """A qdd + B [qd_j qd_k] + C [qd^2] + Q."""
    qd = state["qd"]
    products = np.array([qd[j] * qd[k] for j, k in combinations(range(len(qd)), 2)])
    mixed = parts["coriolis_coefficients"].reshape(len(qd), -1) @ products
    return np.asarray(parts["A"] @ state["qdd"] + mixed + parts["centrifugal_coefficients"] @ qd**2 + parts["Q"])


# --- the table -------------------------------------------------------------------------------------------------------


def _frames() -> dict[str, Case]:
    found = {"transform": Case(lambda r, j: models.transform(r, frame=j, reference="world"), ("q",), pose)}
    for axes in REFERENCE:
        found |= {
            f"jacobian {axes}": Case(
                lambda r, j, axes=axes: models.jacobian(r, frame=j, axes=axes),
                ("q",),
                lambda t, j, s, axes=axes: jacobians(t, j, s, axes)[0],
            ),
            f"jacobian-rate {axes}": Case(
                lambda r, j, axes=axes: models.jacobian_rate(r, frame=j, axes=axes),
                ("q", "qd"),
                lambda t, j, s, axes=axes: jacobians(t, j, s, axes)[1],
            ),
            f"static-torques {axes}": Case(
                lambda r, j, axes=axes: models.static_torques(r, frame=j, axes=axes),
                ("q", "wrench"),
                lambda t, j, s, axes=axes: jacobians(t, j, s, axes)[0].T @ s["wrench"],
            ),
            f"velocities {axes}": Case(
                lambda r, j, axes=axes: models.velocities(r, frame=j, axes=axes),
                ("q", "qd"),
                lambda t, j, s, axes=axes: motion(t, j, s, axes),
            ),
        }
        found |= {
            f"accelerations {axes} {kind}": Case(
                lambda r, j, axes=axes, kind=kind: models.accelerations(r, frame=j, axes=axes, kind=kind),
                ("q", "qd", "qdd"),
                lambda t, j, s, axes=axes, kind=kind: motion(t, j, s, axes, kind),
            )
            for kind in ACCELERATION
        }
    return found | {
        f"jdot-qdot {axes} {kind}": Case(
            lambda r, j, axes=axes, kind=kind: models.jdot_qdot(r, frame=j, axes=axes, kind=kind),
            ("q", "qd"),
            lambda t, j, s, axes=axes: jacobians(t, j, s, axes)[1] @ s["qd"],
        )
        for axes, kind in RATES
    }


MASSES = {
    "centre-of-mass": Case(lambda r, j: models.centre_of_mass(r), ("q",), centre),
    "centre-of-mass-jacobian": Case(lambda r, j: models.centre_of_mass_jacobian(r), ("q",), centre_jacobian),
    "centroidal-momentum": Case(lambda r, j: models.centroidal_momentum(r), ("q",), momentum),
    "centroidal-momentum-rate": Case(lambda r, j: models.centroidal_momentum_rate(r), ("q", "qd"), momentum_rate),
}
MOVING = ("q", "qd", "qdd")
REFERRED = ("q", "qd", "v", "a")
DYNAMICS = {
    "inverse-dynamics": Case(
        lambda r, j: models.inverse_dynamics(r, wrench="none"), MOVING, lambda t, j, s: torques(t, s)
    ),
    "inverse-dynamics, base parameters": Case(
        lambda r, j: models.inverse_dynamics(r, parameters="base", wrench="none"),
        MOVING,
        lambda t, j, s: torques(t, s),
    ),
    "inverse-dynamics, wrenches and friction": Case(
        lambda r, j: models.inverse_dynamics(r, wrench="all", friction=True),
        (*MOVING, "wrenches"),
        lambda t, j, s: torques(t, s, "all", True),
    ),
    "passive-dynamics": Case(
        lambda r, j: models.passive_dynamics(r, wrench="all", friction=True),
        (*REFERRED, "wrenches"),
        lambda t, j, s: passive(t, s),
    ),
    "bias": Case(lambda r, j: models.bias(r, wrench="none"), ("q", "qd"), lambda t, j, s: t.bias(s["q"], s["qd"])),
    "gravity": Case(lambda r, j: models.gravity(r), ("q",), lambda t, j, s: t.gravity(s["q"])),
    "inertia-matrix": Case(lambda r, j: models.inertia_matrix(r), ("q",), lambda t, j, s: t.crba(s["q"])),
    "coriolis": Case(
        lambda r, j: models.coriolis(r),
        ("q", "qd"),
        lambda t, j, s: t.bias(s["q"], s["qd"]) - t.gravity(s["q"]),
        made_of=lambda C, s: C @ s["qd"],
    ),
    "lagrange": Case(
        lambda r, j: models.lagrange(r), ("q",), lambda t, j, s: torques(t, s), False, made_of=lagrange_torque
    ),
    **{
        f"{name}, base parameters": Case(
            lambda r, j, name=name: models.MODELS[name](r, parameters="base"),
            takes,
            theirs,
            name != "lagrange",
            made_of=made_of,
        )
        for name, takes, theirs, made_of in (
            ("bias", ("q", "qd"), lambda t, j, s: t.bias(s["q"], s["qd"]), as_it_is),
            ("gravity", ("q",), lambda t, j, s: t.gravity(s["q"]), as_it_is),
            ("inertia-matrix", ("q",), lambda t, j, s: t.crba(s["q"]), as_it_is),
            ("lagrange", ("q",), lambda t, j, s: torques(t, s), lagrange_torque),
        )
    },
    "energy": Case(
        lambda r, j: models.energy(r),
        ("q", "qd"),
        energies,
        made_of=lambda E, s: np.array([E["kinetic"][0], E["potential"][0]]),
    ),
    "forward-dynamics, factorised": Case(
        lambda r, j: models.forward_dynamics(r, method="factorised", wrench="none"),
        ("q", "qd", "tau"),
        accelerations,
        condition=True,
    ),
    "forward-dynamics, articulated bodies": Case(
        lambda r, j: models.forward_dynamics(r, method="articulated-bodies", wrench="none"),
        ("q", "qd", "tau"),
        accelerations,
        dependent_joints=False,
        condition=True,
    ),
}
KINEMATICS = _frames() | MASSES
CASES = KINEMATICS | DYNAMICS
LONG = (
    "coriolis",
    "lagrange",
    "lagrange, base parameters",
)  # grow with the cube of the joints: left out beyond so many
MOST_JOINTS = 15


def applies(case: Case, name: str, robot: Robot) -> bool:
    """Whether the model is there for such a robot."""
    if robot.base.floating and not case.free_base:
        return False
    if name in LONG and robot.nv > MOST_JOINTS:
        return False
    return case.dependent_joints or all(frame.joint.mimic is None for frame in robot.frames)


# --- the comparison --------------------------------------------------------------------------------------------------


def states(robot: Robot, seed: int) -> dict[str, np.ndarray]:
    """Batches of everything a model may take."""
    rng = np.random.default_rng(seed)
    batch = moving_states(rng, robot, STATES)
    batch["v"], batch["a"] = rng.uniform(-2, 2, (2, STATES, robot.nv))
    batch["tau"] = rng.uniform(-20, 20, (STATES, robot.nv))
    batch["wrench"] = rng.uniform(-2, 2, (STATES, 6))
    batch["wrenches"] = rng.uniform(-5, 5, (STATES, len(wrench_frames(robot, "all")), 6))
    return batch


def one_of(outputs: Any, i: int) -> Any:
    """The outputs at one state of a batch."""
    return {name: values[i] for name, values in outputs.items()} if isinstance(outputs, dict) else outputs[i]


def check(case: Case, twin: Twin, j: int, seed: int) -> None:
    """All states at once and the last one alone, against Pinocchio at each."""
    model = case.ours(twin.robot, j)
    verified(model.program)
    function, batch = model.compile(), states(twin.robot, seed)
    given = {("wrench" if name == "wrenches" else name): batch[name] for name in case.takes}
    together = function(**given)
    alone = function(**{name: values[-1] for name, values in given.items()})
    for i in range(STATES):
        state = {name: values[i] for name, values in batch.items()}
        expected = case.theirs(twin, j, state)
        tolerance = TOLERANCE + (1e-14 * np.linalg.cond(twin.crba(state["q"])) if case.condition else 0.0)
        agrees(case.made_of(one_of(together, i), state), expected, tolerance)
    agrees(case.made_of(alone, state), expected, tolerance)


def agrees(found: np.ndarray, expected: np.ndarray, tolerance: float) -> None:
    """Relative to the largest entry, or to one where all are smaller."""
    assert np.shape(found) == np.shape(expected)
    scale = max(1.0, np.abs(expected).max(initial=0.0))
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * scale)


def frame_of(twin: Twin, seed: int) -> int:
    """A frame that both know by name."""
    names = link_ids(twin)
    known = [j for j, frame in enumerate(twin.robot.frames, 1) if frame.name in names]
    return known[-1 - seed % len(known)]
