"""Payloads in every dynamic model, given late, against Pinocchio with one more body appended to the joint that carries it.

With closed loops and platforms, against what the Jacobian says: tau grows by J^T times the wrench that moves the body.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from c_calls import call_c
from models.conformance import DYNAMICS, MASSES, STATES, Case, agrees, applies, one_of, states
from models.pinocchio_states import Twin, pin
from models.reference import numbers
from random_robots import random_robot
from real_robots import real_robot, urdf_file
from sweeps import crossed, many, some

import robosym
from robosym import models
from robosym.expr import free_symbols
from robosym.models.derivatives.generic import derivative
from robosym.models.parallel.inverse_geometry import matrix_of
from robosym.robot import Robot

# Real files hold inertias no body can have.
pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

CASES = DYNAMICS | MASSES
# Files, with the frame that carries: moving links, fixed frames on them, a finger that another one follows.
CARRIERS = (
    ("panda", "panda_hand"),
    ("panda", "panda_rightfinger"),
    ("ur5", "tool0"),
    ("arm7", None),
    ("kinova", None),
    ("puma", None),
    ("z1", None),
)
MASS, CENTRE = 2.3, (0.05, -0.02, 0.11)
INERTIA = np.array([[0.02, 0.001, -0.002], [0.001, 0.03, 0.003], [-0.002, 0.003, 0.025]])
VALUES = {
    "load": MASS,
    **dict(zip(("load_x", "load_y", "load_z"), CENTRE, strict=True)),
    **dict(zip((f"load_{k}" for k in ("XX", "XY", "XZ", "YY", "YZ", "ZZ")), INERTIA[np.triu_indices(3)], strict=True)),
}


def loaded_twin(twin: Twin, j: int) -> Twin:
    """Pinocchio's model with the body appended where the frame is, beside our robot with a symbolic payload of zero."""
    frame = twin.model.frames[twin.frame_id(j)]
    body = pin.Inertia(MASS, np.array(CENTRE), INERTIA)
    joint = frame.parentJoint if hasattr(frame, "parentJoint") else frame.parent
    twin.model.appendBodyToJoint(joint, body, frame.placement)
    return replace(twin, robot=twin.robot.with_payload(j), data=twin.model.createData())


def check(case: Case, twin: Twin) -> None:
    model = case.ours(twin.robot, len(twin.robot.frames))
    batch = states(twin.robot, 3)
    given = {("wrench" if name == "wrenches" else name): batch[name] for name in case.takes}
    found = model.compile()(**given, parameters=VALUES)
    for i in range(STATES):
        state = {name: values[i] for name, values in batch.items()}
        tolerance = 1e-10 + (1e-14 * np.linalg.cond(twin.crba(state["q"])) if case.condition else 0.0)
        agrees(case.made_of(one_of(found, i), state), case.theirs(twin, 1, state), tolerance)


@cache
def of_file(name: str, carrier: str | None, floating: bool = False) -> Twin:
    robot = real_robot(name, floating=floating)
    j = len(robot.frames) if carrier is None else robot.number(carrier)
    return loaded_twin(Twin.of_urdf(urdf_file(name), robot), j)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(("name", "carrier"), crossed(CASES, CARRIERS, every=5))
def test_real_files(name: str, carrier: tuple[str, str | None]) -> None:
    twin = of_file(*carrier)
    if applies(CASES[name], name, twin.robot):
        check(CASES[name], twin)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", some([name for name, case in CASES.items() if case.free_base], every=2))
def test_a_free_base(name: str) -> None:
    twin = of_file("panda", "panda_hand", floating=True)
    if applies(CASES[name], name, twin.robot):
        check(CASES[name], twin)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", range(many(6)))
def test_random_trees(seed: int) -> None:
    """Any frame of any tree, fixed ones and links with symbols of their own too."""
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, int(rng.integers(2, 7)), symbolic=seed % 2 == 0)
    twin = loaded_twin(Twin.of_robot(robot), int(rng.integers(1, len(robot.frames) + 1)))
    for name in ("inverse-dynamics", "inverse-dynamics, base parameters", "inertia-matrix", "gravity", "energy"):
        check(CASES[name], twin)


