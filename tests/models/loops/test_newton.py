"""Loops without a closed form: the iteration that closes them, alone and before every model."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from c_calls import call_c
from models.loops.iterated_linkages import chained, seven_revolutes, sliding_ring, stephenson
from sweeps import crossed, many, some

import robosym
from robosym import models
from robosym.models.geometry.loop_geometry import LoopGeometry
from robosym.models.inverse_geometry.closed_form.plan import NoClosedFormError
from robosym.models.loops import plan as plans
from robosym.program.interpreter import Interpreter
from robosym.program.routine import Kernel, Stage, verified_routine
from robosym.robot import Robot
from robosym.robot.problems import Problem

LINKAGES = {one.__name__: functools.cache(one) for one in (seven_revolutes, stephenson, sliding_ring, chained)}


@pytest.fixture(params=some(LINKAGES, 2))
def robot(request: pytest.FixtureRequest) -> Robot:
    return LINKAGES[request.param]()


@functools.cache
def geometry(name: str, mode: str | None = None) -> LoopGeometry:
    return models.loop_geometry(LINKAGES[name](), mode=mode)


def near(made: LoopGeometry, count: int, reach: float, seed: int = 1) -> np.ndarray:
    """Positions of the driven joints around the reference."""
    centre = [made.reference[name] for name in made.robot.joint_names]
    return centre + np.random.default_rng(seed).uniform(-reach, reach, (count, len(centre)))


# --- closure ----------------------------------------------------------------------------------------------------------


def opening(robot: Robot, names: tuple[str, ...], positions: np.ndarray) -> float:
    """How far the frames of cut joints are apart: by the tree's geometry, which knows nothing of loops."""
    tree = robot.replace(loops=0, closure=None)
    places = [names.index(name) for name in tree.joint_names]
    B = robot.loops
    cuts = range(robot.n_links + 1, robot.n_links + B + 1)
    f = models.geometric(tree, frames=[*cuts, *(k + B for k in cuts)]).compile()
    T = list(f(q=positions[:, places]).values())
    return max(float(np.abs(one - other).max()) for one, other in zip(T[:B], T[B:], strict=True))


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", LINKAGES)
def test_positions_around_close(name: str) -> None:
    made = geometry(name)
    found = made.compile()(q=near(made, many(300), 0.2))
    closed = found["assembled"] == 1
    assert closed.mean() > 0.9
    assert found["residual"][closed].max() < 1e-12
    assert opening(made.robot, made.joint_names, found["positions"][closed]) < 1e-12


class Watched(Interpreter):
    """What is left of the closure whenever a step is made."""

    left: list[float]

    def one(self, stage: Stage) -> None:
        super().one(stage)
        if isinstance(stage, Kernel) and stage.inputs[1].startswith("loop_e"):
            self.left.append(float(np.linalg.norm(self.arrays[stage.inputs[1]])))


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["seven_revolutes", "stephenson", "sliding_ring"])
def test_the_error_is_squared(name: str) -> None:
    made = geometry(name)
    run = Watched({key: float(x) for key, x in made.values.items()})
    run.left = []
    run.arrays = {"q": near(made, 1, 0.1)[0], "start": np.array(made.defaults["start"])}
    run.all(made.routine.stages)
    left = [*run.left, float(run.arrays["residual"])]
    assert left[-1] < 1e-14
    assert len(left) <= 8
    pairs = [(a, b) for a, b in pairwise(left) if a < 1e-2]
    assert len(pairs) >= 2
    assert all(b < max(100 * a**2, 1e-14) for a, b in pairs)


