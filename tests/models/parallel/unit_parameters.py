"""The torques of unit parameters by Pinocchio, projected on the motors by the null space of the closures: columns that owe nothing
to the models, and their rank."""

from __future__ import annotations

import numpy as np
from models.parallel import reference
from models.parallel.platform_model import Mechanism, pin
from models.parallel.platform_states import State, random_states

from robosym.robot import FIXED, INERTIA, Robot

# Pinocchio's order of the parameters of a body.
THEIRS = ("M", "MX", "MY", "MZ", "XX", "XY", "YY", "XZ", "YZ", "ZZ")
RANK = 1e-9  # of columns of length one: what is below is nothing

Columns = dict[tuple[int, str], np.ndarray]  # by frame and one of INERTIA, or by joint and Ia


def columns_at(robot: Robot, state: State) -> Columns:
    """Of every parameter of every moving body, and of every rotor: the forces of the motors."""
    mechanism = Mechanism.of(robot)
    P = mechanism.turned(state.pose)
    u = np.concatenate([state.twist, state.speeds])
    ud = np.concatenate([state.twist_rate, state.accelerations])
    place = mechanism.configuration(state.pose, state.legs)
    rates = (P @ u, P @ ud + mechanism.spatial(state.pose, u))
    G = reference.by_motors(robot, state.pose, state.legs)
    W = (P @ G).T @ pin.computeJointTorqueRegressor(mechanism.model, mechanism.data, place, *rates)
    found: Columns = {}
    for j in (*mechanism.joints, mechanism.platform):
        body = mechanism.model.getJointId(f"joint{j}")
        own = dict(zip(THEIRS, W[:, 10 * (body - 1) : 10 * body].T, strict=True))
        found |= {(j, stem): own[stem] for stem in INERTIA}
    for k, j in enumerate(mechanism.joints):
        found[j, "Ia"] = G[6 + k] * ud[6 + k]
    return found


def columns_over(robot: Robot, pose: np.ndarray, legs: np.ndarray, count: int) -> Columns:
    """The same over many states."""
    found = [columns_at(robot, state) for state in random_states(robot, pose, legs, count, seed=3)]
    return {key: np.concatenate([one[key] for one in found]) for key in found[0]}


def rank_of(columns: list[np.ndarray]) -> int:
    """The number that are independent, if that is clear."""
    W = np.array(columns).T
    sizes = np.linalg.norm(W, axis=0)
    alive = sizes > 1e-11 * sizes.max()
    S = np.linalg.svd(W[:, alive] / sizes[alive], compute_uv=False)
    rank = int(np.count_nonzero(RANK * S[0] < S))
    left = S[rank] if rank < len(S) else 0.0
    assert S[rank - 1] > 1e3 * left, "the rank is doubtful"
    return rank


def has_link(robot: Robot, j: int) -> bool:
    """Whether something is described for the body of a frame."""
    own = [
        k
        for k in range(1, len(robot.frames) + 1)
        if k == j or (robot.frame(k).sigma == FIXED and robot.carrier(k) == j)
    ]
    return any(not x.is_zero for k in own for x in robot.frame(k).link.inertial)
