"""One-step maps converge at their orders, are those of simulations, and have the slopes that differences show."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from c_calls import call_c
from models.derivatives.manifold import apart, free_robot, moved, rubbing, slopes, state_of
from models.loops.iterated_linkages import stephenson
from robots_with import flexible
from sweeps import many, some

import robosym
from robosym import codegen, derivative, models
from robosym.errors import RobosymError
from robosym.models.derivatives.step import ORDERS
from robosym.program import Program, verified
from robosym.program.routine import verified_routine
from robosym.robot import Robot, RobotError

ROBOTS = {
    "planar-2r": lambda: robosym.load("planar-2r"),
    "stanford-3": lambda: robosym.load("stanford-3"),
    "rubbing": lambda: rubbing(robosym.load("planar-2r")),
    "free": free_robot,
    "four-bar": lambda: robosym.load("four-bar"),
    "iterated": stephenson,
    "flexible": lambda: flexible(robosym.load("planar-2r")),
}


# Whose slopes take seconds: the others of these integrators, and of these robots, stand for them but in a longer sweep.
LONG = [
    ("iterated", "semi-implicit"),
    ("iterated", "implicit-midpoint"),
    ("free", "implicit-midpoint"),
    ("free", "semi-implicit"),
]


@cache
def robot_named(name: str) -> Robot:
    return ROBOTS[name]()


def pairs(state: dict[str, Any]) -> list[tuple[str, str]]:
    return [("q", "qd"), ("q_motor", "qd_motor")] if "q_motor" in state else [("q", "qd")]


def deviation(here: dict[str, Any], there: dict[str, Any], state: dict[str, Any]) -> np.ndarray:
    """From one result to another, positions before speeds."""
    both = pairs(state)
    positions = [apart(here[f"{x}_next"], there[f"{x}_next"], len(here[f"{v}_next"])) for x, v in both]
    return np.concatenate([*positions, *(there[f"{v}_next"] - here[f"{v}_next"] for _, v in both)])


def cases(*without: str) -> list[tuple[str, str]]:
    found = [(name, one) for name in ROBOTS if name not in without for one in ORDERS]
    return [(name, one) for name, one in found if (name, one) != ("flexible", "variational")]


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(("name", "integrator"), some(cases("iterated"), 3))
def test_it_converges_at_its_order(name: str, integrator: str) -> None:
    """The same time in one step, in two, in four: against Runge and Kutta's method with many, on paths that the model alone gives."""
    robot = robot_named(name)
    options: dict[str, Any] = {"friction": "smooth" if name == "rubbing" else False, "wrench": "none"}
    exact = models.step(robot, integrator="rk4", substeps=800, **options)
    state = state_of(exact, 1, 0.4) | {"dt": 0.04}
    expected = exact.compile()(**state)
    errors = []
    for count in (16, 32):
        one = models.step(robot, integrator=integrator, substeps=count, **options)
        errors.append(np.abs(deviation(expected, one.compile()(**state), state)).max())
    order = np.log2(errors[-2] / errors[-1]) if errors[-1] > 1e-13 else ORDERS[integrator]
    assert abs(order - ORDERS[integrator]) < 0.25, errors


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(
    ("name", "integrator"),
    some((one for one in cases() if many(1) > 1 or one not in LONG), 3),
)
def test_its_slopes_are_those_of_what_is_computed(name: str, integrator: str) -> None:
    robot = robot_named(name)
    options: dict[str, Any] = {"integrator": integrator, "friction": "smooth" if name == "rubbing" else False}
    plain = models.step(robot, **options)
    whole = models.step(robot, jacobians=True, **options)
    verified_routine(whole.routine)
    state = state_of(plain, 2, 0.3) | {"dt": 0.05}
    f = plain.compile()
    here, got = f(**state), whole.evaluate(**state)
    both = pairs(state)
    sizes = [len(state[v]) for _, v in both]
    half = sum(sizes)

    def at(d: np.ndarray) -> np.ndarray:
        there, place = dict(state), 0
        for (x, v), size in zip(both, sizes, strict=True):
            there[x] = moved(state[x], d[place : place + size])
            there[v] = state[v] + d[half + place : half + place + size]
            place += size
        there["tau"] = state["tau"] + d[2 * half :]
        return deviation(here, f(**there), state)

    expected = slopes(at, 2 * half + robot.nv, 1e-4)
    np.testing.assert_allclose(np.hstack([got["Ad"], got["Bd"]]), expected, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(got["q_next"], here["q_next"], atol=1e-12)


def test_several_steps_are_steps_one_after_the_other() -> None:
    """Results and slopes: those of three steps are products."""
    robot = robot_named("planar-2r")
    one, three = (models.step(robot, jacobians=True, substeps=count, wrench="none").compile() for count in (1, 3))
    state: dict[str, Any] = {"q": [0.3, -0.4], "qd": [0.5, 1.0], "tau": [0.2, -0.1]}
    whole = three(**state, dt=0.06)
    A, B = np.eye(4), np.zeros((4, 2))
    for _ in range(3):
        made = one(**state, dt=0.02)
        A, B = made["Ad"] @ A, made["Ad"] @ B + made["Bd"]
        state |= {"q": made["q_next"], "qd": made["qd_next"]}
    np.testing.assert_allclose(whole["Ad"], A, atol=1e-12)
    np.testing.assert_allclose(whole["Bd"], B, atol=1e-12)
    np.testing.assert_allclose(whole["q_next"], state["q"], atol=1e-13)


@pytest.mark.slow
def test_a_short_step_is_the_zero_order_hold() -> None:
    robot = robot_named("free")
    discrete, step = models.discrete(robot, wrench="none"), models.step(robot, jacobians=True, wrench="none")
    f, g = discrete.evaluate, step.evaluate
    state = state_of(discrete, 4, 0.5)
    apart_by = []
    for dt in (1e-3, 5e-4):
        a, b = f(**(state | {"dt": dt})), g(**(state | {"dt": dt}))
        apart_by.append([np.abs(a[name] - b[name]).max() for name in ("Ad", "Bd")])
    first, second = apart_by  # of the second order: the matrices change along the way
    assert max(first) < 1e-4
    assert all(3.5 < x / y < 4.5 for x, y in zip(first, second, strict=True))


def test_it_is_the_step_of_a_simulation() -> None:
    """The same stages: the same numbers."""
    robot = robot_named("planar-2r")
    for integrator, same in (("rk4", "rk4"), ("semi-implicit", "semi-implicit"), ("implicit-midpoint", "midpoint")):
        made = models.step(robot, integrator=integrator, wrench="none").compile()(
            q=[0.3, -0.2], qd=[1, 2], tau=[0, 0], dt=0.01
        )
        run = robosym.simulate(
            robot, q=[0.3, -0.2], qd=[1, 2], duration=0.01, step=0.01, integrator=same, friction=False
        )
        np.testing.assert_allclose(made["q_next"], run.q[-1], atol=1e-14)


# --- in every language -------------------------------------------------------------------------------------------------


def test_explicit_steps_are_one_straight_line() -> None:
    for integrator in ("rk4", "semi-implicit"):
        model = models.step(robot_named("planar-2r"), integrator=integrator)
        assert isinstance(verified(model.program), Program)
        for language in codegen.languages():
            assert model.source(language)
    made = derivative(model, of="q_next", by="dt")
    assert made.program.outputs[0].shape == (2,)


@pytest.mark.slow
def test_jacobians_in_every_language() -> None:
    """Written out, the same numbers."""
    robot = robot_named("planar-2r")
    for substeps in (1, 2):
        routine = models.step(robot, jacobians=True, substeps=substeps, wrench="none")
        line = models.step(robot, jacobians=True, substeps=substeps, straight=True, wrench="none")
        state = state_of(routine, 6)
        got, expected = verified(line.program).call(parameters=line.values, **state), routine.evaluate(**state)
        for name in ("q_next", "qd_next", "Ad", "Bd"):
            np.testing.assert_allclose(got[name], expected[name], rtol=1e-11, atol=1e-12)
    assert line.source("casadi")
    with pytest.raises(RobotError, match="no straight line"):
        models.step(robot, integrator="variational", straight=True)
    with pytest.raises(RobotError, match="closed by iteration"):
        models.step(robot_named("iterated"), straight=True)


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("integrator", ORDERS)
def test_as_compiled_c(integrator: str, compiled: Callable) -> None:
    model = models.step(robot_named("planar-2r"), integrator=integrator, jacobians=True)
    library = compiled(model.source("c"))
    state = state_of(model, 5) | {"wrench": np.zeros((1, 6))}
    parameters = [model.values[symbol.name] for symbol in model.routine.parameter_symbols]
    made = call_c(library, model.routine, state, parameters)
    expected = model.compile()(**state)
    for name in ("q_next", "qd_next", "Ad", "Bd"):
        np.testing.assert_allclose(made[name], expected[name], rtol=1e-9, atol=1e-10)


# --- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"integrator": "euler"}, "integrator: got 'euler', expected 'rk4', 'semi-implicit'"),
        ({"substeps": 0}, "substeps: got 0, expected a whole number from 1 to 1000000000"),
        ({"substeps": True}, "substeps: got True"),
        ({"jacobians": "yes"}, "jacobians: got 'yes', expected True or False"),
    ],
)
def test_wrong_words_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RobosymError, match=message):
        models.step(robot_named("planar-2r"), **options)


def test_robots_it_is_not_for() -> None:
    with pytest.raises(RobotError, match="flexible joints"):
        models.step(robot_named("flexible"), integrator="variational")