@pytest.mark.mostly_slow(fast=1)
def test_a_batch_is_its_states_and_interpretation_agrees(robot: Robot) -> None:
    model = models.inverse_dynamics(robot, wrench="none")
    assert verified_routine(model.routine) is model.routine
    q = near(models.loop_geometry(robot), 5, 0.15)
    qd, qdd = np.random.default_rng(2).uniform(-1, 1, (2, *q.shape))
    f = model.compile()
    batch = f(q=q, qd=qd, qdd=qdd)
    for k in range(len(q)):
        single, read = f(q=q[k], qd=qd[k], qdd=qdd[k]), model.evaluate(q=q[k], qd=qd[k], qdd=qdd[k])
        for name in ("tau", "passive", "assembled"):
            np.testing.assert_array_equal(batch[name][k], single[name])
            np.testing.assert_allclose(single[name], read[name], rtol=1e-9, atol=1e-11)


def test_as_compiled_c(compiled: Callable) -> None:
    model = models.inverse_dynamics(stephenson(), wrench="none")
    library = compiled(model.source("c"))
    f = model.compile()
    q = near(models.loop_geometry(stephenson()), 3, 0.15)
    states = [*q, q[0] + math.pi]  # the last cannot be assembled
    for row in states:
        state = {"q": row, "qd": [0.3], "qdd": [-0.2]}
        parameters = [model.values[symbol.name] for symbol in model.routine.parameter_symbols]
        made = call_c(library, model.routine, {**state, "start": model.defaults["start"]}, parameters)
        expected = f(**state)
        for name in ("tau", "passive", "assembled"):
            np.testing.assert_allclose(made[name], expected[name], rtol=1e-9, atol=1e-11)
    assert np.isnan(made["tau"]).all()


# --- what cannot be assembled -----------------------------------------------------------------------------------------


def test_nothing_is_a_number_where_the_loops_do_not_meet() -> None:
    robot = stephenson()
    made = models.loop_geometry(robot)
    q = near(made, 1, 0.0) + np.array([[0.0], [math.pi]])
    found = models.inertia_matrix(robot).compile()(q=q)
    assert found["assembled"].tolist() == [1, 0]
    assert np.isfinite(found["A"][0]).all()
    assert np.isnan(found["A"][1]).all()
    assert np.isnan(found["passive"][1]).all()
    assert found["residual"][1] > 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_state_that_is_not_finite_is_not_assembled(bad: float) -> None:
    """Interpreted, and compiled."""
    made = geometry("stephenson")
    f = made.evaluate if math.isnan(bad) else made.compile()
    for given in ({"q": [bad]}, {"q": near(made, 1, 0.0)[0], "start": [bad] * 6}):
        found = f(**given)
        assert found["assembled"] == 0
        assert np.isnan(found["positions"]).all()


def test_a_start_elsewhere_leads_to_another_mode_and_positions_found_are_a_start() -> None:
    made = geometry("stephenson")
    other = geometry("stephenson", made.modes[-1])
    f = made.compile()
    q = near(made, 1, 0.0)[0]
    np.testing.assert_allclose(f(q=q, start=other.defaults["start"])["passive"], other.compile()(q=q)["passive"])
    start = None
    for turn in np.linspace(0, -0.6, 13):  # far from the start, in steps
        found = f(q=q + turn) if start is None else f(q=q + turn, start=start)
        assert found["assembled"] == 1
        if start is not None:
            assert np.abs(found["passive"] - start).max() < 0.3
        start = found["passive"]


# --- every model ------------------------------------------------------------------------------------------------------

MODELS: dict[str, dict] = {
    "transform": {},
    "geometric": {},
    "jacobian": {},
    "jacobian_rate": {},
    "static_torques": {},
    "centre_of_mass": {},
    "centre_of_mass_jacobian": {},
    "centroidal_momentum": {},
    "centroidal_momentum_rate": {},
    "velocities": {},
    "accelerations": {},
    "jdot_qdot": {},
    "inverse_dynamics": {"friction": True},
    "passive_dynamics": {"friction": True},
    "bias": {},
    "gravity": {},
    "energy": {},
    "inertia_matrix": {},
    "coriolis": {},
    "lagrange": {},
    "forward_dynamics": {"friction": True},
}


