"""The inverse dynamic model: compiled C against Pinocchio's rnea, plain mechanics for what it has not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from c_calls import call_c
from hypothesis import given, settings
from hypothesis import strategies as st
from models.pinocchio_states import Twin
from models.reference import Result, loaded_robot, newton_euler, random_states, relative_error
from real_robots import real_robot, urdf_file
from sweeps import many

import robosym
from robosym import RobosymError
from robosym.expr import number
from robosym.generated import Model
from robosym.models import inverse_dynamics
from robosym.models.tree.state import wrench_frames
from robosym.program import verified
from robosym.robot import FIXED, Robot, RobotError

# Real files hold inertias no body can have; their readers' tests are elsewhere.
pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

TOLERANCE = 1e-10  # the largest error over the largest torque
STATES = 10
# Long robots are rare: most mistakes show on short ones, and these take seconds.
SIZES = st.integers(1, 8) | st.integers(1, 8) | st.integers(1, 30)

State = Mapping[str, np.ndarray]


def states_of(batch: State) -> list[dict[str, np.ndarray]]:
    count = len(next(iter(batch.values())))
    return [{name: values[i] for name, values in batch.items()} for i in range(count)]


def random_wrenches(rng: np.random.Generator, robot: Robot, which: str, count: int) -> np.ndarray:
    return rng.uniform(-5, 5, (count, len(wrench_frames(robot, which)), 6))


def by_link(robot: Robot, which: str, wrench: np.ndarray) -> dict[int, np.ndarray]:
    return dict(zip(wrench_frames(robot, which), wrench, strict=True))


def rnea(twin: Twin, batch: State, which: str = "none") -> np.ndarray:
    """Pinocchio's torques of a batch of states, wrenches included."""
    torques = []
    for state in states_of(batch):
        wrench = state.pop("wrench", np.zeros((0, 6)))
        torques.append(twin.rnea(**state, wrenches=by_link(twin.robot, which, wrench)))
    return np.array(torques)


def in_c(model: Model, compiled: Callable[[str], Any], batch: State) -> np.ndarray:
    """The torques by the generated C, built by the C compiler."""
    library = compiled(model.source("c"))
    parameters = [model.values[symbol.name] for symbol in model.program.parameter_symbols]
    zero = {array.name: np.zeros(array.shape) for array in model.program.inputs}
    results = [call_c(library, model.program, {**zero, **state}, parameters) for state in states_of(batch)]
    return np.array([result["tau"] for result in results])


# --- against Pinocchio -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["panda", "solo12", "z1"])
def test_compiled_c_of_a_urdf_agrees_with_pinocchio(compiled: Callable[[str], Any], name: str) -> None:
    """Without wrenches."""
    robot = real_robot(name, mimic=False)
    model = inverse_dynamics(robot)
    verified(model.program)
    batch = random_states(np.random.default_rng(5), robot, STATES)
    expected = rnea(Twin.of_urdf(urdf_file(name), robot), batch)
    assert relative_error(model.compile()(**batch), expected) < TOLERANCE
    assert relative_error(in_c(model, compiled, batch), expected) < TOLERANCE


@pytest.mark.parametrize("name", ["rx90", "stanford", "ur5", "double-pendulum"])
def test_compiled_c_of_a_built_in_agrees_with_pinocchio(compiled: Callable[[str], Any], name: str) -> None:
    """With a wrench at the tips, and rotor inertias against Pinocchio's armature."""
    robot = robosym.load(name)
    rng = np.random.default_rng(8)
    model = inverse_dynamics(robot)
    verified(model.program)
    batch = {**random_states(rng, robot, STATES), "wrench": random_wrenches(rng, robot, "terminal", STATES)}
    expected = rnea(Twin.of_robot(robot), batch, "terminal")
    assert relative_error(model.compile()(**batch), expected) < TOLERANCE
    assert relative_error(in_c(model, compiled, batch), expected) < TOLERANCE


# --- against plain mechanics -----------------------------------------------------------------------------------------


def by_mechanics(robot: Robot, batch: State, which: str, **options: bool) -> Result:
    """The float Newton-Euler in the axes of the base, state by state."""
    found = []
    for state in states_of(batch):
        wrench = state.pop("wrench", np.zeros((0, 6)))
        found.append(newton_euler(robot, **state, wrenches=by_link(robot, which, wrench), **options))
    return Result(
        np.array([one.tau for one in found]),
        np.array([one.force for one in found]),
        np.array([one.moment for one in found]),
    )


