"""Derivatives by Pinocchio, in the robot's coordinates, and by central differences, in its tangent space."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from models.pinocchio_states import Twin, pin

from robosym.generated import Model
from robosym.robot import Robot

State = Mapping[str, np.ndarray]


def random_state(robot: Robot, rng: np.random.Generator, third: str = "qdd") -> dict[str, np.ndarray]:
    """Any state; of a free base with a unit quaternion."""
    q = rng.uniform(-1, 1, robot.nq)
    if robot.base.floating:
        q[3:7] /= np.linalg.norm(q[3:7])
    qd, given = rng.uniform(-1, 1, (2, robot.nv))
    return {"q": q, "qd": qd, third: given}


def of_inverse_dynamics(twin: Twin, state: State) -> dict[str, np.ndarray]:
    """computeRNEADerivatives."""
    G = twin.spread
    given = (twin.configuration(state["q"]), G @ state["qd"], G @ state["qdd"])
    found = pin.computeRNEADerivatives(twin.model, twin.data, *given)
    return {name: G.T @ np.array(x) @ G for name, x in zip(("dtau_dq", "dtau_dqd"), found, strict=False)}


def of_forward_dynamics(twin: Twin, state: State) -> dict[str, np.ndarray]:
    """computeABADerivatives, of robots without dependent joints."""
    G = twin.spread
    given = (twin.configuration(state["q"]), G @ state["qd"], G @ state["tau"])
    found = pin.computeABADerivatives(twin.model, twin.data, *given)
    by_q, by_qd, by_tau = (np.array(x) for x in found[:3])
    by_tau = np.triu(by_tau) + np.triu(by_tau, 1).T
    names = ("dqdd_dq", "dqdd_dqd", "dqdd_dtau")
    return {name: G.T @ x @ G for name, x in zip(names, (by_q, by_qd, by_tau), strict=True)}


def moved(robot: Robot, q: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """q after a small motion; of a free base in its own axes."""
    if not robot.base.floating:
        return q + direction
    step = pin.SE3ToXYZQUAT(pin.XYZQUATToSE3(q[:7]) * pin.exp6(direction[:6]))
    return np.concatenate([step, q[7:] + direction[6:]])


def differences(
    robot: Robot, model: Callable[[State], np.ndarray], state: State, by: str, h: float = 1e-5
) -> np.ndarray:
    """d model / d state[by] by central differences."""
    n = len(state[by]) if by != "q" else robot.nv
    columns = []
    for k in range(n):
        step = np.zeros(n)
        step[k] = h
        ends = []
        for sign in (1, -1):
            end = moved(robot, state["q"], sign * step) if by == "q" else state[by] + sign * step
            ends.append(np.asarray(model({**state, by: end})))
        columns.append((ends[0] - ends[1]) / (2 * h))
    return np.stack(columns, axis=-1)


def agree(found: np.ndarray, expected: np.ndarray, tolerance: float, what: object = "") -> None:
    """Relative to the largest entry."""
    worst = np.abs(np.asarray(found) - expected).max() / max(1.0, np.abs(expected).max())
    assert worst <= tolerance, (what, worst)


def values_of(model: Model, state: State) -> dict[str, np.ndarray]:
    """The outputs at one state, by interpretation: nothing is compiled. What nothing is known of is drawn."""
    rng = np.random.default_rng(11)
    parameters = {s.name: model.values.get(s.name, rng.uniform(0.5, 1.5)) for s in model.made.parameter_symbols}
    given = dict(state)
    for array in model.made.inputs:
        if array.name not in given and array.name in model.optional:
            given[array.name] = np.zeros(array.shape)
    return {name: np.asarray(x) for name, x in model.made.call(parameters=parameters, **given).items()}


def by_differences(
    robot: Robot, made: Model, original: Model, names: Mapping[str, str], value: str, tolerance: float
) -> None:
    """Every output of a model of derivatives, ``names`` by input, at two states where loops close."""
    f, g = made.compile(), original.compile()
    drawn = np.random.default_rng(5)
    symbols = {s.name for one in (made, original) for s in one.made.parameter_symbols}
    known = {*made.values, *original.values}
    given: dict[str, Any] = {"parameters": {name: drawn.uniform(0.5, 1.5) for name in sorted(symbols - known)}}
    if not given["parameters"]:
        given = {}
    compared = 0
    for seed in range(6):
        state = drawn_state(robot, made, np.random.default_rng(seed))

        def at(there: State) -> np.ndarray:
            return np.asarray(g.by_name(g(**there, **given))[value])

        found = f(**state, **given)
        if not np.all(found.get("assembled", 1)) or not np.isfinite(found[names["q"]]).all():
            continue
        agree(found[value], at(state), 1e-9, value)
        for by, name in names.items():
            agree(found[name], differences(robot, at, state, by), tolerance, (seed, name))
        compared += 1
        if compared == 2:
            return
    assert compared


def drawn_state(robot: Robot, model: Model, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Inputs of a model; q near the middle where loops were closed by iteration."""
    state = {}
    for array in model.made.inputs:
        if array.name == "start":
            continue
        x = rng.uniform(-1, 1, array.shape)
        if array.name == "q":
            x = 0.3 * x + np.asarray(model.centre.get("q", 0.0))
            if robot.base.floating:
                x[3:7] = rng.normal(size=4)
                x[3:7] /= np.linalg.norm(x[3:7])
        state[array.name] = x
    return state
