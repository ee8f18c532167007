"""Linearised models agree with how neighbouring motions depart: joints, free bases, loops, flexible joints, moving bases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from models.derivatives.manifold import apart, free_robot, moved, rubbing, slopes, state_of
from models.loops.iterated_linkages import stephenson
from random_robots import random_robot
from robots_with import flexible, sprung

import robosym
from robosym import models
from robosym.expr import number
from robosym.robot import Robot, RobotError

# A small program in numbers, from the model of accelerations alone: nothing of the derivatives' room.
TIME = 2e-3


def integrated(f: Any, state: dict[str, Any], time: float, steps: int = 1) -> dict[str, Any]:
    """Steps of Runge and Kutta on the group: every stage is a small motion away from the beginning."""
    names = ["q", "q_motor"] if "q_motor" in state else ["q"]
    start = dict(state)
    h = time / steps

    def rates(at: dict[str, Any]) -> tuple[list[np.ndarray], list[np.ndarray]]:
        made = f(**at)
        made = made if isinstance(made, dict) else {"qdd": made}
        return [np.asarray(at[_speed(n)]) for n in names], [np.asarray(made[_acceleration(n)]) for n in names]

    for _ in range(steps):
        k = []
        for ahead in (0.0, h / 2, h / 2, h):
            at = dict(start)
            for i, n in enumerate(names):
                if ahead:
                    at[n] = moved(start[n], ahead * k[-1][0][i])
                    at[_speed(n)] = start[_speed(n)] + ahead * k[-1][1][i]
            k.append(rates(at))
        total = [
            [(k[0][w][i] + 2 * k[1][w][i] + 2 * k[2][w][i] + k[3][w][i]) / 6 for i in range(len(names))] for w in (0, 1)
        ]
        for i, n in enumerate(names):
            start[n], start[_speed(n)] = moved(start[n], h * total[0][i]), start[_speed(n)] + h * total[1][i]
    return start


def _speed(name: str) -> str:
    return name.replace("q", "qd", 1)


def _acceleration(name: str) -> str:
    return name.replace("q", "qdd", 1)


def by_differences(robot: Robot, f: Any, state: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """A and B from how deviations grow in a short time, forwards and backwards: (Phi(t) - Phi(-t)) / 2t, of third order."""
    names = ["q", "q_motor"] if "q_motor" in state else ["q"]
    sizes = [robot.nv if n == "q" else len(robot.moving) for n in names]
    half, m = sum(sizes), robot.nv

    def after(d: np.ndarray, time: float) -> dict[str, Any]:
        at, place = dict(state), 0
        for n, size in zip(names, sizes, strict=True):
            at[n] = moved(state[n], d[place : place + size])
            at[_speed(n)] = state[_speed(n)] + d[half + place : half + place + size]
            place += size
        at["tau"] = state["tau"] + d[2 * half :]
        return integrated(f, at, time)

    def grown(time: float) -> np.ndarray:
        nominal = after(np.zeros(2 * half + m), time)

        def deviation(d: np.ndarray) -> np.ndarray:
            one = after(d, time)
            positions = [apart(nominal[n], one[n], size) for n, size in zip(names, sizes, strict=True)]
            return np.concatenate([*positions, *(one[_speed(n)] - nominal[_speed(n)] for n in names)])

        return slopes(deviation, 2 * half + m, 1e-4)

    near, far = ((grown(t) - grown(-t)) / (2 * t) for t in (TIME, 2 * TIME))
    whole = (4 * near - far) / 3
    return whole[:, : 2 * half], whole[:, 2 * half :]


def agrees(robot: Robot, seed: int = 1, reach: float = 0.5, **options: Any) -> None:
    model = models.linearised(robot, **options)
    names = {array.name for array in model.code.inputs}
    make = models.flexible_joint_forward_dynamics if "q_motor" in names else models.forward_dynamics
    f = make(robot, **{k: v for k, v in options.items() if k in ("friction", "wrench")}).compile()
    state = state_of(model, seed, reach)
    got = model.compile()(**state)
    A, B = by_differences(robot, f, state)
    size = max(1.0, float(np.abs(A).max()))
    np.testing.assert_allclose(got["A"], A, rtol=1e-5, atol=2e-6 * size)
    np.testing.assert_allclose(got["B"], B, rtol=1e-5, atol=2e-6 * size)
    made = f(**state)
    made = made if isinstance(made, dict) else {"qdd": made}
    accelerations = [made[name] for name in ("qdd", "qdd_motor") if name in made]
    np.testing.assert_allclose(got["xd"][-sum(map(len, accelerations)) :], np.concatenate(accelerations), atol=1e-9)


@pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
def test_of_random_trees() -> None:
    for seed in range(3):
        agrees(rubbing(random_robot(np.random.default_rng(seed), 4)), seed, friction="smooth", wrench="none")


def test_of_a_free_base() -> None:
    """The deviation of a base that moves: its axes turn, and A has more than zero and one in its upper half."""
    robot = free_robot()
    agrees(robot, wrench="none")
    model = models.linearised(robot)
    state = state_of(model, 2)
    A = model.compile()(**state)["A"]
    assert np.abs(A[:6, :6]).max() > 0.1
    assert any("own frame" in note for note in model.program.notes)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["four-bar", "five-bar", "iterated"])
def test_of_closed_loops(name: str) -> None:
    agrees(stephenson() if name == "iterated" else robosym.load(name), reach=0.3, wrench="none")


def test_of_flexible_joints_and_joints() -> None:
    robot = flexible(robosym.load("planar-2r"))
    agrees(robot, wrench="none")
    assert models.linearised(robot).program.outputs[0].shape == (8, 8)
    for active in (False, True):
        agrees(sprung(robosym.load("planar-2r"), active), wrench="none")


def test_of_a_moving_base() -> None:
    robot = robosym.load("planar-2r")
    base = replace(
        robot.base, angular_velocity=(number(0), number(0.2), number(0.7)), velocity=(number(0.3), number(0), number(0))
    )
    agrees(robot.replace(base=base), wrench="none")


def test_outputs_are_chosen() -> None:
    """C and D against differences of the models they are of; accelerations follow from the torques."""
    robot = robosym.load("stanford-3")
    torque = models.inverse_dynamics(robot, wrench="none")
    model = models.linearised(robot, outputs=["pose", "velocity", "acceleration", "energy", torque], wrench="none")
    state = state_of(model, 3)
    got = model.compile()(**state)
    n = robot.nv
    assert got["C"].shape == (6 + 6 + 6 + 1 + n, 2 * n)
    T, V, VD, E = (
        f(robot).compile() for f in (models.transform, models.velocities, models.accelerations, models.energy)
    )
    forward, tau = models.forward_dynamics(robot, wrench="none").compile(), torque.compile()
    q, qd, u = (state[name] for name in ("q", "qd", "tau"))
    here = T(q=q)

    def at(d: np.ndarray) -> np.ndarray:
        x, v, t = q + d[:n], qd + d[n : 2 * n], u + d[2 * n :]
        pose = T(q=x)
        R = pose[:3, :3] @ here[:3, :3].T
        turn = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2
        a = forward(q=x, qd=v, tau=t)
        rows = [pose[:3, 3], turn, V(q=x, qd=v), VD(q=x, qd=v, qdd=a), E(q=x, qd=v)["total"], tau(q=x, qd=v, qdd=a)]
        return np.concatenate(rows)

    expected = slopes(at, 3 * n)
    whole = np.hstack([got["C"], got["D"]])
    np.testing.assert_allclose(whole, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())
    np.testing.assert_allclose(
        got["D"][-n:], np.eye(n), atol=1e-8
    )  # the torques of these accelerations are those given


def test_what_is_refused() -> None:
    robot = robosym.load("planar-2r")
    with pytest.raises(RobotError, match="got 'speed', expected any of pose, velocity"):
        models.linearised(robot, outputs=["speed"])
    with pytest.raises(RobotError, match="of another robot"):
        models.linearised(robot, outputs=[models.gravity(robosym.load("rx90"))])
    with pytest.raises(RobotError, match="depends on"):
        models.linearised(robot, outputs=[models.passive_dynamics(robot)], wrench="none")
    assert models.linearised(robot, parameters="base").parameter_set == "base"


def test_in_base_parameters_it_is_the_same() -> None:
    robot = robosym.load("stanford-3")
    state = state_of(models.linearised(robot), 4)
    A, base = (models.linearised(robot, parameters=one).compile()(**state)["A"] for one in ("standard", "base"))
    np.testing.assert_allclose(A, base, atol=1e-8)