@pytest.mark.slow
@pytest.mark.parametrize("method", ["auto", "newton-euler"])
@settings(max_examples=many(8), deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 8), friction=st.booleans(), rotor=st.booleans())
def test_moving_base_friction_rotors_wrenches_and_dependent_joints(
    method: Any, seed: int, n: int, friction: bool, rotor: bool
) -> None:
    rng = np.random.default_rng(seed)
    robot = loaded_robot(rng, n, symbolic=bool(rng.random() < 0.5))
    batch = {**random_states(rng, robot, 3), "wrench": random_wrenches(rng, robot, "all", 3)}
    model = inverse_dynamics(robot, method=method, friction=friction, rotor_inertia=rotor, wrench="all")
    expected = by_mechanics(robot, batch, "all", friction=friction, rotor=rotor)
    assert relative_error(model.compile()(**batch), expected.tau) < TOLERANCE


@pytest.mark.mostly_slow(fast=9)
@pytest.mark.parametrize("method", ["auto", "newton-euler"])
@pytest.mark.parametrize("name", ["planar-3r", "scara", "rx90", 3, 4])
def test_reactions_are_the_wrenches_inside_the_joints(name: str | int, method: Any) -> None:
    rng = np.random.default_rng(9)
    robot = robosym.load(name) if isinstance(name, str) else loaded_robot(np.random.default_rng(name), 6, True)
    batch = {**random_states(rng, robot, 3), "wrench": random_wrenches(rng, robot, "all", 3)}
    got = inverse_dynamics(robot, method=method, wrench="all", reactions=True).compile()(**batch)
    expected = by_mechanics(robot, batch, "all")
    assert relative_error(got["tau"], expected.tau) < TOLERANCE
    assert relative_error(got["f"], expected.force) < TOLERANCE
    assert relative_error(got["m"], expected.moment) < TOLERANCE


def test_coulomb_friction_vanishes_at_rest() -> None:
    robot = loaded_robot(np.random.default_rng(2), 4, symbolic=False, moving_base=False)
    still = {"q": np.full(robot.nv, 0.3), "qd": np.zeros(robot.nv), "qdd": np.zeros(robot.nv)}
    with_friction, without = (inverse_dynamics(robot, friction=choice).compile() for choice in (True, False))
    np.testing.assert_array_equal(with_friction(**still), without(**still))


def test_the_power_of_the_torques_is_what_the_wrench_delivers() -> None:
    """Virtual work, massless and at rest: tau . qd = force . velocity of the tip, by differentiating its position."""
    robot = robosym.load("rx90")
    model = inverse_dynamics(robot)
    massless = {name: 0.0 for name in model.values if name not in ("D3", "RL4")}
    rng = np.random.default_rng(1)
    q, direction, zero = rng.uniform(-2, 2, 6), rng.uniform(-1, 1, 6), np.zeros(6)
    force = np.array([2.0, -3.0, 5.0])
    wrench = np.array([[*force, 0, 0, 0]])
    tau = model.compile()(q=q, qd=zero, qdd=zero, wrench=wrench, parameters=massless)
    pose = robosym.models.transform(robot).compile()
    h = 1e-6
    tip = (pose(q=q + h * direction)[:3, 3] - pose(q=q - h * direction)[:3, 3]) / (2 * h)
    assert tau @ direction == pytest.approx((pose(q=q)[:3, :3] @ force) @ tip, rel=1e-7)


# --- options, customisation and refusals -----------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("method", ["newton-euler", "acceleration-matrix"])
@pytest.mark.parametrize("name", ["rx90", "stanford", "scara", "ur5"])
def test_every_method_gives_the_same_torques(name: str, method: Any) -> None:
    robot = robosym.load(name)
    rng = np.random.default_rng(4)
    batch = {**random_states(rng, robot, 5), "wrench": random_wrenches(rng, robot, "terminal", 5)}
    one, other = inverse_dynamics(robot), inverse_dynamics(robot, method=method)
    assert relative_error(other.compile()(**batch), one.compile()(**batch)) < TOLERANCE
    assert one.operations.total <= other.operations.total


