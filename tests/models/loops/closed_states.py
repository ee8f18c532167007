"""States of robots with closed loops, with the positions of all joints, away from where the loops are singular."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from models.loops.closed_reference import Closed
from models.loops.random_mechanisms import random_mechanism

import robosym
from robosym import models
from robosym.robot import Robot

CLEAR = 0.03  # the least singular value of the passive joints' constraints over the largest


@dataclass(frozen=True)
class State:
    """``x``: of all joints, as ``Closed`` orders them."""

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    x: np.ndarray


def output(found: Any, name: str) -> np.ndarray:
    """One result of a compiled function, whether it has others or not; it must be that of an assembled robot."""
    assert np.all(found.assembled == 1)
    return np.asarray(found[name])


def positions_of(f: Any, q: np.ndarray) -> tuple[np.ndarray, bool]:
    """All positions by a compiled loop geometry, and whether the loops close."""
    found = f(q=q)
    return np.asarray(found), bool(found.assembled)


def described(robot: Robot) -> np.ndarray:
    """q at the positions of the description."""
    return np.array([robot.frame(j).joint.position or 0.0 for j in robot.moving])


def clear_states(
    robot: Robot, mode: str | None, count: int, seed: int = 0, spread: float = 0.6, clear: float = CLEAR
) -> list[State]:
    reference = Closed(robot)
    rng = np.random.default_rng(seed)
    f = models.loop_geometry(robot, mode=mode).evaluate
    found: list[State] = []
    for _ in range(100 * count):
        q = described(robot) + rng.uniform(-spread, spread, robot.nv)
        x, closes = positions_of(f, q)
        if not closes:
            continue
        J, _ = reference.constraints(x, np.zeros(len(x)))
        sizes = np.linalg.svd(J[:, reference.passive], compute_uv=False)
        rank = len(reference.passive)
        if sizes[rank - 1] > clear * sizes[0]:
            qd, qdd, tau = (rng.uniform(-2, 2, robot.nv) for _ in range(3))
            found.append(State(q, qd, qdd, tau, x))
        if len(found) == count:
            return found
    raise AssertionError(f"{robot.name}, {mode}: only {len(found)} states were found")


@cache
def named(name: str) -> Robot:
    """A built-in robot, or a random mechanism: kind/seed."""
    if "/" not in name:
        return robosym.load(name)
    kind, seed = name.split("/")
    return random_mechanism(kind, int(seed), named=None)


@cache
def modes(name: str) -> tuple[str, ...]:
    return models.loop_geometry(named(name)).modes