@pytest.fixture
def no_closed_form(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(robot: Robot, loop: object, known: object) -> None:
        raise NoClosedFormError([Problem("method", "not wanted")], robot.name)

    monkeypatch.setattr(plans, "solved_loop", refused)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["four-bar", "sr400", "slider-crank", "bennett"])
def test_as_the_closed_form(name: str, no_closed_form: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Robots that have a closed form, solved by iteration all the same: every model is the same."""
    by_iteration = robosym.load(name)
    models.loop_geometry(by_iteration)  # solved, and remembered
    monkeypatch.undo()
    in_closed_form = robosym.load(name)
    closed = models.loop_geometry(in_closed_form)
    draw = np.random.default_rng(6)
    q = draw.uniform(-0.5, 0.5, in_closed_form.nq)
    positions = closed.by_name(closed.evaluate(q=q))
    iterated = models.loop_geometry(by_iteration)
    assert iterated.reasons
    order = iterated.routine.outputs[1].about.removeprefix("positions found: ").split(", ")
    start = [positions[one] + draw.uniform(-0.02, 0.02) for one in order]
    robots = ("four-bar", "sr400", "slider-crank", "bennett")
    for one, _ in (pair for pair in crossed(MODELS, robots, every=4) if pair[1] == name):
        options = MODELS[one]
        expected, model = (getattr(models, one)(robot, **options) for robot in (in_closed_form, by_iteration))
        state = {a.name: draw.uniform(-1, 1, a.shape) for a in expected.program.inputs} | {"q": q}
        wanted = expected.program.call(parameters=expected.values, **state)
        made = model.routine.call(parameters=model.values, start=start, **state)
        assert made["assembled"] == 1, one
        for key, value in wanted.items():
            np.testing.assert_allclose(made[key], value, rtol=1e-8, atol=1e-9, err_msg=f"{one}, {key}")


@pytest.mark.slow
def test_torques_are_those_of_the_tree_projected(robot: Robot) -> None:
    """tau = G^T Gamma, with speeds, accelerations and G by differences of the positions found."""
    made = models.loop_geometry(robot)
    f, names = made.compile(), made.joint_names
    tree = robot.equivalent_tree
    places = [names.index(name) for name in tree.joint_names]
    draw = np.random.default_rng(9)
    q, h = near(made, 1, 0.05, 3)[0], 1e-4
    qd, qdd = draw.uniform(-1, 1, (2, len(q)))
    x = {k: f(q=q + k * h * qd + (k * h) ** 2 / 2 * qdd)["positions"] for k in (-2, -1, 0, 1, 2)}
    xd = (x[-2] - 8 * x[-1] + 8 * x[1] - x[2]) / (12 * h)
    xdd = (-x[-2] + 16 * x[-1] - 30 * x[0] + 16 * x[1] - x[2]) / (12 * h * h)
    G = np.zeros((len(x[0]), len(q)))
    for k, unit in enumerate(np.eye(len(q))):
        x = {i: f(q=q + i * h * unit)["positions"] for i in (-2, -1, 1, 2)} | {0: x[0]}
        G[:, k] = (x[-2] - 8 * x[-1] + 8 * x[1] - x[2]) / (12 * h)
    gamma = models.inverse_dynamics(tree, wrench="none").compile()(q=x[0][places], qd=xd[places], qdd=xdd[places])
    expected = G[places].T @ np.asarray(gamma)
    tau = models.inverse_dynamics(robot, wrench="none").compile()(q=q, qd=qd, qdd=qdd)["tau"]
    np.testing.assert_allclose(tau, expected, rtol=1e-5, atol=1e-6 * np.abs(expected).max())
    back = models.forward_dynamics(robot, wrench="none").compile()(q=q, qd=qd, tau=tau)["qdd"]
    np.testing.assert_allclose(back, qdd, rtol=1e-9, atol=1e-9)
