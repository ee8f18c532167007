"""Which numbers of a model are compared with which of the reference: one line a model.

``asked`` are the options it is made with, ``inputs`` the parts of a state it takes, ``ours`` makes the compared array of its outputs
(by default the first of them), ``theirs`` the same from the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from .mechanism import Floats
from .reference import Motion, Reference

Outputs = Mapping[str, Floats]
State = Mapping[str, Floats]
EXACT, DIFFERENCES = 1e-8, 2e-5  # largest relative differences: of closed forms, and of finite differences
STEP = 1e-5
DT = 0.01
ROWS = ("vx", "vy", "vz", "wx", "wy", "wz")
MOST = 15  # joints beyond which models that grow with the cube of them are left out


@dataclass(frozen=True)
class Task:
    """What a case is about: the reference at a state, and the frame that is looked at."""

    reference: Reference
    motion: Motion
    state: State
    frame: int


Theirs = Callable[[Task], Floats]
Ours = Callable[[Outputs, Task], Floats]


def first(outputs: Outputs, task: Task) -> Floats:
    """The first output, as it is."""
    return next(iter(outputs.values()))


@dataclass(frozen=True)
class Case:
    """One model."""

    model: str
    theirs: Theirs
    inputs: tuple[str, ...] = ("q",)
    asked: tuple[str, ...] = ()  # frame, reference, base ...
    ours: Ours = first
    of_model: Callable[[Any, Outputs], Floats] | None = None  # instead, with the model itself
    theirs_of_model: Callable[[Any, Floats], Floats] | None = (
        None  # of what the reference gives, what the model is about
    )
    how: str = ""  # what is compared, where it is not the outputs themselves
    tolerance: float = EXACT
    free_base: bool = True
    most: int | None = None  # joints, of a model that grows fast with them


# --- what the reference says -----------------------------------------------------------------------------------------


def moved(task: Task, **changed: Floats) -> Motion:
    state = {**task.state, **changed}
    return task.reference.motion(state["q"], state["qd"], task.motion.state.x)


def _slopes(task: Task, function: Callable[[Motion], Floats], name: str) -> Floats:
    """Central differences by q or qd, a column each."""
    columns = []
    for k in range(len(task.state[name])):
        step = np.zeros(len(task.state[name]))
        step[k] = STEP
        ends = [function(moved(task, **{name: task.state[name] + sign * step})) for sign in (1, -1)]
        columns.append((ends[0] - ends[1]) / (2 * STEP))
    return np.array(columns).T


def _torque_slopes(task: Task) -> Floats:
    return np.hstack([_slopes(task, lambda m: m.torques(task.state["qdd"]), name) for name in ("q", "qd")])


def _acceleration_slopes(task: Task) -> Floats:
    by_state = [_slopes(task, lambda m: m.forward(task.state["tau"]), name) for name in ("q", "qd")]
    return np.hstack([*by_state, np.linalg.inv(task.motion.inertia)])


def _step(task: Task) -> Floats:
    """One step of Runge and Kutta."""
    n = len(task.state["q"])

    def rate(y: Floats) -> Floats:
        return np.concatenate([y[n:], moved(task, q=y[:n], qd=y[n:]).forward(task.state["tau"])])

    y = np.concatenate([task.state["q"], task.state["qd"]])
    k1 = rate(y)
    k2 = rate(y + DT / 2 * k1)
    k3 = rate(y + DT / 2 * k2)
    k4 = rate(y + DT * k3)
    return np.asarray(y + DT / 6 * (k1 + 2 * k2 + 2 * k3 + k4))


def _base_acceleration(task: Task) -> Floats:
    """What a free base does by itself, and the torques of the joints then."""
    A, H = task.motion.inertia, task.motion.torques(np.zeros(task.motion.nv))
    qdd = task.state["qdd"][6:]
    base = np.linalg.solve(A[:6, :6], -H[:6] - A[:6, 6:] @ qdd)
    return np.concatenate([base, A[6:, :6] @ base + A[6:, 6:] @ qdd + H[6:]])


# --- what is made of the outputs -------------------------------------------------------------------------------------


def joined(*names: str) -> Ours:
    """Several outputs side by side."""
    return lambda outputs, task: np.concatenate([np.asarray(outputs[name]).reshape(-1) for name in names])


def _beside(*names: str) -> Ours:
    return lambda outputs, task: np.hstack([np.asarray(outputs[name]) for name in names])


def _lagrange(outputs: Outputs, task: Task) -> Floats:
    """A qdd + B [qd_j qd_k] + C [qd^2] + Q."""
    qd = task.state["qd"]
    products = np.array([qd[j] * qd[k] for j, k in combinations(range(len(qd)), 2)])
    mixed = np.asarray(outputs["coriolis_coefficients"]).reshape(len(qd), -1) @ products
    return np.asarray(
        outputs["A"] @ task.state["qdd"] + mixed + outputs["centrifugal_coefficients"] @ qd**2 + outputs["Q"]
    )


def _linearised(outputs: Outputs, task: Task) -> Floats:
    n = len(task.state["qd"])
    return np.hstack([outputs["A"][n:], outputs["B"][n:]])


def _zero(task: Task) -> Floats:
    return np.zeros(task.motion.nv)


Q, RATES, MOVING, PUSHED = ("q",), ("q", "qd"), ("q", "qd", "qdd"), ("q", "qd", "tau")
CASES = (
    Case("transform", lambda t: t.motion.moment.pose(t.frame), Q, ("frame", "world")),
    Case("geometric", lambda t: t.motion.moment.pose(t.frame), Q, ("frame", "world")),
    Case("loop-kinematics", lambda t: _tree_rates(t), RATES, ours=lambda o, t: np.asarray(o["G"]), how="G"),
    Case("jacobian", lambda t: t.motion.jacobian(t.frame), Q, ("frame",)),
    Case(
        "jacobian-rate",
        lambda t: t.motion.acceleration(t.frame, _zero(t)),
        RATES,
        ("frame",),
        lambda o, t: first(o, t) @ t.state["qd"],
        how="JD qd",
    ),
    Case(
        "jacobian-inverse",
        lambda t: t.motion.jacobian(t.frame),
        Q,
        ("frame",),
        lambda o, t: t.motion.jacobian(t.frame) @ first(o, t) @ t.motion.jacobian(t.frame),
        how="J JI J = J",
        tolerance=1e-6,
    ),
    Case(
        "inverse-kinematics-velocity",
        lambda t: t.motion.twist(t.frame),
        ("q", "twist"),
        ("frame",),
        lambda o, t: t.motion.twist(t.frame) + t.motion.jacobian(t.frame) @ (first(o, t) - t.state["qd"]),
        how="J qd = twist",
        tolerance=1e-6,
    ),
    Case(
        "jacobian-determinant",
        lambda t: t.motion.jacobian(t.frame),
        Q,
        ("frame",),
        lambda o, t: np.abs(first(o, t)),
        theirs_of_model=lambda m, J: _measure(J[[ROWS.index(row) for row in m.options["rows"]]]),
        how="size, of the rows of the model",
    ),
    Case("static-torques", lambda t: t.motion.jacobian(t.frame).T @ t.state["wrench"], ("q", "wrench"), ("frame",)),
    Case("velocities", lambda t: t.motion.twist(t.frame), RATES, ("frame",)),
    Case("accelerations", lambda t: t.motion.acceleration(t.frame, t.state["qdd"]), MOVING, ("frame",)),
    Case("jdot-qdot", lambda t: t.motion.acceleration(t.frame, _zero(t)), RATES, ("frame",)),
    Case("centre-of-mass", lambda t: t.motion.moment.centre()),
    Case(
        "centre-of-mass-jacobian",
        lambda t: t.motion.moment.momentum()[:3] @ t.motion.G,
        ours=lambda o, t: first(o, t) * _mass(t),
        how="momentum",
    ),
    Case("centroidal-momentum", lambda t: t.motion.moment.momentum() @ t.motion.G),
    Case(
        "centroidal-momentum-rate",
        lambda t: t.motion.moment.momentum_rate(t.motion.accelerations(_zero(t))),
        RATES,
    ),
    Case("inverse-dynamics", lambda t: t.motion.torques(t.state["qdd"]), MOVING),
    Case("inverse-dynamics", lambda t: t.motion.torques(t.state["qdd"]), MOVING, ("base",), how="base parameters"),
    Case(
        "inverse-dynamics-derivatives",
        _torque_slopes,
        MOVING,
        ours=_beside("dtau_dq", "dtau_dqd"),
        how="finite differences",
        tolerance=DIFFERENCES,
        free_base=False,
    ),
    Case(
        "passive-dynamics",
        lambda t: t.motion.torques(t.state["qdd"]),
        ("q", "qd", "v", "a"),
        how="v = qd, a = qdd",
    ),
    Case("forward-dynamics", lambda t: t.motion.forward(t.state["tau"]), PUSHED, tolerance=1e-6),
    Case(
        "forward-dynamics-derivatives",
        _acceleration_slopes,
        PUSHED,
        ours=_beside("dqdd_dq", "dqdd_dqd", "dqdd_dtau"),
        how="finite differences",
        tolerance=DIFFERENCES,
        free_base=False,
    ),
    Case("inertia-matrix", lambda t: t.motion.inertia),
    Case("bias", lambda t: t.motion.torques(_zero(t)), RATES),
    Case("gravity", lambda t: t.motion.gravity()),
    Case(
        "coriolis",
        lambda t: t.motion.torques(_zero(t)) - moved(t, qd=_zero(t)).torques(_zero(t)) - _damping(t),
        RATES,
        ours=lambda o, t: first(o, t) @ t.state["qd"],
        how="C qd",
        most=MOST,
    ),
    Case(
        "lagrange",
        lambda t: t.motion.torques(t.state["qdd"]) - _springs(t),
        ours=_lagrange,
        how="A qdd + B [qd qd] + C [qd^2] + Q",
        free_base=False,
        most=MOST,
    ),
    Case(
        "expanded",
        lambda t: t.motion.torques(t.state["qdd"]) - _springs(t),
        ours=_lagrange,
        how="A qdd + B [qd qd] + C [qd^2] + Q",
        free_base=False,
        most=3,
    ),
    Case(
        "regressor",
        lambda t: t.motion.torques(t.state["qdd"]),
        MOVING,
        of_model=lambda m, o: _regressed(m, o),
        how="D times the parameters",
    ),
    Case(
        "passive-regressor",
        lambda t: t.motion.torques(t.state["qdd"]),
        ("q", "qd", "v", "a"),
        of_model=lambda m, o: _regressed(m, o),
        how="Y times the parameters, v = qd, a = qdd",
    ),
    Case("energy", lambda t: t.motion.energies(), RATES, ours=joined("kinetic", "potential")),
    Case("base-acceleration", _base_acceleration, ("q", "qd", "joint_qdd"), ours=joined("qdd_base", "tau")),
    Case(
        "linearised",
        _acceleration_slopes,
        PUSHED,
        ours=_linearised,
        how="finite differences",
        tolerance=DIFFERENCES,
        free_base=False,
    ),
    Case("step", _step, ("q", "qd", "tau", "dt"), ours=joined("q_next", "qd_next"), how="rk4", free_base=False),
)


def _tree_rates(task: Task) -> Floats:
    """Of all joints of the tree over those of the motors."""
    robot, columns = task.reference.robot, task.reference.mechanism.columns
    rows = [columns[j][0] for j in robot.order if j in columns and j <= robot.n_links and j]
    return np.asarray(task.motion.G[rows][:, -len(robot.moving) :])


def _regressed(model: Any, outputs: Outputs) -> Floats:
    """What the parameters of the description make of it."""
    name, entries = next(iter(outputs.items()))
    known = model.described_values()
    return np.asarray(model.dense(entries, name) @ np.array([known[column] for column in model.columns]))


def _measure(J: Floats) -> Floats:
    """sqrt(det J J^T): the product of the singular values."""
    return np.array([np.prod(np.linalg.svd(J, compute_uv=False))])


def _mass(task: Task) -> float:
    mechanism = task.reference.mechanism
    return float(sum(mechanism.inertial(j)[9] for j in mechanism.bodies))


def _springs(task: Task) -> Floats:
    return np.asarray(task.motion.G.T @ task.reference.mechanism.springs(task.motion.state))


def _damping(task: Task) -> Floats:
    still = task.reference.mechanism.springs(task.motion.still)
    return np.asarray(_springs(task) - task.motion.G.T @ still)