def test_a_velocity_set_to_zero_customises_the_model() -> None:
    robot = robosym.load("rx90")
    held = robot.frames[0]
    frame = replace(held, joint=replace(held.joint, velocity=number(0)))
    still = robot.replace(frames=(frame, *robot.frames[1:]))
    general, special = inverse_dynamics(robot), inverse_dynamics(still)
    assert special.operations.total < general.operations.total
    batch = random_states(np.random.default_rng(3), robot, 4)
    got = special.compile()(**batch)  # whatever qd1 is: the model does not read it
    batch["qd"][:, 0] = 0
    assert relative_error(got, general.compile()(**batch)) < TOLERANCE


def test_augmented_bodies_are_for_a_base_that_stands() -> None:
    with pytest.raises(RobotError, match="method: the augmented-body recursion"):
        inverse_dynamics(robosym.load("rx90", floating=True), method="augmented-body")


def test_the_acceleration_of_a_free_base_is_spatial_or_classical() -> None:
    robot = robosym.load("eel-3")
    q, qd, qdd = [0.1, 0.2, 0.3, 0, 0, 0, 1, 0.4, 0.5], np.linspace(-1, 1, 8), np.linspace(2, 1, 8)
    spatial, classical = (inverse_dynamics(robot, kind=kind).compile() for kind in ("spatial", "classical"))
    seen = qdd.copy()
    seen[:3] += np.cross(qd[3:6], qd[:3])
    np.testing.assert_allclose(classical(q=q, qd=qd, qdd=seen), spatial(q=q, qd=qd, qdd=qdd), rtol=1e-12)


def test_a_free_base_exerts_the_wrench_of_its_description() -> None:
    """It takes as much more of the wrench that acts on the base, and in the forward model it pushes the base back."""
    body = {"M": 2, "MX": 0.5, "XX": 0.3, "YY": 0.4, "ZZ": 0.5}
    pushing = {"floating": True, **body, "FX": 5, "FZ": "P", "CY": -2}
    robot = Robot.from_table("pushing", [body, {"d": 0.5, **body}], base=pushing, values={"P": 3})
    still = robot.replace(base=replace(robot.base, link=replace(robot.base.link, wrench=(number(0),) * 6)))
    wrench = np.array([5, 0, 3, 0, -2, 0, 0, 0])
    q, qd, x = [0.1, 0.2, 0.3, 0, 0, 0, 1, 0.4, 0.5], np.linspace(-1, 1, 8), np.linspace(2, 1, 8)
    given = {"G3": -9.81}
    tau, plain = (inverse_dynamics(one).compile()(q=q, qd=qd, qdd=x, parameters=given) for one in (robot, still))
    np.testing.assert_allclose(tau, plain + wrench, rtol=1e-12)
    for method in ("factorised", "articulated-bodies"):
        f, g = (robosym.models.forward_dynamics(one, method=method).compile() for one in (robot, still))
        expected = g(q=q, qd=qd, tau=x - wrench, parameters=given)
        np.testing.assert_allclose(f(q=q, qd=qd, tau=x, parameters=given), expected, rtol=1e-11)
    without = inverse_dynamics(robot, wrench="none").compile()(q=q, qd=qd, qdd=x, parameters=given)
    np.testing.assert_allclose(without, plain, rtol=1e-12)
    symbolic = Robot.from_table("symbolic", [body], base={**pushing, "wrench": "symbolic"}, values={"P": 3})
    with pytest.raises(RobotError, match="base, wrench: is a variable"):
        inverse_dynamics(symbolic)


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ({"method": "lagrange"}, "newton-euler"),
        ({"wrench": "tip"}, "'terminal', 'all' or 'none'"),
        ({"parameters": "minimal"}, "'standard' or 'base'"),
    ],
)
def test_an_unknown_option_is_named(option: dict[str, Any], expected: str) -> None:
    with pytest.raises(RobosymError, match=expected):
        inverse_dynamics(robosym.load("planar-2r"), **option)


def test_fixed_links_cost_nothing() -> None:
    """A fixed link is lumped off-line: the model of the same robot without a body there is as long."""
    rows = [{"d": 0}, {"d": "L1"}, {"d": "L2", "sigma": 2}]
    bare, tooled = (
        robosym.Robot.from_table("arm", rows[:2], gravity=[0, "G2", 0]),
        robosym.Robot.from_table("arm", rows, gravity=[0, "G2", 0]),
    )
    assert tooled.frame(3).sigma == FIXED
    assert inverse_dynamics(tooled).operations == inverse_dynamics(bare).operations