# --- what the models are written in ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("parameters", ["standard", "base"])
@pytest.mark.parametrize(("file", "carrier"), CARRIERS[:3])
def test_regressors_and_base_parameters(file: str, carrier: str, parameters: Any) -> None:
    """The columns times the parameters of the link with its payload are the torques."""
    robot = real_robot(file).with_payload(carrier, MASS, CENTRE, INERTIA, symbolic=True)
    made = models.regressor(robot, parameters=parameters)
    rng = np.random.default_rng(4)
    state = {name: rng.uniform(-1, 1, robot.nv) for name in ("q", "qd", "qdd")}
    D, K = made.dense(made.compile()(**state)), made.described_values()
    tau = models.inverse_dynamics(robot, wrench="none").compile()(**state)
    np.testing.assert_allclose(D @ [K[name] for name in made.columns], tau, atol=1e-10)


@pytest.mark.mostly_slow(fast=4)
@pytest.mark.parametrize("name", ["load", "load_x", "load_z", "load_XX", "load_YZ"])
def test_derivatives_by_a_parameter(name: str) -> None:
    """The torques are of degree two in each: central differences are exact."""
    robot = robosym.load("rx90").with_payload("link6", MASS, CENTRE, INERTIA, symbolic=True)
    model = models.inverse_dynamics(robot, wrench="none")
    rng, h = np.random.default_rng(5), 0.5
    state = {key: rng.uniform(-1, 1, 6) for key in ("q", "qd", "qdd")}
    up, down = (model.compile()(**state, parameters={name: VALUES[name] + step}) for step in (h, -h))
    slope = derivative(model, by=name).compile()(**state)
    np.testing.assert_allclose(np.ravel(slope), (up - down) / (2 * h), atol=1e-10)


@pytest.mark.slow
def test_it_costs_little() -> None:
    """Its parameters join those of its link before the first state comes: a link with all ten costs no more than before."""
    panda = real_robot("panda")
    for robot, carrier in ((robosym.load("rx90"), "link6"), (panda, "panda_hand")):
        loaded = robot.with_payload(carrier)
        for make in (models.gravity, models.inverse_dynamics, models.inertia_matrix):
            with_it, without = make(loaded), make(robot)
            assert with_it.operations.total == without.operations.total
            assert with_it.precompute_operations.total > without.precompute_operations.total


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("make", [models.gravity, models.inverse_dynamics, models.inertia_matrix])
def test_in_c(compiled: Callable[[str], ctypes.CDLL], make: Any) -> None:
    """As entries of ``parameters``: none is what the code without it gives, and numbers what Pinocchio gives."""
    twin, bare = of_file("panda", "panda_hand"), make(real_robot("panda"))
    model = make(twin.robot)
    rng = np.random.default_rng(6)
    inputs = {array.name: rng.uniform(-1, 1, array.shape) for array in model.code.inputs if array.name != "wrench"}
    arrays = inputs | {array.name: np.zeros(array.shape) for array in model.code.inputs if array.name == "wrench"}
    library = compiled(model.source("c"))
    names = [symbol.name for symbol in model.code.parameter_symbols]
    assert set(names) <= set(VALUES)
    assert "load" in names
    (empty,) = call_c(library, model.program, arrays, [0.0] * len(names)).values()
    np.testing.assert_allclose(empty, bare.compile()(**inputs), atol=1e-12)
    (full,) = call_c(library, model.program, arrays, [VALUES[name] for name in names]).values()
    q = inputs["q"]
    expected = {
        "gravity": lambda: twin.gravity(q),
        "inverse-dynamics": lambda: twin.rnea(q, inputs["qd"], inputs["qdd"]),
        "inertia-matrix": lambda: twin.crba(q),
    }[model.name]()
    np.testing.assert_allclose(full, expected, atol=1e-10)


def test_numbers_of_the_robot_leave_it_a_parameter() -> None:
    """A payload of zero that became a number would be no payload at all; in base parameters what is made of it stays."""
    robot = robosym.load("panda").with_payload("flange")
    model = models.gravity(robot)
    assert [symbol.name for symbol in model.with_values(model.late).parameter_symbols] == list(VALUES)[:4]
    head = model.source("c", numeric=True).split("*/")[0].replace("\n *", "")
    assert "[0] load (kg), [1] load_x (m), [2] load_y (m), [3] load_z (m)" in " ".join(head.split())
    regrouped = models.gravity(robot, parameters="base")
    kept = {symbol.name for symbol in regrouped.with_values(regrouped.late).parameter_symbols}
    made = {
        name for name, one in regrouped.derived.expressions.items() if "load" in {s.name for s in free_symbols(one)}
    }
    assert "MXR7" in kept
    assert made <= kept
    assert not models.gravity(robosym.load("panda").with_payload("flange", 2.0)).late


