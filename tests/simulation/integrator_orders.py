"""Orders of integrators on random robots of every structure, against SciPy's DOP853 with friction and torques written here.

``step_orders`` and ``simulation_orders`` take a structure and a seed and assert the order of every integrator, so that a sweep can
call them with many seeds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from models.derivatives.manifold import state_of
from models.loops.linkages import loaded, slider_crank
from random_robots import random_inertia, random_robot
from robots_with import flexible
from scipy.integrate import solve_ivp
from simulation.plants import pose_rate

import robosym
from robosym import models
from robosym.expr import number
from robosym.models.derivatives.step import ORDERS
from robosym.robot import INERTIA, Friction, Link, Mimic, Robot
from robosym.simulation import simulate

Vector = Any
STRUCTURES = ("serial", "tree", "mimic", "closed loop", "free base", "flexible")
SIMULATED = {"rk4": 4, "semi-implicit": 1, "midpoint": 2}
FLOOR = 2e-11  # errors below are of rounding and of the reference
LOOPS: tuple[Callable[[], Robot], ...] = (
    lambda: robosym.load("four-bar"),
    lambda: robosym.load("five-bar"),
    slider_crank,
)


# --- robots ------------------------------------------------------------------------------------------------------------


def random_structure(structure: str, rng: np.random.Generator) -> Robot:
    """A robot of a structure, without friction, every moving link with inertia."""
    if structure == "closed loop":
        return frictionless(loaded(rng, LOOPS[int(rng.integers(len(LOOPS)))]()))
    if structure == "flexible":
        return frictionless(flexible(robosym.load(str(rng.choice(["planar-2r", "double-pendulum", "scara"])))))
    robot = random_robot(rng, int(rng.integers(2, 4)))
    while len(robot.moving) < (2 if structure == "mimic" else 1) or not _has_inertia(robot):
        robot = random_robot(rng, int(rng.integers(2, 4)))
    if structure in ("serial", "mimic"):
        robot = robot.replace(frames=tuple(replace(f, antecedent=j) for j, f in enumerate(robot.frames)))
    if structure == "mimic":
        first, last = robot.moving[0], robot.moving[-1]
        frames = list(robot.frames)
        follows = Mimic(first, number(float(rng.uniform(-1.5, 1.5))), number(float(rng.uniform(-1, 1))))
        frames[last - 1] = replace(frames[last - 1], joint=replace(frames[last - 1].joint, mimic=follows))
        robot = robot.replace(frames=tuple(frames))
    if structure == "free base":
        link = Link(**dict(zip(INERTIA, map(number, random_inertia(rng)), strict=True)))
        robot = robot.replace(base=replace(robot.base, floating=True, link=link))
    return robot


def _has_inertia(robot: Robot) -> bool:
    """Whether the mass matrix is regular at a general position."""
    A = models.inertia_matrix(robot).evaluate(q=np.linspace(0.3, 0.9, robot.nq))
    return bool(np.linalg.cond(A) < 1e3)


def frictionless(robot: Robot) -> Robot:
    frames = [
        replace(f, actuator=replace(f.actuator, Fv=number(0), Fs=number(0), friction=Friction())) for f in robot.frames
    ]
    return robot.replace(frames=tuple(frames))


def rubbing(rng: np.random.Generator, robot: Robot) -> tuple[Robot, Callable[[Vector], Vector]]:
    """The robot with smooth friction and an offset at the joints that have coordinates, and the torque of that friction."""
    n, base = len(robot.moving), robot.nv - len(robot.moving)
    offset, viscous, coulomb = rng.uniform(-1, 1, n), rng.uniform(0, 0.5, n), rng.uniform(0, 0.5, n)
    width = rng.uniform(0.5, 1.0, n)
    frames = list(robot.frames)
    for k, j in enumerate(robot.moving):
        friction = Friction(offset=number(offset[k]), width=number(width[k]))
        own = replace(frames[j - 1].actuator, Fv=number(viscous[k]), Fs=number(coulomb[k]), friction=friction)
        frames[j - 1] = replace(frames[j - 1], actuator=own)

    def torque(qd: Vector) -> Vector:
        v = qd[base:]
        return np.concatenate([np.zeros(base), offset + viscous * v + coulomb * np.tanh(v / width)])

    return robot.replace(frames=tuple(frames)), torque


# --- the reference -----------------------------------------------------------------------------------------------------


def exact(
    robot: Robot,
    lost: Callable[[Vector], Vector],
    q: Vector,
    qd: Vector,
    duration: float,
    tau: Callable[[float], Vector],
    disturbance: Callable[[float], Vector] | None = None,
) -> dict[str, Vector]:
    """The state and the work of the motors after a time, of a robot without friction from which ``lost`` is taken off."""
    model = models.forward_dynamics(robot, wrench="none").compile()
    n, nq = len(robot.moving), robot.nq

    def rate(t: float, x: Vector) -> Vector:
        q, v = x[:nq], x[nq : nq + robot.nv]
        acting = tau(t) - lost(v) + (0 if disturbance is None else disturbance(t))
        made = model(q=q, qd=v, tau=acting)
        qdd = made["qdd"] if isinstance(made, dict) else made
        moved = pose_rate(q, v) if robot.base.floating else v
        return np.concatenate([moved, qdd, tau(t)[-n:] * v[-n:]])

    start = np.concatenate([q, qd, np.zeros(n)])
    end = solve_ivp(rate, (0, duration), start, method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
    if robot.base.floating:
        end[3:7] /= np.linalg.norm(end[3:7])
    return {"x": end[: nq + robot.nv], "work": end[nq + robot.nv :]}


def falls_with(errors: list[float], order: int, what: object) -> None:
    """Errors at halved steps fall with this order at least."""
    told = [k for k in range(len(errors) - 1) if errors[k + 1] > FLOOR]
    if not told:
        assert errors[-1] < 10 * FLOOR, (what, errors)
        return
    k = told[-1]
    assert math.log2(errors[k] / errors[k + 1]) > order - 0.35, (what, order, errors)


# --- the checks --------------------------------------------------------------------------------------------------------


def start_of(robot: Robot, seed: int) -> tuple[Vector, Vector]:
    model = models.forward_dynamics(robot, wrench="none")
    state = state_of(model, seed, 0.3)
    return state["q"], state["qd"]


def step_orders(structure: str, seed: int) -> None:
    """Orders of the integrators of ``models.step``, with friction that has an offset, the torques held."""
    rng = np.random.default_rng([seed, STRUCTURES.index(structure)])
    plain = random_structure(structure, rng)
    if structure == "flexible":
        _flexible_step_orders(plain, rng)
        return
    robot, lost = rubbing(rng, plain)
    q, qd = start_of(plain, seed)
    tau = rng.uniform(-1, 1, robot.nv)
    time = 0.05
    expected = exact(plain, lost, q, qd, time, lambda t: tau)["x"]
    for integrator, order in ORDERS.items():
        f = models.step(robot, integrator=integrator, friction="smooth", wrench="none").compile()
        errors = []
        for count in (8, 16, 32):
            x, v = q, qd
            for _ in range(count):
                made = f(q=x, qd=v, tau=tau, dt=time / count)
                x, v = made["q_next"], made["qd_next"]
            errors.append(float(np.abs(np.concatenate([x, v]) - expected).max()))
        falls_with(errors, order, (structure, seed, robot, integrator))


def _flexible_step_orders(robot: Robot, rng: np.random.Generator) -> None:
    """Against SciPy on the two-mass model of the drives, which the variational step does not have."""
    time, tau = 0.05, rng.uniform(-1, 1, robot.nv)
    q, qd = rng.uniform(-0.5, 0.5, robot.nq), rng.uniform(-0.5, 0.5, robot.nv)
    run = simulate(robot, q=q, qd=qd, torque=tau, duration=time, integrator="dop853", friction=False, limits=False)
    names = ("q", "qd", "q_motor", "qd_motor")
    arrays = run.as_arrays()
    for integrator in ("rk4", "semi-implicit", "implicit-midpoint"):
        f = models.step(robot, integrator=integrator, wrench="none").compile()
        errors = []
        for count in (8, 16, 32):
            state = {name: arrays[name][0] for name in names}
            for _ in range(count):
                made = f(**state, tau=tau, dt=time / count)
                state = {name: made[f"{name}_next"] for name in names}
            errors.append(max(float(np.abs(state[name] - arrays[name][-1]).max()) for name in names))
        falls_with(errors, ORDERS[integrator], (robot, integrator))


def simulation_orders(structure: str, seed: int) -> None:
    """Orders of the integrators of ``simulate`` under torques and disturbances in time, for the motion and for the work."""
    rng = np.random.default_rng([seed, STRUCTURES.index(structure), 1])
    plain = random_structure(structure, rng)
    n, base = len(plain.moving), plain.nv - len(plain.moving)
    size, phase = rng.uniform(-2, 2, (2, n)), rng.uniform(0, 6, (2, n))
    speed = rng.uniform(20, 60, (2, n))

    def in_time(k: int) -> Callable[[float], Vector]:
        return lambda t: np.concatenate([np.zeros(base), size[k] * np.sin(speed[k] * t + phase[k])])

    time, given = 0.064, {"torque": in_time(0), "disturbance": in_time(1), "duration": 0.064, "limits": False}
    if structure == "flexible":
        robot = plain
        given |= {"q": rng.uniform(-0.5, 0.5, n), "qd": rng.uniform(-0.5, 0.5, n), "friction": False}
        run = simulate(robot, integrator="dop853", **given)
        expected = {"x": np.concatenate([run.q[-1], run.qd[-1]]), "work": run.work}
    else:
        robot, lost = rubbing(rng, plain)
        q, qd = start_of(plain, seed)
        given |= {"q": q, "qd": qd, "friction": "smooth"}
        expected = exact(plain, lost, q, qd, time, in_time(0), in_time(1))
    for integrator, order in SIMULATED.items():
        errors, of_work = [], []
        for step in (4e-3, 2e-3, 1e-3):  # the fastest torque turns by 0.24 rad in the first
            run = simulate(robot, integrator=integrator, step=step, **given)
            errors.append(float(np.abs(np.concatenate([run.q[-1], run.qd[-1]]) - expected["x"]).max()))
            of_work.append(float(np.abs(run.work - expected["work"]).max()))
        falls_with(errors, order, (structure, seed, robot, integrator))
        falls_with(of_work, order, (structure, seed, robot, integrator, "work"))
    if structure != "flexible":
        run = simulate(robot, integrator="dop853", **given)
        assert np.abs(np.concatenate([run.q[-1], run.qd[-1]]) - expected["x"]).max() < 1e-8
        assert np.abs(run.work - expected["work"]).max() < 1e-8