# --- closed loops and platforms --------------------------------------------------------------------------------------


def wrench(T: np.ndarray, v: np.ndarray, a: np.ndarray, g: np.ndarray) -> np.ndarray:
    """What moves the body, at the origin of its frame, by Newton and Euler: everything in the axes of the base."""
    R, w, wd = T[:3, :3], v[3:], a[3:]
    c, inertia = R @ CENTRE, R @ INERTIA @ R.T
    force = MASS * (a[:3] + np.cross(wd, c) + np.cross(w, np.cross(w, c)) - g)
    return np.r_[force, inertia @ wd + np.cross(w, inertia @ w) + np.cross(c, force)]


def first(found: Any) -> np.ndarray:
    return np.asarray(next(iter(found.values())) if isinstance(found, dict) else found)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "carrier"), [("sr400", "link6"), ("five-bar-general", "tip")])
def test_closed_loops(name: str, carrier: str) -> None:
    robot = robosym.load(name)
    loaded = robot.with_payload(carrier)
    model = models.inverse_dynamics(loaded, wrench="none")
    drawn = model.random_state(np.random.default_rng(7))
    state = {key: drawn[key] for key in ("q", "qd", "qdd")}
    bare = first(models.inverse_dynamics(robot, wrench="none").compile()(**state))

    def at(make: Any, *takes: str, **options: Any) -> np.ndarray:
        return first(make(robot, frame=carrier, **options).compile()(**{key: state[key] for key in takes}))

    J = at(models.jacobian, "q", axes=0)
    v, a = at(models.velocities, "q", "qd", axes=0), at(models.accelerations, "q", "qd", "qdd", axes=0)
    F = wrench(at(models.transform, "q"), v, a, np.array(numbers(robot, robot.gravity)))
    for one in (model, models.inverse_dynamics(loaded, wrench="none", parameters="base")):
        function = one.compile()
        np.testing.assert_allclose(first(function(**state, parameters=VALUES)), bare + J.T @ F, atol=1e-10)
        np.testing.assert_allclose(first(function(**state)), bare, atol=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "turned"), [("delta", False), ("gough-stewart", True)])
def test_platforms(name: str, turned: bool) -> None:
    """On the platform; its Jacobian gives the twist of the platform from the speeds of the motors."""
    robot = robosym.load(name)
    loaded = robot.with_payload("platform")
    model = models.inverse_dynamics(loaded)
    drawn = model.random_state(np.random.default_rng(8))
    state = {key: drawn[key] for key in ("pose", "twist", "twist_rate")}
    bare = first(models.inverse_dynamics(robot).compile()(**state))
    J = first(models.jacobian(robot).compile()(pose=state["pose"]))
    T, g = matrix_of(np.asarray(state["pose"])), np.array(numbers(robot, robot.gravity))
    F = wrench(T, state["twist"], state["twist_rate"], g)
    assert turned == (np.abs(F[3:] @ J[3:]).max() > 1e-3)
    np.testing.assert_allclose(first(model.compile()(**state, parameters=VALUES)), bare + J.T @ F, atol=1e-9)
    np.testing.assert_allclose(first(model.compile()(**state)), bare, atol=1e-11)


def test_a_cut_has_no_link() -> None:
    with pytest.raises(robosym.robot.RobotError, match=r"payload: 'cut9' is where a loop is cut .* 'link"):
        robosym.load("sr400").with_payload("cut9")


def test_a_simulation_takes_it_up() -> None:
    """Energy of a swinging arm with a payload that is given late is that of one that has it in numbers."""
    robot: Robot = robosym.load("planar-2r")
    late = robosym.simulate(
        robot.with_payload("tip"), duration=0.2, q=[0.3, 0.4], parameters={"load": 1.0, "load_ZZ": 0.1}
    )
    own = robosym.simulate(robot.with_payload("tip", 1.0, inertia=[0.1, 0.1, 0.1]), duration=0.2, q=[0.3, 0.4])
    np.testing.assert_allclose(late.q, own.q, atol=1e-12)
    assert np.abs(late.q - robosym.simulate(robot, duration=0.2, q=[0.3, 0.4]).q).max() > 1e-4
